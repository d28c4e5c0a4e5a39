import { showValue } from '../../../parse/issue';
import { asText } from '../../../utils/text';
import type { BookedBefore, Doubt } from './existingBookings';
import type { Row } from './rows';
import { complain } from './rows';
import { matchKey } from './matchKey';

function refuse(row: Row, problem: string): void {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	complain(row, 'row', undefined, problem, fix);
}

function refuseInDoubt(row: Row, { booking, unreadable }: Doubt): void {
	const values = unreadable.map((field) => `${field} ${showValue(booking[field])}`).join(' and ');
	const problem = `may be booked already: booking ${asText(booking.bookingID)} is the same but for its ${values}, which cannot be read`;
	const fix = 'look at that booking, then remove the row or set If Already Booked to Create Anyway';
	complain(row, 'row', undefined, problem, fix);
}

/** Finds the rows that are booked already, or that repeat an earlier row of the input. */
export function markRepeats(rows: readonly Row[], booked: BookedBefore): void {
	const earlier = new Map<string, Row>();
	for (const row of rows) {
		const { ifAlreadyBooked, matchFields } = row.settings;
		const key = matchKey(row.request, matchFields);
		if (key === undefined) {
			const empty = matchFields.filter((field) => matchKey(row.request, [field]) === undefined);
			const problem = 'is empty, so nobody can tell whether the row is booked already';
			const fix =
				'fill it in, choose other match fields, or set If Already Booked to Create Anyway';
			for (const field of empty) complain(row, field, undefined, problem, fix);
			continue;
		}
		const same = matchFields.join(' and ');
		const group = JSON.stringify([matchFields, key]);
		[row.existing] = booked.matching(row.request, matchFields);
		const [doubt] = row.existing ? [] : booked.inDoubt(row.request, matchFields);
		if (doubt) {
			refuseInDoubt(row, doubt);
			continue;
		}
		row.repeats = earlier.get(group);
		if (!row.repeats) earlier.set(group, row);

		if (ifAlreadyBooked !== 'fail') continue;
		if (row.existing) {
			refuse(
				row,
				`is booked already: booking ${asText(row.existing.bookingID)} has the same ${same}`,
			);
		} else if (row.repeats) {
			refuse(row, `has the same ${same} as row ${row.repeats.sheetRow}`);
		}
	}
}
