import { readPages } from '../../api/pages/pages';
import type { Pages } from './reader';
import type { ListScan } from './scan';
import { forgiveEnd } from './scan';

/** The end of a long list where new bookings appear, page by page until one shows nothing new. */
export async function* newest({ progress, reader, isNews }: ListScan): Pages {
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
