import { count, show } from '../../html';
import { isAsk, pageOf, short, type Html } from './form';
import { withLikely } from './questions';
import type { Mode, Row, SheetAsk, State } from './step';

/** What a wait takes, for a person. */
export function spanOf(seconds: number): string {
	return seconds < 90
		? `${5 * Math.ceil(seconds / 5)} seconds`
		: `${Math.ceil(seconds / 60)} minutes`;
}

/** The button of a page after which the rows are checked, and what is said meanwhile. */
export const checking = (rows: readonly Row[]) => ({
	button: 'Show what will happen',
	wait: `Checking ${count(rows.length, 'row')} takes up to ${spanOf(5 + rows.length)}: leave this page open.`,
});

/** What a page says first. */
export const noteOf = ({ note }: Pick<State, 'note'>): Html[] =>
	note ? [{ html: `<p><b>${show(note)}</b></p>` }] : [];

/** The other tabs of the file: the next one first, after the last one the first. */
function otherTabs({ tabs, tab }: State) {
	const own = tabs.findIndex((one) => one.tab === tab);
	return [...tabs.slice(own + 1), ...tabs.slice(0, Math.max(0, own))];
}

export const nextList = (state: State): string | undefined =>
	otherTabs(state).find(({ isList }) => isList)?.tab;

/** The next tab with the same headings, unless somebody has answered a page, which may have been about this one. */
export function laterTab({ tabs, tab, isAnswered }: State): string | undefined {
	const own = tabs.findIndex((one) => one.tab === tab);
	const later = isAnswered ? [] : tabs.slice(own + 1);
	return later.find(({ isList, key }) => isList && key === tabs[own]?.key)?.tab;
}

/** What a page says of the tab, as HTML, if the file has several: all others are named. */
export function ofTab(state: State): string {
	const others = otherTabs(state).map(
		({ tab, rows }) => `${tab} (${rows > 0 ? count(rows, 'line') : 'cannot be read'})`,
	);
	return others.length > 0
		? show(` The rows are those of the tab ${state.tab}. Other tabs: ${others.join(', ')}.`)
		: '';
}

/** The same on the last page, and how to go on. */
export function otherTabsPart(state: State): string {
	const said = ofTab(state);
	const next = nextList(state);
	const fix = ` To go on with ${next}, upload the same file again, and choose that tab.`;
	return said && `<p>${said}${next ? show(fix) : ''}</p>`;
}

export function tabPage(state: State, number: number) {
	const lists = state.tabs.filter(({ isList }) => isList);
	const options = lists.map(({ tab, rows, headings }) => ({
		text: `${tab}: ${count(rows, 'line')} (${headings.map(short).join(', ')} …)`,
		value: tab,
	}));
	const heading = {
		title: 'Which tab has the list?',
		text: 'The file has several tabs with rows.',
		button: 'Continue',
		wait: 'Reading the rows …',
	};
	const parts = [...noteOf(state), { key: 'tab', label: 'Tab', options } as const];
	return pageOf(heading, parts, state.answers, number);
}

const MOST_NEWS = 8;

/** A question, below why it is asked again. */
function withReason(one: SheetAsk | Html): Array<SheetAsk | Html> {
	const news = isAsk(one) ? (one.news ?? []) : [];
	if (!isAsk(one) || news.length === 0) return [one];
	const more = news.length > MOST_NEWS ? ' …' : '';
	const why = one.key === 'phoneCountry' ? 'So its phones may be from another country. ' : '';
	const text = `New in this list: ${news.slice(0, MOST_NEWS).join(', ')}${more}. ${why}Your last answer is marked.`;
	return [{ html: `<p>${show(text)}</p>` }, one];
}

/** The page that asks what is open. */
export function questionsPage(
	state: State,
	mode: Mode,
	open: readonly SheetAsk[],
	sheet: readonly Row[],
	number: number,
) {
	const { answers, before, areMarks } = state;
	const title = areMarks ? 'Your answers about this sheet' : 'Some questions about this sheet';
	const parts = [...noteOf(state), ...withLikely(open, state).flatMap(withReason)];
	const heading = {
		title: mode === 'look' && !areMarks ? 'One more thing' : title,
		text: `Nothing is booked yet.${ofTab(state)} If you book, the answers are kept for the next list with these headings.`,
		...checking(sheet),
	};
	return pageOf(heading, parts, { ...before, ...answers, likely: undefined }, number);
}
