import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../utils/text';
import type { ReadyRow } from './chooseTractors';
import { ExistingBookings } from './existingBookings';
import type { KnownBookings } from './knownBookings';
import { uncertaintyOf } from './match';
import type { Pair } from './pairs';
import { candidatesFor, pairRows } from './pairs';

/** A row whose answer was lost, and a booking that has appeared since and is its own, or may be. */
export interface FoundRow {
	row: ReadyRow;
	booking: IDataObject;
	/** Why it may not be its own; undefined if it is. */
	doubt?: string;
}

function doubtAbout(pair: Pair<ReadyRow>): string | undefined {
	const { kind, alike, rivals } = pair;
	if (kind !== 'equal') return uncertaintyOf(pair);
	if (alike.farmerName === false || alike.serviceType === false)
		return 'it has another name or service';
	return rivals.length > 0 ? 'it may be that of another row without an answer' : undefined;
}

/**
 * Finds rows whose answers were lost among the bookings that have appeared since they were sent. Those of earlier
 * executions are looked for, too, so that none takes the booking of another one.
 *
 * @param timezone see `RecordFormat`
 */
export function findLost(known: KnownBookings, timezone: string): FoundRow[] {
	if (known.lostRows.length === 0) return [];
	const reader = known.format.in(timezone);
	const candidates = known.lostRows.flatMap(({ row, place }) =>
		place === undefined
			? []
			: candidatesFor(row, new ExistingBookings(known.arrivedSince(place), reader)),
	);
	const pairs = pairRows(candidates.filter(({ kind }) => kind !== 'moved'));
	return [...pairs.values()].map((pair) => {
		const { row, booking } = pair;
		const doubt = doubtAbout(pair);
		const name = `booking ${asText(booking.bookingID)}`;
		return { row, booking, doubt: doubt && `${name} may be the one, but ${doubt}` };
	});
}
