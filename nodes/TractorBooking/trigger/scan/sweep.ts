import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../api/errors';
import { endWith } from '../../api/pages/end';
import { notAList } from '../../api/pages/envelope';
import { isAboutThePage } from '../../api/pages/pageZero';
import type { BookingKey } from '../bookings';
import type { Memory } from '../memory';
import type { Order, Progress, Sweep } from './progress';
import type { BudgetedReader, Outcome, ScanPage } from './budgetedReader';
import { CUT, isAnswer } from './budgetedReader';
import { bookingKey } from '../bookings';

/** Complete sweeps in a row in which a booking has to be absent before it is forgotten. */
export const FORGET_AFTER_SWEEPS = 100;

/**
 * A baseline ends with the first sweep during which the list stood still. Else it ends with one from the second on
 * (the fourth, where the list has no order and may hide some each time) that met few unknown bookings, at the
 * latest with the last of these.
 */
const MOST_BASELINE_SWEEPS = 10;

/** Share of a sweep's bookings that are few. */
const FEW = 0.001;

/** Pages after which a list is taken for one that never ends. Its `count` may lie and is not asked. */
const MOST_PAGES = 100_000;

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
 * Looks for a page 0 until there are bookings: whether pages count from 0 or from 1 is not documented.
 *
 * @param onPage1 the bookings on page 1, which some services send for page 0, too; undefined where there is no
 * page 1
 */
async function lookForPage0(
	scan: Scan,
	sweep: Sweep,
	onPage1: readonly BookingKey[] | undefined,
): Promise<typeof CUT | undefined> {
	const { progress, memory, reader } = scan;
	if (progress.lookedForPage0) return undefined;
	let page = await reader.page(0, sweep.size);
	// A failure may have come by chance, and would hide all that is on page 0.
	if (page instanceof ServiceError && isAboutThePage(page)) {
		page = await reader.page(0, sweep.size);
	}
	if (page === CUT) return CUT;
	if (page instanceof ServiceError) {
		// Whatever a service answers to a page that it does not have, it need not be a 404, nor an answer.
		const isGuess = isAnswer(page) || reader.budget.salvages;
		if (!isGuess || page.kind === 'rateLimited') throw page;
		page = undefined;
	}
	const isOnPage1 = new Set(onPage1);
	const isNew = (key: BookingKey) => !memory.get(key)?.seen && !isOnPage1.has(key);
	const keys = keysOf(page);
	// An empty list does not show it.
	progress.lookedForPage0 = sweep.met + keys.length + (onPage1?.length ?? 0) > 0;
	// Page 1 once more, with bookings that were made meanwhile, is no page of its own.
	if (page && (!onPage1 || keys.filter(isNew).length > keys.length / 2)) {
		progress.firstPage = 0;
		take(scan, sweep, page, true);
	}
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
	const beyond = await reader.page(2 * MOST_PAGES, size);
	return beyond instanceof ServiceError && beyond.message === failure.message;
}

/** Page 1, after which a page 0 is looked for unless the list shows that nothing comes before page 1. */
async function readPage1(scan: Scan, sweep: Sweep): Promise<Outcome<ScanPage | undefined>> {
	const { progress, reader } = scan;
	if (sweep.isPage0Due) {
		if ((await lookForPage0(scan, sweep, [])) === CUT) return CUT;
		sweep.isPage0Due = false;
	}
	const page = await reader.page(1, sweep.size);
	if (page === CUT) return CUT;
	const isAbsent = page instanceof ServiceError;
	const isFailure = isAbsent && page.kind !== 'notFound';
	if (isFailure) {
		// Where pages are known to count from 0, it is a page like any other.
		if (progress.firstPage === 0 || !(await isBeyondEnd(scan, page, 0, sweep.size))) return page;
	}
	if (isAbsent || (sweep.isPage0Due === undefined && page?.hasPrevious !== false)) {
		const onPage1 = isAbsent ? undefined : keysOf(page);
		if ((await lookForPage0(scan, sweep, onPage1)) === CUT) {
			// The next poll begins with it, or polls of one request each would never get further.
			sweep.isPage0Due = true;
			if (page && !isAbsent) take(scan, sweep, page, true);
			return CUT;
		}
	}
	// Page 0 may be page 1 once more, which only page 1 shows.
	if (isFailure) progress.lookedForPage0 = false;
	return isAbsent && !isFailure && progress.firstPage === 0 ? undefined : page;
}

function lacksSome({ total, met }: Sweep): boolean {
	return total !== undefined && met < total;
}

/** @param isCertain whether the list ended; a failure of the service may look like its end */
function finish({ memory, progress, warn }: Scan, sweep: Sweep, isCertain: boolean): void {
	progress.sweep = undefined;
	progress.sweeps = Math.min(progress.sweeps + 1, MOST_BASELINE_SWEEPS);
	// A list without any booking where there were some says more about the service than about them.
	const isSuspicious = sweep.met === 0 && memory.size > 0;
	const stoodStill = isCertain && !sweep.disturbed && !lacksSome(sweep) && !isSuspicious;
	const order = orderOf(sweep);
	const isRead = progress.sweeps > (order === 'none' ? 3 : 1);
	const isKnown = isCertain && isRead && sweep.unknown <= FEW * sweep.met;
	if (stoodStill || isKnown || progress.sweeps === MOST_BASELINE_SWEEPS) progress.baseline = false;
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
	let goesOn = sweep.page > progress.firstPage;
	let keysBefore: BookingKey[] | undefined;
	let wasShort = false;
	for (let left = pages; left > 0; left--) {
		const isStart = sweep.page === progress.firstPage;
		const answer = await (sweep.page === 1
			? readPage1(scan, sweep)
			: reader.page(sweep.page, sweep.size));
		if (answer === CUT) return;
		const page = answer instanceof ServiceError ? undefined : answer;
		// Behind a full page, a page in the middle of the list may have failed as well.
		const isCertain = page === answer || wasShort;
		if (answer instanceof ServiceError) {
			const isEnd =
				sweep.page > progress.firstPage &&
				!lacksSome(sweep) &&
				(await isBeyondEnd(scan, answer, sweep.page - 1, sweep.size));
			if (!isEnd && goesOn && reader.budget.salvages) {
				// The page failed at the last poll, too: what is before it may be read all the same.
				progress.sweep = undefined;
				scan.memory.endSweep(Infinity);
				await sweepOn(scan, pages);
				return;
			}
			if (!isEnd) throw answer;
		}
		const keys = page ? take(scan, sweep, page, false) : [];
		if (goesOn) {
			// The page before it again, since bookings may have moved forward since the last poll.
			const again = await reader.page(sweep.page - 1, sweep.size);
			if (again instanceof ServiceError && again.kind !== 'notFound') throw again;
			if (again !== CUT) {
				keysBefore = again instanceof ServiceError || !again ? [] : take(scan, sweep, again, true);
				// It was there: the list has shrunk, or the service finds nothing for the moment.
				if (keysBefore.length === 0) sweep.disturbed = true;
			}
			goesOn = false;
		}
		const length = page?.items.length ?? 0;
		if (wasShort && length > 0) sweep.disturbed = true;
		const isLast =
			endWith(page) !== undefined || areAlike(keys, keysBefore) || sweep.page >= MOST_PAGES;
		if (isLast) {
			// Nothing shows that there are no bookings: those that come later would be taken for new ones.
			if (page?.isMissing && progress.baseline && sweep.met === 0) throw notAList('bookings');
			const isCut = lacksSome(sweep) && (await lookForPage0(scan, sweep, [])) === CUT;
			if (!isCut) finish(scan, sweep, isCertain);
			return;
		}
		// The service caps the page size: to ask for what it gives keeps the pages seamless.
		if (isStart && length < sweep.size) sweep.size = length;
		wasShort = length < sweep.size;
		keysBefore = keys;
		sweep.page += 1;
	}
}
