import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../utils/text';
import { CHECK_URL, ServiceError } from './errors';
import { quoted } from './responses';

/** The names of identifiers (interface, "Resources and their fields"), and others: the interface itself has several. */
const NAMES = {
	booking: { own: 'bookingID', others: /^booking_?id$/i },
	tractor: { own: 'TractorID', others: /^tractor_?id$/i },
} as const;

/** What identifies a record, as it came; undefined if it is absent or null. */
export function identifierOf(record: IDataObject, kind: keyof typeof NAMES): IDataObject[string] {
	const { own, others } = NAMES[kind];
	const name = own in record ? own : Object.keys(record).find((one) => others.test(one));
	return name === undefined ? undefined : (record[name] ?? undefined);
}

/** The ID of a booking as it is compared: a whole number from 0, or any other text. */
export type BookingId = number | string;

/**
 * What records are compared by: their identifier, as a number if it is a whole one from 0 or the text of one (`007` is 7),
 * else as text.
 *
 * @returns undefined if it is empty, neither a number nor a text, or a number that JavaScript has rounded
 */
export function toId(identifier: unknown): BookingId | undefined {
	const isNumber =
		typeof identifier === 'number' && Math.abs(identifier) <= Number.MAX_SAFE_INTEGER;
	if (!isNumber && typeof identifier !== 'string') return undefined;
	const text = String(identifier).trim();
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	return Number.isSafeInteger(number) ? number : text || undefined;
}

/** What a booking record is compared by, see {@link toId}. */
export const bookingIdOf = (record: IDataObject): BookingId | undefined =>
	toId(identifierOf(record, 'booking'));

/** The ID of a tractor as it is asked for; empty if it has none. */
export const tractorIdOf = (tractor: IDataObject): string =>
	asText(identifierOf(tractor, 'tractor'));

/**
 * The error for a response that is not what was asked for, e.g. `bookings` for a list of them, or `booking`.
 *
 * @param kind `notFound` for null in place of a list: there may be no such page
 * @param said what the response says instead
 */
export function unexpectedResponse(
	what: string,
	kind: 'unreadable' | 'notFound' = 'unreadable',
	said = '',
): ServiceError {
	const none = kind === 'notFound' ? `There may be no ${what} yet. ` : '';
	const wanted = what.endsWith('s') ? `list of ${what}` : what;
	const message = `The service answered with something that is not a ${wanted}`;
	return new ServiceError(kind, message, {
		description: quoted(said, `${none}${CHECK_URL}.`),
		said,
	});
}

/** The record in a body: the body itself, or what is under `data`, as in lists (interface, "List tractors (v1)"). */
export function recordIn(body: unknown): IDataObject | undefined {
	const { data = body } = isRecord(body) ? body : {};
	return isRecord(data) ? data : undefined;
}
