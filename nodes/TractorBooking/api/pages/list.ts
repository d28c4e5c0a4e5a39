import type { IDataObject } from 'n8n-workflow';

import type { Page } from './envelope';

/** Wished page size. The maximum is not documented; a service that caps it returns shorter pages. */
export const PAGE_SIZE = 100;

/** How one list is asked for its pages, and what is in it. */
export interface PagedList {
	/** The records, for messages, e.g. `bookings`. */
	what: string;
	/** What tells the list apart from others of this process: the page size that it accepts is remembered by it. */
	name: string;
	/** Identifier of a record; undefined if it has none. */
	keyOf: (record: IDataObject) => unknown;
	/**
	 * Asks for a page; undefined, or a ServiceError with one of the usual statuses, if there is no such page.
	 *
	 * @param page pages count from 1; page 0 is asked for to find out whether they count from 0
	 * @param size records in a page; undefined for what the service gives by itself
	 * @param signal aborted once the response is not needed any more
	 */
	fetchPage: (
		page: number,
		size: number | undefined,
		signal: AbortSignal,
	) => Promise<Page | undefined>;
	/** Sizes to try one after the other if the service refuses the wished one; 25 and 10 by default. */
	smallerSizes?: ReadonlyArray<number | undefined>;
	/**
	 * Whether pages are only reached one from the other, so that the first one needs no number: none comes before it,
	 * and none can be read ahead.
	 */
	isChained?: boolean;
}
