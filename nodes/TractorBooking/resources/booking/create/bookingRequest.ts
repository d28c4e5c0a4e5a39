import {
	implausibleArea,
	parseAreaUnit,
	parseLandArea,
	type AreaType,
	type LandArea,
} from '../../../parse/areaUnits';
import type { BookingRequest } from '../../../api/types';
import { parseCoordinate, parsePosition } from '../../../parse/coordinates';
import { parseCrops } from '../../../parse/crops';
import { isFromDateCell, isPast, parseDate } from '../../../parse/dates';
import { isOrderSet } from '../../../parse/dateText';
import { parseGender } from '../../../parse/gender';
import { invalid, issueAt, ok, type Issue, type ParseResult } from '../../../parse/issue';
import { labelOf } from '../../../parse/labels';
import { parseInteger } from '../../../parse/numbers';
import { phoneCountryNamed } from '../../../parse/phoneCountries';
import { DOUBTFUL_PHONE, parseFarmerPhone } from '../../../parse/phones';
import { otherDayOf } from '../../../parse/recordDate';
import { parseName, parseText, unusable } from '../../../parse/text';
import { asText } from '../../../utils/text';
import { RequestBuilder, type RawBooking, type RowSource, type Rules } from './requestBuilder';

/** A row as it was understood. */
export interface ParsedRequest {
	/** The request body; of a row with other issues than `pastDate`, what of it is valid. */
	request: BookingRequest;
	/** All issues of the row, in the order of the fields. */
	issues: Issue[];
	/** The issue of a service date in the past: such a row cannot be sent, but may be booked already. */
	pastDate?: Issue;
}

/**
 * Parses the cells of one row into the body of a booking, and all issues of the row.
 *
 * Empty cells are left out. The interface does not say which fields are required, only that `landArea` and `areaType`
 * come together, that a coordinate has both halves, and that the date is not in the past.
 */
export function parseBooking(raw: RawBooking, rules: Rules, source: RowSource = {}): ParsedRequest {
	const row = new RequestBuilder(raw, rules, source);
	addJob(row);
	addFarmer(row);
	addCrops(row);
	addPlace(row);
	addArea(row);
	const { request, issues, pastDate } = row;
	return { request, issues, pastDate };
}

/** What may stand before the ID of a tractor: `Tractor 201`. */
const TRACTOR = /^\s*(?:tractor|tracteur|trekta|tarakta)\b[\s.:]*/i;

function parseNumericId(value: unknown, min: number, what: string): ParseResult<number> {
	const id = parseInteger(value);
	return id.ok && id.value < min ? invalid(`is no ID of a ${what}`, 'write the ID') : id;
}

/** Which tractor does what, and when. */
function addJob(row: RequestBuilder): void {
	const { cells, request, rules } = row;
	row.set('tractorId', (value) =>
		parseNumericId(typeof value === 'string' ? value.replace(TRACTOR, '') : value, 1, 'tractor'),
	);
	row.set('serviceType', (value) => parseNumericId(value, 0, 'service'));
	row.set('serviceDate', (value) => parseServiceDate(value, row));
	const { serviceDate } = request;
	if (serviceDate === undefined) return;
	const { today } = rules;
	// Show the day too, because users do not recognise a serial number.
	const which = typeof cells.serviceDate === 'number' ? `is ${serviceDate}, which is` : 'is';
	if (isPast(serviceDate, today)) {
		const problem = `${which} in the past (today is ${today})`;
		row.pastDate = row.addIssue('serviceDate', problem, 'choose today or a later day');
	}
	const inTwoYears = `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`;
	if (isPast(inTwoYears, serviceDate))
		row.addIssue('serviceDate', `${which} more than two years ahead`, 'check the year');
}

function addFarmer(row: RequestBuilder): void {
	row.set('farmerName', parseName);
	addPhone(row);
	row.set('gender', parseGender);
	row.set('farmLocation', parseText);
	row.set('farmNote', parseText);
}

function addPhone(row: RequestBuilder): void {
	const { farmerPhone: phone, phoneCountry } = row.cells;
	const country = phoneCountry === undefined ? undefined : phoneCountryNamed(phoneCountry);
	const isWhole = typeof phone === 'string' && /\+|^\D*00/.test(phone);
	if (phone !== undefined && phoneCountry !== undefined && !country && !isWhole)
		row.addIssue(
			'phoneCountry',
			'is no country that is known',
			'write its calling code, such as +256',
		);
	else
		row.set('farmerPhone', (value) => {
			const parsed = parseFarmerPhone(value, country?.code ?? row.rules.defaultCountry);
			if (parsed.ok && parsed.isDoubtful) row.notes.push(DOUBTFUL_PHONE);
			return parsed;
		});
}

function addCrops(row: RequestBuilder): void {
	const { crop } = row.cells;
	row.set('crops', parseCrops);
	row.set('custom_crop', parseText);
	const isList = row.cells.crops === undefined && !unusable(crop);
	const crops = isList ? parseCrops(crop) : undefined;
	if (crops?.ok && crops.value.length > 1) row.request.crops = crops.value;
	else row.set('crop', parseText);
}

const HALVES = ['latitude', 'longitude'] as const;

/** Adds the coordinate. Both halves may be in one cell: in a column of their own, or in one of the two. */
function addPlace(row: RequestBuilder): void {
	const { cells, request, source } = row;
	const [half, otherHalf] = HALVES.filter((axis) => cells[axis] !== undefined);
	const place = half ?? 'coordinates';
	const parsePair = (value: unknown) =>
		source.otherSide?.has(place) && /^[^-−+NSEWO]*$/i.test(asText(value))
			? invalid(
					'has no sign, but its heading says south or west',
					'write it with signs or letters, such as 5.35 N, 4.01 W',
				)
			: parsePosition(value, source.isFrench, source.longitudeFirst?.has(place));
	if (!half || (!otherHalf && parsePair(cells[half]).ok))
		Object.assign(request, row.parse(place, parsePair));
	else addHalves(row, half);
	// That place in the sea stands for a missing coordinate.
	if (request.latitude === 0 && request.longitude === 0)
		row.issues.push(
			issueAt('coordinates', undefined, {
				problem: 'are 0, 0, a place in the sea',
				fix: 'write the coordinate of the farm, or leave both empty',
			}),
		);
}

/** Adds latitude and longitude from a cell each. @param given the half that the row has, at least */
function addHalves(row: RequestBuilder, given: (typeof HALVES)[number]): void {
	const { isFrench, otherSide } = row.source;
	for (const axis of HALVES)
		row.set(axis, (value) => parseCoordinate(value, axis, isFrench, otherSide?.has(axis)));
	for (const axis of HALVES.filter((half) => row.cells[half] === undefined))
		row.addIssue(axis, `is missing, but ${labelOf(given)} is given`, 'fill in both or neither');
}

function addArea(row: RequestBuilder): void {
	const { foreignUnit } = row.source;
	const area = row.parse('landArea', (value) =>
		foreignUnit === undefined
			? parseLandArea(value, row.rules.decimalSeparator)
			: invalid(
					`is in ${foreignUnit}, as its heading says`,
					'convert it to hectares or acres, and rename the column',
				),
	);
	const unit = row.parse('areaType', parseAreaUnit);
	if (area) addAreaWithUnit(row, area, unit);
	else if (row.cells.areaType !== undefined && row.cells.landArea === undefined)
		row.addIssue('landArea', 'is missing, but Area Unit is given', 'fill in both or neither');
}

/** Adds the area of a cell. @param ownUnit the unit in the field of the unit */
function addAreaWithUnit(row: RequestBuilder, { value, areaType }: LandArea, ownUnit?: AreaType) {
	const { request, source } = row;
	// The unit in the cell wins over that of all rows, but not over one that is written beside it.
	const beside = areaType && source.isAreaTypeDefault ? undefined : ownUnit;
	const fromHeader = areaType ? undefined : source.areaTypeFromHeader;
	const units = [areaType, beside, fromHeader].filter((some) => some !== undefined);
	const [unit] = units;
	request.landArea = value;
	if (unit !== undefined) request.areaType = unit;
	const large = implausibleArea(value, unit);
	if (large) row.addIssue('landArea', large.problem, large.fix);
	if (units.some((other) => other !== unit))
		row.addIssue(
			'areaType',
			'are different units for one land area (from its cell, its own column or the header)',
			'leave only the right one',
			units.join(' / '),
		);
	if (unit === undefined && row.cells.areaType === undefined) {
		const where = source.columns ? 'in the heading, such as Land Area (ha)' : 'set Area Unit';
		row.addIssue('landArea', 'has no unit', `write ha or ac behind the number, or ${where}`);
	}
}

function parseServiceDate(value: unknown, { rules, source }: RequestBuilder) {
	const date = parseDate(value, {
		...rules,
		dateOrder: isOrderSet(rules.dateOrder) ? rules.dateOrder : (source.dateOrder ?? 'refuse'),
	});
	const other = date.ok ? otherDayOf(value, rules) : undefined;
	if (date.ok && other !== undefined)
		return invalid(
			`is ${date.value} in ${rules.timezone}, or ${other.day} in another timezone`,
			'set the timezone of the workflow in its settings, or write it as YYYY-MM-DD',
		);
	if (date.ok && source.isExchanged && isFromDateCell(value)) return unlessExchanged(date.value);
	return date;
}

/** The day that a spreadsheet shows, unless it may have been typed as another. */
function unlessExchanged(date: string): ParseResult<string> {
	const [year, month, day] = date.split('-');
	if (month === day) return ok(date);
	return invalid(
		`is ${date}, or ${year}-${day}-${month} if the spreadsheet exchanged day and month, as the dates that it left as text suggest`,
		'write it as text, as YYYY-MM-DD',
	);
}
