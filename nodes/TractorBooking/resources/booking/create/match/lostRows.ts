import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../api/errors';
import { labelsOf } from '../fields';
import { asText } from '../../../../utils/text';
import { DAY_MS } from '../../../../utils/time';
import { existingBookings } from './existingBookings';
import type { KnownBookings } from './knownBookings';
import { DOUBT_MS } from './knownBookings';
import { likeness, DISTINCTIVE_FIELDS } from './likeness';
import { doubtOf } from './match';
import { candidatesFor, jobOfRow, pairRows } from './pairs';
import type { CheckedRow, FinishedRow, ReadyRow } from '../row';
import { isCompared, rejected } from '../row';
import { firstOfEqual } from './rowKey';

/** A row whose response was lost, and a booking that has appeared since and is its own, or may be. */
export interface FoundRow {
	row: ReadyRow;
	booking: IDataObject;
	/** Why it may not be its own; undefined if it is. */
	doubt?: string;
}

/**
 * Finds rows whose responses were lost among the bookings that have appeared since they were sent. Those of earlier
 * executions are searched for, too, so that none takes the booking of another one.
 *
 * @param timezone see `RecordFormat`
 */
export function findLost(known: KnownBookings, timezone: string): FoundRow[] {
	const lostRows = known.lostWithin(DAY_MS);
	if (lostRows.length === 0) return [];
	const reader = known.format.in(timezone);
	const candidates = lostRows.flatMap(({ row, place }) =>
		place === undefined
			? []
			: candidatesFor(row, existingBookings(known.arrivedSince(place), reader)),
	);
	const pairOf = pairRows(candidates);
	return lostRows.flatMap(({ row }) => {
		const pair = pairOf.get(row);
		if (!pair) return [];
		const { booking } = pair;
		const doubt = doubtOf(pair);
		const name = `booking ${asText(booking.bookingID)}`;
		return [{ row, booking, doubt: doubt && `${name} may be the one: ${doubt}` }];
	});
}

/** In which fields a row is the same as another, if the two may be one job; undefined if they are not. */
function sameAs(row: ReadyRow, lost: ReadyRow): readonly string[] | undefined {
	const alike = likeness(jobOfRow(row), jobOfRow(lost));
	const isEqual = row.settings.matchFields.every((field) => alike[field] !== false);
	const same = DISTINCTIVE_FIELDS.filter((field) => alike[field]);
	return isEqual || same.length > 1 ? same : undefined;
}

/** The row as one that was sent before, and may be booked. @param timezone IANA name */
function asSentBefore(
	row: ReadyRow,
	same: readonly string[],
	sentAt: number,
	timezone: string,
): FinishedRow {
	const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone });
	const end = clock.format(sentAt + DOUBT_MS);
	const failure = new ServiceError(
		'interrupted',
		`A row with the same ${labelsOf(same)} was sent at ${clock.format(sentAt)}, and it is unknown whether it was booked until ${end}`,
		{ description: 'Run the row again after that, as it was: then the list of bookings decides.' },
	);
	return rejected(row, failure, 'unknown');
}

/** Rejects the rows that are one whose response was lost, or may be one that was edited since: they may be booked. */
export function rejectSentBefore(
	rows: readonly CheckedRow[],
	known: KnownBookings,
	timezone: string,
): CheckedRow[] {
	const lostRows = known.lostWithin(DOUBT_MS);
	const ready = rows.filter((row) => row.kind === 'ready').filter(isCompared);
	const firstOf = firstOfEqual([...lostRows.map(({ row }) => row), ...ready]);
	const unedited = new Set(ready.map((row) => firstOf.get(row)));
	return rows.map((row) => {
		if (row.kind !== 'ready' || !isCompared(row)) return row;
		for (const lost of lostRows) {
			const isEqual = firstOf.get(row) === lost.row;
			const same = isEqual || !unedited.has(lost.row) ? sameAs(row, lost.row) : undefined;
			if (same) return asSentBefore(row, same, lost.sentAt, timezone);
		}
		return row;
	});
}
