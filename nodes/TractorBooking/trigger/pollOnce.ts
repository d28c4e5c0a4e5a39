import type { IDataObject } from 'n8n-workflow';

import { isFinal } from '../api/status';
import { DAY_MS } from '../utils/time';
import { isSameOrganisation } from './isSameOrganisation';
import { Repeats } from './repeats';
import type { Warnings } from './report';
import { explain, firstScan, report } from './report';
import { scanById, scanDue } from './scan/byId';
import { scanList } from './scan/list';
import type { Budget, Pages, Source } from './scan/reader';
import { Reader } from './scan/reader';
import type { Settings } from './settings';
import type { State } from './state';
import { beginAgain, loadState, newState, toText } from './state';
import { eventScope, toEvent } from './toEvent';
import { Tracker } from './tracker';

/** The result of one poll. */
export interface PollResult {
	/** The output items. */
	events: IDataObject[];
	/** The state for the next poll, as text; it may be the same as before. */
	text: string;
	warnings: Warnings;
}

/** A larger state is not stored: a service whose IDs change at every poll must not fill n8n's database. */
const MAX_STATE_LENGTH = 10_000_000;

/** How far the service's clock is believed to be ahead of this machine's. */
const MAX_CLOCK_AHEAD_MS = DAY_MS / 2;

/** The pages that a poll reads. */
async function* scan(
	reader: Reader,
	{ chosen, skipFinished, pageSize }: Settings,
	{ memory, progress }: State,
	tracker: Tracker,
): Pages {
	if (!chosen) yield* scanList(reader, progress, pageSize, tracker);
	else {
		const isRead = (key: (typeof chosen)[number]) =>
			!skipFinished || !isFinal(memory.get(key)?.status);
		yield* scanById(reader, progress, chosen.filter(isRead));
	}
	const due = tracker.dueKeys().filter((key) => !chosen || chosen.includes(key));
	yield* scanDue(reader, due);
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
	stored: IDataObject | undefined,
	budget: Budget,
	isFirstSinceStart: boolean,
): Promise<PollResult> {
	const nowMs = budget.now();
	const { identity, repeatsAfterRestart, chosen, pageSize } = settings;
	const { state, reason } = loadState(stored, identity, nowMs);
	const warnings: Warnings = new Map();
	if (reason) warnings.set('state', firstScan(reason));
	const reader = new Reader(source, budget);
	// Specific bookings are asked for by their IDs, which a key of another organisation does not give.
	const isOtherKey = state.key !== identity.key && state.memory.size > 0 && !chosen;
	if (isOtherKey && !(await isSameOrganisation(new Reader(source, budget), state, pageSize))) {
		beginAgain(state, nowMs);
		warnings.set('key', firstScan('The new key belongs to another organisation'));
	}
	state.key = identity.key;
	const repeats = new Repeats(state.emitted, repeatsAfterRestart, nowMs, isFirstSinceStart);
	const tracker = new Tracker(state, settings, repeats, nowMs);
	for await (const bookings of scan(reader, settings, state, tracker)) tracker.observe(bookings);
	await report(reader, settings, state, source, warnings);
	if (state.since === nowMs)
		state.since += Math.min(source.clockAheadMs?.() ?? 0, MAX_CLOCK_AHEAD_MS);
	const changes = tracker.judge();
	explain(tracker, changes, state, nowMs, warnings);
	const detectedAt = new Date(nowMs).toISOString();
	const events = changes.map((change) => toEvent(eventScope(state), change, detectedAt));
	const text = toText(state);
	if (text.length <= MAX_STATE_LENGTH) return { events, text, warnings };
	warnings.set('size', firstScan('The service has shown more IDs than can be remembered'));
	return { events, text: toText(newState(identity, state.epoch + 1, nowMs)), warnings };
}
