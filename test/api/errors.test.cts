import '../support/shortPauses.cts';
import type { INodeParameters } from 'n8n-workflow';

import { errorMessageFrom } from '../../nodes/TractorBooking/api/responses';
import { KEYS, type Fault } from '../../sandbox/index.cts';
import { byId, perform, stopOf } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';
import { waits } from '../support/waits.cts';

const sandbox = eachWithSandbox({ bookings: 5 });

const rows = [{ booking: 100_001 }, { booking: 100_002 }, { booking: 100_003 }];
const read: INodeParameters = { bookingId: byId('={{ $json.booking }}') };
const middle = '/booking-services/partner/booking/100002';

const status = (code: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	status: code,
	body,
	headers,
});

/** What strikes the middle read each time: the status that n8n shows, how often it is sent, and what is said. */
const failures: Array<[Fault, number | null, number, RegExp]> = [
	[status(400, { error: 'it is odd' }), 400, 1, /it is odd/],
	[status(401, { detail: `Key ${KEYS.full} is bad` }), 401, 1, /Key … is bad.*bookings:read/s],
	[status(404, { detail: 'Not found.' }), 404, 1, /100002.*Not found/s],
	[{ kind: 'rateLimited', retryAfter: '4000' }, 429, 1, /4000 s/],
	[{ kind: 'html' }, 200, 3, /text\/html/],
	[status(200, '{"bookingID": 100', { 'Content-Type': 'application/json' }), 200, 3, /Try again/],
	[{ kind: 'truncated' }, null, 3, /was lost.*No response arrived/s],
	[{ kind: 'hang' }, null, 3, /did not answer in time.*ETIMEDOUT/s],
	[status(503, { detail: 'Maintenance' }), 503, 3, /Maintenance/],
	[{ kind: 'html', status: 502 }, 502, 3, /Try again later[^<]*$/s],
	[status(503, '', { 'Retry-After': '3600' }), 503, 1, /status 503/],
	[{ kind: 'redirect', location: 'https://a.example/b?c' }, 302, 1, /a\.example\/b\. /],
];

it.each(failures)('a read that meets %j shows %p, and is sent %i times', async (...given) => {
	const [fault, code, tries, said] = given;
	sandbox.faults.add({ match: { path: middle }, fault });
	const fields = { ...read, options: fault.kind === 'hang' ? { timeout: 1 } : {} };
	const waited = { ms: 0 };
	const reading = async () => await perform(sandbox, 'booking:get', fields, { rows });
	const stop = stopOf(await waits.run(waited, reading));
	const httpCode = code === null ? null : String(code);
	expect(stop).toMatchObject({ name: 'NodeApiError', itemIndex: 1, httpCode });
	expect(stop.said).toMatch(said);
	expect(sandbox.requests.find({ path: middle })).toHaveLength(tries);
	// It pauses before it asks again.
	expect(waited.ms > 0).toBe(tries > 1);
});

it.each<[unknown, string]>([
	[{ error: 'is booked', message: 'odd' }, 'is booked'],
	[{ error: { landArea: ['is odd'] } }, '{"landArea":["is odd"]}'],
	[{ detail: 'Not found.' }, 'Not found.'],
	[{ landArea: ['is odd'] }, '{"landArea":["is odd"]}'],
	[null, ''],
	[{}, ''],
	['<html>', ''],
	[' is odd\n', 'is odd'],
	['n'.repeat(300), 'n'.repeat(300)],
	['no '.repeat(500), `${'no '.repeat(100).trim()}…`],
])('of %j is said %p', (body, said) => {
	expect(errorMessageFrom(body)).toBe(said);
});
