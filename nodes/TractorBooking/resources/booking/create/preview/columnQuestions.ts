import { parseDate, serialOf } from '../../../../parse/dates';
import { COLUMN_FIELDS, fieldOf, labelOf, partsOf, type ColumnField } from '../row/fields';
import { saysWhose } from '../sheet/headings';
import { columnText, type OtherColumn } from '../sheet/problems';
import { parseSheet, type OpenSheet, type ParsedSheet } from '../sheet/rows';
import { columnsFor, isLike, likeliest, partColumns } from './fittingColumns';
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

const columnQuestion = (
	field: ColumnField,
	answers: Answer[],
	suggested?: Answer['value'],
): Question => ({
	...{ about: 'columnMapping', field, column: '', value: labelOf(field) },
	...{ answers, suggested },
});

const NOT_IN_SHEET: Answer = { text: 'no column of this sheet', value: '' };

/** Which column holds a field that none holds, or several may. The first answer is the likeliest. */
export function columnQuestions(sheet: OpenSheet): Question[] {
	const isEither = sheet.settings.tractorSelection === 'idOrNearest';
	return [
		...sheet.lacking.map((field) => {
			const isPlace = field === 'coordinates';
			const tractors = isPlace && isEither ? columnAnswers(sheet, 'tractorId') : [];
			const ofParts = partsAnswer(partColumns(sheet, field));
			const own = [...ofParts, ...columnAnswers(sheet, field), ...tractors];
			// Two places are those of two things.
			const isLikely = isPlace ? own.length === 1 : likeliest(sheet, field);
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
		const { isOf, rank } = fieldOf(field);
		const isClear = mapped.includes(field) || names.some((name) => saysWhose(field, name));
		const isAsked = (isOf !== undefined || rank === 'core') && !isClear;
		const own = filled.filter(({ column }) => names.includes(column));
		// Those who write a list are few; two farmers may share a phone.
		const hasMore = (distinct: number) =>
			isOf === 'farmer' && rank === 'core' && own.every((one) => 2 * one.distinct <= distinct);
		const others = (isAsked ? columnsFor(sheet, field) : []).filter(
			(one) => (one.rank > 0 && saysWhose(field, one.column) !== false) || hasMore(one.distinct),
		);
		const parts = partsOf(field).flatMap((part) =>
			(columns.columns.get(part) ?? []).slice(0, 1).map((name) => [part, name] as const),
		);
		const each = [...others, ...own].map((one) => columnAnswer(sheet, field, one));
		const isOpen = others.length > 0 || columns.doubled.some((one) => one.field === field);
		const [isOfFarmer, isAnotherOf] = others.map(({ column }) => saysWhose(field, column));
		const suggested = isOfFarmer && !isAnotherOf ? each[0]?.value : undefined;
		return isOpen ? [columnQuestion(field, [...each, ...partsAnswer(parts)], suggested)] : [];
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
 * The sheet with each field in the column that is likeliest to hold it: its dates, units, phones and words for services are
 * asked about together with the columns.
 *
 * @returns undefined if no column may hold another field
 */
export async function likelySheet(sheet: OpenSheet): Promise<ParsedSheet | undefined> {
	const { rows, settings } = sheet;
	const columnMapping = new Map(settings.columnMapping);
	const asked = columnQuestions(sheet).sort(
		(a, b) => Number(a.suggested !== undefined) - Number(b.suggested !== undefined),
	);
	for (const { field, answers, suggested } of asked) {
		const value = field === 'serviceType' ? suggested : answers[0]?.value;
		for (const name of COLUMN_FIELDS) {
			const column = typeof value === 'object' ? value[name] : undefined;
			if (column !== undefined) columnMapping.set(column, name);
		}
	}
	if (columnMapping.size === settings.columnMapping.size) return undefined;
	return await parseSheet(rows, { ...settings, columnMapping });
}
