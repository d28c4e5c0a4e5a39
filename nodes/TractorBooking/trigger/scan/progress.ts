import type { BookingKey } from '../bookings';

/** How a list is sorted, as far as the ids tell. */
export type Order = 'newestFirst' | 'oldestFirst' | 'none';

/** One pass over the whole list, which may take several polls. */
export interface Sweep {
	/** The page to read next. */
	page: number;
	/** Items asked for in a page. */
	size: number;
	/** Whether a page 0 is still to be looked for; false once it was, undefined if there was no need yet. */
	isPage0Due?: boolean;
	/** Different bookings met so far. */
	met: number;
	/** Those of them that were not known. */
	unknown: number;
	/** Whether the list moved while it was read, so that bookings may have slipped through. */
	disturbed: boolean;
	/** Length of the list, as its first page told. */
	total?: number;
	/** Neighbours of which the second one has the higher id, or the lower one. */
	rising: number;
	falling: number;
	/** The last booking met. */
	last?: BookingKey;
}

/** How far the reading of the list has come, and what was learned about it. Kept between polls. */
export interface Progress {
	/** Whether the first scan is still going on: bookings met for the first time are old ones. */
	baseline: boolean;
	/** Complete sweeps since the baseline began, counted as far as the baseline needs it. */
	sweeps: number;
	/** Number of the first page: 1 unless the list shows otherwise. */
	firstPage: 0 | 1;
	/** Whether a page 0 was looked for. */
	lookedForPage0: boolean;
	/** Learned by the last complete sweep. */
	order: Order;
	/** Pages of the list, as last seen. */
	pages: number;
	/** Items in a page, as the last complete sweep asked for. */
	pageSize: number;
	/** Newest first: new bookings that were not reached, from this page on down to this id. */
	gap?: { page: number; downTo: number };
	/** Whether the last poll had to leave out its slice of the rolling sweep. */
	sliceIsDue: boolean;
	/** Bookings that the last complete sweep lacked of those that the service counts. */
	lacking?: number;
	/** The running sweep; undefined between two. */
	sweep?: Sweep;
	/** Chosen bookings: how many of them the running round has read. */
	chosenRead: number;
	/** Whether it could not read one of them. */
	chosenFailed?: boolean;
}

/** The progress of a new baseline. */
export function newBaseline(): Progress {
	return {
		baseline: true,
		sweeps: 0,
		firstPage: 1,
		lookedForPage0: false,
		order: 'none',
		pages: 0,
		pageSize: 0,
		sliceIsDue: false,
		chosenRead: 0,
	};
}
