import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import { keyOfBooking, toKey } from '../api/identifiers';
import { statusCode } from '../api/status';
import { offsetMs, parseInstant } from '../parse/instants';
import { DAY_MS } from '../utils/time';

/** A booking status as it is stored: a code, an unknown text, or null if the record had none. */
export type Status = number | string | null;

/** Longer IDs and statuses are not stored: the state must stay small whatever the service sends. */
const MAX_TEXT_LENGTH = 200;

/** Day of an instant, counted from 1970. */
export function dayOf(instantMs: number): number {
	return Math.floor(instantMs / DAY_MS);
}

/** Day of an instant in a timezone (an IANA name), counted from 1970. */
export function localDay(instantMs: number, timezone: string): number {
	return dayOf(instantMs + offsetMs(timezone, instantMs));
}

/** Whether a value can be stored, and be part of an event's ID: a lone surrogate cannot. */
function isStorable(value: unknown): boolean {
	if (typeof value !== 'string') return true;
	return value.length <= MAX_TEXT_LENGTH && !/\p{Surrogate}/u.test(value);
}

/** An ID as it is compared and stored; undefined if it is none, or cannot be stored. */
export function toStoredKey(id: unknown): BookingKey | undefined {
	const key = toKey(id);
	return isStorable(key) ? key : undefined;
}

/** The ID of a booking record, see {@link toStoredKey}. */
export function storedKeyOf(booking: IDataObject): BookingKey | undefined {
	return toStoredKey(keyOfBooking(booking));
}

/**
 * The status of a record in the form that is stored and compared.
 *
 * @returns undefined if it is neither a number nor text, or cannot be stored
 */
export function toStatus(bookingStatus: unknown): Status | undefined {
	const code = statusCode(bookingStatus);
	if (code === undefined || code === null || code === '') return null;
	const isReadable = typeof code === 'number' || typeof code === 'string';
	return isReadable && isStorable(code) ? code : undefined;
}

/** An instant of a record in milliseconds, undefined if it has none. The interface does not show the format. */
function instantOf(value: unknown): number | undefined {
	// A time without an offset would be read in this machine's timezone.
	const instant = parseInstant(value, 'UTC');
	return instant.ok && instant.value > 0 ? instant.value : undefined;
}

/** When a booking was made, in milliseconds; undefined if its record does not say so. */
export function madeAt({ createdAt }: IDataObject): number | undefined {
	return instantOf(createdAt);
}

/** When a record was last changed, in milliseconds: its update or its creation; undefined if it shows neither. */
export function changedAt({ updatedAt, createdAt }: IDataObject): number | undefined {
	const instants = [instantOf(updatedAt), instantOf(createdAt)].filter((ms) => ms !== undefined);
	return instants.length > 0 ? Math.max(...instants) : undefined;
}
