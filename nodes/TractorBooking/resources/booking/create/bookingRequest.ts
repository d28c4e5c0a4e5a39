import {
	implausibleArea,
	parseAreaUnit,
	parseLandArea,
	type AreaType,
} from '../../../parse/areaUnits';
import { parsePosition } from '../../../parse/coordinates';
import { parseCrops } from '../../../parse/crops';
import { isPast } from '../../../parse/dates';
import { type Issue, type ParseResult } from '../../../parse/issue';
import { phoneCountryNamed } from '../../../parse/phoneCountries';
import { DOUBTFUL_PHONE } from '../../../parse/phones';
import { isBlank, unusable } from '../../../parse/text';
import {
	BOOKING_FIELDS,
	FIELDS,
	fieldOf,
	issueOf,
	labelOf,
	parseField,
	type BookingField,
	type BookingRequest,
	type ColumnField,
	type Rules,
} from './fields';
import type { RawBooking } from './sheetColumns';

/** A row as it was understood. */
export interface ParsedRequest {
	/** The request body; of a row with other issues than `pastDate`, what of it is valid. */
	request: BookingRequest;
	/** All issues of the row, in the order of the fields. */
	issues: Issue[];
	/** The issue of a service date in the past: such a row cannot be sent, but may be booked already. */
	pastDate?: Issue;
	/** What is to be said of the row although it is not an error. */
	notes: readonly string[];
}

/** How to read a row, and where its cells come from. */
export interface RowSource {
	rules: Rules;
	/** The heading of each field; undefined in Booking > Create. */
	headings?: ReadonlyMap<string, string>;
	/** The unit in the heading of the land area. */
	areaUnit?: AreaType;
	/** The unit of an area that has none of its own, from the option Area Unit. */
	defaultUnit?: AreaType;
}

/**
 * Parses the cells of one row into the body of a booking, and all issues of the row. Empty cells are left out; which
 * fields a row must have is up to the caller.
 */
export function parseBooking(raw: RawBooking, source: RowSource): ParsedRequest {
	const cells: RawBooking = Object.fromEntries(
		Object.entries(raw).filter(([, cell]) => !isBlank(cell)),
	);
	const row = new RowParser(cells, source);
	for (const field of BOOKING_FIELDS) if (!hasOwnRule(field)) row.set(field);
	row.addPhone();
	row.checkDate();
	row.addPosition();
	row.addCrops();
	row.addArea();
	const { request, issues, pastDate, notes } = row;
	return { request, issues, pastDate, notes };
}

/** Fields that depend on another cell. */
const hasOwnRule = (field: BookingField) =>
	['farmerPhone', 'crop', 'landArea', 'areaType'].includes(field);

class RowParser {
	readonly request: BookingRequest = {};

	readonly issues: Issue[] = [];

	readonly notes: string[] = [];

	pastDate?: Issue;

	constructor(
		/** The cells that are not blank. */
		private readonly cells: RawBooking,
		private readonly source: RowSource,
	) {}

	private addIssue(field: ColumnField, problem: string, fix: string, value = this.cells[field]) {
		const issue = issueOf(field, value, { problem, fix }, this.source.headings?.get(field));
		this.issues.push(issue);
		return issue;
	}

	/** Reads a cell; undefined if it is blank, or if it has an issue. */
	private read<T>(field: ColumnField, parse: (value: unknown) => ParseResult<T>): T | undefined {
		const cell = this.cells[field];
		if (cell === undefined) return undefined;
		// Excel marks numbers that are text by an apostrophe; so do some files.
		const plain = typeof cell === 'string' ? cell.replace(/^\s*['’](?=[\d+-])/, '') : cell;
		const parsed = unusable(cell) ?? parse(plain);
		if (parsed.ok) return parsed.value;
		this.addIssue(field, parsed.problem, parsed.fix);
		return undefined;
	}

	/** Reads a field into the field of the same name of the request, and checks that the one beside it is there. */
	set<F extends BookingField>(field: F): void {
		const value = this.read(field, (cell) => parseField(field, cell, this.source.rules));
		if (value !== undefined) this.request[field] = value;
		const { needs = field } = fieldOf(field);
		if (this.cells[field] !== undefined && this.cells[needs as ColumnField] === undefined)
			this.addIssue(
				needs as ColumnField,
				`is missing, but ${labelOf(field)} is given`,
				'fill in both or neither',
			);
	}

	addPhone(): void {
		const { farmerPhone: phone, phoneCountry } = this.cells;
		const country = phoneCountry === undefined ? undefined : phoneCountryNamed(phoneCountry);
		const isWhole = typeof phone === 'string' && /\+|^\D*00/.test(phone);
		if (phone !== undefined && phoneCountry !== undefined && !country && !isWhole)
			this.addIssue(
				'phoneCountry',
				'is not a known country',
				'write its calling code, such as +256',
			);
		else this.setPhone(country?.code ?? this.source.rules.defaultCountry);
	}

	private setPhone(defaultCountry: string | undefined): void {
		const rules = { ...this.source.rules, defaultCountry };
		const phone = this.read('farmerPhone', (value) => {
			const parsed = FIELDS.farmerPhone.parse(value, rules);
			if (parsed.ok && parsed.isDoubtful) this.notes.push(DOUBTFUL_PHONE);
			return parsed;
		});
		if (phone !== undefined) this.request.farmerPhone = phone;
	}

	checkDate(): void {
		const { serviceDate } = this.request;
		if (serviceDate === undefined) return;
		const { today } = this.source.rules;
		// Show the day too, because users do not recognise a serial number.
		const day = typeof this.cells.serviceDate === 'number' ? `it means ${serviceDate}: ` : '';
		if (isPast(serviceDate, today)) {
			const fix = `${day}choose today (${today}) or a later day`;
			this.pastDate = this.addIssue('serviceDate', 'is in the past', fix);
		}
		const inTwoYears = `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`;
		if (isPast(inTwoYears, serviceDate))
			this.addIssue('serviceDate', 'is more than two years ahead', `${day}check the year`);
	}

	/** Adds a coordinate that is in one cell. */
	addPosition(): void {
		Object.assign(this.request, this.read('coordinates', parsePosition));
		// Programs write that place in the sea for a missing coordinate.
		if (this.request.latitude === 0 && this.request.longitude === 0)
			this.addIssue(
				'coordinates',
				'are 0, 0, a place in the sea',
				'write the coordinate of the farm',
			);
	}

	/** Several crops in the cell of one are sent as `crops`. */
	addCrops(): void {
		const { crop, crops: list } = this.cells;
		const crops = list === undefined && !unusable(crop) ? parseCrops(crop) : undefined;
		if (!crops?.ok) this.set('crop');
		else if (crops.value.length > 1) this.request.crops = crops.value;
		else this.request.crop = crops.value[0];
	}

	/** Adds the area with its unit: that in the cell, in the column of units, in the heading, or else that of all rows. */
	addArea(): void {
		const { headings, areaUnit, defaultUnit, rules } = this.source;
		const ownUnit = this.read('areaType', parseAreaUnit);
		const area = this.read('landArea', (cell) => parseLandArea(cell, rules.decimalSeparator));
		if (!area) return;
		const { value, areaType } = area;
		// In Create, Area Unit is that of areas without one.
		const beside = areaType !== undefined && !headings ? undefined : ownUnit;
		const units = [areaType, beside, areaUnit].filter((unit) => unit !== undefined);
		const unit = units[0] ?? defaultUnit;
		this.request.landArea = value;
		if (unit === undefined) {
			// The issue of an unknown unit says enough.
			if (this.cells.areaType === undefined) this.addAreaWithoutUnit();
			return;
		}
		this.request.areaType = unit;
		const large = implausibleArea(value, unit);
		if (large) this.addIssue('landArea', large.problem, large.fix);
		if (units.some((other) => other !== unit))
			this.addIssue(
				'areaType',
				'are different units for one land area (from its cell, its own column or the heading)',
				'convert the number to one of them, and leave the other unit out',
				units.join(' / '),
			);
	}

	private addAreaWithoutUnit(): void {
		const where = this.source.headings ? 'set Options > Area Unit' : 'set Area Unit';
		this.addIssue('landArea', 'has no unit', `write ha or ac after the number, or ${where}`);
	}
}
