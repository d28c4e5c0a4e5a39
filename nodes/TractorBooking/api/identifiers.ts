import type { IDataObject } from 'n8n-workflow';

/** What a record is about. */
export type RecordKind = 'booking' | 'tractor' | 'contract';

/** The names of identifiers (interface, "Resources and their fields"), in any letter case; that of contracts is not shown. */
const NAMES: Readonly<Record<RecordKind, RegExp>> = {
	booking: /^booking_?id$/i,
	tractor: /^tractor_?id$/i,
	contract: /^contract_?id$/i,
};

/** A field's value. */
type Value = IDataObject[string];

/** The value under the first name of this form that has one. */
export function valueUnder(record: IDataObject, name: RegExp): Value | undefined {
	const key = Object.keys(record).find((other) => name.test(other) && (record[other] ?? '') !== '');
	return key === undefined ? undefined : record[key];
}

/** The identifier under a name of its kind; undefined if there is none. Envelopes have a bare `id`, too. */
export function namedIdentifierOf(record: IDataObject, kind: RecordKind): Value | undefined {
	return valueUnder(record, NAMES[kind]);
}

/** Every value of a record that may be its identifier: the one under a name of its kind, then `id`. */
export function identifiersOf(record: IDataObject, kind: RecordKind): Value[] {
	const values = [namedIdentifierOf(record, kind), valueUnder(record, /^id$/i)];
	return values.filter((value) => value !== undefined);
}

/** The identifier of a record, under a name of its kind or else `id`; undefined if it has none. */
export function identifierOf(record: IDataObject, kind: RecordKind): Value | undefined {
	return identifiersOf(record, kind)[0];
}

/** The key of a booking: a whole number from 0, or any other text. */
export type BookingKey = number | string;

/**
 * What records are compared by: their identifier, as a number if it is a whole one from 0 or the text of one (`007` is 7),
 * else as text.
 *
 * @returns undefined if it is empty, or neither a number nor a text
 */
export function toKey(identifier: unknown): BookingKey | undefined {
	if (typeof identifier !== 'number' && typeof identifier !== 'string') return undefined;
	const text = String(identifier).trim();
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	return Number.isSafeInteger(number) ? number : text || undefined;
}

/** What a booking record is compared by, see {@link toKey}; undefined if it has no identifier. */
export function keyOfBooking(record: IDataObject): BookingKey | undefined {
	return toKey(identifierOf(record, 'booking'));
}
