import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../api/errors';
import type { Change } from './changes';
import { isWatched, noteEvent, observe, toEvent } from './changes';
import { scanBookingsById } from './scan/byId';
import type { BookingKey } from './bookings';
import { scanBookings } from './scan/hotRegion';
import type { Budget, Source } from './scan/budgetedReader';
import { BudgetedReader } from './scan/budgetedReader';
import { bookingKey, dayOf } from './bookings';
import type { Settings } from './settings';
import type { BaselineReason, State } from './state';
import { fingerprint, loadState, toStored } from './state';
import { NO_EVENTS } from './occurrences';
import { keepEmitted, ReplayQueue } from './replay';

/** The result of one poll. */
export interface PollResult {
	/** The output items. */
	events: IDataObject[];
	/** The state for the next poll; undefined if it is unchanged. */
	memory?: IDataObject;
	/** Whether nothing could be read, so the poll does not count as the first since n8n started. */
	isDeferred: boolean;
	/** Messages for n8n's log. */
	warnings: string[];
}

const NEW_BASELINE: Readonly<Record<Exclude<BaselineReason, 'first'>, string>> = {
	account: 'The credential or its base URL was changed',
	watched: 'The settings of the trigger were changed',
	unreadable: 'The stored state of the trigger is damaged or from another version',
};

/** A poll ends after the page with which it reaches this number of events. */
const MAX_EVENTS_PER_POLL = 1_000;

/** Compares records with the memory and collects the changes to emit. */
class Comparison {
	readonly emitted: Change[] = [];

	/** Number of records without a `bookingID`. */
	withoutId = 0;

	constructor(
		private readonly state: State,
		private readonly settings: Settings,
		private readonly replays: ReplayQueue,
		private readonly today: number,
	) {}

	readonly visit = (bookings: IDataObject[]): void => {
		const { memory, progress } = this.state;
		for (const booking of bookings) {
			const key = bookingKey(booking);
			if (key === undefined) {
				this.withoutId += 1;
				continue;
			}
			const change = observe(memory, booking, progress.baseline, this.today);
			const replay = this.replays.has(key) ? this.replay(key, booking) : undefined;
			const emitted = change && this.shouldEmit(change) ? change : replay;
			if (emitted) this.emitted.push(emitted);
		}
	};

	/** Whether to emit a change. If the change is an event, it is recorded, emitted or not. */
	private shouldEmit(change: Change): boolean {
		const { watch, emitExisting } = this.settings;
		if (!isWatched(watch, change)) return false;
		noteEvent(this.state.memory, change);
		return emitExisting || !change.baseline;
	}

	/** Rebuilds an event for replay after a restart, with its original id. */
	private replay(key: BookingKey, booking: IDataObject): Change | undefined {
		const known = this.state.memory.get(key);
		const status = known?.status ?? null;
		const replay = this.replays.claim(this.settings.watch, key, status);
		const occurrences = known?.occurrences ?? NO_EVENTS;
		return (
			replay && {
				key,
				booking,
				status,
				...replay,
				occurrencesBefore: occurrences,
				occurrences,
				baseline: false,
			}
		);
	}
}

/** Scans the bookings and compares them with the memory; changes `state` only. */
async function compare(
	source: Source,
	settings: Settings,
	state: State,
	replays: ReplayQueue,
	budget: Budget,
): Promise<{ emitted: Change[]; warnings: string[] }> {
	const { memory, progress } = state;
	const { chosen, skipFinished, pageSize } = settings;
	const today = dayOf(budget.now());
	const comparison = new Comparison(state, settings, replays, today);
	const isFull = () => comparison.emitted.length >= MAX_EVENTS_PER_POLL;
	const warnings: string[] = [];
	const warn = (text: string) => void warnings.push(text);
	// With specific IDs, a booking that fails is skipped instead.
	const salvages = budget.salvages && !chosen;
	const reader = new BudgetedReader(source, { ...budget, isFull, salvages });
	const scan = { reader, memory, progress, visit: comparison.visit, warn };
	await (chosen
		? scanBookingsById({
				...scan,
				chosen,
				skipFinished,
				repeats: replays,
				salvages: budget.salvages,
			})
		: scanBookings({ ...scan, pageSize, today }));
	if (reader.failure) warn(`${reader.failure.message}. The next poll goes on from there.`);
	if (comparison.withoutId > 0) {
		warnings.push(`Skipped ${comparison.withoutId} bookings that have no bookingID.`);
	}
	return { emitted: comparison.emitted, warnings };
}

/** Converts changes to events. */
export function toEvents(
	settings: Settings,
	epoch: number,
	changes: Change[],
	nowMs: number,
): IDataObject[] {
	const scope = fingerprint(`${settings.account}\n${epoch}`, 8);
	const detectedAt = new Date(nowMs).toISOString();
	return changes.map((change) => toEvent(scope, settings.watch, change, detectedAt));
}

/**
 * Reads the bookings once and returns what has changed since the state was stored. Stores nothing itself: if it
 * fails, or its result is discarded, the next poll returns the same changes.
 *
 * @param stored the stored state of the last poll, if there is any
 * @param isFirstSinceStart whether this is the first poll since n8n started
 * @throws ServiceError
 */
export async function pollOnce(
	source: Source,
	settings: Settings,
	stored: unknown,
	budget: Budget,
	isFirstSinceStart: boolean,
): Promise<PollResult> {
	const { state, reason } = loadState(stored, settings.account, settings.watched, budget.now());
	const replays = new ReplayQueue(state.again);
	if (isFirstSinceStart) {
		replays.add(state.told, state.memory, budget.now());
		state.told = [];
	}
	const warnings: string[] = [];
	if (reason && reason !== 'first') {
		warnings.push(
			`${NEW_BASELINE[reason]}: the bookings are recorded as they are now, and only later changes start the workflow.`,
		);
	}
	const compared = await settle(compare(source, settings, state, replays, budget));
	if (compared instanceof ServiceError) {
		// A rate limit before the baseline has begun must not keep the workflow from being published.
		if (compared.kind !== 'rateLimited' || !state.progress.baseline) throw compared;
		const warning = `${compared.message}. The next poll goes on with the first scan.`;
		return { events: [], isDeferred: true, warnings: [warning] };
	}
	state.told = keepEmitted(state.told, compared.emitted, budget.now());
	state.again = replays.remaining(state.memory);
	const memory = toStored(state);
	const hasChanged = memory.checksum !== (stored as IDataObject | undefined)?.checksum;
	return {
		events: toEvents(settings, state.epoch, compared.emitted, budget.now()),
		memory: hasChanged ? memory : undefined,
		isDeferred: false,
		warnings: [...warnings, ...compared.warnings],
	};
}
