import { parseDate, serialOf } from '../../../../parse/dates';
import { COLUMN_FIELDS, fieldOf, labelOf, partsOf, type ColumnField } from '../row/fields';
import { saysWhose } from '../sheet/headings';
import { columnText, type OtherColumn } from '../sheet/problems';
import { parseSheet, type OpenSheet, type ParsedSheet } from '../sheet/rows';
import { alike, columnsFor, isLikeliest } from './fittingColumns';
import type { Answer } from './answer';
import type { Question } from './questions';

/** A column as the one of a field, with some of its values. */
function columnAnswer({ settings }: OpenSheet, field: ColumnField, content: OtherColumn): Answer {
	const { column, distinct } = content;
	const values = content.values.slice(0, 3).map(({ value, count }) => {
		// The number of a day in Excel says nothing to a person.
		const day = field === 'serviceDate' ? parseDate(serialOf(value), settings.rules) : undefined;
		return { value: day?.ok ? day.value : value, count };
	});
	const label = field === 'tractorId' ? `${labelOf(field)}: ` : '';
	return { text: label + columnText({ column, values, distinct }), value: { [field]: column } };
}

export const columnAnswers = (sheet: OpenSheet, field: ColumnField): Answer[] =>
	columnsFor(sheet, field).map((one) => columnAnswer(sheet, field, one));

/**
 * The columns of the parts of a field, such as latitude and longitude, if there are any: those that are read, or one like
 * each. Two latitudes are those of two places; beside a surname, a name is the first one.
 */
function partsAnswer(sheet: OpenSheet, field: ColumnField): Answer[] {
	const { columns } = sheet;
	const parts = partsOf(field).map((part) => {
		const like = columnsFor(sheet, part).filter(({ rank }) => rank > 0);
		const [name] = columns.columns.get(part) ?? (like.length === 1 ? [like[0]?.column] : []);
		return [part, name] as const;
	});
	const [whole] = columns.columns.get(field) ?? [];
	const all = parts.map(([part, name = whole]) => [part, name] as const);
	const names = new Set(all.flatMap(([, name]) => name ?? []));
	if (names.size < Math.max(parts.length, 1)) return [];
	return [{ text: [...names].join(' and '), value: Object.fromEntries(all) }];
}

const NOT_IN_SHEET: Answer = { text: 'no column of this sheet', value: '' };

const NOT_SENT: Answer = { text: 'no column: it is not sent', value: {} };

/** What a booking need not have, and is asked about if a heading is like its own. */
const OFFERED = ['crop', 'farmLocation', 'farmNote'] as const;

/**
 * What else may be meant where no heading says whose a field is: `Phone Number` is the farmer's, unless another one says that
 * it is, or has twice as many numbers, and `Farm Size` is what is to be ploughed, unless there is an `Area to plough`.
 */
function othersFor(sheet: OpenSheet, field: ColumnField, own: readonly OtherColumn[]) {
	const { isOf, rank } = fieldOf(field);
	const isMapped = [...sheet.settings.columnMapping.values()].includes(field);
	const isClear = isMapped || own.some(({ column }) => saysWhose(field, column));
	if (isClear || (isOf === undefined && rank !== 'core')) return [];
	// Those who write a list are few; two farmers may share a phone.
	const hasMore = ({ distinct }: OtherColumn) =>
		isOf === 'farmer' && rank === 'core' && own.every((one) => 2 * one.distinct <= distinct);
	return columnsFor(sheet, field).filter(
		(one) => (one.rank > 0 && saysWhose(field, one.column) !== false) || hasMore(one),
	);
}

/** Which column holds a field that none holds, or several may, or that need not be there. The first answer is the likeliest. */
export function columnQuestions(sheet: OpenSheet): Question[] {
	const { columns, filled, lacking, settings } = sheet;
	const optional = OFFERED.filter((one) => !alike(one).some((name) => columns.columns.has(name)));
	return [...lacking, ...columns.columns.keys(), ...optional].flatMap((field) => {
		const read = columns.columns.get(field);
		const own = filled.filter(({ column }) => read?.includes(column));
		const isLacking = lacking.includes(field);
		const others = read
			? othersFor(sheet, field, own)
			: columnsFor(sheet, field).filter(({ rank }) => isLacking || rank > 0);
		const isDoubled = columns.doubled.some((one) => one.field === field);
		if (!isLacking && !isDoubled && others.length === 0) return [];
		const ofParts = partsAnswer(sheet, field);
		const each = [...others, ...own].map((one) => columnAnswer(sheet, field, one));
		const answers = [...ofParts, ...each];
		const isPlace = field === 'coordinates';
		if (isLacking && isPlace && settings.tractorSelection === 'idOrNearest')
			answers.push(...columnAnswers(sheet, 'tractorId'));
		// Two places are those of two things. A note may be a reason not to book, which the preview shows if it is not read.
		const isLikely = isPlace
			? answers.length === 1
			: ofParts.length === 0 && field !== 'farmNote' && isLikeliest(field, others);
		const isSaid = !read || saysWhose(field, others[0]?.column ?? '');
		const other = isLacking || read ? undefined : NOT_SENT;
		const suggested = isLikely && isSaid ? answers[0] : other;
		if (!read) answers.push(isLacking ? NOT_IN_SHEET : NOT_SENT);
		const question = { about: 'columnMapping', field, column: '', value: labelOf(field) } as const;
		return { ...question, answers, suggested: suggested?.value };
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
	for (const { field, answers, suggested } of columnQuestions(sheet)) {
		if (OFFERED.some((one) => one === field)) continue;
		const value = field === 'serviceType' ? suggested : answers[0]?.value;
		for (const name of COLUMN_FIELDS) {
			const column = typeof value === 'object' ? value[name] : undefined;
			if (column !== undefined) columnMapping.set(column, name);
		}
	}
	if (columnMapping.size === settings.columnMapping.size) return undefined;
	return await parseSheet(rows, { ...settings, columnMapping });
}
