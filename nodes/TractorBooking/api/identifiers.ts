import type { IDataObject } from 'n8n-workflow';

/** What a record is about. */
export type RecordKind = 'booking' | 'tractor' | 'contract';

/** A field's value. */
type Value = IDataObject[string];

/** The documented names (interface, "Resources and their fields"); those of contracts are not shown. */
const DOCUMENTED: Readonly<Record<RecordKind, readonly string[]>> = {
	booking: ['bookingID'],
	tractor: ['TractorID', 'tractor_id'],
	contract: [],
};

/** Names of the identifier of a kind, in any letter case, with or without `_` or `-`. */
const NAMED: Readonly<Record<RecordKind, RegExp>> = {
	booking: /^[_-]*booking[_-]*id$/i,
	tractor: /^[_-]*tractor[_-]*id$/i,
	contract: /^[_-]*contract[_-]*id$/i,
};

/** The names of identifiers that any record may have; `_id` is the one of the record rather than of the thing. */
const BARE = [/^id$/i, /^[_-]+id$/i];

function isValue(value: Value): boolean {
	return value !== undefined && value !== null && value !== '';
}

function valuesUnder(record: IDataObject, pattern: RegExp): Value[] {
	const names = Object.keys(record).filter((name) => pattern.test(name));
	return names.map((name) => record[name]).filter(isValue);
}

/** The values under the names of a kind, the documented ones first. */
function namedValues(record: IDataObject, kind: RecordKind): Value[] {
	const documented = DOCUMENTED[kind].map((name) => record[name]).filter(isValue);
	// Nearly always it is there under its documented name.
	return documented.length > 0 ? documented : valuesUnder(record, NAMED[kind]);
}

/**
 * The identifier that a record carries under a name of its kind: `bookingID`, `booking_id`, `BookingId`, …
 *
 * @returns undefined if there is none; a bare `id` does not count, since envelopes have one, too
 */
export function namedIdentifierOf(record: IDataObject, kind: RecordKind): Value | undefined {
	return namedValues(record, kind)[0];
}

/**
 * Every value of a record that may be its identifier, the likeliest first: under the documented name, else another
 * name of its kind (any letter case, with or without `_` or `-`), under a bare `id`, and under `_id`.
 */
export function identifiersOf(record: IDataObject, kind: RecordKind): Value[] {
	const bare = BARE.flatMap((pattern) => valuesUnder(record, pattern));
	return [...namedValues(record, kind), ...bare];
}

/** The likeliest identifier of a record, see {@link identifiersOf}; undefined if it has none. */
export function identifierOf(record: IDataObject, kind: RecordKind): Value | undefined {
	return namedIdentifierOf(record, kind) ?? identifiersOf(record, kind)[0];
}

/** The key of a booking: a whole number from 0, or any other text. */
export type BookingKey = number | string;

/**
 * What records are compared by: their identifier, as a number if it is a whole one from 0 or the text of one (`007` is 7),
 * else as text.
 *
 * @returns undefined if it is empty, or neither a number nor a text
 */
export function toKey(identifier: unknown): number | string | undefined {
	if (typeof identifier === 'number') {
		return Number.isSafeInteger(identifier) && identifier >= 0 ? identifier : String(identifier);
	}
	if (typeof identifier !== 'string' || identifier.trim() === '') return undefined;
	const text = identifier.trim();
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	return Number.isSafeInteger(number) ? number : text;
}

/** What a booking record is compared by, see {@link toKey}; undefined if it has no identifier. */
export function keyOfBooking(record: IDataObject): BookingKey | undefined {
	return toKey(identifierOf(record, 'booking'));
}
