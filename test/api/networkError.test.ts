import { networkError } from '../../nodes/TractorBooking/api/networkError';

describe('a connection that is not made, or lost', () => {
	const endpoint = { name: 'bookings', purpose: 'list bookings' };
	const failure = (error: Error) => networkError(error, endpoint, 'https://api.example.com', false);
	const lost = (syscall: string, code = 'ETIMEDOUT') =>
		Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

	it('by a timeout before it was made was not reached', () => {
		const several = new AggregateError([lost('connect'), lost('connect')]);
		for (const cause of [lost('connect'), Object.assign(several, { code: 'ETIMEDOUT' })]) {
			const wrapped = new Error('n8n', { cause: Object.assign(new Error('axios'), { cause }) });
			const { kind, message, description } = failure(wrapped);
			expect(kind).toBe('unreachable');
			expect(message).toBe('Could not connect to api.example.com to list bookings');
			expect(description).toMatch(/cannot be reached \(ETIMEDOUT\).*Nothing was sent/);
		}
	});

	it('by a timeout after it was made is not said to be unreachable', () => {
		const { kind, description } = failure(lost('read'));
		expect(kind).toBe('timeout');
		expect(description).not.toMatch(/cannot be reached/);
	});

	it.each(['EHOSTUNREACH', 'ENETUNREACH'])('%s says whether anything was sent', (code) => {
		expect(failure(lost('connect', code)).kind).toBe('unreachable');
		expect(failure(lost('read', code)).kind).toBe('interrupted');
		expect(failure(lost('read', code)).outcomeUnknown).toBe(true);
	});
});

it('a failure of n8n itself is reported in its own words', () => {
	const endpoint = { name: 'bookings', purpose: 'list bookings' };
	const error = new Error('No bridge acquired for this context');
	expect(networkError(error, endpoint, 'https://api.example.com', false).description).toBe(
		'No response arrived (No bridge acquired for this context). Check the network, then try again.',
	);
});
