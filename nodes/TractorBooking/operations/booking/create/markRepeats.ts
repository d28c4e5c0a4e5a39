import { asText } from '../../../service/text';
import type { BookedBefore } from './bookedBefore';
import type { Row } from './rows';
import { complain } from './rows';
import { matchKey } from './sameBooking';

function refuse(row: Row, problem: string): void {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
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
