import type { IDataObject } from 'n8n-workflow';

import { formatValue, listedValue, listOf } from '../../../parse/issue';
import { isBlank } from '../../../parse/text';
import { asText, cleanText } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import { CORE_FIELDS, labelOf, partsOf, type ColumnField } from './fields';
import { ofSheet, type Problem } from './problems';
import type { RunSettings } from './settings';
import { cellOf, parseHeading, type RawBooking, type SheetColumns } from './sheetColumns';

/** A column that holds no field, with what it has in its cells. */
export type OtherColumn = {
	column: string;
	/** Its values with the number of their rows, the most frequent first: all of up to {@link MAX_VALUES}, else three. */
	values: Array<{ value: string; count: number }>;
	/** How many different values it has. */
	distinct: number;
};

/** What the rows of a sheet show of its columns. */
export interface SheetContent {
	names: readonly string[];
	rows: number;
	/** Rows that ask for a booking. */
	requests: number;
	/** Fields that have a cell in some request. */
	filled: ReadonlySet<ColumnField>;
	/** Columns with a cell that hold no field, or a field that others hold too: those with few values first. */
	others: readonly OtherColumn[];
}

/** Different values of a column that the summary has; a form can let choose among them. */
const MAX_VALUES = 20;

/** Different values of a column that decides something about its rows, such as a status. */
const FEW_VALUES = 6;

/** Values of any other column. */
const EXAMPLES = 3;

/** From this many rows on, a column that is empty in all of them was renamed rather than forgotten. */
const MIN_ROWS = 5;

/** A row in which all of these are empty is not a request: totals, a note below the table, a heading in between. */
const ASKED_FOR = ['farmerPhone', 'serviceType', 'serviceDate', 'bookingID'] as const;

/** Whether a row asks for a booking. */
export const isRequest = (raw: RawBooking): boolean =>
	ASKED_FOR.some((field) => !isBlank(raw[field]));

/** Reads the cells of all columns once, for what is to be said of the sheet as a whole. */
export async function contentOf(
	rows: ReadonlyArray<{ json: IDataObject; raw: RawBooking }>,
	{ others, doubled }: SheetColumns,
	names: readonly string[],
): Promise<SheetContent> {
	const wanted = new Set([...others, ...doubled.flatMap(({ columns }) => columns)]);
	const counts = new Map([...wanted].map((name) => [name, new Map<string, number>()]));
	const filled = new Set<ColumnField>();
	let requests = 0;
	await inTurns(rows, ({ json, raw }) => {
		for (const [name, ofColumn] of counts) {
			const cell = cellOf(json, name);
			if (isBlank(cell)) continue;
			const value = typeof cell === 'string' ? cell.trim() : asText(cell);
			ofColumn.set(value, (ofColumn.get(value) ?? 0) + 1);
		}
		if (!isRequest(raw)) return;
		requests += 1;
		for (const field of Object.keys(raw) as ColumnField[])
			if (!isBlank(raw[field])) filled.add(field);
	});
	const columns = [...counts].filter(([, { size }]) => size > 0).map(otherColumn);
	const rankOf = rankIn(rows.length);
	return {
		names,
		rows: rows.length,
		requests,
		filled,
		others: columns.sort((a, b) => rankOf(a) - rankOf(b)),
	};
}

/** Those that may decide which rows to book come first: a column with one value in all rows decides nothing. */
function rankIn(rows: number) {
	return ({ distinct, values }: OtherColumn): number => {
		const isConstant = distinct === 1 && values[0]?.count === rows;
		return isConstant || distinct > FEW_VALUES ? FEW_VALUES + 1 : distinct;
	};
}

function otherColumn([column, counts]: [string, ReadonlyMap<string, number>]): OtherColumn {
	const { size: distinct } = counts;
	const values: OtherColumn['values'] = [];
	for (const [value, count] of counts) {
		values.push({ value, count });
		// There may be as many as there are rows.
		if (distinct > MAX_VALUES && values.length === EXAMPLES) return { column, values, distinct };
	}
	return { column, values: values.sort((a, b) => b.count - a.count), distinct };
}

const HEADLESS = 'a column without a heading';

/** `Status (Approved, Pending)`, or `Receipt (e.g. R-101)` if it has many values. */
function columnText({ column, values, distinct }: OtherColumn): string {
	const name = cleanText(column) || HEADLESS;
	if (distinct === 0) return name;
	const texts = values.map(({ value }) => listedValue(value));
	return distinct > FEW_VALUES
		? `${name} (e.g. ${texts.slice(0, EXAMPLES).join(', ')})`
		: `${name} (${texts.join(', ')})`;
}

/** All columns, since any may decide which rows to book. */
export const columnList = (columns: readonly OtherColumn[]): string =>
	columns.map(columnText).join(', ');

/** The fields, of each group one, that the rows must have. */
function neededFields({ tractorSelection, notInSheet }: RunSettings): ColumnField[][] {
	const tractors: Record<typeof tractorSelection, ColumnField[]> = {
		id: ['tractorId'],
		idOrNearest: ['tractorId', 'coordinates'],
		nearest: ['coordinates'],
	};
	const core = CORE_FIELDS.filter((field) => !notInSheet.has(field));
	return [...core.map((field) => [field]), tractors[tractorSelection]];
}

const isIn = (group: readonly ColumnField[], some: { has: (field: ColumnField) => boolean }) =>
	group.some((field) => [field, ...partsOf(field)].some((one) => some.has(one)));

/** The fields, of each group one, that no column holds. */
export const missingFields = (columns: SheetColumns, settings: RunSettings): ColumnField[][] =>
	neededFields(settings).filter((group) => !isIn(group, columns.columns));

const NO_COLUMNS =
	'Put the node that reads the spreadsheet before this one. If it read an empty tab, name the right one under its Options > Sheet Name.';

/** Columns that options name and the sheet lacks. If no column is unread, the reader may have left out an empty one. */
function absentColumns(
	{ absent, rowIdColumn }: SheetColumns,
	names: readonly string[],
	unread: readonly OtherColumn[],
): Problem[] {
	const entries = absent.flatMap(([column, field]) => {
		const own = names.find((name) => {
			const held = parseHeading(name)?.field;
			return held === field || (held && partsOf(field).includes(held));
		});
		if (own === undefined && unread.length === 0) return [];
		const takes = `Column Mapping takes ${labelOf(field)} from ${formatValue(column)}, which this sheet does not have`;
		return own === undefined
			? `${takes}: correct that entry.`
			: `${takes}; it has ${formatValue(own)}: delete that entry.`;
	});
	if (rowIdColumn !== undefined && !names.includes(rowIdColumn))
		entries.push(
			`Options > Row ID names ${formatValue(rowIdColumn)}, which this sheet does not have: enter a heading of it.`,
		);
	return entries.map((text) => ofSheet(text));
}

/** A date that the heading and the option read in two ways. */
function contradictedOrder({ dateOrder, headings }: SheetColumns, { rules }: RunSettings) {
	const isOther = ![dateOrder, 'refuse'].includes(rules.dateOrder);
	if (!isOther || dateOrder === undefined || dateOrder === 'refuse') return [];
	const first = dateOrder === 'dayFirst' ? 'day' : 'month';
	const heading = formatValue(headings.get('serviceDate'));
	return [
		ofSheet(
			`The heading ${heading} has the ${first} first, but Date Order has not: change the one that is wrong.`,
		),
	];
}

function doubledColumns({ doubled }: SheetColumns, { others }: SheetContent): Problem[] {
	return doubled.map(({ field, columns }) => {
		const none = { values: [], distinct: 0 };
		const found = columns.map(
			(column) => others.find((other) => other.column === column) ?? { column, ...none },
		);
		const parts = partsOf(field).map(labelOf).join(' and ');
		return ofSheet(
			`Several columns hold ${labelOf(field)}.`,
			`${columnList(found)}.`,
			parts
				? `If they are ${parts}, map them so under Options > Column Mapping. If not, set`
				: 'Under Options > Column Mapping, set',
			'all but one to None (Ignore).',
		);
	});
}

/** The fields, of each group one, that the sheet lacks. */
export interface LackingFields {
	/** Those that no column holds. */
	missing: ColumnField[][];
	/** Those whose column has no cell. */
	empty: ColumnField[][];
}

/** The fields that all rows lack; in a sheet of few rows, that is said of each row. */
export function lackingFields(
	columns: SheetColumns,
	content: SheetContent,
	settings: RunSettings,
): LackingFields {
	const { rows, requests, filled } = content;
	const needed = neededFields(settings);
	// Some readers leave out a column that is empty in all rows.
	const isSheetOfFew =
		rows < MIN_ROWS && requests > 0 && !stopsAt(unreadIn(columns, content), settings);
	const isHeld = (group: ColumnField[]) => isIn(group, columns.columns);
	// Such an entry of Column Mapping is to be deleted, and then the field has its column.
	const toDelete = new Set<ColumnField>(columns.absent.map(([, field]) => field));
	return {
		missing: isSheetOfFew ? [] : needed.filter((group) => !isHeld(group) && !isIn(group, toDelete)),
		empty:
			requests < MIN_ROWS ? [] : needed.filter((group) => isHeld(group) && !isIn(group, filled)),
	};
}

const namesOf = (groups: readonly ColumnField[][]) =>
	listOf(groups.map((group) => group.map(labelOf).join(' or ')));

/** Core fields without a column, or without a cell. */
function missingColumns(
	columns: SheetColumns,
	{ missing, empty }: LackingFields,
	unread: readonly OtherColumn[],
	stops: boolean,
): Problem[] {
	const lacking = [...missing, ...empty];
	if (lacking.length === 0) return [];
	const isLacking = (...fields: readonly ColumnField[]) =>
		lacking.some((group) => group.length === 1 && fields.some((field) => group.includes(field)));
	const ignored = columns.ignored.filter((name) => {
		const field = parseHeading(name)?.field;
		return (
			field !== undefined &&
			lacking.some((group) => [...group, ...group.flatMap(partsOf)].includes(field))
		);
	});
	const headline = [
		missing.length > 0 ? `No column for ${namesOf(missing)}.` : '',
		empty.length > 0 ? `No row has a cell for ${namesOf(empty)}.` : '',
	];
	return [
		ofSheet(
			headline.filter(Boolean).join(' '),
			ignored.length > 0 ? `The options ignore ${listOf(ignored)}: delete it there.` : '',
			!stops && unread.length > 0 ? `Not read: ${columnList(unread)}.` : '',
			unread.length > 0
				? 'Rename the column that holds it, or map it under Options > Column Mapping.'
				: 'Add the column, or rename the one that holds it.',
			isLacking(...CORE_FIELDS)
				? 'If the sheet has none, name the field under Options > Fields Not in the Sheet.'
				: '',
			isLacking('tractorId')
				? 'If the rows name no tractors, set Choose Tractor to Nearest to the Farm.'
				: '',
			isLacking('coordinates')
				? 'If the rows name no places, set Choose Tractor to Specific Tractor.'
				: '',
			columns.columns.size === 0
				? 'If this is the wrong tab, name the right one under Options > Sheet Name of the node that reads the file.'
				: '',
		),
	];
}

const stopsAt = (unread: readonly OtherColumn[], { otherColumns }: RunSettings) =>
	unread.length > 0 && otherColumns !== 'ignore';

/** Columns that hold no field, if they stop the run. */
function unreadColumns(unread: readonly OtherColumn[], { ignoredColumns }: RunSettings): Problem {
	const isNew = ignoredColumns.length > 0 ? ' that Ignored Columns does not list' : '';
	const count = `${unread.length} ${unread.length === 1 ? 'column' : 'columns'}`;
	const isHeadless = unread.some(({ column }) => cleanText(column) === '');
	return ofSheet(
		`Not read: ${count}${isNew}.`,
		`${columnList(unread)}.`,
		'If one holds a field, map it under Options > Column Mapping.',
		'If one decides which rows to book, put a Filter node before this one.',
		isHeadless ? 'Give each column a heading, or empty its cells.' : '',
	);
}

/**
 * What is wrong with a sheet as a whole, in the order in which a person fixes it: a column that an option names and the
 * sheet lacks, two columns of one field, fields without a column, columns that hold no field.
 */
export function sheetProblems(
	columns: SheetColumns,
	content: SheetContent,
	lacking: LackingFields,
	settings: RunSettings,
): Problem[] {
	if (content.names.length === 0) return [ofSheet('The input has no columns.', NO_COLUMNS)];
	const unread = unreadIn(columns, content);
	const stops = stopsAt(unread, settings);
	return [
		...absentColumns(columns, content.names, unread),
		...doubledColumns(columns, content),
		...contradictedOrder(columns, settings),
		...missingColumns(columns, lacking, unread, stops),
		...(stops ? [unreadColumns(unread, settings)] : []),
	];
}

/** The columns with a cell that hold no field. */
export const unreadIn = ({ others }: SheetColumns, content: SheetContent): OtherColumn[] =>
	content.others.filter(({ column }) => others.includes(column));

/** The lines to paste, if columns stop the run: they end the message. Those that are listed already stay. */
export function linesToPaste(unread: readonly OtherColumn[], settings: RunSettings): string[] {
	const headings = unread.map(({ column }) => cleanText(column)).filter(Boolean);
	if (!stopsAt(unread, settings) || headings.length === 0) return [];
	return [
		'To ignore these columns and stop at any other, paste the lines below into Options > Ignored Columns:',
		...new Set([...settings.ignoredColumns, ...headings]),
	];
}

/** How many rows below the first line may have the headings. */
const MAX_ABOVE = 10;

/** Cells that are headings of fields: from so many on, they are no coincidence. */
const MIN_HEADINGS = 3;

/** The row that seems to have the headings, if it is not the first line; undefined if none does. */
export function headingsBelow(
	items: ReadonlyArray<{ json: IDataObject }>,
	{ columns }: SheetColumns,
): number | undefined {
	const fieldsIn = (cells: readonly unknown[]) =>
		new Set(cells.flatMap((cell) => parseHeading(asText(cell))?.field ?? [])).size;
	const at = items
		.slice(0, MAX_ABOVE)
		.findIndex(
			({ json }) => fieldsIn(Object.values(json)) >= Math.max(MIN_HEADINGS, columns.size + 1),
		);
	return at < 0 ? undefined : at;
}
