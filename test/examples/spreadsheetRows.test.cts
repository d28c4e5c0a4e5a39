import { answeredRows } from '../../examples/code/spreadsheet-to-bookings/parts/rowAnswers';
import { openRows, rowsPage } from '../../examples/code/spreadsheet-to-bookings/parts/rowsPage';
import type {
	AskedRow,
	Page,
	Row,
	State,
	Summary,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import {
	nothingKnown,
	takeAnswers,
} from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';

const sheet: Row[] = [2, 3, 4].map((row_number) => ({
	...{ row_number, Farmer: 'Amina', Phone: '+2348031234567', Work: `Ploughing ${row_number}` },
	...{ Date: 46_508, bookingID: row_number === 4 ? 'not 4999' : '' },
}));
const columns = [
	{ column: 'Date', field: 'Service Date', isOfRequest: true },
	{ column: 'bookingID', field: 'Booking ID', isOfRequest: true },
];
const booked = {
	...{ bookingID: 5001, text: 'booking 5001 has the same name, but another day' },
	...{ isSame: false, tractorId: 201 },
};
const ofBooking = {
	row: 4,
	farmer: 'Amina',
	bookings: [booked],
	needsPlot: false,
	isGivenUp: false,
};
const ofEarlier = {
	...{ row: 3, farmer: 'Amina', bookings: [], needsPlot: true, isGivenUp: false },
	earlier: { row: 2, itemIndex: 0, text: 'row 2 is the same but for Work (Ploughing, Planting)' },
};
const state: State = { ...nothingKnown(), tab: 'List' };

const summaryOf = (rowQuestions: Summary['rowQuestions']): Summary => ({
	...{ problem: '', notices: [], otherColumns: [], questions: [], unsendable: [], issues: [] },
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

const cellsOf = (rows: readonly Row[]) =>
	rows.map(({ row_number, bookingID, Plot }) =>
		[`${row_number}: ${String(bookingID)}`, Plot].filter(Boolean).join(', '),
	);

it('asks about a row again for another booking, and adds to its cell', () => {
	const { asked = [], answers } = answered({ 'What is row 4?': 'Another' }, ofBooking);
	const other = { ...ofBooking, bookings: [{ ...booked, bookingID: 5002 }] };
	const open = openRows({ ...state, answers, asked }, summaryOf([other]), sheet);
	expect(open.map(({ bookings }) => bookings)).toEqual([other.bookings]);
	const keys = open.map(({ key }) => key);
	const more = Object.fromEntries(keys.map((key) => [key, 'another']));
	const both = { answers: { ...answers, ...more }, asked: [...asked, ...keys] };
	expect(cellsOf(answeredRows(sheet, { ...state, ...both }).rows)[2]).toBe(
		'4: not 4999, 5001, 5002',
	);
});

it('takes a booking out of the column of the form if its answer goes into another one', () => {
	const returned = sheet.map((row) => ({ ...row, 'Booking No': '', bookingID: 5001 }));
	const own = { column: 'Booking No', field: 'Booking ID', isOfRequest: true };
	const summary = { ...summaryOf([ofBooking]), columns: [own, ...columns] };
	const asked = openRows(state, summary, returned).map(({ key }) => key);
	const rowsWith = (answer: string) => {
		const answers: State['answers'] = {};
		for (const key of asked) answers[key] = answer;
		return answeredRows(returned, { ...state, answers, asked }).rows;
	};
	expect(rowsWith('another')[2]).toMatchObject({ 'Booking No': 'not 5001', bookingID: '' });
	expect(rowsWith('later')[2]).toMatchObject({ 'Booking No': '', bookingID: 5001 });
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

it('asks nothing again of a row that is said to be a booking', () => {
	const two = { ...ofBooking, bookings: [booked, { ...booked, bookingID: 5002 }] };
	const { asked, answers } = answered({ 'What is row 4?': 'It is booking 5001' }, two);
	expect(openRows({ ...state, asked, answers }, summaryOf([ofBooking]), sheet)).toEqual([]);
});

// Else the plots of two rows would answer for one that was left, and it would be booked.
it('asks about a row once the earlier one that it may be is decided', () => {
	const questions = [{ ...ofBooking, row: 2 }, ofEarlier];
	expect(pageFor(openIn(...questions)).asks.map(({ label }) => label)).toEqual(['What is row 2?']);
	const rowsAfter = (answer: Record<string, string>) => {
		const { asked, answers } = answered(answer, ...questions);
		const open = openRows({ ...state, asked, answers }, summaryOf(questions), sheet);
		return open.map(({ row }) => row);
	};
	expect(rowsAfter({ 'What is row 2?': 'It is' })).toEqual([3]);
	expect(rowsAfter({})).toEqual([]);
});

// Else the answer about one would be one about the other, and a row that was left would be booked.
it('asks about rows with plots that may be one booking one after the other', () => {
	const plots = sheet.map((row) => ({ ...row, Plot: `Field ${row.row_number}` }));
	const questions = [2, 3].map((row) => ({ ...ofBooking, row }));
	const open = openRows(state, summaryOf(questions), plots);
	const page = rowsPage(state, open, columns, plots, 7);
	expect(page?.questions.map(({ row }) => row)).toEqual([2]);
	const asked = open.slice(0, 1).map(({ key }) => key);
	expect(openRows({ ...state, asked }, summaryOf(questions), plots)).toEqual([]);
});

it.each([
	['same', {}, [2], [undefined]],
	['same', { Plot: 'River' }, [2], ['River']],
	['another', {}, [2, 3], ['River', 'North']],
])('tells two rows apart that have the same cells: %s, %j', (answer, cells, left, plots) => {
	const twice = [2, 3].map((row_number, at) => ({
		...{ row_number, Farmer: 'Amina' },
		...(at === 0 && cells),
	}));
	const [asked] = openRows(state, summaryOf([ofEarlier]), twice);
	if (!asked) throw new Error('Nothing is asked.');
	const answers: State['answers'] = {};
	answers[asked.key] = answer;
	for (const { key, number } of asked.plots) answers[key] = number === 2 ? 'River' : 'North';
	const { rows, sameAs } = answeredRows(twice, { ...state, answers, asked: [asked.key] });
	const others = rows.filter(({ row_number }) => !sameAs.has(row_number));
	expect(others.map(({ row_number }) => row_number)).toEqual(left);
	expect(others.map(({ Plot }) => Plot)).toEqual(plots);
	// Without the other one, it is no one's copy.
	const alone = answeredRows(twice.slice(1), { ...state, answers, asked: [asked.key] });
	expect([...alone.sameAs]).toEqual([]);
});

it('rows of which each is one booking are asked about all at once, and no others', () => {
	const all = 'Is each of these rows the booking beside it?';
	const same = [2, 3].map((row) => ({
		...{ ...ofBooking, row },
		bookings: [{ ...booked, bookingID: 5000 + row, isSame: true }],
	}));
	const labelsOf = (...questions: Summary['rowQuestions']) =>
		pageFor(openIn(...questions)).asks.map(({ label }) => label);
	expect(labelsOf(...same, ofBooking)).toEqual([all, 'What is row 4?']);
	// A second field shows that it is one.
	expect(JSON.stringify(pageFor(openIn(...same)))).toMatch(/Date&#58; &#8296;2027/);
	const another = { ...ofBooking, bookings: same.flatMap(({ bookings }) => bookings) };
	expect(labelsOf(...same, another)).not.toContain(all);
	const sameAs = (...ids: number[]) =>
		ids.map((bookingID) => ({ ...booked, bookingID, isSame: true }));
	for (const open of [
		{ ...ofBooking, bookings: sameAs(5011, 5012) },
		{ ...ofEarlier, row: 4, earlier: { ...ofEarlier.earlier, row: 9 }, bookings: sameAs(5011) },
	])
		expect(labelsOf(...same, open).slice(0, 2)).toEqual([all, 'What is row 4?']);
	expect(labelsOf(...same.map((one) => ({ ...one, isGivenUp: true })))).not.toContain(all);
});
