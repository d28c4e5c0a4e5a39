import { readPages } from '../../api/pages/pages';
import { moving } from './moving';
import type { Pages } from './reader';
import { withinBudget } from './reader';
import type { ListScan } from './scan';
import { forgiveEnd } from './scan';
import { passFailed, slicePages, sweepOn } from './sweep';

/** Lists of up to so many pages are simply read whole at every poll. */
const MAX_PAGES_READ_WHOLE = 10;

/** The end of a long list where new bookings appear, page by page until one shows nothing new. */
async function* newest({ progress, reader, isNews }: ListScan): Pages {
	const { origin = 1, order, sweep, pageSize } = progress;
	const isAtEnd = order === 'oldestFirst';
	const from = isAtEnd ? Math.max(progress.lastPage, origin) : origin;
	const after = isAtEnd ? { received: (from - origin) * pageSize, origin } : undefined;
	const list = reader.list(() => pageSize);
	for await (const page of readPages(list, { from, after, skipFailed: true, mayBeHidden: true })) {
		const { items, number, end } = page;
		const isJoined = !items.every(isNews);
		const isKnown = !items.some(isNews);
		if (isAtEnd) {
			// If so many bookings were deleted that nothing is known here, the page before may show new ones, too.
			if (number === from && !isJoined) progress.lastPage = Math.max(from - 1, origin);
			else if (items.length > 0) progress.lastPage = number;
		} else if (order === 'newestFirst') {
			// A poll that ends before it meets what is known leaves the bookings in between to a sweep without pauses.
			const isGap = !isJoined && !end;
			progress.order = isGap ? 'none' : order;
			progress.sweep = isGap ? undefined : sweep;
		}
		yield items;
		if (isAtEnd && end) forgiveEnd(reader, end, progress.lastPage);
		if (end ?? (isKnown && !isAtEnd)) return;
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
			return;
		}
		yield* part;
	}
}
