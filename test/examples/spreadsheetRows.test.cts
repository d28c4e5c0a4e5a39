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
	earlier: { row: 2, itemIndex: 0, text: 'row 2 is the same but for Work (Ploughing, Planting)' },
};
const unnamed = { row: 4, farmer: 'Amina', bookings: [], needsPlot: true };
const state: State = { answers: {}, before: {}, ignored: [], note: '', tab: 'List' };

const summaryOf = (rowQuestions: Summary['rowQuestions']): Summary => ({
	...{ problem: '', notices: [], otherColumns: [], questions: [], issues: [] },
	...{ columns, rowQuestions },
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

/** `row: what is in its Booking ID, plot` */
const cellsOf = (rows: readonly Row[]) =>
	rows.map(({ row_number, bookingID, Plot }) =>
		[`${row_number}: ${String(bookingID)}`, Plot].filter(Boolean).join(', '),
	);

it('asks what each row is, and leaves it by default', () => {
	const { asks, page } = pageFor(openIn(ofEarlier, ofBooking));
	const either = ['Another job: book it', 'Leave it for now'];
	expect(asks.map(({ label, options }) => [label, ...options.map(({ text }) => text)])).toEqual([
		['What is row 3?', 'The same as row 2: do not book it', ...either],
		['Which field is row 3?'],
		['Which field is row 2?'],
		['What is row 4?', 'It is booking 5001: do not book it', ...either],
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

const declined = { ...ofBooking, isGivenUp: true };
const fieldOf4 = { 'What is row 4?': 'Another', 'Which field is row 4?': 'North' };
const bothFields = {
	...{ 'What is row 3?': 'Another', 'Which field is row 3?': ' North ' },
	'Which field is row 2?': 'River',
};

it.each<[string, Summary['rowQuestions'][number], Record<string, string>, string]>([
	['left', ofBooking, {}, '2: |3: |4: not 4999'],
	['a booking', ofBooking, { 'What is row 4?': 'It is' }, '2: |3: |4: 5001'],
	['another job', ofBooking, { 'What is row 4?': 'Another' }, '2: |3: |4: not 4999, 5001'],
	['booked again', declined, { 'What is row 4?': 'Book it' }, '2: |3: |4: not 4999, 5001'],
	['not booked again', declined, { 'What is row 4?': 'Do not' }, '2: |3: |4: 5001'],
	['the same as another row', ofEarlier, { 'What is row 3?': 'The same' }, '2: |4: not 4999'],
	['another field', ofEarlier, bothFields, '2: , River|3: , North|4: not 4999'],
	['another field than an unnamed booking', unnamed, fieldOf4, '2: |3: |4: not 4999, North'],
])('an answer is in the cells: %s', (_, question, answers, cells) => {
	const { mode, rows, answers: all } = answered(answers, question);
	expect([mode, cellsOf(rows).join('|')]).toEqual(['look', cells]);
	expect(all.said).toBeUndefined();
});

it('asks about a row again for another booking only, and adds to its cell', () => {
	const { asked = [], answers } = answered({ 'What is row 4?': 'Another' }, ofBooking);
	const other = { ...ofBooking, bookings: [{ ...booked, bookingID: 5002 }] };
	const open = openRows({ ...state, asked }, summaryOf([ofBooking, other]), sheet);
	expect(open.map(({ bookings }) => bookings)).toEqual([other.bookings]);
	const keys = open.map(({ key }) => key);
	const more = Object.fromEntries(keys.map((key) => [key, 'another']));
	const both = { answers: { ...answers, ...more }, asked: [...asked, ...keys] };
	expect(cellsOf(answeredRows(sheet, { ...state, ...both }).rows)[2]).toBe(
		'4: not 4999, 5001, 5002',
	);
});

it('leaves a row open, whatever other rows are, if it is left for now or was not asked about', () => {
	const many = Array.from({ length: 32 }, (_, at) => ({
		Name: `Farmer ${at}`,
		row_number: at + 2,
	}));
	const open = openRows(
		state,
		summaryOf(many.map(({ row_number }) => ({ ...ofBooking, row: row_number }))),
		many,
	);
	const { questions, left } = pageFor(open);
	const asked = [...questions, ...left].map(({ key }) => key);
	const [first = 'row '] = asked;
	const answers: State['answers'] = {};
	answers[first] = 'another';
	const { rows } = answeredRows(many, { ...state, answers, asked });
	expect(rows.map(({ possibleBookingIDs }) => possibleBookingIDs)).toEqual([
		undefined,
		...Array<string>(31).fill('5001'),
	]);
});

it('does not ask again about a row that was left if the answer about another one changes what it may be', () => {
	const both = { ...ofEarlier, bookings: [booked], row: 4 };
	const { asked, askedNow, answers } = answered({}, both);
	const openWith = (change: Partial<State>) =>
		openRows({ ...state, answers, ...change }, summaryOf([{ ...both, bookings: [] }]), sheet);
	expect(openWith({ asked, askedNow })).toEqual([]);
	// The next upload does.
	expect(openWith({})).toHaveLength(1);
});

it.each([
	['same', [2], [undefined]],
	['another', [2, 3], ['River', 'North']],
])('tells two rows apart that have the same cells: %s', (answer, left, plots) => {
	const twice = [2, 3].map((row_number) => ({ row_number, Farmer: 'Amina' }));
	const [asked] = openRows(state, summaryOf([ofEarlier]), twice);
	if (!asked) throw new Error('Nothing is asked.');
	const answers: State['answers'] = {};
	answers[asked.key] = answer;
	for (const { key, number } of asked.plots) answers[key] = number === 2 ? 'River' : 'North';
	const { rows, sameAs } = answeredRows(twice, { ...state, answers, asked: [asked.key] });
	const others = rows.filter(({ row_number }) => !sameAs.has(row_number));
	expect(others.map(({ row_number }) => row_number)).toEqual(left);
	expect(others.map(({ Plot }) => Plot)).toEqual(plots);
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

const same = [2, 3].map((row) => ({
	...{ ...ofBooking, row },
	bookings: [{ ...booked, bookingID: 5000 + row, isSame: true }],
}));
const labelsOf = (open: readonly AskedRow[], change: Partial<State> = {}) =>
	pageFor(open, change).asks.map(({ label }) => label);

it('rows of which each is one booking are asked about all at once, or one by one if somebody wants so', () => {
	const together = 'Are these rows these bookings?';
	expect(labelsOf(openIn(...same, ofBooking))).toEqual([together, 'What is row 4?']);
	const { rows } = answered({ [together]: 'Yes, all 2' }, ...same);
	expect(cellsOf(rows)).toEqual(['2: 5002', '3: 5003', '4: not 4999']);
	expect(openRows(answered({}, ...same), summaryOf(same), sheet)).toEqual([]);
	const { asked, answers } = answered({ [together]: 'Not all' }, ...same);
	expect(asked).toEqual([]);
	const oneByOne = ['What is row 2?', 'What is row 3?'];
	expect(labelsOf(openIn(...same), { answers })).toEqual(oneByOne);
	const another = { ...ofBooking, bookings: same.flatMap((one) => one.bookings) };
	expect(labelsOf(openIn(...same, another))).toEqual([...oneByOne, 'What is row 4?']);
	const otherDay = same.map((one) => ({ ...one, bookings: [{ ...booked, bookingID: one.row }] }));
	expect(labelsOf(openIn(...otherDay))).toEqual(oneByOne);
});

it('answers hold for the same rows in the next upload, but for those that were left, without names', () => {
	const { answers } = answered(bothFields, ofEarlier, ofBooking);
	const kept = answersToKeep(answers);
	expect(JSON.stringify(kept)).not.toMatch(/Amina|80312/);
	const asked = rowKeysIn(kept);
	expect(asked).toHaveLength(1);
	const next = [5, 6, 7].map((row_number, at) => ({ ...sheet[2 - at], row_number }));
	const { rows, said } = answeredRows(next, { ...state, answers: kept, asked });
	expect(cellsOf(rows)).toEqual(['5: not 4999', '6: , North', '7: , River']);
	expect(said.map(({ text }) => text)).toEqual(['row 6 is not the same as row 7']);
	const edited = sheet.map((row) => ({ ...row, Work: 'Planting' }));
	expect(answeredRows(edited, { ...state, answers: kept, asked }).rows).toEqual(edited);
});

it('a column that tells the fields of one farmer apart is asked about once, instead of the rows', () => {
	const rows = sheet.map((row, at) => ({
		...row,
		...{ Field: ['River', 'North', 'River'][at], No: at + 1, Note: '' },
	}));
	const ofField = 'Does Field tell the fields of one farmer apart?';
	const labelsWith = (
		own: readonly Row[],
		ignored: string[],
		answers: State['answers'] = {},
		...more: Summary['rowQuestions']
	) => {
		const open = openRows(state, summaryOf([ofEarlier, ...more, ofBooking]), own);
		const page = rowsPage({ ...state, ignored, answers }, open, columns, own, 7);
		return page?.asks.map(({ label }) => label);
	};
	const names = ['No', 'Note', 'Field'];
	expect(labelsWith(rows, names)).toEqual([ofField, 'What is row 4?']);
	expect(labelsWith(rows, names, { 'column plot': 'none' })).toContain('What is row 3?');
	// What is the same in all cells, no column tells apart.
	const twice = [...rows, ...rows.slice(-1).map((row) => ({ ...row, row_number: 5 }))];
	const typedTwice = { ...ofEarlier, row: 5, earlier: { ...ofEarlier.earlier, row: 4 } };
	expect(labelsWith(twice, ['Field'], {}, typedTwice)).toEqual([ofField, 'What is row 4?']);
});
