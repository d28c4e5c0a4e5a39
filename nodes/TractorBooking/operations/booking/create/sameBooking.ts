import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../input/bookingFields';
import { readDate } from '../../../input/dates';
import { fold, isEmpty } from '../../../input/text';

/** Fields by which a row can be recognised as a booking that exists already. */
export const MATCH_FIELDS = [
	'farmerName',
	'farmerPhone',
	'landArea',
	'serviceDate',
	'serviceType',
] as const;

export type MatchField = (typeof MATCH_FIELDS)[number];

/** Digits that tell phone numbers of one country apart, however the prefix is written. */
const PHONE_DIGITS = 9;

/** A value in the form in which it is compared; undefined where there is none. */
function comparable(field: MatchField, value: unknown): string | undefined {
	if (isEmpty(value)) return undefined;
	switch (field) {
		case 'farmerPhone':
			return String(value).replace(/\D/g, '').slice(-PHONE_DIGITS);
		case 'serviceDate': {
			const date = readDate(value, { timezone: 'UTC' });
			return date.ok ? date.value : String(value);
		}
		case 'landArea':
		case 'serviceType':
			return String(Number(value));
		default:
			return fold(String(value));
	}
}

/** One text for all bookings that are the same in these fields; undefined where a field is empty. */
export function matchKey(
	record: BookingRequest | IDataObject,
	fields: readonly MatchField[],
): string | undefined {
	const values = fields.map((field) => comparable(field, record[field]));
	return values.includes(undefined) ? undefined : JSON.stringify(values);
}

/** Match fields that the interface does not list among the fields of a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** Which of the match fields records can be compared in, and which are missing although documented. */
export function fieldsToCompare(records: readonly IDataObject[], fields: readonly MatchField[]) {
	const carried = fields.filter((field) => records.some((record) => Object.hasOwn(record, field)));
	const missing = fields.filter((field) => !carried.includes(field) && !MAY_BE_MISSING.has(field));
	return { carried, missing };
}
