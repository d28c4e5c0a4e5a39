import { recordDays } from '../../nodes/TractorBooking/parse/dates';

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
		['next week', 'UTC', []],
		[{ day: 4 }, 'UTC', []],
	])('%p in %s', (value, timezone, days) => {
		expect(recordDays(value, timezone)).toEqual(days);
	});
});
