import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { connect, IMPATIENT } from '../service/client';
import { getBooking, listBookingsPage } from '../service/endpoints';
import { orServiceError, ServiceError, toNodeError } from '../service/errors';
import { unlessOutside } from '../service/pagination';
import type { Change } from './changes';
import { isWatched, observe, toEvent } from './changes';
import { readChosen } from './chosen';
import type { BookingKey } from './entries';
import type { Budget, ReadPage } from './reader';
import { BudgetedReader } from './reader';
import { bookingKey, dayOf } from './record';
import { sampleChanges } from './sample';
import type { Settings } from './settings';
import { readSettings } from './settings';
import type { Reason, State } from './state';
import { fingerprint, recall, toStored } from './state';
import { sweepOn } from './sweep';

/** Polls come once a minute at most; one should be over before the next one starts. */
const LONGEST_POLL_MS = 50_000;

/** Part of the host's budget that a poll uses, so that the last request can still be answered. */
const SHARE_OF_BUDGET = 0.8;

/** Requests of one poll at most. */
const MOST_REQUESTS = 500;

const WARNINGS: Readonly<Partial<Record<Reason, string>>> = {
	account: 'The credential or its base address was changed',
	watched: 'What is watched was changed',
	unreadable: 'The memory of earlier polls is damaged or of another version',
};

function budgetOf(context: IPollFunctions): Budget {
	// Older hosts do not tell.
	const hostMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() * SHARE_OF_BUDGET : Infinity;
	const now = Date.now;
	return { until: now() + Math.min(hostMs, LONGEST_POLL_MS), requests: MOST_REQUESTS, now };
}

function pagesOf(client: ServiceClient): ReadPage {
	return async (page, size) => {
		const answer = listBookingsPage(client, page, size);
		return page === 1 ? await answer : await unlessOutside(answer);
	};
}

function bookingsOf(client: ServiceClient) {
	return async (key: BookingKey) => {
		const booking = await orServiceError(getBooking(client, String(key)));
		if (!(booking instanceof ServiceError)) return booking;
		if (booking.kind !== 'notFound') throw booking;
		return undefined;
	};
}

/** Compares every record that arrives with the memory and keeps the changes. */
class Comparison {
	readonly changes: Change[] = [];

	/** Records without a `bookingID`. */
	nameless = 0;

	constructor(
		private readonly state: State,
		private readonly today: number,
	) {}

	readonly visit = (bookings: IDataObject[]): void => {
		const { memory, progress } = this.state;
		for (const booking of bookings) {
			if (bookingKey(booking) === undefined) this.nameless += 1;
			const change = observe(memory, booking, progress.baseline, this.today);
			if (change) this.changes.push(change);
		}
	};
}

/** Reads what the poll has to read and compares it with the memory, which changes in `state` only. */
async function scan(
	context: IPollFunctions,
	client: ServiceClient,
	settings: Settings,
	state: State,
): Promise<Change[]> {
	const comparison = new Comparison(state, dayOf(Date.now()));
	const { memory, progress } = state;
	const reader = new BudgetedReader(budgetOf(context));
	const { visit } = comparison;
	if (settings.chosen) {
		const { chosen, dropSettled } = settings;
		const readBooking = bookingsOf(client);
		const unknown = await readChosen({ reader, readBooking, memory, progress, chosen, dropSettled, visit });
		if (unknown.length > 0) {
			context.logger.warn('Watched bookings are unknown to the service, or of another organisation', {
				bookingIds: unknown,
			});
		}
	} else {
		const { pageSize } = settings;
		await sweepOn({ reader, readPage: pagesOf(client), memory, progress, pageSize, visit });
	}
	if (comparison.nameless > 0) {
		context.logger.warn(`${comparison.nameless} bookings without a bookingID were left out`);
	}
	return comparison.changes;
}

function toItems(settings: Settings, epoch: number, changes: Change[]): INodeExecutionData[] {
	const scope = fingerprint(`${settings.account}\n${epoch}`, 8);
	const detectedAt = new Date().toISOString();
	return changes.map((change) => ({ json: toEvent(scope, settings.watch, change, detectedAt) }));
}

/** The poll of a published workflow. */
async function scheduled(context: IPollFunctions, client: ServiceClient, settings: Settings) {
	const { watch, fireExisting, account, watched } = settings;
	const kept = context.getWorkflowStaticData('node');
	const stored = kept.memory;
	const { state, reason } = recall(stored, account, watched, Date.now());
	const warning = reason && WARNINGS[reason];
	if (warning) {
		context.logger.warn(`${warning}: the bookings are taken as they are now, and only later changes fire.`);
	}

	const changes = await orServiceError(scan(context, client, settings, state));
	if (changes instanceof ServiceError) {
		// A limit that is reached before the baseline has begun must not keep a workflow from being published.
		if (changes.kind !== 'rateLimited' || !state.progress.baseline) throw changes;
		context.logger.warn(`${changes.message}. The next poll goes on with the first scan.`);
		return [];
	}

	// From here on nothing waits: the memory is stored and the items are returned as one step.
	if (kept.memory !== stored) {
		context.logger.warn('Another poll of this trigger ended first. What this one read is left to the next.');
		return [];
	}
	const memory = toStored(state);
	if (memory.checksum !== (stored as IDataObject | undefined)?.checksum) kept.memory = memory;
	const told = changes.filter((change) => isWatched(watch, change) && (fireExisting || !change.baseline));
	return toItems(settings, state.epoch, told);
}

/** "Fetch test event": real bookings that match, in the form of events; the memory is not touched. */
async function manual(context: IPollFunctions, client: ServiceClient, settings: Settings) {
	const { changes, read } = await sampleChanges({
		readPage: pagesOf(client),
		readBooking: bookingsOf(client),
		settings,
		today: dayOf(Date.now()),
	});
	if (changes.length > 0) return toItems(settings, 0, changes);
	throw new NodeOperationError(context.getNode(), 'No booking matches what the trigger watches', {
		description:
			read === 0
				? 'The service returned no booking. Create one with the Tractor Booking node, then fetch again.'
				: `None of the ${read} bookings that were read matches. Widen the filters of this node, or bring a booking into a watched status, then fetch again. A published workflow is not affected: it fires as soon as a booking changes.`,
	});
}

/**
 * One poll.
 *
 * @returns one item a change, or null where nothing is to be told
 * @throws NodeApiError or NodeOperationError; nothing is lost then, the next poll sees the same changes
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = await readSettings(context);
		const client = await connect(context, 'apiKey', IMPATIENT);
		const run = context.getMode() === 'manual' ? manual : scheduled;
		const items = await run(context, client, settings);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
