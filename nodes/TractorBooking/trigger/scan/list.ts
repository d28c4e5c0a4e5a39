import { moving } from './moving';
import { newest } from './newest';
import type { Pages } from './reader';
import { withinBudget } from './reader';
import type { ListScan } from './scan';
import { passFailed, slicePages, sweepOn } from './sweep';

/** Lists of up to so many pages are simply read whole at every poll. */
const MAX_PAGES_READ_WHOLE = 10;

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
