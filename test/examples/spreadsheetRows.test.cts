import {
	answeredRows,
	answersToKeep,
} from '../../examples/code/spreadsheet-to-bookings/parts/rowAnswers';
import { openRows, rowsPage } from '../../examples/code/spreadsheet-to-bookings/parts/rowsPage';
import type {
	AskedRow,
	Page,
	Row,
	State,
	Summary,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { takeAnswers } from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';

const sheet: Row[] = [2, 3, 4].map((row_number) => ({
	...{ row_number, Farmer: 'Amina', Phone: '+2348031234567', Work: 'Ploughing' },
	...{ Date: 46_508, bookingID: row_number === 4 ? 'not 4999' : '' },
}));
const columns = [
	{ column: 'Date', field: 'Service Date' },
	{ column: 'bookingID', field: 'Booking ID' },
];
const booked = { bookingID: 5001, text: 'booking 5001 has the same name, but another day' };
const ofBooking = { row: 4, farmer: 'Amina', bookings: [booked], needsPlot: false };
const ofEarlier = {
	...{ row: 3, farmer: 'Amina', bookings: [], needsPlot: true },
	earlier: { row: 2, text: 'row 2 is the same but for Work (Ploughing, Planting)' },
};
const unnamed = { row: 4, farmer: 'Amina', bookings: [], needsPlot: true };
const state: State = { answers: {}, more: [], note: '', tab: 'List' };

const summaryOf = (rowQuestions: Summary['rowQuestions']): Summary => ({
	...{ problem: '', notices: [], columns, otherColumns: [], questions: [], rowQuestions },
});
const openIn = (...rowQuestions: Summary['rowQuestions']) =>
	openRows(state, summaryOf(rowQuestions), sheet);

function pageFor(open: readonly AskedRow[], change: Partial<State> = {}) {
	const page = rowsPage({ ...state, ...change }, open, columns, sheet, 7);
	if (!page) throw new Error('There is no page.');
	return page;
}

/** What the questions about rows come to. @param answers by the beginning of the question */
function answered(answers: Record<string, string>, ...questions: Summary['rowQuestions']) {
	const drawn = pageFor(openIn(...questions));
	const sent = Object.fromEntries(
		drawn.asks.map(({ label, options }) => [
			label,
			options.find(({ text }) => text.startsWith(answers[label] ?? 'Leave'))?.text ??
				answers[label] ??
				'',
		]),
	);
	const page: Page = { route: 'page', mode: 'rows', number: 7, state, ...drawn };
	return takeAnswers({
		...{ lines: sheet.map((row) => ({ tab: 'List', row })), kept: [], workflowId: 'w1' },
		...{ drawn: page, sent: { page: '7', submittedAt: '2026-11-28', ...sent } },
	});
}

const cellsOf = (rows: readonly Row[]) =>
	rows.map(({ row_number, bookingID, Plot }) => [row_number, bookingID, Plot]);

it('asks what each row is, and leaves it by default', () => {
	const { asks, page } = pageFor(openIn(ofEarlier, ofBooking));
	expect(asks.map(({ label, options }) => [label, ...options.map(({ text }) => text)])).toEqual([
		[
			...['What is row 3?', 'The same as row 2: do not book it', 'Another job: book it'],
			'Leave it for now',
		],
		['Which field is row 3?'],
		['Which field is row 2?'],
		[
			...['What is row 4?', 'It is booking 5001: do not book it', 'Another job: book it'],
			'Leave it for now',
		],
	]);
	const fields = JSON.stringify(page.fields);
	expect(fields.match(/"defaultValue":"Leave it for now"/g)).toHaveLength(2);
	expect(fields).toContain('Booking 5001 has the same name&#44; but another day');
	expect(fields).toContain('2027&#45;05&#45;01');
	// The plots are shown once it is another job.
	expect(
		page.css.match(/:not\(:has\(#option1_field-2:checked\)\) > div:has\(#field-[34]\)/g),
	).toHaveLength(2);
});

it('asks about a booking that cannot be named', () => {
	const { asks, page } = pageFor(openIn(unnamed));
	expect(asks.map(({ label }) => label)).toEqual(['What is row 4?', 'Which field is row 4?']);
	expect(JSON.stringify(page.fields)).toContain('n8n cannot name its booking');
});

it('asks about thirty rows in one upload', () => {
	const many = Array.from({ length: 45 }, (_, at) => ({ ...ofBooking, row: at + 2 }));
	const open = openIn(...many);
	const { questions, page } = pageFor(open);
	expect([questions.length, page.text]).toEqual([30, expect.stringMatching(/ 15 more rows will/)]);
	expect(rowsPage({ ...state, asked: questions }, open.slice(30), columns, sheet, 8)).toBe(
		undefined,
	);
});

it.each<[string, Record<string, string>, Summary['rowQuestions'], unknown[][]]>([
	[
		'left',
		{},
		[ofBooking],
		[
			[2, ''],
			[3, ''],
			[4, 'not 4999'],
		],
	],
	[
		'a booking',
		{ 'What is row 4?': 'It is' },
		[ofBooking],
		[
			[2, ''],
			[3, ''],
			[4, '5001'],
		],
	],
	[
		'another job, beside what the cell denies',
		{ 'What is row 4?': 'Another' },
		[ofBooking],
		[
			[2, ''],
			[3, ''],
			[4, 'not 4999, 5001'],
		],
	],
	[
		'the same as another row',
		{ 'What is row 3?': 'The same' },
		[ofEarlier],
		[
			[2, ''],
			[4, 'not 4999'],
		],
	],
	[
		'another field',
		{
			'What is row 3?': 'Another',
			'Which field is row 3?': ' North ',
			'Which field is row 2?': 'River',
		},
		[ofEarlier],
		[
			[2, '', 'River'],
			[3, '', 'North'],
			[4, 'not 4999'],
		],
	],
	[
		'another field than a booking that cannot be named',
		{ 'What is row 4?': 'Another', 'Which field is row 4?': 'North' },
		[unnamed],
		[
			[2, ''],
			[3, ''],
			[4, 'not 4999', 'North'],
		],
	],
])('an answer is in the cells: %s', (_, answers, questions, cells) => {
	const { mode, rows, answers: all } = answered(answers, ...questions);
	expect(mode).toBe('look');
	expect(cellsOf(rows)).toEqual(cells.map((row) => [...row, undefined].slice(0, 3)));
	expect(all.said).toEqual({});
	expect(answersToKeep(all)).toEqual({ said: {} });
});

it('asks again for a field that was not named, and writes nothing', () => {
	const { note, rows } = answered({ 'What is row 3?': 'Another' }, ofEarlier);
	expect(note).toBe('Answer again: Which field is row 3?; Which field is row 2?');
	expect(cellsOf(rows)).toEqual(cellsOf(sheet));
});

it('asks about a row again for another booking only, and adds to its cell', () => {
	const { asked = [], answers } = answered({ 'What is row 4?': 'Another' }, ofBooking);
	const other = { ...ofBooking, bookings: [{ ...booked, bookingID: 5002 }] };
	const open = openRows({ ...state, asked }, summaryOf([ofBooking, other]), sheet);
	expect(open.map(({ bookings }) => bookings)).toEqual([other.bookings]);
	const [key] = pageFor(open).asks.map((ask) => ask.key);
	const both = { answers: { ...answers, [key ?? '']: 'another' }, asked: [...asked, ...open] };
	expect(cellsOf(answeredRows(sheet, { ...state, ...both }).rows)[2]).toEqual([
		...[4, 'not 4999, 5001, 5002', undefined],
	]);
});

it('writes into the column that holds the Booking ID or the plot', () => {
	const named = [
		{ column: 'Buchung', field: 'Booking ID' },
		{ column: 'Feld', field: 'Plot' },
	];
	const rows = sheet.map((row) => ({ ...row, Feld: row.row_number === 2 ? 'River' : '' }));
	const summary = { ...summaryOf([ofEarlier, ofBooking]), columns: named };
	expect(openRows(state, summary, rows)).toMatchObject([
		// The earlier row has a plot.
		{ plotColumn: 'Feld', plots: [3] },
		{ idColumn: 'Buchung', plots: [] },
	]);
});
