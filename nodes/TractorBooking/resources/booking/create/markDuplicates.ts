import { formatValue } from '../../../parse/issue';
import { asText } from '../../../utils/text';
import type { ExistingBookings, PossibleMatch } from './existingBookings';
import type { BookingRow } from './rows';
import { addIssue } from './rows';
import { matchKey } from './matchKey';

function rejectRow(row: BookingRow, problem: string): void {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	addIssue(row, 'row', undefined, problem, fix);
}

function rejectPossibleMatch(row: BookingRow, { booking, unreadable }: PossibleMatch): void {
	const values = unreadable.map((field) => `${field} ${formatValue(booking[field])}`).join(' and ');
	const problem = `may be booked already: booking ${asText(booking.bookingID)} is the same but for its ${values}, which cannot be read`;
	const fix = 'look at that booking, then remove the row or set If Already Booked to Create Anyway';
	addIssue(row, 'row', undefined, problem, fix);
}

/** Marks the rows that are booked already, or that repeat an earlier row of the input. */
export function markDuplicates(rows: readonly BookingRow[], booked: ExistingBookings): void {
	const earlier = new Map<string, BookingRow>();
	for (const row of rows) {
		const { ifAlreadyBooked, matchFields } = row.settings;
		const key = matchKey(row.request, matchFields);
		if (key === undefined) {
			const empty = matchFields.filter((field) => matchKey(row.request, [field]) === undefined);
			const problem = 'is empty, so the node cannot check whether the row is booked already';
			const fix =
				'fill it in, choose other match fields, or set If Already Booked to Create Anyway';
			for (const field of empty) addIssue(row, field, undefined, problem, fix);
			continue;
		}
		const same = matchFields.join(' and ');
		const group = JSON.stringify([matchFields, key]);
		[row.existing] = booked.matching(row.request, matchFields);
		const [possibleMatch] = row.existing ? [] : booked.possibleMatches(row.request, matchFields);
		if (possibleMatch) {
			rejectPossibleMatch(row, possibleMatch);
			continue;
		}
		row.duplicateOf = earlier.get(group);
		if (!row.duplicateOf) earlier.set(group, row);

		if (ifAlreadyBooked !== 'fail') continue;
		if (row.existing) {
			rejectRow(
				row,
				`is booked already: booking ${asText(row.existing.bookingID)} has the same ${same}`,
			);
		} else if (row.duplicateOf) {
			rejectRow(row, `has the same ${same} as row ${row.duplicateOf.sheetRow}`);
		}
	}
}
