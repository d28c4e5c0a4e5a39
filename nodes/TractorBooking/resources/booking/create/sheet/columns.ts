import type { IDataObject } from 'n8n-workflow';

import { areaUnitOf, type AreaType } from '../../../../parse/areaUnits';
import { orderInFormat } from '../../../../parse/dates';
import { isBlank } from '../../../../parse/text';
import { asText, cleanText, fold } from '../../../../utils/text';
import { COLUMN_FIELDS, fieldOf, headingsOf, partsOf, type ColumnField } from '../fields';
import type { CreateSettings } from '../settings';
import { cellOf } from './cells';
import { isTicked, type FormParts } from './formParts';

export type RawBooking = Partial<Record<ColumnField, unknown>>;

/** The unit that a heading names: `other` if the service does not accept it, or if there are two. */
export type HeadingUnit = AreaType | 'other';

export type SheetColumns = ReturnType<typeof matchColumns>;

/** No heading is longer, whatever a file holds. */
const MAX_LENGTH = 200;

/** Letters and digits alone: case, accents, punctuation and spaces do not count. */
const plain = (heading: string) => fold(heading).replace(/[^\p{L}\p{N}]/gu, '');

const KEYS = new Map<string, ColumnField>(
	COLUMN_FIELDS.flatMap((field) =>
		[...headingsOf(field), fieldOf(field).label, field].map(
			(text) => [plain(text), field] as const,
		),
	),
);

/** A heading, and what it has in parentheses at its end. */
const inParentheses = (heading: string) =>
	/^(.*\S)\s*[([]([^()[\]]*)[)\]]\W*$/s.exec(heading.slice(0, MAX_LENGTH))?.slice(1) ?? [];

/** A heading, and its last word. */
const lastWordOf = (heading: string) =>
	/^(.*[^\s_])[\s_]+([^\s_]+)$/s.exec(heading.slice(0, MAX_LENGTH))?.slice(1) ?? [];

function fieldFor(heading: string): ColumnField | undefined {
	// A nested value is no heading: the ID of a linked record (`Tractor.Id`) is not that of a tractor.
	const known = /[^\s.]\.[\p{L}_]/u.test(heading) ? undefined : KEYS.get(plain(heading));
	if (known) return known;
	for (const [before = '', after = ''] of [inParentheses(heading), lastWordOf(heading)]) {
		const main = KEYS.get(plain(before));
		if (main && fieldOf(main).mayFollow?.(after)) return main;
	}
	return undefined;
}

/** Airtable and NocoDB have their columns in an object of this name. */
const withoutWrapper = (column: string) => column.slice(0, MAX_LENGTH).replace(/^fields\./, '');

/** The groups of a question in a form, and its name or label: what follows the last slash or point before a parenthesis. */
const pathOf = (column: string) =>
	/^(.*[\p{L}\p{N})_])[/.](?=[\p{L}_])([^()[\]]+(?:[([].*)?)$/su
		.exec(withoutWrapper(column))
		?.slice(1) ?? [];

/** A heading without the groups of its form. */
export const questionIn = (column: string): string => pathOf(column)[1] ?? withoutWrapper(column);

/** Whether the headings of a sheet are paths in a form: two questions are in one group. */
function arePaths(names: readonly string[]): boolean {
	const groups = names.flatMap((name) => pathOf(name)[0] ?? []);
	return new Set(groups).size < groups.length;
}

const OWNERS = { farm: /farm|plot|parcelle/i, farmer: /farmer|producteur/i };

/** Whether a heading says whose the field is; undefined if it need not: the officer has no area. */
export function saysWhose(field: ColumnField, column: string): boolean | undefined {
	const { isOf } = fieldOf(field);
	return isOf && OWNERS[isOf].test(column);
}

/** @param inForm whether the headings of its sheet are paths: then each is read by its last part, too */
export function parseHeading(column: string, inForm = false): ColumnField | undefined {
	const whole = fieldFor(withoutWrapper(column));
	const [, question] = pathOf(column);
	// `Price/Acres` is no area.
	if (whole || !inForm || question === undefined || areaUnitOf(question)) return whole;
	const field = fieldFor(question);
	return field && saysWhose(field, column) !== false ? field : undefined;
}

/**
 * The column that an option names, typed or dragged: the editor writes `['Area [ha]']` and `fields['Farm GPS']`. Spaces and
 * invisible characters do not count. If there is no such column: what was typed.
 */
function columnNamed(typed: string, names: readonly string[]): string {
	const dragged = typed.replace(/\['(.+?)'\](?=[.[]|$)/gs, '.$1').replace(/^\./, '');
	if (names.includes(dragged)) return dragged;
	return names.find((name) => cleanText(name) === cleanText(dragged)) ?? dragged;
}

/**
 * Finds the column of each field: by Column Mapping, else by the headings of `FIELDS`.
 *
 * @param names the headings, in input order
 * @param isAdded whether a column is one that the reader of the rows adds
 * @param parts the columns that the export of a form adds to its questions
 */
export function matchColumns(
	names: string[],
	settings: CreateSettings,
	isAdded: (column: string) => boolean,
	{ questionOf, ticksOf, ticks }: FormParts,
) {
	const { columnMapping, ignoredColumns, tractorSelection } = settings;
	const ignored = names.filter((name) => ignoredColumns.includes(cleanText(name)));
	const mapping = new Map<string, ColumnField | 'ignore'>([
		...ignored.map((name) => [name, 'ignore'] as const),
		...[...columnMapping].map(([column, field]) => [columnNamed(column, names), field] as const),
	]);
	const rowIdColumn = settings.rowIdColumn && columnNamed(settings.rowIdColumn, names);
	const mapped = new Set<string | undefined>(names.flatMap((name) => mapping.get(name) ?? []));
	const isMapped = (field: ColumnField) =>
		[field, fieldOf(field).partOf, ...partsOf(field)].some((name) => mapped.has(name));
	const columns = new Map<ColumnField, string[]>();
	const inForm = arePaths(names);
	for (const column of names) {
		const heading = questionOf.has(column) ? undefined : parseHeading(column, inForm);
		const field = mapping.get(column) ?? (heading && !isMapped(heading) ? heading : undefined);
		if (field === undefined || field === 'ignore') continue;
		// It is named as a column that is not read: the tractors of the sheet are not passed over in silence.
		if (field === 'tractorId' && tractorSelection === 'nearest') continue;
		const others = columns.get(field) ?? [];
		// Beside the column that the node writes, a person's own is the one to name in messages.
		const isOwnName = (name: string) => Number(name === field);
		columns.set(
			field,
			[...others, column].sort((a, b) => isOwnName(a) - isOwnName(b)),
		);
	}
	const columnsOf = (field: ColumnField) => columns.get(field) ?? [];
	const fields = COLUMN_FIELDS.map((field) => {
		const ofParts = partsOf(field).flatMap(columnsOf);
		const [heading = ofParts.join(' + ')] = columnsOf(field);
		return { field, heading, columns: [...columnsOf(field), ...ofParts] };
	}).filter(({ heading }) => heading !== '');
	const read = new Set([...columns.values()].flat());
	const isOthers = (name: string) => isAdded(name) || questionOf.has(name) || name === rowIdColumn;
	const unread = names.filter((name) => !read.has(name) && !isOthers(name));
	return {
		/** The columns of each field: more than one are doubled, but for those of the Booking ID. */
		columns,
		/** The heading of each field, for messages: `First Name + Last Name`. */
		headings: new Map<string, string>(fields.map(({ field, heading }) => [field, heading])),
		/** Columns that hold no field, in input order. */
		unread,
		/** Those of them that the options do not ignore. */
		others: unread.filter((name) => mapping.get(name) !== 'ignore'),
		// A row is the request of any of its Booking IDs.
		doubled: fields.filter(
			({ field, columns: all }) => columns.has(field) && all.length > 1 && field !== 'bookingID',
		),
		/** Columns that Column Mapping names and the sheet does not have, with what they are to hold. */
		absent: [...mapping].filter(([column]) => !names.includes(column)),
		ticksOf,
		ticks,
		rowIdColumn,
		/** That column, if the sheet does not have it. */
		absentRowId: rowIdColumn !== undefined && names.includes(rowIdColumn) ? undefined : rowIdColumn,
		...saidBy(columnsOf),
	};
}

/** What the headings of area and date say of their cells, also if they are mapped. */
function saidBy(columnsOf: (field: ColumnField) => readonly string[]) {
	const [area = ''] = columnsOf('landArea');
	const [date = ''] = columnsOf('serviceDate');
	const words = area.split(/[^\p{L}\p{M}]+/u);
	const [unit, second] = new Set(words.flatMap((word) => areaUnitOf(word) ?? []));
	const isOther = second !== undefined || (!unit && inParentheses(area).length > 0);
	const areaUnit: HeadingUnit | undefined = isOther ? 'other' : unit;
	const dateOrder = orderInFormat(inParentheses(date)[1] ?? '');
	return { areaUnit, dateOrder: dateOrder === 'refuse' ? undefined : dateOrder };
}

/** What is chosen of a question with several answers: labels may have spaces, and its own cell has nothing else between. */
function choicesIn(row: IDataObject, ticks: Iterable<readonly [string, string]>) {
	const chosen = [...ticks].filter(([, column]) => isTicked(cellOf(row, column)));
	return chosen.length > 0 ? chosen.map(([choice]) => choice) : undefined;
}

export function rawOf({ columns, ticksOf }: SheetColumns, row: IDataObject): RawBooking {
	const raw: RawBooking = {};
	for (const [field, names] of columns) {
		const areCrops = field === 'crop' || field === 'crops';
		const cellIn = (name: string) =>
			(areCrops ? choicesIn(row, ticksOf.get(name) ?? []) : undefined) ?? cellOf(row, name);
		const cells = names.map(cellIn).filter((cell) => !isBlank(cell));
		// What a person says in one Booking ID column and the node in another belongs together.
		raw[field] = field === 'bookingID' && cells.length > 1 ? cells : cells[0];
	}
	const { firstName, lastName, ...others } = raw;
	const parts = [firstName, lastName].filter((part) => !isBlank(part));
	if (parts.length === 0) return others;
	return { ...others, farmerName: parts.map((part) => cleanText(asText(part))).join(' ') };
}
