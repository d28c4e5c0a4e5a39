import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import type { DateOrder } from '../../../parse/dateText';
import type { DateRules } from '../../../parse/dates';
import { parsePhone } from '../../../parse/phones';
import { fold, isEmpty } from '../../../utils/text';
import { parseRecordDate } from '../../../parse/recordDate';

/** Fields that can be compared to recognise a row as an existing booking. */
export const MATCH_FIELDS = [
	'farmerName',
	'farmerPhone',
	'landArea',
	'serviceDate',
	'serviceType',
] as const;

/** One of {@link MATCH_FIELDS}. */
export type MatchField = (typeof MATCH_FIELDS)[number];

/** Trailing digits that identify a phone number within a country, however its prefix is written. */
const PHONE_DIGITS = 9;

/** The value in comparable form; undefined if it is empty or unreadable. */
function normalize(field: MatchField, value: unknown, rules: DateRules): string | undefined {
	if (isEmpty(value)) return undefined;
	switch (field) {
		case 'farmerPhone': {
			const phone = parsePhone(value);
			return phone.ok ? phone.value.replace(/\D/g, '').slice(-PHONE_DIGITS) : undefined;
		}
		case 'serviceDate': {
			const date = parseRecordDate(value, rules);
			return date.ok ? date.value : undefined;
		}
		case 'landArea':
		case 'serviceType':
			return Number.isNaN(Number(value)) ? undefined : String(Number(value));
		default:
			return fold(String(value));
	}
}

/**
 * A key that is equal for bookings that are equal in these fields; undefined if a field is empty or unreadable.
 *
 * @param rules how to parse the service date of a record; that of a request is `YYYY-MM-DD`
 */
export function matchKey(
	record: BookingRequest | IDataObject,
	fields: readonly MatchField[],
	rules: DateRules = { timezone: 'UTC' },
): string | undefined {
	const values = fields.map((field) => normalize(field, record[field], rules));
	return values.includes(undefined) ? undefined : JSON.stringify(values);
}

/** Match fields that the interface does not document for a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** Whether a record has a value in a field that cannot be read. */
export function isUnreadable(record: IDataObject, field: MatchField, rules: DateRules): boolean {
	return !isEmpty(record[field]) && normalize(field, record[field], rules) === undefined;
}

/**
 * The date order of the service dates of records. If some are ambiguous (03/04/2026), the order is the one with which
 * all of them can be read.
 */
export function dateOrderOf(records: readonly IDataObject[], timezone: string): DateOrder {
	const allReadable = (dateOrder: DateOrder) =>
		!records.some((record) => isUnreadable(record, 'serviceDate', { timezone, dateOrder }));
	if (allReadable('refuse')) return 'refuse';
	const fitting = (['dayFirst', 'monthFirst'] as const).filter(allReadable);
	return fitting.length === 1 ? (fitting[0] ?? 'refuse') : 'refuse';
}

/**
 * Splits the match fields into those in which the records can be compared, and documented fields in which they cannot
 * (`missing`): no record has the field, or none of its values can be read.
 */
export function fieldsToCompare(
	records: readonly IDataObject[],
	fields: readonly MatchField[],
	rules: DateRules,
) {
	const isReadable = (field: MatchField) => {
		const filled = records.filter((record) => !isEmpty(record[field]));
		return (
			filled.some((record) => normalize(field, record[field], rules) !== undefined) ||
			(filled.length === 0 && records.some((record) => Object.hasOwn(record, field)))
		);
	};
	const comparableFields = fields.filter(isReadable);
	const missing = fields.filter(
		(field) => !comparableFields.includes(field) && !MAY_BE_MISSING.has(field),
	);
	return { comparableFields, missing };
}
