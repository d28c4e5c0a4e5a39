import { areaUnitOf, type AreaType } from '../../../parse/areaUnits';
import { orderInFormat, type DateOrder } from '../../../parse/dates';
import { plainId } from '../../../parse/ids';
import { isBlank } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import { COLUMN_FIELDS, fieldOf, headingsOf, partsOf, type ColumnField } from './fields';
import { RESULT_COLUMNS } from './resultColumns';
import type { RunSettings } from './settings';

/** The cells of one row by field. */
export type RawBooking = Partial<Record<ColumnField, unknown>>;

/** The unit that a heading names: `other` if the service does not accept it, or if there are two. */
export type HeadingUnit = AreaType | 'other';

/** Which column of a sheet holds which field. */
export interface SheetColumns {
	/** The column of each field; of the Booking ID all columns. */
	columns: ReadonlyMap<ColumnField, readonly string[]>;
	/** The same, for messages: `First Name + Last Name`. */
	headings: ReadonlyMap<string, string>;
	/** Columns that hold no field, in input order. */
	unread: readonly string[];
	/** Those of them that the options do not ignore. */
	others: readonly string[];
	/** Two or more columns for a field that only one can hold. */
	doubled: ReadonlyArray<{ field: ColumnField; columns: readonly string[] }>;
	/** Columns that Column Mapping names and the sheet does not have, with their fields. */
	absent: ReadonlyArray<readonly [column: string, field: ColumnField]>;
	/** The column that the option Row ID names. */
	rowIdColumn?: string;
	isRowIdAbsent: boolean;
	/** The unit in the heading of the land area: `Acres`, `Area (ha)`. */
	areaUnit?: HeadingUnit;
	/** The order of day and month in the heading of the date: `Service Date (dd/mm/yyyy)`. */
	dateOrder?: DateOrder;
}

/** The field that a heading names. */
interface Heading {
	field: ColumnField;
	/** Whether it is the name of the field in the interface, or its label. */
	isOwn: boolean;
}

/** No heading is longer, whatever a file holds. */
const MAX_LENGTH = 200;

/** Letters and digits alone: case, accents, punctuation and spaces do not count. */
const plain = (heading: string) => fold(heading).replace(/[^\p{L}\p{N}]/gu, '');

const KEYS = new Map<string, Heading>(
	COLUMN_FIELDS.flatMap((field) => {
		const entry = (isOwn: boolean) => (text: string) => [plain(text), { field, isOwn }] as const;
		const own = [field, fieldOf(field).label].map(entry(true));
		return [...headingsOf(field).map(entry(false)), ...own];
	}),
);

/** A heading, and what it has in parentheses at its end. */
const IN_PARENTHESES = /^(.*\S)\s*[([]([^()[\]]*)[)\]]\W*$/;

const inParentheses = (heading: string) =>
	IN_PARENTHESES.exec(heading.slice(0, MAX_LENGTH))?.slice(1) ?? [];

/** The heading of a question in the export of a form: its groups, and its name after the last slash or point. */
const IN_GROUP = /^\S+[/.](\w+)$/;

/** Fields whose names say whose they are: `farmer_phone` is the same in any group, `latitude` may be that of an agent. */
const SAYS_WHOSE = /^(?:booking|farm|land|service|tractor)/;

/** The field that a heading names; undefined if it names none. */
export function parseHeading(column: string): Heading | undefined {
	const heading = column.slice(0, MAX_LENGTH);
	const known = KEYS.get(plain(heading));
	if (known) return known;
	const [before = '', inside = ''] = inParentheses(heading);
	const main = KEYS.get(plain(before));
	// `Acres (ha)` says nothing.
	const units = new Set([before, inside].flatMap((text) => areaUnitOf(text) ?? []));
	if (main && fieldOf(main.field).inParentheses?.(inside) && units.size < 2) return main;
	const [, last = ''] = IN_GROUP.exec(heading) ?? [];
	const own = KEYS.get(plain(last));
	return own?.isOwn && SAYS_WHOSE.test(own.field) ? { field: own.field, isOwn: false } : undefined;
}

/** Columns that readers, triggers and this node add: they are never another column of the user's. */
const ADDED: ReadonlySet<string> = new Set([
	'row_number',
	...['id', 'createdAt', 'updatedAt'],
	...['submittedAt', 'formMode'],
	...RESULT_COLUMNS,
]);

/**
 * The column that an option names: as it is written, as the editor writes a heading with brackets that is dragged
 * (`['Area [ha]']`), or but for spaces and invisible characters; else what is written.
 */
function columnNamed(typed: string, names: readonly string[]): string {
	const [, dragged = typed] = /^\['(.*)'\]$/s.exec(typed) ?? [];
	const clean = cleanText(dragged);
	const isNamed = [typed, dragged].find((name) => names.includes(name));
	return isNamed ?? names.find((name) => cleanText(name) === clean) ?? dragged;
}

/** A column that may hold a field, the surest first: mapped by the user, the field's own name, another heading. */
interface Claim {
	column: string;
	rank: number;
}

const rankOf = (claims: readonly Claim[]) => Math.min(...claims.map(({ rank }) => rank));

/** A row is the request of any of its Booking IDs. */
const canShare = (field: ColumnField) => field === 'bookingID';

/** What the options say of columns. */
type ColumnOptions = Partial<
	Pick<RunSettings, 'columnMapping' | 'ignoredColumns' | 'rowIdColumn' | 'tractorSelection'>
>;

/** What the options say of each column. */
function mappingOf({ columnMapping = new Map(), ignoredColumns }: ColumnOptions, names: string[]) {
	const ignored = names.filter((name) => ignoredColumns?.includes(cleanText(name)));
	return new Map<string, ColumnField | 'ignore'>([
		...ignored.map((name) => [name, 'ignore'] as const),
		...[...columnMapping].map(([column, field]) => [columnNamed(column, names), field] as const),
	]);
}

/**
 * Finds the column of each field: by Column Mapping, else by the headings of `FIELDS`.
 *
 * @param names the headings, in input order
 */
export function matchColumns(names: string[], options: ColumnOptions = {}): SheetColumns {
	const mapping = mappingOf(options, names);
	const rowIdColumn = options.rowIdColumn && columnNamed(options.rowIdColumn, names);
	// Any other choice would pass over a tractor that the sheet names in silence.
	const notAskedFor = options.tractorSelection === 'nearest' ? 'tractorId' : undefined;
	const claims = new Map<ColumnField, Claim[]>();
	for (const column of names) {
		const said = mapping.get(column);
		const heading = said === undefined ? parseHeading(column) : undefined;
		const field = said ?? heading?.field;
		if (field === undefined || field === 'ignore' || field === notAskedFor) continue;
		const ofHeading = heading?.isOwn && fieldOf(field).parse ? 1 : 2;
		const claim = { column, rank: heading ? ofHeading : 0 };
		claims.set(field, [...(claims.get(field) ?? []), claim]);
	}
	for (const [field, all] of claims) {
		const surest = all.filter(({ rank }) => rank === rankOf(all));
		claims.set(field, canShare(field) ? all : surest);
	}
	const doubled = [...claims].filter(([field, all]) => all.length > 1 && !canShare(field));
	doubled.push(...settleParts(claims));

	const columnsOf = (all: readonly Claim[]) => all.map(({ column }) => column);
	const columns = new Map([...claims].map(([field, all]) => [field, columnsOf(all)]));
	const read = new Set([...claims, ...doubled].flatMap(([, all]) => columnsOf(all)));
	const unread = names.filter(
		(name) => !read.has(name) && !ADDED.has(name) && name !== rowIdColumn,
	);
	return {
		columns,
		headings: headingsFor(columns),
		unread,
		others: unread.filter((name) => mapping.get(name) !== 'ignore'),
		doubled: doubled.map(([field, all]) => ({ field, columns: columnsOf(all) })),
		absent: [...mapping].flatMap(([name, field]) =>
			field === 'ignore' || names.includes(name) ? [] : [[name, field] as const],
		),
		rowIdColumn,
		isRowIdAbsent: rowIdColumn !== undefined && !names.includes(rowIdColumn),
		...saidBy(columns),
	};
}

/** Leaves a field in one column or in two: in those that are surer to hold it. Returns what is as sure. */
function settleParts(claims: Map<ColumnField, Claim[]>): Array<[ColumnField, Claim[]]> {
	const doubled: Array<[ColumnField, Claim[]]> = [];
	for (const whole of COLUMN_FIELDS) {
		const own = claims.get(whole) ?? [];
		const ofParts = partsOf(whole).flatMap((part) => claims.get(part) ?? []);
		if (own.length === 0 || ofParts.length === 0) continue;
		if (rankOf(own) === rankOf(ofParts)) doubled.push([whole, [...own, ...ofParts]]);
		else if (rankOf(ofParts) < rankOf(own)) claims.delete(whole);
		else for (const part of partsOf(whole)) claims.delete(part);
	}
	return doubled;
}

function headingsFor(columns: SheetColumns['columns']): Map<string, string> {
	const headings = new Map<string, string>();
	for (const field of COLUMN_FIELDS) {
		const names = columns.get(field) ?? partsOf(field).flatMap((part) => columns.get(part) ?? []);
		if (names.length > 0)
			headings.set(field, columns.has(field) ? (names[0] ?? '') : names.join(' + '));
	}
	return headings;
}

/** What the headings of area and date say of their cells, also if they are mapped. */
function saidBy(columns: SheetColumns['columns']): Pick<SheetColumns, 'areaUnit' | 'dateOrder'> {
	const [area = ''] = columns.get('landArea') ?? [];
	const [date = ''] = columns.get('serviceDate') ?? [];
	const units = new Set(area.split(/[^\p{L}\p{M}]+/u).flatMap((word) => areaUnitOf(word) ?? []));
	const [unit, second] = units;
	const isOther = second !== undefined || (!unit && inParentheses(area).length > 0);
	return {
		areaUnit: isOther ? 'other' : unit,
		dateOrder: orderInFormat(inParentheses(date)[1] ?? ''),
	};
}

/** A cell; a list with one element, as Airtable gives it, is that element. */
export function cellOf(row: Readonly<Record<string, unknown>>, column: string): unknown {
	// A row may lack a column that is named like something of every object: `constructor`.
	const cell = Object.hasOwn(row, column) ? row[column] : undefined;
	return Array.isArray(cell) && cell.length === 1 ? cell[0] : cell;
}

/** The cells of a row by field. */
export function rawOf(
	{ columns }: Pick<SheetColumns, 'columns'>,
	row: Readonly<Record<string, unknown>>,
): RawBooking {
	const raw: RawBooking = {};
	for (const [field, names] of columns) {
		const cells = names.map((name) => cellOf(row, name)).filter((cell) => !isBlank(cell));
		// Two different Booking IDs are none.
		const ids = new Set(canShare(field) ? cells.map((cell) => plainId(asText(cell))) : []);
		raw[field] = ids.size > 1 ? [...ids].join(' / ') : cells[0];
	}
	const { firstName, lastName, ...others } = raw;
	const parts = [firstName, lastName].filter((part) => !isBlank(part));
	if (parts.length === 0) return others;
	return { ...others, farmerName: parts.map((part) => cleanText(asText(part))).join(' ') };
}
