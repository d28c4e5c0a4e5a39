import type { Question } from '../../../../nodes/TractorBooking/resources/booking/create/preview/questions';
import { count, part, show } from '../../html';
import { isColumns } from './answers';
import { pageOf, short, type Html } from './form';
import { asksOf, columnWithValues, withLikely } from './questions';
import type { Ask, Row, State, Summary } from './step';

/** What a wait takes, for a person. */
export function spanOf(seconds: number): string {
	return seconds < 90
		? `${5 * Math.ceil(seconds / 5)} seconds`
		: `${Math.ceil(seconds / 60)} minutes`;
}

/** What a page says first. */
export const noteOf = ({ note }: State): Html[] =>
	note ? [{ html: `<p><b>${show(note)}</b></p>` }] : [];

/** The other tabs of the file: the next one first, after the last one the first. */
function otherTabs({ tabs = [], tab }: State) {
	const own = tabs.findIndex((one) => one.tab === tab);
	return [...tabs.slice(own + 1), ...tabs.slice(0, Math.max(0, own))];
}

export const nextList = (state: State): string | undefined =>
	otherTabs(state).find(({ isList }) => isList)?.tab;

/** What a page says of the tab, as HTML, if the file has several: all others are named. */
export function ofTab(state: State): string {
	const others = otherTabs(state).map(
		({ tab, rows }) => `${tab} (${rows > 0 ? count(rows, 'line') : 'cannot be read'})`,
	);
	return others.length > 0
		? show(` The rows are those of the tab ${state.tab}. Not read: ${others.join(', ')}.`)
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
	const lists = (state.tabs ?? []).filter(({ isList }) => isList);
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

/** Columns that are not read, as far as the page does not offer them itself. */
function notReadText(asks: readonly Ask[], otherColumns: Summary['otherColumns']): string {
	const offered = asks
		.flatMap(({ options }) => options.map(({ value }) => value))
		.flatMap((value) => (isColumns(value) ? Object.values(value) : value));
	const others = otherColumns
		.filter(({ column }) => !offered.includes(column))
		.map(columnWithValues);
	const areColumnsAsked = asks.some(({ key }) => key === 'which' || key.startsWith('column '));
	const rest = `${others.length > 0 ? 'c' : 'C'}olumns above that you do not choose`;
	return [...others, ...(otherColumns.length > 0 && areColumnsAsked ? [rest] : [])].join(', ');
}

/** The page that asks what the sheet leaves open; undefined if nothing is, or all is known. */
export function questionsPage(
	state: State,
	questions: readonly Question[],
	otherColumns: Summary['otherColumns'],
	sheet: readonly Row[],
	number: number,
) {
	const { answers, changing = false, note } = state;
	const all = asksOf(questions, otherColumns, sheet, state);
	const isNew = ({ key, many, of }: Ask) => !many && !of && !(key in answers);
	const isAnyNew = all.some(isNew);
	const { ignored } = answers;
	const hasNewColumn = ignored && otherColumns.some(({ column }) => !ignored.includes(column));
	const isWhole = changing || note !== '' || hasNewColumn;
	// What only the answers have shown is asked alone.
	const isMore = state.more.length > 0 && !isWhole && isAnyNew;
	const asks = isMore ? all.filter(isNew) : all;
	if (asks.length === 0 || !(isWhole || isAnyNew)) return undefined;
	const title = isAnyNew ? 'Some questions about this sheet' : 'Your answers about this sheet';
	const notRead = notReadText(asks, otherColumns);
	const parts = [
		...noteOf(state),
		...withLikely(asks),
		...(notRead && !isMore ? [{ html: part('Not read', `<p>${show(notRead)}.</p>`) }] : []),
	];
	const heading = {
		title: isMore ? 'One more thing' : title,
		text: `Nothing is booked yet.${ofTab(state)} If you book, the answers are kept for the next list with these headings.`,
		button: 'Show what will happen',
		wait: `Checking ${count(sheet.length, 'row')} takes up to ${spanOf(5 + sheet.length)}: leave this page open.`,
	};
	// "No: book all rows" was said without the new column.
	const known = hasNewColumn ? { ...answers, which: undefined } : answers;
	return pageOf(heading, parts, known, number);
}
