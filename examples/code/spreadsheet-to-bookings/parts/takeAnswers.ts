import { wordIn } from '../../../../nodes/TractorBooking/utils/text';
import { clean } from '../../label';
import { columnsChosen, decidingColumn, isColumns, textOf, type Answers } from './answers';
import { checkOf } from './check';
import { isEqual } from './form';
import { ANOTHER, answeredRows, isOfRow, LATER, rowKeysIn, SAME } from './rowAnswers';
import { withAnswer } from './questions';
import type { AskedRow, Drawn, Line, Mode, Page, Row, Sent, State, Step } from './step';
import { headingsOf, isList, tabsOf } from './tabs';

/** The answers that led to a booking, as JSON, and the list that they are for. */
export interface KeptAnswers {
	list?: string;
	answers?: string;
}

interface Taken {
	lines: readonly Line[];
	kept: readonly KeptAnswers[];
	workflowId: string;
	/** What was drawn last; undefined if the list was just uploaded. */
	drawn?: Drawn;
	sent: Sent;
}

const UNREADABLE = {
	title: 'This file cannot be read',
	stopped:
		'This is not an Excel workbook, or it has a password. Open it in your spreadsheet program, remove its password (if any), save it as .xlsx, and upload that.',
};

const NO_LIST = {
	title: 'This file cannot be read',
	stopped:
		'No tab has headings in its first line and rows below. Delete any lines above the headings. If each line stands in one cell, split it into columns (in Excel: Data > Text to Columns). Then upload the file again.',
};

const NO_ANSWER = 'Nobody answered for a day. To book, upload the sheet again.';

const ROWS_LAST =
	'You can change your answers about rows on a later page, except those about rows that have been booked since.';

const textsIn = (value: unknown): string[] =>
	[value].flat().flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []));

/** What a page was answered: the new answers, and the labels of what has to be asked again. */
function answersTo({ asks }: Page, sent: Sent, { answers: known, before, tab: current }: State) {
	let answers = { ...known };
	const unknown: string[] = [];
	let tab = current;
	let choice: string | undefined;
	for (const ask of asks) {
		const { label, options, many, of } = ask;
		const isShown = !of || isEqual(answers[of.key], of.value);
		// A hidden question has its likely answer: *Yes* confirmed it.
		if (!isShown && of.key !== 'likely') continue;
		const likely = options.filter((one) => isEqual(one.value, ask.preset));
		const given = isShown ? textsIn(sent[label]) : likely.map(({ text }) => text);
		const valueFor = (text: string) => options.find((one) => one.text === text)?.value ?? [];
		const values = ask.typed ? given.map(clean).filter(Boolean) : given.flatMap(valueFor);
		const [value] = values;
		const isWrong = values.length < given.length || (!many && given.length > 1);
		if (isWrong || (!many && value === undefined)) unknown.push(label);
		else if (ask.key === 'tab') tab = textOf(value);
		else if (ask.key === 'choice') choice = textOf(value);
		else if (ask.typed || isOfRow(ask.key)) answers = { ...answers, [ask.key]: value };
		else answers = withAnswer(answers, before, ask, values);
	}
	return { answers, tab, choice, unknown };
}

/** Why answers cannot be as they are, as a note for the page that asks again; '' if they can. */
function objectionTo(answers: Answers): string {
	const chosen = columnsChosen(answers);
	const twice = chosen.find(([field, name], at) =>
		chosen.slice(0, at).some(([other, same]) => same === name && other !== field),
	);
	if (twice) return `${twice[1]} is chosen for two fields. Choose another column for one of them.`;
	const which = decidingColumn(answers);
	if (which !== '' && (answers[`values ${which}`] ?? []).length === 0)
		return `Tick which values of ${which} are to be booked.`;
	return '';
}

/** The same of answers about rows. */
function objectionToRows(answers: Answers, questions: readonly AskedRow[]): string {
	const alike = questions.find(({ key, plots }) => {
		const names = new Set(plots.map((plot) => wordIn(textOf(answers[plot.key]))));
		return answers[key] === ANOTHER && names.size < plots.length;
	});
	const fields = alike?.plots.map(({ number }) => number).join(' and ');
	return fields === undefined ? '' : `Give the fields of rows ${fields} different names.`;
}

const aboutRows = (answers: Answers): Answers =>
	Object.fromEntries(Object.entries(answers).filter(([key]) => isOfRow(key)));

export const nothingKnown = (): State => ({
	...{ answers: {}, before: {}, areMarks: false, ignored: [], note: '' },
	...{ tabs: [], asked: [], askedNow: [], checks: 0, isAnswered: false },
});

/** Takes the answers of the last page, or those kept of a list with the same headings, and says what comes next. */
export function takeAnswers({ lines, kept, workflowId, drawn, sent }: Taken): Step {
	let state: State = { ...nothingKnown(), ...drawn?.state };
	const allTabs = tabsOf(lines);
	const tabs = allTabs.filter(isList);
	const sheet = () => tabs.find(({ tab }) => tab === state.tab)?.rows ?? [];
	const keyOf = (rows: readonly Row[]) => JSON.stringify([workflowId, headingsOf(rows)]);
	const give = (mode: Mode, more: Partial<Step> = {}): Step => {
		const { rows, sameAs } = answeredRows(sheet(), state);
		const own = rows.filter(({ row_number: number }) => !sameAs.has(number));
		const check = checkOf(mode, own, state);
		const toCheck = mode !== 'stop' && mode !== 'tab' && check.rows.length > 0;
		const checks = state.checks + (toCheck ? 1 : 0);
		return { ...state, ...check, key: keyOf(sheet()), mode, toCheck, checks, ...more };
	};
	const ask = (note: string, mode: Mode) => {
		state.note = note;
		return give(mode);
	};
	const keptFor = (rows: readonly Row[]) => {
		const own = kept.find(({ list }) => list === keyOf(rows));
		return own?.answers === undefined ? undefined : (JSON.parse(own.answers) as Answers);
	};
	const begin = () => {
		const own = keptFor(sheet());
		// The country is the same for all tabs of a file.
		const ofFile = [state.before, ...tabs.map(({ rows }) => keptFor(rows))];
		const { phoneCountry, 'seen phoneCountry': seen } =
			ofFile.find((one) => one?.phoneCountry) ?? {};
		state.before = own ?? (phoneCountry ? { phoneCountry, 'seen phoneCountry': seen } : {});
		const { 'column plot': plot } = state.before;
		const text = isColumns(plot) ? `Plot is in ${plot.plot}` : 'No column is the plot';
		state.answers = {
			...aboutRows(state.before),
			...(plot && { 'column plot': plot, said: { 'column plot': text } }),
		};
		state.asked = rowKeysIn(state.answers);
		return give('learn');
	};

	if (tabs.length === 0)
		return give('stop', lines.some(({ error }) => error) ? UNREADABLE : NO_LIST);
	if (!drawn) {
		state.tabs = allTabs.map((one) => ({
			...{ tab: one.tab, rows: one.rows.length, isList: isList(one) },
			...{ headings: headingsOf(one.rows).slice(0, 4), key: keyOf(one.rows) },
		}));
		// One that was booked before is taken, and of some with the same headings the first: the preview offers the others.
		const knownTabs = tabs.filter(({ rows }) => keptFor(rows));
		const [firstTab, ...moreTabs] = knownTabs.length > 0 ? knownTabs : tabs;
		state.tab = firstTab?.tab;
		if (moreTabs.some(({ rows }) => keyOf(rows) !== keyOf(sheet()))) return give('tab');
		return begin();
	}
	if (drawn.route === 'again') return drawn.next === 'learn' ? begin() : give(drawn.next);
	if (drawn.route !== 'page') throw new Error('This page has no questions.');

	Object.assign(state, { note: '', isAnswered: true });
	const again = drawn.mode === 'preview' || drawn.mode === 'rows' ? 'look' : drawn.mode;
	// A page that nobody answered goes on without this.
	if (!sent.submittedAt) return give('stop', { stopped: NO_ANSWER });
	if (Number(sent.page) !== drawn.number)
		return ask('That answer came from an earlier page. Look at this one before you answer.', again);
	const { choice, unknown, ...known } = answersTo(drawn, sent, state);
	const objection =
		unknown.length > 0 ? `Answer again: ${unknown.join('; ')}` : objectionTo(known.answers);
	if (objection && (drawn.mode === 'learn' || drawn.mode === 'look')) {
		state.before = { ...state.before, ...known.answers };
		state.areMarks = true;
		return ask(objection, again);
	}
	Object.assign(state, known);
	if (unknown.length > 0) return ask(objection, again);
	if (drawn.mode === 'tab') return begin();
	if (drawn.mode === 'rows') {
		const { questions = [], together = [], left = [] } = drawn;
		const twice = objectionToRows(state.answers, questions);
		if (twice) return ask(twice, 'look');
		const areSettled = state.answers.rows === SAME || state.answers.rows === LATER;
		for (const { key: own, booking } of areSettled ? together : [])
			state.answers[own] = state.answers.rows === SAME ? `is ${booking.bookingID}` : LATER;
		const keys = (areSettled ? [...questions, ...together] : questions).map((one) => one.key);
		state.asked = [...state.asked, ...keys, ...left.map((one) => one.key)];
		state.askedNow = [...state.askedNow, ...keys];
		return give('look');
	}
	if (drawn.mode === 'preview') {
		if (choice === 'book') return give('book');
		if (choice === 'stop') return give('over');
		const before = { ...state.before, ...known.answers };
		if (choice === 'tab') {
			state = {
				...nothingKnown(),
				before,
				tabs: state.tabs,
				checks: state.checks,
				isAnswered: true,
			};
			return give('tab');
		}
		const { said } = answeredRows(sheet(), state);
		const note = said.length > 0 ? ROWS_LAST : '';
		const ofRows = aboutRows(known.answers);
		state = { ...state, before, note, answers: ofRows, areMarks: true, asked: [], askedNow: [] };
		return give('learn');
	}
	return give('look');
}
