import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors';
import { formatValue } from '../parse/issue';

/**
 * Warns of the records that a filter leaves out only because it cannot read the field that it compares.
 *
 * @param what the records, e.g. `bookings`
 * @param field name of the field in the interface
 * @param isRefused whether that is an error, since too much may be missing
 * @throws ServiceError (`unreadable`)
 */
export function reportUnreadable(
	what: string,
	field: string,
	unreadable: readonly IDataObject[],
	isRefused: boolean,
	warn: (text: string) => void,
): void {
	const [example] = unreadable;
	if (!example) return;
	// n8n logs the text, and its log has no names or phones.
	const value = /^farmer/.test(field) ? '' : `, such as ${formatValue(example[field] ?? null)}`;
	const text = `The ${field} of ${unreadable.length} ${what} cannot be read${value}`;
	if (!isRefused) {
		warn(`${text}: they are left out.`);
		return;
	}
	throw new ServiceError('unreadable', text, {
		description: 'The filter cannot be applied. Remove it, and filter after this node.',
	});
}
