import type { IDataObject } from 'n8n-workflow';

import { formatValue, listedValue } from '../../../parse/issue';
import { isBlank } from '../../../parse/text';
import { asText, cleanText } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import { CORE_FIELDS, fieldOf, labelOf, labelsOf, type ColumnField } from './fields';
import { ofSheet, type Problem } from './problems';
import type { RunSettings } from './settings';
import { cellOf, parseHeading, type RawBooking, type SheetColumns } from './sheetColumns';

/** A column with cells that hold no field. */
export type OtherColumn = {
	column: string;
	/** Its values with the number of their rows, the most frequent first: at most {@link MAX_VALUES}. */
	values: Array<{ value: string; count: number }>;
	/** How many different values it has. */
	distinct: number;
};

/** What the rows of a sheet show of its columns. */
interface SheetContent {
	/** How many rows ask for a booking. */
	requests: number;
	/** Fields that have a cell in some request. */
	filled: ReadonlySet<string>;
	/** The columns that hold no field: those with few different values first, as they may decide which rows to book. */
	others: readonly OtherColumn[];
	/** These, and the columns of fields that several hold. */
	all: readonly OtherColumn[];
}

/** A row of the sheet: its cells by column, and by field. */
export interface SheetCells {
	json: IDataObject;
	raw: RawBooking;
}

/** Different values of a column that the summary has; a form can let choose among them. */
const MAX_VALUES = 20;

/** Different values of a column that a message lists, such as those of a status; of more it has examples. */
const FEW_VALUES = 6;
const EXAMPLES = 3;

/** Of fewer rows, each says what it lacks. */
const MIN_ROWS = 5;

/** A row in which all of these are empty is not a request: totals, a note below the table, a heading in between. */
const ASKED_FOR = ['farmerPhone', 'serviceType', 'serviceDate', 'bookingID'] as const;

/** Whether a row asks for a booking. */
export const isRequest = (raw: RawBooking): boolean =>
	ASKED_FOR.some((field) => !isBlank(raw[field]));

async function contentOf(
	rows: readonly SheetCells[],
	{ others, doubled }: SheetColumns,
): Promise<SheetContent> {
	const wanted = [...others, ...doubled.flatMap(({ columns }) => columns)];
	const counts = new Map(wanted.map((name) => [name, new Map<string, number>()]));
	const filled = new Set<string>();
	let requests = 0;
	await inTurns(rows, ({ json, raw }) => {
		for (const [name, ofColumn] of counts) {
			const cell = cellOf(json, name);
			if (isBlank(cell)) continue;
			const value = asText(cell).trim();
			ofColumn.set(value, (ofColumn.get(value) ?? 0) + 1);
		}
		if (!isRequest(raw)) return;
		requests += 1;
		for (const field of Object.keys(raw) as ColumnField[])
			if (!isBlank(raw[field])) filled.add(field).add(fieldOf(field).partOf ?? field);
	});
	const columns = [...counts].filter(([, { size }]) => size > 0).map(otherColumn);
	const all = columns.sort((a, b) => a.distinct - b.distinct);
	return { requests, filled, others: all.filter(({ column }) => others.includes(column)), all };
}

function otherColumn([column, counts]: [string, ReadonlyMap<string, number>]): OtherColumn {
	const values = [...counts].map(([value, count]) => ({ value, count }));
	values.sort((a, b) => b.count - a.count);
	return { column, values: values.slice(0, MAX_VALUES), distinct: counts.size };
}

/** All columns with their values, since any may decide which rows to book: `Status (Approved, Pending)`. */
export function columnList(columns: readonly OtherColumn[]): string {
	const texts = columns.map(({ column, values, distinct }) => {
		const name = cleanText(column) || 'a column that needs a heading';
		const [start, shown] = distinct > FEW_VALUES ? ['e.g. ', EXAMPLES] : ['', FEW_VALUES];
		const listed = values.slice(0, shown).map(({ value }) => listedValue(value));
		return `${name} (${start}${listed.join(', ')})`;
	});
	return texts.join(', ');
}

/** The fields that each row must have, and of which there is nothing. @param has whether there is something of a field */
function missingFields(
	{ tractorSelection, notInSheet }: RunSettings,
	has: (field: ColumnField) => boolean,
): ColumnField[] {
	const isById = tractorSelection === 'idOrNearest' ? has('tractorId') : tractorSelection === 'id';
	const core = CORE_FIELDS.filter((field) => !notInSheet.has(field));
	return [...core, isById ? ('tractorId' as const) : ('coordinates' as const)].filter(
		(field) => !has(field),
	);
}

/** Columns that options name and the sheet lacks. If all others are read, the reader may have left out an empty one. */
function absentColumns(
	{ absent, headings, rowIdColumn, isRowIdAbsent }: SheetColumns,
	{ others }: SheetContent,
): Problem[] {
	const lacks = 'which this sheet does not have';
	const entries = absent.flatMap(([column, field]) => {
		const own = headings.get(field);
		if (own === undefined && others.length === 0) return [];
		const fix = own === undefined ? ': correct' : `; it has ${formatValue(own)}: delete`;
		return `Column Mapping takes ${labelOf(field)} from ${formatValue(column)}, ${lacks}${fix} that entry.`;
	});
	if (isRowIdAbsent)
		entries.push(
			`Options > Row ID names ${formatValue(rowIdColumn)}, ${lacks}: enter a heading of it.`,
		);
	return entries.map((text) => ofSheet(text));
}

function missingColumns({ columns }: SheetColumns, lacking: readonly ColumnField[]): Problem[] {
	if (lacking.length === 0) return [];
	const isCore = lacking.some((field) => fieldOf(field).isCore);
	const isPlace = lacking.some((field) => !fieldOf(field).isCore);
	return [
		ofSheet(
			`No column with values for ${labelsOf(lacking)}.`,
			'Rename the column that holds it, or map it under Options > Column Mapping.',
			isCore
				? 'If the sheet has none, name the field under Options > Fields Not in the Sheet.'
				: '',
			isPlace ? 'If the rows name no tractor or no place, change Choose Tractor.' : '',
			columns.size === 0
				? 'If this is not the table, name its tab under Options > Sheet Name of the node that reads the file.'
				: '',
		),
	];
}

/** Columns that hold no field. */
function otherColumns({ others }: SheetContent): Problem {
	const count = `${others.length} ${others.length === 1 ? 'column' : 'columns'}`;
	return ofSheet(
		`Not read: ${count}.`,
		`${columnList(others)}.`,
		'If one holds a field, map it under Options > Column Mapping.',
		'If one decides which rows to book, put a Filter node before this one.',
	);
}

/** What is to be said of a sheet as a whole. */
export interface SheetFindings {
	/** What is wrong with it, in the order in which a person fixes it: then no row is booked. */
	problems: Problem[];
	/** What ends the message about them. */
	last: string[];
	/** The fields that all rows lack, if that is among the problems. */
	lacking: ColumnField[];
	/** The columns with cells that hold no field, and are not ignored one by one. */
	otherColumns: readonly OtherColumn[];
	/** The fields that each row must have, and that no column holds. */
	missing: Array<{ name: ColumnField; field: string }>;
	/** Of all columns that hold no field for sure, what is in them. */
	filled: readonly OtherColumn[];
}

/** Reads the cells of all columns once, for what is to be said of the sheet as a whole. */
export async function findingsOf(
	rows: readonly SheetCells[],
	columns: SheetColumns,
	settings: RunSettings,
): Promise<SheetFindings> {
	const content = await contentOf(rows, columns);
	const { requests, filled, others } = content;
	const stops = others.length > 0 && settings.otherColumns !== 'ignore';
	// Of a few rows, each says what it lacks. If Column Mapping names a column that is not there, that entry is wrong.
	const isOfRows = requests > 0 && requests < MIN_ROWS && !stops;
	const mapped = new Set<string>(columns.absent.map(([, field]) => field));
	const isThere = (field: ColumnField) => isOfRows || filled.has(field) || mapped.has(field);
	const lacking = missingFields(settings, isThere);
	const doubled = columns.doubled.map(({ field, columns: all }) =>
		ofSheet(
			`Several columns hold ${labelOf(field)}.`,
			`${all.join(', ')}: map each under Options > Column Mapping to what it holds, or to None (Ignore).`,
		),
	);
	const areNamed = stops || (lacking.length > 0 && others.length > 0);
	return {
		problems: [
			...absentColumns(columns, content),
			...doubled,
			...missingColumns(columns, lacking),
			...(areNamed ? [otherColumns(content)] : []),
		],
		last: stops ? linesToPaste(content, settings) : [],
		lacking,
		otherColumns: others,
		filled: content.all,
		missing: missingFields(settings, (field) => columns.headings.has(field)).map((name) => ({
			name,
			field: labelOf(name),
		})),
	};
}

/** The lines to paste, with which columns are ignored: those that are listed already stay. */
function linesToPaste({ others }: SheetContent, { ignoredColumns }: RunSettings): string[] {
	const headings = others.map(({ column }) => cleanText(column)).filter(Boolean);
	if (headings.length === 0) return [];
	return [
		'To ignore these columns and stop at any other, paste the lines below into Options > Ignored Columns:',
		...new Set([...ignoredColumns, ...headings]),
	];
}

/** How many rows below the first line may have the headings. */
const MAX_ABOVE = 10;

/** More headings than the first line has: fewer are a coincidence. */
const MORE_HEADINGS = 3;

/** The items below the one that has the headings, if that is not the first line; with what to do about it. */
export function belowTitle<Item extends { json: IDataObject }>(
	items: readonly Item[],
	{ columns }: SheetColumns,
) {
	const fieldsIn = (row: IDataObject) =>
		new Set(Object.values(row).flatMap((cell) => parseHeading(asText(cell))?.field ?? []));
	const at = items
		.slice(0, MAX_ABOVE)
		.findIndex(({ json }) => fieldsIn(json).size >= columns.size + MORE_HEADINGS);
	const { json: headings } = items[at] ?? {};
	if (!headings) return undefined;
	const below = items.slice(at + 1).map((item) => {
		const cells = Object.entries(item.json);
		const nameOf = (name: string) => asText(cellOf(headings, name)) || name;
		return { ...item, json: Object.fromEntries(cells.map(([name, cell]) => [nameOf(name), cell])) };
	});
	const some = Object.values(headings).map(asText).filter(Boolean).slice(0, 3).join(', ');
	const fix = `Delete the rows above the one with ${some}.`;
	return { items: below, problem: ofSheet('The headings are not in the first line.', fix) };
}
