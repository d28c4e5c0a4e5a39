// The pages of examples that are drawn without a node: drawnPages.txt has them as they are seen.
import { DateTime } from 'luxon';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { smsOf } from '../../examples/code/booking-to-sms/parts/sms';
import { textsPage } from '../../examples/code/booking-to-sms/parts/textsPage';
import { statusPage } from '../../examples/code/sheet-with-status/parts/statusPage';
import { drawPage } from '../../examples/code/spreadsheet-to-bookings/parts/drawPage';
import type {
	Ending,
	Outcome,
	Row,
	Step,
	Summary,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { nothingKnown } from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';
import type { Result } from '../../nodes/TractorBooking/resources/booking/create/row/results';
import { IF_REFUSED } from '../../nodes/TractorBooking/resources/booking/create/say/failures';
import { OutcomePage } from '../support/page.cts';
import { shownOn } from './shown.cts';

Object.assign(globalThis, { DateTime });

// `SHEETS=write npx jest drawnPages` writes it.
const page = new OutcomePage(join(__dirname, 'drawnPages.txt'));

const summary: Summary = {
	...{ problem: '', notices: [], otherColumns: [], questions: [], unsendable: [] },
	...{ issues: [], rowQuestions: [] },
	columns: [{ column: 'Date', field: 'Service Date', isOfRequest: true }],
};

const row = (row_number: number, result: Result, reason = '', more: IDataObject = {}): Outcome => ({
	...{ row_number, result, reason, Date: 46_508, request: null, summary },
	...(result === 'created' ? { bookingID: 5001 } : {}),
	...(result === 'already booked' ? { bookingID: 4000 + row_number } : {}),
	...more,
});
const withIssues = (
	one: Outcome,
	...issues: Array<Partial<Summary['issues'][number]>>
): Outcome => ({
	...one,
	summary: { ...summary, issues: issues as Summary['issues'] },
});
const all = (...results: Result[]) => results.map((result, at) => row(at + 2, result));

type Given = Partial<Step> & { sheet?: Row[] };

/** What is drawn. @param given what the node gave @param sheet all rows, if some are left out */
const drawn = (given: Outcome[], { sheet = given, ...step }: Given = {}) =>
	drawPage({
		...{ given, checked: given, sheet, number: 3 },
		contact: 'Efe, +234803',
		step: {
			...{ ...nothingKnown(), mode: 'book', key: '', set: {} },
			...{ toCheck: true, rows: given, checks: 2, tab: 'List', ...step },
		},
	});

const request = { serviceDate: '2027-05-01' };
const inDoubt = row(3, 'to fix', 'Service Date: 46508 is 2027-05-01, or 2027-01-05');
const mayBe = 'The row may be booked already: booking 5001 (new) has the same name and day';
const noUnit = { row: 2, code: 'noUnit', field: 'Land Area', problem: 'has no unit' };
const setting = 'set Area Unit';
const wrong = row(2, 'to fix', 'has no unit', { toDo: 'Write ha or ac, or set Area Unit.' });
const declined = { row: 2, code: 'declined', problem: 'it was declined', fix: 'write "not 5001"' };
const wait = 'It is unknown whether … Wait 20 minutes, then upload';
const left: Row[] = [
	{ row_number: 2, Status: 'Pending', Date: 'soon' },
	{ row_number: 3, Status: 'Approved', Date: 'soon' },
	{ row_number: 6, Status: '', Date: 'soon' },
	{ row_number: 7, Status: 'TOTAL' },
];
const long = Array.from({ length: 30 }, (_, at) =>
	row(at + 2, 'would create', '', {
		...{ Cost: at % 6, Paydate: 46_508, Remarks: at === 3 ? 'wait for rain' : '' },
		Note: at < 6 ? 'wait' : '',
	}),
);
const ignored = ['Remarks', 'Cost', 'Paydate', 'Empty', 'Note'];
const look = { mode: 'look' } as const;

it.each<[string, Outcome[], Given?]>([
	[
		'the day that was read of each row, and that of any other as it is',
		[
			row(2, 'created', '', { request }),
			inDoubt,
			row(4, 'created', '', { request, Date: '1/5/2027' }),
		],
	],
	[
		'a possible duplicate, with the bookings that it may be',
		[row(2, 'created'), row(3, 'possible duplicate', mayBe, { possibleBookingIDs: '5001' })],
	],
	[
		'a row that may be a booking, and is wrong',
		[withIssues({ ...wrong, possibleBookingIDs: '5001' }, { ...noUnit, fix: 'write ha or ac' })],
	],
	[
		'what can be done in the row, and by the owner',
		[withIssues(wrong, { ...noUnit, fix: 'write ha or ac', setting })],
	],
	['what only the owner can set', [withIssues(wrong, { ...noUnit, fix: '', setting })]],
	[
		'two things to do',
		[
			withIssues(
				wrong,
				{ ...noUnit, fix: 'write ha or ac', setting },
				{ ...noUnit, field: 'Crop', fix: 'fill it in' },
			),
		],
	],
	[
		'a row that was held back, and not what was wrong before',
		[withIssues(row(2, 'not sent', 'The service failed', { toDo: 'Try again later.' }), declined)],
	],
	[
		'when to upload again what may be booked',
		[...[2, 3, 4].map((at) => row(at, 'unknown', wait)), row(5, 'to fix')],
	],
	[
		'whom to ask for a booking that the service says exists',
		[
			row(2, 'failed', 'It is refused', { toDo: IF_REFUSED.refusedFix }),
			row(3, 'unknown', 'It failed', {
				toDo: 'If that says what is wrong, look the booking up with Booking > Get Many: …',
			}),
		],
	],
	...['To book it again, …', 'If it has to change, …'].map((toDo): [string, Outcome[]] => [
		`a row that is booked, and to look at: ${toDo}`,
		[row(2, 'already booked', '', { toDo }), row(3, 'already booked')],
	]),
	[
		'rows that are left out, and empty lines in their places; a sum is no row',
		[row(3, 'created', '', { Status: 'Approved' })],
		{ sheet: left, answers: { which: 'Status' } },
	],
	['booked, perhaps booked, and booked before', all('created', 'unknown', 'already booked')],
	['no row to book', [], { ...look, sheet: [{ row_number: 2 }] }],
	['sent before, and one to book', all('already booked', 'unknown', 'would create'), look],
	['sent before, and none to book', all('already booked', 'unknown'), look],
	[
		'what is wrong with all rows once, and how many it keeps from being booked',
		[
			row(2, 'not sent', 'No connection', { toDo: 'Try again later.' }),
			row(3, 'not sent', 'No connection', { toDo: 'See row 2.' }),
			row(4, 'to fix', 'x'),
		],
		{ mode: 'over' },
	],
	['what is not read, above the choice if few rows have it', long, { ...look, ignored }],
])('the end of a form: %s', (what, given, step = {}) =>
	page.tell(what, shownOn(drawn(given, step))),
);

it('Arabic letters do not move the plus of the phone after them', () => {
	const arabic = { farmerName: 'فاطمة', farmerPhone: '+212661234511' };
	const { html } = drawn([row(2, 'created', '', { request: arabic })]) as Ending;
	expect(html).toContain('فاطمة &#8296;&#43;212661234511&#8297;');
});

it('no sign of a sheet is taken for HTML, or for an expression', () => {
	const text = `</td></tr> {{ 40 + 2 }} \`"'$& &lt;`;
	const named = row(2, 'created', '', { request: { farmerName: text } });
	const { html } = drawn([named, row(3, 'to fix', text)]) as Ending;
	expect(html).not.toMatch(/<\/tr> |[{}`"'$]|&lt;/);
	expect(html.match(/40 &#43; 2/g)).toHaveLength(2);
});

const day = (serviceDate: string, bookingStatusLabel: string, tractorPairedTo: number | null) => ({
	...{ serviceDate, bookingStatusLabel, tractorPairedTo },
	...{ farmerName: 'Amina <Bello>', farmerPhone: '+2348031234567' },
});
const sheet = [
	{ row_number: 2, Farmer: 'Amina', bookingID: 1, 'Service date': 46_387 },
	{ row_number: 3, Farmer: 'Bola', 'Service date': 46_387 },
	{ row_number: 6, Farmer: 'Chidi', bookingID: 2 },
	{ row_number: 7, Farmer: 'Dayo', bookingID: 3 },
	{ row_number: 8, Farmer: 'Emeka', bookingID: 4 },
	{ row_number: 9, Farmer: 'Femi', bookingID: 5 },
];
const found = [
	{ bookingID: 1, ...day('2026-12-01', 'paired', 7) },
	{ bookingID: 2, ...day('2026-11-01T00:00:00Z', 'confirmed', 7) },
	{ error: { message: 'There is no booking 3.' } },
	{ bookingID: 4, ...day('2026-12-01', 'declined', null) },
	{ bookingID: 5, ...day('2026-11-30', 'new', null) },
];
const asked = sheet.filter(({ bookingID }) => bookingID);

it.each<[string, typeof asked, typeof found]>([
	['a list for each tractor and day, and what to look at', asked, found],
	['no row with a bookingID', [], []],
	['no booking that can be read', asked, asked.map(() => ({ error: { message: 'no way' } }))],
])('the status of a sheet: %s', (what, rows, bookings) => {
	page.tell(what, shownOn(statusPage(sheet, rows, bookings, '2026-11-28')));
});

const texts = {
	en: { newBooking: 'Booked <b>', bookingCompleted: 'Done', bookingDeclined: 'Declined' },
	fr: { newBooking: 'Réservé' },
};
const booking = (bookingID: number, createdAt: string, more = {}) => ({
	...{ bookingID, language: 'en', texts, farmerPhone: `+23480${bookingID}`, createdAt, ...more },
});
const bookings = [
	booking(1, '2026-11-20'),
	booking(2, '2026-11-21', { bookingStatusLabel: 'declined' }),
	booking(3, '2026-09-01'),
];

it.each([
	['each for the newest booking of its language, or for the newest', bookings],
	['no booking', [{}]],
])('the texts of SMS: %s', (what, some) => {
	const isRecent = ({ createdAt = '' }) => createdAt > '2026-10-29';
	page.tell(what, shownOn({ lines: [], ...textsPage(some, isRecent) }));
});

it.each<[string, Outcome[], string]>([
	['rows to book', all('would create'), ''],
	['a row to look at', [row(2, 'would create'), inDoubt], ''],
	['a note', all('would create'), 'Look again'],
])(
	'n8n tells fields apart by their places, and the choice has its own beside %s',
	(_, given, note) => {
		const choice = expect.objectContaining({ fieldLabel: 'What now?' }) as unknown;
		const fields = [expect.anything(), expect.anything(), choice, expect.anything()];
		expect(drawn(given, { ...look, note })).toMatchObject({ page: { fields } });
	},
);

it('what is shown is known', () => page.judge());

it.each<[string, string, number, number, string[]]>([
	['one of 160 characters', 'a'.repeat(160), 160, 1, []],
	['one more', 'a'.repeat(161), 161, 2, []],
	['as many as two parts hold', 'a'.repeat(306), 306, 2, []],
	['one more than these', 'a'.repeat(307), 307, 3, []],
	['signs that count twice', '{€}', 6, 1, []],
	['another alphabet', `${'a'.repeat(69)}ọ`, 70, 1, ['ọ']],
	['one more in it', `${'a'.repeat(70)}ọ`, 71, 2, ['ọ']],
])('what a text takes: %s', (_, text, length, parts, others) => {
	expect(smsOf(text)).toEqual({ length, parts, others });
});
