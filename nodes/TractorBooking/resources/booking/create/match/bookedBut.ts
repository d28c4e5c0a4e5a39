import { listOf } from '../../../../parse/issue';
import type { SheetRow } from '../row';

/** Why a row that is booked already may need a person's eye. */
const REASONS = {
	gone: 'the list of bookings does not show their bookings',
	declined: 'their bookings were declined or have no tractor',
	moved: 'their bookings are on another day',
	work: 'their bookings have another service or area',
	typed: 'another name, phone, service, area, tractor or place was typed since',
} as const;

/** The rows that are booked already, and that the user has to look at, though nothing stops. */
export class BookedBut {
	private readonly rows = new Map<keyof typeof REASONS, SheetRow[]>();

	add(reason: keyof typeof REASONS, row: SheetRow): void {
		this.rows.set(reason, [...(this.rows.get(reason) ?? []), row]);
	}

	/** A sentence for each reason; without names, since it is also logged. */
	get texts(): string[] {
		return [...this.rows].map(([reason, rows]) => {
			const numbers = listOf(rows.map(({ sheetRow }) => String(sheetRow)));
			return `Already booked, but ${REASONS[reason]}: ${rows.length > 1 ? 'rows' : 'row'} ${numbers}. To book such a row as a new job, give it a new Row ID and no Booking ID, or run it alone with If Already Booked set to Create Anyway.`;
		});
	}
}
