import { parseHeading } from '../../../parse/columnNames';
import { formatValue, issueAt, type Issue } from '../../../parse/issue';
import { listOf } from '../../../parse/labels';
import { isBlank, unusable } from '../../../parse/text';
import { cleanText } from '../../../utils/text';
import { issueIn, type InputItem, type SheetRow } from './row';
import { holdsPhones } from './sheetColumns';

/** The name in the cell of a service; undefined if it is none. The number of a name is in the details of the tractors. */
export function serviceNameIn(cell: unknown): string | undefined {
	if (typeof cell !== 'string' || isBlank(cell) || unusable(cell)) return undefined;
	const text = cleanText(cell);
	return /\p{L}/u.test(text) ? text : undefined;
}

/** The issue of a row without a service, if it needs one. */
export function withoutService(row: SheetRow): Issue {
	const problem = row.columns ? 'is empty, but other rows have one' : 'is empty';
	return issueIn(row, 'serviceType', undefined, problem, 'fill it in');
}

/**
 * The issue of columns that may hold the services of a sheet: one below a heading that is not known, or one of ticks for
 * each service; undefined if most of the requests have no cell in any of them.
 */
export function unknownServices(
	columns: readonly string[],
	requests: readonly InputItem[],
): Issue | undefined {
	const isFilled = ({ json }: InputItem, column: string) => !isBlank(json[column]);
	const filled = columns.filter(
		(column) =>
			parseHeading(column).field === undefined &&
			!holdsPhones(requests, column) &&
			requests.some((item) => isFilled(item, column)),
	);
	const having = requests.filter((item) => filled.some((column) => isFilled(item, column)));
	if (having.length <= requests.length / 2) return undefined;
	return issueAt('serviceType', undefined, {
		problem: `is in no row, but may be in ${listOf(filled.map(formatValue))}`,
		fix: 'write it into one column named Service Type, or map the column that has it under Options > Column Mapping; to book without a service, ignore them all there',
	});
}
