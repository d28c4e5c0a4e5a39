import type { IDataObject } from 'n8n-workflow';

import { isEmpty, isRecord } from '../../utils/text';
import { settle, ServiceError } from '../errors';
import { toId, unexpectedResponse } from '../records';
import { errorIn } from '../responses';

/** The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** A list of up to this many pages is short: every poll and every run that compares rows with it reads all of it. */
export const SHORT_LIST_PAGES = 30;

/** Sizes to try if one is refused: default page sizes are between 10 and 25 (interface, "Limits"). */
const SMALLER_SIZES = [25, 10];
const smallerThan = (size: number) => SMALLER_SIZES.find((other) => other < size);

export type ListName = 'bookings' | 'tractors' | 'contracts';

/** One page of a list, whatever its body looked like (interface, "Pagination of list endpoints"). */
export interface Page {
	records: IDataObject[];
	/** Number of records of the whole list, if the response says so and the page does not contradict it. It may be wrong. */
	count?: number;
	/** Whether more pages follow; undefined if the response does not say. */
	hasNext?: boolean;
	/** Query of the next page's URL. Only the query: a key is never sent to a URL from a response. */
	nextQuery?: IDataObject;
	/** Why the page has no records, if it failed or is not there. */
	error?: ServiceError;
}

/** Whether the service says that there is no such page: 400, 404 or 422, or null in place of the list. */
export const isUnknown = ({ error }: Page): boolean =>
	error?.kind === 'notFound' || error?.kind === 'validation';

/** Whether anything else went wrong, or the response is no list. */
export const hasFailed = (page: Page): boolean => page.error !== undefined && !isUnknown(page);

/** What was found out about how a list is paged. */
export interface ListShape {
	/** Number of the first page, once it is known: whether pages count from 0 or from 1 is not documented. */
	first?: 0 | 1;
	/** The page size that was accepted after a larger one was refused. */
	size?: number;
}

export interface PagedList {
	what: ListName;
	shape: ListShape;
	keyOf: (record: IDataObject) => unknown;
	/** Whether a page is asked for by what the page before it says: none is read ahead. */
	isChained?: boolean;
	/** @throws ServiceError */
	fetchPage: (number: number, size: number, signal?: AbortSignal) => Promise<Page>;
}

/**
 * Reads a page; one that is empty or not found twice, since one wrong response must not end a list, or hide it.
 *
 * @param number counts from 0 or from 1, see {@link openList}
 */
export async function readPage(list: PagedList, number: number, size: number): Promise<Page> {
	const page = await readOnce(list, number, size);
	const isNone = page.error ? page.error.kind === 'notFound' : page.records.length === 0;
	return isNone ? await readOnce(list, number, size) : page;
}

async function readOnce(list: PagedList, number: number, size: number): Promise<Page> {
	const page = await settle(list.fetchPage(number, size));
	return page instanceof ServiceError ? { records: [], error: page } : page;
}

/** The page with which a list begins, and the size to ask for the other pages with. */
type Opened = { number: 0 | 1; size: number; page: Page };

/** Asks for the first page of a list; if the service refuses the size of pages, for smaller ones. */
export async function openList(list: PagedList, wished = PAGE_SIZE): Promise<Opened> {
	const { shape } = list;
	const size = Math.min(shape.size ?? wished, wished);
	const opened = await openWith(list, size);
	const smaller = smallerThan(size);
	if (opened.page.error?.kind !== 'validation' || smaller === undefined) return opened;
	const reopened = await openList(list, smaller);
	if (reopened.page.records.length > 0) shape.size = reopened.size;
	return reopened;
}

async function openWith(list: PagedList, size: number): Promise<Opened> {
	const { shape } = list;
	const read = async (number: 0 | 1): Promise<Opened> => {
		return { number, size, page: await readPage(list, number, size) };
	};
	// Once a list is known to begin at one of them, a failure there does not make the other one the first.
	if (shape.first !== undefined) return await read(shape.first);
	let zero = await read(0);
	if (hasFailed(zero.page) && zero.page.error?.status !== 500) return zero;
	const one = await read(1);
	if (hasFailed(one.page) && one.page.error?.status !== 500) return one;
	const hasOne = one.page.records.length > 0;
	// If bookings came to an empty list before page 1 was read, page 0 has them now.
	if (hasOne && !zero.page.error && zero.page.records.length === 0) zero = await read(0);
	const isZero = isPageZero(list, zero.page, one.page, size);
	const isClear = isZero || zero.page.records.length === 0;
	if (hasOne && isClear && !hasFailed(zero.page)) shape.first = isZero ? 0 : 1;
	return isZero ? zero : one;
}

/** Whether a list begins with page 0. For a page that they do not have, services fail with 500, or give another one. */
function isPageZero({ keyOf }: PagedList, zero: Page, one: Page, size: number): boolean {
	// A page that is refused may be there in a smaller size.
	const mayBeThere = one.error?.kind === 'validation' && smallerThan(size) !== undefined;
	// If neither has records, an empty page shows that the list is empty.
	if (zero.records.length === 0) return !zero.error && isUnknown(one) && !mayBeThere;
	const { records, count = Infinity, hasNext } = zero;
	if (hasFailed(one)) return hasNext === false || count <= records.length;
	if (one.records.length === 0) return true;
	if (hasNext === false && one.hasNext !== false) return false;
	const seen = new SeenRecords(keyOf);
	seen.addNew(one.records);
	// Some records may move between the two requests.
	return seen.addNew(records).length > records.length / 2;
}

/** Tells new records from repeated ones: records move between pages if the list changes while it is read. */
export class SeenRecords {
	private readonly keys = new Set<string | number>();

	constructor(private readonly keyOf: PagedList['keyOf']) {}

	get size(): number {
		return this.keys.size;
	}

	/** Takes in the records of a page. @returns those that are new, in order */
	addNew(records: readonly IDataObject[]): IDataObject[] {
		return records.filter((record) => {
			const before = this.size;
			this.keys.add(toId(this.keyOf(record)) ?? JSON.stringify(record));
			return this.size > before;
		});
	}
}

function queryOfUrl(next: unknown): IDataObject | undefined {
	if (typeof next !== 'string' || !URL.canParse(next, 'http://service')) return undefined;
	const query = Object.fromEntries(new URL(next, 'http://service').searchParams);
	return Object.keys(query).length > 0 ? query : undefined;
}

/**
 * Reads a page of a list (interface, "Paginated list envelope"; docs/developers/assumptions.md, "Records", "The envelope").
 *
 * @throws ServiceError: `notFound` for null in place of the list, or an empty one beside an `error`, since there may be no
 * such page; `unreadable` if there is no list of objects in the body
 */
export function unwrapPage(body: unknown, what: ListName): Page {
	const envelope = isRecord(body) ? body : {};
	const places: unknown[] = isRecord(body) ? [body.results, body.data, body[what]] : [body];
	const list = places.find((place) => place !== undefined);
	const records = Array.isArray(list) ? list.filter(isRecord) : [];
	const { length } = records;
	const isList = list === null || (Array.isArray(list) && list.length === length);
	if (!isList) throw unexpectedResponse(what, 'unreadable', errorIn(body));
	const said = [envelope, envelope.meta, envelope.pagination].filter(isRecord);
	const valueOf = (name: string) => said.find((one) => name in one)?.[name];
	const next = valueOf('next');
	const hasNext = next === undefined ? undefined : !isEmpty(next);
	const counted = Number(valueOf('count') ?? valueOf('total') ?? NaN);
	const isOfAll = Number.isInteger(counted) && (hasNext ? counted > length : counted >= length);
	const count = isOfAll ? counted : undefined;
	const hasError = typeof envelope.error === 'string' && envelope.error !== '';
	if (list === null ? count !== 0 : length === 0 && hasError)
		throw unexpectedResponse(what, 'notFound', errorIn(body));
	return { records, count, hasNext, nextQuery: queryOfUrl(next) };
}
