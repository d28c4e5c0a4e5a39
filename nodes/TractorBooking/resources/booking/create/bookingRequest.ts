import { parseAreaUnit, parseLandArea, type AreaType } from '../../../parse/areaUnits';
import type { BookingField, BookingRequest } from '../../../api/types';
import { issueAt, type Issue, type ParseResult } from '../../../parse/issue';
import { parseCoordinate } from '../../../parse/coordinates';
import { parseCrops } from '../../../parse/crops';
import { isPast, parseDate, type DateRules } from '../../../parse/dates';
import { parseGender, type GenderWords } from '../../../parse/gender';
import { parseInteger, type DecimalSeparator } from '../../../parse/numbers';
import { parsePhone } from '../../../parse/phones';
import { isEmpty } from '../../../utils/text';
import { parseText, tooLong } from '../../../parse/text';

export type { BookingField, BookingRequest } from '../../../api/types';

/** How to parse the cells of a sheet. */
export interface Rules extends DateRules {
	/** `YYYY-MM-DD` in the workflow's timezone; see `todayIn`. */
	today: string;
	/** Needed to parse `1,250` and `1.250`, which are rejected without it. */
	decimalSeparator?: DecimalSeparator;
	/** ISO code of the country that local phone numbers belong to; see `phoneCountries.ts`. */
	defaultCountry?: string;
	genderWords?: GenderWords;
}

/** The values of one row before they are parsed. */
export type RawBooking = Partial<Record<BookingField, unknown>>;

/** The columns that the values come from, and the area unit in a column header. */
export interface RowSource {
	columns?: ReadonlyMap<string, string>;
	areaTypeFromHeader?: AreaType;
}

/**
 * The parsed row: a request body that can be sent, or the issues of the row. `pastDate` is the issue of a service date
 * in the past: such a row cannot be sent, but may be booked already.
 */
export type ParsedRequest = { request: BookingRequest; pastDate?: Issue } | { issues: Issue[] };

/**
 * Parses the cells of one row into the body of a booking, or into all issues of the row.
 *
 * Empty cells are left out. The interface does not say which fields are required, only that `landArea` and `areaType`
 * come together, that a coordinate has both halves, and that the date is not in the past.
 */
export function parseBooking(raw: RawBooking, rules: Rules, source: RowSource = {}): ParsedRequest {
	const request: BookingRequest = {};
	const issues: Issue[] = [];
	const addIssue = (field: BookingField, value: unknown, problem: string, fix: string) =>
		issues.push(issueAt(field, value, { problem, fix }, source.columns?.get(field)));
	const has = (field: BookingField) => Object.hasOwn(raw, field) && !isEmpty(raw[field]);
	const parseField = <T>(
		field: BookingField,
		parse: (value: unknown) => ParseResult<T>,
	): T | undefined => {
		if (!has(field)) return undefined;
		const parsed = tooLong(raw[field]) ?? parse(raw[field]);
		if (parsed.ok) return parsed.value;
		addIssue(field, raw[field], parsed.problem, parsed.fix);
		return undefined;
	};
	const set = <F extends BookingField>(
		field: F,
		parse: (value: unknown) => ParseResult<NonNullable<BookingRequest[F]>>,
	) => {
		const value = parseField(field, parse);
		if (value !== undefined) request[field] = value;
	};

	set('tractorId', parseInteger);
	set('serviceType', parseInteger);
	set('serviceDate', (value) => parseDate(value, rules));
	const { serviceDate } = request;
	const isOver = serviceDate !== undefined && isPast(serviceDate, rules.today);
	if (isOver)
		addIssue('serviceDate', raw.serviceDate, ...pastDay(raw.serviceDate, serviceDate, rules));
	const pastDate = isOver ? issues.at(-1) : undefined;
	set('farmerName', parseText);
	set('farmerPhone', (value) => parsePhone(value, rules.defaultCountry));
	set('gender', (value) => parseGender(value, rules.genderWords));
	set('latitude', (value) => parseCoordinate(value, 'latitude'));
	set('longitude', (value) => parseCoordinate(value, 'longitude'));
	set('farmLocation', parseText);
	set('farmNote', parseText);
	set('crop', parseText);
	set('crops', parseCrops);
	set('custom_crop', parseText);

	for (const [half, other] of [
		['latitude', 'longitude'],
		['longitude', 'latitude'],
	] as const) {
		if (has(half) && !has(other)) {
			addIssue(other, undefined, `is missing, but ${half} is given`, 'fill in both or neither');
		}
	}

	const area = parseField('landArea', (value) => parseLandArea(value, rules.decimalSeparator));
	const ownUnit = parseField('areaType', parseAreaUnit);
	if (area) {
		request.landArea = area.value;
		const units = [area.areaType, ownUnit, source.areaTypeFromHeader].filter(
			(unit) => unit !== undefined,
		);
		const [unit] = units;
		if (unit !== undefined) request.areaType = unit;
		if (new Set(units).size > 1) {
			addIssue(
				'areaType',
				units.join(' / '),
				'are different units for one land area (from its cell, its own column or the header)',
				'leave only the right one',
			);
		}
		if (unit === undefined && !has('areaType')) {
			addIssue(
				'areaType',
				undefined,
				'is missing, but landArea is given',
				'add ha or ac, or leave both empty',
			);
		}
	} else if (has('areaType') && !has('landArea')) {
		addIssue('landArea', undefined, 'is missing, but areaType is given', 'fill in both or neither');
	}

	if (issues.some((issue) => issue !== pastDate)) return { issues };
	if (Object.keys(request).length > 0) return { request, pastDate };
	return {
		issues: [issueAt('row', undefined, { problem: 'is empty', fix: 'fill it in or remove it' })],
	};
}

function pastDay(value: unknown, date: string, { today }: Rules): [problem: string, fix: string] {
	// Show the day too, because users do not recognise a serial number.
	const which = typeof value === 'number' ? `is ${date}, which is` : 'is';
	return [`${which} in the past (today is ${today})`, 'choose today or a later day'];
}
