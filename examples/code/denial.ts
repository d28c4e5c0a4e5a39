import { asText } from '../../nodes/TractorBooking/utils/text';

/** What the cell of the Booking ID says once the row is none of these bookings, either. */
export function denialIn(cell: unknown, ids: readonly unknown[]): string {
	const said = asText(cell).trim();
	const denied = said.toLowerCase().startsWith('not ') ? `${said},` : 'not';
	return `${denied} ${ids.join(', ')}`;
}
