import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../utils/text';
import type { ReadyRow } from './chooseTractors';
import { ExistingBookings } from './existingBookings';
import type { KnownBookings } from './knownBookings';
import { Comparison } from './match';
import { candidatesFor } from './pairs';

/** A row whose answer was lost, and a booking that has appeared since and is its own, or may be. */
export interface FoundRow {
	row: ReadyRow;
	booking: IDataObject;
	/** Why it may not be its own; undefined if it is. */
	doubt?: string;
}

/**
 * Finds rows whose answers were lost among the bookings that have appeared since they were sent. Those of earlier
 * executions are looked for, too, so that none takes the booking of another one.
 *
 * @param timezone see `RecordFormat`
 */
export function findLost(known: KnownBookings, timezone: string): FoundRow[] {
	const { format, lostRows } = known;
	if (lostRows.length === 0) return [];
	const reader = format.in(timezone);
	const candidates = lostRows.flatMap(({ row, place }) =>
		place === undefined
			? []
			: candidatesFor(row, new ExistingBookings(known.arrivedSince(place), reader)),
	);
	const comparison = new Comparison(reader, candidates);
	return lostRows.flatMap(({ row }) => {
		const pair = comparison.pairs.get(row);
		if (!pair) return [];
		const { booking } = pair;
		const doubt = comparison.doubtOf(pair);
		const name = `booking ${asText(booking.bookingID)}`;
		return [{ row, booking, doubt: doubt && `${name} may be the one: ${doubt.text}` }];
	});
}
