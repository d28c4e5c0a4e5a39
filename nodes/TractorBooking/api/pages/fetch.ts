import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient, ServiceRequest } from '../client';
import { READ_BOOKINGS } from '../endpoints';
import { settle, ServiceError } from '../errors';
import { identifierOf, keyOfBooking, toKey } from '../identifiers';
import { unexpectedResponse } from '../records';
import type { Endpoint } from '../types';
import type { ListName, Page } from './unwrap';
import { unwrapPage } from './unwrap';

/** Wished page size. The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** Sizes to try if one is refused: default page sizes are between 10 and 25 (interface, "Limits"). */
const SMALLER_SIZES = [25, 10];

/** Statuses with which services refuse a page size, and some a page that they do not have. */
export const REFUSED: ReadonlySet<number | undefined> = new Set([400, 422]);

/** What a process has found out about a list of one account. */
export interface ListMemory {
	/** Number of the first page: whether pages count from 0 or from 1 is not documented. */
	first?: 0 | 1;
	/** The page size that was accepted after a larger one was refused. */
	size?: number;
}

/** How one list is asked for its pages, and what is in it. */
export interface PagedList {
	what: ListName;
	memory: ListMemory;
	/** Identifier of a record; undefined if it has none. */
	keyOf: (record: IDataObject) => unknown;
	/** Whether its paging is not documented: none is read ahead, since the page before may say how to ask for it. */
	isGuessed?: boolean;
	/**
	 * Asks for a page, whose number counts from 0 or from 1, see {@link openList}.
	 *
	 * @returns undefined if there is no such page
	 * @throws ServiceError
	 */
	fetchPage: (number: number, size: number, signal?: AbortSignal) => Promise<Page | undefined>;
}

const memories = new WeakMap<object, Map<string, ListMemory>>();

/** What is known of a list of a client's account. */
function memoryOf({ account }: ServiceClient, what: ListName): ListMemory {
	const lists = memories.get(account) ?? new Map<string, ListMemory>();
	const memory = lists.get(what) ?? {};
	memories.set(account, lists.set(what, memory));
	return memory;
}

/** What came of asking for a page. */
export type PageResult =
	| { kind: 'records' | 'empty'; page: Page }
	/** The service says that there is no such page: 400, 404 or 422, or null in place of the list. */
	| { kind: 'unknown'; error: ServiceError }
	/** Anything else went wrong, or the response is no list. Services also answer 500 for a page that they do not have. */
	| { kind: 'failed'; error: ServiceError };

/**
 * Asks for one page of a list.
 *
 * @throws nothing of the service: its errors are in the result
 */
export async function readPage(
	list: PagedList,
	number: number,
	size: number,
	signal?: AbortSignal,
): Promise<PageResult> {
	const page = await settle(list.fetchPage(number, size, signal));
	if (page instanceof ServiceError) {
		const isUnknown = page.status === 404 || REFUSED.has(page.status);
		return { kind: isUnknown ? 'unknown' : 'failed', error: page };
	}
	if (!page) return { kind: 'unknown', error: unexpectedResponse(list.what) };
	return { kind: page.records.length > 0 ? 'records' : 'empty', page };
}

/** The page with which a list begins. */
export interface Opened {
	number: number;
	/** What to ask for the other pages with. */
	size: number;
	result: PageResult;
	/** A page 0 with which the list does not seem to begin: what no other page has of it belongs to the list as well. */
	pageZero?: Page;
}

/**
 * Asks for the first page of a list, in smaller pages if the service refuses the wished size. Costs one request once it
 * is known where the list begins, or if page 1 counts and says that nothing comes before it.
 *
 * @param isDoubted whether what is known, or said, of where the list begins may be wrong
 */
export async function openList(
	list: PagedList,
	wished = PAGE_SIZE,
	signal?: AbortSignal,
	isDoubted = false,
): Promise<Opened> {
	const size = Math.min(list.memory.size ?? wished, wished);
	const opened = await openWith(list, size, signal, isDoubted);
	if (opened.result.kind !== 'unknown') return opened;
	// One wrong response must not hide the list.
	if (!REFUSED.has(opened.result.error.status))
		return await openWith(list, size, signal, isDoubted);
	const smaller = SMALLER_SIZES.find((other) => other < size);
	if (smaller === undefined) return opened;
	const reopened = await openList(list, smaller, signal, isDoubted);
	if ('page' in reopened.result) list.memory.size = reopened.size;
	return reopened;
}

async function openWith(
	list: PagedList,
	size: number,
	signal: AbortSignal | undefined,
	isDoubted: boolean,
): Promise<Opened> {
	const { memory, keyOf } = list;
	const read = async (number: 0 | 1) => await readPage(list, number, size, signal);
	if (memory.first !== undefined && !isDoubted) {
		const result = await read(memory.first);
		const isAnswer = result.kind === 'records' || result.kind === 'failed';
		if (isAnswer) return { number: memory.first, size, result };
	}
	const one = await read(1);
	if (one.kind === 'failed' || (!isDoubted && saysFirst(one)))
		return { number: 1, size, result: one };
	let zero = await read(0);
	// One wrong response must not hide page 0, if no count would show that it is missing.
	const isUncounted = one.kind === 'records' && one.page.count === undefined;
	if (zero.kind !== 'records' && isUncounted) zero = await read(0);
	// Services fail with 500 at a page 0 that they do not have.
	const isThere = one.kind === 'records' && one.page.hasPrevious;
	if (zero.kind === 'failed' && (isThere || zero.error.status !== 500))
		return { number: 0, size, result: zero };
	if (isPageZero(zero, one, keyOf)) {
		if (zero.kind === 'records') memory.first = 0;
		return { number: 0, size, result: zero };
	}
	const pageZero = zero.kind === 'records' ? zero.page : undefined;
	if (one.kind === 'records' && !pageZero) memory.first = 1;
	return { number: 1, size, result: one, pageZero };
}

/** Whether page 1 says that a list begins with it. Without a count, nothing would show that this is wrong. */
function saysFirst(one: PageResult): boolean {
	return 'page' in one && one.page.hasPrevious === false && one.page.count !== undefined;
}

/** Whether a list begins with page 0. For a page that they do not have, some services give their first or last one. */
function isPageZero(zero: PageResult, one: PageResult, keyOf: PagedList['keyOf']): boolean {
	// If neither has records, an empty page shows that the list is empty.
	if (zero.kind !== 'records') return zero.kind === 'empty' && one.kind === 'unknown';
	if (one.kind !== 'records') return true;
	const { records, hasNext, hasPrevious } = zero.page;
	const isLast = hasPrevious ?? hasNext === false;
	if (isLast || records.length < one.page.records.length) return false;
	const seen = new Seen(keyOf);
	seen.addNew(one.page.records);
	return seen.addNew(records).length > records.length / 2;
}

/** Tells new records from repeated ones: records move between pages if the list changes while it is read. */
export class Seen {
	readonly keys = new Set<string | number>();

	constructor(private readonly keyOf: PagedList['keyOf']) {}

	/** Number of different records. */
	get size(): number {
		return this.keys.size;
	}

	/** Takes in the records of a page. @returns those that are new, in order */
	addNew(records: readonly IDataObject[]): IDataObject[] {
		return records.filter((record) => {
			const before = this.keys.size;
			this.keys.add(toKey(this.keyOf(record)) ?? JSON.stringify(record));
			return this.keys.size > before;
		});
	}
}

/** A list whose pages are asked for by number. */
function numberedList(
	client: ServiceClient,
	endpoint: Endpoint & { name: ListName },
	keyOf: PagedList['keyOf'],
	requestFor: (page: number, size: number) => Pick<ServiceRequest, 'path' | 'query'>,
): PagedList {
	const { name: what } = endpoint;
	const memory = memoryOf(client, what);
	return {
		what,
		memory,
		keyOf,
		fetchPage: async (page, size, signal) => {
			const request = { endpoint, ...requestFor(page, size), signal };
			return await client.send(request, (body) => unwrapPage(body, what));
		},
	};
}

/** The organisation's bookings (interface, "List bookings"). */
export function bookingsList(client: ServiceClient): PagedList {
	return numberedList(
		client,
		{ name: 'bookings', purpose: 'list bookings', scope: READ_BOOKINGS },
		keyOfBooking,
		(page, size) => ({ path: `/booking-services/partner/booking/${page}/${size}` }),
	);
}

/** The contracts, in the documented scheme (interface, "Pagination of list endpoints"). */
export function contractsList(client: ServiceClient): PagedList {
	return numberedList(
		client,
		{ name: 'contracts', purpose: 'list contracts' },
		// Which field identifies a contract is not shown: equal records are one.
		(contract) => JSON.stringify(contract),
		(page, limit) => ({ path: '/payg/lms/contracts', query: { page, limit } }),
	);
}

/**
 * The tractor catalogue (interface, "List tractors (v1)"). The name of its page parameter is not documented: a page is
 * asked for by the query of `next`, else by `page` as in other lists.
 */
export function catalogueList(client: ServiceClient): PagedList {
	const endpoint = { name: 'tractors', purpose: 'list the tractor catalogue' } as const;
	const keyOf = (tractor: IDataObject) => identifierOf(tractor, 'tractor');
	const pages = new Map<number, Page>();
	const list = numberedList(client, endpoint, keyOf, (page, limit) => ({
		path: '/v1/tractors',
		query: { limit, ...(pages.get(page - 1)?.nextQuery ?? { page }) },
	}));
	return {
		...list,
		isGuessed: true,
		async fetchPage(number, size, signal) {
			const page = await list.fetchPage(number, size, signal);
			if (page) pages.set(number, page);
			return page;
		},
	};
}
