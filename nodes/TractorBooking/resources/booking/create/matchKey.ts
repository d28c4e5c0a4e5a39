import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import type { DateOrder } from '../../../parse/dateText';
import type { DateRules } from '../../../parse/dates';
import { parsePhone } from '../../../parse/phones';
import { fold, isEmpty } from '../../../utils/text';
import { parseRecordDate } from '../../../parse/recordDate';

/** Fields by which a row can be recognised as a booking that exists already. */
export const MATCH_FIELDS = [
	'farmerName',
	'farmerPhone',
	'landArea',
	'serviceDate',
	'serviceType',
] as const;

/** One of {@link MATCH_FIELDS}. */
export type MatchField = (typeof MATCH_FIELDS)[number];

/** Digits that tell phone numbers of one country apart, however the prefix is written. */
const PHONE_DIGITS = 9;

/** A value in the form in which it is compared; undefined where there is none, or none that can be read. */
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
 * One text for all bookings that are the same in these fields; undefined where a field is empty.
 *
 * @param rules how the service date of a record is written; that of a request is `YYYY-MM-DD`
 */
export function matchKey(
	record: BookingRequest | IDataObject,
	fields: readonly MatchField[],
	rules: DateRules = { timezone: 'UTC' },
): string | undefined {
	const values = fields.map((field) => normalize(field, record[field], rules));
	return values.includes(undefined) ? undefined : JSON.stringify(values);
}

/** Match fields that the interface does not list among the fields of a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** Whether a record has a value in a field, and one that cannot be read. */
export function isUnreadable(record: IDataObject, field: MatchField, rules: DateRules): boolean {
	return !isEmpty(record[field]) && normalize(field, record[field], rules) === undefined;
}

/**
 * How the service dates of records are written: where some could be day/month as well as month/day, the others may
 * tell.
 */
export function dateOrderOf(records: readonly IDataObject[], timezone: string): DateOrder {
	const allReadable = (dateOrder: DateOrder) =>
		!records.some((record) => isUnreadable(record, 'serviceDate', { timezone, dateOrder }));
	if (allReadable('refuse')) return 'refuse';
	const fitting = (['dayFirst', 'monthFirst'] as const).filter(allReadable);
	return fitting.length === 1 ? (fitting[0] ?? 'refuse') : 'refuse';
}

/**
 * Which of the match fields records can be compared in, and which they cannot although these are documented:
 * fields that no record has, or that no record which has a value shows in a form that can be read.
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
