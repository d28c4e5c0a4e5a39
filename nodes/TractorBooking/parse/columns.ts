import { areaUnitOf, type AreaType } from './areaUnits';
import type { ColumnField } from './columnNames';
import {
	COLUMN_PATTERNS,
	FILLERS,
	FRENCH,
	LAND_AREA_BESIDE_A_UNIT,
	NAME_PARTS,
	QUALIFIERS,
	RUNNING_NUMBER,
} from './columnNames';
import { issueAt, type Issue } from './issue';
import { labelOf } from './labels';
import { isSpreadsheetError } from './text';
import { asText, cleanText, fold, isEmpty } from '../utils/text';

/** All fields that a column can hold; the first of those whose pattern fits is taken. */
export const COLUMN_FIELDS = Object.keys(COLUMN_PATTERNS) as ColumnField[];

/** Which input column holds which field. */
export interface ColumnMatch {
	/** The column of each field in words; of joined columns, all names: `First Name + Surname`. */
	columns: Map<ColumnField, string>;
	/** The columns of each field; several if their cells are joined. */
	sources: Map<ColumnField, string[]>;
	/** The unit in the header of the land area: `Land area (ha)`. */
	areaTypeFromHeader?: AreaType;
	/** Whether headings are French. */
	isFrench: boolean;
	/** Columns that match no field, in input order. */
	unmatched: string[];
	/** One for each field that several columns match, and one for each required field without a column. */
	issues: Issue[];
}

/** What the user says of a column: its field, or that it holds none. */
export type ColumnMapping = ReadonlyMap<string, ColumnField | 'ignore'>;

/** Fields that may come in several columns, and what their cells are joined with. */
const JOINED: Readonly<Partial<Record<ColumnField, string>>> = {
	farmerName: ' ',
	farmLocation: ', ',
	farmNote: '; ',
};

/**
 * Matches input columns to booking fields by name (see `columnNames.ts`).
 * If several columns match a field, the one named as in the interface wins; without such a column, that is an issue,
 * unless the columns are parts of a name or of a place.
 * @param needed fields that must have a column; for `areaType`, a unit in the header is enough
 * @param mapping columns of which the user says what they hold; they win over all others
 */
export function matchColumns(
	columns: readonly string[],
	needed: readonly ColumnField[] = [],
	mapping: ColumnMapping = new Map(),
): ColumnMatch {
	const claims = new Map<ColumnField, ColumnHeader[]>();
	for (const column of columns) {
		const mapped = mapping.get(column);
		const header = mapped ? mappedHeader(column, mapped) : parseHeader(column);
		if (header) claims.set(header.field, [...(claims.get(header.field) ?? []), header]);
	}

	const match: ColumnMatch = {
		columns: new Map(),
		sources: new Map(),
		isFrench: columns.some((column) => FRENCH.test(words(column).join(' '))),
		unmatched: [],
		issues: [],
	};
	const used = new Set<string>();
	for (const [field, all] of claims) {
		const headers = withoutWrittenBack(field, all, columns);
		const candidates = bestOf(field, headers);
		const fallbacks = fallbacksOf(field, headers, candidates);
		for (const { column } of [...candidates, ...fallbacks]) used.add(column);
		const names = candidates.map(({ column }) => column);
		const wholes = candidates.filter(({ rank, part }) => rank !== RANK.mapped && !part);
		const isJoined = JOINED[field] !== undefined && (field !== 'farmerName' || wholes.length < 2);
		if (names.length > 1 && !isJoined) {
			match.issues.push(ambiguous(field, names));
			continue;
		}
		match.columns.set(field, names.join(' + '));
		match.sources.set(field, [...names, ...fallbacks.map(({ column }) => column)]);
		const unit = candidates.find((header) => header.unit !== undefined)?.unit;
		if (unit !== undefined) match.areaTypeFromHeader = unit;
	}
	match.unmatched = columns.filter((column) => !used.has(column));
	for (const [column, field] of mapping) {
		if (field !== 'ignore' && !columns.includes(column))
			match.issues.push(unknown(column, columns));
	}
	for (const field of needed) {
		const isHalf = field === 'latitude' || field === 'longitude';
		if (claims.has(field) || (isHalf && claims.has('coordinates'))) continue;
		if (field === 'areaType' && match.areaTypeFromHeader) continue;
		match.issues.push(missing(field, columns));
	}
	return match;
}

/** The cells of a row by field; those of joined columns as one text. */
export function cellsOf(
	{ sources }: ColumnMatch,
	row: Readonly<Record<string, unknown>>,
): Partial<Record<ColumnField, unknown>> {
	return Object.fromEntries(
		[...sources].map(([field, names]) => {
			const cells = names.map((name) => row[name]).filter((cell) => !isEmpty(cell));
			if (cells.length < 2 || JOINED[field] === undefined) return [field, cells[0]];
			const texts = cells.map((cell) => cleanText(asText(cell)));
			// Joined with other text, an error of the spreadsheet would not be seen.
			const error = texts.find(isSpreadsheetError);
			// "Musa Musa" is a name, but a place is named once.
			const parts =
				field === 'farmerName' ? texts : texts.filter((text, at) => isFirst(texts, text, at));
			return [field, error ?? parts.join(JOINED[field])];
		}),
	);
}

/** Whether no text before is the same, whatever its letter case. */
const isFirst = (texts: readonly string[], text: string, at: number) =>
	texts.findIndex((other) => fold(other) === fold(text)) === at;

/** Whether a column numbers the rows: `row_number`, `S/N`, `No.`. */
export function isRunningNumber(column: string): boolean {
	return column.trim() === '#' || RUNNING_NUMBER.test(words(column).join(''));
}

/**
 * The columns without the `tractorId` that this node wrote back into the sheet, if the sheet has a tractor column of its
 * own: that is the one that people change.
 */
function withoutWrittenBack(
	field: ColumnField,
	headers: readonly ColumnHeader[],
	columns: readonly string[],
): readonly ColumnHeader[] {
	const isWrittenBack = columns.includes('result') && columns.includes('reason');
	if (field !== 'tractorId' || !isWrittenBack || headers.length < 2) return headers;
	return headers.filter(({ column }) => column !== 'tractorId');
}

/** Fields of which another column may hold the value of a row whose best column is empty. */
const WITH_FALLBACK: ReadonlySet<ColumnField> = new Set(['bookingID', 'tractorId']);

/** The columns that hold a field where its best column is empty: a sheet may have the node's own columns, too. */
function fallbacksOf(
	field: ColumnField,
	headers: readonly ColumnHeader[],
	best: readonly ColumnHeader[],
): ColumnHeader[] {
	if (!WITH_FALLBACK.has(field)) return [];
	return headers.filter((header) => !best.includes(header)).sort((a, b) => a.rank - b.rank);
}

/** Of the columns that claim a field, those that hold it. */
function bestOf(field: ColumnField, headers: readonly ColumnHeader[]): readonly ColumnHeader[] {
	const best = Math.min(...headers.map(({ rank }) => rank));
	const candidates = headers.filter(({ rank }) => rank === best);
	if (best === RANK.similar && field === 'farmerName') return partsOfName(candidates);
	// Village and address are parts of one place.
	return best === RANK.sameName && field === 'farmLocation' ? headers : candidates;
}

/**
 * The columns of the farmer's name: given name, other names, family name. `Name` beside a family name is the given
 * name, and `Nom` beside a given name the family name; any other whole name needs no parts.
 */
function partsOfName(headers: readonly ColumnHeader[]): readonly ColumnHeader[] {
	const wholes = headers.filter(({ part }) => part === undefined);
	const ofPart = (part: NamePart) => headers.filter((header) => header.part === part);
	const [given, middle, family] = [ofPart('given'), ofPart('middle'), ofPart('family')];
	const [whole, ...others] = wholes;
	if (!whole) return [...given, ...middle, ...family];
	const isBare = /^(?:names?|noms?)$/.test(words(whole.column).join(''));
	const isComplete = given.length > 0 && family.length > 0;
	if (others.length > 0 || !isBare || isComplete) return wholes;
	return given.length > 0 ? [...given, ...middle, whole] : [whole, ...middle, ...family];
}

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

const foundColumns = (columns: readonly string[]) =>
	columns.length > 0 ? `the columns found are ${quoted(columns)}` : 'no columns were found';

function ambiguous(field: ColumnField, columns: readonly string[]): Issue {
	return issueAt(field, undefined, {
		problem: `has several columns (${quoted(columns)})`,
		fix: `rename the right one to "${labelOf(field)}", or the others to something else`,
	});
}

function missing(field: ColumnField, columns: readonly string[]): Issue {
	return issueAt(field, undefined, {
		problem: `has no column (${foundColumns(columns)})`,
		fix: `add a column "${labelOf(field)}" or rename the one that holds it`,
	});
}

function unknown(column: string, columns: readonly string[]): Issue {
	return issueAt('Column Mapping', column, {
		problem: `is no column of the input (${foundColumns(columns)})`,
		fix: 'enter the name of a column as it is in the sheet',
	});
}

/** How sure it is that a column holds its field; the surest wins. */
const RANK = {
	mapped: 0,
	/** `serviceDate` */
	exact: 1,
	/** `Service Date` */
	sameName: 2,
	similar: 3,
} as const;

type NamePart = keyof typeof NAME_PARTS;

interface ColumnHeader {
	column: string;
	field: ColumnField;
	rank: (typeof RANK)[keyof typeof RANK];
	unit?: AreaType;
	part?: NamePart;
}

/** The header of a column of which the user says what it holds; undefined if it is to be ignored. */
function mappedHeader(column: string, field: ColumnField | 'ignore'): ColumnHeader | undefined {
	if (field === 'ignore') return undefined;
	const parsed = field === 'landArea' ? unitHeader(column, () => true) : undefined;
	return { column, field, rank: RANK.mapped, unit: parsed?.unit };
}

function fieldOf(parts: readonly string[]): ColumnField | undefined {
	const matching = (text: string) =>
		COLUMN_FIELDS.find((field) => COLUMN_PATTERNS[field].test(text));
	return matching(parts.join('')) ?? matching(withoutFillers(parts));
}

/** The words joined, without fillers: `Name of the farmer` → `name`. */
function withoutFillers(parts: readonly string[]): string {
	return parts
		.filter((part) => !FILLERS.has(part))
		.join('')
		.replace(/^farmers?(?=.)/, '');
}

/** The field that a column's name stands for, and the unit in the name; undefined for other columns. */
function parseHeader(column: string): ColumnHeader | undefined {
	if (isRunningNumber(column)) return undefined;
	const parts = words(withoutQualifiers(column));
	const text = parts.join('');
	// "Number of tractors" is not the number of a tractor.
	if (/^(?:n|no|nr|number)$/.test(parts[0] ?? '') && parts[1] === 'of') return unitHeader(column);
	const field = fieldOf(words(column)) ?? fieldOf(parts);
	if (field) {
		const isSame = text === field.toLowerCase().replace('_', '');
		const rank = column === field ? RANK.exact : isSame ? RANK.sameName : RANK.similar;
		return { column, field, rank };
	}
	const name = withoutFillers(parts);
	const part = (Object.keys(NAME_PARTS) as NamePart[]).find((key) => NAME_PARTS[key].test(name));
	if (part) return { column, field: 'farmerName', rank: RANK.similar, part };
	return unitHeader(column) ?? groupedHeader(column);
}

/** The header of a land area that names its unit. */
function unitHeader(
	column: string,
	isArea = (parts: readonly string[]) =>
		besideAUnit.has(parts.join('')) || fieldOf(parts) === 'landArea',
): ColumnHeader | undefined {
	const parts = words(withoutQualifiers(column));
	const units = parts.filter((part) => areaUnitOf(part) !== undefined);
	const unit = areaUnitOf(units[0] ?? '');
	if (unit === undefined || units.length > 1) return undefined;
	const rest = parts.filter((part) => part !== units[0]);
	const bare = rest.at(-1) === 'in' || rest.at(-1) === 'en' ? rest.slice(0, -1) : rest;
	return isArea(bare) ? { column, field: 'landArea', rank: RANK.similar, unit } : undefined;
}

/** The header of a question in a group, as in exports of KoBo and ODK: `group_a1/phone`; or of `Village/Community`. */
function groupedHeader(column: string): ColumnHeader | undefined {
	const slash = column.lastIndexOf('/');
	if (slash < 1) return undefined;
	const [group, name] = [column.slice(0, slash), column.slice(slash + 1)];
	const field = fieldOf(words(group));
	const header = areaUnitOf(name) ? undefined : parseHeader(name);
	const isNamed = field === undefined ? !/[^\w/-]/.test(column) : field === header?.field;
	return header && isNamed ? { ...header, column } : undefined;
}

const besideAUnit: ReadonlySet<string> = new Set(
	LAND_AREA_BESIDE_A_UNIT.map((text) => text.replaceAll(' ', '')),
);
const qualifiers: ReadonlySet<string> = new Set(QUALIFIERS.map((text) => text.replaceAll(' ', '')));

/** The name without parentheses that do not change its meaning: `Date (dd/mm/yyyy)` → `Date`. */
function withoutQualifiers(column: string): string {
	return column.replace(/[([][^()[\]]*[)\]]/g, (parenthesis) =>
		qualifiers.has(words(parenthesis).join('')) ? ' ' : parenthesis,
	);
}

/** The words of a name, folded; a capital inside a word starts a new one. */
function words(name: string): string[] {
	const parted = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
	return fold(parted)
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter((word) => word !== '');
}
