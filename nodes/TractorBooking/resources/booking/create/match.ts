import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import { formatValue } from '../../../parse/issue';
import { asText } from '../../../utils/text';
import type { ReadyRow } from './chooseTractors';
import type { ExistingBookings, PossibleMatch } from './existingBookings';
import type { ParsedRow, RejectedRow, SheetRow } from './rows';
import { issueIn, rejected } from './rows';
import { MatchIndex, requestKey } from './matchKey';

/** A row that equals a booking of the organisation. */
export interface AlreadyBookedRow extends SheetRow {
	kind: 'alreadyBooked';
	request: BookingRequest;
	booking: IDataObject;
}

/** A row that equals an earlier row of the input. */
export interface DuplicateRow extends SheetRow {
	kind: 'duplicate';
	request: BookingRequest;
	earlier: SheetRow;
}

/** A row before it is matched: its tractor may be chosen already, see `isComparedByServiceName`. */
type OpenRow = ParsedRow | ReadyRow;

function asDuplicate(row: OpenRow, problem: string): RejectedRow {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	return rejected(row, [issueIn(row, 'row', undefined, problem, fix)]);
}

function withoutKey(row: OpenRow): RejectedRow {
	const problem = 'is empty, so the node cannot check whether the row is booked already';
	const fix = 'fill it in, choose other match fields, or set If Already Booked to Create Anyway';
	const empty = row.settings.matchFields.filter((field) => row.request[field] === undefined);
	const issues = empty.map((field) => issueIn(row, field, undefined, problem, fix));
	return rejected(row, row.pastDate ? [...issues, row.pastDate] : issues);
}

function asPossibleMatch(row: OpenRow, { booking, unreadable }: PossibleMatch): RejectedRow {
	const values = unreadable.map((field) => `${field} ${formatValue(booking[field])}`).join(' and ');
	const problem = `may be booked already: booking ${asText(booking.bookingID)} is the same but for its ${values}, which cannot be read`;
	const fix = 'look at that booking, then remove the row or set If Already Booked to Create Anyway';
	return rejected(row, [issueIn(row, 'row', undefined, problem, fix)]);
}

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. Only then is a service
 * date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @returns one row for each row, in the same order
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function matchRows(rows: readonly OpenRow[], existing: ExistingBookings | undefined) {
	const firstRows = new Map<string, MatchIndex<SheetRow>>();
	return rows.map((row): OpenRow | RejectedRow | AlreadyBookedRow | DuplicateRow => {
		const { request, settings, pastDate } = row;
		const { ifAlreadyBooked, matchFields } = settings;
		if (!existing || ifAlreadyBooked === 'create') {
			return pastDate ? rejected(row, [pastDate]) : row;
		}
		const key = requestKey(request, matchFields);
		if (key === undefined) return withoutKey(row);
		const same = matchFields.join(' and ');
		const [booking] = existing.matching(request, matchFields);
		if (booking) {
			const problem = `is booked already: booking ${asText(booking.bookingID)} has the same ${same}`;
			return ifAlreadyBooked === 'fail'
				? asDuplicate(row, problem)
				: { ...row, kind: 'alreadyBooked', booking };
		}
		const [possibleMatch] = existing.possibleMatches(request, matchFields);
		if (possibleMatch) return asPossibleMatch(row, possibleMatch);
		if (pastDate) return rejected(row, [pastDate]);

		const ofFields = firstRows.get(matchFields.join()) ?? new MatchIndex();
		firstRows.set(matchFields.join(), ofFields);
		const [earlier] = ofFields.find(key);
		if (!earlier) {
			ofFields.add(key, row);
			return row;
		}
		return ifAlreadyBooked === 'fail'
			? asDuplicate(row, `has the same ${same} as row ${earlier.sheetRow}`)
			: { ...row, kind: 'duplicate', earlier };
	});
}
