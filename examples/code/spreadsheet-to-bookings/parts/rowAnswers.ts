import { clean, textOf, type Answers } from './answers';
import type { AskedRow, Row, State } from './step';

/** What a row may be answered to be, other than a booking: `is 5001`. */
export const [SAME, ANOTHER, LATER] = ['same', 'another', 'later'];

/** Under what the answer about a row stands: a row may be asked about again, for another booking. */
export const rowKey = ({ row, bookings, earlier, needsPlot }: AskedRow): `row ${string}` => {
	const ids = bookings.map(({ bookingID }) => bookingID);
	return `row ${JSON.stringify([row, ids, earlier?.row ?? 0, needsPlot])}`;
};

/** The same for the plot of that row, or of the earlier one. */
export const plotKey = (asked: AskedRow, row: number): `plot ${string}` =>
	`plot ${row} ${rowKey(asked)}`;

export const isOfRow = (key: string): boolean => key.startsWith('row ') || key.startsWith('plot ');

/** The answers that hold for other lists, too. */
export const answersToKeep = (answers: Answers): Answers =>
	Object.fromEntries(Object.entries(answers).filter(([key]) => !isOfRow(key)));

/** What the cell of the Booking ID says once the row is none of these bookings, either. */
function denialIn(cell: unknown, ids: readonly unknown[]): string {
	const said = clean(cell);
	const denied = said.toLowerCase().startsWith('not ') ? `${said},` : 'not';
	return `${denied} ${ids.join(', ')}`;
}

/** The rows with the answers about them in their cells, and which are the same as another one, with its number. */
export function answeredRows(sheet: readonly Row[], { answers, asked = [] }: State) {
	const cells = new Map(sheet.map((row) => [row.row_number, row]));
	const sameAs = new Map<number, number>();
	const write = (number: number, column: string, text: (cell: unknown) => string) => {
		const row = cells.get(number);
		if (row) cells.set(number, { ...row, [column]: text(row[column]) });
	};
	for (const one of asked) {
		const { row, bookings, earlier, idColumn, plotColumn, plots } = one;
		const answer = textOf(answers[rowKey(one)]);
		const ids = bookings.map(({ bookingID }) => bookingID);
		const own = ids.find((id) => answer === `is ${id}`);
		if (own !== undefined) write(row, idColumn, () => String(own));
		if (answer === SAME && earlier) sameAs.set(row, earlier.row);
		if (answer !== ANOTHER) continue;
		if (ids.length > 0) write(row, idColumn, (cell) => denialIn(cell, ids));
		for (const number of plots)
			write(number, plotColumn, () => textOf(answers[plotKey(one, number)]));
	}
	return { rows: [...cells.values()], sameAs };
}
