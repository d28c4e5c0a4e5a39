import type { IDataObject } from 'n8n-workflow';

import { identifierOf } from './records';
import { withStatusLabel } from './status';

/** The documented fields of a booking (interface, "Booking record"), and the label of its status: the most used first. */
export const BOOKING_FIELDS = [
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

/** A booking with `bookingID`, whatever the service calls it, and these fields only, as far as it has them. */
export function pickFields(
	record: IDataObject,
	fields: readonly string[] = BOOKING_FIELDS,
): IDataObject {
	const booking: IDataObject = {
		...withStatusLabel(record),
		bookingID: identifierOf(record, 'booking'),
	};
	const picked = BOOKING_FIELDS.filter((name) => name === 'bookingID' || fields.includes(name));
	const entries = picked.map((name) => [name, booking[name]] as const);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
