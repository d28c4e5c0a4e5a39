import {
	clean,
	columnsChosen,
	decidingColumn,
	isColumns,
	textOf,
	wordIn,
	type Answers,
} from './answers';
import { checkOf } from './check';
import { isEqual } from './form';
import { answeredRows, isOfRow, LATER, rowKeysIn, SAME } from './rowAnswers';
import { ticksOf } from './questions';
import {
	EACH,
	type Drawn,
	type Line,
	type Mode,
	type Page,
	type Sent,
	type State,
	type Step,
} from './step';
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
		'This is not an Excel workbook. Open it in your spreadsheet program, save it as .xlsx, and upload that.',
};

const NO_LIST = {
	title: 'This file cannot be read',
	stopped:
		'No tab has headings in its first line and rows below. Delete any lines above the headings. If each line stands in one cell, split it into columns (in Excel: Data > Text to Columns). Then upload the file again.',
};

const NO_ANSWER = 'Nobody answered for an hour. To book, upload the sheet again.';

const CHECKS: readonly Mode[] = ['book', 'learn', 'look', 'try'];

const textsIn = (value: unknown): string[] =>
	[value].flat().flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []));

/** What a page was answered: the new answers, and the labels of what has to be asked again. */
function answersTo({ asks }: Page, sent: Sent, before: State) {
	const answers = { ...before.answers };
	const said = { ...answers.said };
	const unknown: string[] = [];
	let { tab } = before;
	let choice: string | undefined;
	for (const ask of asks) {
		const { label, options, needed, of } = ask;
		delete said[ask.key];
		const isShown = !of || isEqual(answers[of.key], of.value);
		// Of what was not shown, what is likely was said to be right.
		if (!isShown && of.key !== 'likely') continue;
		const likely = options.filter((one) => isEqual(one.value, ask.preset));
		const given = isShown ? textsIn(sent[label]) : likely.map(({ text }) => text);
		const valueFor = (text: string) => options.find((one) => one.text === text)?.value ?? [];
		const values = ask.typed ? given.map(clean).filter(Boolean) : given.flatMap(valueFor);
		const [value] = values;
		const isWrong = values.length < given.length || (!ask.many && given.length > 1);
		if (isWrong || (needed && value === undefined)) {
			unknown.push(label);
			continue;
		}
		if (ask.many) {
			const column = ask.key.slice('values '.length);
			answers[ask.key] = values.map((one) => textOf(one));
			answers[`seen ${column}`] = options.map((one) => textOf(one.value));
		} else if (value === undefined) continue;
		else if (ask.key === 'choice' || ask.key === 'tab') {
			if (ask.key === 'tab') tab = textOf(value);
			else choice = textOf(value);
			continue;
		} else {
			answers[ask.key] = value;
			if (ask.key.startsWith('service ')) answers.serviceColumn = ask.column;
		}
		// Which rows are booked is said by the values, what is likely by each, and what becomes of a row by the preview.
		if ((ask.key === 'which' && value !== '') || ask.key === 'likely' || isOfRow(ask.key)) continue;
		said[ask.key] = `${label}${value === '' && /\w$/.test(label) ? ':' : ''} ${given.join(', ')}`;
	}
	return { answers: { ...answers, said }, tab, choice, unknown };
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

/** The columns that a page has offered for fields, or has told are not read. */
function columnsTold({ asks, ignored = [] }: Page): string[] {
	const offered = asks
		.filter(({ key }) => key.startsWith('column '))
		.flatMap(({ options }) => options.map(({ value }) => value))
		.filter(isColumns);
	return [...ignored, ...offered.flatMap((value) => Object.values(value))];
}

/** The country alone, which is the same for all tabs of a file. */
function countryIn({ phoneCountry, said = {} }: Answers): Answers | undefined {
	if (phoneCountry === undefined) return undefined;
	const text = said.phoneCountry;
	return { phoneCountry, ...(text && { said: { phoneCountry: text } }) };
}

/** The answers that are kept for lists of this workflow. The tab is '' if it was the only one of its file. */
const listsIn = (kept: readonly KeptAnswers[], workflowId: string) =>
	kept.flatMap(({ list = '[]', answers }) => {
		const [workflow, tab, headings] = JSON.parse(list) as unknown[];
		if (answers === undefined || workflow !== workflowId) return [];
		return [{ list, tab: String(tab), headings, answers: JSON.parse(answers) as Answers }];
	});

const nothingKnown = (): State => ({ answers: {}, more: [], note: '' });

/** Takes the answers of the last page, or those kept of a list with the same headings, and says what comes next. */
export function takeAnswers({ lines, kept, workflowId, drawn, sent }: Taken): Step {
	let state: State = { ...nothingKnown(), ...drawn?.state };
	const allTabs = tabsOf(lines);
	const tabs = allTabs.filter(isList);
	const sheet = () => tabs.find(({ tab }) => tab === state.tab)?.rows ?? [];
	const key = () =>
		// The sheet that is given back has one tab of another name.
		JSON.stringify([workflowId, tabs.length > 1 ? state.tab : '', headingsOf(sheet())]);
	const give = (mode: Mode, more: Partial<Step> = {}): Step => {
		const { rows, sameAs } = answeredRows(sheet(), state);
		const own = rows.filter(({ row_number: number }) => !sameAs.has(number));
		const check = checkOf(mode, own, state.answers, state.trials?.[0]);
		const toCheck = CHECKS.includes(mode) && check.rows.length > 0;
		const checks = (state.checks ?? 0) + (toCheck ? 1 : 0);
		return { ...state, ...check, key: key(), mode, toCheck, checks, ...more };
	};
	const ask = (note: string, mode: Mode = 'learn') => {
		state.note = note;
		return give(mode);
	};
	const begin = () => {
		const lists = listsIn(kept, workflowId);
		const own = lists.find(({ list }) => list === key())?.answers;
		const others = lists.filter(({ tab }) => tab !== '' && tabs.length > 1);
		const like = others.find(({ headings }) => isEqual(headings, headingsOf(sheet())));
		if (own === undefined && like) {
			const all = Object.entries(like.answers).filter(([name]) => !isOfRow(name));
			Object.assign(state, { answers: Object.fromEntries(all), changing: true });
			return ask(`These are the answers for ${like.tab}: check them for ${state.tab}.`);
		}
		if (own === undefined) {
			const ofFile = others.filter((one) => tabs.some(({ tab }) => tab === one.tab));
			const countries = [state.answers, ...ofFile.map(({ answers }) => answers)].map(countryIn);
			state.answers = { ...countries.find((one) => one !== undefined) };
			return give('learn');
		}
		state.answers = own;
		state.isKept = true;
		state.asked = rowKeysIn(state.answers);
		const which = decidingColumn(state.answers);
		if (which === '') return give('look');
		const { key: ticks, label, options } = ticksOf(which, sheet());
		const isIn = (some: readonly string[] = [], word: string) =>
			some.some((one) => wordIn(one) === word);
		const booked = options.filter(({ value }) => isIn(state.answers[ticks], value));
		// The numbers of rows are those of this list.
		const said = `${label} ${booked.map(({ text }) => text).join(', ')}`;
		state.answers.said = { ...state.answers.said, [ticks]: said };
		const seen = ['', ...(state.answers[`seen ${which}`] ?? [])];
		const fresh = new Set(
			sheet()
				.map((row) => clean(row[which]))
				.filter((value) => !isIn(seen, wordIn(value))),
		);
		return fresh.size > 0 ? ask(`New in ${which}: ${[...fresh].join(', ')}.`) : give('look');
	};

	if (tabs.length === 0)
		return give('stop', lines.some(({ error }) => error) ? UNREADABLE : NO_LIST);
	if (!drawn) {
		state.tabs = allTabs.map((one) => ({
			...{ tab: one.tab, rows: one.rows.length, isList: isList(one) },
			headings: headingsOf(one.rows).slice(0, 4),
		}));
		if (tabs.length > 1) return give('tab');
		state.tab = tabs[0]?.tab;
		return begin();
	}
	if (drawn.route === 'again') return give(drawn.next);
	if (drawn.route !== 'page') throw new Error('This page has no questions.');
	const page = drawn;

	state.note = '';
	const again = page.mode === 'preview' || page.mode === 'rows' ? 'look' : page.mode;
	// A page that nobody answered goes on without this.
	if (!sent.submittedAt) return give('stop', { stopped: NO_ANSWER });
	if (Number(sent.page) !== page.number)
		return ask('That answer came from an earlier page. Look at this one before you answer.', again);
	const { choice, unknown, ...known } = answersTo(page, sent, state);
	Object.assign(state, known);
	if (unknown.length > 0) return ask(`Answer again: ${unknown.join('; ')}`, again);
	if (page.mode === 'tab') return begin();
	if (page.mode === 'rows') {
		const { questions = [], together = [], left = [] } = page;
		const areSettled = state.answers.rows === SAME || state.answers.rows === LATER;
		for (const { key: own, bookings } of areSettled ? together : [])
			state.answers[own] = state.answers.rows === SAME ? `is ${bookings[0]?.bookingID}` : LATER;
		const keys = (areSettled ? [...questions, ...together] : questions).map((one) => one.key);
		state.asked = [...(state.asked ?? []), ...keys, ...left.map((one) => one.key)];
		state.askedNow = [...(state.askedNow ?? []), ...keys];
		return give('look');
	}
	if (page.mode === 'preview') {
		if (choice === 'book') return give('book');
		if (choice === 'stop') return give('look', { isOver: true });
		if (choice === 'tab') {
			const { tabs: all, checks, answers } = state;
			state = { ...nothingKnown(), tabs: all, checks, answers: { ...countryIn(answers) } };
			return give('tab');
		}
		state.changing = true;
		state.answers.likely = EACH;
		state.asked = [];
		state.askedNow = [];
		delete state.answers['column plot'];
		delete state.answers.said?.['column plot'];
		return give('learn');
	}
	state.changing = false;
	// Of several columns that may hold a field, those that were not chosen hold none.
	const ignored = [...(state.answers.ignored ?? []), ...columnsTold(page)];
	state.answers.ignored = [...new Set(ignored)].filter(Boolean);
	const objection = objectionTo(state.answers);
	return objection ? ask(objection) : give('look');
}
