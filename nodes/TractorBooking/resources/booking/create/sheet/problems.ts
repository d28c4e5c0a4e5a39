import type { IDataObject } from 'n8n-workflow';

import { areaUnitOf } from '../../../../parse/areaUnits';
import { parseCoordinate, parsePosition } from '../../../../parse/coordinates';
import { formatValue, listedValue, listOf } from '../../../../parse/issue';
import { parsePhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isBlank } from '../../../../parse/text';
import { groupBy } from '../../../../utils/groupBy';
import { asText, cleanText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import {
	CORE_FIELDS,
	fieldOf,
	labelOf,
	labelsOf,
	partsOf,
	type ColumnField,
	type NeededField,
	type Rules,
} from '../fields';
import type { CreateSettings } from '../settings';
import { cellOf } from './cells';
import { parseHeading, type RawBooking, type SheetColumns } from './columns';

/** What is wrong with a sheet: a sentence without any cell, since n8n logs it, then cells, and what to do. */
export type Problem = readonly string[];

export type OtherColumn = {
	column: string;
	/** Its values with the number of their rows, the most frequent first; not all of many. */
	values: Array<{ value: string; count: number }>;
	distinct: number;
};

type Item = Readonly<{ json: IDataObject }>;

export interface SheetCells {
	json: IDataObject;
	raw: RawBooking;
	/** See {@link hasRequestCells}. */
	isRequest: boolean;
}

/** Different values of a column that the summary has, for a form to choose among, and that a message shows. */
const [MAX_VALUES, SHOWN_VALUES] = [20, 5];

/** Of fewer rows, each says what it lacks. */
const MIN_ROWS = 5;

/** A row in which all of these are empty is not a request: totals, a note below the table, a heading in between. */
const ASKED_FOR = [
	...(['farmerPhone', 'serviceType', 'serviceDate', 'bookingID'] as const),
	...(['tractorId', 'latitude', 'coordinates'] as const),
];

export const hasRequestCells = (raw: RawBooking): boolean =>
	ASKED_FOR.some((field) => !isBlank(raw[field]));

/** What is in columns: those with few different values first, as they may decide which rows to book. */
async function contentOf(
	rows: readonly SheetCells[],
	names: readonly string[],
): Promise<OtherColumn[]> {
	const contents = await inTurns(names, (column) => {
		const cells = rows.map(({ json }) => cellOf(json, column)).filter((cell) => !isBlank(cell));
		const values = [...groupBy(cells, (cell) => asText(cell).trim())]
			.map(([value, { length: count }]) => ({ value, count }))
			.sort((a, b) => b.count - a.count);
		return { column, values: values.slice(0, MAX_VALUES), distinct: values.length };
	});
	return contents.filter(({ distinct }) => distinct > 0).sort((a, b) => a.distinct - b.distinct);
}

/** A column with its values: `Status (Approved, Pending)`. */
export function columnText({ column, values, distinct }: OtherColumn): string {
	const shown = values.slice(0, SHOWN_VALUES).map(({ value }) => listedValue(value));
	const more = distinct > shown.length ? ' …' : '';
	return `${cleanText(column) || 'a column that needs a heading'} (${shown.join(', ')}${more})`;
}

/** The fields that each row must have, and that no column holds. */
function missingFields(
	{ tractorSelection, notInSheet }: CreateSettings,
	{ headings }: SheetColumns,
): NeededField[] {
	const isById =
		tractorSelection === 'idOrNearest' ? headings.has('tractorId') : tractorSelection === 'id';
	const core = CORE_FIELDS.filter((field) => !notInSheet.has(field));
	const fields: NeededField[] = [...core, isById ? 'tractorId' : 'coordinates'];
	return fields.filter((field) => !headings.has(field));
}

/** Entries of Column Mapping whose column the sheet lacks. If all others are read, the reader may have left out an empty one. */
const staleMappings = ({ absent, headings }: SheetColumns, others: readonly OtherColumn[]) =>
	absent.flatMap(([column, field]): Problem[] => {
		const own = headings.get(field);
		if (field === 'ignore' || (own === undefined && others.length === 0)) return [];
		const fix = own === undefined ? ': correct' : `; it has ${formatValue(own)}: delete`;
		const entry = `Column Mapping takes ${labelOf(field)} from ${formatValue(column)}`;
		return [[`${entry}, which this sheet does not have${fix} that entry.`]];
	});

const missingRowId = ({ absentRowId }: SheetColumns): Problem[] => {
	if (absentRowId === undefined) return [];
	const name = formatValue(absentRowId);
	return [[`This sheet has no column ${name} for the Row ID: add it, or change that option.`]];
};

const OTHER_TAB =
	'If the table is in another tab, name it under Options > Sheet Name of the node that reads the file.';

/** What is wrong with a sheet in which all lines are empty. */
export const NO_ROWS: Problem = ['The sheet has headings, but no rows.', OTHER_TAB];

function missingColumns({ columns }: SheetColumns, lacking: readonly ColumnField[]): Problem {
	const isCore = (field: ColumnField) => fieldOf(field).rank === 'core';
	const parts = [
		`No column with values for ${labelsOf(lacking)}.`,
		'Fill it in, rename the column that holds it, or map it under Options > Column Mapping.',
		lacking.some(isCore) &&
			'If the sheet has none, name the field under Options > Fields Not in the Sheet.',
		!lacking.every(isCore) && 'If the rows name no tractor or no place, change Choose Tractor.',
		columns.size === 0 && OTHER_TAB,
	];
	return parts.filter((part) => part !== false);
}

const otherColumns = (others: readonly OtherColumn[]): Problem => [
	`Not read: ${others.length} ${others.length === 1 ? 'column' : 'columns'}.`,
	`${others.map(columnText).join(', ')}.`,
	'If one holds a field, map it under Options > Column Mapping.',
	'If one decides which rows to book, put a Filter node before this one.',
];

export type SheetFindings = Awaited<ReturnType<typeof findingsOf>>;

const TO_PASTE =
	'To ignore these columns and stop at any other, paste the lines below into Options > Ignored Columns:';

/** Reads the cells of all columns once, for what is to be said of the sheet as a whole. */
export async function findingsOf(
	rows: readonly SheetCells[],
	columns: SheetColumns,
	settings: CreateSettings,
) {
	const read = [...columns.columns.values()].flat();
	const filled = await contentOf(rows, [...columns.unread, ...read]);
	const others = filled.filter(({ column }) => columns.others.includes(column));
	const stops = others.length > 0 && settings.otherColumns !== 'ignore';
	// A form may leave out what was not answered: of a few rows, each says what it lacks.
	const requests = rows.filter(({ isRequest }) => isRequest).length;
	const areFew = !stops && requests > 0 && requests < MIN_ROWS;
	const lacking = areFew ? [] : missingFields(settings, columns);
	const areNamed = stops || (lacking.length > 0 && others.length > 0);
	const headings = others.map(({ column }) => cleanText(column)).filter(Boolean);
	return {
		/** What is wrong with it, in the order in which a person fixes it: then no row is booked. */
		problems: [
			...staleMappings(columns, others),
			...missingRowId(columns),
			...columns.doubled.map(({ field, columns: all }) => [
				`Several columns hold ${labelOf(field)}.`,
				`${all.join(', ')}: map each under Options > Column Mapping to what it holds, or to None (Ignore).`,
			]),
			...(lacking.length > 0 ? [missingColumns(columns, lacking)] : []),
			...(areNamed ? [otherColumns(others)] : []),
		],
		/** What ends the message about them: the lines with which the other columns are ignored, after those already listed. */
		last:
			stops && headings.length > 0
				? [TO_PASTE, ...new Set([...settings.ignoredColumns, ...headings])]
				: [],
		lacking,
		/** The columns with cells that hold no field, and are not ignored one by one. */
		otherColumns: others,
		/** What is in all columns with cells that the reader of the rows has not added. */
		filled,
	};
}

/** What is wrong if the headings are below the first line: many more of them are in another one. */
function misplacedHeadings(items: readonly Item[], { columns }: SheetColumns): Problem | undefined {
	const lines = items.slice(0, 10).map(({ json }) => Object.values(json).map(asText));
	const fieldsIn = (line: string[]) => new Set(line.flatMap((cell) => parseHeading(cell) ?? []));
	const headings = lines.find((line) => fieldsIn(line).size >= columns.size + 3);
	if (!headings) return undefined;
	const some = headings.filter(Boolean).slice(0, 3).join(', ');
	return ['The headings are not in the first line.', `Delete the rows above the one with ${some}.`];
}

/** Whether a text is the cell of a request, and no heading. A whole number may number a column. */
const isCell = (text: string, rules: Rules): boolean =>
	parsePhone(text, rules.defaultCountry).ok ||
	ordersOf(text, rules).length > 0 ||
	parsePosition(text).ok ||
	(/\d[.,]\d/.test(text) &&
		(['latitude', 'longitude'] as const).some((axis) => parseCoordinate(text, axis).ok));

/** What is wrong if the first line is a request: the reader took it for headings, and it would be booked by no one. */
function noHeadings(names: readonly string[], { rules }: CreateSettings): Problem | undefined {
	// A unit may also be a cell.
	const headings = names.filter((name) => areaUnitOf(name) === undefined);
	const isCore = (field: ColumnField) =>
		CORE_FIELDS.some((core) => core === field || partsOf(core).includes(field));
	if (headings.flatMap((name) => parseHeading(name) ?? []).some(isCore)) return undefined;
	const cells = names.filter((name) => isCell(name, rules)).map(listedValue);
	if (cells.length === 0) return undefined;
	const fix = `add a line of headings above it, such as ${labelsOf(CORE_FIELDS)}`;
	return [
		'The first line seems to be a request, not headings.',
		`It has ${listOf(cells)}: ${fix}.`,
	];
}

/** What is wrong if a heading is there twice: n8n's reader numbers the second, and the row may be that of two tables. */
function sameHeadings(names: readonly string[]): Problem | undefined {
	const all = new Set(names);
	const same = names.flatMap((name) => {
		const [, first] = /^(.*\S)_[1-9]\d*$/s.exec(name) ?? [];
		// So it names columns without a heading.
		const isUnnamed = first?.startsWith('__EMPTY');
		return first !== undefined && all.has(first) && !isUnnamed ? [first, name] : [];
	});
	if (same.length === 0) return undefined;
	const fix =
		'If tables stand side by side, move each into a tab of its own; else give each column its own heading.';
	return [
		'Several columns have the same heading.',
		`n8n names them ${listOf([...new Set(same)].map(cleanText))}. ${fix}`,
	];
}

/** What is wrong with the first line of a sheet: what is below it cannot be read then, whatever columns are mapped to. */
export const headingProblem = (
	items: readonly Item[],
	names: readonly string[],
	columns: SheetColumns,
	settings: CreateSettings,
): Problem | undefined =>
	misplacedHeadings(items, columns) ?? noHeadings(names, settings) ?? sameHeadings(names);
