import {
	networkError,
	parseResponse,
	parseRetryAfter,
} from '../../nodes/TractorBooking/api/responses';

const endpoint = { name: 'bookings', purpose: 'list bookings' };

it.each([
	[400, 'validation'],
	[401, 'notAllowed'],
	[403, 'notAllowed'],
	[404, 'notFound'],
	[408, 'server'],
	[422, 'validation'],
	[405, 'status'],
	[409, 'status'],
	[429, 'rateLimited'],
	[500, 'server'],
	[599, 'server'],
])('status %i is a failure of the kind %s, with a reason and without', (statusCode, kind) => {
	for (const body of ['', '{"error":"it is odd"}']) {
		const response = { statusCode, headers: { 'retry-after': '2' }, body };
		const failure = { kind, status: statusCode, retryAfterMs: 2_000 };
		expect(parseResponse(response, endpoint)).toMatchObject(failure);
	}
});

it.each([
	['0', 0],
	['1.2', 1_200],
	[' 5 ', 5_000],
	[7, 7_000],
	['-5', 0],
	['', undefined],
	['soon', undefined],
	[undefined, undefined],
	['Tue, 03 Feb 2026 08:01:30 GMT', 90_000],
	['Tue, 03 Feb 2026 07:59:59 GMT', 0],
])('Retry-After %j asks to wait %p ms', (header, ms) => {
	jest.useFakeTimers({ now: Date.parse('2026-02-03T08:00:00Z') });
	expect(parseRetryAfter(header)).toBe(ms);
	jest.useRealTimers();
});

it.each([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map(
		(code) =>
			[code, 'unreachable', /^Could not connect to the service to list/, /^Nothing ans/] as const,
	),
	['CERT_HAS_EXPIRED', 'unreachable', /^Could not connect securely to the/, /NODE_EXTRA_CA_CERTS/],
	['ETIMEDOUT', 'timeout', /^The service did not answer in time when asked to list/, /too slow/],
	['ECONNRESET', 'interrupted', /^The connection to the service was lost while trying to/, /^No/],
] as const)('%s is a failure of the kind %s', (code, kind, message, description) => {
	const wrapped = new Error('failed', { cause: Object.assign(new Error('no'), { code }) });
	const error = networkError(wrapped, endpoint, 'https://a.example/v1');
	expect(error.kind).toBe(kind);
	expect(error.message).toMatch(message);
	expect(error.description).toMatch(description);
	expect(error.description).toContain(`(${code})`);
	expect(error.description).toContain('a.example');
});
