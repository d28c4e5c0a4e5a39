import { readAreaUnit, readLandArea, type AreaType } from '../../../parse/areaUnits';
import type { BookingField, BookingRequest } from '../../../api/types';
import { accept, complaintOf, refuse, type Cell, type Complaint } from '../../../parse/issue';
import { readCoordinate } from '../../../parse/coordinates';
import { readCrops } from '../../../parse/crops';
import { isPast, readDate, type DateRules } from '../../../parse/dates';
import { readGender, type GenderWords } from '../../../parse/gender';
import { readInteger, type DecimalMark } from '../../../parse/numbers';
import { readPhone } from '../../../parse/phones';
import { isEmpty } from '../../../utils/text';
import { readText } from '../../../parse/text';

export type { BookingField, BookingRequest } from '../../../api/types';

/** How the cells of a sheet are to be read. */
export interface Rules extends DateRules {
	/** `YYYY-MM-DD` in the workflow's timezone; see `todayIn`. */
	today: string;
	/** Reads `1,250` and `1.250`, which are refused without it. */
	decimalMark?: DecimalMark;
	/** ISO code of the country that local phone numbers belong to; see `phoneCountries.ts`. */
	defaultCountry?: string;
	genderWords?: GenderWords;
}

/** The values of one row, as they are in its cells. */
export type RawBooking = Partial<Record<BookingField, unknown>>;

/** Where the values of the rows came from, to name columns and to know the unit of the header. */
export interface RowSource {
	columns?: ReadonlyMap<BookingField, string>;
	areaTypeFromHeader?: AreaType;
}

/** What comes of one row: a body that can be sent, or why there is none. */
export type BookingRow = { request: BookingRequest } | { complaints: Complaint[] };

/**
 * The rules of one row: cells → the body of a booking, or all complaints about the row.
 *
 * Empty cells are left out. Which fields are required is not documented, so none is, but for what the interface says:
 * `landArea` and `areaType` come together, a coordinate has both halves, and the date is not past.
 */
export function readBooking(raw: RawBooking, rules: Rules, source: RowSource = {}): BookingRow {
	const request: BookingRequest = {};
	const complaints: Complaint[] = [];
	const complain = (field: BookingField, value: unknown, problem: string, fix: string) =>
		complaints.push(complaintOf(field, value, { problem, fix }, source.columns?.get(field)));
	const has = (field: BookingField) => Object.hasOwn(raw, field) && !isEmpty(raw[field]);
	const read = <T>(field: BookingField, reader: (value: unknown) => Cell<T>): T | undefined => {
		if (!has(field)) return undefined;
		const cell = reader(raw[field]);
		if (cell.ok) return cell.value;
		complain(field, raw[field], cell.problem, cell.fix);
		return undefined;
	};
	const set = <F extends BookingField>(
		field: F,
		reader: (value: unknown) => Cell<NonNullable<BookingRequest[F]>>,
	) => {
		const value = read(field, reader);
		if (value !== undefined) request[field] = value;
	};

	set('tractorId', readInteger);
	set('serviceType', readInteger);
	set('serviceDate', (value) => readServiceDate(value, rules));
	set('farmerName', readText);
	set('farmerPhone', (value) => readPhone(value, rules.defaultCountry));
	set('gender', (value) => readGender(value, rules.genderWords));
	set('latitude', (value) => readCoordinate(value, 'latitude'));
	set('longitude', (value) => readCoordinate(value, 'longitude'));
	set('farmLocation', readText);
	set('farmNote', readText);
	set('crop', readText);
	set('crops', readCrops);
	set('custom_crop', readText);

	for (const [half, other] of [
		['latitude', 'longitude'],
		['longitude', 'latitude'],
	] as const) {
		if (has(half) && !has(other)) {
			complain(other, undefined, `is missing beside ${half}`, 'fill in both or neither');
		}
	}

	const area = read('landArea', (value) => readLandArea(value, rules.decimalMark));
	const ownUnit = read('areaType', readAreaUnit);
	if (area) {
		request.landArea = area.value;
		const units = [area.areaType, ownUnit, source.areaTypeFromHeader].filter(
			(unit) => unit !== undefined,
		);
		const [unit] = units;
		if (unit !== undefined) request.areaType = unit;
		if (new Set(units).size > 1) {
			complain(
				'areaType',
				units.join(' / '),
				'are different units for one land area (from its cell, its own column or the header)',
				'leave only the right one',
			);
		}
		if (unit === undefined && !has('areaType')) {
			complain(
				'areaType',
				undefined,
				'is missing beside landArea',
				'add ha or ac, or leave both empty',
			);
		}
	} else if (has('areaType') && !has('landArea')) {
		complain('landArea', undefined, 'is missing beside areaType', 'fill in both or neither');
	}

	if (complaints.length > 0) return { complaints };
	if (Object.keys(request).length > 0) return { request };
	return {
		complaints: [
			complaintOf('row', undefined, { problem: 'is empty', fix: 'fill it in or remove it' }),
		],
	};
}

function readServiceDate(value: unknown, rules: Rules): Cell<string> {
	const date = readDate(value, rules);
	if (!date.ok) return date;
	if (!isPast(date.value, rules.today)) return accept(date.value);
	// Nobody knows the day by its serial number.
	const which = typeof value === 'number' ? `is ${date.value}, which is` : 'is';
	return refuse(`${which} in the past (today is ${rules.today})`, 'choose today or a later day');
}
