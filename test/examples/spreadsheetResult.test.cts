import { drawPage } from '../../examples/code/spreadsheet-to-bookings/parts/drawPage';
import type {
	Ending,
	Outcome,
	Page,
	Row,
	Step,
	Summary,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { nothingKnown } from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';
import type { Result } from '../../nodes/TractorBooking/resources/booking/create/row/row';

const summary: Summary = {
	...{ problem: '', notices: [], otherColumns: [], questions: [], unsendable: [] },
	...{ issues: [], rowQuestions: [] },
	columns: [{ column: 'Date', field: 'Service Date', isOfRequest: true }],
};

const row = (row_number: number, result: Result, reason = ''): Outcome => ({
	...{ row_number, result, reason, Date: 46_508, request: null, summary },
	...(result === 'created' ? { bookingID: 5001 } : {}),
	...(result === 'already booked' ? { bookingID: 4000 + row_number } : {}),
});

/**
 * What is drawn.
 *
 * @param given what the node gave
 * @param sheet all rows, if some are left out
 */
function drawn(
	given: Outcome[],
	{ sheet = given, ...step }: Partial<Step> & { sheet?: Row[] } = {},
) {
	return drawPage({
		...{
			given,
			checked: given,
			sheet,
			hidden: [],
			struck: [],
			merged: [],
			number: 3,
			contact: 'Efe, +234803',
		},
		step: {
			...{ ...nothingKnown(), mode: 'book', key: '', set: {} },
			...{ toCheck: true, rows: given, checks: 2, tab: 'List', ...step },
		},
	});
}

const ending = (...arguments_: Parameters<typeof drawn>) => drawn(...arguments_) as Ending;

const inDoubt = row(3, 'to fix', 'Service Date: 46508 is 2027-05-01, or 2027-01-05');

it('has the day that was read of each row, and leaves that of any other as it is', () => {
	const request = { serviceDate: '2027-05-01' };
	const text = { ...row(4, 'created'), Date: '1/5/2027', request };
	const days = ending([{ ...row(2, 'created'), request }, inDoubt, text]).lines;
	expect(days.map(({ Date }) => Date)).toEqual(['2027-05-01', 46508, '1/5/2027']);
});

it('gives a possible duplicate back with the bookings that it may be', () => {
	const reason = 'The row may be booked already: booking 5001 (new) has the same name and day';
	const asked = { ...row(3, 'possible duplicate', reason), possibleBookingIDs: '5001' };
	const { html, lines } = ending([row(2, 'created'), asked]);
	const toDo = 'Upload the sheet again: a page asks about this row';
	expect(html).toContain('a page asks about this row');
	expect(lines).toMatchObject([
		{ possibleBookingIDs: '' },
		{ reason: `${reason}. ${toDo}`, possibleBookingIDs: '5001' },
	]);
	expect(ending([row(2, 'created')]).lines[0]).not.toHaveProperty('possibleBookingIDs');
});

it('a row that may be a booking, and is wrong, says how to mend it', () => {
	const wrong = { ...row(2, 'to fix', 'has no unit'), possibleBookingIDs: '5001' };
	const issue = { row: 2, code: 'noUnit', problem: 'has no unit', fix: 'write ha or ac' };
	const lines = ending([{ ...wrong, summary: { ...summary, issues: [issue] } }]).lines;
	expect(lines[0]?.reason).toBe('has no unit. Write ha or ac');
});

it('tells an officer what can be done in the row, and not what only the owner can set', () => {
	const said = { row: 2, code: 'noUnit', problem: 'has no unit' };
	const issue = { ...said, field: 'Land Area', fix: 'write ha or ac', setting: 'set Area Unit' };
	const toDo = 'Write ha or ac, or set Area Unit.';
	const wrong = { ...row(2, 'to fix', 'has no unit'), toDo };
	const toDoWith = (issues: Summary['issues']) =>
		ending([{ ...wrong, summary: { ...summary, issues } }]).lines[0]?.reason;
	expect(toDoWith([issue])).toBe('has no unit. Write ha or ac');
	expect(toDoWith([{ ...issue, fix: '' }])).toBe('has no unit. Ask Efe, +234803: set Area Unit');
	const other = { ...said, field: 'Crop', fix: 'fill it in' };
	expect(toDoWith([issue, other])).toBe('has no unit. Land Area: write ha or ac; Crop: fill it in');
});

it('says of a row that was held back what its result says, and not what was wrong before', () => {
	const issue = { row: 2, code: 'declined', problem: 'it was declined', fix: 'write "not 5001"' };
	const held = { ...row(2, 'not sent', 'The service failed'), toDo: 'Try again later.' };
	const { html } = ending([{ ...held, summary: { ...summary, issues: [issue] } }]);
	expect(html).toContain('Try again later');
	expect(html).not.toContain('write');
});

it('takes no sign of a sheet for HTML, or for an expression', () => {
	const text = `</td></tr> {{ 40 + 2 }} \`"'$& &lt;`;
	const named = { ...row(2, 'created'), request: { farmerName: text } };
	const { html } = ending([named, row(3, 'to fix', text)]);
	expect(html).not.toMatch(/<\/tr> |[{}`"'$]|&lt;/);
	expect(html.match(/40 &#43; 2/g)).toHaveLength(2);
});

it('says when to upload again what may be booked, and not that nothing was booked', () => {
	const wait = 'It is unknown whether … Wait 20 minutes, then upload';
	const rows = [2, 3, 4].map((at) => row(at, 'unknown', wait));
	const { title, html } = ending([...rows, row(5, 'to fix')]);
	expect(title).toBe('3 of 4 rows may be booked');
	expect(html).toMatch('3 rows that may be booked');
	expect(html).toMatch('Wait 20 minutes');
	expect(html).toMatch('1 row to look at');
});

it.each<[string, Partial<Outcome>]>([
	['that was declined', { toDo: 'To book it again, …' }],
	['for another day', { toDo: 'If it has to change, …' }],
	[
		'that it may be',
		{ toDo: 'If the row is that, …', bookingID: '', possibleBookingIDs: '100206' },
	],
])('counts a row with a booking %s as booked, and as one to look at', (_, more) => {
	const toLookAt = { ...row(2, 'already booked'), ...more };
	const { title, html } = ending([toLookAt, row(3, 'already booked')]);
	expect(title).toBe('2 of 2 rows were already booked, 1 to look at');
	expect(html).toMatch(/1 row to look at.*<i>Row<\/i>2<.*1 row booked already.*<i>Row<\/i>3</);
	expect(html).not.toContain('Correct the rows with errors');
});

it('counts rows that are left out, and keeps them and the empty lines in their places', () => {
	const sheet = [
		{ row_number: 2, Status: 'Pending', Date: 'soon' },
		{ row_number: 3, Status: 'Approved', Date: 'soon' },
		{ row_number: 6, Status: '', Date: 'soon' },
		{ row_number: 7, Status: 'TOTAL' },
	];
	const { lines, title, html } = ending([{ ...row(3, 'created'), Status: 'Approved' }], {
		...{ sheet, answers: { which: 'Status' } },
	});
	expect(lines.map(({ Status, reason }) => [Status, reason])).toEqual([
		['Pending', 'Status is Pending'],
		['Approved', ''],
		...[[], []],
		['', 'Status is empty'],
		['TOTAL', ''],
	]);
	// A sum is no row.
	expect(title).toBe('1 of 3 rows is booked now');
	expect(html).toContain(
		'<h3>2 rows left out</h3><p>Status is Pending &#40;1&#41;&#44; Status is empty &#40;1&#41;.',
	);
	expect(html).toContain('<h3>1 line is no request</h3><p>7 &#40;TOTAL&#41;');
});

describe('the title', () => {
	const all = (...results: Result[]) => results.map((result, at) => row(at + 2, result));
	const mixed = ['created', 'unknown', 'already booked'] as const;
	it.each<[string, Outcome[], Partial<Step>]>([
		['1 of 3 rows is booked now, 1 may be, 1 booked already', all(...mixed), {}],
		[
			'1 of 2 rows is booked now',
			[row(2, 'created'), { ...row(3, 'already booked'), toDo: 'If it is another job, …' }],
			{},
		],
		['No row is left to book', [], { mode: 'look' }],
		[
			'1 of 3 rows can be booked, 1 was sent and may be booked',
			all('already booked', 'unknown', 'would create'),
			{ mode: 'look' },
		],
		[
			'1 of 2 rows is booked, 1 was sent and may be booked',
			all('already booked', 'unknown'),
			{ mode: 'look' },
		],
	])('is "%s"', (title, given, step) => {
		const sheet = given.length > 0 ? given : [{ row_number: 2 }];
		const result = drawn(given, { sheet, ...step });
		const shown = result.route === 'page' ? result.page : result;
		expect(shown).toMatchObject({ title });
	});
});

it('says what is wrong with all rows once, and how many it keeps from being booked', () => {
	const rows = [
		{ ...row(2, 'not sent', 'No connection'), toDo: 'Try again later.' },
		{ ...row(3, 'not sent', 'No connection'), toDo: 'See row 2.' },
		row(4, 'to fix', 'x'),
	];
	const { html, title } = ending(rows, { mode: 'over' });
	expect(title).toBe('Nothing was booked');
	expect(html).toMatch(
		/^<p><b>No connection&#46; Try again later&#46;<\/b><\/p><p>2 rows were not booked for this reason/,
	);
	expect(html).toMatch('1 row to look at');
});

it('shows before a decision what is not read, and above the choice what few rows have there', () => {
	const rows = Array.from({ length: 30 }, (_, at) => ({
		...{ ...row(at + 2, 'would create'), Cost: at % 6, Paydate: 46_508 },
		...{ Remarks: at === 3 ? 'wait for rain' : '', Note: at < 6 ? 'wait' : '' },
	}));
	const ignored = ['Remarks', 'Cost', 'Paydate', 'Empty', 'Note'];
	const { page } = drawn(rows, { mode: 'look', ignored }) as Page;
	const [, above = '', choice = '', below = ''] = (page as { fields: unknown[] }).fields.map(
		(field) => JSON.stringify(field),
	);
	expect(above).toContain('Not read&#58; Remarks &#40;row 5&#58; wait for rain&#41;');
	expect(above).toContain('Note &#40;row 2&#58; wait&#44; row 3&#58; wait');
	expect(above).toContain('To leave rows out&#44; delete them in Excel&#44;');
	expect(choice).toContain('"defaultValue":"Book 30 rows"');
	expect(below).toContain(
		'<p>Cost &#40;0&#44; 1&#44; 2&#44; 3 &#8230;&#41;&#44; Paydate &#40;2027&#45;05&#45;01&#41;&#44; Empty</p>',
	);
});
