import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import type { BookingKey } from '../../../../api/identifiers';
import { identifierOf, keyOfBooking } from '../../../../api/identifiers';
import { serviceOfBooking } from '../../../../api/services';
import { isEmpty } from '../../../../utils/text';
import { DAY_MS } from '../../../../utils/time';
import { farmerKeysOf, farmerOf, jobOfBooking, type Job } from '../job';

/** Bookings of the list that are kept; 200,000 take some 60 MB. */
const MAX_ENTRIES = 200_000;

/** New bookings whose place in the list is kept. */
const MAX_ARRIVALS = 5_000;

/** The latest records, by which it is judged what the service shows. */
const MAX_SAMPLES = 100;

/** What is kept of a record: its job, and what the results of rows show. */
const KEPT = [
	'bookingStatus',
	'tractorPairedTo',
	'serviceDate',
	'farmerName',
	'farmerPhone',
	'serviceType',
	'landArea',
	'areaType',
] as const;

/** The list as it was when it was last read as a whole. */
export interface ListShape {
	/** Which bookings come first, by their IDs; undefined if nothing tells. */
	order?: 'newest' | 'oldest';
	firstPage: number;
	/** The last page that had records. */
	lastPage: number;
	/** The ID at the newest end; NaN if the list is empty. */
	newest: number;
	/** By how much the service's count is higher than the number of bookings that came; NaN if it counts none. */
	surplus: number;
	/** As `now()` gives it. */
	readAt: number;
}

/** A booking of the list. */
export interface Listed {
	key: BookingKey;
	booking: IDataObject;
	job: Job;
}

/** A record as rows and messages name it: by `bookingID`, and with its `serviceType`, whatever the service calls them. */
export function normalizeRecord(record: IDataObject, key?: BookingKey): IDataObject {
	const bookingID = identifierOf(record, 'booking') ?? key;
	return { ...record, bookingID, serviceType: serviceOfBooking(record) };
}

/** A booking in one short string: the keys of its farmer, a tab, and what is kept of it. */
function pack(record: IDataObject): string {
	const kept = KEPT.filter((field) => !isEmpty(record[field])).map((field) => [
		field,
		record[field],
	]);
	return `${farmerKeysOf(farmerOf(record)).join('\n')}\t${JSON.stringify(Object.fromEntries(kept))}`;
}

function unpack(key: BookingKey, entry: string): IDataObject {
	const kept = JSON.parse(entry.slice(entry.indexOf('\t') + 1)) as IDataObject;
	return { bookingID: key, ...kept };
}

/** What this process knows of the bookings in the list of one key, so that it is not read as a whole each time. */
export class BookingIndex {
	/** Undefined until the list was read. */
	shape?: ListShape;

	/** Number of bookings that appeared in the list so far: the place of the newest one. */
	listed = 0;

	/** By `pack`. */
	private readonly entries = new Map<BookingKey, string>();

	/** The places of the bookings that appeared after the first reading. */
	private readonly arrivals = new Map<BookingKey, number>();

	private readonly samples: IDataObject[] = [];

	/** Whether a booking was in the list when its newest place was `place`. */
	has(key: BookingKey | undefined, place = Infinity): boolean {
		return key !== undefined && this.entries.has(key) && (this.arrivals.get(key) ?? 0) <= place;
	}

	/** Takes in a record of the list. */
	add(listed: IDataObject): void {
		const record = normalizeRecord(listed);
		this.samples.push(record);
		if (this.samples.length > 2 * MAX_SAMPLES) this.samples.splice(0, MAX_SAMPLES);
		const key = keyOfBooking(listed);
		if (key === undefined) return;
		if (!this.entries.has(key)) {
			this.listed += 1;
			// Before the first reading ends, all are new.
			if (this.shape) this.arrivals.set(key, this.listed);
			for (const [oldest] of this.arrivals) {
				if (this.arrivals.size <= MAX_ARRIVALS) break;
				this.arrivals.delete(oldest);
			}
		}
		this.entries.set(key, pack(record));
	}

	/** Whether some booking shows something; true while there are no bookings. */
	shows(isShown: (job: Job) => boolean, timezone: string): boolean {
		const { samples } = this;
		return samples.length === 0 || samples.some((one) => isShown(jobOfBooking(one, timezone)));
	}

	/**
	 * Finds the bookings of farmers, by {@link farmerKeysOf}.
	 *
	 * @param after the place in the list behind which they must have appeared
	 */
	find(keys: ReadonlySet<string>, timezone: string, after?: number): Listed[] {
		const found: Listed[] = [];
		for (const [key, entry] of this.entries) {
			if (after !== undefined && (this.arrivals.get(key) ?? 0) <= after) continue;
			const farmer = entry.slice(0, entry.indexOf('\t')).split('\n');
			if (!farmer.some((one) => keys.has(one))) continue;
			const booking = unpack(key, entry);
			found.push({ key, booking, job: jobOfBooking(booking, timezone) });
		}
		return found;
	}

	/** A booking as it was last listed. */
	get(key: BookingKey): IDataObject | undefined {
		const entry = this.entries.get(key);
		return entry === undefined ? undefined : unpack(key, entry);
	}

	/** Drops the bookings that a reading of the whole list did not show. @param isShown whether it did */
	keepOnly(isShown: (key: BookingKey) => boolean): void {
		for (const key of this.entries.keys()) if (!isShown(key)) this.entries.delete(key);
	}

	/** If there is no room left, drops bookings of past service dates: past rows are never sent. */
	trim(): void {
		if (this.entries.size <= MAX_ENTRIES) return;
		const today = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
		for (const [key, entry] of this.entries) {
			const [, date = ''] = /"serviceDate":"(\d{4}-\d\d-\d\d)/.exec(entry) ?? [];
			if (date && date < today) this.entries.delete(key);
			if (this.entries.size <= MAX_ENTRIES * 0.9) return;
		}
	}
}

const indexOfAccount = new WeakMap<object, BookingIndex>();

/** What this process knows of the bookings of a client's key at its base URL. */
export function bookingIndexOf({ account }: ServiceClient): BookingIndex {
	const index = indexOfAccount.get(account) ?? new BookingIndex();
	indexOfAccount.set(account, index);
	return index;
}
