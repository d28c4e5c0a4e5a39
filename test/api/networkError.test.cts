import { networkError } from '../../nodes/TractorBooking/api/responses';

const endpoint = { name: 'bookings', purpose: 'list bookings' };
const failure = (error: Error) => networkError(error, endpoint, 'https://api.example.com');
const lost = (syscall: string, code: string) =>
	Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
const wrapped = (cause: Error) =>
	new Error('n8n', { cause: Object.assign(new Error('axios'), { cause }) });

it.each([
	[lost('getaddrinfo', 'ENOTFOUND'), 'unreachable'],
	[wrapped(lost('connect', 'ECONNREFUSED')), 'unreachable'],
	// The request may have been carried out.
	[lost('read', 'ETIMEDOUT'), 'timeout'],
	[lost('read', 'EHOSTUNREACH'), 'interrupted'],
	[lost('read', 'ECONNRESET'), 'interrupted'],
])('%p is %s', (error, kind) => {
	expect(failure(error)).toMatchObject({ kind, outcomeUnknown: kind !== 'unreachable' });
});

it('a failure of n8n itself is reported in its own words', () => {
	const error = new Error('No bridge acquired for this context');
	expect(failure(error).description).toContain(`(${error.message})`);
});
