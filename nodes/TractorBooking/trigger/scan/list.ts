import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../../api/errors';
import { readPages } from '../../api/pages/pages';
import { pageOrUndefined } from '../../api/pages/list';
import type { Progress } from './progress';
import type { Pages } from './reader';
import { withinBudget } from './reader';
import type { SweepScan } from './sweep';
import { forgiveEnd, notePage, passFailed, slicePages, sweepOn } from './sweep';

/** Lists of up to so many pages are simply read whole at every poll. */
const MAX_PAGES_READ_WHOLE = 10;

/** What the reading of the list works with. */
export interface ListScan extends SweepScan {
	/** Whether a record shows something that is not known. */
	isNews: (booking: IDataObject) => boolean;
	/** Number of bookings that this poll has met, and that were not known before. */
	newcomers: () => number;
}

/** The end of a long list where new bookings appear, page by page until one shows nothing new. */
async function* newest(scan: ListScan): Pages {
	const { progress, reader, isNews } = scan;
	const { origin = 1, order, sweep, pageSize } = progress;
	const isAtEnd = order === 'oldestFirst';
	const from = isAtEnd ? progress.lastPage : undefined;
	const list = reader.list(() => pageSize);
	for await (const page of readPages(list, {
		from,
		expectsPageZero: origin === 0,
		receivedBefore: from && (from - origin) * pageSize,
		skipFailed: true,
		mayBeHidden: true,
	})) {
		const { items, number, end } = page;
		const isKnown = !items.some(isNews);
		if (isAtEnd && items.length > 0) progress.lastPage = number;
		if (order === 'newestFirst') {
			// A poll that ends before it meets what is known leaves the bookings in between to a sweep without pauses.
			const isGap = !end && items.every(isNews);
			progress.order = isGap ? 'none' : order;
			progress.sweep = isGap ? undefined : sweep;
		}
		notePage(scan, number, items);
		yield items;
		if (isAtEnd && end) forgiveEnd(reader, end, progress.lastPage);
		// Page 0 may be the last page once more.
		if (end ?? (isKnown && !isAtEnd && number > 0)) break;
	}
}

/** Where the pages lie now that showed bookings that may still change: new ones at the beginning moved them on. */
function movedPages({ progress, newcomers }: ListScan): Progress['moving'] {
	const { moving, order, pageSize, lastPage } = progress;
	const by = order === 'newestFirst' ? newcomers() / pageSize : 0;
	const moved: Progress['moving'] = {};
	for (const [page, missed] of Object.entries(moving)) {
		for (const to of [Number(page) + Math.floor(by), Number(page) + Math.ceil(by)]) {
			// During the first scan, nobody knows the last page; later, new bookings may have made one more.
			if (order === 'none' || to <= lastPage + 1) moved[to] = Math.min(missed, moved[to] ?? missed);
		}
	}
	return moved;
}

/** Notes which pages to read for such bookings at the next poll. That a page shows none is believed the second time. */
function notePages(scan: ListScan): void {
	const moving = movedPages(scan);
	for (const [page, isMoving] of scan.pagesRead) {
		if (isMoving) moving[page] = 0;
		else if (moving[page] === 0) moving[page] = 1;
		else delete moving[page];
	}
	scan.progress.moving = moving;
}

/** The pages that showed bookings that may still change, from the one on at which the last poll stopped. */
async function* moving(scan: ListScan): Pages {
	const { reader, progress, pagesRead } = scan;
	const pages = Object.keys(movedPages(scan)).map(Number);
	const { movingFrom = 0 } = progress;
	const turns = [
		...pages.filter((page) => page >= movingFrom),
		...pages.filter((page) => page < movingFrom),
	];
	for (const page of turns) {
		if (pagesRead.has(page)) continue;
		progress.movingFrom = page;
		const response = await settle(pageOrUndefined(reader.page(page, progress.pageSize)));
		// The page had its turn: a poll that ends here goes on with the next one.
		progress.movingFrom = page + 1;
		const items = response instanceof ServiceError ? [] : (response?.items ?? []);
		notePage(scan, page, items);
		if (items.length > 0) progress.lastPage = Math.max(progress.lastPage, page);
		else if (page > progress.lastPage) {
			pagesRead.set(page, false);
			reader.forgiveBehind(progress.lastPage);
		}
		yield items;
	}
}

/**
 * Reads what a poll has to read of the list, as far as the budget reaches. A short list is read whole. Of a long one,
 * every poll reads the newest bookings, those that may still change, and the next slice of a sweep over all of it; the
 * part that the budget did not reach is the first one of the next poll.
 *
 * @throws ServiceError
 */
export async function* scanList(scan: ListScan): Pages {
	const { progress, reader } = scan;
	const { origin = 1, lastPage, order, isSwept, firstPart } = progress;
	const isLong = isSwept && lastPage - origin + 1 > MAX_PAGES_READ_WHOLE;
	const isSliced = isLong && order !== 'none';
	const sweep = sweepOn(scan, isSliced ? slicePages(scan) : Infinity);
	const parts = [withinBudget(sweep, () => passFailed(scan))];
	if (isSliced) parts.unshift(withinBudget(moving(scan)));
	if (isLong) parts.unshift(withinBudget(newest(scan)));
	const first = firstPart % parts.length;
	progress.firstPart = 0;
	for (const [turn, part] of [...parts.slice(first), ...parts.slice(0, first)].entries()) {
		if (turn > 0 && reader.isSpent) {
			progress.firstPart = (first + turn) % parts.length;
			break;
		}
		yield* part;
	}
	notePages(scan);
}
