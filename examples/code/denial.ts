import { asText } from '../../nodes/TractorBooking/utils/text';

/** What the cell of the Booking ID says once the row is none of these bookings, either. */
export function denialIn(cell: unknown, ids: readonly unknown[]): string {
	const [, said = ''] = /^\W*not ([\w, -]*)/i.exec(asText(cell)) ?? [];
	const denied = [...said.split(','), ...ids.map(asText)].map((id) => id.trim()).filter(Boolean);
	return `not ${[...new Set(denied)].join(', ')}`;
}
