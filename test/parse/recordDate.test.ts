import {
	otherDayOf,
	recordDays,
	parseRecordDate,
	sharedTimeOf,
} from '../../nodes/TractorBooking/parse/recordDate';

/** The days that dates of records are read as, each with the other day that it may be. */
function readAll(values: unknown[], timezone: string): string[] {
	const rules = { timezone, sharedTime: sharedTimeOf(values, { timezone }) };
	return values.map((value) => {
		const day = parseRecordDate(value, rules);
		const other = otherDayOf(value, rules);
		return `${day.ok ? day.value : day.problem}${other ? ` or ${other.day}` : ''}`;
	});
}

const november = (times: string[]) => times.map((time) => `2026-11-${time}`);

describe('instants that share one time of day', () => {
	it.each([
		['midnight in Lagos', ['23T23:00:00Z', '24T23:00:00Z'], ['24', '25']],
		['midnight in New York', ['24T05:00:00Z', '25T05:00:00Z'], ['24', '25']],
		['midnight in Nairobi', ['23T21:00:00Z'], ['24']],
		['midnight in Praia', ['24T01:00:00Z'], ['24']],
		['midnight in UTC', ['24T00:00:00Z', '25T00:00:00.000Z'], ['24', '25']],
		['noon in UTC', ['24T12:00:00Z'], ['24']],
		['midnight in Lagos, beside plain days', ['23T23:00:00Z', '24'], ['24', '24']],
	])('are days, wherever the workflow is: %s', (_what, times, days) => {
		for (const timezone of ['UTC', 'Africa/Lagos', 'America/New_York'])
			expect(readAll(november(times), timezone)).toEqual(november(days));
	});

	it.each([
		['Africa/Lagos', '24T13:00:00Z', '24 or 2026-11-25'],
		['Africa/Lagos', '24T18:00:00Z', '24 or 2026-11-25'],
		['America/New_York', '24T18:00:00Z', '24 or 2026-11-25'],
		['Africa/Lagos', '24T23:30:00Z', '25 or 2026-11-24'],
		['America/New_York', '24T23:30:00Z', '24 or 2026-11-25'],
		['Africa/Lagos', '24T08:00:00Z', '24'],
		['Africa/Lagos', '23T18:30:00Z', '23 or 2026-11-24'],
		['Asia/Kolkata', '23T18:30:00Z', '24'],
	])('are a doubt where it may be the time of the work: %s, %s', (timezone, time, day) => {
		expect(readAll(november([time, time]), timezone)).toEqual(november([day, day]));
	});

	it('are days although one of many has another time', () => {
		const times = ['23T23:00:00Z', '24T23:00:00Z', '25T23:00:00Z', '26T09:30:00Z'];
		for (const timezone of ['Africa/Lagos', 'America/New_York'])
			expect(readAll(november(times), timezone)).toEqual(november(['24', '25', '26', '26']));
	});

	it('are days of the timezone of the workflow if it is midnight there', () => {
		const times = november(['23T11:00:00Z', '24T11:00:00Z']);
		expect(readAll(times, 'Pacific/Auckland')).toEqual(november(['24', '25']));
	});

	it.each([[Date.parse('2026-11-23T23:00:00Z')], [Date.parse('2026-11-23T23:00:00Z') / 1_000]])(
		'are recognised as %p',
		(value) => expect(readAll([value, String(value)], 'UTC')).toEqual(november(['24', '24'])),
	);
});

describe('instants of several times of day', () => {
	it.each([
		[
			'UTC',
			['23T20:59:00Z', '23T21:00:01Z', '23T23:59:00Z'],
			['23', '23 or 2026-11-24', '23 or 2026-11-24'],
		],
		['UTC', ['24T02:59:00Z', '24T03:00:00Z', '24T00:00:00Z'], ['24 or 2026-11-23', '24', '24']],
		[
			'Africa/Lagos',
			['23T23:00:00Z', '24T08:15:00Z', '23T22:00:00Z'],
			['24', '24', '23 or 2026-11-24'],
		],
		[
			'America/New_York',
			['24T23:00:00Z', '24T13:00:00Z', '24T20:30:00Z'],
			['24 or 2026-11-25', '24', '24'],
		],
	])(
		'are days of the timezone of the workflow, and near midnight a doubt: %s',
		(timezone, times, days) => {
			expect(readAll(november(times), timezone)).toEqual(november(days));
		},
	);

	it('leave written days as they are', () => {
		const values = ['2026-11-24', '24 Nov 2026', '20261124', '2026-11-24T23:30:00+01:00'];
		const instants = november(['23T10:00:00Z', '23T11:00:00Z']);
		expect(readAll([...instants, ...values], 'UTC').slice(2)).toEqual(
			values.map(() => '2026-11-24'),
		);
	});
});

it('one time of day at which it is midnight nowhere is no midnight', () => {
	expect(readAll(november(['23T23:07:00Z', '24T23:07:00Z']), 'UTC')).toEqual([
		'2026-11-23 or 2026-11-24',
		'2026-11-24 or 2026-11-25',
	]);
});

describe('the days that a date of a record may mean', () => {
	it.each<[unknown, string, string[]]>([
		['2026-12-04', 'UTC', ['2026-12-04']],
		['20261204', 'UTC', ['2026-12-04']],
		['4 Dec 2026', 'UTC', ['2026-12-04']],
		['03/04/2026', 'UTC', ['2026-04-03', '2026-03-04']],
		['25/12/2026', 'UTC', ['2026-12-25']],
		['2026-12-04T00:00:00Z', 'America/New_York', ['2026-12-04']],
		['2026-12-03T23:00:00Z', 'Africa/Lagos', ['2026-12-04']],
		['2026-12-03T23:00:00Z', 'UTC', ['2026-12-03', '2026-12-04']],
		['2026-12-03T21:00:00Z', 'Africa/Lagos', ['2026-12-03', '2026-12-04']],
		['2026-12-04T01:00:00Z', 'UTC', ['2026-12-04']],
		['2026-12-04T01:00:00Z', 'America/New_York', ['2026-12-03', '2026-12-04']],
		['2026-12-04T09:00:00Z', 'UTC', ['2026-12-04']],
		[Date.UTC(2026, 11, 4) / 1_000, 'UTC', ['2026-12-04']],
		[Date.UTC(2026, 11, 4, 9), 'UTC', ['2026-12-04']],
		['next week', 'UTC', []],
		[null, 'UTC', []],
		[{ day: 4 }, 'UTC', []],
	])('%p in %s', (value, timezone, days) => {
		expect(recordDays(value, timezone)).toEqual(days);
	});
});
