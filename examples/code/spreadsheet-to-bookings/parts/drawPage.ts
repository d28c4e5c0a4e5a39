import {
	groupsOf,
	outcomeParts,
	readingParts,
	remarksIn,
	remarksOn,
	titleOf,
	type Looks,
} from './outcomeParts';
import { outcomesOf } from './outcomes';
import { previewPage } from './previewPage';
import { laterTab, nextList, otherTabsPart, questionsPage, tabPage } from './questionPages';
import { asksOf, columnsOffered, lackIn, requestColumnsIn, settle } from './questions';
import { answeredRows, answersToKeep } from './rowAnswers';
import { openRows, rowsPage } from './rowsPage';
import { savedSheet } from './savedSheet';
import type { Drawn, Outcome, Row, State, Step, Summary } from './step';
import { columnIn, requestsBy } from './tabs';

interface Drawing {
	step: Step;
	/** What the node gave last. */
	given: readonly Outcome[];
	/** What it gave last with Dry Run. */
	checked: readonly Outcome[];
	/** All rows of the tab. */
	sheet: readonly Row[];
	/** Of a workbook. */
	looks?: Looks;
	/** Of the page. */
	number: number;
	/** Whom officers ask. */
	contact: string;
}

const NO_SUMMARY: Summary = {
	...{ problem: '', notices: [], columns: [], otherColumns: [] },
	...{ questions: [], unsendable: [], issues: [], rowQuestions: [] },
};

export function drawPage(drawing: Drawing): Drawn {
	const { step, given, sheet, number } = drawing;
	const { mode, title = 'Nothing was booked' } = step;
	const summary = given[0]?.summary ?? NO_SUMMARY;
	const { columns, otherColumns, questions, unsendable } = summary;
	const routeWith = (changes: Partial<State> = {}) => ({
		...{ mode, number, state: { ...step, rows: undefined, ...changes } },
	});
	if (mode === 'tab') return { ...routeWith(), route: 'page', ...tabPage(step, number) };
	if (step.stopped) return { ...routeWith(), route: 'stop', title, text: step.stopped };
	if (mode === 'book' || mode === 'over') return drawOutcomes(drawing);
	// Of a sheet that came back, only the column of its bookings may be known yet.
	const requests = sheet.filter(requestsBy(columns, requestColumnsIn(questions)));
	// The sex of farmers does not say which rows to book.
	const deciding = otherColumns.filter(({ column }) => !unsendable.includes(column));
	const asks = asksOf(questions, deciding, requests, step);
	const { settled, open } = settle(asks, step);
	const lack = lackIn(asks, settled);
	if (lack) return { ...routeWith(), route: 'stop', title, text: lack };
	// Of several columns that may hold a field, those that are not chosen hold none.
	const others = [...otherColumns.map(({ column }) => column), ...unsendable];
	const names = [...others, ...columnsOffered(asks)];
	const ignored = [...new Set([...step.ignored, ...names])];
	const known = { ...step, answers: settled, ignored };
	if (open.length > 0) {
		const page = questionsPage(known, mode, open, requests, number);
		return { ...routeWith(known), route: 'page', ...page };
	}
	// The node has not run with these answers yet.
	const isNews =
		JSON.stringify([settled, ignored]) !== JSON.stringify([step.answers, step.ignored]);
	return mode === 'learn' || isNews
		? { ...routeWith(known), route: 'again', next: 'look' }
		: drawOutcomes(drawing);
}

/** A page that asks about rows, the preview, or the result with the sheet to keep. */
function drawOutcomes(drawing: Drawing): Drawn {
	const { step, given, checked, sheet, looks, number, contact } = drawing;
	const { answers, before, askedNow, mode } = step;
	const wereKept = Object.keys(before).length > 0;
	const { problem, notices } = given[0]?.summary ?? NO_SUMMARY;
	const summary = checked[0]?.summary ?? NO_SUMMARY;
	const { columns } = summary;
	const { rows: answered, sameAs, said } = answeredRows(sheet, step);
	const state = { ...step, rows: undefined };
	const isOpen = mode === 'look';
	const rowQuestions = isOpen && !problem ? openRows(step, summary, sheet) : [];
	const asking = rowsPage(step, rowQuestions, columns, answered, number);
	if (asking) return { mode: 'rows', number, state, route: 'page', ...asking };
	const rows = outcomesOf(answered, sameAs, given, checked, answers, summary, contact);
	const groups = groupsOf(rows, problem);
	const { toBook, booked, toLookAt, leftOut, unknown } = groups;
	const later = toBook.length + toLookAt.length + unknown.length > 0 ? undefined : laterTab(step);
	if (isOpen && !problem && later !== undefined) {
		const note = `${step.note} No row is left to book in the tab ${step.tab}.`.trim();
		return { mode, number, state: { ...state, tab: later, note }, route: 'again', next: 'learn' };
	}
	const isSaid = Object.keys(answers.said ?? {}).length > 0;
	// Whoever cannot book a row may still have to change an answer that was kept.
	const answeredNow = said.filter(({ key }) => askedNow.includes(key));
	const isLeft = toLookAt.length + leftOut.length > 0;
	const mayChange = (isSaid && isLeft && wereKept) || answeredNow.length < said.length;
	const isPreview = isOpen && (toBook.length > 0 || mayChange || nextList(step) !== undefined);
	const parts = outcomeParts(groups, isPreview, contact);
	if (mode !== 'book' && !problem) parts.push(...readingParts(groups, step, columns, said));
	const title = titleOf(groups, mode);
	const html = parts.join('');
	if (isPreview) {
		const hasAnswers = isSaid || said.length > 0;
		// What rows were just answered is no news, and those that are no requests are named below.
		const isNews = (row: number) =>
			groups.rows.some(({ number: own }) => own === row) &&
			!answeredNow.some((one) => one.row === row);
		const noted = notices.filter(({ rows: own }) => own.length === 0 || own.some(isNews));
		const remarks = [
			...(looks ? remarksOn(looks, groups) : []),
			...noted.map(({ text }) => text),
			...remarksIn(groups, step, columns),
		];
		const page = previewPage({ step, groups, remarks, title, html, hasAnswers }, number);
		return { mode: 'preview', number, state, route: 'page', ...page };
	}
	const dayColumn = columnIn(columns, 'Service Date');
	const hasStopped = mode === 'over' && toBook.length > 0;
	return {
		...{ mode, number, state, title, ...savedSheet(rows, sheet, dayColumn) },
		html: otherTabsPart(step) + html,
		route: booked.length > 0 || (said.length + askedNow.length > 0 && !hasStopped) ? 'keep' : 'end',
		file: booked.length > 0 ? 'booked' : 'checked',
		// What this list did not ask about may be asked of the next one.
		answers: JSON.stringify(answersToKeep({ ...before, ...answers })),
	};
}
