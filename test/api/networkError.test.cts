import { networkError } from '../../nodes/TractorBooking/api/networkError';

const endpoint = { name: 'bookings', purpose: 'list bookings' };
const failure = (error: Error) => networkError(error, endpoint, 'https://api.example.com', false);
const lost = (syscall: string, code: string) =>
	Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
const wrapped = (cause: Error) =>
	new Error('n8n', { cause: Object.assign(new Error('axios'), { cause }) });

/** The failures of several addresses, as Node gathers them. */
const several = new AggregateError([lost('connect', 'ETIMEDOUT')]);

it.each([
	[lost('getaddrinfo', 'ENOTFOUND'), 'unreachable'],
	[wrapped(lost('connect', 'ETIMEDOUT')), 'unreachable'],
	[wrapped(Object.assign(several, { code: 'ETIMEDOUT' })), 'unreachable'],
	[lost('connect', 'EHOSTUNREACH'), 'unreachable'],
	// After the connection was made, the request may have been carried out.
	[lost('read', 'ETIMEDOUT'), 'timeout'],
	[lost('read', 'EHOSTUNREACH'), 'interrupted'],
	[lost('read', 'ENETUNREACH'), 'interrupted'],
	[lost('read', 'ECONNRESET'), 'interrupted'],
])('%p is %s', (error, kind) => {
	expect(failure(error)).toMatchObject({ kind, outcomeUnknown: kind !== 'unreachable' });
});

it('a failure of n8n itself is reported in its own words', () => {
	const error = new Error('No bridge acquired for this context');
	expect(failure(error).description).toContain(`(${error.message})`);
});
