import { isTimeHeading } from '../../../../nodes/TractorBooking/utils/text';
import { dateOf, isDayNumber } from '../../sheetDays';
import { withEmptyLines } from '../../sheetLines';
import { clean } from '../../label';
import { bothOf, type Shown } from './outcomes';
import type { Row } from './step';
import type { NewCell } from './workbook';

/** A cell, also as text, as a person reads it: with a heading that says so, the number of a day is one. */
export function cellText(column: string, cell: unknown, isDate = isTimeHeading(column)): string {
	const number = Number(cell);
	return isDate && isDayNumber(number) ? dateOf(number) : clean(cell);
}

const WRITTEN = ['result', 'bookingID', 'possibleBookingIDs', 'reason'] as const;

/**
 * The sheet that is given back: as cells to be written into the list that was uploaded, and as lines.
 *
 * @param sheet the rows as they were uploaded
 * @param dayColumn column of the service date
 */
export function savedSheet(rows: readonly Shown[], sheet: readonly Row[], dayColumn = '') {
	const cellOf = (one: Shown, name: (typeof WRITTEN)[number]) => {
		// A sum below the list stays as it is.
		if (!one.isRequest) return '';
		if (name === 'reason') return bothOf(one);
		return one[name] === 'would create' ? 'can be booked' : (one[name] ?? '');
	};
	// What was said of a row that came back no longer holds.
	const isFilled = (name: (typeof WRITTEN)[number]) =>
		rows.some((one) => clean(one.row[name]) !== '' || clean(cellOf(one, name)) !== '');
	// Where a row may be a booking, a person answers in the cell beside it.
	const written = WRITTEN.filter(
		(name) => isFilled(name) || (name === 'bookingID' && isFilled('possibleBookingIDs')),
	);
	const before = new Map(sheet.map((row) => [row.row_number, row]));
	const cells: NewCell[] = [];
	const lines = rows.map((one) => {
		const { row_number: number, ...line } = one.row;
		for (const name of written) line[name] = cellOf(one, name);
		for (const [column, value] of Object.entries(line))
			if (value !== before.get(number)?.[column]) cells.push({ row: number, column, value });
		// Of another row, Excel may have exchanged day and month: then its number has to stay in doubt.
		if (isDayNumber(line[dayColumn]) && one.serviceDate) line[dayColumn] = one.serviceDate;
		return { number, line };
	});
	return { cells, lines: withEmptyLines(lines) };
}
