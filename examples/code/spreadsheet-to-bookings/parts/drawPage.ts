import { answersOf } from './answers';
import { groupsOf, outcomeParts, readingParts, remarksIn, titleOf } from './outcomeParts';
import { outcomesOf } from './outcomes';
import { previewPage } from './previewPage';
import { otherTabsPart, questionsPage, tabPage } from './questionPages';
import { keyOf, lackIn, trialsOf, withOwnAnswers } from './questions';
import { answeredRows, answersToKeep } from './rowAnswers';
import { openRows, rowsPage } from './rowsPage';
import { savedSheet } from './savedSheet';
import type { Drawn, Mode, Outcome, Row, State, Step, Summary } from './step';
import { requestsBy } from './tabs';

interface Drawing {
	step: Step;
	/** What the node gave last. */
	given: readonly Outcome[];
	/** What it gave last with Dry Run. */
	checked: readonly Outcome[];
	/** All rows of the tab. */
	sheet: readonly Row[];
	/** Of the page. */
	number: number;
	/** Whom officers ask. */
	contact: string;
}

const NO_SUMMARY: Summary = {
	...{ problem: '', notices: [], columns: [], otherColumns: [] },
	...{ questions: [], issues: [], rowQuestions: [] },
};

export function drawPage(drawing: Drawing): Drawn {
	const { given, sheet, number } = drawing;
	const { mode, more, trials = [], words } = drawing.step;
	const { columns, otherColumns, questions: found } = given[0]?.summary ?? NO_SUMMARY;
	// A word that an answer has put into the cell is no question again.
	const meant = answersOf(drawing.step.answers, 'service').map(([, value]) => value);
	const questions = found.filter(
		({ about, value }) => about !== 'serviceType' || !meant.includes(value),
	);
	const answers =
		mode === 'try' ? drawing.step.answers : withOwnAnswers(drawing.step.answers, questions);
	const step = { ...drawing.step, answers };
	const names = otherColumns.map(({ column }) => column);

	const routeWith = (changes: Partial<State> = {}) => ({
		...{ mode, number, state: { ...step, rows: undefined, ...changes } },
	});
	const again = (next: Mode, changes?: Partial<State>): Drawn => ({
		...{ ...routeWith(changes), route: 'again', next },
	});
	const { title = 'Nothing was booked', stopped = lackIn(answers) } = step;
	if (stopped) return { ...routeWith(), route: 'stop', title, text: stopped };
	if (mode === 'tab') return { ...routeWith(), route: 'page', ...tabPage(step, number) };
	if (mode === 'try') {
		const [, ...left] = trials;
		const ofServices = questions.filter(({ about }) => about === 'serviceType');
		const known = [...(words ?? []), ...ofServices];
		return again(left.length > 0 ? 'try' : 'learn', { trials: left, words: known });
	}
	if (mode === 'learn') {
		const toTry = words ? [] : trialsOf(questions, columns, sheet);
		const state = { ...step, trials: toTry, words: words ?? [] };
		if (toTry.length > 0) return again('try', state);
		const requests = sheet.filter(requestsBy(columns, questions));
		const page = questionsPage(state, questions, otherColumns, requests, number);
		if (page) return { ...routeWith(state), route: 'page', ...page, ignored: names };
		const isAsItIs = names.length === 0 && Object.keys(answers).every((key) => key === 'ignored');
		const told = { ...state, answers: { ...answers, ignored: names } };
		return isAsItIs
			? drawOutcomes({ ...drawing, step: { ...step, ...told } })
			: again('look', told);
	}
	const open = questions.filter((question) => !(keyOf(question) in answers));
	const isAllTold = names.every((name) => answers.ignored?.includes(name));
	if (mode === 'look' && !step.isOver && (open.length > 0 || !isAllTold))
		return again('learn', { more: [...more, ...open] });
	// The node has not been told.
	const isNews = JSON.stringify(answers) !== JSON.stringify(drawing.step.answers);
	if (mode === 'look' && isNews) return again('look');
	return drawOutcomes(drawing);
}

/** A page that asks about rows, the preview, or the result with the sheet to keep. */
function drawOutcomes({ step, given, checked, sheet, number, contact }: Drawing): Drawn {
	const { answers, askedNow = [], mode, isOver = false, isKept = false } = step;
	const { problem, notices } = given[0]?.summary ?? NO_SUMMARY;
	const summary = checked[0]?.summary ?? NO_SUMMARY;
	const { columns } = summary;
	const { rows: answered, sameAs, said } = answeredRows(sheet, step);
	const state = { ...step, rows: undefined };
	const mayAsk = mode !== 'book' && !isOver && !problem;
	const rowQuestions = mayAsk ? openRows(step, summary, sheet) : [];
	const asking = rowsPage(step, rowQuestions, columns, answered, number);
	if (asking) return { mode: 'rows', number, state, route: 'page', ...asking };
	const rows = outcomesOf(answered, sameAs, given, checked, answers, summary, contact);
	const groups = groupsOf(rows, problem);
	const { toBook, booked, toLookAt, leftOut } = groups;
	const isSaid = Object.keys(answers.said ?? {}).length > 0;
	// Whoever cannot book a row may still have to change an answer that was kept.
	const isOfRows = said.some(({ key }) => !askedNow.some((own) => own === key));
	const isOpen = toLookAt.length + leftOut.length > 0;
	const mayChange = mode !== 'book' && ((isKept && isSaid && isOpen) || isOfRows);
	const isPreview = !isOver && (toBook.length > 0 || mayChange);
	const parts = outcomeParts(groups, isPreview, contact);
	if (mode !== 'book' && !problem)
		parts.push(...readingParts(groups, answers, columns, isKept && askedNow.length === 0, said));
	const title = titleOf(groups, step);
	const html = parts.join('');
	if (isPreview) {
		const hasAnswers = isSaid || said.length > 0;
		// What a row was just answered is no news, but that it shares its farmer and day with others is.
		const answeredNow = said.filter(({ key }) => askedNow.some((own) => own === key));
		const isNews = (row: number) => !answeredNow.some((one) => one.row === row);
		const noted = notices.filter(({ rows: own }) => own.length !== 1 || own.some(isNews));
		const remarks = [...noted.map(({ text }) => text), ...remarksIn(groups, answers, columns)];
		const page = previewPage({ step, groups, remarks, title, html, hasAnswers }, number);
		return { mode: 'preview', number, state, route: 'page', ...page };
	}
	const dayColumn = columns.find(({ field }) => field === 'Service Date')?.column;
	const hasStopped = isOver && toBook.length > 0;
	return {
		...{ mode, number, state, title, ...savedSheet(rows, sheet, dayColumn) },
		html: otherTabsPart(step) + html,
		route:
			(booked.length > 0 && isSaid) || (said.length + askedNow.length > 0 && !hasStopped)
				? 'keep'
				: 'end',
		file: booked.length > 0 ? 'booked' : 'checked',
		answers: JSON.stringify(answersToKeep(answers)),
	};
}
