import type { IDataObject } from 'n8n-workflow';

import { identifierOf, toKey } from '../api/identifiers';
import { COMPLETED, DECLINED, statusCode } from '../api/status';

/** The ID of a booking: a whole number from 0, or any other text. */
export type BookingKey = number | string;

/** A booking status as it is stored: a code, an unknown text, or null if the record had none. */
export type Status = number | string | null;

const DAY_MS = 86_400_000;

/** Statuses after which bookings seldom change; their pages are not read at every poll. */
const FINAL_STATUSES: ReadonlySet<Status> = new Set([COMPLETED, DECLINED]);

/** Days without activity after which a booking is idle, whatever its status. */
const IDLE_AFTER_DAYS = 30;

/** Whether bookings with this status usually stay as they are. */
export function isFinal(status: Status): boolean {
	return FINAL_STATUSES.has(status);
}

/** Day of an instant, counted from 1970. */
export function dayOf(instantMs: number): number {
	return Math.floor(instantMs / DAY_MS);
}

/** Whether a booking whose last activity was on the day `active` may still change on the day `today`. */
export function mayMove(active: number, today: number): boolean {
	return active > 0 && today <= active + IDLE_AFTER_DAYS;
}

/**
 * The ID of a booking (`api/identifiers.ts`): a whole number if it is one (or its text is), else as text.
 *
 * @returns undefined for a record without one
 */
export function bookingKey(booking: IDataObject): BookingKey | undefined {
	return toKey(identifierOf(booking, 'booking'));
}

/** The status of a record in the form that is stored and compared. */
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
 * Day of the last activity in a record: the latest of its update, its creation and its service date, which may be in
 * the future. 0 if it has none. The interface does not show the formats, so values that are not dates are ignored.
 */
export function activityOf({ updatedAt, createdAt, serviceDate }: IDataObject): number {
	return Math.max(dayOfField(updatedAt), dayOfField(createdAt), dayOfField(serviceDate), 0);
}
