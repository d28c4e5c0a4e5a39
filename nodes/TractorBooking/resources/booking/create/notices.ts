import { formatValue } from '../../../parse/issue';
import { labelOf, listOf } from '../../../parse/labels';
import type { CheckedRow } from './row';
import { rowsName } from './stop';

/** Rows of one day that one tractor can hardly serve. */
const MANY_ROWS = 6;

const named = (values: Iterable<unknown>) => listOf([...values].map(formatValue));

/**
 * What the user should know of a run although it is no error: columns, rows and cells that were not used, phones without
 * a country, and many rows of one day for one tractor. Each is said once.
 *
 * @param rows the rows before they are sent
 */
export function noticesOf(rows: readonly CheckedRow[], unusedColumns: readonly string[]): string[] {
	// Of one item alone, it is clear in which row something is.
	const inRows = (some: readonly CheckedRow[]) =>
		rows.length > 1 ? ` in ${rowsName(some).toLowerCase()}` : '';
	const notices: string[] = [];

	if (unusedColumns.length > 0)
		notices.push(
			`Not used: ${named(unusedColumns)}; to use one, map it under Options > Column Mapping.`,
		);

	const notes = rows
		.filter((row) => row.kind === 'finished')
		.filter(({ note }) => note !== undefined)
		.map(({ sheetRow, note }) => `row ${sheetRow} (${formatValue(note)})`);
	if (notes.length > 0) notices.push(`Taken for notes or totals: ${listOf(notes)}.`);

	const without = rows.filter((row) => row.leftOut?.length);
	const leftOut = without.flatMap((row) => row.leftOut ?? []);
	const [first] = leftOut;
	if (first) {
		const values = new Set(leftOut.map(({ value }) => value));
		notices.push(
			`${labelOf(first.field)} left out: ${named(values)}${inRows(without)}; to send it, ${first.fix}.`,
		);
	}

	const ready = rows.filter((row) => row.kind === 'ready');
	const local = ready.filter(({ request }) => request.farmerPhone?.startsWith('+') === false);
	if (local.length > 0)
		notices.push(
			`Phone without a country code${inRows(local)}: the farmer may get no SMS; choose a Phone Country, or write it in international form.`,
		);

	const counts = new Map<string, number>();
	for (const { tractorId, serviceDate } of ready.map(({ request }) => request)) {
		const place = `to tractor ${tractorId} on ${serviceDate}`;
		if (serviceDate) counts.set(place, (counts.get(place) ?? 0) + 1);
	}
	const crowded = [...counts].filter(([, count]) => count >= MANY_ROWS);
	if (crowded.length > 0) {
		const places = listOf(crowded.map(([place, count]) => `${count} ${place}`));
		notices.push(
			`Many rows of one day for one tractor: ${places}; to limit them, set Options > Rows per Tractor and Day.`,
		);
	}
	return notices;
}
