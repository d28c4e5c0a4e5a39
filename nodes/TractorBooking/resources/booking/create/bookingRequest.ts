import { implausibleArea, parseAreaUnit, parseLandArea } from '../../../parse/areaUnits';
import { labelOf } from '../../../parse/labels';
import type { BookingField, BookingRequest } from '../../../api/types';
import type { ColumnField } from '../../../parse/columnNames';
import type { ColumnMatch } from '../../../parse/columns';
import {
	formatValue,
	invalid,
	issueAt,
	ok,
	type Issue,
	type ParseResult,
} from '../../../parse/issue';
import { parseCoordinate, parsePosition } from '../../../parse/coordinates';
import { parseCrops } from '../../../parse/crops';
import {
	isPast,
	parseDate,
	serialOf,
	type DateRules,
	type InferredOrder,
} from '../../../parse/dates';
import { isGenderWord, parseGender, type GenderWords } from '../../../parse/gender';
import { parseInteger, type DecimalSeparator } from '../../../parse/numbers';
import { phoneCountryNamed } from '../../../parse/phoneCountries';
import { parseFarmerPhone } from '../../../parse/phones';
import { isBlank, parseText, unusable } from '../../../parse/text';

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
	/** Whether a gender word without a number is an issue; else the field is left out. */
	refuseGenderWords?: boolean;
}

/** The values of one row before they are parsed. */
export type RawBooking = Partial<Record<ColumnField, unknown>>;

/** The columns that the values come from, and what the sheet as a whole says of them. */
export interface RowSource extends Partial<ColumnMatch> {
	/** Whether `areaType` is that of all rows, for cells without a unit of their own. */
	isAreaTypeDefault?: boolean;
	/** Whether the spreadsheet has probably exchanged day and month of its dates; see {@link hasExchanged}. */
	isExchanged?: boolean;
	/** The order of day and month that the clear dates of the sheet have. */
	inferredOrder?: InferredOrder;
}

/** A row as it was understood. */
export interface ParsedRequest {
	/** The request body; of a row with other issues than `pastDate`, what of it is valid. */
	request: BookingRequest;
	/** All issues of the row, in the order of the fields. */
	issues: Issue[];
	/** The issue of a service date in the past: such a row cannot be sent, but may be booked already. */
	pastDate?: Issue;
	/** How a cell was understood that may mean something else. */
	notes: string[];
	/** Gender words that are not sent, and why. */
	leftOut: Issue[];
}

/** What may stand before the ID of a tractor: `Tractor 201`. */
const TRACTOR = /^\s*(?:tractor|tracteur|trekta|tarakta)\b[\s.:]*/i;

/**
 * Parses the cells of one row into the body of a booking, and all issues of the row.
 *
 * Empty cells are left out. The interface does not say which fields are required, only that `landArea` and `areaType`
 * come together, that a coordinate has both halves, and that the date is not in the past.
 */
export function parseBooking(raw: RawBooking, rules: Rules, source: RowSource = {}): ParsedRequest {
	const request: BookingRequest = {};
	const issues: Issue[] = [];
	const notes: string[] = [];
	const leftOut: Issue[] = [];
	const has = (field: ColumnField) => Object.hasOwn(raw, field) && !isBlank(raw[field], field);
	const valueOf = (field: ColumnField) => (has(field) ? raw[field] : undefined);
	const addIssue = (
		field: ColumnField,
		problem: string,
		fix: string,
		value: unknown = valueOf(field),
	) => issues.push(issueAt(field, value, { problem, fix }, source.columns?.get(field)));
	const parseField = <T>(
		field: ColumnField,
		parse: (value: unknown) => ParseResult<T>,
	): T | undefined => {
		const cell = valueOf(field);
		if (cell === undefined) return undefined;
		// Excel marks numbers that are text by an apostrophe; so do some files.
		const plain = typeof cell === 'string' ? cell.replace(/^\s*['’](?=[\d+-])/, '') : cell;
		const parsed = unusable(cell) ?? parse(plain);
		if (parsed.ok) return parsed.value;
		addIssue(field, parsed.problem, parsed.fix);
		return undefined;
	};
	const set = <F extends BookingField>(
		field: F,
		parse: (value: unknown) => ParseResult<NonNullable<BookingRequest[F]>>,
	) => {
		const value = parseField(field, parse);
		if (value !== undefined) request[field] = value;
	};

	const parseId = (value: unknown, min: number, what: string) => {
		const id = parseInteger(value);
		return id.ok && id.value < min ? invalid(`is no ID of a ${what}`, 'write the ID') : id;
	};
	set('tractorId', (value) =>
		parseId(typeof value === 'string' ? value.replace(TRACTOR, '') : value, 1, 'tractor'),
	);
	set('serviceType', (value) => parseId(value, 0, 'service'));
	set('serviceDate', (value) => parseServiceDate(value, rules, source, notes));
	const { serviceDate } = request;
	const isOver = serviceDate !== undefined && isPast(serviceDate, rules.today);
	if (isOver) {
		// Show the day too, because users do not recognise a serial number.
		const which = typeof raw.serviceDate === 'number' ? `is ${serviceDate}, which is` : 'is';
		const problem = `${which} in the past (today is ${rules.today})`;
		addIssue('serviceDate', problem, 'choose today or a later day');
	}
	const pastDate = isOver ? issues.at(-1) : undefined;
	set('farmerName', parseText);
	const country = has('phoneCountry') ? phoneCountryNamed(raw.phoneCountry) : undefined;
	const isWhole = typeof raw.farmerPhone === 'string' && /\+|^\D*00/.test(raw.farmerPhone);
	if (has('farmerPhone') && has('phoneCountry') && !country && !isWhole)
		addIssue('phoneCountry', 'is no country that is known', 'write its calling code, such as +256');
	else
		set('farmerPhone', (value) => parseFarmerPhone(value, country?.code ?? rules.defaultCountry));
	const isLeftOut = !rules.refuseGenderWords && isGenderWord(raw.gender) && !unusable(raw.gender);
	const gender = isLeftOut ? parseGender(raw.gender, rules.genderWords) : undefined;
	if (gender?.ok === false) leftOut.push(issueAt('gender', raw.gender, gender));
	else set('gender', (value) => parseGender(value, rules.genderWords));
	set('farmLocation', parseText);
	set('farmNote', parseText);
	set('crops', parseCrops);
	set('custom_crop', parseText);
	const isList = has('crop') && !has('crops') && !unusable(raw.crop);
	const crops = isList ? parseCrops(raw.crop) : undefined;
	if (crops?.ok && crops.value.length > 1) request.crops = crops.value;
	else set('crop', parseText);

	// Both halves may be in one cell: in a column of their own, or in one of the two.
	const halves = ['latitude', 'longitude'] as const;
	const [half, ...others] = halves.filter(has);
	const place = half ?? 'coordinates';
	const parsePair = (value: unknown) =>
		parsePosition(value, source.isFrench, source.longitudeFirst?.has(place));
	if (!half || (others.length === 0 && parsePair(raw[half]).ok)) {
		Object.assign(request, parseField(place, parsePair));
	} else {
		for (const axis of halves)
			set(axis, (value) =>
				parseCoordinate(value, axis, source.isFrench, source.otherSide?.has(axis)),
			);
		for (const axis of halves.filter((other) => !has(other)))
			addIssue(axis, `is missing, but ${labelOf(half)} is given`, 'fill in both or neither');
	}
	// That place in the sea stands for a missing coordinate.
	if (request.latitude === 0 && request.longitude === 0)
		issues.push(
			issueAt('coordinates', undefined, {
				problem: 'are 0, 0, a place in the sea',
				fix: 'write the coordinate of the farm, or leave both empty',
			}),
		);

	const area = parseField('landArea', (value) =>
		source.foreignUnit === undefined
			? parseLandArea(value, rules.decimalSeparator)
			: invalid(
					`is in ${source.foreignUnit}, as its heading says`,
					'convert it to hectares or acres, and rename the column',
				),
	);
	const ownUnit = parseField('areaType', parseAreaUnit);
	if (area) {
		const { value, areaType } = area;
		// The unit in the cell wins over that of all rows, but not over one that is written beside it.
		const beside = areaType && source.isAreaTypeDefault ? undefined : ownUnit;
		const unit = areaType ?? beside ?? source.areaTypeFromHeader;
		const units = [areaType, beside, areaType ? undefined : source.areaTypeFromHeader];
		request.landArea = value;
		if (unit !== undefined) request.areaType = unit;
		const large = implausibleArea(value, unit);
		if (large) addIssue('landArea', large.problem, large.fix);
		if (units.some((other) => other !== undefined && other !== unit)) {
			addIssue(
				'areaType',
				'are different units for one land area (from its cell, its own column or the header)',
				'leave only the right one',
				units.filter(Boolean).join(' / '),
			);
		}
		if (unit === undefined && !has('areaType'))
			addIssue(
				'landArea',
				'has no unit',
				`write ha or ac behind the number, or ${source.columns ? 'in the heading, such as Land Area (ha)' : 'set Area Unit'}`,
			);
	} else if (has('areaType') && !has('landArea')) {
		addIssue('landArea', 'is missing, but Area Unit is given', 'fill in both or neither');
	}

	if (Object.keys(request).length === 0 && issues.length === 0) {
		const problem = source.columns ? 'has nothing in the columns that are used' : 'is empty';
		issues.push(issueAt('row', undefined, { problem, fix: 'fill it in or remove it' }));
	}
	return { request, issues, pastDate, notes, leftOut };
}

function parseServiceDate(
	value: unknown,
	rules: Rules,
	{ inferredOrder, isExchanged }: RowSource,
	notes: string[],
): ParseResult<string> {
	const date = parseDate(value, rules);
	if (date.ok && isExchanged && serialOf(value) !== undefined) return unlessExchanged(date.value);
	if (!inferredOrder) return date;
	const { order, dates } = inferredOrder;
	const inferred = parseDate(value, { ...rules, dateOrder: order });
	const how = `with the ${order === 'dayFirst' ? 'day' : 'month'} first, as ${dates} dates of the sheet have it`;
	if (date.ok && inferred.ok && date.value !== inferred.value)
		return invalid(
			`is ${date.value}, or ${inferred.value} ${how}`,
			'check Date Order, or write it as YYYY-MM-DD',
		);
	if (date.ok || (rules.dateOrder ?? 'refuse') !== 'refuse') return date;
	if (inferred.ok) notes.push(`date ${formatValue(value)} read ${how}`);
	return inferred;
}

/** The day of a serial number, unless it may have been typed as another. */
function unlessExchanged(date: string): ParseResult<string> {
	const [year, month, day] = date.split('-');
	if (month === day) return ok(date);
	return invalid(
		`is ${date}, or ${year}-${day}-${month} if the spreadsheet exchanged day and month, as the dates that it left as text suggest`,
		'write it as text, as YYYY-MM-DD',
	);
}
