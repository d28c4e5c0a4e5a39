import { areaUnitOf, type AreaType } from '../../../parse/areaUnits';
import { orderInFormat, type DateOrder } from '../../../parse/dateText';
import { isBlank } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import { BOOKING_FIELDS, COLUMN_FIELDS, type ColumnField } from './fields';
import { inParenthesesOf, parseHeading } from './headings';
import { RESULT_COLUMNS } from './resultColumns';

/** What the user says of a column: its field, or that it holds none. */
export type ColumnMapping = ReadonlyMap<string, ColumnField | 'ignore'>;

/** The cells of one row by field. */
export type RawBooking = Partial<Record<ColumnField, unknown>>;

/** Two or more columns for a field that only one can hold. */
export interface Doubled {
	field: ColumnField;
	columns: readonly string[];
}

/** A column that an option names and the sheet does not have. */
export interface UnknownColumn {
	option: string;
	column: string;
	/** Whether readers may have left it out since it is empty, so that the rows are as they should be without it. */
	mayBeEmpty: boolean;
}

/** Which column of a sheet holds which field. */
export interface SheetColumns {
	/** The column of each field; of the Booking ID all columns. */
	columns: ReadonlyMap<ColumnField, readonly string[]>;
	/** The same, for messages: `First Name + Last Name`. */
	headings: ReadonlyMap<string, string>;
	/** Columns that hold no field, and are not set to None (Ignore), in input order. */
	others: readonly string[];
	/** All columns that hold no field. */
	unread: readonly string[];
	doubled: readonly Doubled[];
	/** Columns that an option names and the sheet does not have, by option. */
	unknown: readonly UnknownColumn[];
	/** The unit in the heading of the land area: `Acres`, `Area (ha)`. */
	areaUnit?: AreaType;
	/** The order of day and month in the heading of the date: `Service Date (dd/mm/yyyy)`. */
	dateOrder?: DateOrder;
}

/** Columns that readers, triggers and this node add: they are never another column of the user's. */
const ADDED: ReadonlySet<string> = new Set([
	'row_number',
	...['id', 'createdAt', 'updatedAt'],
	...['submittedAt', 'formMode'],
	...RESULT_COLUMNS,
]);

/** How sure it is that a column holds its field: the user says so, the heading is the field's own name, or another. */
const RANK = { mapped: 0, own: 1, heading: 2 } as const;

interface Claim {
	column: string;
	rank: number;
}

/** Fields that one column holds, or two together. */
const IN_PARTS: ReadonlyArray<[whole: ColumnField, ...parts: [ColumnField, ColumnField]]> = [
	['farmerName', 'firstName', 'lastName'],
	['coordinates', 'latitude', 'longitude'],
];

/**
 * Finds the column of each field by the headings of `FIELDS`.
 *
 * @param names the headings, in input order
 * @param mapping what the user says of columns, which wins
 * @param notAskedFor a field that no row is to have: its columns hold none
 */
export function matchColumns(
	names: readonly string[],
	mapping: ColumnMapping = new Map(),
	rowIdColumn?: string,
	notAskedFor?: ColumnField,
): SheetColumns {
	const claims = claimsOf(names, mapping, notAskedFor);
	const doubled: Doubled[] = [];
	const best = new Map<ColumnField, Claim[]>();
	for (const field of COLUMN_FIELDS) {
		const all = claims.get(field) ?? [];
		const winners = field === 'bookingID' ? all : surest(all);
		if (winners.length > 0) best.set(field, winners);
		if (winners.length > 1 && field !== 'bookingID')
			doubled.push({ field, columns: winners.map(({ column }) => column) });
	}
	takeNomForLastName(best);
	for (const [whole, first, second] of IN_PARTS) settleParts(best, doubled, whole, first, second);

	const columns = new Map(
		[...best].map(([field, all]) => [field, all.map(({ column }) => column)]),
	);
	const read = new Set([...columns.values(), ...doubled.map((one) => one.columns)].flat());
	const unread = names.filter(
		(name) => !read.has(name) && !ADDED.has(name) && name !== rowIdColumn,
	);
	// If another column holds the field, it would be booked in place of the mapped one.
	const unknown: UnknownColumn[] = [...mapping].flatMap(([column, field]) =>
		field === 'ignore'
			? []
			: [{ option: 'Column Mapping', column, mayBeEmpty: !columns.has(field) }],
	);
	if (rowIdColumn !== undefined)
		unknown.push({ option: 'Row ID', column: rowIdColumn, mayBeEmpty: false });
	return {
		columns,
		headings: headingsOf(columns),
		others: unread.filter((name) => mapping.get(name) !== 'ignore'),
		unread,
		doubled,
		unknown: unknown.filter(({ column }) => !names.includes(column)),
		...saidBy(columns),
	};
}

function claimsOf(
	names: readonly string[],
	mapping: ColumnMapping,
	notAskedFor: ColumnField | undefined,
): Map<ColumnField, Claim[]> {
	const claims = new Map<ColumnField, Claim[]>();
	const isOfRequest = (field: ColumnField) => (BOOKING_FIELDS as ColumnField[]).includes(field);
	for (const column of names) {
		const mapped = mapping.get(column);
		const heading = mapped === undefined ? parseHeading(column) : undefined;
		const field = mapped ?? heading?.field;
		if (field === undefined || field === 'ignore' || field === notAskedFor) continue;
		const named = heading?.isOwn && isOfRequest(field) ? RANK.own : RANK.heading;
		const claim = { column, rank: mapped === undefined ? named : RANK.mapped };
		claims.set(field, [...(claims.get(field) ?? []), claim]);
	}
	return claims;
}

const rankOf = (claims: readonly Claim[] = []) => Math.min(...claims.map(({ rank }) => rank));

function surest(claims: readonly Claim[]): Claim[] {
	const rank = rankOf(claims);
	return claims.filter((claim) => claim.rank === rank);
}

/** `Nom` is the whole name, but beside `Prénom` the last name. */
function takeNomForLastName(best: Map<ColumnField, Claim[]>): void {
	const [nom] = best.get('farmerName') ?? [];
	const isNom = nom?.rank !== RANK.mapped && fold(nom?.column ?? '') === 'nom';
	if (!isNom || !best.has('firstName') || best.has('lastName')) return;
	best.set('lastName', best.get('farmerName') ?? []);
	best.delete('farmerName');
}

/** Leaves a field either in one column or in two. A half of a coordinate stays, since it may come with the other. */
function settleParts(
	best: Map<ColumnField, Claim[]>,
	doubled: Doubled[],
	whole: ColumnField,
	first: ColumnField,
	second: ColumnField,
): void {
	const parts = [first, second].filter((part) => best.has(part));
	if (parts.length === 0) return;
	const ofParts = parts.flatMap((part) => best.get(part) ?? []);
	const [rank, partsRank] = [rankOf(best.get(whole)), rankOf(ofParts)];
	const drop = (...fields: ColumnField[]) => fields.forEach((field) => best.delete(field));
	if (rank === partsRank) {
		const all = [...(best.get(whole) ?? []), ...ofParts];
		doubled.push({ field: whole, columns: all.map(({ column }) => column) });
	} else if (rank < partsRank) drop(first, second);
	else if (parts.length === 2 || whole === 'coordinates') drop(whole);
	else drop(...parts);
}

function headingsOf(columns: SheetColumns['columns']): Map<string, string> {
	const headings = new Map<string, string>(
		[...columns].map(([field, names]) => [field, names[0] ?? '']),
	);
	for (const [whole, first, second] of IN_PARTS)
		if (headings.has(first) && headings.has(second))
			headings.set(whole, `${headings.get(first)} + ${headings.get(second)}`);
	return headings;
}

/** The unit of areas that a heading names, also one that was mapped; undefined if it names none or both. */
function unitIn(heading: string): AreaType | undefined {
	const units = new Set(heading.split(/[^\p{L}\p{M}]+/u).flatMap((word) => areaUnitOf(word) ?? []));
	return units.size === 1 ? [...units][0] : undefined;
}

/** What the headings of area and date say of their cells. */
function saidBy(columns: SheetColumns['columns']): Pick<SheetColumns, 'areaUnit' | 'dateOrder'> {
	const [area = ''] = columns.get('landArea') ?? [];
	const [date = ''] = columns.get('serviceDate') ?? [];
	return {
		areaUnit: unitIn(area),
		dateOrder: orderInFormat(inParenthesesOf(date)),
	};
}

/** A cell; a list with one element, as Airtable gives it, is that element. */
export function cellOf(row: Readonly<Record<string, unknown>>, column: string): unknown {
	const cell = row[column];
	return Array.isArray(cell) && cell.length === 1 ? cell[0] : cell;
}

/** The cells of a row by field. */
export function rawOf(
	{ columns }: Pick<SheetColumns, 'columns'>,
	row: Readonly<Record<string, unknown>>,
): RawBooking {
	const raw: RawBooking = {};
	for (const [field, names] of columns) {
		const cells = names.map((name) => cellOf(row, name));
		raw[field] = cells.find((cell) => !isBlank(cell)) ?? cells[0];
	}
	const { firstName, lastName, ...others } = raw;
	const parts = [firstName, lastName].filter((part) => !isBlank(part));
	if (parts.length === 0) return others;
	return { ...others, farmerName: parts.map((part) => cleanText(asText(part))).join(' ') };
}
