import { formatValue } from '../../../parse/issue';
import { labelOf, listOf } from '../../../parse/labels';
import type { CheckedRow } from './row';
import { rowsName } from './stop';

/** Rows of one day that one tractor can hardly serve. */
const MANY_ROWS = 6;

const named = (values: Iterable<unknown>) => listOf([...values].map(formatValue));

function unusedNotice(columns: readonly string[]): string | undefined {
	return columns.length === 0
		? undefined
		: `Not used: ${named(columns)}; to use one, map it under Options > Column Mapping.`;
}

/** In which rows something is; of one item alone, that is clear. */
const inRows = (some: readonly CheckedRow[], all: readonly CheckedRow[]) =>
	all.length > 1 ? ` in ${rowsName(some).toLowerCase()}` : '';

function leftOutNotice(rows: readonly CheckedRow[]): string | undefined {
	const without = rows.filter((row) => row.leftOut?.length);
	const issues = without.flatMap(({ leftOut = [] }) => leftOut);
	const [first] = issues;
	if (!first) return undefined;
	const values = new Set(issues.map(({ value }) => value));
	return `${labelOf(first.field)} left out: ${named(values)}${inRows(without, rows)}; to send it, ${first.fix}.`;
}

function notesNotice(rows: readonly CheckedRow[]): string | undefined {
	const notes = rows
		.filter((row) => row.kind === 'finished')
		.filter(({ note }) => note !== undefined);
	return notes.length === 0
		? undefined
		: `Taken for notes or totals: ${listOf(notes.map(({ sheetRow, note }) => `row ${sheetRow} (${formatValue(note)})`))}.`;
}

/**
 * What the user should know of a run although it is no error: columns, rows and cells that were not used, phones without
 * a country, and many rows of one day for one tractor. Each is said once.
 *
 * @param rows the rows before they are sent
 */
export function noticesOf(rows: readonly CheckedRow[], unusedColumns: readonly string[]): string[] {
	const ready = rows.filter((row) => row.kind === 'ready');
	const local = ready.filter(({ request }) => request.farmerPhone?.startsWith('+') === false);
	const counts = new Map<string, number>();
	for (const { tractorId, serviceDate } of ready.map(({ request }) => request)) {
		const place = `to tractor ${tractorId} on ${serviceDate}`;
		if (serviceDate) counts.set(place, (counts.get(place) ?? 0) + 1);
	}
	const crowded = [...counts].filter(([, count]) => count >= MANY_ROWS);
	return [
		unusedNotice(unusedColumns),
		notesNotice(rows),
		leftOutNotice(rows),
		local.length > 0 &&
			`Phone without a country code${inRows(local, rows)}: the farmer may get no SMS; choose a Phone Country, or write it in international form.`,
		crowded.length > 0 &&
			`Many rows of one day for one tractor: ${listOf(
				crowded.map(([place, count]) => `${count} ${place}`),
			)}; to limit them, set Options > Rows per Tractor and Day.`,
	].filter((notice) => notice !== undefined && notice !== false);
}
