import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { SHORT_LIST_PAGES } from '../../../../api/pages/fetch';
import { bookingIdOf, type BookingId } from '../../../../api/records';
import { memoize } from '../../../../utils/memoize';
import { isEmpty } from '../../../../utils/text';
import { farmerOf, SHOWN_FIELDS, type Farmer } from '../row/job';

/** What is kept of a record: its job, and what the results of rows show. */
const KEPT = ['bookingStatus', 'tractorPairedTo', ...SHOWN_FIELDS] as const;

/** The list as it was when it was last read as a whole. */
export interface WholeList {
	/** Which bookings come first, by their IDs; undefined if nothing tells, or if the service does not count them. */
	order?: 'newest' | 'oldest';
	/** The size of pages that was asked for, and how many bookings came in each. */
	size?: number;
	pageLength: number;
	firstPage: number;
	/** The last page that had records. */
	lastPage: number;
	/** The number of the run that read it. */
	run: number;
	/** How many more bookings the service counts than came; NaN if it counts none. */
	countExcess: number;
	/** As `monotonicNow()` gives it. */
	readAt: number;
}

/** What is kept of a booking. */
interface Entry {
	booking: IDataObject;
	/** Reading a phone takes a while, and each booking is compared many times. */
	farmer: Farmer;
	/** The number of the run that read it last. */
	run: number;
}

/** What is kept of a record, as far as it has it. @param known what was kept of it before */
function entryOf(bookingID: BookingId, record: IDataObject, run: number, known?: Entry): Entry {
	const kept = KEPT.filter((field) => !isEmpty(record[field]));
	const own = Object.fromEntries(kept.map((field) => [field, record[field]]));
	const booking: IDataObject = { ...known?.booking, bookingID, ...own };
	return { booking, farmer: farmerOf(booking), run };
}

/** What this process knows of the bookings in the list of one account, so that it is not read as a whole each time. */
export class BookingIndex {
	/** Undefined until the list was read. */
	whole?: WholeList;

	/** How many runs have used it so far. */
	runs = 0;

	private readonly listed = new Map<BookingId, Entry>();

	/** Bookings that the list does not show, or not yet: this process has made them, or read them by their IDs. */
	private readonly unlisted = new Map<BookingId, Entry>();

	/** Whether the list is so short that each run reads all of it; true until it was read. */
	get isShort(): boolean {
		const { firstPage = 0, lastPage = 0 } = this.whole ?? {};
		return lastPage - firstPage < SHORT_LIST_PAGES;
	}

	/** How many bookings are known to be in the list. */
	get size(): number {
		return this.listed.size;
	}

	/** Whether a booking is known to be in the list. */
	has(id: BookingId | undefined): boolean {
		return id !== undefined && this.listed.has(id);
	}

	/** The bookings that are known to be in the list. */
	listedIds(): BookingId[] {
		return [...this.listed.keys()];
	}

	/** Those of them that the list has shown since it was last read as a whole: one without a count may not have the others any more. */
	shownIds(): BookingId[] {
		const { run = 0 } = this.whole ?? {};
		return [...this.listed].filter(([, entry]) => entry.run >= run).map(([id]) => id);
	}

	/** All bookings, also those that the list does not show. */
	ids(): BookingId[] {
		return [...this.listed.keys(), ...this.unlisted.keys()];
	}

	/** A booking as it was last read. */
	get(id: BookingId): Entry | undefined {
		return this.listed.get(id) ?? this.unlisted.get(id);
	}

	/** Takes in a record of the list, which a run has read. */
	add(record: IDataObject, run: number): void {
		const id = bookingIdOf(record);
		if (id === undefined) return;
		// A later run may have read the whole list meanwhile.
		const latest = Math.max(run, this.whole?.run ?? 0);
		this.listed.set(id, entryOf(id, record, latest));
		this.unlisted.delete(id);
	}

	/** Takes in the record of a booking, which a run has read by its ID, or made. */
	update(id: BookingId, record: IDataObject, run: number): void {
		const known = this.listed.get(id);
		(known ? this.listed : this.unlisted).set(id, entryOf(id, record, run, known));
	}

	/** Drops a booking of the list that is gone; one that it does not show may be late there, too. */
	delete(id: BookingId): void {
		this.listed.delete(id);
	}

	/** Drops the bookings that the list does not have any more. */
	keepOnly(shown: ReadonlySet<BookingId | undefined>): void {
		for (const id of this.listed.keys()) if (!shown.has(id)) this.listed.delete(id);
	}
}

const indexOfAccount = memoize<object, BookingIndex>(() => new BookingIndex());

/** What this process knows of the bookings of a client's account. */
export const bookingIndexOf = ({ account }: ServiceClient): BookingIndex => indexOfAccount(account);
