import type { IDataObject } from 'n8n-workflow';

import { ServiceError, TRY_LATER } from './errors';
import { errorMessageFrom } from './responses';
import { isRecord } from '../utils/record';

export type RecordKind = 'booking' | 'tractor' | 'contract';

/** The names of identifiers (interface, "Resources and their fields"), in any letter case; that of contracts is not shown. */
const NAMES: Readonly<Record<RecordKind, RegExp>> = {
	booking: /^booking_?id$/i,
	tractor: /^tractor_?id$/i,
	contract: /^contract_?id$/i,
};

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

/** The identifier of a record, under a name of its kind or else `id`; undefined if it has none. */
export function identifierOf(record: IDataObject, kind: RecordKind): Value | undefined {
	return namedIdentifierOf(record, kind) ?? valueUnder(record, /^id$/i);
}

/** Every value of a record that may be its identifier: the one under a name of its kind, then `id`. */
export function identifiersOf(record: IDataObject, kind: RecordKind): Value[] {
	const values = [namedIdentifierOf(record, kind), valueUnder(record, /^id$/i)];
	return values.filter((value) => value !== undefined);
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

/**
 * The error for a response that is not what was asked for, with what the service says in its place.
 *
 * @param what what was asked for, e.g. `bookings` for a list of them, or `booking`
 * @param body undefined if there is nothing in place of a list
 */
export function unexpectedResponse(what: string, body?: unknown): ServiceError {
	// In the place of an empty list, a service may send null, or an empty list of an unknown name.
	const none = body === undefined ? `There may be no ${what} yet. ` : '';
	const hasReason = isRecord(body) && (body.error ?? body.errors ?? body.detail ?? body.message);
	const wanted = what.endsWith('s') ? `list of ${what}` : what;
	return new ServiceError(
		'unreadable',
		`The service answered with something that is not a ${wanted}`,
		{
			description: hasReason
				? `The service says: ${errorMessageFrom(body)}. ${TRY_LATER}`
				: `${none}Check that the base URL in the credential is the one of the service.`,
		},
	);
}

/** Names under which one record is usually wrapped. */
const RECORD_NAMES = ['data', 'results', 'result', 'booking', 'tractor'];

/** The record in a body: the body itself, what is under a usual name, or the only one of a list; undefined if there is none. */
export function findRecord(
	body: unknown,
	isIt: (record: IDataObject) => boolean,
): IDataObject | undefined {
	if (Array.isArray(body)) return body.length === 1 ? findRecord(body[0], isIt) : undefined;
	if (!isRecord(body)) return undefined;
	if (isIt(body)) return body;
	const records = RECORD_NAMES.map((name) => findRecord(body[name], isIt));
	return records.find((record) => record !== undefined);
}
