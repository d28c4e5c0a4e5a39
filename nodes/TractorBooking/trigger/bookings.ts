import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import { identifierOf, toKey } from '../api/identifiers';
import { isFinal, statusCode } from '../api/status';
import { offsetMs, parseInstant } from '../parse/instants';
import { DAY_MS } from '../utils/time';

/** A booking status as it is stored: a code, an unknown text, or null if the record had none. */
export type Status = number | string | null;

/** Days without activity after which a booking is idle, whatever its status. */
const IDLE_AFTER_DAYS = 30;

/** The end of a time that was written with its offset. */
const OFFSET = /\d\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

/** Day of an instant, counted from 1970. */
export function dayOf(instantMs: number): number {
	return Math.floor(instantMs / DAY_MS);
}

/** Day of an instant in a timezone (an IANA name), counted from 1970. */
export function localDay(instantMs: number, timezone: string): number {
	return dayOf(instantMs + offsetMs(timezone, instantMs));
}

function isWellFormed(text: string): boolean {
	return !/\p{Surrogate}/u.test(text);
}

/**
 * An ID as the trigger asks for bookings and compares them: a whole number if it is one, or is written as one is; else
 * text. `007` stays text, unlike in {@link toKey}: a service may not know it as 7.
 *
 * @returns undefined if it is none, or has half of a character in it
 */
export function toExactKey(id: unknown): BookingKey | undefined {
	const key = toKey(id);
	const isPadded = typeof key === 'number' && typeof id === 'string' && id.trim() !== String(key);
	const asked = isPadded ? id.trim() : key;
	return typeof asked === 'string' && !isWellFormed(asked) ? undefined : asked;
}

/** The ID of a booking record, see {@link toExactKey}; undefined if it has no usable one. */
export function exactKeyOf(booking: IDataObject): BookingKey | undefined {
	return toExactKey(identifierOf(booking, 'booking'));
}

/**
 * The status of a record in the form that is stored and compared.
 *
 * @returns undefined if it is none: neither a number nor text, or half of a character
 */
export function toStatus(bookingStatus: unknown): Status | undefined {
	const code = statusCode(bookingStatus);
	if (code === undefined || code === null || code === '') return null;
	if (typeof code === 'number') return code;
	return typeof code === 'string' && isWellFormed(code) ? code : undefined;
}

/** An instant in milliseconds, and whether it was written with its offset. */
interface Instant {
	ms: number;
	isExact: boolean;
}

function instantOf(value: unknown): Instant | undefined {
	// A time without an offset would be read as one of this machine.
	const instant = parseInstant(value, 'UTC');
	if (!instant.ok || instant.value <= 0) return undefined;
	return {
		ms: instant.value,
		isExact: typeof value === 'number' || OFFSET.test(String(value).trim()),
	};
}

/** When a record was created; undefined if it does not show it. The interface does not show the format. */
export function createdAt({ createdAt: value }: IDataObject): Instant | undefined {
	return instantOf(value);
}

/** When a record was last changed: its update or its creation; undefined if it shows neither. */
export function changedAt(booking: IDataObject): Instant | undefined {
	const updated = instantOf(booking.updatedAt);
	const created = instantOf(booking.createdAt);
	if (!updated || !created) return updated ?? created;
	return created.ms > updated.ms ? created : updated;
}

/**
 * Whether a booking may still change: it is not final, and the latest of its update, its creation and its service date,
 * which may be in the future, is not long before the day `today`, counted from 1970.
 */
export function mayMove(booking: IDataObject, today: number): boolean {
	if (isFinal(booking.bookingStatus)) return false;
	const serviceMs = instantOf(booking.serviceDate)?.ms ?? 0;
	const activeMs = Math.max(changedAt(booking)?.ms ?? 0, serviceMs);
	return activeMs === 0 || today <= dayOf(activeMs) + IDLE_AFTER_DAYS;
}
