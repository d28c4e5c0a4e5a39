import { areaUnitOf, type AreaType } from './areaUnits';
import type { ColumnField } from './columnNames';
import { COLUMN_NAMES, LAND_AREA_BESIDE_A_UNIT, QUALIFIERS } from './columnNames';
import { issueAt, type Issue } from './issue';
import { fold } from '../utils/text';

/** Which input column holds which field. */
export interface ColumnMatch {
	columns: Map<ColumnField, string>;
	/** The unit in the header of the land area: `Land area (ha)`. */
	areaTypeFromHeader?: AreaType;
	/** Columns that match no field, in input order. */
	unmatched: string[];
	/** One for each field that several columns match, and one for each required field without a column. */
	issues: Issue[];
}

/**
 * Matches input columns to booking fields by name (see `columnNames.ts`).
 * If several columns match a field, the one named exactly as in the interface wins; without such a column, that is
 * an issue.
 * @param needed fields that must have a column; for `areaType`, a unit in the header is enough
 */
export function matchColumns(
	columns: readonly string[],
	needed: readonly ColumnField[] = [],
): ColumnMatch {
	const claims = new Map<ColumnField, ColumnHeader[]>();
	for (const column of columns) {
		const header = parseHeader(column);
		if (header) claims.set(header.field, [...(claims.get(header.field) ?? []), header]);
	}

	const match: ColumnMatch = { columns: new Map(), unmatched: [], issues: [] };
	const used = new Set<string>();
	for (const [field, headers] of claims) {
		const exact = headers.find(({ column }) => column === field);
		const candidates = exact ? [exact] : headers;
		for (const { column } of candidates) used.add(column);
		const [chosen, ...others] = candidates;
		if (chosen === undefined) continue;
		if (others.length > 0) {
			match.issues.push(ambiguous(field, headers));
			continue;
		}
		match.columns.set(field, chosen.column);
		if (chosen.unit !== undefined) match.areaTypeFromHeader = chosen.unit;
	}
	match.unmatched = columns.filter((column) => !used.has(column));
	for (const field of needed) {
		if (claims.has(field) || (field === 'areaType' && match.areaTypeFromHeader)) continue;
		match.issues.push(missing(field, columns));
	}
	return match;
}

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

function ambiguous(field: ColumnField, headers: readonly ColumnHeader[]): Issue {
	return issueAt(field, undefined, {
		problem: `has several columns (${quoted(headers.map(({ column }) => column))})`,
		fix: `rename the right one to "${field}", or the others to something else`,
	});
}

function missing(field: ColumnField, columns: readonly string[]): Issue {
	const found =
		columns.length > 0 ? `the columns found are ${quoted(columns)}` : 'no columns were found';
	return issueAt(field, undefined, {
		problem: `has no column (${found})`,
		fix: `add a column "${field}" or rename the one that holds it`,
	});
}

interface ColumnHeader {
	column: string;
	field: ColumnField;
	unit?: AreaType;
}

interface NamesByKey {
	fields: ReadonlyMap<string, ColumnField>;
	besideAUnit: ReadonlySet<string>;
	qualifiers: ReadonlySet<string>;
}

let namesByKey: NamesByKey | undefined;

/** The names of `columnNames.ts` by key; built on first use, because n8n loads this file at every start. */
function names(): NamesByKey {
	namesByKey ??= {
		fields: new Map(
			(Object.keys(COLUMN_NAMES) as ColumnField[]).flatMap((field) =>
				[field, ...COLUMN_NAMES[field]].map((name): [string, ColumnField] => [key(name), field]),
			),
		),
		besideAUnit: new Set(LAND_AREA_BESIDE_A_UNIT.map(key)),
		qualifiers: new Set(QUALIFIERS.map(key)),
	};
	return namesByKey;
}

/** The field that a column's name stands for, and the unit in the name; undefined for other columns. */
function parseHeader(column: string): ColumnHeader | undefined {
	const { fields, besideAUnit } = names();
	const name = withoutQualifiers(column);
	const field = fields.get(key(column)) ?? fields.get(key(name));
	if (field) return { column, field };

	const units = words(name).filter((word) => areaUnitOf(word) !== undefined);
	const unit = areaUnitOf(units[0] ?? '');
	if (unit === undefined || units.length > 1) return undefined;
	const rest = words(name).filter((word) => word !== units[0]);
	const bare = rest.at(-1) === 'in' || rest.at(-1) === 'en' ? rest.slice(0, -1) : rest;
	const isArea = besideAUnit.has(bare.join('')) || fields.get(bare.join('')) === 'landArea';
	return isArea ? { column, field: 'landArea', unit } : undefined;
}

/** The name without parentheses that do not change its meaning: `Date (dd/mm/yyyy)` → `Date`. */
function withoutQualifiers(column: string): string {
	const { qualifiers } = names();
	return column.replace(/[([][^()[\]]*[)\]]/g, (parenthesis) =>
		qualifiers.has(key(parenthesis)) ? ' ' : parenthesis,
	);
}

/** `Farmer phone no.`, `farmer_phone_no` and `farmerPhoneNo` → `farmerphoneno`. */
function key(name: string): string {
	return words(name).join('');
}

/** The words of a name, folded; a capital inside a word starts a new one. */
function words(name: string): string[] {
	const parted = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
	return fold(parted)
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter((word) => word !== '');
}
