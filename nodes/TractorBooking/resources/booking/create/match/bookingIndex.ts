import type { IDataObject } from 'n8n-workflow';

import { now } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import type { BookingKey } from '../../../../api/identifiers';
import { identifierOf, keyOfBooking } from '../../../../api/identifiers';
import { serviceOfBooking } from '../../../../api/services';
import { isFinal } from '../../../../api/status';
import { phoneTail } from '../../../../parse/phones';
import { asText, isEmpty } from '../../../../utils/text';
import { DAY_MS } from '../../../../utils/time';
import type { OpenRow } from '../row';
import { farmerKeysOf, farmerOf, jobOfBooking, jobOfRow, type MatchField } from './likeness';
import { typedKey, type TypedRow } from './typedRow';

/** Bookings of the list that are kept; 200,000 take some 20 MB. */
const MAX_ENTRIES = 200_000;

/** Bookings of this process whose requests are kept, for a day at most. */
const MAX_MADE = 20_000;

/** New bookings of others that are kept as they came. */
const MAX_ARRIVALS = 5_000;

/** The latest records, by which it is judged what the service shows. */
const MAX_SAMPLES = 1_000;

/** For how long a service may not show what it booked. In milliseconds. */
export const DOUBT_MS = 900_000;

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

/** A booking that this process made, with its row. */
export interface Made extends TypedRow {
	/** The row as it was typed, see `typedKey`. */
	typed: string;
	/** As `now()` gives it. */
	at: number;
}

/** A record as rows and messages name it: by `bookingID`, and with its `serviceType`, whatever the service calls them. */
export function normalizeRecord(record: IDataObject, key?: BookingKey): IDataObject {
	const bookingID = identifierOf(record, 'booking') ?? key;
	return { ...record, bookingID, serviceType: serviceOfBooking(record) };
}

/** A booking in one short string: phone, name, date, and whether anything may still become of it. */
function pack(record: Readonly<Partial<Record<string, unknown>>>): string {
	const { farmerPhone: phone = '', farmerName = '' } = farmerOf(record);
	const state = isFinal(record.bookingStatus) ? 'final' : 'open';
	// Joined, and not added, so that no part of the record is kept with it.
	return [phoneTail(phone), farmerName, asText(record.serviceDate), state].join('\t');
}

/**
 * Says of an entry, as `pack` gives it, whether the booking may be that of one of the rows: it has the phone or the name of
 * one, and the day of one or may be moved to it.
 */
export function matcherFor(rows: readonly OpenRow[]): (entry: string) => boolean {
	const jobs = rows.map(jobOfRow);
	const phones = new Set(jobs.map(({ farmerPhone }) => farmerPhone && phoneTail(farmerPhone)));
	const names = new Set(jobs.map(({ farmerName }) => farmerName));
	const days = new Set(jobs.map(({ serviceDate }) => serviceDate));
	const isOfAnyone = rows.some((row) => !comparesFarmer(row));
	const isAnyDay = rows.some(({ settings }) => !settings.matchFields.includes('serviceDate'));
	return (entry) => {
		const [phone, name, date = '', state] = entry.split('\t');
		const mayBeOn = isAnyDay || days.has(date) || !/^\d{4}-\d\d-\d\d$/.test(date);
		const mayBeMoved = phones.has(phone) && state === 'open';
		return mayBeMoved || (mayBeOn && (isOfAnyone || phones.has(phone) || names.has(name)));
	};
}

/** Whether a row is compared by its farmer. */
export function comparesFarmer({ settings: { matchFields } }: OpenRow): boolean {
	return matchFields.includes('farmerPhone') || matchFields.includes('farmerName');
}

/** Drops the oldest entries of a map, until it has room and none is over. */
function dropOldest<Key, Value>(
	map: Map<Key, Value>,
	max: number,
	isOver: (value: Value) => boolean = () => false,
): void {
	for (const [key, value] of map) {
		if (map.size <= max && !isOver(value)) return;
		map.delete(key);
	}
}

/**
 * Rules 3 and 9: what this process knows of the bookings of one key: an index of the list, so that it is not read again as a whole, and
 * what the process booked itself, which the list may show late.
 */
export class BookingIndex {
	/** Undefined until the list was read. */
	shape?: ListShape;

	/** Number of bookings that appeared in the list so far; `arrivedSince` counts from it. */
	listed = 0;

	/** By `pack`, from the oldest to the newest, if the list has an order. */
	private readonly entries = new Map<BookingKey, string>();

	private readonly made = new Map<BookingKey, Made>();

	/** The bookings that appeared after the first reading, with `listed` as it was then. */
	private readonly arrivals = new Map<BookingKey, { place: number; record: IDataObject }>();

	private readonly samples: IDataObject[] = [];

	/** Whether some booking shows a field so that rows can be compared by it; true while there are no bookings. */
	isShown(field: MatchField, timezone: string): boolean {
		const shows = (record: IDataObject) => jobOfBooking(record, timezone)[field] !== undefined;
		return this.samples.length === 0 || this.samples.some(shows);
	}

	/** Whether a booking was seen in the list. */
	isListed(key: BookingKey | undefined): boolean {
		return key !== undefined && this.entries.has(key);
	}

	/** Whether the process made a booking, or saw it in the list before `listed` was higher than `place`. */
	isKnown(key: BookingKey = '', place = Infinity): boolean {
		const isNew = (this.arrivals.get(key)?.place ?? 0) > place;
		return this.made.has(key) || (this.entries.has(key) && !isNew);
	}

	/** Whether the process made a booking so lately that the service may not know it yet. */
	isYoung(key: BookingKey): boolean {
		return now() - (this.made.get(key)?.at ?? -Infinity) < DOUBT_MS;
	}

	/** Takes in a record of the list. */
	add(listed: IDataObject): void {
		const record = normalizeRecord(listed);
		this.samples.push(record);
		if (this.samples.length > 2 * MAX_SAMPLES) this.samples.splice(0, MAX_SAMPLES);
		const key = keyOfBooking(listed);
		if (key === undefined) return;
		if (!this.isListed(key)) {
			this.listed += 1;
			// Before the first reading ends, all are new.
			if (this.shape && !this.made.has(key)) this.arrivals.set(key, { place: this.listed, record });
			dropOldest(this.arrivals, MAX_ARRIVALS);
		}
		this.entries.set(key, pack(this.complete(record)));
	}

	/** Remembers a booking that the process made. */
	remember(key: BookingKey, row: TypedRow): void {
		const { request, serviceName, wantsNearest } = row;
		this.made.set(key, { request, serviceName, wantsNearest, typed: typedKey(row), at: now() });
		dropOldest(this.made, MAX_MADE, ({ at }) => now() - at >= DAY_MS);
	}

	forget(key: BookingKey): void {
		this.entries.delete(key);
		this.made.delete(key);
	}

	/** The bookings that are wanted, as they were listed or as this process made them. @param isWanted see `matcherFor` */
	find(isWanted: (entry: string) => boolean): Set<BookingKey> {
		const found = new Set<BookingKey>();
		for (const [key, entry] of this.packed()) if (isWanted(entry)) found.add(key);
		return found;
	}

	/** Finds the bookings that have the phone or the name of a row, whatever their day and status. */
	ofFarmers(rows: readonly OpenRow[]): (row: OpenRow) => BookingKey[] {
		const keysOf = (row: OpenRow) => farmerKeysOf(farmerOf(row.request));
		const found = new Map(rows.flatMap(keysOf).map((key) => [key, [] as BookingKey[]]));
		for (const [key, entry] of this.packed()) {
			const [farmerPhone, farmerName] = entry.split('\t');
			for (const farmer of farmerKeysOf({ farmerPhone, farmerName })) found.get(farmer)?.push(key);
		}
		return (row) => [...new Set(keysOf(row).flatMap((key) => found.get(key) ?? []))];
	}

	private *packed(): Iterable<[BookingKey, string]> {
		yield* this.entries;
		for (const [key, { request }] of this.made) yield [key, pack(request)];
	}

	/** How a booking was made by this process; undefined if it was not, or more than a day ago. */
	madeOf(booking: IDataObject): Made | undefined {
		return this.made.get(keyOfBooking(booking) ?? '');
	}

	/** A record; what it does not show is taken from the request with which this process made it. */
	complete(record: IDataObject): IDataObject {
		const request = this.madeOf(record)?.request;
		if (!request) return record;
		const farmer: Partial<Record<string, string>> = farmerOf(record);
		const isShown = ([field, value]: [string, unknown]) =>
			field in farmer ? farmer[field] !== undefined : !isEmpty(value);
		return { ...request, ...Object.fromEntries(Object.entries(record).filter(isShown)) };
	}

	/** The bookings that the process did not make and that appeared in the list after `listed` was `place`. */
	arrivedSince(place: number): IDataObject[] {
		return [...this.arrivals]
			.filter(([key, arrival]) => arrival.place > place && !this.made.has(key))
			.map(([, { record }]) => record);
	}

	/** If there is no room left, drops bookings of past service dates: past rows are never sent. */
	trim(): void {
		if (this.entries.size <= MAX_ENTRIES) return;
		const today = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
		for (const [key, entry] of this.entries) {
			const [, , date = ''] = entry.split('\t');
			if (/^\d{4}-\d\d-\d\d/.test(date) && date < today) this.entries.delete(key);
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
