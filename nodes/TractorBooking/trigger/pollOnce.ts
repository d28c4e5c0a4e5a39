import type { IDataObject } from 'n8n-workflow';

import { eventScope, toEvent } from './items';
import { notedBecause, reportChanges, reportOpen, reportReading, requireUsable } from './report';
import type { Budget, Source } from './scan/reader';
import { OpenBookings } from './openBookings';
import { Reader } from './scan/reader';
import { scanList } from './scan/list';
import type { Settings } from './settings';
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

/** What a poll may spend. */
export interface PollBudget extends Budget {
	/** The instant, in milliseconds, after which a poll of the first scan starts no request. */
	firstUntil: number;
}

/** A larger state is not stored: a service whose IDs change at every poll must not fill n8n's database. */
const MAX_STATE_LENGTH = 10_000_000;

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
	budget: PollBudget,
	isRestarted: boolean,
): Promise<PollResult> {
	const nowMs = budget.now();
	const { identity } = settings;
	const { state, reason } = loadState(stored, identity, nowMs);
	const warnings = reason ? [notedBecause(reason)] : [];
	let { isKnown } = state.progress;
	const reader = new Reader(source, isKnown ? budget : { ...budget, until: budget.firstUntil });
	const tracker = new Tracker(state, settings, nowMs, isRestarted);
	const open = new OpenBookings(state, tracker, reader);
	for await (const bookings of scanList(reader, state.progress, settings.pageSize, open))
		tracker.observe(bookings);
	warnings.push(...(await reportReading(reader, state, source)), ...reportOpen(open));
	requireUsable(tracker);

	// The list shows whose key this is, even an empty one; bookings that are asked for by their IDs do not.
	if (state.key !== identity.key && reader.hasList) {
		state.key = identity.key;
		if (state.memory.size > 0 && !tracker.hasMetKnown) {
			beginAgain(state, nowMs);
			isKnown = false;
			warnings.push(notedBecause('The new key belongs to another organisation'));
		}
	}

	const changes = tracker.judge(isKnown);
	warnings.push(...reportChanges(tracker, state, nowMs));
	const scope = eventScope(state);
	const events = changes.map((change) => toEvent(scope, change, nowMs));
	const text = toText(state);
	if (text.length <= MAX_STATE_LENGTH) return { events, text, warnings };
	warnings.push(notedBecause('The service has shown more IDs than can be remembered'));
	return { events, text: toText(newState(identity, state.epoch + 1, nowMs)), warnings };
}
