import { asText } from '../../nodes/TractorBooking/utils/text';

const DENIAL = /^\W*not ([\w, -]*)/i;

/** Whether a Booking ID says which bookings the row is not. */
export const isDenial = (cell: unknown): boolean => DENIAL.test(asText(cell));

/** What the cell of the Booking ID says once the row is none of these bookings, either. */
export function denialIn(cell: unknown, ids: readonly unknown[]): string {
	const [, said = ''] = DENIAL.exec(asText(cell)) ?? [];
	const denied = [...said.split(','), ...ids.map(asText)].map((id) => id.trim()).filter(Boolean);
	return `not ${[...new Set(denied)].join(', ')}`;
}
