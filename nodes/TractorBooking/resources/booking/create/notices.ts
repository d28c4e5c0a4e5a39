import { formatValue } from '../../../parse/issue';
import { labelOf, listOf } from '../../../parse/labels';
import { groupBy } from '../../../utils/groupBy';
import type { CheckedRow } from './row';
import { rowsName } from './stop';

/** Rows of one day that one tractor can hardly serve. */
const MANY_ROWS = 6;

const named = (values: Iterable<unknown>) => listOf([...values].map(formatValue));

/**
 * What the user should know of a run although it is no error: columns, rows and cells that were not used, phones without
 * a country, rows without what others have, and many rows of one day for one tractor. Each is said once.
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

	const remarks = rows
		.filter((row) => row.kind === 'finished')
		.filter(({ remark }) => remark !== undefined)
		.map(({ sheetRow, remark }) => `row ${sheetRow} (${formatValue(remark)})`);
	if (remarks.length > 0) notices.push(`Taken for notes or totals: ${listOf(remarks)}.`);

	const without = rows.filter((row) => row.unsentGender);
	const unsent = without.flatMap(({ unsentGender = [] }) => unsentGender);
	const [first] = unsent;
	if (first) {
		const values = new Set(unsent.map(({ value }) => value));
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

	for (const field of ['landArea', 'farmerName', 'serviceType'] as const) {
		const lacking = ready.filter(({ request }) => request[field] === undefined);
		const isUsual = rows.some(({ request }) => request?.[field] !== undefined);
		if (lacking.length > 0 && (isUsual || field === 'serviceType'))
			notices.push(
				`Without ${labelOf(field)}: ${isUsual ? rowsName(lacking).toLowerCase() : 'all rows'}.`,
			);
	}

	const dated = ready.map(({ request }) => request).filter(({ serviceDate }) => serviceDate);
	const crowded = [
		...groupBy(dated, ({ tractorId, serviceDate }) => `tractor ${tractorId} on ${serviceDate}`),
	]
		.filter(([, some]) => some.length >= MANY_ROWS)
		.map(([place, some]) => `${some.length} to ${place}`);
	if (crowded.length > 0)
		notices.push(
			`Many rows of one day for one tractor: ${listOf(crowded)}; to limit them, set Options > Rows per Tractor and Day.`,
		);
	return notices;
}
