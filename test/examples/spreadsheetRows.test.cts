import {
	answeredRows,
	answersToKeep,
	rowKeysIn,
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
	...{ row_number, Farmer: 'Amina', Phone: '+2348031234567', Work: `Ploughing ${row_number}` },
	...{ Date: 46_508, bookingID: row_number === 4 ? 'not 4999' : '' },
}));
const columns = [
	{ column: 'Date', field: 'Service Date' },
	{ column: 'bookingID', field: 'Booking ID' },
];
const booked = {
	...{ bookingID: 5001, text: 'booking 5001 has the same name, but another day' },
	...{ isSame: false, tractorId: 201 },
};
const ofBooking = { row: 4, farmer: 'Amina', bookings: [booked], needsPlot: false };
const ofEarlier = {
	...{ row: 3, farmer: 'Amina', bookings: [], needsPlot: true },
	earlier: { row: 2, text: 'row 2 is the same but for Work (Ploughing, Planting)' },
};
const unnamed = { row: 4, farmer: 'Amina', bookings: [], needsPlot: true };
const state: State = { answers: {}, more: [], note: '', tab: 'List' };

const summaryOf = (rowQuestions: Summary['rowQuestions']): Summary => ({
	...{
		problem: '',
		notices: [],
		columns,
		otherColumns: [],
		questions: [],
		issues: [],
		rowQuestions,
	},
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
	expect(fields).toContain('Booking 5001 has the same name&#44; but another day&#59; tractor 201');
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
	const many = Array.from({ length: 45 }, (_, at) => ({
		Name: `Farmer ${at}`,
		row_number: at + 2,
	}));
	const all = many.map(({ row_number }) => ({ ...ofBooking, row: row_number }));
	const open = openRows(state, summaryOf(all), many);
	const { questions, page } = pageFor(open);
	expect([questions.length, page.text]).toEqual([30, expect.stringMatching(/ 15 more rows will/)]);
	const asked = questions.map(({ key }) => key);
	const left: State['answers'] = {};
	for (const key of asked) left[key] = 'later';
	// The next upload begins with the others.
	const again = openRows({ ...state, answers: answersToKeep(left) }, summaryOf(all), many);
	expect(again.map(({ row }) => row)).toEqual(
		[...Array(45).keys()].map((at) => ((at + 30) % 45) + 2),
	);
	const next = { ...state, asked, askedNow: asked };
	expect(rowsPage(next, open.slice(30), columns, many, 8)).toBe(undefined);
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
	const keys = open.map(({ key }) => key);
	const more = Object.fromEntries(keys.map((key) => [key, 'another']));
	const both = { answers: { ...answers, ...more }, asked: [...asked, ...keys] };
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
	const open = openRows(state, { ...summaryOf([ofEarlier, ofBooking]), columns: named }, rows);
	// The earlier row has a plot.
	expect(open[0]?.plots.map(({ number }) => number)).toEqual([3]);
	const asked = open.map(({ key }) => key);
	const keys = [...asked, ...open.flatMap(({ plots }) => plots.map(({ key }) => key))];
	const said = ['another', 'is 5001', 'North'];
	const answers: State['answers'] = {};
	for (const [at, key] of keys.entries()) answers[key] = said[at];
	const written = answeredRows(rows, { ...state, answers, asked });
	expect(written.rows).toMatchObject([{ Feld: 'River' }, { Feld: 'North' }, { Buchung: '5001' }]);
});

it('asks once, also if a column is found to be the plot', () => {
	const asked = openIn(ofBooking).map(({ key }) => key);
	const mapped = { ...summaryOf([ofBooking]), columns: [{ column: 'Work', field: 'Plot' }] };
	expect(openRows({ ...state, asked }, mapped, sheet)).toEqual([]);
});

it('asks whether a row whose booking was declined is booked again', () => {
	const declined = { ...ofBooking, isGivenUp: true };
	const [ask] = pageFor(openIn(declined)).asks;
	expect(ask?.options.map(({ text }) => text)).toEqual([
		...['Do not book it again', 'Book it again', 'Leave it for now'],
	]);
	const { rows } = answered({ 'What is row 4?': 'Book it again' }, declined);
	expect(cellsOf(rows)[2]?.[1]).toBe('not 4999, 5001');
});

describe('rows of which each is one booking', () => {
	const same = [2, 3].map((row) => ({
		...{ ...ofBooking, row },
		bookings: [{ ...booked, bookingID: 5000 + row, isSame: true }],
	}));

	it('are asked about all at once', () => {
		const { asks, page } = pageFor(openIn(...same, ofBooking));
		expect(asks.map(({ label }) => label)).toEqual([
			...['Are these rows these bookings?', 'What is row 4?'],
		]);
		expect(JSON.stringify(page.fields).match(/"defaultValue":"Leave/g)).toHaveLength(2);
		const { rows } = answered({ 'Are these rows these bookings?': 'Yes, all 2' }, ...same);
		expect(cellsOf(rows).map(([, id]) => id)).toEqual(['5002', '5003', 'not 4999']);
		const left = answered({}, ...same);
		expect(openRows(left, summaryOf(same), sheet)).toEqual([]);
	});

	it('are asked about one by one if somebody wants so', () => {
		const { asked, answers } = answered({ 'Are these rows these bookings?': 'Not all' }, ...same);
		expect(asked).toEqual([]);
		const { asks } = pageFor(openIn(...same), { answers });
		expect(asks.map(({ label }) => label)).toEqual(['What is row 2?', 'What is row 3?']);
	});

	it.each([
		[
			'another row may be',
			[...same, { ...ofBooking, bookings: same.flatMap((one) => one.bookings) }],
		],
		[
			'has another day',
			same.map((one) => ({ ...one, bookings: [{ ...booked, bookingID: one.row }] })),
		],
	])('are asked about one by one if the booking %s', (_, questions) => {
		const labels = pageFor(openIn(...questions)).asks.map(({ label }) => label);
		expect(labels).not.toContain('Are these rows these bookings?');
	});
});

describe('the answers for the next upload', () => {
	const { answers } = answered(
		{
			'What is row 3?': 'Another',
			'Which field is row 3?': 'North',
			'Which field is row 2?': 'River',
		},
		ofEarlier,
		ofBooking,
	);
	const kept = answersToKeep(answers);
	const asked = rowKeysIn(kept);

	it('hold for the same rows, wherever they are, but for those that were left', () => {
		expect(asked).toHaveLength(1);
		const next = [5, 6, 7].map((row_number, at) => ({ ...sheet[2 - at], row_number }));
		const { rows, said } = answeredRows(next, { ...state, answers: kept, asked });
		expect(cellsOf(rows)).toEqual([
			[5, 'not 4999', undefined],
			[6, '', 'North'],
			[7, '', 'River'],
		]);
		expect(said.map(({ text }) => text)).toEqual(['row 6 is another job than row 7']);
	});

	it('do not hold for a row that was edited', () => {
		const edited = sheet.map((row) => ({ ...row, Work: 'Planting' }));
		expect(answeredRows(edited, { ...state, answers: kept, asked }).rows).toEqual(edited);
	});

	it('have no name and no phone', () => {
		expect(JSON.stringify(kept)).not.toMatch(/Amina|80312/);
	});
});

describe('a column that tells the fields of one farmer apart', () => {
	const rows = sheet.map((row, at) => ({
		...row,
		...{ Field: ['River', 'North', 'River'][at], No: at + 1, Note: '' },
	}));
	const ignored = ['Field', 'No', 'Note'];
	const page = (answers: State['answers']) =>
		rowsPage(
			{ ...state, answers },
			openRows(state, summaryOf([ofEarlier, ofBooking]), rows),
			...([columns, rows, 7] as const),
		);

	it('is asked about once, instead of the rows', () => {
		const { asks = [] } = page({ ignored }) ?? {};
		expect(asks.map(({ label }) => label)).toEqual([
			...['Does Field tell the fields of one farmer apart?', 'What is row 4?'],
		]);
		expect(asks[0]?.options[0]?.value).toEqual({ plot: 'Field' });
	});

	it('is not asked about again, and then the rows are', () => {
		const { asks = [] } = page({ ignored, 'column plot': 'none' }) ?? {};
		expect(asks.map(({ label }) => label)).toContain('What is row 3?');
	});
});
