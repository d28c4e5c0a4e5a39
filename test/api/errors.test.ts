import type { INode, INodeParameters } from 'n8n-workflow';

import { ServiceError, toNodeError } from '../../nodes/TractorBooking/api/errors';
import type { Fault, FaultRule } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import type { OperationName } from '../support/action';
import { fieldOf, pairsOf, perform, secretsIn, stopOf } from '../support/action';
import type { ActionResult } from '../support/engine';
import type { Waits } from '../support/waits';
import { waits } from '../support/waits';

jest.mock('../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../support/shortPauses'),
);

/** The middle one of three reads fails. */
const rows = [{ booking: 100_001 }, { booking: 100_002 }, { booking: 100_003 }];
const read: INodeParameters = {
	bookingId: { __rl: true, mode: 'id', value: '={{ $json.booking }}' },
};
const middle = '/booking-services/partner/booking/100002';

/** What a run shows of a failure. */
interface Shown {
	message: RegExp;
	description: RegExp;
	status?: number;
	/** How often the request was sent. */
	tries?: number;
}

const status = (code: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	status: code,
	...(body === undefined ? {} : { body }),
	...(headers ? { headers } : {}),
});

const REFUSED = /^The service refused to read booking 100002$/;
const NO_KEY =
	/^The service did not allow this credential to read booking 100002 \(.*booking:bookings:read\)$/;
const WRONG_KEY = /^Status 40[13]: either the key or token is wrong, or it lacks the scope/;
const NO_BOOKING = /^Booking 100002 is unknown, or belongs to another organisation$/;
const NOT_JSON = /^The response was not JSON when asked to read booking 100002$/;
const BROKEN = /^The connection to .* broke off while trying to read booking 100002$/;
const LATER = /^Try again later; if it persists, tell the operator of the service\.$/;

const says = (text: string) => new RegExp(`^The service says: ${text}`);
const failed = (code: number) =>
	new RegExp(`returned an error \\(status ${code}\\) when asked to read booking 100002$`);

/** What strikes the middle read, each time, and what comes of it. */
const faults: Record<string, Shown & { fault: Fault; timeout?: number }> = {
	'400 with a text': {
		fault: status(400, { error: 'landArea must be positive' }),
		message: REFUSED,
		description: says('landArea must be positive\\. Correct the values that it names'),
		status: 400,
		tries: 1,
	},
	'400 with an object': {
		fault: status(400, { error: { landArea: ['is missing', 'is odd'], farmer: { name: 'long' } } }),
		message: REFUSED,
		description: says('landArea: is missing; is odd; farmer: name: long\\. Correct'),
		status: 400,
	},
	'400 with a list': {
		fault: status(400, { error: [{ field: 'landArea', message: 'odd' }, 'farmer is unknown'] }),
		message: REFUSED,
		description: says('field: landArea; message: odd; farmer is unknown\\. Correct'),
		status: 400,
	},
	'400 with an error object, whose message comes first': {
		fault: status(400, { error: { code: 'E7', message: 'is booked' } }),
		message: REFUSED,
		description: says('is booked; code: E7\\. Correct'),
		status: 400,
	},
	'400 without a reason': {
		fault: status(400, ''),
		message: /^The service refused to read booking 100002: it gave no reason$/,
		description: /^Correct the values/,
		status: 400,
	},
	'400 with a long reason': {
		fault: status(400, { error: 'no '.repeat(500) }),
		message: REFUSED,
		description: /^.{250,400}… Correct the values/,
		status: 400,
	},
	'401': { fault: status(401), message: NO_KEY, description: WRONG_KEY, status: 401, tries: 1 },
	'403': { fault: status(403), message: NO_KEY, description: WRONG_KEY, status: 403 },
	'401 that quotes the key': {
		fault: status(401, { detail: `Key ${KEYS.full} is not known` }),
		message: NO_KEY,
		description: /The service says: Key … is not known/,
		status: 401,
	},
	'404': {
		fault: status(404, { detail: 'Not found.' }),
		message: NO_BOOKING,
		description: /^Check what was asked for, then the base URL .* The service says: Not found\.$/,
		status: 404,
		tries: 1,
	},
	'404 without a reason': {
		fault: status(404, ''),
		message: NO_BOOKING,
		description: /then the base URL in the credential\.$/,
		status: 404,
	},
	'409 in plain words': {
		fault: status(409, 'The tractor is busy'),
		message: REFUSED,
		description: says('The tractor is busy\\. The service answered with status 409\\.'),
		status: 409,
		tries: 1,
	},
	'409 as a list': {
		fault: status(409, ['', 'The tractor is busy', null, { code: 7 }]),
		message: REFUSED,
		description: says('The tractor is busy; code: 7\\.'),
		status: 409,
	},
	'409 without a reason': {
		fault: status(409, ''),
		message: /: it gave no reason$/,
		description: /status 409\. Check the base URL in the credential; if it is right, tell/,
		status: 409,
	},
	'409 with half of a character': {
		fault: status(409, '{"error": "busy \\ud83d"}', { 'Content-Type': 'application/json' }),
		message: REFUSED,
		description: says('busy \uFFFD\\.'),
		status: 409,
	},
	'429 for longer than is worth waiting': {
		fault: { kind: 'rateLimited', retryAfter: '4000' },
		message: /^The rate limit was reached while trying to read booking 100002$/,
		description: /^Wait the 4000 s that the service asks for, then try again\.$/,
		status: 429,
		tries: 1,
	},
	'a page of HTML': {
		fault: { kind: 'html' },
		message: NOT_JSON,
		description: /answered with text\/html.*not of its website/,
		status: 200,
		tries: 3,
	},
	'an empty body': {
		fault: { kind: 'empty' },
		message: NOT_JSON,
		description: /answered with an empty body/,
		status: 200,
		tries: 3,
	},
	'JSON that ends in the middle': {
		fault: status(200, '{"bookingID": 100', { 'Content-Type': 'application/json' }),
		message: /^The response was cut off in the middle when asked to read booking 100002$/,
		description: /connection may be unstable/,
		status: 200,
	},
	'JSON that is no booking': {
		fault: status(200, ['a', 'b']),
		message: /not a booking$/,
		description: /^Check that the base URL/,
	},
	'a body that breaks off': {
		fault: { kind: 'truncated' },
		message: BROKEN,
		description: /No response arrived/,
	},
	'a connection that is reset': {
		fault: { kind: 'reset' },
		message: BROKEN,
		description: /ECONNRESET/,
		tries: 3,
	},
	'no answer within the timeout': {
		fault: { kind: 'hang' },
		timeout: 1,
		message: /did not answer in time when asked to read booking 100002$/,
		description: /too slow, .* \(ETIMEDOUT\)\. Check the base URL.*, then try again later\.$/,
		tries: 3,
	},
	'a failure of the service': {
		fault: status(503, { detail: 'Maintenance until noon' }),
		message: failed(503),
		description: /^Try again later; .* The service says: Maintenance until noon$/,
		status: 503,
		tries: 3,
	},
	'a failure of a gateway': {
		fault: { kind: 'html', status: 502 },
		message: failed(502),
		description: LATER,
		status: 502,
	},
	'a failure that is to last': {
		fault: status(503, '', { 'Retry-After': '3600' }),
		message: failed(503),
		description: LATER,
		status: 503,
		tries: 1,
	},
	'a redirect elsewhere': {
		fault: { kind: 'redirect', location: 'https://login.example.com/start?from=api' },
		message: /^The address redirects elsewhere when asked to read booking 100002$/,
		description: /^It points to https:\/\/login\.example\.com\/start\. Nothing is sent there/,
		status: 302,
		tries: 1,
	},
};

/** What no read of one booking shows: other operations, and other addresses. */
interface Run extends Shown {
	operation?: OperationName;
	fields?: INodeParameters;
	rule?: FaultRule;
	apiKey?: string;
	address?: (url: string) => string;
}

const runs: Record<string, Run> = {
	'401 of a list': {
		operation: 'booking:getAll',
		apiKey: KEYS.discoveryOnly,
		message: /to list bookings \(.*booking:bookings:read\)$/,
		description: WRONG_KEY,
		status: 401,
	},
	'401 of an endpoint whose scope is not documented': {
		operation: 'tractor:get',
		fields: { tractorIds: '201' },
		apiKey: KEYS.readOnly,
		message: /to get tractor details$/,
		description: WRONG_KEY,
		status: 401,
	},
	'404 of a search': {
		operation: 'tractor:findNearby',
		fields: { latitude: 7, longitude: 3 },
		rule: { match: { endpoint: 'nearby' }, fault: status(404, { detail: 'No tractors found' }) },
		message: /^Nothing was found near this coordinate/,
		description: /^Check the coordinate 7, 3, .* The service says: No tractors found$/,
		status: 404,
	},
	'404 of a whole list': {
		operation: 'booking:getAll',
		address: (url) => `${url}/api`,
		message: /^Nothing was found when asked to list bookings/,
		description: /^Check the base URL in the credential\. The service says: Not found\.$/,
		status: 404,
	},
	'JSON that is no list': {
		operation: 'contract:getAll',
		rule: { fault: status(200, { welcome: true }) },
		message: /not a list of contracts$/,
		description: /^Check that the base URL/,
	},
	'words in the place of a list': {
		operation: 'booking:getAll',
		rule: { fault: status(200, { status: 'error', message: 'quota exceeded' }) },
		message: /not a list of bookings$/,
		description: says('quota exceeded\\. Try again later'),
	},
	'a port where nothing listens': {
		address: () => 'http://127.0.0.1:9',
		message: /^Could not connect to 127\.0\.0\.1:9 to read booking 100001$/,
		description: /cannot be reached \(ECONNREFUSED\).*Check the base URL.*Nothing was sent/,
	},
	'an unknown name': {
		address: () => 'https://tractors.invalid',
		message: /^Could not connect to tractors\.invalid/,
		description: /cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/,
	},
	'a server that does not speak TLS': {
		address: (url) => url.replace('http:', 'https:'),
		message: /^Could not connect securely to/,
		description: /certificate of the service was not accepted/,
	},
};

function expectStop(result: ActionResult, itemIndex: number, shown: Shown): void {
	const { message, description, status: code } = shown;
	const stop = stopOf(result);
	expect(stop).toMatchObject({
		name: 'NodeApiError',
		itemIndex,
		httpCode: code === undefined ? null : String(code),
		message: expect.stringMatching(message) as unknown,
		description: expect.stringMatching(description) as unknown,
	});
	expect(secretsIn(result)).toEqual([]);
}

describe('a failed read', () => {
	it.each(Object.entries(faults))('by %s says what to do', async (_name, given) => {
		const sandbox = await startSandbox();
		sandbox.faults.add({ match: { path: middle }, fault: given.fault });
		const fields = { ...read, options: given.timeout ? { timeout: given.timeout } : {} };
		const result = await perform(sandbox, 'booking:get', fields, { rows });
		await sandbox.close();
		expectStop(result, 1, given);
		if (given.tries) expect(sandbox.requests.find({ path: middle })).toHaveLength(given.tries);
	});

	it.each(Object.entries(runs))('by %s says what to do', async (_name, given) => {
		const {
			operation = 'booking:get',
			fields = read,
			rule,
			apiKey,
			address = (url) => url,
		} = given;
		const sandbox = await startSandbox();
		if (rule) sandbox.faults.add(rule);
		const settings = { rows, baseUrl: address(sandbox.url), ...(apiKey && { apiKey }) };
		const result = await perform(sandbox, operation, fields, settings);
		await sandbox.close();
		expectStop(result, 0, given);
	});
});

it('a read goes on after failures that pass', async () => {
	const passing: Fault[] = [
		{ kind: 'reset' },
		{ kind: 'html' },
		{ kind: 'empty' },
		{ kind: 'truncated' },
		{ kind: 'hang' },
		status(500),
		status(503, undefined, { 'Retry-After': '1' }),
		{ kind: 'rateLimited', retryAfter: '1' },
	];
	const run = async (fault: Fault) => {
		const sandbox = await startSandbox();
		sandbox.faults.add({ match: { path: middle }, times: 1, fault });
		const options = fault.kind === 'hang' ? { timeout: 3 } : {};
		const fields = { ...read, options };
		const { items, error } = await perform(sandbox, 'booking:get', fields, { rows });
		const requests = sandbox.requests.count('booking');
		await sandbox.close();
		return { fault, ids: fieldOf(items, 'bookingID'), error, requests };
	};
	for (const { fault, ids, error, requests } of await Promise.all(passing.map(run))) {
		expect({ fault, ids, error, requests }).toEqual({
			fault,
			ids: rows.map(({ booking }) => booking),
			error: undefined,
			requests: 4,
		});
	}
});

it('reads wait for rate limits, whatever form Retry-After has, and go on', async () => {
	const five = [1, 2, 3, 4, 5].map((n) => ({ booking: 100_000 + n }));
	const run = async (retryAfter: 'seconds' | 'date' | 'absent') => {
		const sandbox = await startSandbox({
			rateLimits: { booking: 3 },
			rateWindowMs: 900,
			retryAfter,
		});
		const { items, error } = await perform(sandbox, 'booking:get', read, { rows: five });
		const refused = sandbox.requests.count('booking', 429);
		await sandbox.close();
		return { retryAfter, ids: fieldOf(items, 'bookingID'), pairs: pairsOf(items), error, refused };
	};
	for (const outcome of await Promise.all([run('seconds'), run('date'), run('absent')])) {
		expect(outcome).toEqual({
			retryAfter: outcome.retryAfter,
			ids: five.map(({ booking }) => booking),
			pairs: [0, 1, 2, 3, 4],
			error: undefined,
			refused: expect.any(Number) as unknown,
		});
		expect(outcome.refused).toBeGreaterThan(0);
	}
});

it.each([
	...(['interrupted', 'timeout', 'cancelled', 'notJson', 'unreadable', 'server'] as const).map(
		(kind) => [kind, 200, true] as const,
	),
	...(
		['credential', 'unreachable', 'stopped', 'validation', 'notAllowed', 'notFound'] as const
	).map((kind) => [kind, 400, false] as const),
	['rateLimited', 429, false],
	['status', 409, false],
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
	const sandbox = await startSandbox();
	sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
	const waited: Waits = { ms: 0 };
	const start = performance.now();
	const settings = { rows: rows.slice(0, 1) };
	await waits.run(waited, async () => await perform(sandbox, 'booking:get', read, settings));
	const clockedMs = performance.now() - start;
	await sandbox.close();
	expect(sandbox.requests.find()).toHaveLength(3);
	expect(waited.ms).toBeLessThanOrEqual(3_000);
	expect(waited.ms + clockedMs).toBeGreaterThanOrEqual(3_000);
});

it.each([
	['unreachable', { cause: 'temporarily-unavailable' }],
	['server', { cause: 'temporarily-unavailable', retryAfterMs: 5_000 }],
	['rateLimited', { cause: 'rate-limited', retryAfterMs: 5_000 }],
	['notAllowed', { cause: 'credential-invalid' }],
	['validation', undefined],
] as const)('n8n knows whether to back off after a failure of the kind %s', (kind, failure) => {
	const details = kind === 'unreachable' ? {} : { retryAfterMs: 5_000 };
	const node = { id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };
	const error = toNodeError(node as INode, new ServiceError(kind, 'it is odd', details));
	expect(error).toMatchObject({ failure });
});
