import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import type { DateOrder } from '../../../parse/dateText';
import type { DateRules } from '../../../parse/dates';
import { parsePhone } from '../../../parse/phones';
import { asText, fold, isEmpty } from '../../../utils/text';
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

/** The digits of a parsed phone number that are compared. */
const comparablePhone = (phone: string) => phone.replace(/\D/g, '').slice(-PHONE_DIGITS);

/** A field of a request in comparable form; undefined if it is empty. */
function requestValue(request: BookingRequest, field: MatchField): string | undefined {
	const { farmerPhone, farmerName } = request;
	if (field === 'farmerPhone') return farmerPhone && comparablePhone(farmerPhone);
	if (field === 'farmerName') return farmerName && fold(farmerName);
	return request[field]?.toString();
}

/** A field of a booking record in comparable form; undefined if it is empty or unreadable. */
function recordValue(record: IDataObject, field: MatchField, rules: DateRules): string | undefined {
	const value = record[field];
	if (isEmpty(value)) return undefined;
	switch (field) {
		case 'farmerPhone': {
			const phone = parsePhone(value);
			return phone.ok ? comparablePhone(phone.value) : undefined;
		}
		case 'serviceDate': {
			const date = parseRecordDate(value, rules);
			return date.ok ? date.value : undefined;
		}
		case 'landArea':
		case 'serviceType':
			return Number.isNaN(Number(value)) ? undefined : String(Number(value));
		default:
			return fold(asText(value));
	}
}

function keyOf(values: ReadonlyArray<string | undefined>): string | undefined {
	return values.includes(undefined) ? undefined : JSON.stringify(values);
}

/** A key that is equal for requests and bookings that are equal in these fields; undefined if a field is empty. */
export function requestKey(
	request: BookingRequest,
	fields: readonly MatchField[],
): string | undefined {
	return keyOf(fields.map((field) => requestValue(request, field)));
}

/** The key of a booking record, see {@link requestKey}; undefined if a field is empty or unreadable. */
export function recordKey(
	record: IDataObject,
	fields: readonly MatchField[],
	rules: DateRules,
): string | undefined {
	return keyOf(fields.map((field) => recordValue(record, field, rules)));
}

/** Match fields that the interface does not document for a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** Whether a record has a value in a field that cannot be read. */
export function isUnreadable(record: IDataObject, field: MatchField, rules: DateRules): boolean {
	return !isEmpty(record[field]) && recordValue(record, field, rules) === undefined;
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
			filled.some((record) => recordValue(record, field, rules) !== undefined) ||
			(filled.length === 0 && records.some((record) => Object.hasOwn(record, field)))
		);
	};
	const comparableFields = fields.filter(isReadable);
	const missing = fields.filter(
		(field) => !comparableFields.includes(field) && !MAY_BE_MISSING.has(field),
	);
	return { comparableFields, missing };
}
