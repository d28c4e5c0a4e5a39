import { isBlank, unusable } from '../../../parse/text';
import { cleanText } from '../../../utils/text';

/** The name in the cell of a service; undefined if it is none. The number of a name is in the details of the tractors. */
export function serviceNameIn(cell: unknown): string | undefined {
	if (typeof cell !== 'string' || isBlank(cell) || unusable(cell)) return undefined;
	const text = cleanText(cell);
	return /\p{L}/u.test(text) ? text : undefined;
}
