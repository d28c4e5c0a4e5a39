import { isResultColumn } from '../../../../nodes/TractorBooking/resources/booking/create/row/results';
import { clean } from '../../label';
import { valueIn } from './answers';
import type { Line, Row, Summary } from './step';

interface Tab {
	tab: string;
	rows: Row[];
}

/** The tabs of a workbook that have rows, or cannot be read. */
export function tabsOf(lines: readonly Line[]): Tab[] {
	const names = new Set(lines.flatMap(({ tab = '', row, error }) => (row || error ? [tab] : [])));
	return [...names].map((tab) => ({ tab, rows: rowsOf(lines, tab) }));
}

export const rowsOf = (lines: readonly Line[], tab: string | undefined): Row[] =>
	lines.flatMap((line) => (line.row && line.tab === tab ? [line.row] : []));

/**
 * A list has at least three columns with a heading, and fewer without one: other tabs are covers, notes and tables of
 * codes.
 */
export function isList({ rows }: Tab): boolean {
	const names = Object.keys(rows[0] ?? {}).filter(
		(name) => name !== 'row_number' && rows.some((row) => valueIn(row[name]) !== ''),
	);
	const bare = names.filter((name) => name.startsWith('__EMPTY'));
	return names.length - bare.length > Math.max(2, bare.length);
}

/** The column of a field. */
export const columnIn = (columns: Summary['columns'], label: string): string | undefined =>
	columns.find(({ field }) => field === label)?.column;

/**
 * Tells the rows that ask for anything: a line below the list, such as a sum, does not.
 *
 * @param asked columns that may turn out to be of requests
 */
export function requestsBy(columns: Summary['columns'], asked: readonly string[] = []) {
	const known = columns.filter((one) => one.isOfRequest).map(({ column }) => column);
	const names = [...known, ...asked];
	return (row: Row): boolean => names.length === 0 || names.some((name) => clean(row[name]) !== '');
}

/** Whether only n8n writes a column. */
export const isWritten = (column: string): boolean =>
	column === 'row_number' || (column !== 'bookingID' && isResultColumn(column));

/** The headings of the list, without those that this workflow may have added. */
export const headingsOf = (rows: readonly Row[]): string[] =>
	Object.keys(rows[0] ?? {}).filter(
		(name) => !isWritten(name) && name !== 'bookingID' && name !== 'Plot',
	);
