import type { IDataObject } from 'n8n-workflow';

import type { ServiceErrorKind } from '../errors';
import { settle, ServiceError } from '../errors';
import { toKey } from '../identifiers';

/** Wished page size. The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** One page of a list, whatever its body looked like (interface, "Pagination of list endpoints"). */
export interface Page {
	/** The records of the page, in the order of the response. */
	items: IDataObject[];
	/** Number of records of the whole list, if the response says so. It may be wrong. */
	total?: number;
	/** Whether more pages follow; undefined if the response does not say. */
	hasMore?: boolean;
	/** Whether something comes before this page; undefined if the response does not say. */
	hasPrevious?: boolean;
	/** Query of the next page's URL. Only the query: a key is never sent to a URL from a response. */
	nextQuery?: IDataObject;
	/**
	 * Whether there is no list in the response: null in its place (or no content at all) without a count of 0. Some
	 * services write an empty list so, but it may as well be a fault that hides the records.
	 */
	isMissing?: boolean;
}

/** How one list is asked for its pages, and what is in it. */
export interface PagedList {
	/** The records, for messages, e.g. `bookings`. */
	what: string;
	/** What distinguishes the list from others of this process: the page size that it accepts is remembered by it. */
	name: string;
	/** Identifier of a record; undefined if it has none. */
	keyOf: (record: IDataObject) => unknown;
	/**
	 * Asks for a page; undefined, or a ServiceError with one of the usual statuses, if there is no such page.
	 *
	 * @param page pages count from 1; page 0 is asked for to find out whether they count from 0
	 * @param size records in a page; 0 for what the service gives by itself
	 * @param signal aborted once the response is not needed any more
	 */
	fetchPage: (page: number, size: number, signal?: AbortSignal) => Promise<Page | undefined>;
	/** Sizes to try one after the other if the service refuses the wished one; 25 and 10 by default. */
	smallerSizes?: readonly number[];
	/**
	 * Whether pages are only reached one from the other, so that the first one needs no number: none comes before it,
	 * and none can be read ahead.
	 */
	isChained?: boolean;
}

/** Whether a page says how long the whole list is, as far as it alone can show. */
export function isCounted({ items, total, hasMore }: Page): boolean {
	return total !== undefined && (hasMore !== true || total > items.length);
}

/** Statuses with which services respond when they are asked for a page that they do not have. */
const NO_SUCH_PAGE: ReadonlySet<number | undefined> = new Set([400, 404, 410, 416, 422]);

/** Whether a failure says that the service has no such page. */
export function saysNoSuchPage({ status }: ServiceError): boolean {
	return NO_SUCH_PAGE.has(status);
}

/** The page, or undefined if the service says that there is none; rejects with any other failure. */
export async function pageOrUndefined(page: Promise<Page | undefined>): Promise<Page | undefined> {
	const result = await settle(page);
	if (!(result instanceof ServiceError)) return result;
	if (!saysNoSuchPage(result)) throw result;
	return undefined;
}

/** Failures that say nothing about the page, and are not gone a moment later. */
const NOT_ABOUT_THE_PAGE: ReadonlySet<ServiceErrorKind> = new Set([
	'rateLimited',
	'unreachable',
	'stopped',
	'cancelled',
]);

/** Whether a failure may be what the service says to a page that it does not have; others say nothing about it. */
export function isAboutThePage({ kind }: ServiceError): boolean {
	return !NOT_ABOUT_THE_PAGE.has(kind);
}

/**
 * Distinguishes new records from repeated ones while a list is read: records move between pages if the list changes
 * meanwhile. Records with an identifier are distinguished by it; pages of records without one only as a whole, since
 * equal records may be different things.
 */
export class Deduplicator {
	/** The identifiers met so far. */
	readonly keys = new Set<string | number>();

	/** Number of different records so far. */
	size = 0;

	private readonly keylessPages = new Set<string>();

	constructor(private readonly keyOf: PagedList['keyOf']) {}

	/** Whether every record so far had an identifier. */
	get hasKeysOnly(): boolean {
		return this.keylessPages.size === 0;
	}

	/** The records of a page that were not met before, in order. */
	filterNew(records: IDataObject[]): IDataObject[] {
		const keyless = new Set<IDataObject>();
		let fresh = records.filter((record) => {
			const key = toKey(this.keyOf(record));
			if (key === undefined) keyless.add(record);
			return key === undefined || isAdded(this.keys, key);
		});
		if (keyless.size > 0 && !isAdded(this.keylessPages, JSON.stringify([...keyless]))) {
			fresh = fresh.filter((record) => !keyless.has(record));
		}
		this.size += fresh.length;
		return fresh;
	}
}

/** Whether a value was new to a set. */
function isAdded<T>(set: Set<T>, value: T): boolean {
	const before = set.size;
	return set.add(value).size > before;
}
