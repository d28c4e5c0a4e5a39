import type { INode, INodeParameters } from 'n8n-workflow';

import { ServiceError, toNodeError } from '../../nodes/TractorBooking/api/errors';
import type { Fault, FaultRule, SandboxOptions } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import type { OperationName, Settings } from '../support/action';
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

interface Case {
	operation?: OperationName;
	fields?: INodeParameters;
	/** Strikes the middle read, each time. */
	fault?: Fault;
	rule?: Partial<FaultRule>;
	sandbox?: SandboxOptions;
	settings?: Settings;
	/** Address instead of the sandbox's own. */
	address?: (url: string) => string;
	message: string | RegExp;
	description: string | RegExp;
	status?: number;
}

const status = (code: number, body?: unknown, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	status: code,
	...(body === undefined ? {} : { body }),
	...(headers ? { headers } : {}),
});

const WRONG_KEY = /Status 40[13]: either the key or token is wrong, or it lacks the scope/;

const cases: Record<string, Case> = {
	'400 with a text': {
		fault: status(400, { error: 'landArea must be positive' }),
		message: 'The service refused to read booking 100002',
		description:
			'The service says: landArea must be positive. Correct the values that it names, then run this item again.',
		status: 400,
	},
	'400 with an object': {
		fault: status(400, {
			error: { landArea: ['is missing', 'is odd'], farmer: { name: 'is long' } },
		}),
		message: 'The service refused to read booking 100002',
		description: /says: landArea: is missing; is odd; farmer: name: is long\. Correct the values/,
		status: 400,
	},
	'400 with a list': {
		fault: status(400, { error: [{ field: 'landArea', message: 'is odd' }, 'farmer is unknown'] }),
		message: 'The service refused to read booking 100002',
		description: /says: field: landArea; message: is odd; farmer is unknown\. Correct the values/,
		status: 400,
	},
	'400 without a reason': {
		fault: status(400, ''),
		message: 'The service refused to read booking 100002: it gave no reason',
		description: /Correct the values/,
		status: 400,
	},
	'400 with a long reason': {
		fault: status(400, { error: 'no '.repeat(500) }),
		message: 'The service refused to read booking 100002',
		description: /^.{250,400}… Correct the values/,
		status: 400,
	},
	'401': {
		fault: status(401),
		message:
			'The service did not allow this credential to read booking 100002 (a key needs the scope booking:bookings:read)',
		description: WRONG_KEY,
		status: 401,
	},
	'403': {
		fault: status(403),
		message: /scope booking:bookings:read/,
		description: WRONG_KEY,
		status: 403,
	},
	'401 that quotes the key': {
		fault: status(401, { detail: `Key ${KEYS.full} is not known` }),
		message: /scope booking:bookings:read/,
		description: /The service says: Key … is not known/,
		status: 401,
	},
	'401 of a list': {
		operation: 'booking:getAll',
		settings: { apiKey: KEYS.discoveryOnly },
		message:
			/^The service did not allow this credential to list bookings \(.*booking:bookings:read\)$/,
		description: /lacks the scope for this endpoint.*the test says what the key may do/s,
		status: 401,
	},
	'401 of an endpoint whose scope is not documented': {
		operation: 'tractor:get',
		fields: { tractorIds: '201' },
		settings: { apiKey: KEYS.readOnly },
		message: 'The service did not allow this credential to get tractor details',
		description: WRONG_KEY,
		status: 401,
	},
	'404 of one booking': {
		fault: status(404, { detail: 'Not found.' }),
		message: 'Booking 100002 is unknown, or belongs to another organisation',
		description:
			'Check what was asked for, then the base URL in the credential. The service says: Not found.',
		status: 404,
	},
	'404 without a reason': {
		fault: status(404, ''),
		message: 'Booking 100002 is unknown, or belongs to another organisation',
		description: 'Check what was asked for, then the base URL in the credential.',
		status: 404,
	},
	'404 of a search': {
		operation: 'tractor:findNearby',
		fields: { latitude: 7, longitude: 3 },
		rule: { match: { endpoint: 'nearby' } },
		fault: status(404, { detail: 'No tractors found' }),
		message:
			'Nothing was found near this coordinate: the service knows no tractor there, or the base URL in the credential is wrong',
		description:
			'Check the coordinate 7, 3, then the base URL in the credential. The service says: No tractors found',
		status: 404,
	},
	'409 in plain words': {
		fault: status(409, 'The tractor is busy'),
		message: 'The service refused to read booking 100002',
		description: 'The service says: The tractor is busy. The service answered with status 409.',
		status: 409,
	},
	'409 as a list': {
		fault: status(409, ['', 'The tractor is busy', null, { code: 7 }]),
		message: 'The service refused to read booking 100002',
		description:
			'The service says: The tractor is busy; code: 7. The service answered with status 409.',
		status: 409,
	},
	'409 without a reason': {
		fault: status(409, ''),
		message: 'The service answered with status 409 when asked to read booking 100002',
		description:
			'It gave no reason. Check the base URL in the credential; if it is right, tell the operator of the service.',
		status: 409,
	},
	'409 with half of a character': {
		fault: status(409, '{"error": "busy \\ud83d"}', { 'Content-Type': 'application/json' }),
		message: 'The service refused to read booking 100002',
		description: 'The service says: busy \uFFFD. The service answered with status 409.',
		status: 409,
	},
	'404 of a whole list': {
		operation: 'booking:getAll',
		address: (url) => `${url}/api`,
		message:
			'Nothing was found when asked to list bookings: there is nothing yet, or the base URL is wrong',
		description: /^Check the base URL in the credential\. The service says: Not found\.$/,
		status: 404,
	},
	'429 for longer than is worth waiting': {
		fault: { kind: 'rateLimited', retryAfter: '4000' },
		message: 'The rate limit was reached while trying to read booking 100002',
		description: /^Wait the 4000 s that the service asks for, then try again\.$/,
		status: 429,
	},
	'a page of HTML': {
		fault: { kind: 'html' },
		message: 'The response was not JSON when asked to read booking 100002',
		description: /answered with text\/html.*not of its website/s,
		status: 200,
	},
	'an empty body': {
		fault: { kind: 'empty' },
		message: 'The response was not JSON when asked to read booking 100002',
		description: /answered with an empty body/,
		status: 200,
	},
	'JSON that ends in the middle': {
		fault: status(200, '{"bookingID": 100', { 'Content-Type': 'application/json' }),
		message: 'The response was cut off in the middle when asked to read booking 100002',
		description: /connection may be unstable/,
		status: 200,
	},
	'a connection that breaks in the middle of the body': {
		fault: { kind: 'truncated' },
		message: /^The connection to 127\.0\.0\.1:\d+ broke off while trying to read booking 100002$/,
		description: /No response arrived/,
	},
	'a connection that is reset': {
		fault: { kind: 'reset' },
		message: /^The connection to 127\.0\.0\.1:\d+ broke off while trying to read booking 100002$/,
		description: /ECONNRESET/,
	},
	'no answer within the timeout': {
		fault: { kind: 'hang' },
		fields: { options: { timeout: 1 } },
		message: /^127\.0\.0\.1:\d+ did not answer in time when asked to read booking 100002$/,
		description:
			/^The service may be too slow, .* \(ETIMEDOUT\)\. Check the base URL in the credential, then try again later\.$/,
	},
	'a failure of the service': {
		fault: status(503, { detail: 'Maintenance until noon' }),
		message: 'The service returned an error (status 503) when asked to read booking 100002',
		description:
			'Try again later; if it persists, tell the operator of the service. The service says: Maintenance until noon',
		status: 503,
	},
	'a failure of a gateway': {
		fault: { kind: 'html', status: 502 },
		message: 'The service returned an error (status 502) when asked to read booking 100002',
		description: 'Try again later; if it persists, tell the operator of the service.',
		status: 502,
	},
	'a failure that is to last': {
		fault: status(503, undefined, { 'Retry-After': '3600' }),
		message: 'The service returned an error (status 503) when asked to read booking 100002',
		description: /Try again later/,
		status: 503,
	},
	'a status of no meaning here': {
		fault: status(418, { message: 'I am a teapot' }),
		message: 'The service refused to read booking 100002',
		description: 'The service says: I am a teapot. The service answered with status 418.',
		status: 418,
	},
	'a redirect elsewhere': {
		fault: { kind: 'redirect', location: 'https://login.example.com/start?from=api' },
		message: 'The address redirects elsewhere when asked to read booking 100002',
		description: /It points to https:\/\/login\.example\.com\/start\. The key is not sent there/,
		status: 302,
	},
	'JSON that is no booking': {
		fault: status(200, ['a', 'b']),
		message: 'The service answered with something that is not a booking',
		description: /Check that the base URL/,
	},
	'JSON that is no list': {
		operation: 'contract:getAll',
		rule: { match: {}, fault: status(200, { welcome: true }) },
		message: 'The service answered with something that is not a list of contracts',
		description: 'Check that the base URL in the credential is the one of the service.',
	},
	'words in the place of a list': {
		operation: 'booking:getAll',
		rule: { match: {}, fault: status(200, { status: 'error', message: 'quota exceeded' }) },
		message: 'The service answered with something that is not a list of bookings',
		description: /^The service says: quota exceeded\. Try again later/,
	},
	'a port where nothing listens': {
		address: () => 'http://127.0.0.1:9',
		message: 'Could not connect to 127.0.0.1:9 to read booking 100001',
		description: /cannot be reached \(ECONNREFUSED\).*Check the base URL.*Nothing was sent/s,
	},
	'a name that nobody knows': {
		address: () => 'https://tractors.invalid',
		message: 'Could not connect to tractors.invalid to read booking 100001',
		description: /cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/,
	},
	'a server that does not speak TLS': {
		address: (url) => url.replace('http:', 'https:'),
		message: /^Could not connect securely to 127\.0\.0\.1:\d+ to read booking 100001$/,
		description: /certificate of the service was not accepted/,
	},
};

/**
 * All cases run at the same time, each with a sandbox of its own; those that wait for a timeout afterwards, so that
 * on a busy machine nothing else runs into it.
 */
const results = new Map<string, { result: ActionResult; requests: number }>();

async function runCase(name: string, given: Case): Promise<void> {
	const sandbox = await startSandbox(given.sandbox);
	const { fault, rule, address = (url) => url } = given;
	if (fault) sandbox.faults.add({ match: { path: middle }, fault, ...rule });
	else if (rule?.fault) sandbox.faults.add({ fault: rule.fault, ...rule });
	const result = await perform(
		sandbox,
		given.operation ?? 'booking:get',
		{ ...(given.operation ? {} : read), ...given.fields },
		{ rows, baseUrl: address(sandbox.url), ...given.settings },
	);
	results.set(name, { result, requests: sandbox.requests.find({ path: middle }).length });
	await sandbox.close();
}

beforeAll(async () => {
	const isHanging = ({ fault }: Case) => fault?.kind === 'hang';
	for (const isLater of [false, true]) {
		const now = Object.entries(cases).filter(([, given]) => isHanging(given) === isLater);
		await Promise.all(now.map(async ([name, given]) => await runCase(name, given)));
	}
});

function resultOf(name: string) {
	const found = results.get(name);
	if (!found) throw new Error(`The case "${name}" did not run`);
	return found;
}

describe('a failed read', () => {
	it.each(Object.entries(cases))('by %s is told in words', (name, given) => {
		const stop = stopOf(resultOf(name).result);
		const atOnce = given.operation !== undefined || given.address !== undefined;
		expect(stop).toMatchObject({
			name: 'NodeApiError',
			itemIndex: atOnce ? 0 : 1,
			httpCode: given.status === undefined ? null : String(given.status),
		});
		if (typeof given.message === 'string') expect(stop.message).toBe(given.message);
		else expect(stop.message).toMatch(given.message);
		if (typeof given.description === 'string') expect(stop.description).toBe(given.description);
		else expect(stop.description).toMatch(given.description);
	});

	it('shows no key', () => {
		expect(secretsIn([...results.values()])).toEqual([]);
	});

	it.each([
		['a page of HTML', 3],
		['an empty body', 3],
		['a connection that is reset', 3],
		['no answer within the timeout', 3],
		['a failure of the service', 3],
		['a failure that is to last', 1],
		['400 with a text', 1],
		['401', 1],
		['404 of one booking', 1],
		['429 for longer than is worth waiting', 1],
		['a status of no meaning here', 1],
		['a redirect elsewhere', 1],
	])('by %s was tried %i times', (name, times) => {
		expect(resultOf(name).requests).toBe(times);
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
] as const)('n8n is told whether to back off after a failure of the kind %s', (kind, failure) => {
	const details = kind === 'unreachable' ? {} : { retryAfterMs: 5_000 };
	const node = { id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };
	const error = toNodeError(node as INode, new ServiceError(kind, 'it is odd', details));
	expect(error).toMatchObject({ failure });
});
