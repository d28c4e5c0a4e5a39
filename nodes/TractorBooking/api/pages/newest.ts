import type { PagedList } from './fetch';
import type { ListPage } from './iterate';
import { iterate } from './iterate';

/** What was found out about a list that comes in order when it was last read. */
export interface ListEnds {
	/** Which records come first. */
	order: 'newest' | 'oldest';
	firstPage: number;
	/** The last page that had records. */
	lastPage: number;
}

/**
 * Reads a list from its newest end: two or three requests, however long it is, if the consumer stops at a page that it
 * knows wholly. What was added to a list that begins with the oldest follows on the page that was the last one.
 *
 * @param isEnough asked for each page, before it is handed over; no page of older records is read after one that is
 * @throws ServiceError of a page that fails
 */
export async function* readNewest(
	list: PagedList,
	{ order, firstPage, lastPage }: ListEnds,
	isEnough: (page: ListPage) => boolean,
): AsyncGenerator<ListPage, void, undefined> {
	let isOver = false;
	if (order === 'oldest') {
		for await (const page of iterate(list, { from: lastPage })) {
			isOver = isEnough(page) || isOver;
			yield page;
		}
		if (isOver || lastPage === firstPage) return;
	}
	const downwards = { from: lastPage - 1, downTo: firstPage };
	const options = order === 'newest' ? { from: firstPage, before: 0 } : downwards;
	for await (const page of iterate(list, options)) {
		isOver = isEnough(page);
		yield page;
		if (isOver) return;
	}
}
