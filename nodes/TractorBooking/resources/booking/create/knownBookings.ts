import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { toKey } from '../../../api/identifiers';
import { bookingKeyOf } from '../../../api/lists';
import { COMPLETED, DECLINED, statusCode } from '../../../api/status';
import type { BookingRequest } from '../../../api/types';
import { asText, isEmpty } from '../../../utils/text';
import type { MatchField, MatchKey } from './matchKey';
import { isUnreadable, MATCH_FIELDS, recordKey, requestKey } from './matchKey';

/** Bookings of the list that are kept; 200,000 take some 20 MB. */
const MAX_ENTRIES = 200_000;

/** Bookings of this process whose requests are kept, for a day at most. */
const MAX_MADE = 20_000;
const DAY_MS = 86_400_000;

/** Records that are kept to judge how the service writes its fields: one for each day is enough. */
const MAX_SAMPLES = 5_000;

/** New bookings of others that are kept as they came. */
const MAX_ARRIVALS = 5_000;

/** For how long a booking may be missing from the list, and a lost one in doubt. In milliseconds. */
export const DOUBT_MS = 900_000;

/** A list that shows a booking so many milliseconds after it was made is believed not to lag. */
const PROMPT_MS = 10_000;

export type BookingKey = string | number;

/** Fields of a request that are compared. What a record does not show of them is taken from the request. */
const COMPARED = [
	'farmerPhone',
	'farmerName',
	'serviceDate',
	'serviceType',
	'landArea',
	'areaType',
] as const;

/** The list as it was when it was last read as a whole. */
export interface ListShape {
	/** Which bookings come first, by their IDs or `createdAt`; undefined if nothing tells. */
	order?: 'newest' | 'oldest';
	firstPage: number;
	/** The last page that had records. */
	lastPage: number;
	/** By how much the service's count is higher than the number of bookings that came. */
	surplus?: number;
	readAt: number;
}

/** The identifier of a booking record by which bookings are known; undefined if it has none. */
export function keyOfBooking(record: IDataObject): BookingKey | undefined {
	return toKey(bookingKeyOf(record));
}

const asIs = (value: unknown) => ({ ok: true as const, value: asText(value) });

/** The phone by which records are found; `?` if it cannot be read. */
function phoneKey(record: IDataObject): string {
	const key = recordKey(record, ['farmerPhone'], asIs);
	return key?.text ?? (isEmpty(record.farmerPhone) ? '' : '?');
}

/** A value without the character that separates values. */
function part(value: unknown): string {
	return asText(value).replaceAll('\t', ' ');
}

/** What may become of a booking: nothing any more, anything, or its place in the list is still open. */
type EntryState = 'final' | 'open' | 'unlisted';

const FINAL: ReadonlySet<unknown> = new Set([COMPLETED, DECLINED]);

/** A booking in one short string: phone, name and date, and the first letter of its state. */
function pack(record: IDataObject, isListed: boolean): string {
	const openOrFinal = FINAL.has(statusCode(record.bookingStatus)) ? 'final' : 'open';
	const state: EntryState = isListed ? openOrFinal : 'unlisted';
	// Joined, and not added, so that no part of the record is kept with it.
	return [
		phoneKey(record),
		part(record.farmerName),
		part(record.serviceDate) + state.charAt(0),
	].join('\t');
}

/** The part of a row by which bookings are sought. */
export interface Seeker {
	request: BookingRequest;
	settings: { matchFields: readonly MatchField[] };
}

/** Which bookings may be those of some rows, or of the same farmers. */
export class Sought {
	/** Whether the rows name neither phones nor farmers to find bookings by. */
	readonly isEverything: boolean;

	private readonly phones = new Set<string>();

	private readonly names = new Set<string>();

	private readonly dates?: Set<string>;

	constructor(rows: readonly Seeker[]) {
		const usable = rows.filter(
			({ request, settings }) => requestKey(request, settings.matchFields) !== undefined,
		);
		const fieldsOf = ({ settings }: Seeker) => settings.matchFields;
		if (usable.every((row) => fieldsOf(row).includes('serviceDate')))
			this.dates = new Set(usable.map(({ request }) => request.serviceDate ?? ''));
		for (const row of usable) {
			const hasPhone = fieldsOf(row).includes('farmerPhone');
			const key = requestKey(row.request, [hasPhone ? 'farmerPhone' : 'farmerName']);
			if (key) (hasPhone ? this.phones : this.names).add(key.text);
		}
		this.isEverything = usable.some(
			(row) => !fieldsOf(row).includes('farmerPhone') && !fieldsOf(row).includes('farmerName'),
		);
	}

	/** @param entry as `pack` gives it */
	includes(entry: string): boolean {
		if (this.isEverything) return true;
		const phone = entry.slice(0, entry.indexOf('\t'));
		const isUnreadable = phone === '?' && this.phones.size > 0;
		const isNamed = this.phones.has(phone) || (this.names.size > 0 && this.hasName(entry));
		if (!isNamed && !isUnreadable) return false;
		// What is under way may be moved to another day.
		return (isNamed && !entry.endsWith('f')) || this.mayBeOn(entry);
	}

	private hasName(entry: string): boolean {
		const [, farmerName] = entry.split('\t');
		return this.names.has(recordKey({ farmerName }, ['farmerName'], asIs)?.text ?? '');
	}

	private mayBeOn(entry: string): boolean {
		const date = entry.slice(entry.lastIndexOf('\t') + 1, -1);
		return !this.dates || !/^\d{4}-\d\d-\d\d$/.test(date) || this.dates.has(date);
	}
}

/** Whether numbers go down or up all the way. */
function directionOf(values: readonly number[]): ListShape['order'] {
	const goes = (isInOrder: (before: number, after: number) => boolean) =>
		values.every((value, index) => index === 0 || isInOrder(values[index - 1] ?? NaN, value));
	if (values[0] === values.at(-1)) return undefined;
	if (goes((before, after) => before >= after)) return 'newest';
	return goes((before, after) => before <= after) ? 'oldest' : undefined;
}

/** In which order records are, by their IDs, else by `createdAt`; undefined if nothing tells. */
export function orderOf(records: readonly IDataObject[]): ListShape['order'] {
	return (
		directionOf(records.map((record) => Number(bookingKeyOf(record)))) ??
		directionOf(records.map(({ createdAt }) => Date.parse(asText(createdAt))))
	);
}

/**
 * What this process knows of the bookings of one key: an index of the list, so that it is not read again as a whole;
 * what the process booked itself, which the list may show late; and what it sent without learning the outcome.
 */
export class KnownBookings {
	/** Undefined until the list was read. */
	shape?: ListShape;

	/** When the newest end was last read, in milliseconds since 1970. */
	endReadAt = -Infinity;

	/** Bookings that appeared in the list so far; where one is, for `arrivedSince`. */
	listed = 0;

	/** From the oldest to the newest, if the list has an order. */
	private readonly entries = new Map<BookingKey, string>();

	private readonly made = new Map<BookingKey, { request: BookingRequest; at: number }>();

	private unknown: Array<{ key: MatchKey; at: number }> = [];

	private arrivals: Array<{ place: number; key: BookingKey; record: IDataObject }> = [];

	private readonly samplesByShape = new Map<string, IDataObject>();

	/** Whether the list has shown a booking of this process soon after it was made. */
	private isPrompt = false;

	/** Records from which it can be judged how the service writes its fields. */
	get samples(): IDataObject[] {
		return [...this.samplesByShape.values()];
	}

	/** Whether a booking was seen in the list. */
	isListed(key: BookingKey | undefined): boolean {
		const entry = key === undefined ? undefined : this.entries.get(key);
		return entry !== undefined && !entry.endsWith('u');
	}

	isMade(key: BookingKey | undefined): boolean {
		return key !== undefined && this.made.has(key);
	}

	/** Whether the process made a booking so lately that the service may not know it yet. */
	isYoung(key: BookingKey): boolean {
		return Date.now() - (this.made.get(key)?.at ?? -Infinity) < DOUBT_MS;
	}

	/** Takes in a record of the list. */
	add(record: IDataObject): void {
		const key = keyOfBooking(record);
		this.sample(record);
		if (key === undefined) return;
		if (!this.isListed(key)) {
			this.listed += 1;
			const made = this.made.get(key);
			if (made) this.isPrompt ||= Date.now() - made.at <= PROMPT_MS;
			// Before the first reading ends, all are new.
			else if (this.shape) this.arrivals.push({ place: this.listed, key, record });
			if (this.arrivals.length > MAX_ARRIVALS) this.arrivals.splice(0, MAX_ARRIVALS / 2);
		}
		this.entries.set(key, pack(this.complete(record), true));
	}

	/** Remembers a booking that the process made. */
	remember(key: BookingKey, request: BookingRequest): void {
		this.made.set(key, { request, at: Date.now() });
		for (const [oldest, { at }] of this.made) {
			if (this.made.size <= MAX_MADE && Date.now() - at < DAY_MS) break;
			this.made.delete(oldest);
		}
		if (!this.isListed(key)) this.entries.set(key, pack({ ...request }, false));
	}

	forget(key: BookingKey): void {
		this.entries.delete(key);
		this.made.delete(key);
	}

	/** The bookings that may be those of some rows. */
	find(sought: Sought): Set<BookingKey> {
		const found = new Set<BookingKey>();
		for (const [key, entry] of this.entries) if (sought.includes(entry)) found.add(key);
		return found;
	}

	/** Whether a record may be that of some rows. */
	isSought(record: IDataObject, sought: Sought): boolean {
		return sought.includes(pack(this.complete(record), true));
	}

	/** A booking that the list does not show yet, as it was made; undefined if the process did not make it. */
	asMade(key: BookingKey): IDataObject | undefined {
		return this.made.has(key) ? this.complete({ bookingID: key }) : undefined;
	}

	/** A record, completed by the request with which this process made it. */
	complete(record: IDataObject): IDataObject {
		const made = this.made.get(keyOfBooking(record) ?? '');
		if (!made) return record;
		const complete = { ...record };
		for (const field of COMPARED) {
			const isShown =
				!isEmpty(record[field]) && !(field === 'farmerPhone' && phoneKey(record) === '?');
			if (!isShown && made.request[field] !== undefined) complete[field] = made.request[field];
		}
		return complete;
	}

	/**
	 * The bookings that the process did not make and that appeared in the list since `listed` was so high.
	 */
	arrivedSince(place: number): IDataObject[] {
		return this.arrivals
			.filter((arrival) => arrival.place > place && !this.made.has(arrival.key))
			.map(({ record }) => record);
	}

	/** Whether the list is known to show by now what was made some seconds ago. */
	get showsNewBookings(): boolean {
		return this.isPrompt && ![...this.made.keys()].some((key) => !this.isListed(key));
	}

	/** Remembers a row that was sent without learning the outcome. */
	rememberUnknown(key: MatchKey, at: number): void {
		this.unknown = this.unknown.filter((sent) => Date.now() - sent.at < DOUBT_MS);
		this.unknown.push({ key, at });
	}

	/** When a row was sent of which it is still in doubt whether it was booked; undefined if there is none. */
	unknownSince({ text, phone }: MatchKey): number | undefined {
		return this.unknown.findLast(
			({ key, at }) =>
				key.text === text && key.phone === phone && Math.abs(Date.now() - at) < DOUBT_MS,
		)?.at;
	}

	/** Drops what there is no room for: of service dates in the past, since past rows are never sent. */
	trim(): void {
		if (this.entries.size <= MAX_ENTRIES) return;
		const today = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
		for (const [key, entry] of this.entries) {
			const date = entry.slice(entry.lastIndexOf('\t') + 1, -1);
			if (/^\d{4}-\d\d-\d\d/.test(date) && date < today) this.entries.delete(key);
			if (this.entries.size <= MAX_ENTRIES * 0.9) return;
		}
		// No booking may be forgotten that a row can equal: then the list is read as a whole each time.
		if (this.entries.size > MAX_ENTRIES && this.shape) this.shape.order = undefined;
	}

	/** Keeps one record of each date and of each way in which the fields come. */
	private sample(record: IDataObject): void {
		const forms = MATCH_FIELDS.map((field) => {
			const value = record[field];
			if (value === undefined) return 'absent';
			if (field === 'serviceDate') return asText(value);
			if (isEmpty(value)) return 'empty';
			// A name can always be read.
			return field !== 'farmerName' && isUnreadable(record, field, asIs)
				? 'unreadable'
				: 'readable';
		});
		const shape = forms.join('\t');
		if (this.samplesByShape.size >= MAX_SAMPLES || this.samplesByShape.has(shape)) return;
		const shown = MATCH_FIELDS.filter((field) => record[field] !== undefined);
		this.samplesByShape.set(
			shape,
			Object.fromEntries(shown.map((field) => [field, record[field]])),
		);
	}
}

const knownByAccount = new WeakMap<object, KnownBookings>();

/** What this process knows of the bookings of a client's key at its base URL. */
export function knownBookingsOf({ account }: ServiceClient): KnownBookings {
	const known = knownByAccount.get(account) ?? new KnownBookings();
	knownByAccount.set(account, known);
	return known;
}
