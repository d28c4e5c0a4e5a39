import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import type { DateOrder } from '../../../parse/dateText';
import type { ParseResult } from '../../../parse/issue';
import { isSamePhone, parsePhone, phoneTail } from '../../../parse/phones';
import { asText, isEmpty } from '../../../utils/text';
import type { RecordDateRules } from '../../../parse/recordDate';
import { areMidnights, recordDateParser } from '../../../parse/recordDate';
import { nameKey } from './likeness';

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

/** Parses the service date of a record. */
export type DateParser = (value: unknown) => ParseResult<string>;

/** A field of a request in comparable form; undefined if it is empty. */
function requestValue(request: BookingRequest, field: MatchField): string | undefined {
	const { farmerName } = request;
	if (field === 'farmerName') return (farmerName && nameKey(farmerName)) || undefined;
	return request[field]?.toString();
}

/** A field of a booking record in comparable form; undefined if it is empty or unreadable. */
function recordValue(
	record: IDataObject,
	field: MatchField,
	parseDate: DateParser,
): string | undefined {
	const value = record[field];
	if (isEmpty(value)) return undefined;
	switch (field) {
		case 'farmerPhone': {
			const phone = parsePhone(value);
			return phone.ok ? phone.value : undefined;
		}
		case 'serviceDate': {
			const date = parseDate(value);
			return date.ok ? date.value : undefined;
		}
		case 'landArea':
		case 'serviceType':
			return Number.isNaN(Number(value)) ? undefined : String(Number(value));
		default:
			return nameKey(asText(value)) || undefined;
	}
}

/** The values of some match fields of a request or a booking. */
export interface MatchKey {
	/** Equal for all keys that are the same; of a phone, it holds its last digits only. */
	text: string;
	/** The phone number, if it is one of the fields. */
	phone?: string;
}

function keyOf(
	fields: readonly MatchField[],
	valueOf: (field: MatchField) => string | undefined,
): MatchKey | undefined {
	let phone: string | undefined;
	const texts = fields.map((field) => {
		const value = valueOf(field);
		if (field !== 'farmerPhone' || value === undefined) return value;
		phone = value;
		return phoneTail(value);
	});
	return texts.includes(undefined) ? undefined : { text: JSON.stringify(texts), phone };
}

/** The values of a request in these fields; undefined if one is empty. */
export function requestKey(
	request: BookingRequest,
	fields: readonly MatchField[],
): MatchKey | undefined {
	return keyOf(fields, (field) => requestValue(request, field));
}

/** The values of a booking record in these fields; undefined if one is empty or unreadable. */
export function recordKey(
	record: IDataObject,
	fields: readonly MatchField[],
	parseDate: DateParser,
): MatchKey | undefined {
	return keyOf(fields, (field) => recordValue(record, field, parseDate));
}

/** Finds what is kept under a key of the same values. */
export class MatchIndex<T> {
	private readonly entries = new Map<string, Array<{ phone?: string; value: T }>>();

	add({ text, phone }: MatchKey, value: T): void {
		const entries = this.entries.get(text);
		if (entries) entries.push({ phone, value });
		else this.entries.set(text, [{ phone, value }]);
	}

	/** In the order in which they were added. */
	find({ text, phone }: MatchKey): T[] {
		return (this.entries.get(text) ?? [])
			.filter((entry) => isSamePhone(entry.phone ?? '', phone ?? ''))
			.map(({ value }) => value);
	}
}

/** Match fields that the interface does not document for a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** Whether a record has a value in a field that cannot be read. */
export function isUnreadable(
	record: IDataObject,
	field: MatchField,
	parseDate: DateParser,
): boolean {
	return !isEmpty(record[field]) && recordValue(record, field, parseDate) === undefined;
}

/**
 * The date order of the service dates of records. If some are ambiguous (03/04/2026), the order is the one with which
 * all of them can be read.
 */
function dateOrderOf(records: readonly IDataObject[], timezone: string): DateOrder {
	const allReadable = (dateOrder: DateOrder) => {
		const parseDate = recordDateParser({ timezone, dateOrder });
		return !records.some((record) => isUnreadable(record, 'serviceDate', parseDate));
	};
	if (allReadable('refuse')) return 'refuse';
	const fitting = (['dayFirst', 'monthFirst'] as const).filter(allReadable);
	return fitting.length === 1 ? (fitting[0] ?? 'refuse') : 'refuse';
}

/** How the service writes the service dates of its records, as far as all of them together show it. */
export function dateRulesOf(records: readonly IDataObject[], timezone: string): RecordDateRules {
	const rules = { timezone, dateOrder: dateOrderOf(records, timezone) };
	const dates = records.map(({ serviceDate }) => serviceDate);
	return { ...rules, areMidnights: areMidnights(dates, rules) };
}

/**
 * Splits the match fields into those in which the records can be compared, and documented fields in which they cannot
 * (`missing`): every record lacks a value, or none of the values can be read.
 */
export function fieldsToCompare(
	records: readonly IDataObject[],
	fields: readonly MatchField[],
	parseDate: DateParser,
) {
	const isReadable = (field: MatchField) =>
		records.some((record) => recordValue(record, field, parseDate) !== undefined);
	const comparableFields = fields.filter(isReadable);
	const missing = fields.filter(
		(field) => !comparableFields.includes(field) && !MAY_BE_MISSING.has(field),
	);
	return { comparableFields, missing };
}
