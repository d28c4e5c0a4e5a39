import { DateTime } from 'luxon';

import { statusPage } from '../../examples/code/sheet-with-status/parts/statusPage';

Object.assign(globalThis, { DateTime });

const day = (serviceDate: string, bookingStatusLabel: string, tractorPairedTo: number | null) => ({
	...{ serviceDate, bookingStatusLabel, tractorPairedTo },
	...{ farmerName: 'Amina <Bello>', farmerPhone: '+2348031234567' },
});
const sheet = [
	{ row_number: 2, Farmer: 'Amina', bookingID: 1 },
	{ row_number: 3, Farmer: 'Bola' },
	{ row_number: 6, Farmer: 'Chidi', bookingID: 2 },
	{ row_number: 7, Farmer: 'Dayo', bookingID: 3 },
	{ row_number: 8, Farmer: 'Emeka', bookingID: 4 },
	{ row_number: 9, Farmer: 'Femi', bookingID: 5 },
];
const asked = sheet.filter(({ bookingID }) => bookingID);
const found = [
	{ bookingID: 1, ...day('2026-12-01', 'paired', 7) },
	{ bookingID: 2, ...day('2026-11-01T00:00:00Z', 'confirmed', 7) },
	{ error: { message: 'There is no booking 3.' } },
	{ bookingID: 4, ...day('2026-12-01', 'declined', null) },
	{ bookingID: 5, ...day('2026-11-30', 'new', null) },
];
const page = statusPage(sheet, asked, found, '2026-11-28');
/** Without the headings in them. */
const cells = page.html.replaceAll(/<i>.*?<\/i>/g, '');

it('lists what is overdue, what was declined, and what cannot be read', () => {
	expect(page.title).toBe('4 of 6 rows have a booking');
	expect(page.html).toMatch(/^<p>paired 1&#44; confirmed 1&#44; declined 1&#44; new 1<\/p>/);
	expect(page.html).toContain('<h3>1 booking overdue</h3>');
	expect(cells).toContain('<td>Sun&#44; 1 Nov 2026</td><td>7</td><td>2</td><td>confirmed</td>');
	expect(page.html).toContain('<h3>1 booking declined</h3>');
	expect(cells).toContain('<td>7</td><td>3</td><td>There is no booking 3&#46;</td>');
});

it('has a list for each tractor and day that is to come', () => {
	const lists = [...page.html.matchAll(/<h3>((?:Tractor|No tractor)[^<]*)/g)].map(
		([, name]) => name,
	);
	expect(lists).toEqual(['No tractor yet, Mon&#44; 30 Nov 2026', 'Tractor 7, Tue&#44; 1 Dec 2026']);
});

it('gives the sheet back with the status, and with its empty lines', () => {
	const status = (bookingStatusLabel: string, bookedTractorId: number | '' = '') => ({
		...{ bookingStatusLabel, bookedTractorId },
	});
	expect(page.lines).toEqual([
		{ Farmer: 'Amina', bookingID: 1, ...status('paired', 7) },
		{ Farmer: 'Bola', ...status('') },
		...[{}, {}],
		{ Farmer: 'Chidi', bookingID: 2, ...status('overdue: confirmed', 7) },
		{ Farmer: 'Dayo', bookingID: 3, ...status('not read: There is no booking 3.') },
		{ Farmer: 'Emeka', bookingID: 4, ...status('declined') },
		{ Farmer: 'Femi', bookingID: 5, ...status('new') },
	]);
});

it.each([
	['No row of the first tab has a bookingID', [{}], [{}]],
	['No booking can be read', asked, asked.map(() => ({ error: 'no connection' }))],
])('says "%s"', (title, rows, bookings) => {
	expect(statusPage(sheet, rows as typeof asked, bookings, '2026-11-28').title).toBe(title);
});
