import type { IDataObject } from 'n8n-workflow';

import { areaUnitOf, type AreaType } from '../../../../parse/areaUnits';
import { orderInFormat } from '../../../../parse/dates';
import { isBlank } from '../../../../parse/text';
import { cleanText, splitByTicks } from '../../../../utils/text';
import { COLUMN_FIELDS, fieldOf, partsOf, type ColumnField } from '../row/fields';
import type { CreateSettings } from '../row/settings';
import { cellOf, type Item } from './cells';
import { hasChoices, readForm, tickedIn } from './formParts';
import { arePaths, endOf, parseHeading, questionIn } from './headings';
import { addedBy } from './readerColumns';

export type RawBooking = Partial<Record<ColumnField, unknown>>;

/** The unit that a heading names: `other` if the service does not accept it, or if there are two. */
type HeadingUnit = AreaType | 'other';

export type SheetColumns = ReturnType<typeof findColumns>;

/**
 * The column that an option names, typed or dragged: the editor writes `['Area [ha]']` and `fields['Farm GPS']`. Spaces and
 * invisible characters do not count. If there is no such column: what was typed.
 */
function columnNamed(typed: string, names: readonly string[]): string {
	const dragged = typed.replace(/\['(.+?)'\](?=[.[]|$)/gs, '.$1').replace(/^\./, '');
	if (names.includes(dragged)) return dragged;
	return names.find((name) => cleanText(name) === cleanText(dragged)) ?? dragged;
}

/** Finds the column of each field: by Column Mapping, else by the headings of `FIELDS`. */
export function findColumns(items: readonly Item[], settings: CreateSettings) {
	const names = [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	const { parts, choices } = readForm(names, items);
	const isOfReader = addedBy(names, items[0]?.json);
	const isAdded = (name: string) => isOfReader(name) || parts.has(name);
	const { columnMapping, ignoredColumns, tractorSelection } = settings;
	const ignored = names.filter((name) => ignoredColumns.includes(cleanText(name)));
	const mapping = new Map<string, ColumnField | 'ignore'>([
		...ignored.map((name) => [name, 'ignore'] as const),
		...[...columnMapping].map(([column, field]) => [columnNamed(column, names), field] as const),
	]);
	const rowIdColumn = settings.rowIdColumn && columnNamed(settings.rowIdColumn, names);
	const mapped = new Set<string | undefined>(names.flatMap((name) => mapping.get(name) ?? []));
	/** A field, what it is a part of, and its parts: one of them may hold it. */
	const wholeAndParts = (field: ColumnField) => [field, fieldOf(field).partOf, ...partsOf(field)];
	const isMapped = (field: ColumnField) => wholeAndParts(field).some((name) => mapped.has(name));
	const hasValues = (name: string) => items.some(({ json }) => !isBlank(cellOf(json, name)));
	const filled = new Set(names.filter(hasValues));
	const columns = new Map<ColumnField, string[]>();
	const isHeld = (field: ColumnField) =>
		[...columns.keys()].some((held) => wholeAndParts(field).includes(held));
	// ODK Central separates groups by dashes, which other headings may have.
	const isOdk = names.includes('meta-instanceID');
	const pathOf = (name: string) => (isOdk ? name.replaceAll('-', '/') : name);
	const inForm = arePaths(names.map(pathOf));
	for (const column of new Set([...filled, ...names])) {
		const heading = isAdded(column) ? undefined : parseHeading(pathOf(column), inForm);
		const field = mapping.get(column) ?? (heading && !isMapped(heading) ? heading : undefined);
		if (field === undefined || field === 'ignore') continue;
		// Its tractors are not taken, so it is named as a column that is not read.
		if (field === 'tractorId' && tractorSelection === 'nearest') continue;
		// An empty column says nothing of one with values: neither its unit nor the order of its dates.
		if (isHeld(field) && !filled.has(column)) continue;
		columns.set(field, [...(columns.get(field) ?? []), column]);
	}
	/** A heading without the groups of its form. */
	const questionOf = (name: string) => questionIn(pathOf(name), inForm);
	const columnsOf = (field: ColumnField) => columns.get(field) ?? [];
	const [area = ''] = columnsOf('landArea');
	const [date = ''] = columnsOf('serviceDate');
	const dateOrder = orderInFormat(endOf(date).end);
	const fields = COLUMN_FIELDS.map((field) => {
		const [own, ofParts] = [columnsOf(field), partsOf(field).flatMap(columnsOf)];
		// Beside the column that the node writes, a person's own is the one to name in messages.
		const heading = own.find((name) => name !== field) ?? own[0] ?? ofParts.join(' + ');
		// Parts alone are no second column.
		return { field, heading, columns: own.length > 0 ? [...own, ...ofParts] : own };
	}).filter(({ heading }) => heading !== '');
	const read = new Set([...columns.values()].flat());
	const unread = names.filter((name) => !read.has(name) && !isAdded(name) && name !== rowIdColumn);
	return {
		names,
		questionIn: questionOf,
		/** The columns of each field. */
		columns,
		/** The heading of each field, for messages: `First Name + Last Name`. */
		headings: new Map<string, string>(fields.map(({ field, heading }) => [field, heading])),
		/** Columns that hold no field, in input order. */
		unread,
		/** The unread columns that the options do not ignore. */
		others: unread.filter((name) => mapping.get(name) !== 'ignore'),
		/** The fields that are in several columns. A row is the request of any of its Booking IDs. */
		doubled: fields.filter((one) => one.columns.length > 1 && one.field !== 'bookingID'),
		/** Columns that Column Mapping names and the sheet does not have, with what they are to hold. */
		absent: [...mapping].filter(([column]) => !names.includes(column)),
		choices,
		rowIdColumn,
		// What the headings say of their cells, also if they are mapped.
		areaUnit: unitIn(questionOf(area)),
		dateOrder: dateOrder === 'refuse' ? undefined : dateOrder,
	};
}

/** The unit at the end of a heading; `other` if another may be meant: `Plots (6 per acre)`. */
function unitIn(heading: string): HeadingUnit | undefined {
	const { isInside, end } = endOf(heading);
	const words = heading.match(/[\p{L}\p{M}]+/gu) ?? [];
	const units = new Set(words.flatMap((word) => areaUnitOf(word) ?? []));
	// After a number, the last word explains another unit: `Timad, 4 = 1 ha`.
	const unit = isInside || !/\d/.test(heading) ? areaUnitOf(end) : undefined;
	if (unit && units.size === 1) return unit;
	return isInside || units.size > 0 ? 'other' : undefined;
}

export function rawOf({ columns, choices }: SheetColumns, row: IDataObject): RawBooking {
	const raw: RawBooking = {};
	for (const [field, names] of columns) {
		const cellIn = (name: string) => {
			const ticked = hasChoices(field) ? tickedIn(row, choices.get(name)) : [];
			return splitByTicks(cellOf(row, name), ticked);
		};
		const cells = names.map(cellIn).filter((cell) => !isBlank(cell));
		// What a person says in one Booking ID column and the node in another belongs together.
		raw[field] = field === 'bookingID' && cells.length > 1 ? cells : cells[0];
	}
	const { firstName, lastName, ...others } = raw;
	const parts = [firstName, lastName].filter((part) => !isBlank(part));
	if (parts.length === 0) return others;
	return { ...others, farmerName: parts.map(cleanText).join(' ') };
}
