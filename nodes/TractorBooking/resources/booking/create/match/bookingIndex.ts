import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { bookingIdOf, type BookingId } from '../../../../api/records';
import { groupBy } from '../../../../utils/groupBy';
import { isEmpty } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { BookingRequest } from '../row/fields';
import { farmerOf, jobOfBooking, marksOf, SHOWN_FIELDS, type Job } from '../row/job';
import type { Listed } from '../row/candidates';

/** What is kept of a record: its job, and what the results of rows show. */
const KEPT = ['bookingStatus', 'tractorPairedTo', ...SHOWN_FIELDS] as const;

/** The list as it was when it was last read as a whole. */
export interface WholeList {
	/** Which bookings come first, by their IDs; undefined if nothing tells, or if the service does not count them. */
	order?: 'newest' | 'oldest';
	/** The size of its pages. */
	size?: number;
	firstPage: number;
	/** The last page that had records. */
	lastPage: number;
	/** The ID at the newest end; NaN if the list is empty. */
	newest: number;
	/** How many more bookings the service counts than came; NaN if it counts none. */
	countExcess: number;
	/** As `monotonicNow()` gives it. */
	readAt: number;
}

/** How a run sees the bookings. */
export interface View {
	/** In which an instant becomes a day: the workflow's, an IANA name. */
	timezone: string;
	/** The number of the run. */
	run: number;
}

/** What is kept of a booking. */
interface Entry {
	booking: IDataObject;
	/** The number of the run that read it last. */
	run: number;
}

/** What is kept of a record, as far as it has it. */
function keptOf(bookingID: BookingId, record: IDataObject): IDataObject {
	const kept = KEPT.filter((field) => !isEmpty(record[field]));
	return { bookingID, ...Object.fromEntries(kept.map((field) => [field, record[field]])) };
}

/** What this process knows of the bookings in the list of one account, so that it is not read as a whole each time. */
export class BookingIndex {
	/** Undefined until the list was read. */
	whole?: WholeList;

	/** Whether each record had a bookingID since the list was read as a whole. */
	haveIds = true;

	/** How many runs have used it so far. */
	runs = 0;

	private readonly entries = new Map<BookingId, Entry>();

	/** Bookings that the list does not show, or not yet: this process has made them, or read them by their IDs. */
	private readonly unlisted = new Map<BookingId, Entry>();

	/** How many bookings are known to be in the list. */
	get size(): number {
		return this.entries.size;
	}

	/** Whether a booking is known to be in the list. */
	has(id: BookingId | undefined): boolean {
		return id !== undefined && this.entries.has(id);
	}

	/** The bookings that are known to be in the list. */
	listedIds(): Iterable<BookingId> {
		return this.entries.keys();
	}

	/** Takes in a record of the list, which a run has read. */
	add(listed: IDataObject, run: number): void {
		const id = bookingIdOf(listed);
		this.haveIds &&= id !== undefined;
		if (id === undefined) return;
		this.entries.set(id, { booking: keptOf(id, listed), run });
		this.unlisted.delete(id);
	}

	/** Takes in a booking that this process has made: a list that is late does not show it. */
	addMade(id: BookingId, { tractorId, ...request }: BookingRequest): void {
		if (this.entries.has(id)) return;
		const booking = keptOf(id, { ...request, tractorPairedTo: tractorId });
		this.unlisted.set(id, { booking, run: 0 });
	}

	/** Takes in the record of a booking, which a run has read by its ID. */
	update(id: BookingId, record: IDataObject, run: number): void {
		const known = this.entries.get(id);
		const booking = { ...known?.booking, ...keptOf(id, record) };
		(known ? this.entries : this.unlisted).set(id, { ...known, booking, run });
	}

	/** Whether a run, or a later one, has read a booking. */
	wasRead(id: BookingId, run: number): boolean {
		return (this.entryOf(id)?.run ?? 0) >= run;
	}

	/** Whether some booking shows something; true while there are no bookings. */
	shows(isShown: (job: Job) => boolean, timezone: string): boolean {
		for (const { booking } of this.entries.values())
			if (isShown(jobOfBooking(booking, timezone))) return true;
		return this.entries.size === 0;
	}

	/**
	 * Finds the bookings of farmers, also those that the list does not show.
	 *
	 * @param marks by {@link marksOf}
	 * @param before bookings that are not wanted: then only those of the list are
	 * @returns the bookings by their marks
	 */
	async find(marks: ReadonlySet<string>, view: View, before?: ReadonlySet<BookingId>) {
		const isWanted = (farmer: Parameters<typeof marksOf>[0]) =>
			marksOf(farmer).some((one) => marks.has(one));
		const some = [...this.entries.keys(), ...(before ? [] : this.unlisted.keys())];
		const found = await inTurns(some, (id) => {
			const entry = before?.has(id) ? undefined : this.entryOf(id);
			return entry && isWanted(farmerOf(entry.booking)) ? (this.get(id, view) ?? []) : [];
		});
		const all = found
			.flat()
			.flatMap((listed) => marksOf(listed.job).map((mark) => ({ mark, listed })));
		return groupBy(all, ({ mark }) => mark);
	}

	/** A booking as it was last read, and as a run sees it. */
	get(id: BookingId, { timezone, run }: View): Listed | undefined {
		const entry = this.entryOf(id);
		if (!entry) return undefined;
		const { bookingStatus, ...others } = entry.booking;
		const booking = entry.run >= run ? entry.booking : others;
		const job = jobOfBooking(entry.booking, timezone);
		return { id, booking, job, isUnlisted: !this.entries.has(id) };
	}

	/** Drops a booking of the list that is gone; one that it does not show may be late there, too. */
	delete(id: BookingId): void {
		this.entries.delete(id);
	}

	/** Drops the bookings that the list does not have any more. */
	keepOnly(shown: ReadonlySet<BookingId | undefined>): void {
		for (const id of this.entries.keys()) if (!shown.has(id)) this.entries.delete(id);
	}

	private entryOf(id: BookingId): Entry | undefined {
		return this.entries.get(id) ?? this.unlisted.get(id);
	}
}

const indexOfAccount = new WeakMap<object, BookingIndex>();

/** What this process knows of the bookings of a client's account. */
export function bookingIndexOf({ account }: ServiceClient): BookingIndex {
	const index = indexOfAccount.get(account) ?? new BookingIndex();
	indexOfAccount.set(account, index);
	return index;
}
