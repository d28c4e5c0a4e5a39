import {
	answersOf,
	columnsChosen,
	decidingColumn,
	isColumns,
	textOf,
	valueIn,
	wordIn,
	type Answers,
	type Value,
} from './answers';
import type { Mode, Row, Settings, Trial } from './step';

/** A trial is for the words of a column: one row of each of so many will do. */
const MOST_WORDS = 20;

function sampleOf(sheet: readonly Row[], { serviceColumn = '' }: Trial): Row[] {
	const byWord = new Map(sheet.map((row) => [valueIn(row[serviceColumn]), row]));
	return [...byWord.values()].slice(0, MOST_WORDS);
}

/** The rows that the answers book, with the words for services that they give. */
function rowsToBook(sheet: readonly Row[], answers: Answers): Row[] {
	const { serviceColumn } = answers;
	const which = decidingColumn(answers);
	const ticked = (answers[`values ${which}`] ?? []).map(wordIn);
	const rows = sheet.filter((row) => which === '' || ticked.includes(wordIn(row[which])));
	if (!serviceColumn) return rows;
	const words = new Map(answersOf(answers, 'service').filter(([, value]) => value));
	return rows.map((row) => ({
		...row,
		[serviceColumn]: words.get(valueIn(row[serviceColumn])) ?? row[serviceColumn],
	}));
}

function settingsOf(answers: Answers): Settings {
	const columns = Object.fromEntries(columnsChosen(answers));
	const taken = Object.values(columns);
	const unread = (answers.ignored ?? []).filter((name) => !taken.includes(name));
	const leftOut = answersOf(answers, 'optional').map(([, name]) => textOf(name));
	const setting = (value: Value | undefined) => (isColumns(value) ? '' : value);
	return {
		columns,
		notInSheet: answersOf(answers, 'column').flatMap(([field, value]) =>
			value === '' ? [field] : [],
		),
		ignored: [...unread, ...leftOut].map((name) => name.replace(/\s+/g, ' ')).join('\n'),
		dateOrder: setting(answers.dateOrder),
		areaUnit: setting(answers.areaUnit),
		phoneCountry: setting(answers.phoneCountry),
	};
}

/** What the node gets next: the rows, and its settings. */
export function checkOf(
	mode: Mode,
	sheet: readonly Row[],
	answers: Answers,
	trial: Trial | undefined,
): { rows: Row[]; set: Settings } {
	if (mode === 'try' && trial)
		return { rows: sampleOf(sheet, trial), set: { columns: trial.columns } };
	if (mode === 'learn') return { rows: [...sheet], set: {} };
	return { rows: rowsToBook(sheet, answers), set: settingsOf(answers) };
}
