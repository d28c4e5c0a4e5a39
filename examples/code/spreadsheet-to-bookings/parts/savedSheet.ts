import { withEmptyLines } from '../../sheetLines';
import { clean } from './answers';
import { bothOf, type Shown } from './outcomes';
import type { Row } from './step';
import type { NewCell } from './workbook';

/** Excel's number of a day from 2000 to 2099. */
const isDay = (value: unknown): value is number =>
	typeof value === 'number' && value > 36525 && value < 73051;

const DAY_MS = 24 * 60 * 60 * 1000;

const dateOf = (number: number) =>
	new Date(Math.floor(number - 25569) * DAY_MS).toISOString().slice(0, 10);

/** Whether Excel has exchanged no day and month: it may have, if other days are text. */
function areDaysSure(days: readonly unknown[]): boolean {
	const isText = (value: unknown) => typeof value === 'string' && value !== '';
	return !days.some(isText) || days.some((value) => isDay(value) && dateOf(value).slice(8) > '12');
}

/**
 * A day as text, since Excel's number would say nothing in the sheet that is given back. One that is in doubt has both
 * readings, and cannot be read as either.
 */
function dayText(value: number, isKnown: boolean): string {
	const date = dateOf(value);
	const [year, month = '', day = ''] = date.split('-');
	return isKnown || day === month ? date : `${date} or ${year}-${day}-${month}`;
}

/** The days of rows, as a person can read them. @param isKnown whether there is no doubt about that of the row */
export function daysIn(sheet: readonly Row[], dayColumn = '') {
	const isSure = areDaysSure(sheet.map((row) => row[dayColumn]));
	return ({ [dayColumn]: day }: Record<string, unknown>, isKnown = false) =>
		isDay(day) ? dayText(day, isSure || isKnown) : day;
}

/** A cell, also as text, as a person reads it: with a heading that says so, the number of a day is one. */
export function cellText(column: string, cell: unknown): string {
	const number = Number(cell);
	return isDay(number) && /date|day|time/i.test(column) ? dateOf(number) : clean(cell);
}

const WRITTEN = ['result', 'bookingID', 'possibleBookingIDs', 'reason'] as const;

/**
 * The sheet that is given back: as cells to be written into the list that was uploaded, and as lines.
 *
 * @param sheet the rows as they were uploaded
 * @param dayColumn column of the service date
 */
export function savedSheet(rows: readonly Shown[], sheet: readonly Row[], dayColumn = '') {
	const days = daysIn(
		rows.map(({ row }) => row),
		dayColumn,
	);
	const cellOf = (one: Shown, name: (typeof WRITTEN)[number]) => {
		// A sum below the list stays as it is.
		if (!one.isRequest) return '';
		if (name === 'reason') return bothOf(one);
		return one[name] === 'would create' ? 'can be booked' : (one[name] ?? '');
	};
	const isFilled = (name: (typeof WRITTEN)[number]) =>
		rows.some((one) => clean(cellOf(one, name)) !== '');
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
		if (dayColumn in line) line[dayColumn] = days(line, Boolean(one.bookingID || one.serviceDate));
		return { number, line };
	});
	return { cells, lines: withEmptyLines(lines) };
}
