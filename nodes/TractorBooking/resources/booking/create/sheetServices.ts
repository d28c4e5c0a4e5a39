import type { Issue } from '../../../parse/issue';
import { isBlank, unusable } from '../../../parse/text';
import { cleanText } from '../../../utils/text';
import { issueIn, type SheetRow } from './row';

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
