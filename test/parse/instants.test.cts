import { DateTime } from 'luxon';
import { runInNewContext } from 'node:vm';
import { parseInstant } from '../../nodes/TractorBooking/parse/dates';
import { all, problemOf, valueOf } from './cells.cts';

const NINE = Date.UTC(2027, 2, 10, 9);

test.each<[unknown, number]>([
	...all(['2027-03-10T09:00:00Z', '2027-03-10 09:00 UTC', '2027-03-10T10:00:00+01:00'], NINE),
	...all(['2027-03-10T04:00:00.000-0500', '10 Mar 2027 10:00 +0100'], NINE),
	['Wed, 10 Mar 2027 09:00:00 GMT', NINE],
	// without an offset, the clock of the workflow
	['2027-03-10T05:00', NINE + 3_600_000],
	['2027-03-10', Date.UTC(2027, 2, 10, 5)],
	// the clocks changed on 14 March
	['2027-03-14T12:00', Date.UTC(2027, 2, 14, 16)],
	// since 1970, in seconds or milliseconds
	...all([NINE / 1_000, NINE, String(NINE / 1_000), String(NINE)], NINE),
	// n8n hands these over as they are where an expression gives them, older hosts a DateTime too
	[DateTime.fromISO('2027-03-10T12:00', { zone: 'Africa/Nairobi' }), NINE],
	[new Date('2027-03-10T09:00:00Z'), NINE],
	[runInNewContext('new Date(Date.UTC(2027, 2, 10, 9))'), NINE],
])('%p is an instant', (value, instant) => {
	expect(valueOf(parseInstant(value, 'America/New_York'))).toBe(instant);
});

test.each([
	...['', 'soon', '10/03/2027', '2027-03-10T25:00Z', '2027-02-40', '123456789'],
	...[true, null, [], {}, NaN, new Date(NaN)],
])('%p is no instant', (value) => {
	expect(problemOf(parseInstant(value, 'UTC'))).toBe('is not a date and time');
});
