import type { IDataObject } from 'n8n-workflow';

import { bookingIdOf, type BookingId } from '../api/records';
import { statusCode } from '../api/status';
import { DAY_MS, dateParser, offsetMs, parseInstant } from '../parse/dates';

/** Day of an instant in a timezone (an IANA name), counted from 1970. */
export function localDay(instantMs: number, timezone: string): number {
	return Math.floor((instantMs + offsetMs(timezone, instantMs)) / DAY_MS);
}

/** A booking record, its ID, and its status. */
export interface Identified {
	bookingId: BookingId;
	booking: IDataObject;
	status: number;
}

/** @returns undefined if the record lacks an ID or a status */
export function identified(booking: IDataObject): Identified | undefined {
	const bookingId = bookingIdOf(booking);
	const status = statusCode(booking.bookingStatus);
	return bookingId === undefined || status === undefined
		? undefined
		: { bookingId, booking, status };
}

function instantOf(value: unknown, timezone: string): number | undefined {
	const instant = parseInstant(value, timezone);
	return instant.ok && instant.value > 0 ? instant.value : undefined;
}

/**
 * When a booking was made at the earliest (`createdAt`); NaN if its record does not say so. The
 * interface does not show the format: without an offset, it may be UTC, or the workflow's time.
 */
export function createdAtMs({ createdAt }: IDataObject, timezone: string): number {
	return Math.min(...['UTC', timezone].map((zone) => instantOf(createdAt, zone) ?? NaN));
}

/** When a record was last changed, to compare with another one of its service: its update or its creation; undefined if it shows neither. */
export function updatedAtMs({ updatedAt, createdAt }: IDataObject): number | undefined {
	return instantOf(updatedAt, 'UTC') ?? instantOf(createdAt, 'UTC');
}

/** Makes a function that reads the service date of a booking, as a day counted from 1970; undefined if it cannot be read. */
export function serviceDayIn(timezone: string): (booking: IDataObject) => number | undefined {
	const parse = dateParser({ timezone });
	return ({ serviceDate }) => {
		const date = parse(serviceDate);
		return date.ok ? Date.parse(date.value) / DAY_MS : undefined;
	};
}
