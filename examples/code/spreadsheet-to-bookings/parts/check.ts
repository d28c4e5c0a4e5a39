import {
	answersOf,
	clean,
	columnsChosen,
	decidingColumn,
	isColumns,
	serviceKey,
	valueIn,
	type Answers,
	type Value,
} from './answers';
import { isTicked, splitByTicks, wordIn } from '../../../../nodes/TractorBooking/utils/text';
import type { Mode, Outcome, Row, Settings, State } from './step';

/** The word for the service of a row, as the node takes it. */
function wordFor(row: Row, column: string): string {
	const ticked = Object.keys(row)
		.filter((name) => name.startsWith(`${column}/`) && isTicked(row[name]))
		.map((name) => name.slice(column.length + 1));
	// A form may be exported without the column of the question.
	const word = splitByTicks(row[column] ?? ticked.join(' '), ticked);
	return word === ticked ? ticked.join(', ') : valueIn(row[column]);
}

/**
 * The answers with those kept about words for services of rows that are booked already, or may be: of these, the node looks
 * up no service, so it asks nothing.
 */
export function withKeptWords(
	answers: Answers,
	before: Answers,
	given: readonly Outcome[],
): Answers {
	const { serviceColumn = '', said = {} } = before;
	let all = answers;
	const isKnown = ({ result }: Outcome) =>
		result === 'already booked' || result === 'possible duplicate';
	for (const row of given.filter(isKnown)) {
		const key = serviceKey(wordFor(row, serviceColumn));
		const { [key]: known } = before;
		if (known === undefined || key in all) continue;
		all = { ...all, [key]: known, serviceColumn, said: { ...all.said, [key]: said[key] ?? '' } };
	}
	return all;
}

/** Why the answers leave a row out: `Status is Pending`; undefined if they do not. */
export function whyOut(row: Row, answers: Answers): string | undefined {
	const which = decidingColumn(answers);
	const ticked = (answers[`values ${which}`] ?? []).map(wordIn);
	if (which !== '' && !ticked.includes(wordIn(row[which])))
		return `${which} is ${clean(row[which]) || 'empty'}`;
	const { serviceColumn = '' } = answers;
	const word = wordFor(row, serviceColumn);
	return answers[serviceKey(word)] === '' ? `${serviceColumn} is ${word}` : undefined;
}

/** The rows that the answers book, with the words for services that they give. */
function rowsToBook(sheet: readonly Row[], answers: Answers): Row[] {
	const { serviceColumn } = answers;
	const rows = sheet.filter((row) => whyOut(row, answers) === undefined);
	if (!serviceColumn) return rows;
	return rows.map((row) => {
		const word = wordFor(row, serviceColumn);
		return { ...row, [serviceColumn]: answers[serviceKey(word)] ?? row[serviceColumn] ?? word };
	});
}

function settingsOf({ answers, ignored }: State): Settings {
	const columns = Object.fromEntries(columnsChosen(answers));
	const taken = Object.values(columns);
	const unread = ignored.filter((name) => !taken.includes(name));
	const setting = (value: Value | undefined) => (isColumns(value) ? '' : value);
	return {
		columns,
		notInSheet: answersOf(answers, 'column').flatMap(([field, value]) =>
			value === '' ? [field] : [],
		),
		ignored: unread.map((name) => name.replace(/\s+/g, ' ')).join('\n'),
		dateOrder: setting(answers.dateOrder),
		areaUnit: setting(answers.areaUnit),
		phoneCountry: setting(answers.phoneCountry),
	};
}

/** What the node gets next: the rows, and its settings. */
export function checkOf(
	mode: Mode,
	sheet: readonly Row[],
	state: State,
): { rows: Row[]; set: Settings } {
	if (mode === 'learn') return { rows: [...sheet], set: {} };
	return { rows: rowsToBook(sheet, state.answers), set: settingsOf(state) };
}
