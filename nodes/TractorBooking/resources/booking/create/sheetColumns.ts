import type { BookingField } from '../../../api/types';
import { MAX_HECTARES, parseLandArea } from '../../../parse/areaUnits';
import { isBareDate, isNumbering, namesService, parseHeading } from '../../../parse/columnNames';
import { matchColumns, notInInput, type ColumnMatch } from '../../../parse/columns';
import { isPast, parseDate } from '../../../parse/dates';
import { formatValue, InvalidInputError, issueAt, type Issue } from '../../../parse/issue';
import { labelOf, listOf } from '../../../parse/labels';
import { looksLikePhone } from '../../../parse/phones';
import { isBlank } from '../../../parse/text';
import { asText } from '../../../utils/text';
import type { RawBooking, Rules } from './requestBuilder';
import { RESULT_COLUMNS } from './resultColumns';
import { sheetRowOf, type InputItem } from './row';
import type { CreateSettings } from './settings';

/** A row before it is parsed. */
export interface InputRow extends InputItem {
	/** The columns of its fields; undefined in Booking > Create. */
	match?: ColumnMatch;
	raw: RawBooking;
}

const OWN_COLUMNS: ReadonlySet<string> = new Set(RESULT_COLUMNS);

/** Whether the node writes a column itself, as in a sheet that holds the results of an earlier run. */
export const isOwnColumn = (column: string): boolean => OWN_COLUMNS.has(column);

/** What forms, exports and people add to a row: when, by what and as what it was recorded, and how far it has come. */
const RECORDING =
	/^_|(?:start|end|complet|finish).*time|timestamp|horodateur|wakati|date|duration|uuid|instance|submi|device|creat|updat|modif|receiv|edits|(?:record|respond[ea]nt|response|request|message|entry|form).*(?:id|no|number|link)$|^(?:id|key|ref(?:erence)?|start|end|today|status|statut|called|paid)$/i;

/** Whether a column that holds no field may distinguish a row from another one. */
export const isDistinctive = (column: string): boolean =>
	!isNumbering(column) && !RECORDING.test(column);

/** Whether a column has cells that may be phones. */
export const holdsPhones = (items: readonly InputItem[], column: string): boolean =>
	items.some(({ json }) => looksLikePhone(json[column]));

/** Fields that must have a column; this catches misspelt headers. */
function neededFields(
	{ tractorSelection, ifAlreadyBooked, matchFields }: CreateSettings,
	hasTractors: boolean,
): BookingField[] {
	const wantsNearest =
		tractorSelection === 'nearest' || (tractorSelection === 'idOrNearest' && !hasTractors);
	const forTractor: BookingField[] = wantsNearest ? ['latitude', 'longitude'] : ['tractorId'];
	return [...forTractor, ...(ifAlreadyBooked === 'create' ? [] : matchFields)];
}

/**
 * Maps input columns to fields.
 *
 * @throws InvalidInputError if the headings are not in the first row
 */
export function matchSheet(items: readonly InputItem[]): ColumnMatch {
	const names = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	const mapping = items[0]?.settings.columnMapping;
	const matchOf = (needed: readonly BookingField[]) =>
		matchColumns(
			names,
			needed,
			mapping,
			(column) => !isOwnColumn(column) && holdsPhones(items, column),
		);
	const hasTractors = matchOf([]).columns.has('tractorId');
	const needed = items.flatMap(({ settings }) => neededFields(settings, hasTractors));
	const match = matchOf([...new Set(needed)]);
	const rowIdColumn = items[0]?.settings.rowIdColumn;
	if (rowIdColumn !== undefined && !names.includes(rowIdColumn))
		match.issues.push(notInInput('Row ID', rowIdColumn, names));
	const below = match.issues.length > 0 && headingsBelow(items, match.columns.size);
	if (below) throw new InvalidInputError([below]);
	return match;
}

/** How far down a sheet may have its headings: below a title, a name, a date and an empty row. */
const MAX_ROWS_ABOVE = 10;

/** The issue of headings below a title that was taken for them; undefined if no row looks like headings. */
function headingsBelow(items: readonly InputItem[], found: number): Issue | undefined {
	const rows = items.slice(0, MAX_ROWS_ABOVE).map(({ json }) =>
		Object.values(json)
			.filter((cell) => typeof cell === 'string')
			.filter((cell) => parseHeading(cell).field !== undefined),
	);
	const at = rows.findIndex((headings) => headings.length >= 3 && headings.length > found);
	const [item, headings] = [items[at], rows[at]];
	if (!item || !headings) return undefined;
	return issueAt('headings', undefined, {
		problem: `are in row ${sheetRowOf(item)} of the sheet (${listOf(headings.map(formatValue))}), but the first row was taken for them`,
		fix: 'delete the rows above them',
	});
}

/** Fields that a sheet may lack, and whether a cell below a heading that is not known may hold them. */
const MAY_HOLD = {
	/** In one column, or as ticks in one for each service. */
	serviceType: (cell: unknown) => !looksLikePhone(cell),
	landArea: (cell: unknown) => {
		const area = parseLandArea(cell, 'point');
		return area.ok && area.value.value <= MAX_HECTARES;
	},
	farmerName: (cell: unknown) => /\p{L}{2}/u.test(asText(cell)),
	/** A bare `Date` may be that of the registration. */
	serviceDate: (cell: unknown, rules: Rules) => {
		const date = parseDate(cell, rules);
		return date.ok && !isPast(date.value, rules.today);
	},
};

const isMost = (some: readonly unknown[], all: readonly unknown[]) => some.length > all.length / 2;

/** Columns of another field that are of a service each: `Ploughing (ha)` and `Harrowing (ha)`, or their dates. */
function columnsOfServices({ tiers: all }: ColumnMatch): string[] {
	const names = [...all.values()].map((tiers) =>
		tiers.flatMap((tier) => tier.names).filter(namesService),
	);
	return names.filter(({ length }) => length > 1).flat();
}

/** Whether nobody knows for sure where a sheet has a field. */
function isLacking(
	field: keyof typeof MAY_HOLD,
	match: ColumnMatch,
	requests: readonly InputRow[],
): boolean {
	if (field !== 'serviceDate') return requests.every(({ raw }) => isBlank(raw[field]));
	const column = match.columns.get(field) ?? '';
	return isBareDate(column) && !requests.some(({ settings }) => settings.columnMapping.has(column));
}

/**
 * The issues of columns that may hold a field which the sheet lacks, if most of the requests have a cell in one of them.
 *
 * @param unused columns that hold no field
 */
export function unknownColumns(
	match: ColumnMatch,
	unused: readonly string[],
	requests: readonly InputRow[],
): Issue[] {
	const unknown = unused.filter((column) => parseHeading(column).field === undefined);
	const others = [...unknown.filter(isDistinctive), ...columnsOfServices(match)];
	const fields = Object.keys(MAY_HOLD) as Array<keyof typeof MAY_HOLD>;
	return fields
		.filter((field) => isLacking(field, match, requests))
		.flatMap((field) => {
			const columns = field === 'serviceDate' ? unknown : others;
			const candidates = columns.filter((column) => {
				const cells = requests.filter(({ json }) => !isBlank(json[column]));
				const holding = cells.filter(({ json, settings }) =>
					MAY_HOLD[field](json[column], settings.rules),
				);
				return isMost(holding, cells);
			});
			const isFilled = ({ json }: InputItem) => candidates.some((column) => !isBlank(json[column]));
			return isMost(requests.filter(isFilled), requests) ? mayBeIn(field, candidates, match) : [];
		});
}

function mayBeIn(
	field: BookingField,
	candidates: readonly string[],
	{ columns }: ColumnMatch,
): Issue {
	const name = labelOf(field);
	const place = field === 'serviceDate' ? `the column "${columns.get(field)}"` : 'no row';
	return issueAt(field, undefined, {
		problem: `is in ${place}, but may be in ${listOf(candidates.map(formatValue))}`,
		fix: `write it into one column named ${name}, or map the column that has it under Options > Column Mapping; if none of them has it, ignore them all there`,
	});
}
