import { isOrderSet } from '../../../parse/dateText';
import { formatValue, InvalidInputError, listedValue } from '../../../parse/issue';
import { listOf } from '../../../parse/labels';
import { CORE_FIELDS, labelOf, type ColumnField } from './fields';
import type { CreateSettings } from './settings';
import type { SheetColumns } from './sheetColumns';

/** What is wrong with a sheet as a whole. Nothing of it can be booked until a person mends it. */
export class SheetError extends InvalidInputError {
	/** @param problems what is wrong and what to do, a sentence or two a line. @param headline see `InvalidInputError` */
	constructor(problems: readonly string[], headline: string) {
		super([], problems.join('\n'), headline);
		this.name = 'SheetError';
	}
}

/** What the rows of a sheet show of its columns. */
export interface SheetContent {
	names: readonly string[];
	/** Rows with a cell. */
	rows: number;
	/** Rows that ask for a booking. */
	requests: number;
	/** Fields that have a cell in some request. */
	filled: ReadonlySet<ColumnField>;
	/** Different values of columns, up to {@link MAX_VALUES} each; none of one without a cell. */
	values: ReadonlyMap<string, readonly unknown[]>;
}

/** Values of a column that a message shows. */
export const MAX_VALUES = 3;

/** Rows from which on a column that is empty in all of them is one that was renamed, rather than forgotten. */
const MIN_ROWS = 5;

/** Columns whose values a message shows. */
const MAX_COLUMNS = 12;

/** `Status (Approved, Pending)` */
function withValues(column: string, { values }: SheetContent): string {
	const shown = (values.get(column) ?? []).map(listedValue);
	return shown.length > 0 ? `${column} (${shown.join(', ')})` : column;
}

function columnList(columns: readonly string[], content: SheetContent): string {
	const shown = columns.slice(0, MAX_COLUMNS).map((column) => withValues(column, content));
	const more = columns.length - shown.length;
	return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The fields, of each group one, that the rows must have. A coordinate is one field. */
export function neededFields({
	tractorSelection,
	notInSheet,
}: Pick<CreateSettings, 'tractorSelection' | 'notInSheet'>): ColumnField[][] {
	const place: ColumnField[] = ['coordinates', 'latitude'];
	const tractors: Record<typeof tractorSelection, ColumnField[]> = {
		id: ['tractorId'],
		idOrNearest: ['tractorId', ...place],
		nearest: place,
	};
	const core = CORE_FIELDS.filter((field) => !notInSheet.has(field));
	return [...core.map((field) => [field]), tractors[tractorSelection]];
}

/** How messages name a group of {@link neededFields}. */
const groupName = (group: readonly ColumnField[]) =>
	group
		.filter((field) => field !== 'latitude')
		.map(labelOf)
		.join(' or ');

/** Readers leave out a column that is empty in all rows: a name is wrong only if there is a column that it may mean. */
function unknownColumns({ unknown, others }: SheetColumns): string[] {
	return unknown
		.filter(({ mayBeEmpty }) => others.length > 0 || !mayBeEmpty)
		.map(
			({ option, column }) =>
				`Options > ${option} names ${formatValue(column)}, which is not a column of the sheet: enter its heading as it is there.`,
		);
}

/** A date that the heading and the option read in two ways. */
function contradictedOrder(
	{ dateOrder, headings }: SheetColumns,
	settings: readonly CreateSettings[],
): string[] {
	const isOther = settings.some(
		({ rules }) => dateOrder && isOrderSet(rules.dateOrder) && rules.dateOrder !== dateOrder,
	);
	if (!isOther) return [];
	const first = dateOrder === 'dayFirst' ? 'day' : 'month';
	return [
		`The heading ${formatValue(headings.get('serviceDate'))} has the ${first} first, but Date Order has not: change the one that is wrong.`,
	];
}

/** Without a cell in a match field, no row can be compared with the bookings. */
function uncomparableFields(
	{ columns }: SheetColumns,
	settings: readonly CreateSettings[],
): string[] {
	const fields = settings.flatMap(({ ifAlreadyBooked, matchFields, notInSheet }) =>
		ifAlreadyBooked === 'create'
			? []
			: matchFields.filter((field) => notInSheet.has(field) && !columns.has(field)),
	);
	return [...new Set(fields)].map(
		(field) =>
			`Options > Match Fields compares ${labelOf(field)}, but Fields Not in the Sheet has it, too: choose others in Match Fields, such as Farmer Name, or set If Already Booked to Create Anyway.`,
	);
}

function doubledColumns({ doubled }: SheetColumns, content: SheetContent): string[] {
	return doubled.map(
		({ field, columns }) =>
			`Several columns hold ${labelOf(field)}: ${columnList(columns, content)}. ${field === 'farmerName' ? 'If one is the first name and one the last name, map them to First Name and Last Name under Options > Column Mapping. If not, set' : 'Set'} all but one to None (Ignore)${field === 'farmerName' ? ' there' : ' under Options > Column Mapping'}.`,
	);
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
	const hasOne = (group: readonly ColumnField[]) =>
		group.some((field) => columns.has(field)) ||
		(group[0] === 'farmerName' && columns.has('firstName'));
	const isEmpty = (group: readonly ColumnField[]) =>
		content.requests >= MIN_ROWS && !group.some((field) => content.filled.has(field));
	// Some readers leave out a column that is empty in all rows.
	const isSheetOfFew = content.rows < MIN_ROWS && content.requests > 0 && !stops;
	const namesOf = (some: readonly ColumnField[][]) => [...new Set(some.map(groupName))];
	const missing = namesOf(isSheetOfFew ? [] : groups.filter((group) => !hasOne(group)));
	const empty = namesOf(groups.filter(hasOne).filter(isEmpty));
	const lines: string[] = [];
	if (missing.length > 0) lines.push(`No column for ${listOf(missing)}.`);
	if (empty.length > 0) lines.push(`No row has a cell for ${listOf(empty)}.`);
	if (lines.length === 0) return [];
	if (others.length > 0) lines.push(`Not read: ${columnList(others, content)}.`);
	lines.push(
		others.length > 0
			? 'Rename the column that holds it, or map it under Options > Column Mapping.'
			: 'Add the column, or rename the one that holds it.',
	);
	const lacking = [...missing, ...empty];
	if (CORE_FIELDS.some((field) => lacking.includes(labelOf(field))))
		lines.push('If the sheet has none, name the field under Options > Fields Not in the Sheet.');
	if (lacking.includes(groupName(['tractorId'])))
		lines.push('If the rows name no tractors, set Choose Tractor to Nearest to the Farm.');
	if (lacking.includes(groupName(['coordinates'])))
		lines.push('If the rows name no places, set Choose Tractor to Specific Tractor.');
	return lines;
}

/** @throws SheetError if something is wrong with the sheet as a whole; see {@link problemsOf} */
export function requireBookable(
	columns: SheetColumns,
	content: SheetContent,
	settings: readonly CreateSettings[],
): void {
	const problems = problemsOf(columns, content, settings);
	const [headline] = problemsOf(columns, { ...content, values: new Map() }, settings);
	if (headline !== undefined) throw new SheetError(problems, headline);
}

/**
 * What is wrong with a sheet as a whole, in the order in which a person mends it: a column that an option names and the
 * sheet lacks, two columns of one field, fields without a column, columns that hold no field.
 *
 * @param columns of which `others` are only those with a cell
 */
function problemsOf(
	columns: SheetColumns,
	content: SheetContent,
	settings: readonly CreateSettings[],
): string[] {
	if (content.names.length === 0)
		return ['The input has no columns. Put the node that reads the spreadsheet before this one.'];
	const { others } = columns;
	const stops = others.length > 0 && settings.some(({ otherColumns }) => otherColumns === 'stop');
	const missing = missingColumns(columns, content, settings, stops);
	const lines = [
		...unknownColumns(columns),
		...doubledColumns(columns, content),
		...contradictedOrder(columns, settings),
		...uncomparableFields(columns, settings),
		...missing,
	];
	if (!stops) return lines;
	if (missing.length === 0) lines.push(`Not read: ${columnList(others, content)}.`);
	lines.push(
		'If rows are to be left out because of these columns, put a Filter node before this one. Then set each to None (Ignore) under Options > Column Mapping, or set Options > Other Columns to Ignore if a person looks at the rows before each run.',
	);
	return lines;
}
