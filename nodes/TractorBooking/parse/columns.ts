import type { AreaType } from './areaUnits';
import type { ColumnField, Heading } from './columnNames';
import {
	CODED,
	codesIn,
	foreignUnitOf,
	isCorrection,
	isAnglePart,
	isBareNumber,
	isFrench,
	isLongitudeFirst,
	isOtherSide,
	namesLine,
	orderInHeading,
	parseHeading,
	unitOf,
} from './columnNames';
import type { DateOrder } from './dateText';
import { issueAt, type Issue } from './issue';
import { labelsOf, listOf } from './labels';
import { isBlank, unusable } from './text';
import { groupBy } from '../utils/groupBy';
import { asText, cleanText, fold } from '../utils/text';

/** Columns that may hold a field. If a row has different values in them, they are its parts, or nobody knows which is right. */
export interface Tier {
	names: readonly string[];
	/** What the cells are joined with; undefined if only one of them can be right. */
	joiner?: string;
}

/** Which input column holds which field. */
export interface ColumnMatch {
	/** The column of each field in words; of joined columns, all names: `First Name + Surname`. */
	columns: Map<ColumnField, string>;
	/** The columns of each field, the surest first; a row takes the first ones that it fills in, see {@link matchFor}. */
	tiers: ReadonlyMap<ColumnField, readonly Tier[]>;
	/** The columns of each field that are read. */
	sources: ReadonlyMap<ColumnField, Tier>;
	/** The unit in the header of the land area: `Land area (ha)`. */
	areaTypeFromHeader?: AreaType;
	/** The unit in the header of the land area if it is neither hectares nor acres. */
	foreignUnit?: string;
	/** Whether headings are French. */
	isFrench: boolean;
	/** The order of day and month in the header of the date: `Date (dd/mm/yyyy)`. */
	dateOrder?: DateOrder;
	/** The fields of which the heading names the longitude before the latitude. */
	longitudeFirst: ReadonlySet<ColumnField>;
	/** The halves of a coordinate of which the heading says south or west. */
	otherSide: ReadonlySet<ColumnField>;
	/** The words of the codes that the heading of a column explains. */
	codes: ReadonlyMap<string, ReturnType<typeof codesIn>>;
	/** Columns that are not to be ignored and match no field, or are spare, in input order. */
	unmatched: string[];
	/** One for each field that no column can hold as it is, and one for all required fields without a column. */
	issues: Issue[];
}

/** What the user says of a column: its field, or that it holds none. */
export type ColumnMapping = ReadonlyMap<string, ColumnField | 'ignore'>;

/** Fields that may come in several columns, and what their cells are joined with. */
const JOINED: Readonly<Partial<Record<ColumnField, string>>> = {
	farmerName: ' ',
	farmLocation: ', ',
	farmNote: '; ',
	crop: ', ',
	crops: ', ',
};

/** Fields of which any other column is a spare one, also beside a column that the user has mapped. */
const ALL_SPARE: ReadonlySet<ColumnField> = new Set(['bookingID', 'tractorId']);

/** How sure it is that a column holds its field; the surest wins. */
const RANK = {
	mapped: 0,
	/** `serviceDate` */
	exact: 1,
	/** `Service Date` */
	sameName: 2,
	similar: 3,
	/** By its cells alone: `Numéro`; or if there is no better: `Country`. */
	guess: 4,
} as const;

interface Claim extends Heading {
	column: string;
	field: ColumnField;
	rank: (typeof RANK)[keyof typeof RANK];
}

/**
 * Matches input columns to booking fields by name (see `columnNames.ts`).
 * If several columns match a field, the one named as in the interface wins, and the others are for rows in which it is
 * empty.
 * @param needed fields that must have a column
 * @param mapping columns of which the user says what they hold; they win over all others
 * @param holdsPhones whether a column has cells that look like phones; asked for columns of no field. A column such as
 * `Numéro` is the phone if it is the only one
 */
export function matchColumns(
	columns: readonly string[],
	needed: readonly ColumnField[] = [],
	mapping: ColumnMapping = new Map(),
	holdsPhones: (column: string) => boolean = () => false,
): ColumnMatch {
	const isUnknown = (column: string) => !mapping.has(column) && !parseHeading(column).field;
	const phone = phoneAmong(columns.filter(isUnknown).filter(holdsPhones));
	const claims = groupBy(
		columns.flatMap((column) => claimOf(column, mapping.get(column), column === phone) ?? []),
		({ field }) => field,
	);
	const inParts = [...claims].filter(
		([field, all]) => isHalf(field) && all.some(({ column }) => isAnglePart(column)),
	);
	const tiers = new Map(
		[...claims].map(([field, all]) => [
			field,
			tiersOf(field, withoutWrittenBack(field, all, columns)),
		]),
	);
	const sources = new Map([...tiers].map(([field, [first]]) => [field, first]));
	const used = new Set(columnsRead({ sources }));
	const isRead = (column: string) => used.has(column) || used.has(column.replace(CHOICE, ''));
	const unknown = [...mapping].filter(
		([column, field]) => field !== 'ignore' && !columns.includes(column),
	);
	const absent = needed.filter(
		(field) => !claims.has(field) && !(isHalf(field) && claims.has('coordinates')),
	);
	return {
		...headingsOf(sources),
		tiers,
		sources,
		codes: new Map(columns.map((column) => [column, codesIn(column)])),
		isFrench: columns.some(isFrench),
		unmatched: columns.filter((column) => !isRead(column) && mapping.get(column) !== 'ignore'),
		issues: [
			...inParts.map(([field, all]) => angleInParts(field, all)),
			...unknown.map(([column]) => notInInput('Column Mapping', column, columns)),
			...(absent.length > 0 ? [missing(absent, columns)] : []),
		],
	};
}

/** Of unknown columns that hold phones, the farmer's: the only one that is no more than a number, or that of a line. */
function phoneAmong(columns: readonly string[]): string | undefined {
	const [column, ...others] = columns.filter(isBareNumber);
	if (column === undefined || others.length > 0) return undefined;
	return columns.length === 1 || namesLine(column) ? column : undefined;
}

/** The columns of a field, the surest first. */
function tiersOf(field: ColumnField, claims: readonly Claim[]): readonly [Tier, ...Tier[]] {
	const isMapped = claims.some(({ rank }) => rank === RANK.mapped);
	// A farm is often larger than what is to be worked.
	const mayReplace = ({ column, rank }: Claim) =>
		!isMapped && rank !== RANK.guess && (field === 'landArea' || isCorrection(column));
	const originals = claims.filter(({ column }) => isMapped || !isCorrection(column));
	const best = bestOf(field, originals.length > 0 ? originals : claims);
	// Of a name in parts, nobody knows which part it replaces.
	const replacing =
		best.length === 1 || JOINED[field] === undefined
			? claims.filter((claim) => !best.includes(claim) && mayReplace(claim))
			: [];
	const others = claims.filter((claim) => !best.includes(claim) && !replacing.includes(claim));
	return [tierOf(field, best, replacing), ...sparesOf(field, best, others)];
}

/** What the headings of the columns say that are read. */
function headingsOf(sources: ColumnMatch['sources']) {
	const columns = new Map(
		[...sources].map(([field, { names, joiner }]) => [
			field,
			(joiner === undefined ? names.slice(0, 1) : names).join(' + '),
		]),
	);
	const fieldsWith = (says: (heading: string) => boolean) =>
		new Set([...columns].flatMap(([field, heading]) => (says(heading) ? field : [])));
	const area = columns.get('landArea') ?? '';
	return {
		columns,
		areaTypeFromHeader: unitOf(area),
		foreignUnit: foreignUnitOf(area),
		dateOrder: orderInHeading(columns.get('serviceDate') ?? ''),
		longitudeFirst: fieldsWith(isLongitudeFirst),
		otherSide: fieldsWith(isOtherSide),
	};
}

/** The match for one row: of each field, with the first columns that it fills in. */
export function matchFor(match: ColumnMatch, row: Readonly<Record<string, unknown>>): ColumnMatch {
	const sources = new Map(match.sources);
	for (const [field, tiers] of match.tiers) {
		const filled = tiers.map((tier) => filledOf(tier, row));
		const source = filled.find(({ names }) => names.length > 0);
		if (source) sources.set(field, source);
	}
	const isChanged = [...sources].some(([field, source]) => source !== match.sources.get(field));
	return isChanged ? { ...match, sources, ...headingsOf(sources) } : match;
}

/** The columns of all fields that are read. */
export const columnsRead = ({ sources }: Pick<ColumnMatch, 'sources'>): string[] =>
	[...sources.values()].flatMap(({ names }) => names);

/** The columns that a row fills in; all parts if it fills in one. */
function filledOf(tier: Tier, row: Readonly<Record<string, unknown>>): Tier {
	const filled = tier.names.filter((name) => !isBlank(row[name]));
	const isWhole = tier.joiner !== undefined && filled.length > 0;
	return isWhole || filled.length === tier.names.length ? tier : { ...tier, names: filled };
}

const isHalf = (field: ColumnField) => field === 'latitude' || field === 'longitude';

/** The field that a column holds, and how sure that is; undefined if it holds none. */
function claimOf(
	column: string,
	mapped: ColumnField | 'ignore' | undefined,
	holdsPhones: boolean,
): Claim | undefined {
	if (mapped === 'ignore') return undefined;
	const heading = parseHeading(column);
	const { field, isOwn, isGuess, part } = heading;
	if (mapped) return { column, field: mapped, rank: RANK.mapped };
	if (field) {
		// KoBo adds the place of its first question as `_geolocation`.
		const named = isGuess || column.startsWith('_') ? RANK.guess : RANK.similar;
		const rank = column === field ? RANK.exact : isOwn ? RANK.sameName : named;
		return { column, field, rank, part };
	}
	return holdsPhones ? { column, field: 'farmerPhone', rank: RANK.guess } : undefined;
}

/** What the column of a choice adds to the name of the question, in exports of KoBo and ODK: `crops/maize`. */
const CHOICE = /\/[^/]*$/;

/** The cell of a column; of a question with several choices, which are one word each, these with commas. */
function cellOf(row: Readonly<Record<string, unknown>>, column: string): unknown {
	const cell = row[column];
	const choices = typeof cell === 'string' ? cell.split(' ') : [];
	const areChoices = choices.length > 1 && choices.every((choice) => `${column}/${choice}` in row);
	return areChoices ? choices.join(', ') : cell;
}

/** The cells of a row by field; those of joined columns as one text. */
export function cellsOf(
	{ sources, codes }: ColumnMatch,
	row: Readonly<Record<string, unknown>>,
): Partial<Record<ColumnField, unknown>> {
	const wordOf = (name: string) => {
		const cell = asText(row[name]);
		return /^\s*\d{1,2}\s*$/.test(cell) ? codes.get(name)?.get(Number(cell)) : undefined;
	};
	return Object.fromEntries(
		[...sources].map(([field, { names, joiner }]) => {
			const cells = names
				.map((name) => (CODED.has(field) ? wordOf(name) : undefined) ?? cellOf(row, name))
				.filter((cell) => !isBlank(cell));
			if (cells.length < 2 || joiner === undefined) return [field, cells[0]];
			const texts = cells.map((cell) => cleanText(asText(cell)));
			// Joined with other text, what no field can hold would not be seen.
			const fault = texts.find((text) => unusable(text));
			// "Musa Musa" is a name, but a place is named once.
			const parts = field === 'farmerName' ? texts : distinct(texts);
			return [field, fault ?? parts.join(joiner)];
		}),
	);
}

/** The texts that no text before them equals, whatever the letter case. */
const distinct = (texts: readonly string[]) =>
	texts.filter((text, at) => texts.findIndex((other) => fold(other) === fold(text)) === at);

/**
 * The columns without the `tractorId` that this node wrote back into the sheet, if the sheet has a tractor column of its
 * own: that is the one that people change.
 */
function withoutWrittenBack(
	field: ColumnField,
	claims: readonly Claim[],
	columns: readonly string[],
): readonly Claim[] {
	const isWrittenBack = columns.includes('result') && columns.includes('reason');
	if (field !== 'tractorId' || !isWrittenBack || claims.length < 2) return claims;
	return claims.filter(({ column }) => column !== 'tractorId');
}

/** Of the columns that claim a field, those that hold it. */
function bestOf(field: ColumnField, claims: readonly Claim[]): readonly Claim[] {
	const best = Math.min(...claims.map(({ rank }) => rank));
	const candidates = claims.filter(({ rank }) => rank === best);
	if (best === RANK.similar && field === 'farmerName') return partsOfName(candidates);
	// Village and address are parts of one place.
	return best === RANK.sameName && field === 'farmLocation' ? claims : candidates;
}

/** Columns of one rank, and those that may replace them. Several whole names are no parts of one. */
function tierOf(
	field: ColumnField,
	claims: readonly Claim[],
	replacing: readonly Claim[] = [],
): Tier {
	const wholes = claims.filter(({ rank, part }) => rank !== RANK.mapped && !part);
	const isJoined = replacing.length === 0 && (field !== 'farmerName' || wholes.length < 2);
	return {
		names: [...claims, ...replacing].map(({ column }) => column),
		joiner: isJoined ? JOINED[field] : undefined,
	};
}

/** The columns for rows in which the best ones are empty; no guesses. */
function sparesOf(field: ColumnField, best: readonly Claim[], others: readonly Claim[]): Tier[] {
	if (ALL_SPARE.has(field))
		return others.toSorted((a, b) => a.rank - b.rank).map((claim) => tierOf(field, [claim]));
	// A blank one is refused, while another date or phone may be that of the request or of an agent.
	if (field === 'serviceDate' || field === 'farmerPhone') return [];
	const isSure = ({ rank }: Claim) => rank !== RANK.mapped && rank !== RANK.guess;
	const sure = others.filter(isSure);
	return best.every(isSure) && sure.length > 0 ? [...tiersOf(field, sure)] : [];
}

/**
 * The columns of the farmer's name: given name, other names, family name. `Name` beside a family name is the given
 * name, and `Nom` beside a given name the family name; any other whole name needs no parts.
 */
function partsOfName(claims: readonly Claim[]): readonly Claim[] {
	const ofPart = (part: Claim['part']) => claims.filter((claim) => claim.part === part);
	const [given, middle, family] = [ofPart('given'), ofPart('middle'), ofPart('family')];
	const wholes = ofPart(undefined);
	const isBare = wholes.every(({ column }) => /^(?:names?|noms?)$/i.test(cleanText(column)));
	const isComplete = given.length > 0 && family.length > 0;
	if (wholes.length > 1 || (wholes.length > 0 && (!isBare || isComplete))) return wholes;
	return given.length > 0
		? [...given, ...middle, ...wholes, ...family]
		: [...wholes, ...middle, ...family];
}

const quoted = (columns: readonly string[]) => listOf(columns.map((column) => `"${column}"`));

const foundColumns = (columns: readonly string[]) =>
	columns.length > 0
		? `the columns found are ${quoted(columns.filter((column) => column !== 'row_number'))}`
		: 'no columns were found';

function angleInParts(field: ColumnField, claims: readonly Claim[]): Issue {
	return issueAt(field, undefined, {
		problem: `has several columns (${quoted(claims.map(({ column }) => column))})`,
		fix: `write degrees, minutes and seconds in one column, such as 6°31'28"`,
	});
}

function missing(fields: readonly ColumnField[], columns: readonly string[]): Issue {
	const [has, add] =
		fields.length > 1
			? ['have', 'add columns of these names, rename those that hold them, or map them']
			: ['has', 'add a column of this name, rename the one that holds it, or map it'];
	return issueAt(labelsOf(fields), undefined, {
		problem: `${has} no column (${foundColumns(columns)})`,
		fix:
			columns.length > 0
				? `${add} under Options > Column Mapping`
				: 'put the node that reads the spreadsheet before this one',
	});
}

/** The issue of an option that names a column which is not there. */
export function notInInput(option: string, column: string, columns: readonly string[]): Issue {
	return issueAt(option, column, {
		problem: `is no column of the input (${foundColumns(columns)})`,
		fix: 'enter the name of a column as it is in the sheet',
	});
}
