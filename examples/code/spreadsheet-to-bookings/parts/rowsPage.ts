import { capitalized, wordIn } from '../../../../nodes/TractorBooking/utils/text';
import { apart, count, part, scroll, show, table } from '../../html';
import { decidingColumn, valueIn } from './answers';
import { pageOf, short } from './form';
import { checking, noteOf, ofTab } from './questionPages';
import {
	ANOTHER,
	bookingsIn,
	FORM_COLUMN,
	idsOf,
	LATER,
	plotKey,
	rowIn,
	rowKeyOf,
	SAME,
	typedIn,
} from './rowAnswers';
import { cellText } from './savedSheet';
import {
	EACH,
	type Ask,
	type AskedRow,
	type LikelyRow,
	type Row,
	type State,
	type Summary,
} from './step';
import { columnIn } from './tabs';

/** One page asks about so many rows one by one, at most. */
const MOST_ROWS = 30;

/** What the list says of a row, for whoever has to decide. */
const CELLS = [
	...['Farmer Phone', 'Service Date', 'Service Type', 'Land Area', 'Area Unit', 'Plot'],
	...['Crop', 'Crops', 'Farm Location'],
];

/** The questions about rows that are not answered: last those that were left. @param sheet the rows as they were uploaded */
export function openRows(
	{ asked, answers }: State,
	{ rowQuestions, columns }: Summary,
	sheet: readonly Row[],
): AskedRow[] {
	const idColumn = columnIn(columns, 'Booking ID') ?? FORM_COLUMN;
	const plotColumn = columnIn(columns, 'Plot') ?? 'Plot';
	const ofAnswers = [idColumn, plotColumn];
	// Answers about other rows change what it may be.
	const leftKeys = asked.filter((key) => (answers[key] ?? LATER) === LATER);
	const [left, leftIds] = [leftKeys.map(rowIn), leftKeys.flatMap(bookingsIn)];
	const rowOf = (number = 0) => sheet.find(({ row_number }) => row_number === number);
	const [ids, idsBesidePlots] = [idsOf(sheet, [idColumn]), idsOf(sheet, ofAnswers)];
	const bareIds = idsOf(sheet, ofAnswers, ofAnswers);
	const isLeft = (number = 0) =>
		[ids, idsBesidePlots].some((all) => left.includes(all.get(number) ?? ''));
	const isNamed = ({ key, bookings: [booking, ...others] }: AskedRow) =>
		others.length === 0 &&
		asked.some((one) => rowIn(one) === rowIn(key) && answers[one] === `is ${booking?.bookingID}`);
	// A different job that is still asked about has the field of the other one. While a row is left, nothing can be said of those
	// that may be it, or be its booking.
	const isOpen = (question: AskedRow) =>
		(!asked.includes(question.key) || answers[question.key] === ANOTHER) &&
		!isNamed(question) &&
		!isLeft(question.row) &&
		!isLeft(question.earlier?.row) &&
		!bookingsIn(question.key).some((id) => leftIds.includes(id));
	return rowQuestions
		.map((question): AskedRow => {
			const { row, bookings, earlier, needsPlot } = question;
			// A plot of one of the two does not tell them apart if the other one has none.
			const isOther = earlier && valueIn(rowOf(earlier.row)?.[plotColumn]) === '';
			const numbers = needsPlot ? [row, ...(isOther ? [earlier.row] : [])] : [];
			const ofRow = needsPlot ? idsBesidePlots : ids;
			const idOf = (number: number) => (number === row ? ofRow : bareIds).get(number) ?? '';
			const key = rowKeyOf({
				...{ row: idOf(row), ids: bookings.map(({ bookingID }) => bookingID) },
				earlier: earlier && bareIds.get(earlier.row),
				...{ plots: numbers.map((one) => idOf(one)), idColumn },
				// Another column may be the plot by the next answer.
				plotColumn: needsPlot ? plotColumn : '',
			});
			const plots = numbers.map((number) => ({ number, key: plotKey(key, idOf(number)) }));
			return { ...question, key, plots };
		})
		.filter(isOpen)
		.sort((one, other) => Number(one.key in answers) - Number(other.key in answers));
}

/** The rows of which each may be one booking with the same name, phone and day, that may be no other row, with that. */
function oneToOne(open: readonly AskedRow[]): LikelyRow[] {
	const sameAs = ({ bookings }: AskedRow) => bookings.filter(({ isSame }) => isSame);
	const ids = open.flatMap(sameAs).map(({ bookingID }) => bookingID);
	const rows = open.flatMap((row) => {
		const [booking, ...others] = sameAs(row);
		const isOpen = others.length > 0 || row.earlier || row.isGivenUp;
		const isOwn = ids.filter((id) => id === booking?.bookingID).length === 1;
		return booking && isOwn && !isOpen ? { ...row, booking } : [];
	});
	return rows.length > 1 ? rows : [];
}

const cellsIn = (name: string, rows: readonly Row[]) => rows.map((row) => wordIn(row[name]));

const areDistinct = (cells: readonly string[]) =>
	!cells.includes('') && new Set(cells).size === cells.length;

/** Asks whether a column says which of the farmer's fields a row is: one that differs in rows of one job, and not in all. */
function askForPlot(
	open: readonly AskedRow[],
	{ answers, ignored }: State,
	columns: Summary['columns'],
	sheet: readonly Row[],
) {
	if ('column plot' in answers || columnIn(columns, 'Plot')) return [];
	const pairs = open.flatMap(({ row, earlier, farmer }) => {
		const rows = sheet.filter((one) => [row, earlier?.row].includes(one.row_number));
		// Nothing tells rows apart that are the same in all cells.
		return areDistinct(rows.map((one) => typedIn(one))) && rows.length > 1
			? [{ rows, farmer }]
			: [];
	});
	const read = [decidingColumn(answers), ...columns.map(({ column }) => column)];
	const name = ignored
		.filter((one) => !read.includes(one) && !areDistinct(cellsIn(one, sheet)))
		.find((one) => pairs.every(({ rows }) => areDistinct(cellsIn(one, rows))));
	if (pairs.length === 0 || name === undefined) return [];
	const lines = pairs.map(({ rows, farmer }) => [
		rows.map(({ row_number }) => row_number).join(', '),
		farmer,
		rows.map((row) => short(row[name])).join(', '),
	]);
	const html = part('Rows of one job', scroll(table(['Rows', 'Farmer', show(name)], lines)));
	const options = [
		{ text: 'Yes: each row is a job of its own', value: { plot: name } },
		{ text: 'No', value: 'none' },
	];
	const label = `Does ${name} tell the fields of one farmer apart?`;
	return [{ html }, { key: 'column plot', label, options } as const];
}

/** Whether the answer about one of two rows would be one about the other, too: their plots tell apart which is the booking. */
function answersFor(one: AskedRow, other: AskedRow, plotOf: (row: number) => string): boolean {
	const ids = bookingsIn(other.key);
	const areOne = bookingsIn(one.key).some((id) => ids.includes(id));
	return areOne && areDistinct([one.row, other.row].map(plotOf));
}

/** What is known of a booking. */
const bookingText = ({ text, tractorId }: AskedRow['bookings'][number]) =>
	tractorId === undefined ? text : `${text}; tractor ${tractorId}`;

/** Asks about rows that are likely to be bookings, all at once. @param cellsOf what the list says of a row */
function askTogether(
	rows: readonly LikelyRow[],
	answers: State['answers'],
	cellsOf: (asked: AskedRow) => string,
) {
	if (rows.length === 0) return [];
	const lines = rows.map((one) => [
		...[one.row, one.farmer, cellsOf(one)],
		bookingText(one.booking),
	]);
	const areSame = rows.every(({ key, booking }) => answers[key] === `is ${booking.bookingID}`);
	const html = part(
		`${rows.length} rows that may be booked already`,
		scroll(table(['Row', 'Farmer', 'Job', 'Booking'], lines)),
	);
	const options = [
		{ text: `Yes, all ${rows.length}: do not book them again`, value: SAME },
		{ text: 'No: ask me about each', value: EACH },
		{ text: 'Leave them for now', value: LATER },
	];
	const label = 'Is each of these rows the booking beside it?';
	return [{ html }, { key: 'rows', label, options, preset: areSame ? SAME : LATER } as const];
}

/** What is known of a row, and what it may be. */
function factsOf({ row, farmer, bookings, earlier }: AskedRow, cells: string) {
	const may = [...bookings.map(bookingText), ...(earlier ? [earlier.text] : [])];
	const unnamed = 'It was sent or booked before, and n8n cannot name its booking';
	const facts = (may.length > 0 ? may : [unnamed]).map(
		(text) => `<li>${show(capitalized(text))}.</li>`,
	);
	const title = show([`Row ${row}`, farmer].filter(Boolean).join(': '));
	return { html: part(title, cells ? `<p>${show(cells)}</p>` : '', `<ul>${facts.join('')}</ul>`) };
}

function asksAbout({ key, row, bookings, earlier, plots, isGivenUp }: AskedRow): Ask[] {
	const same = bookings.map(({ bookingID }) => ({
		text: `It is booking ${bookingID}: do not book it${isGivenUp ? ' again' : ''}`,
		value: `is ${bookingID}`,
	}));
	const options = [
		...same,
		...(earlier ? [{ text: `The same as row ${earlier.row}: do not book it`, value: SAME }] : []),
		{ text: isGivenUp ? 'Book it again' : 'Another job: book it', value: ANOTHER },
		{ text: 'Leave it for now', value: LATER },
	];
	return [
		{ key, label: `What is row ${row}?`, options, preset: LATER },
		...plots.map((plot): Ask => ({
			...{ key: plot.key, label: `Which field is row ${plot.number}? (use a new name)` },
			...{ typed: true, options: [], of: { key, value: ANOTHER } },
		})),
	];
}

/**
 * The page that asks about rows that may be booked already, or twice in the sheet, or were declined; undefined if none is.
 *
 * @param sheet the rows with the answers so far
 */
export function rowsPage(
	state: State,
	open: readonly AskedRow[],
	columns: Summary['columns'],
	sheet: readonly Row[],
	number: number,
) {
	const ofPlot = askForPlot(open, state, columns, sheet);
	const askedAbout = new Set(open.map(({ row }) => row));
	// An answer about the column answers these, too; one about the earlier row changes what is asked.
	const others = open.filter(
		({ earlier }) => !earlier || (ofPlot.length === 0 && !askedAbout.has(earlier.row)),
	);
	const together = state.answers.rows === EACH ? [] : oneToOne(others);
	const areTogether = new Set(together.map(({ key }) => key));
	const rowOf = (line: number) => sheet.find(({ row_number }) => row_number === line);
	const plotOf = (line: number) => wordIn(rowOf(line)?.[columnIn(columns, 'Plot') ?? 'Plot']);
	const single = others
		.filter(({ key }) => !areTogether.has(key))
		.filter((one, at, all) => !all.slice(0, at).some((other) => answersFor(other, one, plotOf)));
	const questions = single.slice(0, MOST_ROWS);
	if (questions.length + together.length + ofPlot.length === 0) return undefined;
	const left = single.slice(questions.length);
	const later =
		left.length > 0
			? ` ${count(left.length, 'more row')} will be asked about at the next upload.`
			: '';
	const cellsOf = (asked: AskedRow) => {
		const row = rowOf(asked.row);
		const cellOf = (label: string) => {
			const column = columnIn(columns, label) ?? '';
			const cell = cellText(column, row?.[column], label === 'Service Date');
			return cell && `${column}: ${apart(cell)}`;
		};
		return CELLS.map(cellOf).filter(Boolean).join(', ');
	};
	const parts = [
		...ofPlot,
		...askTogether(together, state.answers, cellsOf),
		...questions.flatMap((asked) => [factsOf(asked, cellsOf(asked)), ...asksAbout(asked)]),
	];
	const heading = {
		title: 'Which of these rows are to be booked?',
		text: `Nothing is booked yet.${ofTab(state)} Leave what you cannot say now: other rows can still be booked.${later}`,
		...checking(sheet),
	};
	const page = pageOf(heading, [...noteOf(state), ...parts], state.answers, number);
	return { ...page, questions, together, left };
}
