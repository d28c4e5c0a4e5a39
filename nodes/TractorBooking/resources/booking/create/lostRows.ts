import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../api/errors';
import { asText } from '../../../utils/text';
import type { ReadyRow } from './chooseTractors';
import { ExistingBookings } from './existingBookings';
import type { KnownBookings } from './knownBookings';
import { DOUBT_MS } from './knownBookings';
import { Comparison } from './match';
import { candidatesFor, isCompared } from './pairs';
import { firstOfEqual } from './rowKey';
import type { RejectedRow } from './rows';
import { rejected } from './rows';

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

/** The row as one that was sent before, and may be booked. @param timezone IANA name */
function inDoubt(row: ReadyRow, sentAt: number, timezone: string): RejectedRow {
	const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone });
	const end = clock.format(sentAt + DOUBT_MS);
	const failure = new ServiceError(
		'interrupted',
		`It was sent at ${clock.format(sentAt)}, and it is unknown whether it was booked until ${end}`,
		{ description: 'Run the row again after that: then the list of bookings decides.' },
	);
	return { ...rejected(row, failure), doubt: 'unknown' };
}

/** Rejects the rows that are equal to one whose answer was lost, since they may be booked. */
export function rejectInDoubt(
	rows: readonly ReadyRow[],
	{ lostRows }: KnownBookings,
	timezone: string,
): Array<ReadyRow | RejectedRow> {
	const firstOf = firstOfEqual([...lostRows.map(({ row }) => row), ...rows.filter(isCompared)]);
	return rows.map((row) => {
		const lost = lostRows.find((other) => other.row === firstOf.get(row));
		return lost ? inDoubt(row, lost.sentAt, timezone) : row;
	});
}
