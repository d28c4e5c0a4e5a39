import { limitsFor } from '../../nodes/TractorBooking/api/rateLimiter';

const limits = limitsFor('https://a.example', 'key');

it('limits are shared by credentials with the same key at the same base URL', () => {
	expect(limitsFor('https://a.example', 'key')).toBe(limits);
	expect(limits.limiterFor('create')).toBe(limits.limiterFor('create'));
});

it('limits are not shared by other keys, base URLs and endpoints', () => {
	expect(limitsFor('https://a.example', 'other')).not.toBe(limits);
	expect(limitsFor('https://b.example', 'key')).not.toBe(limits);
	expect(limits.limiterFor('nearby')).not.toBe(limits.limiterFor('create'));
});
