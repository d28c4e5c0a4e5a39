import { count, part, show } from '../../html';
import { clean, valueIn } from './answers';
import { pageOf, type Html } from './form';
import { noteOf, ofTab, spanOf } from './questionPages';
import { ANOTHER, LATER, plotKey, rowKey, SAME } from './rowAnswers';
import { daysIn } from './savedSheet';
import type { Ask, AskedRow, Row, State, Summary } from './step';

/** One upload asks about so many rows at most. */
const MOST_ROWS = 30;

/** What the list says of a row, for whoever has to decide. */
const CELLS = ['Farmer Phone', 'Service Date', 'Service Type', 'Land Area', 'Area Unit', 'Plot'];

const columnIn = (columns: Summary['columns'], label: string) =>
	columns.find(({ field }) => field === label)?.column;

/** The questions about rows that no page of this upload has asked. */
export function openRows(
	{ asked = [] }: State,
	{ rowQuestions, columns }: Summary,
	sheet: readonly Row[],
): AskedRow[] {
	const idColumn = columnIn(columns, 'Booking ID') ?? 'bookingID';
	const plotColumn = columnIn(columns, 'Plot') ?? 'Plot';
	const hasPlot = (number: number) =>
		sheet.some((row) => row.row_number === number && valueIn(row[plotColumn]) !== '');
	const known = asked.map(rowKey);
	return rowQuestions
		.map((question): AskedRow => {
			const { row, earlier, needsPlot } = question;
			// A plot of one of the two does not tell them apart if the other one has none.
			const other = earlier && !hasPlot(earlier.row) ? [earlier.row] : [];
			return { ...question, idColumn, plotColumn, plots: needsPlot ? [row, ...other] : [] };
		})
		.filter((question) => !known.includes(rowKey(question)));
}

/** What is known of a row, and what it may be. */
function factsOf({ row, farmer, bookings, earlier }: AskedRow, cells: readonly string[]): Html {
	const own = cells.filter(Boolean).join(', ');
	const may = [...bookings, ...(earlier ? [earlier] : [])].map(({ text }) => text);
	const unnamed = 'It was sent or booked before, and n8n cannot name its booking';
	const facts = (may.length > 0 ? may : [unnamed]).map(
		(text) => `<li>${show(text.charAt(0).toUpperCase() + text.slice(1))}.</li>`,
	);
	const title = show([`Row ${row}`, farmer].filter(Boolean).join(': '));
	return { html: part(title, own ? `<p>${show(own)}</p>` : '', `<ul>${facts.join('')}</ul>`) };
}

function asksAbout(asked: AskedRow): Ask[] {
	const { row, bookings, earlier, plots } = asked;
	const key = rowKey(asked);
	const options = [
		...bookings.map(({ bookingID }) => ({
			text: `It is booking ${bookingID}: do not book it`,
			value: `is ${bookingID}`,
		})),
		...(earlier ? [{ text: `The same as row ${earlier.row}: do not book it`, value: SAME }] : []),
		{ text: 'Another job: book it', value: ANOTHER },
		{ text: 'Leave it for now', value: LATER },
	];
	return [
		{ key, label: `What is row ${row}?`, options },
		...plots.map((number): Ask => ({
			...{ key: plotKey(asked, number), label: `Which field is row ${number}?` },
			...{ typed: true, options: [], of: { key, value: ANOTHER } },
		})),
	];
}

/** The page that asks about rows that may be booked already, or twice in the sheet; undefined if none is. */
export function rowsPage(
	state: State,
	open: readonly AskedRow[],
	columns: Summary['columns'],
	sheet: readonly Row[],
	number: number,
) {
	const questions = open.slice(0, MOST_ROWS - (state.asked ?? []).length);
	if (questions.length === 0) return undefined;
	const left = open.length - questions.length;
	const later =
		left > 0 ? ` ${count(left, 'more row')} will be asked about at the next upload.` : '';
	const dayColumn = columnIn(columns, 'Service Date');
	const days = daysIn(sheet, dayColumn);
	const factsAbout = (asked: AskedRow) => {
		const row = sheet.find(({ row_number }) => row_number === asked.row);
		const cellOf = (label: string) => {
			const column = columnIn(columns, label) ?? '';
			const cell = clean(column === dayColumn && row ? days(row) : row?.[column]);
			return cell && `${column}: ${cell}`;
		};
		return factsOf(asked, CELLS.map(cellOf));
	};
	const parts = questions.flatMap((asked) => [factsAbout(asked), ...asksAbout(asked)]);
	const heading = {
		title: 'Are these rows booked already?',
		text: `Nothing is booked yet.${ofTab(state)} The other rows can be booked whatever you answer here.${later}`,
		button: 'Show what will happen',
		wait: `Checking ${count(sheet.length, 'row')} takes up to ${spanOf(5 + sheet.length)}: leave this page open.`,
	};
	const asLeft = Object.fromEntries(questions.map((asked) => [rowKey(asked), LATER]));
	const answers = { ...asLeft, ...state.answers };
	return { ...pageOf(heading, [...noteOf(state), ...parts], answers, number), questions };
}
