import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { getBooking } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { identifierOf, toKey } from '../../../api/identifiers';
import { statusLabel } from '../../../api/status';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import { asText } from '../../../utils/text';
import type { ExistingBookings } from './existingBookings';
import { knownBookingsOf } from './knownBookings';
import type { AlreadyBookedRow } from './match';
import { readAll, readEnd } from './readBookings';
import type { IdentifiedRow, RejectedRow } from './rows';
import { issueIn, rejected } from './rows';

/** Up to so many bookings are read one by one; for more, the list takes fewer requests. */
const MAX_BY_ID = 20;

async function findBookings(
	client: ServiceClient,
	ids: ReadonlySet<string>,
	existing: ExistingBookings | undefined,
): Promise<Map<string, IDataObject | ServiceError>> {
	const found = new Map<string, IDataObject | ServiceError>();
	const keep = (bookings: readonly IDataObject[]) => {
		for (const booking of bookings) found.set(asText(identifierOf(booking, 'booking')), booking);
	};
	const missing = () => [...ids].filter((id) => !found.has(id));
	keep(existing?.withIds(ids) ?? []);
	if (missing().length > MAX_BY_ID) {
		const known = knownBookingsOf(client);
		const stale = new Set(missing().map((id) => toKey(id) ?? id));
		const end = await readEnd(client, known, { stale, enough: MAX_BY_ID });
		keep(end ?? (await readAll(client, known)));
	}
	await mapConcurrent(missing(), async (id) => {
		found.set(id, await settle(getBooking(client, id)));
	});
	return found;
}

function unknown(row: IdentifiedRow): RejectedRow {
	const problem = 'is unknown, or belongs to another organisation';
	const fix =
		'correct it, or empty the cell if the row is not booked yet; if the column holds numbers of your own, rename it';
	return rejected(row, [issueIn(row, 'bookingID', row.bookingID, problem, fix)]);
}

/**
 * Finds the bookings of the rows that name one. Such a row is never sent, whatever the settings.
 *
 * @param existing the bookings that were read in this execution; undefined if none were
 * @returns one row for each row, in the same order; rejected if the booking is unknown, or could not be read
 */
export async function findIdentified(
	client: ServiceClient,
	rows: readonly IdentifiedRow[],
	existing: ExistingBookings | undefined,
): Promise<Array<AlreadyBookedRow | RejectedRow>> {
	const rowsOf = new Map<string, IdentifiedRow[]>();
	for (const row of rows) rowsOf.set(row.bookingID, [...(rowsOf.get(row.bookingID) ?? []), row]);
	const bookings = await findBookings(client, new Set(rowsOf.keys()), existing);
	return rows.map((row) => {
		const booking = bookings.get(row.bookingID);
		if (!booking) return unknown(row);
		if (booking instanceof ServiceError)
			return booking.kind === 'notFound' ? unknown(row) : rejected(row, booking);
		const others = (rowsOf.get(row.bookingID) ?? []).filter((other) => other !== row);
		const numbers = others.map(({ sheetRow }) => sheetRow).join(', ');
		const where = others.length === 0 ? '' : `, and so does row ${numbers}`;
		const status = statusLabel(booking.bookingStatus);
		const reason = `the row names booking ${row.bookingID} (${status})${where}`;
		const { request, serviceName } = row.parsed ?? {};
		const { bookingID = row.bookingID } = booking;
		const found = { ...booking, bookingID };
		return { ...row, kind: 'alreadyBooked', request, serviceName, booking: found, reason };
	});
}
