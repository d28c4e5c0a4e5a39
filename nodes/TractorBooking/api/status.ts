import type { IDataObject } from 'n8n-workflow';

import { asText } from '../utils/text';
import { identifierOf } from './records';

/** Status codes and labels of a booking (interface, "States and transitions"). Transitions are not documented. */
export const BOOKING_STATUS_LABELS: ReadonlyMap<number, string> = new Map([
	[0, 'new'],
	[1, 'paired'],
	[2, 'confirmed'],
	[3, 'completed'],
	[4, 'declined'],
	[5, 'unpaired'],
	[6, 'in_progress'],
	[7, 'paused'],
	[10, 'pending_review'],
	[20, 'to_completed'],
]);

export const COMPLETED = 3;
export const DECLINED = 4;
const UNPAIRED = 5;
export const TO_COMPLETED = 20;

/**
 * The status code of a booking record, whether it came as a number, as numeric text or as its label, in any case; also
 * one that the interface does not list. Undefined for anything else.
 */
export function statusCode(bookingStatus: unknown): number | undefined {
	if (typeof bookingStatus === 'number') return bookingStatus;
	const text = typeof bookingStatus === 'string' ? bookingStatus.trim() : '';
	if (/^\d+(?:\.0+)?$/.test(text)) return Number(text);
	const written = text.toLowerCase().replace(/[\s-]+/g, '_');
	return [...BOOKING_STATUS_LABELS].find(([, label]) => label === written)?.[0];
}

/** Whether a status is final: completed or declined, after which a booking seldom changes. */
export const isFinal = (bookingStatus: unknown): boolean =>
	[COMPLETED, DECLINED].includes(statusCode(bookingStatus) ?? NaN);

/** Whether a booking was given up: declined, or without its tractor. */
export const isGivenUp = (bookingStatus: unknown): boolean =>
	[DECLINED, UNPAIRED].includes(statusCode(bookingStatus) ?? NaN);

/** The label of a status code, as in the interface; `unknown (<code>)` for any other value. */
export function statusLabel(bookingStatus: unknown): string {
	const shown = asText(bookingStatus);
	const label = BOOKING_STATUS_LABELS.get(statusCode(bookingStatus) ?? NaN);
	return label ?? (shown === '' ? 'unknown' : `unknown (${shown})`);
}

/** The booking as it came, with `bookingStatusLabel` beside `bookingStatus`. */
export function withStatusLabel(booking: IDataObject): IDataObject {
	return { ...booking, bookingStatusLabel: statusLabel(booking.bookingStatus) };
}

/** The fields of a booking record (interface, "Booking record"), and the label of its status: the most used first. */
export const RECORD_FIELDS = [
	'bookingID',
	'bookingStatus',
	'bookingStatusLabel',
	'farmerName',
	'farmerPhone',
	'serviceDate',
	'tractorPairedTo',
	'hectaresServiced',
	'createdAt',
	'updatedAt',
] as const;

/** The documented fields of a booking, as far as it has them; `bookingID` whatever the service calls it. */
export function pickFields(record: IDataObject): IDataObject {
	const booking: IDataObject = {
		...withStatusLabel(record),
		bookingID: identifierOf(record, 'booking'),
	};
	const entries = RECORD_FIELDS.map((name) => [name, booking[name]] as const);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
