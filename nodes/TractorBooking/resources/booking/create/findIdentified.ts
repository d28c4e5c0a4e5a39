import type { ServiceClient } from '../../../api/client';
import { ServiceError } from '../../../api/errors';
import { toKey } from '../../../api/identifiers';
import { statusLabel } from '../../../api/status';
import type { BookingKey } from './knownBookings';
import type { AlreadyBookedRow } from './match';
import { fetchBookings } from './readBookings';
import type { IdentifiedRow, RejectedRow } from './rows';
import { issueIn, rejected } from './rows';

function unknown(row: IdentifiedRow): RejectedRow {
	const problem = 'is unknown, or belongs to another organisation';
	const fix =
		'correct it, or empty the cell if the row is not booked yet; if the column holds numbers of your own, rename it';
	return rejected(row, [issueIn(row, 'bookingID', row.bookingID, problem, fix)]);
}

/**
 * Finds the bookings of the rows that name one. Such a row is never sent, whatever the settings.
 *
 * @returns one row for each row, in the same order; rejected if the booking is unknown, or could not be read
 */
export async function findIdentified(
	client: ServiceClient,
	rows: readonly IdentifiedRow[],
): Promise<Array<AlreadyBookedRow | RejectedRow>> {
	const rowsOf = new Map<BookingKey, IdentifiedRow[]>();
	const keyOf = ({ bookingID }: IdentifiedRow) => toKey(bookingID) ?? bookingID;
	for (const row of rows) rowsOf.set(keyOf(row), [...(rowsOf.get(keyOf(row)) ?? []), row]);
	const find = () => new Set(rowsOf.keys());
	const bookings = await fetchBookings(client, { find, isListNeeded: false });
	return rows.map((row) => {
		const booking = bookings.get(keyOf(row));
		if (!booking) return unknown(row);
		if (booking instanceof ServiceError) return rejected(row, booking);
		const others = (rowsOf.get(keyOf(row)) ?? []).filter((other) => other !== row);
		const numbers = others.map(({ sheetRow }) => sheetRow).join(', ');
		const where = others.length === 0 ? '' : `, and so does row ${numbers}`;
		const status = statusLabel(booking.bookingStatus);
		const reason = `the row names booking ${row.bookingID} (${status})${where}`;
		const { request, serviceName } = row.parsed ?? {};
		return { ...row, kind: 'alreadyBooked', request, serviceName, booking, reason };
	});
}
