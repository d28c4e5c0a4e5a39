import fc from 'fast-check';
import { DateTime } from 'luxon';
import { runInNewContext } from 'node:vm';
import {
	orderInFormat,
	parseDate,
	parseInstant,
	recordDays,
} from '../../nodes/TractorBooking/parse/dates';
import { SheetDates } from '../../nodes/TractorBooking/parse/serviceDates';
import { serialOf } from '../../sandbox/sheet/dateStyles.cts';
import { all, anything, testCells, valueOf } from './cells.cts';

const LAGOS = { timezone: 'Africa/Lagos' };

const FIRST = '2026-12-01';

testCells('a date', (cell) => parseDate(cell, LAGOS), [
	...all(['  2026-12-01\u00A0', '2026/12/01'], FIRST),
	['2028-02-29', '2028-02-29'],
	// n8n's date picker, without and with an offset: the day as written
	...all([`${FIRST}T00:00:00`, `${FIRST}T00:00:00.000+14:00`, `${FIRST}T23:59:59-11:00`], FIRST),
	['31.12.2026 08:30', '2026-12-31'],
	...all(['12/31/2026 8:00 AM', '2026-12-31 12:59:59 pm', '31 Dec 2026, 11:30PM'], '2026-12-31'),
	// Excel serial numbers
	...all([46205.999, '46205', '46205,5'], '2026-07-02'),
	// A midnight that a formula computed
	...all([46204.9999999, '46204.99999999'], '2026-07-02'),
	// not ambiguous
	...all(['25/12/2026', '12/25/2026', '25 / 12 / 2026'], '2026-12-25'),
	// names of months
	...all(['01DEC2026', '1st December 2026', '2026 Dec 1', '1-déc.-2026', '01-Dec-26'], FIRST),
	...all(['2026-Dec-15', 'Dec 15, 26'], '2026-12-15'),
	['2nd of December, 2026', '2026-12-02'],
	['Sept. 3rd 2026', '2026-09-03'],
	['1er août 2026', '2026-08-01'],
	['5 Desemba 2026', '2026-12-05'],
	['3 Machi 2026', '2026-03-03'],
	['juil. 5, 2026', '2026-07-05'],
	// weekdays
	...all(['Tue 1 Dec 2026 09:00', 'Tuesday 2026-12-01', 'Tues, 1 Dec 2026'], FIRST),
	...all(['Wed. 25.11.2026 08:30', 'WEDNESDAY, 25/11/2026'], '2026-11-25'),
	...all(['Mar 1 2026', 'Mar. 1st, 2026'], '2026-03-01'),
	...all(['31/02/2026', '2026-02-29', '31 June 2026'], /not exist in the calendar/),
	...all(['2026-13-01', '13/13/2026'], /not exist in the calendar/),
	...all(['01/12/2026', '3.4.2026'], /day\/month or month\/day/),
	...all(['01/12/26', '25/12/26'], /two-digit/),
	...all(['2206-12-01', new Date('1926-12-01T00:00:00Z')], /not in the years/),
	['Monday, 1 December 2026', /weekday that does not match/],
	['Mon 25/11/2026', /weekday that does not match 2026-11-25/],
	...all(
		['mardi 1 décembre 2026', '1 December 2026 (late)', 'Tuesday', 'Someday 25/11/2026', '1 Dec'],
		/not a date/,
	),
	...all([`${FIRST}T25:00`, `${FIRST} 13:00 PM`, `${FIRST} 8 am`, '1 Zember 2026'], /not a date/),
	...all(['1 Ma 2026', '1 jui 2026', '1 Decimal 2026', '1 Nuwamba 2026'], /not a date/),
	...all(
		['on Dec 1 2026', 'Dec 1 2026 8', 'Dec 1 6', 'by 2026 Dec 1', '2026 Dec 1 2'],
		/not a date/,
	),
	...all(['1 Dec 2026 8', 'tomorrow', '12', '', '08031234567', '4620'], /not a date/),
	...all([2026, 20261201, 1796083200000, Number.NaN], /neither a date nor/),
	...all([true, null], /not a date/),
	...all([new Date(Number.NaN), DateTime.invalid('for the test')], /not a date/),
	...all([['2026-12-01'], { toISODate: () => 'soon' }], /not a date/),
]);

testCells('the day first', (cell) => parseDate(cell, { ...LAGOS, dateOrder: 'dayFirst' }), [
	['03-04-2026 10:00', '2026-04-03'],
	['25/12/6', /not a date/],
	// A sheet that mixes both is refused rather than guessed.
	['12/25/2026', /not exist in the calendar/],
]);

testCells('the month first', (cell) => parseDate(cell, { ...LAGOS, dateOrder: 'monthFirst' }), [
	['03/04/2026', '2026-03-04'],
	['25/12/2026', /not exist in the calendar/],
]);

// typed 13/01, 25/01 and 30/01 in a machine that reads the month first
const left = ['13/01/2027', '25/01/2027', '30/01/2027 08:00'];
const typed = [46508, '46508', 46419.5]; // 05/01/2027 and 01/02/2027

test.each<[string, unknown[], boolean]>([
	['serials, all of which may be exchanged', [...left, ...typed], true],
	['with texts and blanks', [...left, 46508, null, '', '2027-01-20', '1 Feb 2027'], true],
	['dates as ISO text', [...left, '2027-05-01 00:00:00', '2027-02-01T00:00:00.000Z'], true],
	['one serial has a day above 12', [...left, ...typed, 46520], false],
	['one text disagrees', [...left, '1/25/2027', ...typed], false],
	['one text', [...typed, '13/01/2027'], true],
	['no texts', typed, false],
])(
	'a spreadsheet that has exchanged day and month where it could, %s: %j',
	(_what, values, areSwapped) => {
		const dates = new SheetDates({ timezone: 'UTC' });
		values.forEach((value, row) => dates.add(value, () => `row ${row}`));
		expect(dates.rules.areSwapped).toBe(areSwapped);
	},
);

const dateTime = (text: string, zone: string) => DateTime.fromISO(text, { zone });

test.each<[unknown, string, string]>([
	// Midnight in UTC is what spreadsheet readers make of a date, wherever the workflow runs.
	['2026-12-01T00:00:00.000Z', 'America/New_York', FIRST],
	['2026-12-01T00:00:00+00:00', 'Pacific/Auckland', FIRST],
	// Midnight in the workflow's timezone, as a Date and as its JSON.
	[new Date('2026-11-30T23:00:00Z'), 'Africa/Lagos', FIRST],
	['2026-11-30T23:00:00.000Z', 'Africa/Lagos', FIRST],
	// A moment: the day it is there.
	['2026-12-01T03:30:00Z', 'America/New_York', '2026-11-30'],
	['2026-12-01T03:30:00+0000', 'America/New_York', '2026-11-30'],
	['2026-12-01 23:30 -00:00', 'Africa/Lagos', '2026-12-02'],
	// A DateTime knows its own day.
	[dateTime('2026-12-01T00:00', 'Asia/Tokyo'), 'America/New_York', FIRST],
	[dateTime('2026-12-01T23:30', 'America/New_York'), 'Asia/Tokyo', FIRST],
	// A Date of another realm, as n8n's expressions give them.
	[runInNewContext('new Date(Date.UTC(2026, 11, 1))'), 'America/New_York', FIRST],
])('the instant %p in %s is on %s', (value, timezone, day) => {
	expect(valueOf(parseDate(value, { timezone }))).toBe(day);
});

const zones = fc.constantFrom('Africa/Lagos', 'America/New_York', 'Pacific/Auckland', 'UTC');
const days = fc
	.integer({ min: 0, max: 36_524 })
	.map((offset) => DateTime.utc(2000, 1, 1).plus({ days: offset }));

test('a day that is written in any supported way comes back', () => {
	const formats = [
		...['yyyy-MM-dd', 'yyyy-M-d', 'yyyy/MM/dd', "yyyy-MM-dd'T'HH:mm:ss.SSS", 'd-LLL-yyyy'],
		...["yyyy-MM-dd'T'10:00:00+05:30", 'd LLL yyyy', 'd LLLL yyyy', 'LLLL d, yyyy'],
		...['cccc, d LLLL yyyy', 'ccc LLL d yyyy H:mm'],
	];
	const shapes: Array<(day: DateTime) => unknown> = [
		...formats.map((format) => (day: DateTime) => day.setLocale('en-US').toFormat(format)),
		(day) => day,
		(day) => day.toISO(),
		(day) => day.toJSDate(),
		(day) => day.toMillis() / 86_400_000 + 25_569,
		(day) => String(day.toMillis() / 86_400_000 + 25_569.75),
	];
	fc.assert(
		fc.property(days, fc.constantFrom(...shapes), zones, (day, shape, timezone) => {
			expect(valueOf(parseDate(shape(day), { timezone }))).toBe(day.toISODate());
			const local = day.setZone(timezone, { keepLocalTime: true });
			expect(valueOf(parseDate(local.toJSDate(), { timezone }))).toBe(day.toISODate());
		}),
		{ numRuns: 500 },
	);
});

test('nothing that is not a date becomes one, and nothing throws', () => {
	const words = fc.stringMatching(/^[a-z ,]{0,20}$/);
	fc.assert(
		fc.property(fc.oneof(anything(), words), zones, (value, timezone) => {
			const cell = parseDate(value, { timezone, dateOrder: 'dayFirst' });
			if (!cell.ok) return;
			expect(DateTime.fromISO(cell.value).isValid).toBe(true);
			expect(cell.value).toMatch(/^20\d\d-\d\d-\d\d$/);
			// What was read is an instant, a serial number, or text with a year or five digits alone.
			if (typeof value === 'string')
				expect(value).toMatch(
					/20\d\d|^\D*\d{5}([.,]\d+)?\D*$|\d{1,2} ?([-/.]) ?\d{1,2} ?\2 ?\d{2}/,
				);
			else if (typeof value === 'number')
				expect(Math.floor(value)).toBe(serialOf(new Date(cell.value)));
			else expect(value).toBeInstanceOf(Date);
		}),
		{ numRuns: 2_000 },
	);
});

test.each([
	...all(
		[
			...['dd/mm/yyyy', 'JJ-MM-AAAA', 'd.m.yy', 'd/m/y', 'day/month/year', 'dd/mm/yyyy hh:mm'],
			'dd / mm / yyyy',
		],
		'dayFirst',
	),
	...all(['mm/dd/yyyy', 'mois/jour/année'], 'monthFirst'),
	...all(['YYYY-MM-DD'], 'refuse'),
	...all(['agent', 'mm', 'dimanche', 'day', 'yy-mm-dd', 'y/m/d'], undefined),
	// A heading may end with an acronym.
	...all(['MMDA', 'MDA', 'DMA', 'JMA'], undefined),
])('the order of day and month in the format %p is %p', (format, order) => {
	expect(orderInFormat(String(format))).toBe(order);
});

test.each<[unknown, string, string[]]>([
	['2026-12-04', 'UTC', ['2026-12-04']],
	['03/04/2026', 'UTC', ['2026-04-03', '2026-03-04']],
	['2026-12-04T00:00:00Z', 'America/New_York', ['2026-12-04']],
	['2026-12-03T23:00:00Z', 'Africa/Lagos', ['2026-12-04']],
	['2026-12-03T23:00:00Z', 'UTC', ['2026-12-03', '2026-12-04']],
	['2026-12-04T18:30:00Z', 'Africa/Lagos', ['2026-12-04', '2026-12-05']],
	['2026-12-04T04:30:00Z', 'America/New_York', ['2026-12-03', '2026-12-04']],
	['2026-12-04T09:00:00Z', 'UTC', ['2026-12-04']],
	['2026-12-04T12:00:00Z', 'Pacific/Auckland', ['2026-12-05', '2026-12-04']],
	['next week', 'UTC', []],
	[{ day: 4 }, 'UTC', []],
])('the date %p of a record, in %s', (value, timezone, days) => {
	expect(recordDays(value, timezone)).toEqual(days);
});

const NINE = Date.UTC(2027, 2, 10, 9);

testCells('an instant', (cell) => parseInstant(cell, 'America/New_York'), [
	...all(['2027-03-10T09:00:00Z', '2027-03-10 09:00 UTC', '2027-03-10T10:00:00+01:00'], NINE),
	...all(['2027-03-10 9:00 AM UTC', '10 Mar 2027, 4:00:00 AM'], NINE),
	...all(['2027-03-10T04:00:00.000-0500', '10 Mar 2027 10:00 +0100'], NINE),
	// without an offset, the clock of the workflow
	['2027-03-10T05:00', NINE + 3_600_000],
	['2027-03-10', Date.UTC(2027, 2, 10, 5)],
	['2027-03-10 12:00 AM', Date.UTC(2027, 2, 10, 5)],
	['2027-03-10 12:30 pm', Date.UTC(2027, 2, 10, 17, 30)],
	// the clocks changed on 14 March
	['2027-03-14T12:00', Date.UTC(2027, 2, 14, 16)],
	// since 1970, in seconds or milliseconds
	...all([NINE / 1_000, NINE, String(NINE / 1_000), String(NINE)], NINE),
	// n8n hands these over as they are where an expression gives them, older hosts a DateTime too
	[DateTime.fromISO('2027-03-10T12:00', { zone: 'Africa/Nairobi' }), NINE],
	[new Date('2027-03-10T09:00:00Z'), NINE],
	[runInNewContext('new Date(Date.UTC(2027, 2, 10, 9))'), NINE],
	...all(['', 'soon', '10/03/2027', '2027-03-10T25:00Z', '2027-02-40'], /not a date and time/),
	...all(['123456789', true, null, [], {}, NaN, new Date(NaN)], /not a date and time/),
]);
