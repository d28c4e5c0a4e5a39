import type { IDataObject, Logger } from 'n8n-workflow';

import { toEvent } from './items';
import { OpenBookings } from './openBookings';
import { notedBecause, reportChanges, reportReading, requireUsable } from './report';
import { isKnown, ListScan, newProgress } from './scan/list';
import { Reader, type Budget, type Source } from './scan/reader';
import type { Settings } from './settings';
import { fingerprint, loadState, newState, toText } from './state';
import { Tracker } from './tracker';

/** With durable cursors, n8n may load the state of a poll this long before it starts the poll. */
const MAX_STATE_AGE_MS = 10_000;

/** A larger state is not stored: a service whose IDs change at every poll must not fill n8n's database. */
const MAX_STATE_LENGTH = 10_000_000;

export interface PollContext {
	/** Unique among the triggers of the process. */
	id: string;
	staticData: IDataObject;
	source: Source;
	settings: Settings;
	budget: Budget;
	logger: Pick<Logger, 'debug' | 'warn'>;
}

/** What a process knows about the polls of one trigger. */
interface KnownPolls {
	/** Whether a poll is running. It ends for sure: all that it waits for is given up at its deadline. */
	isRunning?: boolean;
	/**
	 * Whether any poll has succeeded since n8n started. n8n's activation mode does not say so: with durable cursors, or
	 * if the first activation failed, it reports the first poll of a process as a later one.
	 */
	hasSucceeded?: boolean;
	/** The state that the last poll replaced: n8n gives each poll a copy of its own, which may be outdated. */
	replaced?: { text: unknown; atMs: number };
	/** What the last poll warned of. */
	warnings: string[];
}

/** The polls of all triggers of a process, by their IDs. */
export type PollLocks = Map<string, KnownPolls>;

interface PollResult {
	events: IDataObject[];
	/** The state for the next poll, as text; it may be the same as before. */
	text: string;
	/** For n8n's log. */
	warnings: string[];
}

/**
 * Reads the bookings once and returns what has changed since the state was stored. Stores nothing itself: if it
 * fails, or its result is discarded, the next poll returns the same changes.
 *
 * @param stored the stored state of the last poll, if there is any
 * @param isRestarted whether this is the first poll since n8n started
 * @throws ServiceError
 */
async function pollOnce(
	{ source, settings, budget }: PollContext,
	stored: IDataObject | undefined,
	isRestarted: boolean,
): Promise<PollResult> {
	const nowMs = budget.now();
	const { identity } = settings;
	const { state, reason } = loadState(stored, identity, nowMs);
	const warnings = reason ? [notedBecause(reason)] : [];
	let isFirst = !isKnown(state.progress);
	const reader = new Reader(source, budget);
	const tracker = new Tracker(state, settings, nowMs, isRestarted);
	const open = new OpenBookings(state, tracker, reader);
	const scan = new ListScan(reader, state.progress, settings.pageSize, open);
	for await (const bookings of scan.read()) tracker.observe(bookings);
	warnings.push(...reportReading(reader, state, open));
	requireUsable(tracker);

	// The list shows whose key this is, even an empty one; bookings that are asked for by their IDs do not.
	if (state.key !== identity.key && reader.hasList) {
		state.key = identity.key;
		if (state.memory.size > 0 && ![...tracker.met.keys()].some((key) => state.memory.has(key))) {
			// A first scan for bookings that were never seen; the known ones stay known.
			Object.assign(state, { progress: newProgress(), since: nowMs });
			isFirst = true;
			warnings.push(notedBecause('The new key belongs to another organisation'));
		}
	}

	const changes = tracker.judge(isFirst);
	warnings.push(...reportChanges(tracker));
	// Makes the IDs of one trigger and account differ from those of others.
	const scope = fingerprint(`${state.account}\n${state.epoch}`, 8);
	const events = changes.map((change) => toEvent(scope, change, nowMs, settings.isSimplified));
	const text = toText(state);
	if (text.length <= MAX_STATE_LENGTH) return { events, text, warnings };
	warnings.push(notedBecause('The service has shown more IDs than can be remembered'));
	return { events, text: toText(newState(identity, state.epoch + 1, nowMs)), warnings };
}

/**
 * Runs one poll of a published workflow, if no other one of the trigger is running, and stores its state in one
 * assignment, at the end.
 *
 * @returns the output items; undefined if another poll is running; the next poll sees the same changes
 * @throws ServiceError
 */
export async function pollScheduled(
	locks: PollLocks,
	context: PollContext,
): Promise<IDataObject[] | undefined> {
	const { id, staticData, budget, logger } = context;
	const stored = staticData.memory as IDataObject | undefined;
	const known: KnownPolls = locks.get(id) ?? { warnings: [] };
	locks.set(id, known);
	const { replaced = { text: null, atMs: 0 } } = known;
	// After that time, n8n must have lost the state that replaced this one.
	const isOutdated =
		stored?.text === replaced.text && budget.now() < replaced.atMs + MAX_STATE_AGE_MS;
	if (known.isRunning || isOutdated) {
		logger.debug('Skipped: another poll of this trigger is still running.');
		return undefined;
	}
	known.isRunning = true;
	try {
		const result = await pollOnce(context, stored, !known.hasSucceeded);

		// From here on, no await: the state is stored and the events are returned in one step.
		for (const text of result.warnings) if (!known.warnings.includes(text)) logger.warn(text);
		known.warnings = result.warnings;
		if (result.text !== stored?.text) {
			staticData.memory = { text: result.text };
			known.replaced = { text: stored?.text ?? null, atMs: budget.now() };
		}
		known.hasSucceeded = true;
		return result.events;
	} finally {
		known.isRunning = false;
	}
}
