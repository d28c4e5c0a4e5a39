import { formatValue } from '../../../parse/issue';
import { labelOf, listOf } from '../../../parse/labels';
import { DOUBTFUL_PHONE } from '../../../parse/phones';
import { groupBy } from '../../../utils/groupBy';
import type { CheckedRow, ReadyRow } from './row';
import { rowsName } from './stop';

/** Rows of one day that one tractor can hardly serve. */
const MANY_ROWS = 6;

const quoted = (values: Iterable<unknown>) => listOf([...values].map(formatValue));

const rowsIn = (some: readonly CheckedRow[]) => rowsName(some).toLowerCase();

/** In which rows something is, unless the run has only one. */
const inRows = (some: readonly CheckedRow[], all: readonly CheckedRow[]) =>
	all.length > 1 ? ` in ${rowsIn(some)}` : '';

function ofUnusedColumns(columns: readonly string[]): string {
	if (columns.length === 0) return '';
	return `Not used: ${quoted(columns)}; to use one, map it under Options > Column Mapping.`;
}

function ofRemarks(rows: readonly CheckedRow[]): string {
	const remarks = rows
		.filter((row) => row.kind === 'finished')
		.filter(({ remark }) => remark !== undefined)
		.map(({ sheetRow, remark }) => `row ${sheetRow} (${remark})`);
	return remarks.length === 0 ? '' : `Not taken for requests: ${listOf(remarks)}.`;
}

function ofGender(rows: readonly CheckedRow[]): string {
	const without = rows.filter(({ unsentGender }) => unsentGender);
	const unsent = without.flatMap(({ unsentGender = [] }) => unsentGender);
	const [first] = unsent;
	if (!first) return '';
	const values = new Set(unsent.map(({ value }) => value));
	return `${labelOf(first.field)} left out: ${quoted(values)}${inRows(without, rows)}; to send it, ${first.fix}.`;
}

function ofLocalPhones(ready: readonly ReadyRow[], rows: readonly CheckedRow[]): string {
	const local = ready.filter(({ request }) => request.farmerPhone?.startsWith('+') === false);
	if (local.length === 0) return '';
	return `Phone without a country code${inRows(local, rows)}: the farmer may get no SMS; choose a Phone Country, or write it in international form.`;
}

function ofDoubtfulPhones(ready: readonly ReadyRow[], rows: readonly CheckedRow[]): string {
	const doubtful = ready.filter(({ notes }) => notes?.includes(DOUBTFUL_PHONE));
	if (doubtful.length === 0) return '';
	return `Phone that is no known mobile number${inRows(doubtful, rows)}: check its digits; the farmer may get no SMS.`;
}

/** Fields that a row is seldom to be booked without. */
const LACKING = ['landArea', 'farmerName', 'serviceType', 'serviceDate'] as const;

function ofLacking(
	field: (typeof LACKING)[number],
	ready: readonly ReadyRow[],
	rows: readonly CheckedRow[],
): string {
	const lacking = ready.filter(({ request }) => request[field] === undefined);
	const isUsual = rows.some(({ request }) => request?.[field] !== undefined);
	if (lacking.length === 0 || !(isUsual || field.startsWith('service'))) return '';
	return `Without ${labelOf(field)}: ${isUsual ? rowsIn(lacking) : 'all rows'}.`;
}

function ofCrowdedDays(ready: readonly ReadyRow[]): string {
	const dated = ready.map(({ request }) => request).filter(({ serviceDate }) => serviceDate);
	const days = groupBy(
		dated,
		({ tractorId, serviceDate }) => `tractor ${tractorId} on ${serviceDate}`,
	);
	const crowded = [...days]
		.filter(([, some]) => some.length >= MANY_ROWS)
		.map(([day, some]) => `${some.length} to ${day}`);
	if (crowded.length === 0) return '';
	return `Many rows of one day for one tractor: ${listOf(crowded)}; to limit them, set Options > Rows per Tractor and Day.`;
}

/**
 * What the user should know of a run although it is no error: columns, rows and cells that were not used, phones without
 * a country or not of a mobile, rows without what others have, and many rows of one day for one tractor. Each is said once.
 *
 * @param rows the rows before they are sent
 */
export function noticesOf(rows: readonly CheckedRow[], unusedColumns: readonly string[]): string[] {
	const ready = rows.filter((row) => row.kind === 'ready');
	const notices = [
		ofUnusedColumns(unusedColumns),
		ofRemarks(rows),
		ofGender(rows),
		ofLocalPhones(ready, rows),
		ofDoubtfulPhones(ready, rows),
		...LACKING.map((field) => ofLacking(field, ready, rows)),
		ofCrowdedDays(ready),
	];
	return notices.filter(Boolean);
}
