import type { IDataObject } from 'n8n-workflow';

import { readPages } from '../../api/pages/pages';
import type { ListScan, Pages } from './scan';
import { forgiveEnd } from './scan';

const FROM_THE_MIDDLE = { skipFailed: true, mayBeHidden: true };

/** The end of a long list where new bookings appear, page by page until one shows nothing new. */
export async function* newest(scan: ListScan): Pages {
	const { progress, reader, isNews } = scan;
	const { origin: first = 1 } = progress;
	const list = reader.list(() => progress.pageSize);
	if (progress.order === 'oldestFirst') {
		const start = Math.max(progress.lastPage, first);
		let isJoined = false;
		const after = {
			received: (start - first) * progress.pageSize,
			origin: progress.origin ?? (1 as const),
		};
		for await (const page of readPages(list, { from: start, after, ...FROM_THE_MIDDLE })) {
			if (page.number === start) isJoined = !page.items.every(isNews);
			if (page.items.length > 0) progress.lastPage = page.number;
			yield page.items;
			if (page.end) forgiveEnd(reader, page.end, progress.lastPage);
		}
		// So many bookings were deleted that the page before it may show new ones, too.
		if (!isJoined) progress.lastPage = Math.max(start - 1, first);
		return;
	}
	const news = yield* downToKnown(scan, first, 1);
	const { newestAt } = progress;
	if (newestAt !== undefined) {
		// Begins at the page before the one that was left, since bookings may have been deleted meanwhile.
		const shift = Math.floor(news / Math.max(progress.pageSize, 1));
		yield* downToKnown(scan, Math.max(newestAt - 1 + shift, first), 2);
	}
	progress.newestAt = undefined;
}

/**
 * Reads pages until one shows nothing new, but so many at least; a page that a spent budget leaves unread is kept in
 * `newestAt`.
 *
 * @returns the number of bookings that showed something new
 */
async function* downToKnown(
	{ progress, reader, isNews }: ListScan,
	from: number,
	atLeast: number,
): AsyncGenerator<IDataObject[], number, undefined> {
	const { newestAt: left = 0 } = progress;
	const list = reader.list(() => progress.pageSize);
	let news = 0;
	for await (const page of readPages(list, { from, ...FROM_THE_MIDDLE })) {
		const fresh = page.items.filter(isNews).length;
		const isEnd = page.end !== undefined || (fresh === 0 && page.number - from + 1 >= atLeast);
		news += fresh;
		progress.newestAt = Math.max(page.number + 1, left);
		yield page.items;
		if (isEnd) break;
	}
	if (left === 0) progress.newestAt = undefined;
	return news;
}
