import { parseDate, serialOf } from '../../../../parse/dates';
import { labelOf, type ColumnField, type NeededField, type Rules } from '../fields';
import { fittingColumns, isLike } from './fittingColumns';
import { columnText, type OtherColumn } from './problems';
import type { Answer, OpenSheet, Question } from './questions';

const contentOf = ({ filled }: OpenSheet, column: string) =>
	filled.find((one) => one.column === column) ?? { column, values: [], distinct: 0 };

/** The columns that may hold a field, of those that hold none, even ignored. */
export function columnsFor(sheet: OpenSheet, field: NeededField): OtherColumn[] {
	const { columns, unread, ticks } = sheet.columns;
	// A place in degrees may be under a heading for a place in words.
	const inWords = field === 'coordinates' ? (columns.get('farmLocation') ?? []) : [];
	const names = [...unread, ...inWords].filter((name) => !ticks.has(name));
	const contents = names.map((name) => contentOf(sheet, name));
	return fittingColumns(field, contents, sheet.settings.rules);
}

/** A column as the one of a field, with some of its values. */
function columnAnswer(field: ColumnField, content: OtherColumn, rules: Rules): Answer {
	const { column, distinct } = content;
	const values = content.values.slice(0, 3).map(({ value, count }) => {
		// The number of a day in Excel says nothing to a person.
		const isNumber = field === 'serviceDate' && serialOf(value) !== undefined;
		const date = isNumber ? parseDate(value, rules) : undefined;
		return { value: date?.ok ? date.value : value, count };
	});
	const label = field === 'tractorId' ? `${labelOf(field)}: ` : '';
	return { text: label + columnText({ column, values, distinct }), value: { [field]: column } };
}

export function columnAnswers(sheet: OpenSheet, field: NeededField): Answer[] {
	const { rules, tractorSelection } = sheet.settings;
	const answers = columnsFor(sheet, field).map((one) => columnAnswer(field, one, rules));
	const isEither = field === 'coordinates' && tractorSelection === 'idOrNearest';
	return isEither ? [...answers, ...columnAnswers(sheet, 'tractorId')] : answers;
}

const columnQuestion = (
	field: ColumnField,
	answers: Answer[],
	more?: Partial<Question>,
): Question => ({
	...{ about: 'columnMapping', field, column: '', value: labelOf(field), rows: 0, answers },
	...more,
});

/** Which column holds a field that none holds, or several do. */
export function columnQuestions(sheet: OpenSheet): Question[] {
	const { lacking, columns, settings } = sheet;
	const none = { text: 'Not in this sheet', value: '' };
	const own = (field: ColumnField) =>
		(columns.columns.get(field) ?? []).map((name) =>
			columnAnswer(field, contentOf(sheet, name), settings.rules),
		);
	return [
		...lacking.map((field) => columnQuestion(field, [...columnAnswers(sheet, field), none])),
		...columns.doubled.map(({ field }) => columnQuestion(field, own(field))),
	];
}

const CROPS = ['crop', 'crops', 'custom_crop'] as const;

/** Which column holds a field that a booking need not have: only one whose heading is like its own is asked about. */
export function optionalQuestions(sheet: OpenSheet): Question[] {
	const { columns, settings } = sheet;
	const isHeld = (field: ColumnField) => columns.columns.has(field);
	const areCropsHeld = CROPS.some(isHeld);
	const open = (['crop', 'farmLocation', 'farmNote'] as const).filter((field) =>
		field === 'crop' ? !areCropsHeld : !isHeld(field),
	);
	return open.flatMap((field) => {
		const names = field === 'crop' ? CROPS : [field];
		const likely = columnsFor(sheet, field).filter(({ column }) =>
			names.some((name) => isLike(column, name)),
		);
		const answers = likely.map((one) => columnAnswer(field, one, settings.rules));
		const none: Answer = { text: 'No column: not sent', value: {} };
		return answers.length === 0
			? []
			: columnQuestion(field, [...answers, none], { suggested: none.value });
	});
}
