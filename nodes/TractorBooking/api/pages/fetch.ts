import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient, ServiceRequest } from '../client';
import { READ_BOOKINGS } from '../endpoints';
import { settle, ServiceError } from '../errors';
import { identifierOf, keyOfBooking, toKey } from '../identifiers';
import type { Endpoint } from '../types';
import type { ListName, Page } from './unwrap';
import { unexpectedResponse, unwrapPage } from './unwrap';

/** Wished page size. The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** Sizes to try if one is refused: default page sizes are between 10 and 25 (interface, "Limits"). */
const SMALLER_SIZES = [25, 10];

/** Statuses with which services respond when they are asked for a page that they do not have. */
const NO_SUCH_PAGE: ReadonlySet<number | undefined> = new Set([400, 404, 410, 416, 422]);

/** Statuses with which they refuse a page size. */
const SIZE_REFUSED: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** What a process has found out about a list of one account, until the list contradicts it. */
export interface ListMemory {
	/** Number of the first page: whether pages count from 0 or from 1 is not documented. */
	first?: 0 | 1;
	/** The page size that was accepted after a larger one was refused. */
	size?: number;
	/** Whether records were missing although page 1 said that nothing comes before it. */
	isPreviousWrong?: boolean;
}

/** How one list is asked for its pages, and what is in it. */
export interface PagedList {
	what: ListName;
	memory: ListMemory;
	/** Identifier of a record; undefined if it has none. */
	keyOf: (record: IDataObject) => unknown;
	/** Whether pages are only reached one from the other: the first one needs no number, and none is read ahead. */
	isChained?: boolean;
	/**
	 * Asks for a page.
	 *
	 * @param number pages count from 0 or from 1, see {@link openList}
	 * @param size records in a page
	 * @param signal aborted once the response is not needed any more
	 * @param previous the page before it, if that was read
	 * @returns undefined if there is no such page
	 * @throws ServiceError
	 */
	fetchPage: (
		number: number,
		size: number,
		signal?: AbortSignal,
		previous?: Page,
	) => Promise<Page | undefined>;
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
	/** The service says that there is no such page: 400, 404, 410, 416 or 422, or null in the place of the list. */
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
	previous?: Page,
): Promise<PageResult> {
	const page = await settle(list.fetchPage(number, size, signal, previous));
	if (page instanceof ServiceError)
		return { kind: NO_SUCH_PAGE.has(page.status) ? 'unknown' : 'failed', error: page };
	if (!page) return { kind: 'unknown', error: unexpectedResponse(list.what) };
	return { kind: page.records.length > 0 ? 'records' : 'empty', page };
}

/** The page with which a list begins. */
export interface Opened {
	number: number;
	/** What to ask for the other pages with. */
	size: number;
	result: PageResult;
}

/**
 * Asks for the first page of a list, in smaller pages if the service refuses the wished size. Costs one request once it
 * is known where the list begins; before that, page 0 is asked for too, unless page 1 says that nothing comes before it.
 */
export async function openList(
	list: PagedList,
	wished = PAGE_SIZE,
	signal?: AbortSignal,
): Promise<Opened> {
	const { memory } = list;
	const size = Math.min(memory.size ?? wished, wished);
	const opened = await openWith(list, size, signal);
	if (!isSizeRefused(opened)) {
		// One wrong response must not hide the list.
		return opened.result.kind === 'unknown' ? await openWith(list, size, signal) : opened;
	}
	for (const smaller of SMALLER_SIZES.filter((other) => other < size)) {
		const tried = await openWith(list, smaller, signal);
		if ('page' in tried.result) memory.size = smaller;
		if (!isSizeRefused(tried)) return tried;
	}
	return opened;
}

function isSizeRefused({ result }: Opened): boolean {
	return 'error' in result && SIZE_REFUSED.has(result.error.status);
}

async function openWith(list: PagedList, size: number, signal?: AbortSignal): Promise<Opened> {
	const { memory, isChained } = list;
	const read = async (number: 0 | 1): Promise<Opened & { number: 0 | 1 }> => ({
		number,
		size,
		result: await readPage(list, number, size, signal),
	});
	const known = isChained ? 1 : (memory.first ?? 1);
	const opened = await read(known);
	const { result } = opened;
	if (isChained || result.kind === 'failed' || isBeginning(result, memory)) return opened;
	let other = await read(known === 0 ? 1 : 0);
	// One wrong response must not hide page 0 for good: where a list begins is remembered, and no count tells.
	const isUncounted = result.kind === 'records' && result.page.count === undefined;
	const isDoubtful = other.result.kind === 'failed' || isUncounted;
	if (other.number === 0 && other.result.kind !== 'records' && isDoubtful) other = await read(0);
	// Where there is none, services stumble over a negative offset.
	const { result: answer } = other;
	const isMissed = result.kind === 'records' && result.page.hasPrevious === true;
	if (answer.kind === 'failed' && (answer.error.status !== 500 || isMissed)) return other;
	const [zero, one] = other.number === 0 ? [other, opened] : [opened, other];
	const first = isPageZero(zero.result, one.result, list.keyOf) ? zero : one;
	if (first.result.kind === 'records') memory.first = first.number;
	// If neither has records, an empty page shows that the list is empty.
	return zero.result.kind === 'empty' && one.result.kind === 'unknown' ? zero : first;
}

/** Whether a list begins with this page for sure, so that the other page need not be asked for. */
function isBeginning(result: PageResult, { first, isPreviousWrong }: ListMemory): boolean {
	if (!('page' in result)) return false;
	const { count, hasPrevious } = result.page;
	if (result.kind === 'empty') return count === 0 && hasPrevious === false;
	return first !== undefined || (hasPrevious === false && !isPreviousWrong);
}

/** Whether a list begins with page 0. For a page that they do not have, services give their first or last one, too. */
function isPageZero(zero: PageResult, one: PageResult, keyOf: PagedList['keyOf']): boolean {
	if (zero.kind !== 'records') return false;
	if (one.kind !== 'records') return true;
	const { records, hasNext, hasPrevious } = zero.page;
	const { records: next } = one.page;
	const isLast = hasPrevious ?? hasNext === false;
	if (isLast || records.length < next.length) return false;
	const seen = new Seen(keyOf);
	seen.addNew(next);
	return seen.addNew(records).length > records.length / 2;
}

/**
 * Tells new records from repeated ones: records move between pages if the list changes while it is read. Those with an
 * identifier are compared by it; of others, only whole pages are, since equal records may be different things.
 */
export class Seen {
	readonly keys = new Set<string | number>();

	/** Number of different records. */
	size = 0;

	/** Whether every record so far had an identifier. */
	hasKeysOnly = true;

	constructor(private readonly keyOf: PagedList['keyOf']) {}

	/** Takes in the records of a page. @returns those that are new, in order */
	addNew(records: IDataObject[]): IDataObject[] {
		const keys = records.map((record) => toKey(this.keyOf(record)));
		const keyless = records.filter((_, at) => keys[at] === undefined);
		this.hasKeysOnly &&= keyless.length === 0;
		const isRepeated = keyless.length > 0 && !this.isAdded(JSON.stringify(keyless));
		const isNew = (key?: string | number) => (key === undefined ? !isRepeated : this.isAdded(key));
		const fresh = records.filter((_, at) => isNew(keys[at]));
		this.size += fresh.length;
		return fresh;
	}

	private isAdded(key: string | number): boolean {
		const before = this.keys.size;
		return this.keys.add(key).size > before;
	}
}

/** Whether a first page of this length may be followed by others: as many as were asked for, or a usual page size. */
export function isFullPage(length: number, size: number): boolean {
	return length >= size || (length >= 10 && 100 % length === 0);
}

/** A list of which each page is asked for by its number. */
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
			// Services stumble over a page 0 that they do not have.
			const retryOn500 = page > 0 || memory.first === 0;
			const request = { endpoint, ...requestFor(page, size), signal, retryOn500 };
			return await client.send(request, (body) => unwrapPage(body, what, page <= 1));
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
		// Which field identifies a contract is not shown: a guess alone must not make one of two different records.
		(contract) =>
			identifierOf(contract, 'contract') === undefined ? undefined : JSON.stringify(contract),
		(page, limit) => ({ path: '/payg/lms/contracts', query: { page, limit } }),
	);
}

/**
 * The tractor catalogue (interface, "List tractors (v1)"). The name of its page parameter is not documented: the first
 * page is asked for without any, the others by the query of `next`, else by `page` as in other lists.
 */
export function catalogueList(client: ServiceClient): PagedList {
	const endpoint: Endpoint = { name: 'catalogue', purpose: 'list the tractor catalogue' };
	const memory = memoryOf(client, 'tractors');
	const keyOf = (tractor: IDataObject) => identifierOf(tractor, 'tractor');
	const isRepeated = (page: Page, previous: Page) => {
		const seen = new Seen(keyOf);
		seen.addNew(previous.records);
		return page.records.length > 0 && seen.addNew(page.records).length === 0;
	};
	return {
		what: 'tractors',
		memory,
		keyOf,
		isChained: true,
		async fetchPage(number, size, signal, previous) {
			const ask = async (query: IDataObject) =>
				await client.send(
					{ endpoint, path: '/v1/tractors', query: { limit: size, ...query }, signal },
					(body) => unwrapPage(body, 'tractors', !previous),
				);
			if (!previous) return await ask({});
			if (previous.nextQuery) return await ask(previous.nextQuery);
			const { count, records } = previous;
			const mayGoOn =
				count === undefined ? isFullPage(records.length, size) : records.length < count;
			const next = async (): Promise<Page | undefined> => {
				// Page 1 is the second one if pages count from 0, and the first one once more if they count from 1.
				const page = memory.first === undefined ? await ask({ page: 1 }) : undefined;
				if (page) memory.first = isRepeated(page, previous) ? 1 : 0;
				return page && memory.first === 0
					? page
					: await ask({ page: number - 1 + (memory.first ?? 1) });
			};
			const page = await settle(next());
			const isRefused = page instanceof ServiceError && [400, 422].includes(page.status ?? 0);
			const isSame = page && !(page instanceof ServiceError) && isRepeated(page, previous);
			if (number === 2 && mayGoOn && (isRefused || isSame)) throw mayBeLonger(records.length);
			if (page instanceof ServiceError) throw page;
			return page;
		},
	};
}

/** Why a catalogue may be longer than its first page, and how to get along. */
function mayBeLonger(length: number): ServiceError {
	return new ServiceError(
		'unreadable',
		`The catalogue cannot be read to its end: the service sent ${length} tractors, which may be one page of several, and does not show how to get more`,
		{
			description: `Set Page Size under Options to more tractors than the catalogue has. If as many come then, set Limit to ${length} instead of Return All. Nothing is returned, so that no tractor is missing unnoticed.`,
		},
	);
}
