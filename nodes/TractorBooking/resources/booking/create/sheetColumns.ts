import type { BookingField } from '../../../api/types';
import { MAX_HECTARES, parseLandArea } from '../../../parse/areaUnits';
import { isBareDate, isNumbering, namesService, parseHeading } from '../../../parse/columnNames';
import { howToChoose, matchColumns, type ColumnMatch } from '../../../parse/columns';
import { isPast, parseDate } from '../../../parse/dates';
import { formatValue, InvalidInputError, issueAt, type Issue } from '../../../parse/issue';
import { labelOf, listOf } from '../../../parse/labels';
import { looksLikePhone } from '../../../parse/phones';
import { isBlank } from '../../../parse/text';
import { asText } from '../../../utils/text';
import { sheetRowOf, type InputItem } from './row';
import type { CreateSettings } from './settings';

/** Columns that the node writes itself, as in a sheet that holds the results of an earlier run. */
const OWN_COLUMNS =
	/^(?:result|reason|booking(?:ID|Status|StatusLabel)|clusterID|tractorId|request|summary)$/;

/** Whether the node writes a column itself. */
export const isOwnColumn = (column: string): boolean => OWN_COLUMNS.test(column);

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
 * @throws InvalidInputError if a column that any row needs is missing, a field has several columns, or the headings are
 * not in the first row
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
	if (match.issues.length === 0) return match;
	const below = headingsBelow(items, match.columns.size);
	throw new InvalidInputError(below ? [below] : match.issues);
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

/** Fields that all rows of a sheet may lack, and whether a cell below a heading that is not known may hold them. */
const MAY_HOLD = {
	/** In one column, or as ticks in one for each service. */
	serviceType: (cell: unknown) => !looksLikePhone(cell),
	landArea: (cell: unknown) => {
		const area = parseLandArea(cell, 'point');
		return area.ok && area.value.value <= MAX_HECTARES;
	},
	farmerName: (cell: unknown) => /\p{L}{2}/u.test(asText(cell)),
};

const isMost = (some: readonly unknown[], all: readonly unknown[]) => some.length > all.length / 2;

/** Whether the heading of a column is of no field. */
export const isUnknown = (column: string): boolean => parseHeading(column).field === undefined;

/** Columns of another field that are of a service each: `Ploughing (ha)` and `Harrowing (ha)`, or their dates. */
export function columnsOfServices(match: ColumnMatch | undefined): string[] {
	const names = [...(match?.tiers.values() ?? [])].map((tiers) =>
		tiers.flatMap((tier) => tier.names).filter(namesService),
	);
	return names.filter(({ length }) => length > 1).flat();
}

/**
 * The issue of columns that may hold a field which no row has; undefined if most of the requests have no cell in any of
 * them.
 */
export function unknownColumns(
	field: keyof typeof MAY_HOLD,
	columns: readonly string[],
	requests: readonly InputItem[],
): Issue | undefined {
	const candidates = columns.filter((column) => {
		const cells = requests.map(({ json }) => json[column]).filter((cell) => !isBlank(cell));
		return isMost(cells.filter(MAY_HOLD[field]), cells);
	});
	const isFilled = ({ json }: InputItem) => candidates.some((column) => !isBlank(json[column]));
	if (!isMost(requests.filter(isFilled), requests)) return undefined;
	const name = labelOf(field);
	return issueAt(field, undefined, {
		problem: `is in no row, but may be in ${listOf(candidates.map(formatValue))}`,
		fix: `write it into one column named ${name}, or map the column that has it under Options > Column Mapping; to book without ${name}, ignore them all there`,
	});
}

/** The issue of columns with days to come beside one that says no more than date, such as that of the registration. */
export function otherDates(
	{ columns, unmatched }: ColumnMatch,
	{ rules, columnMapping }: CreateSettings,
	requests: readonly InputItem[],
): Issue | undefined {
	const column = columns.get('serviceDate') ?? '';
	if (!isBareDate(column) || columnMapping.has(column)) return undefined;
	const isAhead = (cell: unknown) => {
		const date = parseDate(cell, rules);
		return date.ok && !isPast(date.value, rules.today);
	};
	const others = unmatched.filter((name) => {
		const ahead = requests.filter(({ json }) => json[name] !== json[column] && isAhead(json[name]));
		return isMost(ahead, requests);
	});
	if (others.length === 0) return undefined;
	const problem = `is in the column "${column}", but may be in ${listOf(others.map(formatValue))}`;
	return issueAt('serviceDate', undefined, { problem, fix: howToChoose('serviceDate') });
}
