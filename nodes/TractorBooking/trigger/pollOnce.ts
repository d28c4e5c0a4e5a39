import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors';
import { isFinal } from '../api/status';
import { eventScope, toEvent } from './items';
import { firstScan, reportChanges, reportReading } from './report';
import type { Budget, Pages, Source } from './scan/reader';
import { Reader } from './scan/reader';
import { scanBookings, scanDue } from './scan/scan';
import type { Settings } from './settings';
import type { Memory, State } from './state';
import { beginAgain, loadState, newState, toText } from './state';
import { Tracker } from './tracker';

/** The result of one poll. */
export interface PollResult {
	/** The output items. */
	events: IDataObject[];
	/** The state for the next poll, as text; it may be the same as before. */
	text: string;
	/** For n8n's log. */
	warnings: string[];
}

/** A larger state is not stored: a service whose IDs change at every poll must not fill n8n's database. */
const MAX_STATE_LENGTH = 10_000_000;

/** Known bookings that a new key is tried with, since single ones may be archived, or fail. */
const MAX_ASKED = 3;

/** The bookings that a poll reads. */
async function* scan(
	reader: Reader,
	settings: Settings,
	{ memory, progress }: State,
	tracker: Tracker,
): Pages {
	const { chosen, skipFinished } = settings;
	const wanted = chosen?.filter((key) => !skipFinished || !isFinal(memory.get(key)?.status));
	yield* scanBookings(reader, progress, { ...settings, chosen: wanted }, tracker);
	yield* scanDue(
		reader,
		tracker.dueKeys().filter((key) => !chosen || chosen.includes(key)),
	);
}

/**
 * Whether the service gives one of the known bookings by its ID. The newest are the least likely to be archived.
 *
 * @throws ServiceError if none of them can be read, and none is refused
 */
async function readsKnown(reader: Reader, memory: Memory): Promise<boolean> {
	const rank = (key: number | string) => (typeof key === 'number' ? key : -1);
	const newest = [...memory.keys()].sort((a, b) => rank(b) - rank(a)).slice(0, MAX_ASKED);
	const failures: ServiceError[] = [];
	for (const key of newest) {
		const booking = await reader.booking(key);
		if (!(booking instanceof ServiceError)) return true;
		failures.push(booking);
	}
	// Bookings of others are refused with 404, or by some services with 401 or 403.
	const isRefused = failures.some(({ kind }) => kind === 'notFound' || kind === 'notAllowed');
	if (failures[0] && !isRefused) throw failures[0];
	return false;
}

/**
 * Reads the bookings once and returns what has changed since the state was stored. Stores nothing itself: if it
 * fails, or its result is discarded, the next poll returns the same changes.
 *
 * @param stored the stored state of the last poll, if there is any
 * @param isRestarted whether this is the first poll since n8n started
 * @throws ServiceError
 */
export async function pollOnce(
	source: Source,
	settings: Settings,
	stored: IDataObject | undefined,
	budget: Budget,
	isRestarted: boolean,
): Promise<PollResult> {
	const nowMs = budget.now();
	const { identity, chosen } = settings;
	const { state, reason } = loadState(stored, identity, nowMs);
	const warnings = reason ? [firstScan(reason)] : [];
	let { isKnown } = state.progress;
	const reader = new Reader(source, budget);
	const tracker = new Tracker(state, settings, nowMs, isRestarted);
	for await (const bookings of scan(reader, settings, state, tracker)) tracker.observe(bookings);
	warnings.push(...(await reportReading(reader, settings, state, source)));

	// Specific bookings are asked for by their IDs, which a key of another organisation does not give.
	const isNewKey = state.key !== identity.key && state.memory.size > 0 && !chosen;
	if (isNewKey && !tracker.hasMetKnown && !(await readsKnown(reader, state.memory))) {
		beginAgain(state, nowMs);
		isKnown = false;
		warnings.push(firstScan('The new key belongs to another organisation'));
	}
	state.key = identity.key;

	const changes = tracker.judge(isKnown);
	warnings.push(...reportChanges(tracker, changes, state, nowMs));
	const scope = eventScope(state);
	const events = changes.map((change) => toEvent(scope, change, nowMs));
	const text = toText(state);
	if (text.length <= MAX_STATE_LENGTH) return { events, text, warnings };
	warnings.push(firstScan('The service has shown more IDs than can be remembered'));
	return { events, text: toText(newState(identity, state.epoch + 1, nowMs)), warnings };
}
