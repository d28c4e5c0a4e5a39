import type { IDataObject } from 'n8n-workflow';

import { COMPLETED, statusCode } from '../api/status';

/** A booking's identifier: a whole number from 0, or any other text. */
export type BookingKey = number | string;

/** A booking status as it is remembered: a code, an unknown text, or null where the record had none. */
export type Status = number | string | null;

const DAY_MS = 86_400_000;
const DECLINED = 4;

/** Statuses after which bookings seldom move: their pages are not read at every poll. */
const FINAL_STATUSES: ReadonlySet<Status> = new Set([COMPLETED, DECLINED]);

/** Days without a sign of life after which a booking is taken to be at rest, whatever its status. */
const IDLE_AFTER_DAYS = 30;

/** Whether bookings with this status usually move no more. */
export function isFinal(status: Status): boolean {
	return FINAL_STATUSES.has(status);
}

/** The day of an instant, counted from 1970. */
export function dayOf(instantMs: number): number {
	return Math.floor(instantMs / DAY_MS);
}

/** Whether a booking whose last sign of life was on the day `active` may still move on the day `today`. */
export function mayMove(active: number, today: number): boolean {
	return active > 0 && today <= active + IDLE_AFTER_DAYS;
}

/**
 * Identifier of a booking: `bookingID` as a whole number where it is one, also as text, else as text.
 *
 * @returns undefined for a record without one
 */
export function bookingKey(booking: IDataObject): BookingKey | undefined {
	return toKey(booking.bookingID);
}

/** The key of an identifier, or undefined if it is none. */
export function toKey(id: unknown): BookingKey | undefined {
	if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? id : String(id);
	if (typeof id !== 'string' || id.trim() === '') return undefined;
	const text = id.trim();
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text && number >= 0 ? number : text;
}

/** The status of a record in the form that is remembered and compared. */
export function toStatus(bookingStatus: unknown): Status {
	const code = statusCode(bookingStatus);
	if (code === undefined || code === null || code === '') return null;
	if (typeof code === 'number' || typeof code === 'string') return code;
	return JSON.stringify(code);
}

function dayOfField(value: unknown): number {
	const instant =
		typeof value === 'string' || value instanceof Date ? Date.parse(String(value)) : NaN;
	return Number.isNaN(instant) ? 0 : dayOf(instant);
}

/**
 * Day of the last sign of life that a record shows, 0 if it shows none: when it was updated, created, or
 * is to be served, which may lie ahead. The formats are not shown; what is not a date counts for nothing.
 */
export function activityOf({ updatedAt, createdAt, serviceDate }: IDataObject): number {
	return Math.max(dayOfField(updatedAt), dayOfField(createdAt), dayOfField(serviceDate), 0);
}
