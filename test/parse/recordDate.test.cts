import { parseRecordDate, recordDays } from '../../nodes/TractorBooking/parse/recordDate';

it.each<[unknown, string, string]>([
	['2026-11-24', 'UTC', '2026-11-24'],
	['2026-11-24T23:30:00+01:00', 'UTC', '2026-11-24'],
	['2026-11-23T23:00:00Z', 'Africa/Lagos', '2026-11-24'],
	['2026-11-23T11:00:00Z', 'Pacific/Auckland', '2026-11-24'],
	[Date.parse('2026-11-23T23:00:00Z'), 'Africa/Lagos', '2026-11-24'],
	[String(Date.parse('2026-11-23T23:00:00Z') / 1_000), 'Africa/Lagos', '2026-11-24'],
])('the date %p of a record is, in %s, the day %s', (value, timezone, day) => {
	expect(parseRecordDate(value, { timezone })).toEqual({ ok: true, value: day });
});

describe('the days that a date of a record may mean', () => {
	it.each<[unknown, string, string[]]>([
		['2026-12-04', 'UTC', ['2026-12-04']],
		['4 Dec 2026', 'UTC', ['2026-12-04']],
		['03/04/2026', 'UTC', ['2026-04-03', '2026-03-04']],
		['25/12/2026', 'UTC', ['2026-12-25']],
		['2026-12-04T00:00:00Z', 'America/New_York', ['2026-12-04']],
		['2026-12-03T23:00:00Z', 'Africa/Lagos', ['2026-12-04']],
		['2026-12-03T23:00:00Z', 'UTC', ['2026-12-03', '2026-12-04']],
		['2026-12-04T18:30:00Z', 'Africa/Lagos', ['2026-12-04', '2026-12-05']],
		['2026-12-04T04:30:00Z', 'America/New_York', ['2026-12-03', '2026-12-04']],
		['2026-12-04T09:00:00Z', 'UTC', ['2026-12-04']],
		['2026-12-04T12:00:00Z', 'Pacific/Auckland', ['2026-12-05', '2026-12-04']],
		[Date.UTC(2026, 11, 4, 9), 'UTC', ['2026-12-04']],
		['next week', 'UTC', []],
		[{ day: 4 }, 'UTC', []],
	])('%p in %s', (value, timezone, days) => {
		expect(recordDays(value, timezone)).toEqual(days);
	});
});
