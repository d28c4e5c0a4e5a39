import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { settle, ServiceError } from '../../../api/errors';
import { ExistingBookings } from './existingBookings';
import { keyOfBooking, knownBookingsOf, Sought } from './knownBookings';
import type { OpenRow } from './pairs';
import { fetchBookings } from './readBookings';

/** The same error; if the bookings cannot be read at all, it says how to book without them. */
function unreadable(error: ServiceError): ServiceError {
	const { kind, message, status, description = '' } = error;
	if (kind !== 'notAllowed' && kind !== 'unreadable') return error;
	const advice =
		'Without the list of bookings, rows that are booked already cannot be recognised; nothing was sent. To book without that check, set If Already Booked to Create Anyway.';
	return new ServiceError(kind, message, {
		status,
		description: kind === 'notAllowed' ? `${description} ${advice}`.trim() : advice,
	});
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now.
 *
 * @param timezone see `RecordFormat`
 * @param warn is told what does not keep the bookings from being read
 * @throws ServiceError
 */
export async function findExisting(
	client: ServiceClient,
	rows: readonly OpenRow[],
	timezone: string,
	warn: (text: string) => void,
): Promise<ExistingBookings> {
	const known = knownBookingsOf(client);
	const sought = new Sought(rows);
	const find = () => known.find(sought);
	const fetched = await settle(fetchBookings(client, { find, isListNeeded: true, warn }));
	if (fetched instanceof ServiceError) throw unreadable(fetched);
	const bookings = [...fetched.values()].map((booking) => {
		if (booking instanceof ServiceError) throw unreadable(booking);
		return known.complete(booking);
	});
	const requestOf = (booking: IDataObject) => known.requestOf(keyOfBooking(booking));
	return new ExistingBookings(bookings, known.format.in(timezone), requestOf);
}
