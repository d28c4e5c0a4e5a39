import { implausibleAreaIssue, parseLandArea, type AreaType } from '../../../../parse/areaUnits';
import { parsePosition } from '../../../../parse/coordinates';
import { shownDate } from '../../../../parse/dates';
import type { Invalid, Issue, ParseResult } from '../../../../parse/issue';
import { smsDoubt } from '../../../../parse/phones';
import { isBlank, parseCrops, unusableCellIssue } from '../../../../parse/text';
import { asText } from '../../../../utils/text';
import {
	OPTIONAL_FIELDS,
	BOOKING_FIELDS,
	parseField,
	type BookingField,
	type BookingRequest,
	type ColumnField,
	type Rules,
} from '../row/fields';
import { issueOf, LEAVE_OUT } from '../row/sentences';
import type { RawBooking, SheetColumns } from './columns';

/** How to read a row, and where its cells come from. */
export interface RowSource extends Partial<Pick<SheetColumns, 'headings' | 'areaUnit'>> {
	rules: Rules;
	/** The unit of an area that has none of its own, from the option Area Unit. */
	defaultUnit?: AreaType;
	/** The fields that all rows lack: that is said once. */
	lacking?: readonly ColumnField[];
}

/** The issues of cells that may be right, below a heading that is not. */
const MAY_BE_ELSE: Partial<Record<ColumnField, string>> = {
	...{ landArea: 'area', areaType: 'areaUnit', tractorId: 'integer' },
};

/**
 * Parses the cells of one row that are not empty.
 *
 * @returns the body of a booking, as far as the row is valid; its issues; that of a day in the past, with which it cannot be
 * sent, but may be booked already; and remarks, for what is no error
 */
export function parseBooking(raw: RawBooking, source: RowSource) {
	const { headings, areaUnit, defaultUnit, rules } = source;
	const { today } = rules;
	const request: BookingRequest = {};
	const issues: Issue[] = [];

	const shown = (field: ColumnField) => {
		const { [field]: cell } = raw;
		if (Array.isArray(cell)) return cell.map(asText).join(', ');
		return field === 'serviceDate' ? shownDate(cell) : cell;
	};

	function addIssue(field: ColumnField, why: Invalid, value = shown(field)): void {
		const isOptional = headings?.has(field) && OPTIONAL_FIELDS.some((name) => name === field);
		const setting = [why.setting, isOptional && LEAVE_OUT].filter(Boolean).join(', or ');
		const mayBeElse = headings && MAY_BE_ELSE[field] === why.code;
		const fix = why.fix + (mayBeElse ? '; if the column holds something else, rename it' : '');
		issues.push({ ...why, fix, field, value, setting: setting || undefined });
	}

	/** Reads a cell; undefined if it is blank, or if it has an issue. */
	function read<T>(field: ColumnField, parse: (cell: unknown) => ParseResult<T>): T | undefined {
		const { [field]: cell } = raw;
		if (isBlank(cell)) return undefined;
		const parsed = unusableCellIssue(cell) ?? parse(cell);
		if (parsed.ok) return parsed.value;
		addIssue(field, parsed);
		return undefined;
	}

	function set<F extends BookingField>(field: F): void {
		const value = read(field, (cell) => parseField(field, cell, rules));
		if (value !== undefined) request[field] = value;
	}

	const areCrops = isBlank(raw.crops);
	for (const field of BOOKING_FIELDS) if (field !== 'crop' || !areCrops) set(field);
	// Several crops in the cell of one are sent as `crops`.
	const crops = areCrops ? read('crop', parseCrops) : undefined;
	if (crops) Object.assign(request, crops.length > 1 ? { crops } : { crop: crops[0] });

	if (isBlank(raw.latitude) !== isBlank(raw.longitude))
		addIssue('coordinates', issueOf('halfAPlace'));
	if (!isBlank(raw.coordinates) && !isBlank(raw.latitude))
		addIssue('coordinates', issueOf('twoPlaces'));
	Object.assign(request, read('coordinates', parsePosition));
	// Programs write that place in the sea for a missing coordinate.
	if (request.latitude === 0 && request.longitude === 0)
		addIssue('coordinates', issueOf('zeroPlace'));
	addUnit();
	const pastDate = checkDate(request.serviceDate);
	const doubt = request.farmerPhone === undefined ? undefined : smsDoubt(request.farmerPhone);
	return { request, issues, pastDate, remarks: doubt === undefined ? [] : [doubt] };

	/** Adds the unit of the area: that in its cell, in the column of units, in the heading, or else that of all rows. */
	function addUnit(): void {
		const { areaType: ownUnit, landArea } = request;
		delete request.areaType;
		if (landArea === undefined) return;
		const area = parseLandArea(raw.landArea);
		const ofCell = area.ok ? area.value.areaType : undefined;
		const [ofHeading, ofOption] = areaUnit === 'other' ? [] : [areaUnit, defaultUnit];
		const units = [ofCell, ownUnit, ofHeading].filter((unit) => unit !== undefined);
		const [unit = ofOption] = units;
		if (unit === undefined) {
			// The issue of an unknown unit says enough.
			if (isBlank(raw.areaType))
				addIssue('landArea', issueOf('noUnit', areaUnit === 'other', headings !== undefined));
			return;
		}
		request.areaType = unit;
		const large = implausibleAreaIssue(landArea, unit);
		if (large) addIssue('landArea', large);
		if (units.some((other) => other !== unit)) addIssue('landArea', issueOf('twoUnits'));
	}

	/** Adds the issue of a day that is years away. @returns that of a day in the past */
	function checkDate(day = today): Issue | undefined {
		const inTwoYears = `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`;
		if (day > inTwoYears) addIssue('serviceDate', issueOf('farAhead'));
		if (day >= today) return undefined;
		return { ...issueOf('pastDate', today), field: 'serviceDate', value: shown('serviceDate') };
	}
}
