import { NONE_OF_THESE } from '../../../../nodes/TractorBooking/resources/booking/create/preview/answer';
import type { Question } from '../../../../nodes/TractorBooking/resources/booking/create/preview/questions';
import { REQUEST_FIELDS } from '../../../../nodes/TractorBooking/resources/booking/create/row/requestFields';
import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { wordIn } from '../../../../nodes/TractorBooking/utils/text';
import { part, show } from '../../html';
import {
	columnsChosen,
	decidingColumn,
	isColumns,
	serviceKey,
	textOf,
	type Answers,
	type Value,
} from './answers';
import { isEqual, short, type Html } from './form';
import { cellText } from './savedSheet';
import { EACH, type ChoiceKey, type Row, type SheetAsk, type State, type Summary } from './step';

type OtherColumn = Summary['otherColumns'][number];

const LABELS: Record<Question['about'], (question: Question) => string> = {
	columnMapping: ({ field, value, answers }) => {
		if (field !== 'coordinates') return `${value} is in`;
		const isEither = answers.some((one) => isColumns(one.value) && one.value.tractorId);
		return `${isEither ? 'The place or the tractor' : 'The place'} is in`;
	},
	dateOrder: ({ value }) => `A date such as ${value} is`,
	areaUnit: ({ column, value }) =>
		`${column || 'A land area'} without a unit, such as ${value}, is in`,
	phoneCountry: ({ value }) => `Phones without a country code, such as ${value}, are all from`,
	serviceType: ({ column, value }) =>
		`In ${column || 'the service'}, ${value} (which no tractor of these rows offers) means`,
};

function askKey({ about, field, value }: Question): ChoiceKey {
	if (about === 'columnMapping') return `column ${field}`;
	if (about === 'serviceType') return serviceKey(value);
	return about;
}

const askOf = (question: Question): SheetAsk => ({
	...{ key: askKey(question), label: LABELS[question.about](question), options: question.answers },
	...{ preset: question.suggested, isSure: question.isSure },
	says: question.says,
});

/** What a sheet needs, as headings, with what to know of their cells. */
const NEEDED = {
	farmerName: 'Farmer Name',
	farmerPhone: 'Farmer Phone',
	serviceType:
		"Service Type (in words, as the tractors name it, such as Ploughing: replace a form's codes 1, 2 …, since the services have other numbers; of KoBoToolbox, export Select Many questions as Single and separate columns)",
	serviceDate: 'Service Date (with the year, such as 2026-12-31)',
	landArea: 'Land Area',
	coordinates: 'Tractor ID, or Latitude and Longitude (in degrees, such as 10.52 and 7.44)',
} as const;

type Needed = keyof typeof NEEDED;

/** Of which no row can lack all. */
const NEVER_LACKING: Needed[][] = [
	['serviceType'],
	['serviceDate'],
	['coordinates'],
	['farmerName', 'farmerPhone'],
];

/** Why no row can be booked: no column has something that each row needs. Names all that is lacking. */
export function lackIn(asks: readonly SheetAsk[], answers: Answers): string | undefined {
	const isLacking = (field: Needed) =>
		answers[`column ${field}`] === '' ||
		asks.some(({ key, options }) => key === `column ${field}` && options.length === 1);
	if (!NEVER_LACKING.some((all) => all.every(isLacking))) return undefined;
	const lacking = (Object.keys(NEEDED) as Needed[]).filter(isLacking);
	const headings = lacking.map((field) => NEEDED[field]).join('; ');
	return `No column was found for: ${headings}. Give the column of each this heading, or add one; if it is in another tab, copy it beside these rows. Then upload the sheet again.`;
}

/** A column with some of its values. */
function columnWithValues({ column, values, distinct }: OtherColumn): string {
	const some = values.slice(0, 3).map(({ value }) => short(cellText(column, value)));
	return `${column} (${some.join(', ')}${distinct > 3 ? ' …' : ''})`;
}

const FEW_ROWS = 5;

/**
 * Whether a column may decide which rows are booked: words that rows share do, or two numbers for yes and no; what all
 * rows have, or each for itself, does not. In a few rows, each may have a status of its own, but no number.
 */
function mayDecide({ column, values, distinct }: OtherColumn, sheet: readonly Row[]): boolean {
	const words = [...new Set(sheet.map((row) => wordIn(row[column])))];
	const { length: size } = words;
	const areWords = size === 2 || words.some((word) => /[^\d\s.,:/+-]/.test(word));
	const areStatuses = sheet.length < FEW_ROWS && words.every((word) => !/\d/.test(word));
	return values.length === distinct && areWords && size > 1 && (size < sheet.length || areStatuses);
}

/** What is asked of a column that decides: which of its values are booked, in any case. */
function ticksOf(column: string, sheet: readonly Row[]): SheetAsk {
	const words = [...groupBy(sheet, (row) => wordIn(row[column]))];
	const textFor = ([row]: readonly Row[]) => cellText(column, row?.[column]) || '(empty)';
	return {
		key: `values ${column}`,
		label: `Book the rows whose ${column} is`,
		options: words
			.sort(([a, some], [b, others]) => Number(!a) - Number(!b) || others.length - some.length)
			.map(([value, rows]) => ({ text: `${textFor(rows)} (${rows.length})`, value })),
		...{ many: true, of: { key: 'which', value: column } },
	};
}

/** Which rows to book: a column that decides, and which of its values are booked. */
function asksForRows(
	otherColumns: readonly OtherColumn[],
	sheet: readonly Row[],
	{ answers, before }: State,
	likely: readonly string[],
): SheetAsk[] {
	const taken = [...likely, ...columnsChosen({ ...before, ...answers }).map(([, name]) => name)];
	const chosen = decidingColumn({ ...before, ...answers });
	const emptyIn = ({ column }: OtherColumn) =>
		sheet.filter((row) => wordIn(row[column]) === '').length;
	// A status is in most rows, a remark in few.
	const deciding = otherColumns
		.filter((one) => !taken.some((name) => isOf(name, one.column)) && mayDecide(one, sheet))
		.sort((a, b) => emptyIn(a) - emptyIn(b))
		.map((one) => ({ text: columnWithValues(one), value: one.column }));
	// The one that decides does so whatever this list has in it.
	if (chosen !== '' && !deciding.some(({ value }) => value === chosen))
		deciding.push({ text: chosen, value: chosen });
	if (deciding.length === 0) return [];
	return [
		{
			key: 'which',
			label: 'Does a column say which rows to book?',
			options: [...deciding, { text: 'No: book all rows', value: '' }],
		},
		...deciding.map(({ value }) => ticksOf(value, sheet)),
	];
}

/** Whether a column is another one, or that of one of its choices. */
const isOf = (question: string, column: string) =>
	column === question || column.startsWith(`${question}/`);

const columnsIn = ({ preset }: SheetAsk) => (isColumns(preset) ? Object.values(preset) : []);

/** The likely answer to a question. */
const likelyIn = ({ options, preset }: SheetAsk) =>
	options.find(({ value }) => isEqual(value, preset))?.text;

/**
 * The questions, after one about all that have a likely answer, if several have: whoever says no is asked each of them. Those
 * with another answer before are asked by themselves.
 */
export function withLikely(
	asks: readonly SheetAsk[],
	{ before, areMarks }: State,
): Array<SheetAsk | Html> {
	const all = asks.flatMap(columnsIn);
	// One column is no two fields.
	const isLikely = (ask: SheetAsk) =>
		!areMarks &&
		!ask.of &&
		!(ask.key in before) &&
		likelyIn(ask) !== undefined &&
		columnsIn(ask).every((one) => all.indexOf(one) === all.lastIndexOf(one));
	const likely = asks.filter(isLikely);
	if (likely.length < 2) return [...asks];
	const of = { key: 'likely', value: EACH } as const;
	const lines = likely.map((ask) => `<li>${show(ask.label)} <b>${show(likelyIn(ask))}</b></li>`);
	const options = [
		{ text: 'Yes', value: 'yes' },
		{ text: 'No: I choose each', value: EACH },
	];
	return [
		{ html: part('How the sheet will be read', `<ul>${lines.join('')}</ul>`) },
		{ key: 'likely', label: 'Is this right?', options },
		...asks.map((ask) => (isLikely(ask) ? { ...ask, of } : ask)),
	];
}

/**
 * The question which column has a field. If rows can do without the field, any column that holds none can be chosen: else
 * those whose cells cannot be read would be booked without it.
 */
function withAllColumns(ask: SheetAsk, otherColumns: readonly OtherColumn[]): SheetAsk {
	const field = ask.key.slice('column '.length);
	const isNeeded = NEVER_LACKING.some((all) => all.join() === field);
	const none = ask.options.filter(({ value }) => value === '');
	if (isNeeded || none.length === 0) return ask;
	const offered = ask.options.filter(({ value }) => value !== '');
	const known = offered.map(({ value }) => value);
	const others = otherColumns
		.map((one) => ({ text: columnWithValues(one), value: { [field]: one.column } }))
		.filter((one) => !isChosen(one, known));
	return { ...ask, options: [...offered, ...others, ...none] };
}

/** What is to be decided: for each field without a column, which one it is; which rows; and what the node asks. */
export function asksOf(
	questions: readonly Question[],
	otherColumns: readonly OtherColumn[],
	sheet: readonly Row[],
	state: State,
): SheetAsk[] {
	const asks = questions.map(askOf);
	const isOfColumn = ({ key }: SheetAsk) => key.startsWith('column ');
	const ofColumns = asks.filter(isOfColumn);
	const isLacking = lackIn(ofColumns, {}) !== undefined;
	return [
		...(isLacking ? ofColumns : ofColumns.map((ask) => withAllColumns(ask, otherColumns))),
		...asksForRows(otherColumns, sheet, state, asks.flatMap(columnsIn)),
		...asks.filter((ask) => !isOfColumn(ask)),
	];
}

/** The columns that questions offer for what only requests have. */
export const requestColumnsIn = (questions: readonly Question[]): string[] =>
	columnsOffered(
		questions.filter(({ field }) => REQUEST_FIELDS.some((one) => one === field)).map(askOf),
	);

/** The columns that questions offer for fields. */
export const columnsOffered = (asks: readonly SheetAsk[]): string[] =>
	asks
		.filter(({ key }) => key.startsWith('column '))
		.flatMap(({ options }) => options.map(({ value }) => value))
		.filter(isColumns)
		.flatMap((value) => Object.values(value));

/** The option with a value; one that this list lacks is named by its value. */
const optionFor = (options: SheetAsk['options'], wanted: Value) =>
	options.find(({ value }) => isEqual(value, wanted)) ?? {
		text: textOf(wanted) || '(empty)',
		value: wanted,
	};

/** What a list says on a question by itself: its columns or their values, which answer is likely, or which tractors it names. */
function saidBy({ key, many, options, preset, says = [preset ?? []].flat() }: SheetAsk) {
	if (key === 'which' || many) return options;
	return says.map((said) => optionFor(options, said));
}

const isChosen = ({ value }: { value: Value }, values: ReadonlyArray<Value | undefined>) =>
	values.some((one) => isEqual(one, value));

/** The answers with those to a question, and what the list has said on it. */
export function withAnswer(
	answers: Answers,
	before: Answers,
	ask: SheetAsk,
	values: readonly Value[],
): Answers {
	const { key, label, options, many } = ask;
	const [first] = values;
	// A column or a value stays what was decided, also if a list is without it; a tractor, while the answer is the same.
	const isLasting = (id: string) =>
		key === 'which' ||
		many ||
		(isEqual(before[key], first) && !options.some((option) => valueId(option) === id));
	const earlier = before[`seen ${key}`]?.filter(isLasting) ?? [];
	const seen = [...earlier, ...saidBy(ask).map(valueId)];
	const said = { ...answers.said };
	delete said[key];
	const texts = values.map((value) => optionFor(options, value).text).join(', ');
	// Which rows are booked is said by the values, and what is likely by each.
	if (!(key === 'which' && first !== '') && key !== 'likely')
		said[key] = `${label}${first === '' && /\w$/.test(label) ? ':' : ''} ${texts}`;
	return {
		...answers,
		...{ [key]: many ? values.map(textOf) : first, [`seen ${key}`]: [...new Set(seen)], said },
	};
}

const valueId = ({ value }: { value: Value }) => JSON.stringify(value);

/** What a list says on a question that it did not say when that was answered: as texts, for a person. */
function newsOf(ask: SheetAsk, before: Answers): string[] {
	const { [`seen ${ask.key}` as const]: seen = [], [ask.key]: known } = before;
	// Another column does not matter while one decides.
	if (ask.key === 'which' && known !== '') return [];
	return saidBy(ask)
		.filter((one) => !isChosen(one, [known].flat()) && !seen.includes(valueId(one)))
		.map(({ text }) => text);
}

/**
 * The answers with those that the list itself gives, and those from before that hold: the list says nothing else than when
 * they were given. All else is open.
 */
export function settle(asks: readonly SheetAsk[], { answers, before, areMarks }: State) {
	let settled = answers;
	const open: SheetAsk[] = [];
	for (const ask of asks) {
		if (ask.key in answers) continue;
		const { [ask.key]: known } = before;
		const own = asks.filter(({ of }) => of?.key === ask.key && of.value === known);
		const unsaid = [ask, ...own].flatMap((one) => newsOf(one, before));
		const chosen = ask.options.find(({ value }) => isEqual(value, known));
		// The next list may have the answer that was missed.
		const isOffered = ask.many || (chosen && chosen.text !== NONE_OF_THESE);
		const isNews = unsaid.length > 0 || ask.says?.length === 0;
		const holds = known !== undefined && isOffered && !isNews && !areMarks;
		const { preset, isSure } = ask;
		const isGiven = isSure && !areMarks && (known === undefined || isEqual(known, preset));
		if (isGiven && preset !== undefined) settled = withAnswer(settled, before, ask, [preset]);
		else if (ask.of && !isEqual(settled[ask.of.key], ask.of.value)) {
			// Its question is open, or has another answer.
			if (open.some(({ key }) => key === ask.of?.key)) open.push(ask);
		} else if (holds) settled = withAnswer(settled, before, ask, [known].flat());
		else open.push({ ...ask, news: known === undefined || areMarks ? [] : unsaid });
	}
	return { settled, open };
}
