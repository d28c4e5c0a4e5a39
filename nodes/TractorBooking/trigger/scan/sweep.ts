import type { IDataObject } from 'n8n-workflow';

import type { ListEnd } from '../../api/pages/end';
import type { ListPage } from '../../api/pages/pages';
import { readPages } from '../../api/pages/pages';
import { DAY_MS } from '../../utils/time';
import { exactKeyOf } from '../bookings';
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
	/** Warns the operator of something, once a day. */
	warn: (what: string, text: string) => void;
}

/** Notes whether a page shows bookings that may still change; one without any, as of a service that is out of order, says nothing. */
export function notePage({ pagesRead, isMoving }: SweepScan, page: number, items: IDataObject[]) {
	if (items.length > 0) pagesRead.set(page, items.some(isMoving));
}

/** Pages that failed at an end of which the service did not say that more follows are none that are missing. */
export function forgiveEnd(reader: Reader, { kind, isPromised }: ListEnd, lastPage: number): void {
	if (kind !== 'failed' || !isPromised) reader.forgiveBehind(lastPage);
}

/** Notes which way the ids of a page run. */
function learnOrder(sweep: Sweep, items: IDataObject[]): void {
	const ids = items.map(exactKeyOf).filter((key) => typeof key === 'number');
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

function newSweep(startedAt: number, size: number): Sweep {
	return { startedAt, size, before: 0, onPage: 0, hasGaps: false, rising: 0, falling: 0 };
}

/** How many pages of the sweep are due, so that it is through the list within a day. */
export function slicePages({ reader, progress }: SweepScan): number {
	const { sweep, lastPage } = progress;
	if (!sweep) return MIN_SLICE_PAGES;
	const share = (reader.now - sweep.startedAt) / SWEEP_MS;
	return Math.max(MIN_SLICE_PAGES, Math.ceil(lastPage * share) - (sweep.page ?? 0));
}

/** With pages of another size, nothing is known of them: the list is swept without pauses. */
function forgetPages({ progress, pagesRead }: SweepScan): void {
	pagesRead.clear();
	progress.moving = {};
	progress.order = 'none';
}

/** Notes how far the sweep has come with a page, and what the page shows of the list. */
function ingestPage(scan: SweepScan, sweep: Sweep, page: ListPage): void {
	const { number, items, pageZeroFailure } = page;
	sweep.hasGaps ||= number > (sweep.page ?? 0) + 1 || pageZeroFailure !== undefined;
	if (number === 0 && items.length > 0) sweep.origin = 0;
	if (number < (sweep.page ?? 0)) {
		// It came to light behind the others: bookings may have moved between them.
		sweep.hasGaps = true;
		sweep.before += items.length;
	} else if (items.length > 0) {
		if (sweep.page === undefined) {
			// A service may cap the page size: to ask for what it gives keeps the pages seamless.
			sweep.size = Math.min(sweep.size, items.length);
			if (sweep.size !== scan.progress.pageSize) forgetPages(scan);
		}
		if (number !== sweep.page) learnOrder(sweep, items);
		sweep.page = number;
		sweep.before += sweep.onPage;
		sweep.onPage = items.length;
	}
	notePage(scan, number, items);
}

/** Whether nothing but a page without records says that the list has ended: it may be one wrong response. */
function isUnconfirmed({ kind, total, isPromised }: ListEnd): boolean {
	return total === undefined && !isPromised && (kind === 'empty' || kind === 'absent');
}

/** Whether the end of the list is none yet, so that the sweep goes on at once, or begins anew. */
function goesOn({ progress, reader }: SweepScan, sweep: Sweep, end: ListEnd, isResumed: boolean) {
	// A poll that fails stores nothing, so that each one would begin at pages that fail.
	if (isResumed && reader.failure !== undefined) {
		progress.sweep = undefined;
		return true;
	}
	if (progress.isSwept || !isUnconfirmed(end) || sweep.endedAt === sweep.page) return false;
	sweep.endedAt = sweep.page;
	return true;
}

/** Ends the sweep: whether everything was seen, and what was learned about the list. */
function finish({ progress, reader, warn }: SweepScan, sweep: Sweep, end: ListEnd): void {
	const { page: lastPage = 1 } = sweep;
	const received = sweep.before + sweep.onPage;
	const lacking = (end.total ?? 0) - received;
	const isWhole = !sweep.hasGaps && end.kind !== 'failed';
	if (lacking <= 0) forgiveEnd(reader, end, lastPage);
	if (lacking > 0 && isWhole) {
		warn(
			'lacking',
			`The service counts ${end.total} bookings, but its list gives ${received}: the others are not seen.`,
		);
	}
	// A service that gives its last page again and again promises more with it.
	const isBroken = end.isPromised && end.kind !== 'repeated';
	// A count may be wrong for good: the page that says that nothing follows is believed.
	const isShort = lacking > 0 && end.kind !== 'said';
	const isCertain = isWhole && !isBroken && !isShort;
	progress.sweep = undefined;
	progress.sweeps += 1;
	progress.isSwept ||= isCertain || progress.sweeps >= MAX_FIRST_SWEEPS;
	// That this poll found no bookings may be a fault, and shows nothing of the list's pages.
	if (sweep.onPage === 0) return;
	progress.origin = lacking > 0 ? 0 : (sweep.origin ?? 1);
	progress.order = orderOf(sweep);
	// A list that broke off may be longer, and its pages are read for bookings that may still change.
	progress.lastPage = isCertain ? lastPage : Math.max(progress.lastPage, lastPage);
	progress.pageSize = sweep.size;
}

function warnIfLate({ reader, warn }: SweepScan, { startedAt }: Sweep): void {
	if (reader.now - startedAt <= DAY_MS) return;
	warn(
		'late',
		'It takes more than a day to read every booking once. Unless n8n was off meanwhile, poll more often.',
	);
}

/** Reads on in the running sweep over the whole list, or starts one: until its end, or until so many pages are read. */
export async function* sweepOn(scan: SweepScan, pages: number): Pages {
	const { progress, reader, pageSize } = scan;
	const sweep: Sweep = (progress.sweep ??= newSweep(reader.now, pageSize));
	warnIfLate(scan, sweep);
	const { page: start } = sweep;
	// The page is read once more, since bookings may have moved over its end.
	sweep.onPage = 0;
	// Smaller sizes are tried for the first page only.
	const list = reader.list((size) => {
		if (sweep.page === undefined) sweep.size = size;
		return sweep.size;
	});
	const isResumed = start !== undefined;
	for await (const page of readPages(list, {
		from: start,
		expectsPageZero: progress.origin === 0,
		receivedBefore: isResumed ? sweep.before : undefined,
		size: sweep.size,
		skipFailed: true,
		mayBeHidden: isResumed,
	})) {
		const { number, items, end } = page;
		ingestPage(scan, sweep, page);
		yield items;
		if (end && goesOn(scan, sweep, end, isResumed)) yield* sweepOn(scan, pages);
		else if (end) finish(scan, sweep, end);
		if (number !== start) pages -= 1;
		if (end || pages <= 0) return;
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
