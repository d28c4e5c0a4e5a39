import { parseDate, serialOf } from '../../../../parse/dates';
import { COLUMN_FIELDS, CORE_FIELDS, labelOf, partsOf, type ColumnField } from '../row/fields';
import type { Row } from '../row/row';
import { saysWhose } from '../sheet/headings';
import { columnText, type OtherColumn } from '../sheet/problems';
import { parseSheet, type OpenSheet } from '../sheet/rows';
import { columnsFor, isLike, partColumns } from './fittingColumns';
import type { Answer, Question } from './questions';

/** A column as the one of a field, with some of its values. */
function columnAnswer({ settings }: OpenSheet, field: ColumnField, content: OtherColumn): Answer {
	const { column, distinct } = content;
	const values = content.values.slice(0, 3).map(({ value, count }) => {
		// The number of a day in Excel says nothing to a person.
		const isNumber = field === 'serviceDate' && serialOf(value) !== undefined;
		const date = isNumber ? parseDate(value, settings.rules) : undefined;
		return { value: date?.ok ? date.value : value, count };
	});
	const label = field === 'tractorId' ? `${labelOf(field)}: ` : '';
	return { text: label + columnText({ column, values, distinct }), value: { [field]: column } };
}

export const columnAnswers = (sheet: OpenSheet, field: ColumnField): Answer[] =>
	columnsFor(sheet, field).map((one) => columnAnswer(sheet, field, one));

/** The columns of the parts of a field, such as latitude and longitude, if there are any. */
function partsAnswer(parts: ReadonlyArray<readonly [ColumnField, string]>): Answer[] {
	const text = parts.map(([, column]) => column).join(' and ');
	return parts.length > 0 ? [{ text, value: Object.fromEntries(parts) }] : [];
}

/** As many rows show what is likely. */
export const SOME_ROWS = 50;

const columnQuestion = (
	field: ColumnField,
	answers: Answer[],
	suggested?: Answer['value'],
): Question => ({
	...{ about: 'columnMapping', field, column: '', value: labelOf(field) },
	...{ answers, suggested },
});

const NOT_IN_SHEET: Answer = { text: 'no column of this sheet', value: '' };

/** Which column holds a field that none holds, or several may. */
export function columnQuestions(sheet: OpenSheet): Question[] {
	const { lacking, settings } = sheet;
	const isEither = settings.tractorSelection === 'idOrNearest';
	return [
		...lacking.map((field) => {
			const isPlace = field === 'coordinates';
			const tractors = isPlace && isEither ? columnAnswers(sheet, 'tractorId') : [];
			const ofParts = partsAnswer(partColumns(sheet, field));
			const own = [...ofParts, ...columnAnswers(sheet, field), ...tractors];
			const isLikely = isPlace ? own.length === 1 : columnsFor(sheet, field)[0]?.isLikely;
			const suggested = isLikely ? own[0]?.value : undefined;
			return columnQuestion(field, [...own, NOT_IN_SHEET], suggested);
		}),
		...severalQuestions(sheet),
	];
}

/**
 * Which of several columns holds a field: `Phone Number` is the farmer's, unless another one says that it is, or has twice
 * as many numbers, and `Farm Size` is what is to be ploughed, unless there is an `Area to plough`. What says so is likely it.
 */
function severalQuestions(sheet: OpenSheet): Question[] {
	const { columns, filled, settings } = sheet;
	const mapped = [...settings.columnMapping.values()];
	return [...columns.columns].flatMap(([field, names]) => {
		const whose = names.map((name) => saysWhose(field, name));
		const isAsked = CORE_FIELDS.some((one) => one === field) || whose.includes(false);
		const mayBeAnother = isAsked && !whose.includes(true) && !mapped.includes(field);
		const own = filled.filter(({ column }) => names.includes(column));
		// Those who write a list are few; two farmers may share a phone.
		const hasMore = (distinct: number) => own.every((one) => 2 * one.distinct <= distinct);
		const others = (mayBeAnother ? columnsFor(sheet, field) : []).filter(
			({ column, likeness, distinct }) =>
				(likeness > 0 && saysWhose(field, column) !== false) ||
				((field === 'farmerName' || field === 'farmerPhone') && hasMore(distinct)),
		);
		const parts = partsOf(field).flatMap((part) =>
			(columns.columns.get(part) ?? []).slice(0, 1).map((name) => [part, name] as const),
		);
		const each = [...others, ...own].map((one) => columnAnswer(sheet, field, one));
		const answers = [...each, ...partsAnswer(parts)];
		const isOpen = others.length > 0 || columns.doubled.some((one) => one.field === field);
		const [isOfFarmer, isAnotherOf] = others.map(({ column }) => saysWhose(field, column));
		const suggested = isOfFarmer && !isAnotherOf ? answers[0]?.value : undefined;
		return isOpen ? [columnQuestion(field, answers, suggested)] : [];
	});
}

/** What a booking need not have, with the fields of which each may be it. */
const OPTIONAL = [['crop', 'crops', 'custom_crop'], ['farmLocation'], ['farmNote']] as const;

/**
 * Which column holds a field that a booking need not have: only those whose headings are like its own are asked about. A note
 * may be a reason not to book, which the preview shows only if it is not read.
 */
export function optionalQuestions(sheet: OpenSheet): Question[] {
	return OPTIONAL.flatMap((names) => {
		const [field] = names;
		if (names.some((name) => sheet.columns.columns.has(name))) return [];
		const likely = columnsFor(sheet, field).filter(({ column }) =>
			names.some((name) => isLike(sheet, column, name)),
		);
		const [first, ...others] = likely.map((one) => columnAnswer(sheet, field, one));
		if (!first) return [];
		const none: Answer = { text: 'no column: it is not sent', value: {} };
		const { value: suggested } = others.length > 0 || field === 'farmNote' ? none : first;
		return columnQuestion(field, [first, ...others, none], suggested);
	});
}

/**
 * The rows as they are if each field is in the column that is likely to hold it: their words for services are asked about
 * together with the columns.
 *
 * @param count how many of them, from the first
 * @returns undefined if no column is likely to hold another field
 */
export async function likelyRows(
	sheet: OpenSheet,
	count?: number,
): Promise<readonly Row[] | undefined> {
	const { rows, settings } = sheet;
	const columnMapping = new Map(settings.columnMapping);
	for (const { suggested } of columnQuestions(sheet))
		for (const field of COLUMN_FIELDS) {
			const column = typeof suggested === 'object' ? suggested[field] : undefined;
			if (column !== undefined) columnMapping.set(column, field);
		}
	if (columnMapping.size === settings.columnMapping.size) return undefined;
	return (await parseSheet(rows.slice(0, count), { ...settings, columnMapping })).rows;
}
