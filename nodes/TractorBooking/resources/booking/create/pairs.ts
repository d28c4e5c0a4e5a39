import type { IDataObject } from 'n8n-workflow';

import { COMPLETED, DECLINED, statusCode, UNPAIRED } from '../../../api/status';
import type { ReadyRow } from './chooseTractors';
import type { ExistingBookings } from './existingBookings';
import type { Likeness } from './likeness';
import { fitOf, likeness } from './likeness';
import type { ParsedRow } from './rows';

/** A row before it is matched: its tractor may be chosen already, see `needsServiceNumber`. */
export type OpenRow = ParsedRow | ReadyRow;

/** A booking that is equal to a row in the match fields. */
export interface Pair {
	row: OpenRow;
	booking: IDataObject;
	alike: Likeness;
	/** How well they fit: higher is better. */
	fit: number;
	/** Other rows that the booking fits as well, if there are too few bookings for all. */
	rivals: OpenRow[];
}

/** Whether a booking will still be served, as far as its status says. */
export function isUnfinished({ bookingStatus }: IDataObject): boolean {
	const code = statusCode(bookingStatus);
	return code !== COMPLETED && code !== DECLINED;
}

/** The name of the service of a row that has a name instead of a number. */
export function serviceNameOf(
	row: OpenRow | { kind: 'alreadyBooked'; serviceName?: string },
): string | undefined {
	return row.kind === 'ready' ? undefined : row.serviceName;
}

/** Compares a row with a booking, match fields or not. */
export function compare(row: OpenRow, booking: IDataObject): Likeness {
	return likeness({ request: row.request, serviceName: serviceNameOf(row) }, booking);
}

function pairOf(row: OpenRow, booking: IDataObject): Pair {
	const alike = compare(row, booking);
	const code = statusCode(booking.bookingStatus);
	// Of two bookings that fit equally, the row's is the one that was not given up.
	const isGivenUp = code === DECLINED || code === UNPAIRED;
	return { row, booking, alike, fit: fitOf(alike) - (isGivenUp ? 0.5 : 0), rivals: [] };
}

/**
 * Pairs rows with the bookings that are equal to them in the match fields, each booking with one row: those that fit
 * best first. A row for which none is left has the pair in which its booking fits another row as well, if there is one.
 *
 * @param counts whether a booking counts as one for a row
 */
export function pairRows(
	rows: readonly OpenRow[],
	existing: Pick<ExistingBookings, 'matching'>,
	counts: (booking: IDataObject, row: OpenRow) => boolean,
): Map<OpenRow, Pair> {
	const pairs = rows
		.flatMap((row) =>
			existing
				.matching(row.request, row.settings.matchFields)
				.filter((booking) => counts(booking, row))
				.map((booking) => pairOf(row, booking)),
		)
		.sort((a, b) => b.fit - a.fit);
	const ofRow = new Map<OpenRow, Pair>();
	const ofBooking = new Map<IDataObject, Pair>();
	for (const pair of pairs) {
		if (ofRow.has(pair.row) || ofBooking.has(pair.booking)) continue;
		ofRow.set(pair.row, pair);
		ofBooking.set(pair.booking, pair);
	}
	const left = new Set(rows.filter((row) => !ofRow.has(row)));
	for (const pair of pairs) {
		const owner = ofBooking.get(pair.booking);
		if (!left.has(pair.row) || owner?.fit !== pair.fit) continue;
		const own = ofRow.get(pair.row) ?? pair;
		ofRow.set(pair.row, own);
		own.rivals.push(owner.row);
		owner.rivals.push(pair.row);
	}
	return ofRow;
}
