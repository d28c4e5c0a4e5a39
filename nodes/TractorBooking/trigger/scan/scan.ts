import type { IDataObject } from 'n8n-workflow';

import type { ListEnd } from '../../api/pages/pages';
import type { BookingKey } from '../bookings';
import { bookingKey } from '../bookings';
import type { Memory } from '../memory';
import type { Progress } from './progress';
import type { Reader } from './reader';

/** What a sweep over the list works with. */
export interface SweepScan {
	reader: Reader;
	memory: Memory;
	progress: Progress;
	/** Items to ask for in a page. */
	pageSize: number;
	/** Tells the operator something, once a day. */
	warn: (what: string, text: string) => void;
}

/** What the reading of the list works with. */
export interface ListScan extends SweepScan {
	/** Day of the poll, counted from 1970. */
	today: number;
	/** Bookings that are to be read wherever they are, beside those that may still change. */
	wanted: readonly BookingKey[];
	/** Whether a poll has met a booking. */
	isMet: (key: BookingKey) => boolean;
	/** Whether a record shows something that is not known. */
	isNews: (booking: IDataObject) => boolean;
	/** Number of bookings that this poll met, and that were not known before. */
	newcomers: () => number;
}

/** The keys of the records that have one. */
export function keysOf(items: IDataObject[]): BookingKey[] {
	return items.map(bookingKey).filter((key) => key !== undefined);
}

/** Pages that failed at an end of which the service did not say that more follows are none that are missing. */
export function forgiveEnd(reader: Reader, { kind, isPromised }: ListEnd, lastPage: number): void {
	if (kind !== 'failed' || !isPromised) reader.forgiveBehind(lastPage);
}
