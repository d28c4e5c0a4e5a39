import type { INode, INodeParameters } from 'n8n-workflow';

import { ServiceError, toNodeError } from '../../nodes/TractorBooking/api/errors';
import { errorMessageFrom } from '../../nodes/TractorBooking/api/errorText';
import type { Fault, Sandbox } from '../../sandbox';
import { KEYS } from '../../sandbox';
import type { OperationName } from '../support/action';
import { fieldOf, pairsOf, perform, secretsIn, stopOf } from '../support/action';
import { eachWithSandbox } from '../support/bookings';
import type { ActionResult } from '../support/engine';
import type { Waits } from '../support/waits';
import { waits } from '../support/waits';

jest.mock('../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../support/shortPauses'),
);

let sandbox: Sandbox;

eachWithSandbox({ bookings: 5 }, (given) => (sandbox = given));

/** The middle one of three reads fails. */
const rows = [{ booking: 100_001 }, { booking: 100_002 }, { booking: 100_003 }];
const read: INodeParameters = {
	bookingId: { __rl: true, mode: 'id', value: '={{ $json.booking }}' },
};
const middle = '/booking-services/partner/booking/100002';

const status = (code: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	status: code,
	body,
	headers,
});

const JSON_HEADER = { 'Content-Type': 'application/json' };

/** What strikes the middle read each time: the status that n8n shows, how often it is sent, and what is said. */
const failures: Array<[Fault, number | null, number, RegExp]> = [
	[status(400, { error: 'it is odd' }), 400, 1, /refused to read .*says: it is odd\. Correct/s],
	[status(400, ''), 400, 1, /gave no reason.*Correct the values/s],
	[status(401, { detail: `Key ${KEYS.full} is bad` }), 401, 1, /bookings:read.*Key … is bad/s],
	[status(403), 403, 1, /did not allow .*bookings:read.*lacks the scope/s],
	[status(404, { detail: 'Not found.' }), 404, 1, /100002 is unknown.*base URL.*: Not found\.$/s],
	[status(404, ''), 404, 1, /100002 is unknown.*base URL in the credential\.$/s],
	[status(405, 'It is busy'), 405, 1, /refused to .*says: It is busy\. .*status 405/s],
	[{ kind: 'rateLimited', retryAfter: '4000' }, 429, 1, /rate limit .*the 4000 s/s],
	[{ kind: 'html' }, 200, 3, /not JSON .*text\/html/s],
	[{ kind: 'empty' }, 200, 3, /not JSON .*an empty body/s],
	[status(200, '{"bookingID": 100', JSON_HEADER), 200, 3, /not JSON .*Try again/s],
	[status(200, ['a', 'b']), null, 1, /not a booking.*base URL/s],
	[{ kind: 'truncated' }, null, 3, /broke off .*No response arrived/s],
	[{ kind: 'reset' }, null, 3, /broke off .*ECONNRESET/s],
	[{ kind: 'hang' }, null, 3, /did not answer in time .*ETIMEDOUT/s],
	[status(503, { detail: 'Maintenance' }), 503, 3, /status 503.*Try again later.*Maintenance/s],
	[{ kind: 'html', status: 502 }, 502, 3, /status 502.*Try again later[^<]*$/s],
	[status(503, '', { 'Retry-After': '3600' }), 503, 1, /status 503/],
	[{ kind: 'redirect', location: 'https://a.example/b?c' }, 302, 1, /to https:.*a\.example\/b\. /],
];

function expectStop(result: ActionResult, itemIndex: number, code: number | null, said: RegExp) {
	const stop = stopOf(result);
	const httpCode = code === null ? null : String(code);
	expect(stop).toMatchObject({ name: 'NodeApiError', itemIndex, httpCode });
	expect(stop.said).toMatch(said);
	expect(secretsIn(result)).toEqual([]);
}

it.each(failures)('a read that meets %j shows %p, and is sent %i times', async (...given) => {
	const [fault, code, tries, said] = given;
	sandbox.faults.add({ match: { path: middle }, fault });
	const fields = { ...read, options: fault.kind === 'hang' ? { timeout: 1 } : {} };
	expectStop(await perform(sandbox, 'booking:get', fields, { rows }), 1, code, said);
	expect(sandbox.requests.find({ path: middle })).toHaveLength(tries);
});

it.each<[OperationName, INodeParameters, string, RegExp]>([
	['booking:getAll', {}, KEYS.discoveryOnly, /to list bookings \(.*booking:bookings:read\)/],
	['tractor:get', { tractorIds: '201' }, KEYS.readOnly, /to get tractor details$/m],
])('%s with %j shows what scope a key lacks', async (operation, fields, apiKey, said) => {
	expectStop(await perform(sandbox, operation, fields, { apiKey }), 0, 401, said);
});

const NONE_NEAR = /near this coordinate.*coordinate 7, 3, .*says: No tractors$/s;
const NO_LIST = /Nothing was found when asked to list bookings.*base URL in the credential\.$/s;

it.each<[OperationName, INodeParameters, unknown, RegExp]>([
	['tractor:findNearby', { latitude: 7, longitude: 3 }, { detail: 'No tractors' }, NONE_NEAR],
	['booking:getAll', {}, '', NO_LIST],
])('%s with %j shows what was not found', async (operation, fields, body, said) => {
	sandbox.faults.add({ fault: status(404, body) });
	expectStop(await perform(sandbox, operation, fields), 0, 404, said);
});

it.each([
	['http://127.0.0.1:9', /^Could not connect to 127\.0\.0\.1:9 to read .*ECONNREFUSED/s],
	['https://tractors.invalid', /^Could not connect to .*(ENOTFOUND|EAI_AGAIN)/s],
	['TLS', /^Could not connect securely to .*certificate/s],
])('a service that is not reached at %s', async (address, said) => {
	const baseUrl = address === 'TLS' ? sandbox.url.replace('http:', 'https:') : address;
	expectStop(await perform(sandbox, 'booking:get', read, { rows, baseUrl }), 0, null, said);
});

it.each<[unknown, string]>([
	[{ error: { landArea: ['is missing', 'is odd'] } }, 'landArea: is missing; is odd'],
	[{ error: [{ field: 'a', message: 'odd' }, 'too long'] }, 'field: a; message: odd; too long'],
	[{ error: { code: 'E7', message: 'is booked' } }, 'code: E7; message: is booked'],
	[{ error: true, message: 'is booked' }, 'is booked'],
	[{ landArea: ['is odd'] }, 'landArea: is odd'],
	[['', 'busy', null, { code: 7 }], 'busy; code: 7'],
	['busy \ud83d', 'busy \uFFFD'],
	['<html>', ''],
	['no '.repeat(500), `${'no '.repeat(100).trim()}…`],
])('of %j is said %p', (body, said) => {
	expect(errorMessageFrom(body)).toBe(said);
});

it.each<Fault>([
	{ kind: 'reset' },
	{ kind: 'html' },
	{ kind: 'empty' },
	{ kind: 'truncated' },
	{ kind: 'hang' },
	status(500),
	status(503, undefined, { 'Retry-After': '1' }),
	{ kind: 'rateLimited', retryAfter: '1' },
])('a read goes on after %j, which passes', async (fault) => {
	sandbox.faults.add({ match: { path: middle }, times: 1, fault });
	const fields = { ...read, options: fault.kind === 'hang' ? { timeout: 1 } : {} };
	const { items, error } = await perform(sandbox, 'booking:get', fields, { rows });
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'bookingID')).toEqual(rows.map(({ booking }) => booking));
	expect(sandbox.requests.count('booking')).toBe(4);
});

it.each(['seconds', 'date', 'absent'] as const)(
	'reads wait for rate limits, and go on, with Retry-After %s',
	async (retryAfter) => {
		Object.assign(sandbox.settings, { rateLimits: { booking: 3 }, rateWindowMs: 900, retryAfter });
		const five = [1, 2, 3, 4, 5].map((n) => ({ booking: 100_000 + n }));
		const { items, error } = await perform(sandbox, 'booking:get', read, { rows: five });
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'bookingID')).toEqual(five.map(({ booking }) => booking));
		expect(pairsOf(items)).toEqual([0, 1, 2, 3, 4]);
		expect(sandbox.requests.count('booking', 429)).toBeGreaterThan(0);
	},
);

it.each([
	...(['interrupted', 'timeout', 'cancelled', 'notJson', 'unreadable', 'server'] as const).map(
		(kind) => [kind, 200, true] as const,
	),
	...(
		['credential', 'unreachable', 'stopped', 'validation', 'notAllowed', 'notFound'] as const
	).map((kind) => [kind, 400, false] as const),
	['rateLimited', 429, false],
	['status', 405, false],
	// After a form is sent, services redirect to what it made.
	['redirected', 302, true],
	['redirected', 303, true],
	['redirected', 301, false],
	['redirected', 307, false],
] as const)(
	'after a failure of the kind %s (%i), what was sent may have been done: %p',
	(kind, status, isUnknown) => {
		expect(new ServiceError(kind, 'it is odd', { status }).outcomeUnknown).toBe(isUnknown);
	},
);

it('a read that fails is tried again after 1 second, then after 2', async () => {
	sandbox.faults.add({ fault: status(503) });
	const waited: Waits = { ms: 0 };
	const start = performance.now();
	const settings = { rows: rows.slice(0, 1) };
	await waits.run(waited, async () => await perform(sandbox, 'booking:get', read, settings));
	const clockedMs = performance.now() - start;
	expect(sandbox.requests.find()).toHaveLength(3);
	expect(waited.ms).toBeLessThanOrEqual(3_000);
	expect(waited.ms + clockedMs).toBeGreaterThanOrEqual(3_000);
});

it.each([
	['unreachable', { cause: 'temporarily-unavailable' }],
	['validation', undefined],
] as const)('n8n knows whether to back off after a failure of the kind %s', (kind, failure) => {
	const error = toNodeError({ name: 'N', type: 't' } as INode, new ServiceError(kind, 'it is odd'));
	expect(error).toMatchObject({ failure });
});
