import { moving } from './moving';
import { newest } from './newest';
import type { Pages } from './reader';
import { withinBudget } from './reader';
import type { ListScan } from './scan';
import { passFailed, slicePages, sweepOn } from './sweep';

/** Lists of up to so many pages are simply read whole at every poll. */
const MAX_PAGES_READ_WHOLE = 10;

/** The part of a poll that reads some pages. */
interface Stage {
	/** The share of what is left of the budget that it may spend. */
	share: number;
	/** Requests without which it would never get on. */
	min: number;
	pages: Pages;
}

function stagesOf(scan: ListScan): Stage[] {
	const { progress } = scan;
	const { origin = 1, lastPage, order, isSwept } = progress;
	const isLong = isSwept && lastPage - origin + 1 > MAX_PAGES_READ_WHOLE;
	const isSorted = order !== 'none';
	const pages = isLong && isSorted ? slicePages(scan) : Infinity;
	const sweeping = withinBudget(sweepOn(scan, pages), () => passFailed(scan));
	const stages: Stage[] = [{ share: 1, min: 2, pages: sweeping }];
	if (isLong && isSorted) stages.unshift({ share: 0.5, min: 2, pages: withinBudget(moving(scan)) });
	if (isLong) stages.unshift({ share: 1, min: 1, pages: withinBudget(newest(scan)) });
	return stages;
}

/**
 * Reads what a poll has to read of the list, as far as the budget reaches. A short list is read whole. Of a long one,
 * every poll reads the newest bookings, those that may still change, and the next slice of a sweep over all of it.
 *
 * @throws ServiceError
 */
export async function* scanList(scan: ListScan): Pages {
	const { progress, reader } = scan;
	const stages = stagesOf(scan);
	const first = progress.firstStage % stages.length;
	progress.firstStage = 0;
	for (let turn = 0; turn < stages.length; turn++) {
		const at = (first + turn) % stages.length;
		const { share, min, pages } = stages[at] as Stage;
		if (turn > 0 && reader.isSpent) {
			progress.firstStage = at;
			return;
		}
		reader.beginStage(share, min);
		yield* pages;
	}
}
