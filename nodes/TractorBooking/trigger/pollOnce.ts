import type { IDataObject } from 'n8n-workflow';

import { isFinal } from '../api/status';
import { DAY_MS } from '../utils/time';
import { isSameOrganisation } from './isSameOrganisation';
import { Repeats } from './repeats';
import { scanById, scanDue } from './scan/byId';
import { scanList } from './scan/list';
import type { Budget, Failure, Pages, Source } from './scan/reader';
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
	/** Messages for n8n's log, by what they are about. They name bookings by their IDs only. */
	warnings: Map<string, string>;
}

type Warnings = PollResult['warnings'];

/** A larger state is not stored: a service whose IDs change at every poll must not fill n8n's database. */
const MAX_STATE_LENGTH = 10_000_000;

/** From so many never-seen bookings in one poll on, the log says why they start the workflow. */
const MANY = 100;

/** How far the service's clock is believed to be ahead of this machine's. */
const MAX_CLOCK_AHEAD_MS = DAY_MS / 2;

/** What a first scan means for the operator, and why there is one. */
function firstScan(reason: string): string {
	return `${reason}: the bookings are recorded as they are now, and only later changes start the workflow.`;
}

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

const EMPTY =
	'The service answers 404 for the list of bookings, and responds to other requests: your organisation seems to have no booking yet.';

/**
 * Whether the list is missing because it is empty, as with some services: no booking is known, and the service responds
 * to something else at the base URL, so that this is not what is wrong.
 */
async function isMissingListEmpty(
	{ hasList, end, failures, unknown }: Reader,
	{ chosen }: Settings,
	{ memory }: State,
	source: Source,
): Promise<boolean> {
	const isRead = chosen !== undefined || hasList || memory.size > 0;
	const isMissing = !end && failures.length === 0 && unknown[0]?.error.kind === 'notFound';
	return !isRead && isMissing && (await source.isThere?.()) === true;
}

/**
 * What could not be read: a warning, or an error if nothing could. A rate limit in the first scan is not an error: it
 * would block publishing.
 */
function report(
	{ failures, failure, unknown, hasList, end }: Reader,
	{ chosen }: Settings,
	{ progress: { isKnown } }: State,
	warnings: Warnings,
): void {
	const isPutOff = failure === end && end?.kind === 'rateLimited' && !isKnown;
	if (failure && !isPutOff) throw failure;
	const [first] = unknown;
	const isNothing = chosen ? unknown.length === chosen.length : !hasList && !end;
	if (first && isNothing) throw first.error;
	if (end) warnings.set('end', `${end.message}. The next poll goes on from there.`);
	const isPage = ({ page }: Failure) => page !== undefined;
	const pages = failures.filter(isPage);
	if (pages[0]) {
		const numbers = [...new Set(pages.map(({ page }) => page))].slice(0, 10).join(', ');
		warnings.set('pages', `${pages[0].error.message}. Left out for now: page ${numbers}.`);
	}
	for (const failed of [...failures, ...unknown]) {
		const { message } = failed.error;
		if (!isPage(failed)) warnings.set(message, `${message}. The others are read.`);
	}
}

/** What hides events although the bookings can be read, or makes many of them. */
function explain(tracker: Tracker, { progress }: State, nowMs: number, warnings: Warnings): void {
	const { unreadable, isStatusless, unjudged, flood } = tracker;
	if (unreadable > 0)
		warnings.set(
			'unreadable',
			`${unreadable} bookings are left out: they have no bookingID, or an ID or a status that cannot be stored.`,
		);
	if (isStatusless)
		warnings.set(
			'statusless',
			'None of the bookings that were read has a bookingStatus, so no change can be seen.',
		);
	if (unjudged.length > 0)
		warnings.set(
			'unjudged',
			`The serviceDate of ${unjudged.length} open bookings cannot be read, such as that of booking ${unjudged[0]}: they are never overdue.`,
		);
	if (flood > 0)
		warnings.set(
			'flood',
			`${flood} bookings appear for the first time, and their createdAt does not say whether they are new: they are recorded as they are now, and only later changes start the workflow.`,
		);
	if (nowMs - (progress.round?.startedAt ?? nowMs) > DAY_MS)
		warnings.set(
			'late',
			'It takes more than a day to read every booking once. Unless n8n was off meanwhile, poll more often.',
		);
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
	if (await isMissingListEmpty(reader, settings, state, source)) warnings.set('empty', EMPTY);
	else report(reader, settings, state, warnings);
	if (state.since === nowMs)
		state.since += Math.min(source.clockAheadMs?.() ?? 0, MAX_CLOCK_AHEAD_MS);
	const changes = tracker.judge();
	explain(tracker, state, nowMs, warnings);
	const unseen = changes.filter(({ previous, isRepeat }) => previous === undefined && !isRepeat);
	if (unseen.length > MANY) {
		const since = new Date(state.since).toISOString();
		const why = `${unseen.length} bookings that were not seen before start the workflow: they were made after ${since}, or Emit Existing Matches is on.`;
		warnings.set('many', why);
	}
	const detectedAt = new Date(nowMs).toISOString();
	const events = changes.map((change) => toEvent(eventScope(state), change, detectedAt));
	const text = toText(state);
	if (text.length <= MAX_STATE_LENGTH) return { events, text, warnings };
	warnings.set('size', firstScan('The service has shown more IDs than can be remembered'));
	return { events, text: toText(newState(identity, state.epoch + 1, nowMs)), warnings };
}
