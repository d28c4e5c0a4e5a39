import type { IDataObject } from 'n8n-workflow';

import { formatValue, InvalidInputError, listedValue, listOf } from '../../../parse/issue';
import { isBlank } from '../../../parse/text';
import { inTurns } from '../../../utils/turns';
import { CORE_FIELDS, labelOf, partsOf, type ColumnField } from './fields';
import type { CreateSettings } from './settings';
import { cellOf, type RawBooking, type SheetColumns } from './sheetColumns';

/** What the rows of a sheet show of its columns. */
interface SheetContent {
	names: readonly string[];
	rows: number;
	/** Rows that ask for a booking. */
	requests: number;
	/** Fields that have a cell in some request. */
	filled: ReadonlySet<ColumnField>;
	/** Different values of columns, up to {@link MAX_VALUES} each; none of one without a cell. */
	values: ReadonlyMap<string, readonly unknown[]>;
}

/** Values of a column that a message shows. */
const MAX_VALUES = 3;

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
	const values = new Map<string, unknown[]>();
	const filled = new Set<ColumnField>();
	let requests = 0;
	await inTurns(rows, ({ json, raw }) => {
		for (const name of wanted) {
			const cell = cellOf(json, name);
			const seen = values.get(name) ?? [];
			if (isBlank(cell) || seen.includes(cell)) continue;
			values.set(name, [...seen, cell]);
			if (seen.length + 1 === MAX_VALUES) wanted.delete(name);
		}
		if (!isRequest(raw)) return;
		requests += 1;
		for (const field of Object.keys(raw) as ColumnField[])
			if (!isBlank(raw[field])) filled.add(field);
	});
	return { names, rows: rows.length, requests, filled, values };
}

/** `Status (Approved, Pending) and Officer (Musa)` */
function columnList(columns: readonly string[], { values }: SheetContent): string {
	const withValues = (column: string) => {
		const shown = values.get(column)?.map(listedValue).join(', ');
		return shown === undefined ? column : `${column} (${shown})`;
	};
	return listOf(columns.map(withValues));
}

/** The fields, of each group one, that the rows must have. */
function neededFields({ tractorSelection, notInSheet }: CreateSettings): ColumnField[][] {
	const tractors: Record<typeof tractorSelection, ColumnField[]> = {
		id: ['tractorId'],
		idOrNearest: ['tractorId', 'coordinates'],
		nearest: ['coordinates'],
	};
	const core = CORE_FIELDS.filter((field) => !notInSheet.has(field));
	return [...core.map((field) => [field]), tractors[tractorSelection]];
}

/** Columns that options name and the sheet lacks. If no column is unread, the reader may have left out an empty one. */
function absentColumns({ absent, others }: SheetColumns, names: readonly string[], row?: string) {
	const lines = (option: string, columns: readonly string[]) =>
		columns.map(
			(column) =>
				`Options > ${option} names ${formatValue(column)}, which is not a column of the sheet: enter its heading as it is there.`,
		);
	const rowId = row === undefined || names.includes(row) ? [] : [row];
	return [...lines('Column Mapping', others.length > 0 ? absent : []), ...lines('Row ID', rowId)];
}

/** A date that the heading and the option read in two ways. */
function contradictedOrder(
	{ dateOrder, headings }: SheetColumns,
	settings: readonly CreateSettings[],
): string[] {
	const isOther = settings.some(({ rules }) => ![dateOrder, 'refuse'].includes(rules.dateOrder));
	if (!isOther || dateOrder === undefined || dateOrder === 'refuse') return [];
	const first = dateOrder === 'dayFirst' ? 'day' : 'month';
	return [
		`The heading ${formatValue(headings.get('serviceDate'))} has the ${first} first, but Date Order has not: change the one that is wrong.`,
	];
}

function doubledColumns({ doubled }: SheetColumns, content: SheetContent): string[] {
	return doubled.map(({ field, columns }) => {
		const parts = partsOf(field).map(labelOf).join(' and ');
		const asParts = parts
			? `If they are ${parts}, map them so under Options > Column Mapping. If not, set`
			: 'Under Options > Column Mapping, set';
		return `Several columns hold ${labelOf(field)}: ${columnList(columns, content)}. ${asParts} all but one to None (Ignore).`;
	});
}

function missingColumns(
	{ columns, others }: SheetColumns,
	content: SheetContent,
	settings: readonly CreateSettings[],
	stops: boolean,
): string[] {
	// Each row may have settings of its own; few of them differ.
	const kinds = new Map(
		settings.map((one) => [`${one.tractorSelection} ${[...one.notInSheet].join()}`, one]),
	);
	const groups = [...kinds.values()].flatMap(neededFields);
	const isIn = (some: { has: (field: ColumnField) => boolean }) => (group: ColumnField[]) =>
		group.some((field) => [field, ...partsOf(field)].some((one) => some.has(one)));
	// Some readers leave out a column that is empty in all rows.
	const isSheetOfFew = content.rows < MIN_ROWS && content.requests > 0 && !stops;
	const namesOf = (some: readonly ColumnField[][]) => [
		...new Set(some.map((group) => group.map(labelOf).join(' or '))),
	];
	const [present, absent] = [
		groups.filter(isIn(columns)),
		groups.filter((group) => !isIn(columns)(group)),
	];
	const missing = namesOf(isSheetOfFew ? [] : absent);
	const empty = namesOf(
		content.requests < MIN_ROWS ? [] : present.filter((group) => !isIn(content.filled)(group)),
	);
	const lacking = [...missing, ...empty];
	if (lacking.length === 0) return [];
	const isLacking = (...fields: ColumnField[]) =>
		fields.some((field) => lacking.includes(labelOf(field)));
	return [
		missing.length > 0 ? `No column for ${listOf(missing)}.` : '',
		empty.length > 0 ? `No row has a cell for ${listOf(empty)}.` : '',
		others.length > 0 ? `Not read: ${columnList(others, content)}.` : '',
		others.length > 0
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
	].filter(Boolean);
}

/**
 * Requires that nothing is wrong with a sheet as a whole. What is comes in the order in which a person fixes it: a column
 * that an option names and the sheet lacks, two columns of one field, fields without a column, columns that hold no field.
 *
 * @param columns their `others` are only those with a cell
 * @throws InvalidInputError
 */
export function requireBookable(
	columns: SheetColumns,
	content: SheetContent,
	settings: readonly CreateSettings[],
): void {
	const problems = problemsOf(columns, content, settings);
	// n8n logs the headline, which must not show a cell.
	const [headline] = problemsOf(columns, { ...content, values: new Map() }, settings);
	if (headline !== undefined) throw new InvalidInputError([], problems.join('\n'), headline);
}

function problemsOf(
	columns: SheetColumns,
	content: SheetContent,
	settings: readonly CreateSettings[],
): string[] {
	const { names } = content;
	if (names.length === 0)
		return ['The input has no columns. Put the node that reads the spreadsheet before this one.'];
	const { others } = columns;
	const stops = others.length > 0 && settings.some(({ otherColumns }) => otherColumns === 'stop');
	const missing = missingColumns(columns, content, settings, stops);
	const lines = [
		...absentColumns(columns, names, columns.rowIdColumn),
		...doubledColumns(columns, content),
		...contradictedOrder(columns, settings),
		...missing,
	];
	if (!stops) return lines;
	if (missing.length === 0)
		lines.push(
			`Not read: ${columnList(others, content)}. If one holds a field, map it under Options > Column Mapping.`,
		);
	lines.push(
		'If rows are to be left out because of these columns, put a Filter node before this one. Then set each to None (Ignore) under Options > Column Mapping, or set Options > Other Columns to Ignore if a person looks at the rows before each run.',
	);
	return lines;
}
