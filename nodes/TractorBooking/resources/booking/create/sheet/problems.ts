import type { IDataObject } from 'n8n-workflow';

import { areaUnitOf } from '../../../../parse/areaUnits';
import {
	formatValue,
	listedValue,
	listOf,
	type Invalid,
	type Issue,
} from '../../../../parse/issue';
import { parsePhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isBlank } from '../../../../parse/text';
import { groupBy } from '../../../../utils/groupBy';
import { asText, cleanText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { CORE_FIELDS, fieldOf, labelOf, labelsOf, partsOf, type ColumnField } from '../row/fields';
import { issueOf } from '../row/sentences';
import { inputRowOf, rowName } from '../row/inputRow';
import type { CreateSettings } from '../row/settings';
import { cellOf, type Item } from './cells';
import type { RawBooking, SheetColumns } from './columns';
import { parseHeading } from './headings';
import { REQUEST_FIELDS } from '../row/requestFields';
import { PLAIN_RESULT_COLUMNS, RESULT_WORDS } from '../row/results';

export type OtherColumn = {
	column: string;
	/** Its values with the number of their rows, the most frequent first; not all of many. */
	values: Array<{ value: string; count: number }>;
	distinct: number;
};

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

export const hasRequestCells = (raw: RawBooking): boolean =>
	REQUEST_FIELDS.some((field) => !isBlank(raw[field]));

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

/** Whether rows can be booked without a field. The nearest tractor is one that offers the service. */
const canBeLeftOut = (field: ColumnField, wantsNearest: boolean) =>
	fieldOf(field).rank === 'core' && !(wantsNearest && field === 'serviceType');

/** The fields that a row needs (interface: "with a chosen tractor"). */
export function neededFields({ notInSheet }: CreateSettings, wantsNearest: boolean) {
	const isSpared = (field: ColumnField) =>
		notInSheet.has(field) && canBeLeftOut(field, wantsNearest);
	const core: ColumnField[] = CORE_FIELDS.filter((field) => !isSpared(field));
	return [...core, wantsNearest ? 'coordinates' : 'tractorId'] as const;
}

const issue = (field: string, why: Invalid): Issue => ({ ...why, field: labelOf(field) });

/** What is wrong with a sheet in which all lines are empty. */
export const NO_ROWS = issue('sheet', issueOf('noRows'));

/**
 * What is wrong with the columns, in the order in which a person fixes it.
 *
 * @param others those that are not read
 * @param areNamed whether that is to be said
 * @param nearest why rows take the nearest tractor; undefined if they name theirs
 */
function columnIssues(
	{ names, absent, rowIdColumn, doubled, headings, columns }: SheetColumns,
	lacking: readonly ColumnField[],
	others: readonly OtherColumn[],
	areNamed: boolean,
	nearest: CreateSettings['tractorSelection'] | undefined,
): Issue[] {
	const canSpare = lacking.some((field) => canBeLeftOut(field, nearest !== undefined));
	const isOther = lacking.some((field) => fieldOf(field).rank !== 'core');
	const stale = absent.filter(([, field]) => {
		// Readers leave out empty columns, so it may be right, unless another column may be meant.
		return field !== 'ignore' && (headings.has(field) || others.length > 0);
	});
	return [
		stale.map(([column, field]) => {
			const own = headings.get(field);
			const named = own === undefined ? undefined : formatValue(own);
			const why = issueOf('mappedToNothing', labelOf(field), formatValue(column), named);
			return issue('Column Mapping', why);
		}),
		rowIdColumn !== undefined && !names.includes(rowIdColumn)
			? issue('Row ID', issueOf('noRowIdColumn', formatValue(rowIdColumn)))
			: [],
		doubled.map((one) => issue(one.field, issueOf('severalColumns', one.columns.join(', ')))),
		lacking.length > 0
			? issue(
					'sheet',
					issueOf('noColumns', labelsOf(lacking), canSpare, isOther, columns.size === 0),
				)
			: [],
		areNamed
			? issue(
					'sheet',
					issueOf('otherColumns', others.map(columnText).join(', '), nearest === 'nearest'),
				)
			: [],
	].flat();
}

export type SheetFindings = Awaited<ReturnType<typeof findingsOf>>;

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
	const { tractorSelection } = settings;
	const isById =
		tractorSelection === 'id' ||
		(tractorSelection === 'idOrNearest' && columns.headings.has('tractorId'));
	const nearest = isById ? undefined : tractorSelection;
	const needed = areFew ? [] : neededFields(settings, !isById);
	const lacking = needed.filter((field) => !columns.headings.has(field));
	const areNamed = stops || (lacking.length > 0 && others.length > 0);
	return {
		/** What is wrong with it: then no row is booked. */
		issues: columnIssues(columns, lacking, others, areNamed, nearest),
		lacking,
		/** The columns with cells that hold no field, and are not ignored one by one. */
		otherColumns: others,
		/** What is in all columns with cells that the reader of the rows has not added. */
		filled,
	};
}

/** What is wrong if a line below the first has other headings than that: the table below a title, or another one. */
function headingsBelow({ json }: Item, itemIndex: number): Invalid | undefined {
	const headings = Object.entries(json).flatMap(([name, cell]) => {
		const text = asText(cell);
		// A date, a phone or an area is no heading.
		const field = /\d/.test(text) ? undefined : parseHeading(text);
		return field ? [{ text, field, isOther: cleanText(text) !== cleanText(name) }] : [];
	});
	const fields = new Set(headings.map(({ field }) => field));
	// Where they are printed on each page, nothing is read in another way.
	const areOther = headings.some(({ isOther }) => isOther);
	const shown = headings.slice(0, 3).map(({ text }) => text);
	return fields.size >= 3 && areOther
		? issueOf('headingsBelow', rowName(inputRowOf(json, itemIndex)), listOf(shown))
		: undefined;
}

/** What is wrong if a column that the node writes has a person's words: they are not read, and would be overwritten. */
function ownColumns(items: readonly Item[]): Invalid | undefined {
	const words: readonly string[] = RESULT_WORDS;
	const others = items.filter(({ json }) => !words.includes(asText(json.result)));
	const names = PLAIN_RESULT_COLUMNS.filter((name) =>
		others.some(({ json }) => !isBlank(cellOf(json, name))),
	);
	return names.length > 0 ? issueOf('ownColumns', listOf(names)) : undefined;
}

/** What is wrong if the first line is a request: the reader took it for headings, and it would be booked by no one. */
function noHeadings(names: readonly string[], { rules }: CreateSettings): Invalid | undefined {
	// A unit may also be a cell.
	const headings = names.filter((name) => areaUnitOf(name) === undefined);
	const isCore = (field: ColumnField) =>
		CORE_FIELDS.some((core) => core === field || partsOf(core).includes(field));
	if (headings.flatMap((name) => parseHeading(name) ?? []).some(isCore)) return undefined;
	// Each request has a phone or a day, and no heading is one.
	const cells = names
		.filter((name) => parsePhone(name, rules.defaultCountry).ok || ordersOf(name, rules).length > 0)
		.map(listedValue);
	return cells.length > 0 ? issueOf('noHeadings', listOf(cells), labelsOf(CORE_FIELDS)) : undefined;
}

/** What is wrong if a heading is there twice: n8n's reader numbers the second, and the row may be that of two tables. */
function sameHeadings(names: readonly string[]): Invalid | undefined {
	const all = new Set(names);
	const same = names.flatMap((name) => {
		const [, first] = /^(.*\S)_[1-9]\d*$/s.exec(name) ?? [];
		// So it names columns without a heading.
		const isUnnamed = first?.startsWith('__EMPTY');
		return first !== undefined && all.has(first) && !isUnnamed ? [first, name] : [];
	});
	if (same.length === 0) return undefined;
	return issueOf('sameHeadings', listOf([...new Set(same)].map(cleanText)));
}

/** What is wrong with the headings of a sheet: what is below them cannot be read then. */
export async function headingIssue(
	items: readonly Item[],
	{ names }: SheetColumns,
	settings: CreateSettings,
): Promise<Issue | undefined> {
	const below = await inTurns(items, headingsBelow);
	const why =
		below.find((one) => one !== undefined) ??
		noHeadings(names, settings) ??
		sameHeadings(names) ??
		ownColumns(items);
	return why && issue('sheet', why);
}
