import type { BookingKey } from '../../api/identifiers';

/** How a list is sorted, as far as the ids tell. */
export type Order = 'newestFirst' | 'oldestFirst' | 'none';

/** One pass over the whole list, which may take several polls. */
export interface Sweep {
	/** Instant of its start, in milliseconds. */
	startedAt: number;
	/** The last page that was read, which the next poll begins with; undefined before the first one. */
	page?: number;
	/** Items asked for in a page. */
	size: number;
	/** Number of records on the pages before `page`. */
	before: number;
	/** Number of records on `page`, once this poll has read it. */
	onPage: number;
	/** Whether pages failed, a page 0 that there may be included. */
	hasGaps: boolean;
	/** The last page with bookings, once the list has ended behind it for the first time. */
	endedAt?: number;
	/** 0 if this sweep has read a page 0. */
	origin?: 0;
	/** Neighbours of a page of which the second one has the higher id, or the lower one. */
	rising: number;
	falling: number;
}

/** How far the reading of the bookings has come, and what was learned about the list. Kept between polls. */
export interface Progress {
	/** Whether a whole sweep, or a round over all specific bookings, has ended: what was there is known. */
	isSwept: boolean;
	/** Sweeps that ended since the beginning, counted until `isSwept`. */
	sweeps: number;
	/** Number of the first page in the last sweep; 0 also if that one lacked some, which may be on a page 0. */
	origin?: 0 | 1;
	/** Learned by the last sweep. */
	order: Order;
	/** Number of the last page with bookings. */
	lastPage: number;
	/** Items in a page, as the last sweep asked for. */
	pageSize: number;
	/** The pages that show bookings that may still change, and how often in a row each did not when it was read, 0 or 1. */
	moving: Record<number, number>;
	/** The page of these with which the next poll begins. */
	movingFrom?: number;
	/** The part of the list with which the next poll begins, since this one did not come to it. */
	firstPart: number;
	/** The running sweep; undefined between two. */
	sweep?: Sweep;
	/** The specific booking with which the next poll begins. */
	nextChosen?: BookingKey;
	/** Whether the running round over the specific bookings could not read one of them. */
	hasChosenFailed: boolean;
}

/** The progress before anything was read. */
export function newProgress(): Progress {
	return {
		isSwept: false,
		sweeps: 0,
		order: 'none',
		lastPage: 0,
		pageSize: 0,
		moving: {},
		firstPart: 0,
		hasChosenFailed: false,
	};
}
