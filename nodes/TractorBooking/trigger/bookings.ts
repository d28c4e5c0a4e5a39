import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import { identifierOf, toKey } from '../api/identifiers';
import { isFinal, statusCode } from '../api/status';
import { offsetMs, parseInstant } from '../parse/instants';
import { DAY_MS } from '../utils/time';

/** A booking status as it is stored: a code, an unknown text, or null if the record had none. */
export type Status = number | string | null;

/** After so many days without activity, a booking is not expected to change. */
const IDLE_AFTER_DAYS = 30;

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

/** Whether a text can be stored: a lone surrogate cannot. */
function isStorable(text: string): boolean {
	return text.length <= MAX_TEXT_LENGTH && !/\p{Surrogate}/u.test(text);
}

/**
 * An ID as the trigger asks for bookings and compares them: a whole number if it is one, or is written as one; else
 * text. `007` stays text, unlike in {@link toKey}: a service may not know it as 7.
 *
 * @returns undefined if it is not an ID, or cannot be stored
 */
export function toExactKey(id: unknown): BookingKey | undefined {
	const key = toKey(id);
	const isPadded = typeof key === 'number' && typeof id === 'string' && id.trim() !== String(key);
	const asked = isPadded ? id.trim() : key;
	return typeof asked === 'string' && !isStorable(asked) ? undefined : asked;
}

/** The ID of a booking record, see {@link toExactKey}; undefined if it has no usable one. */
export function exactKeyOf(booking: IDataObject): BookingKey | undefined {
	return toExactKey(identifierOf(booking, 'booking'));
}

/**
 * The status of a record in the form that is stored and compared.
 *
 * @returns undefined if it is neither a number nor text, or cannot be stored
 */
export function toStatus(bookingStatus: unknown): Status | undefined {
	const code = statusCode(bookingStatus);
	if (code === undefined || code === null || code === '') return null;
	if (typeof code === 'number') return code;
	return typeof code === 'string' && isStorable(code) ? code : undefined;
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

/**
 * Whether a booking may still change: it is not final, and the latest of its update, its creation and its service date,
 * which may be in the future, is not long before the day `today`, counted from 1970.
 */
export function isOpen(booking: IDataObject, today: number): boolean {
	if (isFinal(booking.bookingStatus)) return false;
	const activeMs = Math.max(changedAt(booking) ?? 0, instantOf(booking.serviceDate) ?? 0);
	return activeMs === 0 || today <= dayOf(activeMs) + IDLE_AFTER_DAYS;
}
