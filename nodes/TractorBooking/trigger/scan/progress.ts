import type { BookingKey } from '../../api/identifiers';

/** One reading of the whole list, page by page; it may take several polls. */
export interface Round {
	/** Instant of its start, in milliseconds. */
	startedAt: number;
	/** The page to read next. */
	next: number;
	/** The last page of this round that showed bookings; the one before the first page if none did. */
	last: number;
	/** Whether the last page that was read is said to be followed by another one; undefined if nothing says so. */
	isPromised?: boolean;
	/** Whether a page failed. */
	hasFailed: boolean;
}

/** How far the reading of the bookings has come, and what was learned about the list. Kept between polls. */
export interface Progress {
	/** Whether the first scan has ended: what there was is known. */
	isKnown: boolean;
	/** Rounds that ended during the first scan. */
	rounds: number;
	/** The number of the first and of the last page that is known, and the bookings asked for in a page. */
	first: 0 | 1;
	last: number;
	size: number;
	/** The largest page that the service does not refuse, if it refused one. */
	maxSize?: number;
	/** Whether the last poll could read nothing of the round, which is then the first thing that this one reads. */
	isRoundDue: boolean;
	/** The running round; undefined between two. */
	round?: Round;
	/** The specific booking with which the next poll begins. */
	nextChosen?: BookingKey;
	/** Whether the running round over the specific bookings could not read one of them. */
	hasChosenFailed: boolean;
}

/** The progress before anything was read. */
export function newProgress(): Progress {
	return {
		isKnown: false,
		rounds: 0,
		first: 1,
		last: 0,
		size: 0,
		isRoundDue: false,
		hasChosenFailed: false,
	};
}
