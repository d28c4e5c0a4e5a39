import type { IDataObject } from 'n8n-workflow';

import type { ListEnd } from '../../api/pages/pages';
import { readPages } from '../../api/pages/pages';
import { bookingKey, DAY_MS } from '../bookings';
import type { Order, Progress, Sweep } from './progress';
import type { Pages, Reader } from './reader';

/** Pages of the sweep that every poll reads at least. */
const MIN_SLICE_PAGES = 4;

/** A sweep is through a list, however long, within a day; an hour is left for polls that fail. */
const SWEEP_MS = 23 * 3_600_000;

/** Sweeps after which the first scan ends although a page could not be read in any of them. */
const MAX_FIRST_SWEEPS = 3;

/** Share of neighbours that have to be in order before a list counts as sorted. */
const SORTED_SHARE = 0.95;

/** What a sweep over the list works with. */
export interface SweepScan {
	reader: Reader;
	progress: Progress;
	/** Items to ask for in a page. */
	pageSize: number;
	/** Whether a booking may still change. */
	isMoving: (booking: IDataObject) => boolean;
	/** The pages that this poll has read, and whether they showed such bookings. */
	pagesRead: Map<number, boolean>;
	/** Tells the operator something, once a day. */
	warn: (what: string, text: string) => void;
}

/** Notes whether a page shows bookings that may still change. */
export function notePage({ pagesRead, isMoving }: SweepScan, page: number, items: IDataObject[]) {
	pagesRead.set(page, items.some(isMoving));
}

/** Pages that failed at an end of which the service did not say that more follows are none that are missing. */
export function forgiveEnd(reader: Reader, { kind, isPromised }: ListEnd, lastPage: number): void {
	if (kind !== 'failed' || !isPromised) reader.forgiveBehind(lastPage);
}

/** Notes which way the ids of a page run. */
function learnOrder(sweep: Sweep, items: IDataObject[]): void {
	const ids = items.map(bookingKey).filter((key) => typeof key === 'number');
	ids.slice(1).forEach((id, at) => {
		if (id > (ids[at] ?? id)) sweep.rising += 1;
		if (id < (ids[at] ?? id)) sweep.falling += 1;
	});
}

function orderOf({ rising, falling }: Sweep): Order {
	const pairs = rising + falling;
	if (pairs > 0 && falling >= SORTED_SHARE * pairs) return 'newestFirst';
	return pairs > 0 && rising >= SORTED_SHARE * pairs ? 'oldestFirst' : 'none';
}

function newSweep(startedAt: number, size: number, origin?: 0): Sweep {
	return { startedAt, size, origin, before: 0, hasGaps: false, rising: 0, falling: 0 };
}

/** How many pages of the sweep are due, so that it is through the list within a day. */
export function slicePages({ reader, progress }: SweepScan): number {
	const { sweep, lastPage } = progress;
	if (!sweep) return MIN_SLICE_PAGES;
	const share = (reader.now - sweep.startedAt) / SWEEP_MS;
	return Math.max(MIN_SLICE_PAGES, Math.ceil(lastPage * share) - (sweep.page ?? 0));
}

/** Whether nothing but a page without records says that the list has ended: it may be one wrong answer. */
function isUnconfirmed({ kind, total, isPromised }: ListEnd): boolean {
	return total === undefined && !isPromised && (kind === 'empty' || kind === 'absent');
}

function finish(
	scan: SweepScan,
	sweep: Sweep,
	received: number,
	lastPage: number,
	end: ListEnd,
): void {
	const { progress, reader, warn } = scan;
	const lacking = (end.total ?? 0) - received;
	const isWhole = !sweep.hasGaps && end.kind !== 'failed';
	// A service that gives its last page again and again promises more with it.
	const isBroken = end.isPromised && end.kind !== 'repeated';
	// A count may be wrong for good: the page that says that nothing follows is believed.
	const isShort = lacking > 0 && end.kind !== 'said';
	if (lacking <= 0) forgiveEnd(reader, end, lastPage);
	if (lacking > 0 && isWhole) {
		warn(
			'lacking',
			`The service counts ${end.total} bookings, but its list gives ${received}: the others are not seen.`,
		);
	}
	progress.sweep = undefined;
	progress.sweeps += 1;
	// Page 1 that is page 0 once more: page 1 failed when page 0 was taken for the first one.
	const isPageZeroDoubtful = end.kind === 'repeated' && lastPage === 0;
	const isCertain = isWhole && !isBroken && !isShort && !isPageZeroDoubtful;
	progress.isSwept ||= isCertain || progress.sweeps >= MAX_FIRST_SWEEPS;
	// A list without any bookings may be a fault, and shows nothing of its pages.
	if (received === 0) return;
	if (isPageZeroDoubtful) {
		progress.origin = undefined;
		progress.isOriginSure = false;
	} else if (sweep.origin !== undefined) {
		progress.isOriginSure = sweep.origin === progress.origin;
		progress.origin = sweep.origin;
	}
	progress.order = orderOf(sweep);
	progress.lastPage = lastPage;
	progress.pageSize = sweep.size;
}

/** With pages of another size, nothing is known of them: the list is swept without pauses. */
function forgetPages({ progress, pagesRead }: SweepScan): void {
	pagesRead.clear();
	progress.moving = {};
	progress.order = 'none';
}

/** Reads on in the running sweep over the whole list, or starts one: until its end, or until so many pages are read. */
export async function* sweepOn(scan: SweepScan, pages: number): Pages {
	const { progress, reader, pageSize, warn } = scan;
	const sweep: Sweep = (progress.sweep ??= newSweep(reader.now, pageSize));
	if (reader.now - sweep.startedAt > DAY_MS) {
		warn('late', 'It takes more than a day to look at every booking once. Poll more often.');
	}
	const start = sweep.page;
	const isResumed = start !== undefined;
	let isSized = isResumed;
	const list = reader.list((size) => {
		if (!isSized) sweep.size = size;
		return sweep.size;
	});
	const sure = progress.isOriginSure ? progress.origin : undefined;
	const after = isResumed ? { received: sweep.before, origin: sure ?? sweep.origin } : undefined;
	const from = start ?? sure ?? sweep.origin;
	const first = from ?? 1;
	let lastPage = first;
	let expected = first;
	let received = sweep.before;
	const options = { from, after, size: sweep.size, skipFailed: true, mayBeHidden: isResumed };
	for await (const page of readPages(list, options)) {
		const { number, items, end, origin } = page;
		if (number === 0 && from !== 0 && items.length > 0) {
			// It came to light behind page 1: bookings may have moved between them, or the size may be another one.
			progress.sweep = newSweep(sweep.startedAt, Math.min(sweep.size, items.length), 0);
			yield* sweepOn(scan, pages);
			return;
		}
		// A list without bookings does not show it.
		if (items.length > 0 || sweep.before > 0) sweep.origin ??= origin;
		sweep.hasGaps ||= number > expected || page.pageZeroFailure !== undefined;
		expected = number + 1;
		if (items.length > 0) {
			lastPage = number;
			sweep.page = number;
			sweep.before = received;
			received += items.length;
		}
		// A service may cap the page size: to ask for what it gives keeps the pages seamless.
		if (!isSized && items.length > 0) {
			sweep.size = Math.min(sweep.size, items.length);
			if (sweep.size !== progress.pageSize) forgetPages(scan);
		}
		isSized = true;
		if (number !== start) learnOrder(sweep, items);
		notePage(scan, number, items);
		yield items;
		if (end) {
			// A poll that fails stores nothing, so that each one would begin at pages that fail.
			const isStuck = isResumed && reader.failure !== undefined;
			if (isStuck) progress.sweep = undefined;
			const isAgain = !progress.isSwept && isUnconfirmed(end) && sweep.endedAt !== lastPage;
			if (isAgain) sweep.endedAt = lastPage;
			if (isStuck || isAgain) yield* sweepOn(scan, pages);
			else finish(scan, sweep, received, lastPage, end);
			return;
		}
		if (number !== start) pages -= 1;
		if (pages <= 0) return;
	}
}

/** A budget has ended the sweep: a page that failed last is not asked for again, lest the sweep never gets past it. */
export function passFailed({ reader, progress }: SweepScan): void {
	const { sweep } = progress;
	if (!sweep) return;
	const failed = reader.failures.at(-1)?.page;
	if (failed === undefined || failed <= (sweep.page ?? 0)) return;
	sweep.page = failed + 1;
	sweep.hasGaps = true;
}
