import type { IDataObject } from 'n8n-workflow';

import { keyOfBooking, type BookingKey } from '../api/records';
import { statusCode } from '../api/status';
import { DAY_MS, offsetMs, parseInstant } from '../parse/dates';

/** The code of a booking status. */
export type Status = number;

/** IDs that can be stored, since the state must stay small, and be part of an event's ID: a lone surrogate cannot. */
const STORABLE = /^\P{Surrogate}{1,200}$/u;

/** Day of an instant in a timezone (an IANA name), counted from 1970. */
export function localDay(instantMs: number, timezone: string): number {
	return Math.floor((instantMs + offsetMs(timezone, instantMs)) / DAY_MS);
}

/** The ID of a booking record as it is compared and stored; undefined if it has none, or it cannot be stored. */
export function storedKeyOf(booking: IDataObject): BookingKey | undefined {
	const key = keyOfBooking(booking);
	return typeof key === 'string' && !STORABLE.test(key) ? undefined : key;
}

/** A booking record, what it is known by, and its status. */
export interface Identified {
	key: BookingKey;
	booking: IDataObject;
	status: Status;
}

/** @returns undefined if the record lacks an ID that can be stored, or a status */
export function identified(booking: IDataObject): Identified | undefined {
	const key = storedKeyOf(booking);
	const status = statusCode(booking.bookingStatus);
	return key === undefined || status === undefined ? undefined : { key, booking, status };
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
