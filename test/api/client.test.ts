import type { IN8nHttpFullResponse } from 'n8n-workflow';

import type { RetryPolicy } from '../../nodes/TractorBooking/api/client';
import { Client } from '../../nodes/TractorBooking/api/client';

const policy: RetryPolicy = { timeoutMs: 5_000, rateLimitWaitMs: 0, retries: 0 };

const request = {
	endpoint: { name: 'bookings', purpose: 'list bookings' },
	path: '/booking-services/partner/booking/1/10',
};

/** A client whose requests are answered in turn. */
function answered(...answers: Array<Partial<IN8nHttpFullResponse>>) {
	return new Client({
		baseUrl: 'https://api.example.com',
		secret: 'sandbox-key',
		policy,
		request: async () => ({ statusCode: 200, headers: {}, body: '[]', ...answers.shift() }),
	});
}

it('a response is read whose text the helper of n8n has read already', async () => {
	const client = answered({ body: '[7]' }, { body: undefined });
	expect(await client.send(request, (body) => body)).toEqual([7]);
	await expect(client.send(request, (body) => body)).rejects.toThrow('not JSON');
});

it('a request that is refused for another reason than its rate got past the limit', async () => {
	let underWay = 0;
	let peak = 0;
	const statuses = [429];
	const client = new Client({
		baseUrl: 'https://api.example.com',
		secret: 'sandbox-key',
		policy: { ...policy, rateLimitWaitMs: 60_000 },
		request: async () => {
			peak = Math.max(peak, ++underWay);
			await new Promise((resolve) => setImmediate(resolve));
			underWay -= 1;
			return { statusCode: statuses.shift() ?? 404, headers: { 'retry-after': '0' }, body: '' };
		},
	});
	const send = async () => await client.send(request, (body) => body).catch(() => undefined);
	await send();
	expect(peak).toBe(1);
	await Promise.all([send(), send(), send(), send()]);
	expect(peak).toBeGreaterThan(1);
});
