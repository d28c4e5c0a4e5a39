import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import type { BookingKey } from '../../../../api/identifiers';
import { identifierOf, keyOfBooking } from '../../../../api/identifiers';
import { serviceOfBooking } from '../../../../api/services';
import { isFinal } from '../../../../api/status';
import type { BookingRequest } from '../fields';
import { phoneTail } from '../../../../parse/phones';
import { asText, isEmpty } from '../../../../utils/text';
import { DAY_MS } from '../../../../utils/time';
import { farmerOf, type Job } from './likeness';
import { jobOfRow } from './pairs';
import { RecordFormat } from './recordFormat';
import type { OpenRow, ReadyRow } from '../row';

/** Bookings of the list that are kept; 200,000 take some 20 MB. */
const MAX_ENTRIES = 200_000;

/** Bookings of this process whose requests are kept, for a day at most. */
const MAX_MADE = 20_000;

/** New bookings of others that are kept as they came. */
const MAX_ARRIVALS = 5_000;

/** For how long a booking may be missing from the list, and a lost one in doubt. In milliseconds. */
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
	/** By how much the service's count is higher than the number of bookings that came. */
	surplus?: number;
	readAt: number;
}

/** A record as rows and messages name it: by `bookingID`, and with its `serviceType`, whatever the service calls them. */
export function named(record: IDataObject, key?: BookingKey): IDataObject {
	const bookingID = identifierOf(record, 'booking') ?? key;
	return { ...record, bookingID, serviceType: serviceOfBooking(record) };
}

/** A booking in one short string: phone, name, date, and whether anything may still become of it. */
function pack(record: IDataObject): string {
	const { farmerPhone: phone = '', farmerName = '' } = farmerOf(record);
	const state = isFinal(record.bookingStatus) ? 'final' : 'open';
	// Joined, and not added, so that no part of the record is kept with it.
	return [phoneTail(phone), farmerName, asText(record.serviceDate), state].join('\t');
}

/** Says of an entry, as `pack` gives it, whether the booking may be that of one of the rows, or of the same farmer. */
export function soughtBy(rows: readonly OpenRow[]): (entry: string) => boolean {
	const fields = rows.map(({ settings }) => settings.matchFields);
	// If a row has neither a phone nor a name to find its booking by, it may be any.
	const isEverything = fields.some(
		(matchFields) => !matchFields.includes('farmerPhone') && !matchFields.includes('farmerName'),
	);
	const isAnyDay = !fields.every((matchFields) => matchFields.includes('serviceDate'));
	const jobs = rows.map(jobOfRow);
	const phones = new Set(jobs.map(({ farmerPhone }) => farmerPhone && phoneTail(farmerPhone)));
	const names = new Set(jobs.map(({ farmerName }) => farmerName));
	const days = new Set(jobs.map(({ serviceDate }) => serviceDate));
	return (entry) => {
		const [phone = '', name = '', date = '', state] = entry.split('\t');
		const isOfPhone = phones.has(phone);
		const mayBeOn = isAnyDay || days.has(date) || !/^\d{4}-\d\d-\d\d$/.test(date);
		// What is under way may be moved to another day.
		const mayBeMoved = isOfPhone && state === 'open';
		// Without a phone, it may be of any farmer whose name is misspelt.
		const mayBeOfFarmer = isOfPhone || phone === '' || names.has(name);
		return isEverything || mayBeMoved || (mayBeOfFarmer && mayBeOn);
	};
}

/** A booking that this process made. */
interface Made {
	request: BookingRequest;
	/** When, in milliseconds. */
	at: number;
	/** The request as `pack` gives it. */
	entry: string;
}

/** A row that was sent, and of which no response says whether it was booked. */
export interface LostRow {
	row: ReadyRow;
	/** In milliseconds since 1970. */
	sentAt: number;
	/** How many bookings were listed before; undefined if the row was not compared with them. */
	place?: number;
}

/**
 * What this process knows of the bookings of one key: an index of the list, so that it is not read again as a whole;
 * what the process booked itself, which the list may show late; and what it sent without learning the outcome.
 */
export class KnownBookings {
	/** How the service writes its records. */
	readonly format = new RecordFormat();

	/** Undefined until the list was read. */
	shape?: ListShape;

	/** When the list or its newest end was last read, or tried to be, in milliseconds since 1970. */
	endReadAt = -Infinity;

	/** Number of bookings that appeared in the list so far; `arrivedSince` counts from it. */
	listed = 0;

	/** From the oldest to the newest, if the list has an order. */
	private readonly entries = new Map<BookingKey, string>();

	private readonly made = new Map<BookingKey, Made>();

	private lost: LostRow[] = [];

	private arrivals: Array<{ place: number; key: BookingKey; record: IDataObject }> = [];

	/** Whether a booking was seen in the list. */
	isListed(key: BookingKey | undefined): boolean {
		return key !== undefined && this.entries.has(key);
	}

	/** Whether the process made a booking, or saw it in the list before `listed` was higher than `place`. */
	isKnown(key: BookingKey = '', place = Infinity): boolean {
		const isNew = this.arrivals.some((arrival) => arrival.key === key && arrival.place > place);
		return this.made.has(key) || (this.entries.has(key) && !isNew);
	}

	/** Whether the process made a booking so lately that the service may not know it yet. */
	isYoung(key: BookingKey): boolean {
		return Date.now() - (this.made.get(key)?.at ?? -Infinity) < DOUBT_MS;
	}

	/** Takes in a record of the list. */
	add(listed: IDataObject): void {
		const key = keyOfBooking(listed);
		const record = named(listed);
		this.format.isListed = true;
		this.format.learn(record);
		if (key === undefined) return;
		if (!this.isListed(key)) {
			this.listed += 1;
			// Before the first reading ends, all are new.
			if (this.shape && !this.made.has(key))
				this.arrivals.push({ place: this.listed, key, record });
			if (this.arrivals.length > MAX_ARRIVALS) this.arrivals.splice(0, MAX_ARRIVALS / 2);
		}
		this.entries.set(key, pack(this.complete(record)));
	}

	/** Remembers a booking that the process made. */
	remember(key: BookingKey, request: BookingRequest): void {
		this.made.set(key, { request, at: Date.now(), entry: pack({ ...request }) });
		for (const [oldest, { at }] of this.made) {
			if (this.made.size <= MAX_MADE && Date.now() - at < DAY_MS) break;
			this.made.delete(oldest);
		}
	}

	forget(key: BookingKey): void {
		this.entries.delete(key);
		this.made.delete(key);
	}

	/** The bookings that are sought, as they were listed or as this process made them. @param isSought see `soughtBy` */
	find(isSought: (entry: string) => boolean): Set<BookingKey> {
		const found = new Set<BookingKey>();
		for (const [key, entry] of this.entries) if (isSought(entry)) found.add(key);
		for (const [key, { entry }] of this.made) if (isSought(entry)) found.add(key);
		return found;
	}

	/** The request with which this process made a booking; undefined if it did not. */
	requestOf(key: BookingKey = ''): BookingRequest | undefined {
		return this.made.get(key)?.request;
	}

	/** A record; what it does not show is taken from the request with which this process made it. */
	complete(record: IDataObject): IDataObject {
		const request = this.requestOf(keyOfBooking(record));
		if (!request) return record;
		const farmer = farmerOf(record);
		const isShown = ([field, value]: [string, unknown]) =>
			field in farmer ? farmer[field as keyof Job] !== undefined : !isEmpty(value);
		return { ...request, ...Object.fromEntries(Object.entries(record).filter(isShown)) };
	}

	/** The bookings that the process did not make and that appeared in the list since `listed` was so high. */
	arrivedSince(place: number): IDataObject[] {
		return this.arrivals
			.filter((arrival) => arrival.place > place && !this.made.has(arrival.key))
			.map(({ record }) => record);
	}

	/** Remembers a row that was sent without learning the outcome. */
	lose(lost: LostRow): void {
		this.lost = [...this.lostWithin(DAY_MS), lost];
	}

	/** The rows that were sent within so many milliseconds without learning the outcome, from the first to the last. */
	lostWithin(ms: number): readonly LostRow[] {
		return this.lost.filter(({ sentAt }) => Math.abs(Date.now() - sentAt) < ms);
	}

	/** Remembers a booking as that of a row whose response was lost. */
	resolveLost(row: ReadyRow, booking: IDataObject): void {
		this.lost = this.lost.filter((lost) => lost.row !== row);
		const key = keyOfBooking(booking);
		if (key !== undefined) this.remember(key, row.request);
	}

	/** Drops what there is no room for: of service dates in the past, since past rows are never sent. */
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

const knownByAccount = new WeakMap<object, KnownBookings>();

/** What this process knows of the bookings of a client's key at its base URL. */
export function knownBookingsOf({ account }: ServiceClient): KnownBookings {
	const known = knownByAccount.get(account) ?? new KnownBookings();
	knownByAccount.set(account, known);
	return known;
}
