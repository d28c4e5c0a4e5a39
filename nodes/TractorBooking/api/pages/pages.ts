import type { IDataObject } from 'n8n-workflow';

import type { ServiceErrorKind } from '../errors';
import { settle, ServiceError } from '../errors';
import type { ListOfRecords } from './collect';
import { ListSoFar } from './collect';
import type { ListAnswer } from './envelope';
import { PagesAhead } from './prefetch';

/** Wished page size. The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** Passes over a list that changes while it is read. */
const MOST_PASSES = 3;

/** How services answer when they are asked for a page that they do not have. */
const OUTSIDE: ReadonlySet<ServiceErrorKind> = new Set(['notFound', 'validation']);
const OUTSIDE_STATUSES: ReadonlySet<number | undefined> = new Set([410, 416, 422]);

/** A list whose pages are asked for by number. */
export interface PagedList extends ListOfRecords {
	/** Reads a page; pages count from 1. It is not asked for once the signal is aborted. */
	fetchPage: (page: number, size: number, signal?: AbortSignal) => Promise<ListAnswer>;
}

/** What an answer that there is no such page stands for: undefined. Other failures stay failures. */
export async function unlessOutside(answer: Promise<ListAnswer>): Promise<ListAnswer | undefined> {
	const outcome = await settle(answer);
	if (!(outcome instanceof ServiceError)) return outcome;
	if (!OUTSIDE.has(outcome.kind) && !OUTSIDE_STATUSES.has(outcome.status)) throw outcome;
	return undefined;
}

/**
 * Page 0, where there is one: whether the first page is 1 or 0 is not documented.
 *
 * @param isCertain whether page 1 says that a page comes before it; otherwise a second 500 in a row
 * counts as "there is none", since a negative offset is what services stumble over
 */
async function pageZero(
	list: PagedList,
	size: number,
	isCertain: boolean,
): Promise<ListAnswer | undefined> {
	const ask = async () => await unlessOutside(list.fetchPage(0, size));
	let outcome = await settle(ask());
	// A failure may have come by chance, and would hide all that is on page 0.
	if (outcome instanceof ServiceError && outcome.status === 500) {
		outcome = await settle(ask());
	}
	if (!(outcome instanceof ServiceError)) return outcome;
	if (isCertain || outcome.status !== 500) throw outcome;
	return undefined;
}

/** One pass over a list, from its first page until it ends or enough has come. */
async function readThrough(list: PagedList, limit: number, soFar: ListSoFar): Promise<void> {
	const size = list.isWanted ? PAGE_SIZE : Math.min(limit, PAGE_SIZE);
	const pages = new PagesAhead(list, size, limit);
	try {
		await readPages(list, size, pages, soFar);
	} finally {
		pages.stop();
	}
}

async function readPages(
	list: PagedList,
	size: number,
	pages: PagesAhead,
	soFar: ListSoFar,
): Promise<void> {
	const outcome = await settle(pages.take(1));
	const isAbsent = outcome instanceof ServiceError;
	if (isAbsent && outcome.kind !== 'notFound') throw outcome;
	let goesOn = false;
	if (!isAbsent) goesOn = soFar.add(outcome);
	if (isAbsent || outcome.hasPrevious !== false) {
		const isCertain = !isAbsent && outcome.hasPrevious === true;
		const zero = await pageZero(list, size, isCertain);
		if (isAbsent && !zero) throw outcome;
		soFar.addInFront(zero);
	}
	for (let page = 2; goesOn; page++) {
		goesOn = soFar.add(await unlessOutside(pages.take(page)));
	}
}

/**
 * Reads a list to its end or up to `limit` records, each once, in the order of the service
 * (interface, "Pagination of list endpoints": until `next` is null or `results` is empty).
 * A list that changed meanwhile is read again, since records may have moved past the reader.
 *
 * @throws ServiceError: of a request, or `unreadable` where the service gives less than it says it has
 */
export async function collectList(list: PagedList, limit: number): Promise<IDataObject[]> {
	const soFar = new ListSoFar(list, limit);
	for (let pass = 1; ; pass++) {
		await readThrough(list, limit, soFar);
		if (pass === MOST_PASSES || !soFar.mayHaveMissedSome) return soFar.finish();
		soFar.startOver();
	}
}
