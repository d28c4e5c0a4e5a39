import type { Question } from '../../../../nodes/TractorBooking/resources/booking/create/preview/questions';
import { part, show } from '../../html';
import { clean, columnsChosen, isColumns, wordIn, type Answers, type Value } from './answers';
import { isEqual, short, type Html } from './form';
import { cellText } from './savedSheet';
import {
	EACH,
	type Ask,
	type ChoiceKey,
	type Row,
	type State,
	type Summary,
	type Trial,
} from './step';

type OtherColumn = Summary['otherColumns'][number];

const suchAs = (value: string) => (value ? `, such as ${value},` : '');

const LABELS: Record<Question['about'], (question: Question) => string> = {
	columnMapping: ({ field, value, answers }) => {
		if (field !== 'coordinates') return `${value} is in`;
		const isEither = answers.some((one) => isColumns(one.value) && one.value.tractorId);
		return `${isEither ? 'The place or the tractor' : 'The place'} is in`;
	},
	dateOrder: ({ value }) => `A date such as ${value} is`,
	areaUnit: ({ column, value }) =>
		`${column || 'A land area'} without a unit${suchAs(value)} is in`,
	phoneCountry: ({ value }) => `Phones without a country code${suchAs(value)} are from`,
	ignoredColumns: ({ column, value, rows }) =>
		`Values of ${column} such as ${value} cannot be sent (${rows} ${rows === 1 ? 'row' : 'rows'}):`,
	serviceType: ({ column, value }) =>
		`In ${column || 'the service'}, ${value} (which no tractor of these rows offers) means`,
};

export function keyOf({ about, field, column, value }: Question): ChoiceKey {
	if (about === 'columnMapping') return `column ${field}`;
	if (about === 'ignoredColumns') return `optional ${column}`;
	if (about === 'serviceType') return `service ${value}`;
	return about;
}

function askOf(question: Question, answers: Answers): ChoiceAsk {
	const key = keyOf(question);
	const { answers: options, suggested, column } = question;
	const preset = answers[key] ?? suggested;
	return { key, label: LABELS[question.about](question), options, preset, column };
}

/** What no row can do without, and what to do about a sheet that lacks it. */
const NEEDED: ReadonlyArray<[key: ChoiceKey, fix: string]> = [
	[
		'column serviceType',
		'Each row needs a service. Add a column for it, with the heading Service, and upload the sheet again.',
	],
	[
		'column coordinates',
		'Each row needs a tractor, or a place in degrees such as 10.52, 7.44. If two columns hold the place, give them the headings Latitude and Longitude; if the sheet has neither, add a column. Then upload it again.',
	],
];

export const lackIn = (answers: Answers): string | undefined =>
	NEEDED.find(([key]) => answers[key] === '')?.[1];

/** Whether the sheet itself answers it. That no column may hold a field is for a person to say, if rows can do without it. */
const isAnswered = (question: Question) =>
	question.answers.length === 1 &&
	(question.about !== 'columnMapping' || NEEDED.some(([key]) => key === keyOf(question)));

/** The answers with those that the sheet itself gives, also in words. */
export function withOwnAnswers(answers: Answers, questions: readonly Question[]): Answers {
	const own = questions.filter(isAnswered).map((question) => {
		const [answer] = question.answers;
		const { key, label } = askOf(question, {});
		return { key, value: answer?.value, text: `${label} ${answer?.text}` };
	});
	const said = own.map(({ key, text }) => [key, text] as const);
	return {
		...answers,
		...Object.fromEntries(own.map(({ key, value }) => [key, value] as const)),
		...(own.length > 0 && { said: { ...answers.said, ...Object.fromEntries(said) } }),
	};
}

/** A column with some of its values. */
export function columnWithValues({ column, values, distinct }: OtherColumn): string {
	const some = values.slice(0, 3).map(({ value }) => short(cellText(column, value)));
	return `${column} (${some.join(', ')}${distinct > 3 ? ' …' : ''})`;
}

const FEW_ROWS = 5;

/**
 * Whether a column may decide which rows are booked: words that rows share do, or two numbers for yes and no; what all
 * rows have, or each for itself, does not. In a few rows, each may have a status of its own, but no number.
 */
function mayDecide({ column, values, distinct }: OtherColumn, sheet: readonly Row[]): boolean {
	const { size } = new Set(sheet.map((row) => wordIn(row[column])));
	const areWords = size === 2 || values.some(({ value }) => /[^\d\s.,:/+-]/.test(value));
	const areStatuses = sheet.length < FEW_ROWS && values.every(({ value }) => !/\d/.test(value));
	return values.length === distinct && areWords && size > 1 && (size < sheet.length || areStatuses);
}

/** What is asked of a column that decides: which of its values are booked, in any case. */
export function ticksOf(column: string, sheet: readonly Row[]) {
	const cells = new Map<string, { text: string; rows: number }>();
	for (const row of sheet) {
		const word = wordIn(row[column]);
		const { text = cellText(column, row[column]), rows = 0 } = cells.get(word) ?? {};
		cells.set(word, { text, rows: rows + 1 });
	}
	return {
		key: `values ${column}` as const,
		label: `Book the rows whose ${column} is`,
		options: [...cells]
			.sort(([, a], [, b]) => Number(!a.text) - Number(!b.text) || b.rows - a.rows)
			.map(([value, { text, rows }]) => ({ text: `${text || '(empty)'} (${rows})`, value })),
	};
}

/** Which rows to book: a column that decides, and which of its values are booked. */
function asksForRows(
	otherColumns: readonly OtherColumn[],
	sheet: readonly Row[],
	answers: Answers,
	likely: readonly string[],
): Ask[] {
	const taken = [...likely, ...columnsChosen(answers).map(([, column]) => column)];
	const emptyIn = ({ column }: OtherColumn) =>
		sheet.filter((row) => wordIn(row[column]) === '').length;
	// A status is in most rows, a remark in few.
	const deciding = otherColumns
		.filter(({ column }) => !taken.includes(column) || column === answers.which)
		.filter((one) => mayDecide(one, sheet))
		.sort((a, b) => emptyIn(a) - emptyIn(b));
	if (deciding.length === 0) return [];
	const columns = deciding.map((one) => ({ text: columnWithValues(one), value: one.column }));
	const ticks = deciding.map(({ column }): Ask => ({
		...ticksOf(column, sheet),
		many: true,
		of: { key: 'which', value: column },
	}));
	return [
		{
			key: 'which',
			label: 'Does a column say which rows to book?',
			options: [...columns, { text: 'No: book all rows', value: '' }],
		},
		...ticks,
	];
}

type ChoiceAsk = Extract<Ask, { many?: false; typed?: false }> & { key: ChoiceKey };

const columnsIn = ({ preset }: Ask) => (isColumns(preset) ? Object.values(preset) : []);

/** The likely answer to a question. */
const likelyIn = ({ options, preset }: Ask) =>
	options.find(({ value }) => isEqual(value, preset))?.text;

/** The questions, after one about all that have a likely answer, if several have: whoever says no is asked each of them. */
export function withLikely(asks: readonly Ask[]): Array<Ask | Html> {
	const all = asks.flatMap(columnsIn);
	// One column is no two fields.
	const isLikely = (ask: Ask) =>
		!ask.of &&
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

/** The only column among those tried whose words tractors offer: the others have words that none offers. */
function offeredIn(
	questions: readonly Question[],
	words: readonly Question[],
	sheet: readonly Row[],
): Value | undefined {
	const isOffered = ({ serviceColumn }: Trial) =>
		!words.some(({ column }) => column === serviceColumn);
	const [only, ...others] = trialsOf(questions, [], sheet).filter(isOffered);
	const { serviceType } = only?.columns ?? {};
	return words.length > 0 && others.length === 0 && serviceType ? { serviceType } : undefined;
}

/** What is to be decided: for each field without a column, which one it is; which rows; and what the node asks. */
export function asksOf(
	questions: readonly Question[],
	otherColumns: readonly OtherColumn[],
	sheet: readonly Row[],
	{ more, words = [], answers }: State,
): Ask[] {
	const asksFor = (some: readonly Question[]) =>
		some.filter((one) => !isAnswered(one)).map((one) => askOf(one, answers));
	const known = questions.map(keyOf);
	const news = more.filter((one) => !known.includes(keyOf(one)));
	const service = offeredIn(questions, words, sheet);
	const own = asksFor(questions).map((ask) => {
		if (ask.key !== 'column serviceType') return ask;
		const isFirst = ({ value }: { value: Value }) => Number(isEqual(value, service));
		const options = [...ask.options].sort((a, b) => isFirst(b) - isFirst(a));
		return { ...ask, options, preset: answers[ask.key] ?? service ?? ask.preset };
	});
	const asked = [...own, ...asksFor(news)];
	const isServiceAsked = asked.some(({ key }) => key === 'column serviceType');
	const ofWords = words
		.map((question) => {
			const of = { key: 'column serviceType' as const, value: { serviceType: question.column } };
			return { ...askOf(question, answers), of: isServiceAsked ? of : undefined };
		})
		.filter(({ key }) => !asked.some((one) => one.key === key));
	const asks: Ask[] = [
		...asked.filter(({ key }) => key.startsWith('column ')),
		...ofWords,
		...asksForRows(otherColumns, sheet, answers, own.flatMap(columnsIn)),
		...asked,
	];
	// A word may be asked once for each column that has it.
	const idOf = ({ key, of }: Ask) => JSON.stringify([key, of?.key === 'which' ? undefined : of]);
	const ids = asks.map(idOf);
	return asks.filter((_, at) => ids.indexOf(ids[at] ?? '') === at);
}

/** A column with the words for services has few of them. */
const [MOST_WORDS, MOST_TRIALS] = [6, 5];

/**
 * Columns that may hold the service, to be tried with the likeliest place: only then does it show which words no tractor
 * offers.
 */
export function trialsOf(
	questions: readonly Question[],
	columns: Summary['columns'],
	sheet: readonly Row[],
): Trial[] {
	const lacking = questions.filter(({ about }) => about === 'columnMapping');
	const questionOf = (name: string) => lacking.find(({ field }) => field === name);
	const columnsFor = (name: string) =>
		(questionOf(name)?.answers ?? []).map(({ value }) => value).filter(isColumns);
	const [place = {}] = columnsFor('coordinates');
	if (questionOf('serviceType'))
		return columnsFor('serviceType')
			.filter(({ serviceType = '' }) => {
				const { size } = new Set(sheet.map((row) => clean(row[serviceType])));
				return size <= MOST_WORDS && size < sheet.length;
			})
			.slice(0, MOST_TRIALS)
			.map((service) => ({
				columns: { ...place, ...service },
				serviceColumn: service.serviceType,
			}));
	const serviceColumn = columns.find(({ field }) => field === 'Service Type')?.column;
	return questionOf('coordinates') ? [{ columns: { ...place }, serviceColumn }] : [];
}
