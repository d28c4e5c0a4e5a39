import fc from 'fast-check';
import { DateTime } from 'luxon';
import { runInNewContext } from 'node:vm';
import { ExchangedDates, isPast, parseDate, todayIn } from '../../nodes/TractorBooking/parse/dates';
import { isDateFormat, orderInFormat } from '../../nodes/TractorBooking/parse/dateText';
import { anything, problemOf, valueOf } from './cells';

const LAGOS = { timezone: 'Africa/Lagos' };

describe('dates that are read', () => {
	test.each<[unknown, string]>([
		['2026-12-01', '2026-12-01'],
		['  2026-12-01\u00A0', '2026-12-01'],
		['2026-1-5', '2026-01-05'],
		['2026/12/01', '2026-12-01'],
		['2028-02-29', '2028-02-29'],
		// n8n's date picker, without and with an offset: the day as written
		['2026-12-01T00:00:00', '2026-12-01'],
		['2026-12-01T00:00:00.000+14:00', '2026-12-01'],
		['2026-12-01T23:59:59-11:00', '2026-12-01'],
		['2026-12-01 08:30', '2026-12-01'],
		['31.12.2026 08:30 PM', '2026-12-31'],
		// Excel serial numbers
		[46205, '2026-07-02'],
		[46205.5, '2026-07-02'],
		[46205.999, '2026-07-02'],
		['46205', '2026-07-02'],
		['46205.5', '2026-07-02'],
		['46205,5', '2026-07-02'],
		[46357, '2026-12-01'],
		// not ambiguous
		['25/12/2026', '2026-12-25'],
		['12/25/2026', '2026-12-25'],
		['25-12-2026', '2026-12-25'],
		['25.12.2026', '2026-12-25'],
		['25 / 12 / 2026', '2026-12-25'],
		['05/05/2026', '2026-05-05'],
		// names of months
		['1 Dec 2026', '2026-12-01'],
		['1-Dec-2026', '2026-12-01'],
		['01DEC2026', '2026-12-01'],
		['1st December 2026', '2026-12-01'],
		['2nd of December, 2026', '2026-12-02'],
		['December 1, 2026', '2026-12-01'],
		['Sept. 3rd 2026', '2026-09-03'],
		['2026 Dec 1', '2026-12-01'],
		['Tuesday, 1 December 2026', '2026-12-01'],
		['Tue 1 Dec 2026 09:00', '2026-12-01'],
		['1er août 2026', '2026-08-01'],
		['1-déc.-2026', '2026-12-01'],
		// years of two digits, beside the name of a month
		['1 Dec 26', '2026-12-01'],
		['01-Dec-26', '2026-12-01'],
		['December 1, 26', '2026-12-01'],
		// weekdays
		['Wednesday 25/11/2026', '2026-11-25'],
		['Wed, 25/11/2026', '2026-11-25'],
		['Wed. 25.11.2026 08:30', '2026-11-25'],
		['Tuesday 2026-12-01', '2026-12-01'],
		['mardi 1 décembre 2026', '2026-12-01'],
		['mar. 1 déc. 2026', '2026-12-01'],
		['Mar 1 2026', '2026-03-01'],
		['Jumatano 25/11/2026', '2026-11-25'],
		['Laraba, 25/11/2026', '2026-11-25'],
		['Weds 25/11/2026', '2026-11-25'],
		['25/11/2026 (Wed)', '2026-11-25'],
		['25/11/2026 Wednesday', '2026-11-25'],
		['25 November 2026, Wednesday', '2026-11-25'],
		['Satumba 5, 2026', '2026-09-05'],
		['Marzo 1, 2026', '2026-03-01'],
		// what says nothing of the day
		['25/11/2026.', '2026-11-25'],
		['25/11/2026 morning', '2026-11-25'],
		['25 Nov 2026 (am)', '2026-11-25'],
		['Sat Dec 05 2026 00:00:00 GMT+0300 (East Africa Time)', '2026-12-05'],
		['Fri Dec 04 2026 23:30:00 GMT+0000 (Coordinated Universal Time)', '2026-12-05'],
		['Sat Dec 05 2026 00:00:00 GMT+0000', '2026-12-05'],
		// months in other languages
		['10 Desemba 2026', '2026-12-10'],
		['5 Disamba 2026', '2026-12-05'],
		['3 Machi 2026', '2026-03-03'],
		['3 Agosti 2026', '2026-08-03'],
		['7 Nuwamba 2026', '2026-11-07'],
		// times as people type them
		['4 Dec 2026 8am', '2026-12-04'],
		['4 Dec 2026, 8 a.m.', '2026-12-04'],
		['14/12/2026 8h30', '2026-12-14'],
		['14/12/2026 8h', '2026-12-14'],
		['14/12/2026 à 8h', '2026-12-14'],
		['14 Dec 2026 at 8am', '2026-12-14'],
		['le 14 décembre 2026', '2026-12-14'],
		['Mar. 1st, 2026', '2026-03-01'],
	])('%p → %s', (value, day) => {
		expect(valueOf(parseDate(value, LAGOS))).toBe(day);
	});
});

describe('dates that are rejected', () => {
	test.each<[unknown, RegExp]>([
		['31/02/2026', /not a day of the calendar/],
		['2026-02-29', /not a day of the calendar/],
		['31 June 2026', /not a day of the calendar/],
		['2026-13-01', /not a day of the calendar/],
		['13/13/2026', /not a day of the calendar/],
		['01/12/2026', /day\/month or month\/day/],
		['3.4.2026', /day\/month or month\/day/],
		['01/12/26', /two digits/],
		['25/12/26', /two digits/],
		['2206-12-01', /not in the years/],
		['Monday, 1 December 2026', /weekday that does not match/],
		['Monday 25/11/2026', /weekday that does not match 2026-11-25/],
		['lundi 1 décembre 2026', /weekday that does not match/],
		['1 December 2026 (Monday)', /weekday that does not match/],
		['1 December 2026 (late)', /not a date/],
		['Tuesday', /not a date/],
		['Someday 25/11/2026', /not a date/],
		['2026-12-01T25:00', /not a date/],
		['2026-12-01 13:00 pm', /not a date/],
		['1 Zember 2026', /not a date/],
		['1 Dec', /not a date/],
		['1 Dec 2026 8', /not a date/],
		['1 Dec 2026 13am', /not a date/],
		['tomorrow', /not a date/],
		['12', /not a date/],
		['08031234567', /not a date/],
		['4620', /not a date/],
		[2026, /not a date/],
		[20261201, /not a date/],
		[1796083200000, /not a date/],
		[Number.NaN, /not a date/],
		[true, /not a date/],
		['', /not a date/],
		[null, /not a date/],
		[new Date(Number.NaN), /not a date/],
		[DateTime.invalid('for the test'), /not a date/],
		[new Date('1926-12-01T00:00:00Z'), /not in the years/],
		[['2026-12-01'], /not a date/],
		[{ toISODate: () => 'soon' }, /not a date/],
	])('%p', (value, problem) => {
		expect(problemOf(parseDate(value, LAGOS))).toMatch(problem);
	});
});

test('the order of day and month is the one that is set', () => {
	const dayFirst = { ...LAGOS, dateOrder: 'dayFirst' } as const;
	const monthFirst = { ...LAGOS, dateOrder: 'monthFirst' } as const;
	expect(valueOf(parseDate('03/04/2026', dayFirst))).toBe('2026-04-03');
	expect(valueOf(parseDate('03/04/2026', monthFirst))).toBe('2026-03-04');
	expect(valueOf(parseDate('03-04-2026 10:00', monthFirst))).toBe('2026-03-04');
	// With the order, the year may have two digits.
	expect(valueOf(parseDate('03/04/26', dayFirst))).toBe('2026-04-03');
	expect(valueOf(parseDate('3.4.26', dayFirst))).toBe('2026-04-03');
	expect(valueOf(parseDate('03/04/26', monthFirst))).toBe('2026-03-04');
	expect(problemOf(parseDate('25/12/26', monthFirst))).toMatch(/month first/);
	expect(problemOf(parseDate('25/12/6', dayFirst))).toMatch(/two digits|not a date/);
	// A sheet that mixes both is refused rather than guessed.
	expect(problemOf(parseDate('12/25/2026', dayFirst))).toMatch(/day first/);
	expect(problemOf(parseDate('25/12/2026', monthFirst))).toMatch(/month first/);
});

describe('a spreadsheet that has exchanged day and month where it could', () => {
	// typed 13/01, 25/01 and 30/01 in a machine that reads the month first
	const left = ['13/01/2027', '25/01/2027', '30/01/2027 08:00'];
	const typed = [46508, '46508', 46419.5]; // 05/01/2027 and 01/02/2027

	test.each<[string, unknown[], boolean]>([
		['serials of which all are possible', [...left, ...typed], true],
		['the same with the month first', ['1/13/2027', '1/25/2027', '1/30/2027', 46508], true],
		['beside texts and blanks', [...left, 46508, null, '', '2027-01-20', '1 Feb 2027'], true],
		['dates as ISO text', [...left, '2027-05-01 00:00:00', '2027-02-01T00:00:00.000Z'], true],
		['dates as objects', [...left, new Date('2027-05-01')], true],
		['one of them above 12', [...left, '2027-05-20T00:00:00'], false],
		['one serial has a day above 12', [...left, ...typed, 46520], false],
		['one text disagrees', [...left, '1/25/2027', ...typed], false],
		['one text', ['13/01/2027', ...typed], true],
		['no texts', typed, false],
	])('%s', (_what, values, is) => {
		const dates = new ExchangedDates({ timezone: 'UTC' });
		values.forEach((value) => dates.add(value));
		expect(dates.areLikely).toBe(is);
	});
});

describe('instants', () => {
	test.each<[unknown, string, string]>([
		// Midnight in UTC is what spreadsheet readers make of a date, wherever the workflow runs.
		[new Date('2026-12-01T00:00:00Z'), 'America/New_York', '2026-12-01'],
		['2026-12-01T00:00:00.000Z', 'America/New_York', '2026-12-01'],
		['2026-12-01T00:00:00+00:00', 'Pacific/Auckland', '2026-12-01'],
		// Midnight in the workflow's timezone, as a Date and as its JSON.
		[new Date('2026-11-30T23:00:00Z'), 'Africa/Lagos', '2026-12-01'],
		['2026-11-30T23:00:00.000Z', 'Africa/Lagos', '2026-12-01'],
		[new Date('2026-12-01T05:00:00Z'), 'America/New_York', '2026-12-01'],
		// A moment: the day it is there.
		['2026-12-01T03:30:00Z', 'America/New_York', '2026-11-30'],
		['2026-12-01T12:00:00Z', 'Africa/Lagos', '2026-12-01'],
		['2026-12-01T23:30:00+00:00', 'Africa/Lagos', '2026-12-02'],
		['2026-12-01T03:30:00+0000', 'America/New_York', '2026-11-30'],
		['2026-12-01 23:30 -00:00', 'Africa/Lagos', '2026-12-02'],
		['2026-12-01 11:30 pm UTC', 'Africa/Lagos', '2026-12-02'],
		['2026-12-01 12:30 am UTC', 'America/New_York', '2026-11-30'],
		// A DateTime knows its own day.
		[
			DateTime.fromISO('2026-12-01T00:00:00', { zone: 'Asia/Tokyo' }),
			'America/New_York',
			'2026-12-01',
		],
		[
			DateTime.fromISO('2026-12-01T23:30:00', { zone: 'America/New_York' }),
			'Asia/Tokyo',
			'2026-12-01',
		],
		[{ toISODate: () => '2026-12-01' }, 'Asia/Tokyo', '2026-12-01'],
		// A Date of another realm, as n8n's expressions give them.
		[runInNewContext('new Date(Date.UTC(2026, 11, 1))'), 'America/New_York', '2026-12-01'],
	])('%p in %s → %s', (value, timezone, day) => {
		expect(valueOf(parseDate(value, { timezone }))).toBe(day);
	});
});

test('today depends on the timezone, and today is not past', () => {
	const now = new Date('2026-11-30T23:30:00Z');
	expect(todayIn('Africa/Lagos', now)).toBe('2026-12-01');
	expect(todayIn('America/New_York', now)).toBe('2026-11-30');
	expect(isPast('2026-11-30', todayIn('Africa/Lagos', now))).toBe(true);
	expect(isPast('2026-11-30', todayIn('America/New_York', now))).toBe(false);
	expect(todayIn('Africa/Lagos', new Date('2026-01-02T03:00:00Z'))).toBe('2026-01-02');
});

const zones = fc.constantFrom(
	'Africa/Lagos',
	'America/New_York',
	'Pacific/Auckland',
	'Asia/Kolkata',
	'UTC',
);
const days = fc
	.integer({ min: 0, max: 36_524 })
	.map((offset) => DateTime.utc(2000, 1, 1).plus({ days: offset }));

test('a day that is written in any supported way comes back', () => {
	const english = (day: DateTime, format: string) => day.setLocale('en-US').toFormat(format);
	const written = [
		...[
			'yyyy-MM-dd',
			'yyyy-M-d',
			'yyyy/MM/dd',
			"yyyy-MM-dd'T'HH:mm:ss.SSS",
			"yyyy-MM-dd'T'10:00:00+05:30",
		],
		...[
			'd LLL yyyy',
			'd LLLL yyyy',
			'LLLL d, yyyy',
			'd-LLL-yyyy',
			'cccc, d LLLL yyyy',
			'ccc LLL d yyyy h:mm a',
		],
	].map(
		(format) =>
			(day: DateTime): unknown =>
				english(day, format),
	);
	const shapes: Array<(day: DateTime) => unknown> = [
		...written,
		(day) => day,
		(day) => day.toISO(),
		(day) => day.toJSDate(),
		(day) => day.toJSDate().toISOString(),
		(day) => day.toMillis() / 86_400_000 + 25_569,
		(day) => String(day.toMillis() / 86_400_000 + 25_569.75),
	];
	fc.assert(
		fc.property(days, fc.constantFrom(...shapes), zones, (day, shape, timezone) => {
			expect(valueOf(parseDate(shape(day), { timezone }))).toBe(day.toISODate());
		}),
		{ numRuns: 1_000 },
	);
});

test('local midnight in the workflow’s timezone keeps its day', () => {
	fc.assert(
		fc.property(days, zones, (day, timezone) => {
			const local = day.setZone(timezone, { keepLocalTime: true });
			expect(valueOf(parseDate(local.toJSDate(), { timezone }))).toBe(day.toISODate());
		}),
	);
});

test('day and month are parsed in the order that is set, or rejected', () => {
	fc.assert(
		fc.property(days, fc.constantFrom('/', '-', '.'), (day, mark) => {
			const dayFirst = day.toFormat(`dd${mark}MM${mark}yyyy`);
			const monthFirst = day.toFormat(`M${mark}d${mark}yyyy`);
			expect(valueOf(parseDate(dayFirst, { ...LAGOS, dateOrder: 'dayFirst' }))).toBe(
				day.toISODate(),
			);
			expect(valueOf(parseDate(monthFirst, { ...LAGOS, dateOrder: 'monthFirst' }))).toBe(
				day.toISODate(),
			);
			for (const text of [dayFirst, monthFirst]) {
				const cell = parseDate(text, LAGOS);
				expect(cell.ok).toBe(day.day > 12 || day.day === day.month);
				if (cell.ok) expect(cell.value).toBe(day.toISODate());
			}
		}),
	);
});

test('nothing that is not a date becomes one, and nothing throws', () => {
	fc.assert(
		fc.property(anything(), zones, (value, timezone) => {
			const cell = parseDate(value, { timezone, dateOrder: 'dayFirst' });
			if (!cell.ok) return;
			expect(DateTime.fromISO(cell.value).isValid).toBe(true);
			expect(cell.value).toMatch(/^20\d\d-\d\d-\d\d$/);
			// What was read is an instant, a serial number, or text with a year or five digits alone.
			if (typeof value === 'string')
				expect(value).toMatch(
					/20\d\d|^\D*\d{5}([.,]\d+)?\D*$|\d{1,2} ?([-/.]) ?\d{1,2} ?\2 ?\d{2}/,
				);
			else if (typeof value === 'number') expect(Math.floor(value)).toBe(serialOf(cell.value));
			else expect(value).toBeInstanceOf(Date);
		}),
		{ numRuns: 5_000 },
	);
});

const serialOf = (day: string) =>
	DateTime.fromISO(day, { zone: 'utc' }).toMillis() / 86_400_000 + 25_569;

test('words and broken dates are rejected', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-z ,]{0,20}$/), (text) => {
			expect(parseDate(text, LAGOS).ok).toBe(false);
		}),
	);
	fc.assert(
		fc.property(
			fc.integer({ min: 2000, max: 2099 }),
			fc.integer({ min: 0, max: 99 }),
			fc.integer({ min: 0, max: 99 }),
			(year, month, day) => {
				const two = (part: number) => String(part).padStart(2, '0');
				const text = `${year}-${two(month)}-${two(day)}`;
				expect(parseDate(text, LAGOS).ok).toBe(DateTime.fromISO(text).isValid);
			},
		),
		{ numRuns: 500 },
	);
});

test.each([
	['dd/mm/yyyy', 'dayFirst'],
	['JJ-MM-AAAA', 'dayFirst'],
	['d.m.yy', 'dayFirst'],
	['mm/dd/yyyy', 'monthFirst'],
	['YYYY-MM-DD', undefined],
	['agent', undefined],
])('the order of day and month in the format %p is %p', (format, order) => {
	expect(orderInFormat(format)).toBe(order);
	expect(isDateFormat(format)).toBe(format !== 'agent');
});
