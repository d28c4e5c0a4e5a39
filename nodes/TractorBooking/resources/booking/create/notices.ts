import { formatValue } from '../../../parse/issue';
import { labelOf } from '../../../parse/labels';
import type { FinishedRow } from './report';
import { listOf, rowsName } from './stop';

/** Columns or rows that a notice names at most. */
const MAX_NAMED = 12;

/** Rows of one day that one tractor can hardly serve. */
const MANY_ROWS = 6;

/**
 * What the user should know of a run although it is no error: columns and cells that were not used, phones without a
 * country, and many rows of one day for one tractor. Each is said once.
 *
 * @param rows the rows before they are sent
 */
export function noticesOf(
	rows: readonly FinishedRow[],
	unusedColumns: readonly string[],
): string[] {
	const notices: string[] = [];
	if (unusedColumns.length > 0) {
		const names = listOf(
			unusedColumns.map((column) => formatValue(column)),
			MAX_NAMED,
		);
		notices.push(`Columns not used: ${names}. To use one, map it under Options > Column Mapping.`);
	}
	const leftOut = rows.flatMap((row) => (row.leftOut ?? []).map((issue) => ({ row, issue })));
	if (leftOut[0]) {
		const { field, fix } = leftOut[0].issue;
		const values = new Set(leftOut.map(({ issue }) => formatValue(issue.value)));
		const named = leftOut.map(({ row }) => row);
		notices.push(
			`${rowsName(named, MAX_NAMED)}: ${labelOf(field)} ${listOf([...values], MAX_NAMED)} left out; to send it, ${fix}.`,
		);
	}
	const ready = rows.flatMap((row) => (row.kind === 'ready' ? [row] : []));
	const local = ready.filter(({ request }) => request.farmerPhone?.startsWith('+') === false);
	if (local.length > 0) {
		notices.push(
			`${rowsName(local, MAX_NAMED)}: the phone has no country code, so that the farmer may get no SMS. Choose a Phone Country, or write them in international form.`,
		);
	}
	const counts = new Map<string, number>();
	for (const { tractorId, serviceDate } of ready.map(({ request }) => request)) {
		const place = serviceDate && `tractor ${tractorId} on ${serviceDate}`;
		if (place) counts.set(place, (counts.get(place) ?? 0) + 1);
	}
	const crowded = [...counts].filter(([, count]) => count >= MANY_ROWS);
	if (crowded.length > 0) {
		notices.push(
			`Many rows of one day go to one tractor: ${listOf(
				crowded.map(([place, count]) => `${count} to ${place}`),
				MAX_NAMED,
			)}. To limit them, set Options > Rows per Tractor and Day.`,
		);
	}
	return notices;
}
