import { memoize } from '../../../../nodes/TractorBooking/utils/memoize';
import { denialIn } from '../../denial';
import { textOf, valueIn, type Answers } from './answers';
import type { AskedRow, Row, State } from './step';
import { isWritten } from './tabs';

/** What a row may be answered to be, other than a booking: `is 5001`. */
export const [SAME, ANOTHER, LATER] = ['same', 'another', 'later'];

/** Where the form writes bookings. */
export const FORM_COLUMN = 'bookingID';

/** How many answers about rows are kept for a list. */
const MOST_KEPT = 1_000;

/** A number for a text, since no names and phones are to be kept (cyrb53). */
function digestOf(text: string): string {
	let [low, high] = [0xdeadbeef, 0x41c6ce57];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		low = Math.imul(low ^ code, 2_654_435_761);
		high = Math.imul(high ^ code, 1_597_334_677);
	}
	low =
		Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
	high =
		Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
	return (4_294_967_296 * (2_097_151 & high) + (low >>> 0)).toString(36);
}

/** What people have typed in a row. @param but columns that do not count */
export const typedIn = (row: Row, but: readonly string[] = []): string =>
	JSON.stringify(
		Object.entries(row)
			.map(([name, cell]) => [name, valueIn(cell)])
			.filter(([name = '', cell]) => cell !== '' && !isWritten(name) && !but.includes(name))
			.sort(),
	);

/**
 * By what each row is known in the next upload, too: what people have typed in it, and how many rows before it have the same
 * but for the answers.
 *
 * @param ofAnswers the columns into which answers are written
 * @param but columns that do not count
 */
export function idsOf(
	sheet: readonly Row[],
	ofAnswers: readonly string[],
	but: readonly string[] = [],
) {
	const counts = new Map<string, number>();
	const ids = sheet.map((row) => {
		const typed = typedIn(row, ofAnswers);
		const before = counts.get(typed) ?? 0;
		counts.set(typed, before + 1);
		return [row.row_number, digestOf(`${typedIn(row, but)} ${before}`)] as const;
	});
	return new Map(ids);
}

/** What an answer about a row has to be known for. */
interface Subject {
	/** The row and others by {@link idsOf}; the earlier one without what is written into it once it is booked. */
	row: string;
	ids: Array<AskedRow['bookings'][number]['bookingID']>;
	earlier?: string;
	/** The rows that get a plot if the row is another job. */
	plots: string[];
	idColumn: string;
	plotColumn: string;
}

/** The key of an answer about a row, with all that is needed to write it into the cells. */
export const rowKeyOf = (subject: Subject): `row ${string}` => `row ${JSON.stringify(subject)}`;

const subjectOf = (key: `row ${string}`) => JSON.parse(key.slice('row '.length)) as Subject;

/** The row that an answer is about, by {@link idsOf}. */
export const rowIn = (key: `row ${string}`): string => subjectOf(key).row;

/** The bookings that it may be. */
export const bookingsIn = (key: `row ${string}`): string[] => subjectOf(key).ids.map(String);

/** The same for the plot of that row, or of the earlier one. */
export const plotKey = (key: `row ${string}`, row: string): `plot ${string}` =>
	`plot ${row} ${key}`;

const isRowKey = (key: string): key is `row ${string}` => key.startsWith('row ');

export const isOfRow = (key: string): boolean =>
	isRowKey(key) || key.startsWith('plot ') || key === 'rows';

/** The answers about rows that are in force at once if the same rows are uploaded again. */
export const rowKeysIn = (answers: Answers) =>
	Object.keys(answers)
		.filter(isRowKey)
		.filter((key) => answers[key] !== LATER);

/** The answers that hold for the next list, too. Their words show cells of this one, such as phones, and are not kept. */
export function answersToKeep(answers: Answers): Answers {
	const kept = Object.keys(answers).filter(isRowKey).slice(-MOST_KEPT);
	const plots = kept.flatMap((key) => subjectOf(key).plots.map((row) => plotKey(key, row)));
	const known: string[] = [...kept, ...plots];
	return Object.fromEntries(
		Object.entries(answers).filter(
			([key]) => key !== 'said' && (!isOfRow(key) || known.includes(key)),
		),
	);
}

/**
 * The rows with the answers about them in their cells, and which are the same as another one, with its number.
 *
 * @returns also the answers in words
 */
export function answeredRows(sheet: readonly Row[], { answers, asked }: State) {
	const cells = new Map(sheet.map((row) => [row.row_number, row]));
	const sameAs = new Map<number, number>();
	const said: Array<{ key: `row ${string}`; row: number; text: string }> = [];
	if (asked.length === 0) return { rows: [...sheet], sameAs, said };
	const numbersBy = memoize(
		([ofAnswers = [], but]: ReadonlyArray<readonly string[]>) =>
			new Map([...idsOf(sheet, ofAnswers, but)].map(([number, id]) => [id, number])),
		JSON.stringify,
	);
	const write = (number: number, column: string, text: (cell: unknown) => string) => {
		const row = cells.get(number);
		if (row) cells.set(number, { ...row, [column]: text(row[column]) });
	};
	for (const key of asked) {
		const { row, ids, earlier = '', plots, idColumn, plotColumn } = subjectOf(key);
		const answer = textOf(answers[key]);
		const own = ids.find((id) => answer === `is ${id}`);
		const ofAnswers = [idColumn, plotColumn];
		const numbers = numbersBy([ofAnswers]);
		const number = numbers.get(row);
		if (number === undefined) continue;
		const bare = numbersBy([ofAnswers, ofAnswers]);
		const first = bare.get(earlier);
		const isFirst = first !== undefined;
		const say = (text: string) => said.push({ key, row: number, text: `row ${number} is ${text}` });
		if (own !== undefined) {
			write(number, idColumn, () => String(own));
			say(`booking ${own}`);
		} else if (answer === SAME && isFirst) {
			sameAs.set(number, first);
			say(`the same as row ${first}`);
		} else if (answer === ANOTHER) {
			if (ids.length > 0) write(number, idColumn, (cell) => denialIn(cell, ids));
			// Beside a column of its own, the sheet may have that of the form, which names the booking.
			const named = valueIn(cells.get(number)?.[FORM_COLUMN]);
			if (idColumn !== FORM_COLUMN && ids.map(String).includes(named))
				write(number, FORM_COLUMN, () => '');
			const others = ids.map((id) => `booking ${id}`);
			if (isFirst) others.push(`the same as row ${first}`);
			say(others.length > 0 ? `not ${others.join(' or ')}` : 'another job');
		} else if (ids.length > 0) {
			// It stays open, whatever other rows are said to be.
			write(number, 'possibleBookingIDs', () => ids.join(', '));
		}
		for (const other of answer === ANOTHER ? plots : []) {
			const place = numbers.get(other) ?? bare.get(other);
			if (place) write(place, plotColumn, () => textOf(answers[plotKey(key, other)]));
		}
	}
	return { rows: [...cells.values()], sameAs, said };
}
