import type { IDataObject } from 'n8n-workflow';

import type { ServiceErrorKind } from './errors';
import { orServiceError, ServiceError } from './errors';
import type { ListOfRecords } from './listSoFar';
import { ListSoFar } from './listSoFar';
import type { ListAnswer } from './lists';

/** Wished page size. The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** Pages that are read at the same time once the service has told how many there are. */
const PAGES_AT_ONCE = 8;

/** How services answer when they are asked for a page that they do not have. */
const OUTSIDE: ReadonlySet<ServiceErrorKind> = new Set(['notFound', 'validation']);

/** A list whose pages are asked for by number. */
export interface PagedList extends ListOfRecords {
	/** Reads a page; pages count from 1. */
	fetchPage: (page: number, size: number) => Promise<ListAnswer>;
}

/** Starts reading pages before they are needed, so that several are under way at once. */
class PagesAhead {
	private readonly underWay = new Map<number, Promise<ListAnswer>>();

	/** Last page worth reading ahead, as far as it is known. */
	lastPage = 1;

	constructor(
		private readonly list: PagedList,
		private readonly size: number,
	) {}

	async take(page: number): Promise<ListAnswer> {
		const answer = this.start(page);
		const lastAhead = Math.min(this.lastPage, page + PAGES_AT_ONCE - 1);
		for (let ahead = page + 1; ahead <= lastAhead; ahead++) void this.start(ahead);
		this.underWay.delete(page);
		return await answer;
	}

	private start(page: number): Promise<ListAnswer> {
		const known = this.underWay.get(page);
		if (known) return known;
		const answer = this.list.fetchPage(page, this.size);
		// A page read ahead may fail before anyone waits for it; whoever takes it gets the failure.
		answer.catch(() => undefined);
		this.underWay.set(page, answer);
		return answer;
	}
}

/** What an answer that there is no such page stands for: undefined. Other failures stay failures. */
export async function unlessOutside(answer: Promise<ListAnswer>): Promise<ListAnswer | undefined> {
	const outcome = await orServiceError(answer);
	if (!(outcome instanceof ServiceError)) return outcome;
	if (!OUTSIDE.has(outcome.kind)) throw outcome;
	return undefined;
}

/**
 * Reads a list to its end or up to `limit` records, each once, in the order of the service
 * (interface, "Pagination of list endpoints": until `next` is null or `results` is empty).
 *
 * @throws ServiceError: of a request, or `unreadable` where the service gives less than it says it has
 */
export async function readPagedList(list: PagedList, limit: number): Promise<IDataObject[]> {
	const size = list.isWanted ? PAGE_SIZE : Math.min(limit, PAGE_SIZE);
	const pages = new PagesAhead(list, size);
	const soFar = new ListSoFar(list, limit);

	const first = await pages.take(1);
	const pageLength = Math.max(first.items.length, 1);
	pages.lastPage = Math.ceil(Math.min(first.total ?? 0, limit) / pageLength);
	// Whether the first page is 1 or 0 is not documented; a page before page 1 says that it is 0.
	if (first.hasPrevious) soFar.addInFront(await unlessOutside(list.fetchPage(0, size)));

	let goesOn = soFar.add(first);
	for (let page = 2; goesOn; page++) {
		goesOn = soFar.add(await unlessOutside(pages.take(page)));
	}
	if (soFar.lacksSome && !first.hasPrevious) {
		soFar.addInFront(await unlessOutside(list.fetchPage(0, size)));
	}
	return soFar.finish();
}
