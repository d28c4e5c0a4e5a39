import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../api/errors';
import type { BookingKey } from '../api/identifiers';
import { isFinal } from '../api/status';
import { formatValue } from '../parse/issue';
import { DAY_MS } from '../utils/time';
import { dayOf, mayMove } from './bookings';
import type { Watch } from './events';
import { scanById, scanDue } from './scan/byId';
import type { ListScan } from './scan/list';
import { scanList } from './scan/list';
import type { Budget, Failure, Source } from './scan/reader';
import { Reader, unlessSpent, withinBudget } from './scan/reader';
import type { Settings } from './settings';
import type { State } from './state';
import { beginAnew, loadState, toStored } from './state';
import { eventScope, toEvent } from './toEvent';
import { Tracker } from './tracker';

/** The result of one poll. */
export interface PollResult {
	/** The output items. */
	events: IDataObject[];
	/** The state for the next poll; undefined if it is unchanged. */
	memory?: IDataObject;
	/** Messages for n8n's log. */
	warnings: string[];
}

/** How far the service's clock is believed to be ahead of this machine's. */
const MAX_CLOCK_AHEAD_MS = DAY_MS / 2;

type Warn = (what: string, text: string) => void;

/** Collects warnings in `texts`; one that stays true is given once a day. */
function warnDaily(given: Record<string, number>, nowMs: number, texts: string[]): Warn {
	for (const [what, atMs] of Object.entries(given)) {
		if (Math.abs(nowMs - atMs) >= DAY_MS) delete given[what];
	}
	return (what, text) => {
		if (given[what] !== undefined) return;
		given[what] = nowMs;
		texts.push(text);
	};
}

/** What a first scan means for the operator, and why there is one. */
function firstScan(reason: string): string {
	return `${reason}: the bookings are recorded as they are now, and only later changes start the workflow.`;
}

/**
 * Finds out whether a new key belongs to the organisation of the known bookings: if it can read none of some of them,
 * everything that it shows is recorded until one sweep has ended.
 *
 * @returns true, once that is known
 * @throws BudgetSpent, ServiceError
 */
async function checkKey(state: State, key: string, reader: Reader, warn: Warn): Promise<true> {
	const known = state.key === key ? [] : state.memory.sample();
	let isForeign = known.length > 0;
	let failure: ServiceError | undefined;
	for (const booking of known) {
		const response = await settle(reader.booking(booking));
		isForeign = response instanceof ServiceError;
		if (!(response instanceof ServiceError)) break;
		if (response.kind !== 'notFound') failure = response;
	}
	if (isForeign && failure) throw failure;
	state.key = key;
	if (!isForeign) return true;
	state.isForeign = true;
	beginAnew(state);
	const reason =
		'The new key cannot read the known bookings, so that it belongs to another organisation';
	warn(`key ${key}`, firstScan(reason));
	return true;
}

/** Reads the bookings, as far as the budget reaches; changes `state` and what the tracker collects. */
async function scan(
	{ chosen, skipFinished, pageSize }: Settings,
	{ memory, progress }: State,
	reader: Reader,
	tracker: Tracker,
	warn: Warn,
): Promise<void> {
	const isRead = (key: BookingKey) => !skipFinished || !isFinal(memory.get(key)?.status);
	const today = dayOf(reader.now);
	const list: ListScan = {
		reader,
		progress,
		pageSize,
		pagesRead: new Map(),
		isMoving: (booking) => mayMove(booking, today),
		isNews: tracker.isNews,
		newcomers: () => tracker.newcomers.length,
		warn,
	};
	const pages = chosen
		? withinBudget(scanById(reader, progress, chosen.filter(isRead)))
		: scanList(list);
	for await (const bookings of pages) tracker.observe(bookings);
	const due = tracker.dueKeys().filter((key) => !chosen || chosen.includes(key));
	for await (const bookings of withinBudget(scanDue(reader, due))) tracker.observe(bookings);
}

/**
 * What could not be read: a warning, or an error if nothing could. A rate limit before the first scan has ended is
 * none, lest it keep the workflow from being published.
 */
function report(
	{ failures, failure, unknown, end }: Reader,
	{ chosen }: Settings,
	isSwept: boolean,
	warn: Warn,
): void {
	const isPutOff = failure === end && end?.kind === 'rateLimited' && !isSwept;
	if (failure && !isPutOff) throw failure;
	const [first] = unknown;
	if (first && unknown.length === chosen?.length) throw first.error;
	if (end) warn(`end ${end.kind}`, `${end.message}. The next poll goes on from there.`);
	const isPage = ({ page }: Failure) => page !== undefined;
	const [one, ...others] = failures.filter(isPage);
	if (one) {
		const pages = others.length > 0 ? `${others.length + 1} pages` : `Page ${one.page}`;
		const are = others.length > 0 ? 'are' : 'is';
		warn('pages', `${one.error.message}. ${pages} of the list ${are} left out for now.`);
	}
	for (const failed of [...failures, ...unknown]) {
		const { message } = failed.error;
		if (!isPage(failed)) warn(`booking ${message}`, `${message}. The others are read.`);
	}
}

/** What keeps events from being seen although the bookings can be read. */
function warnOfGaps(
	{ unreadable, isStatusless, unjudged }: Tracker,
	{ needs = '' }: Watch,
	warn: Warn,
): void {
	if (unreadable > 0) {
		warn(
			'unreadable',
			`${unreadable} bookings are left out: they have no bookingID, or one or a status that cannot be kept.`,
		);
	}
	if (isStatusless) {
		warn(
			'statusless',
			'None of the bookings that were read has a bookingStatus, so that no change of it can be seen.',
		);
	}
	const [example] = unjudged;
	if (!example) return;
	const [key, booking] = example;
	const value = formatValue(booking[needs] ?? null);
	warn(
		'unjudged',
		`The ${needs} of ${unjudged.length} open bookings cannot be read, such as ${value} of booking ${key}: the workflow does not start for them.`,
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
	const { identity, watch } = settings;
	const { state, reason } = loadState(stored, identity, nowMs);
	const warnings: string[] = [];
	const warn = warnDaily(state.warned, nowMs, warnings);
	if (reason) warnings.push(firstScan(reason));
	const reader = new Reader(source, budget);
	const isKeyKnown = await checkKey(state, identity.key, reader, warn).catch(unlessSpent);
	const tracker = new Tracker(state, settings, nowMs, isFirstSinceStart);
	reader.isFull = () => tracker.isFull;
	if (isKeyKnown) {
		const failure = await settle(scan(settings, state, reader, tracker, warn));
		if (failure instanceof ServiceError) throw reader.failures[0]?.error ?? failure;
	}
	report(reader, settings, state.progress.isSwept, warn);
	const aheadMs = Math.min(source.clockAheadMs?.() ?? 0, MAX_CLOCK_AHEAD_MS);
	// HTTP dates have whole seconds.
	state.since ??= Math.ceil((nowMs + aheadMs) / 1_000 + 1) * 1_000;
	const changes = tracker.judge(aheadMs);
	// What shows nothing that could be kept has not been swept.
	if (tracker.unreadable > 0 && state.memory.size === 0) state.progress.isSwept = false;
	if (state.progress.isSwept) state.isForeign = undefined;
	warnOfGaps(tracker, watch, warn);
	const memory = toStored(state);
	const detectedAt = new Date(nowMs).toISOString();
	return {
		events: changes.map((change) => toEvent(eventScope(state), watch, change, detectedAt)),
		memory: memory.checksum === stored?.checksum ? undefined : memory,
		warnings,
	};
}
