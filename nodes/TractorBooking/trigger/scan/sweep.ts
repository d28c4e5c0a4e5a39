import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../../api/errors';
import { notAList } from '../../api/pages/envelope';
import { PageZero } from '../../api/pages/pageZero';
import type { BookingKey } from '../bookings';
import type { Memory } from '../memory';
import type { Order, Progress, Sweep } from './progress';
import type { BudgetedReader, Outcome, ScanPage } from './budgetedReader';
import { CUT, isAnswer } from './budgetedReader';
import { bookingKey } from '../bookings';
import { pagesFrom } from './pages';

/** Complete sweeps in a row in which a booking has to be absent before it is forgotten. */
export const FORGET_AFTER_SWEEPS = 100;

/**
 * A baseline ends with the first sweep during which the list stood still. Else it ends with one from the second on
 * (the fourth, where the list has no order and may hide some each time) that met few unknown bookings, at the
 * latest with the last of these.
 */
const MAX_BASELINE_SWEEPS = 10;

/** Share of a sweep's bookings that are few. */
const MAX_UNKNOWN_SHARE = 0.001;

/** Pages after which a list is taken for one that never ends. Its `count` may lie and is not asked. */
const MAX_PAGES_PER_SWEEP = 100_000;

/** Share of neighbours that have to be in order before a list counts as sorted. */
const SORTED_SHARE = 0.95;

/** What the reading of the list works with. */
export interface Scan {
	reader: BudgetedReader;
	memory: Memory;
	progress: Progress;
	/** Items to ask for in a page. */
	pageSize: number;
	/** Takes in the records of a page, in order. */
	visit: (bookings: IDataObject[]) => void;
	/** Tells the operator something. */
	warn: (text: string) => void;
}

/** The keys of the records that have one; none where there is no page. */
export function keysOf(page?: ScanPage): BookingKey[] {
	return (page?.items ?? []).map(bookingKey).filter((key) => key !== undefined);
}

/** Whether two pages hold the same bookings in the same order. */
export function areAlike(a: BookingKey[], b: BookingKey[] | undefined): boolean {
	return b !== undefined && a.length === b.length && a.every((key, at) => key === b[at]);
}

/** Notes which way the ids of a page run. */
function learnOrder(sweep: Sweep, keys: BookingKey[]): void {
	for (const key of keys) {
		const { last } = sweep;
		if (typeof key === 'number' && typeof last === 'number') {
			if (key > last) sweep.rising += 1;
			if (key < last) sweep.falling += 1;
		}
		sweep.last = key;
	}
}

function orderOf({ rising, falling }: Sweep): Order {
	const pairs = rising + falling;
	if (pairs > 0 && falling >= SORTED_SHARE * pairs) return 'newestFirst';
	return pairs > 0 && rising >= SORTED_SHARE * pairs ? 'oldestFirst' : 'none';
}

/** Takes a page in: counts what the sweep had not met before, then hands the records on. */
function take(scan: Scan, sweep: Sweep, page: ScanPage, isAgain: boolean): BookingKey[] {
	const keys = keysOf(page);
	const fresh = new Set(keys.filter((key) => !scan.memory.get(key)?.seen));
	for (const key of fresh) if (scan.memory.get(key)?.stale ?? true) sweep.unknown += 1;
	sweep.met += fresh.size;
	const moved = page.total !== undefined && sweep.total !== undefined && page.total !== sweep.total;
	if (moved || (!isAgain && fresh.size < keys.length)) sweep.disturbed = true;
	sweep.total ??= page.total;
	if (!isAgain) learnOrder(sweep, keys);
	scan.visit(page.items);
	return keys;
}

/**
 * Looks for a page 0 until there are bookings: whether pages count from 0 or from 1 is not documented. If the budget is
 * spent before, the next poll begins with it, or polls of one request each would never get further.
 *
 * @param first page 1, whose bookings have been taken in; undefined if there is no page 1
 * @throws ServiceError
 */
async function lookForPage0(
	scan: Scan,
	sweep: Sweep,
	first: ScanPage | undefined,
): Promise<typeof CUT | undefined> {
	const { progress, memory, reader } = scan;
	sweep.isPage0Due = true;
	if (!progress.lookedForPage0) {
		let isCut = false;
		const ask = async () => {
			const answer = await reader.page(0, sweep.size);
			isCut = answer === CUT;
			if (answer instanceof ServiceError) throw answer;
			return answer === CUT ? undefined : answer;
		};
		const isAgain = (page: ScanPage) => {
			const keys = keysOf(page);
			return keys.filter((key) => memory.get(key)?.seen).length >= keys.length / 2;
		};
		const zero = new PageZero(ask, first, isAgain);
		const thrown = await settle(zero.look());
		if (isCut) return CUT;
		const failure = thrown instanceof ServiceError ? thrown : zero.failure;
		// Whatever a service answers to a page that it does not have, it need not be a 404, nor an answer.
		const isGuess = !failure || isAnswer(failure) || reader.budget.salvages;
		if (failure && (!isGuess || failure.kind === 'rateLimited')) throw failure;
		if (zero.page) {
			progress.firstPage = 0;
			take(scan, sweep, zero.page, true);
		}
		// An empty list does not show it.
		progress.lookedForPage0 = sweep.met > 0;
	}
	sweep.isPage0Due = false;
	return undefined;
}

/**
 * Whether a page failed because the list ends before it: there are services that fail at every such page. A page
 * before it is there, does not say that another one follows, and a page far beyond fails in the same words.
 */
export async function isBeyondEnd(
	{ reader }: Scan,
	failure: ServiceError,
	earlier: number,
	size: number,
): Promise<boolean> {
	if (!isAnswer(failure)) return false;
	const before = await reader.page(earlier, size);
	if (!before || before === CUT || before instanceof ServiceError || before.hasMore) return false;
	const beyond = await reader.page(2 * MAX_PAGES_PER_SWEEP, size);
	return beyond instanceof ServiceError && beyond.message === failure.message;
}

function lacksSome({ total, met }: Sweep): boolean {
	return total !== undefined && met < total;
}

/** A page of the sweep; instead of page 1, a page 0 is looked for if page 1 is not there. */
async function readPage(
	scan: Scan,
	sweep: Sweep,
	number: number,
): Promise<Outcome<ScanPage | undefined>> {
	const { progress, reader } = scan;
	const answer = await reader.page(number, sweep.size);
	if (!(answer instanceof ServiceError) || number !== 1) return answer;
	const isAbsent = answer.kind === 'notFound';
	// Where pages are known to count from 0, a failure of page 1 is that of a page like any other.
	const isFirst = progress.firstPage === 1;
	if (!isAbsent && !(isFirst && (await isBeyondEnd(scan, answer, 0, sweep.size)))) return answer;
	if ((await lookForPage0(scan, sweep, undefined)) === CUT) return CUT;
	// Page 0 may be page 1 once more, which only page 1 shows.
	if (!isAbsent) progress.lookedForPage0 = false;
	return isAbsent && progress.firstPage === 0 ? undefined : answer;
}

/** @param isCertain whether the list ended; a failure of the service may look like its end */
function finish({ memory, progress, warn }: Scan, sweep: Sweep, isCertain: boolean): void {
	progress.sweep = undefined;
	progress.sweeps = Math.min(progress.sweeps + 1, MAX_BASELINE_SWEEPS);
	// A list without any booking where there were some says more about the service than about them.
	const isSuspicious = sweep.met === 0 && memory.size > 0;
	const stoodStill = isCertain && !sweep.disturbed && !lacksSome(sweep) && !isSuspicious;
	const order = orderOf(sweep);
	const isRead = progress.sweeps > (order === 'none' ? 3 : 1);
	const isKnown = isCertain && isRead && sweep.unknown <= MAX_UNKNOWN_SHARE * sweep.met;
	if (stoodStill || isKnown || progress.sweeps === MAX_BASELINE_SWEEPS) progress.baseline = false;
	if (!sweep.disturbed) {
		const lacking = Math.max((sweep.total ?? 0) - sweep.met, 0);
		if (lacking > 0 && lacking !== progress.lacking) {
			warn(
				`The service counts ${sweep.total} bookings, but its list gives ${sweep.met}: the others are not seen.`,
			);
		}
		progress.lacking = lacking;
	}
	if (!progress.lookedForPage0) progress.firstPage = 1;
	if (isSuspicious) return;
	memory.endSweep(isCertain ? FORGET_AFTER_SWEEPS : Infinity);
	progress.order = order;
	progress.pages = sweep.page - progress.firstPage + 1;
	progress.pageSize = sweep.size;
}

/**
 * Reads on in the running sweep over the whole list, or starts one: until its end, until so many pages are
 * read, or until the poll's budget is spent. The next poll goes on from there.
 *
 * @param pages how many pages to read at most
 * @throws ServiceError
 */
export async function sweepOn(scan: Scan, pages = Infinity): Promise<void> {
	const { progress, reader } = scan;
	const sweep: Sweep = (progress.sweep ??= {
		page: progress.firstPage,
		size: scan.pageSize,
		met: 0,
		unknown: 0,
		disturbed: false,
		rising: 0,
		falling: 0,
	});
	const start = sweep.page;
	const isStart = start === progress.firstPage;
	if (sweep.isPage0Due && (await lookForPage0(scan, sweep, { items: [] })) === CUT) return;
	let goesOn = !isStart;
	let wasShort = false;
	let hasFailed = false;
	const read = async (number: number) => {
		const answer = await readPage(scan, sweep, number);
		hasFailed = answer instanceof ServiceError;
		if (!(answer instanceof ServiceError)) return answer;
		const mayBeEnd = number > progress.firstPage && !lacksSome(sweep);
		if (mayBeEnd && (await isBeyondEnd(scan, answer, number - 1, sweep.size))) return undefined;
		if (!goesOn || !reader.budget.salvages) return answer;
		// The page failed at the last poll, too: what is before it may be read all the same.
		progress.sweep = undefined;
		scan.memory.endSweep(Infinity);
		await sweepOn(scan, pages);
		return CUT;
	};
	for await (const page of pagesFrom(start, read)) {
		if (page === CUT) return;
		const { isPage0Due } = sweep;
		const keys = take(scan, sweep, page, page.number === 1 && isPage0Due === false);
		const mayFollow0 = page.number === 1 && page.hasPrevious !== false && isPage0Due === undefined;
		if (mayFollow0 && (await lookForPage0(scan, sweep, page)) === CUT) return;
		let isLast = page.end !== undefined || page.number >= MAX_PAGES_PER_SWEEP;
		if (goesOn) {
			// The page before it again, since bookings may have moved forward since the last poll.
			const again = await reader.page(page.number - 1, sweep.size);
			if (again instanceof ServiceError && again.kind !== 'notFound') throw again;
			if (again !== CUT) {
				const before =
					again instanceof ServiceError || !again ? [] : take(scan, sweep, again, true);
				// It was there: the list has shrunk, or the service finds nothing for the moment.
				if (before.length === 0) sweep.disturbed = true;
				isLast ||= areAlike(keys, before);
			}
			goesOn = false;
		}
		const { length } = page.items;
		if ((wasShort && length > 0) || page.end?.kind === 'repeated') sweep.disturbed = true;
		if (isLast) {
			// Nothing shows that there are no bookings: those that come later would be taken for new ones.
			if (page.isMissing && progress.baseline && sweep.met === 0) throw notAList('bookings');
			const isCut = lacksSome(sweep) && (await lookForPage0(scan, sweep, { items: [] })) === CUT;
			// Behind a full page, a page in the middle of the list may have failed as well.
			if (!isCut) finish(scan, sweep, !hasFailed || wasShort);
			return;
		}
		// The service caps the page size: to ask for what it gives keeps the pages seamless.
		if (isStart && page.number === start && length < sweep.size) sweep.size = length;
		wasShort = length < sweep.size;
		sweep.page += 1;
		if (sweep.page - start >= pages) return;
	}
}
