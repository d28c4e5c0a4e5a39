import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import {
	clientOf,
	type RetryPolicy,
	type ServiceRequest,
} from '../../nodes/TractorBooking/api/client';

type Response = Partial<IN8nHttpFullResponse>;

function senderOf(
	answer: (options: IHttpRequestOptions) => Promise<Response>,
	policy: Partial<RetryPolicy> = {},
) {
	const client = clientOf({
		baseUrl: 'https://api.example.com',
		secret: 'sandbox-key',
		policy: { timeoutMs: 5_000, rateLimitWaitMs: 0, retries: 0, ...policy },
		request: async (options) => ({
			...{ statusCode: 200, headers: {}, body: '[]' },
			...(await answer(options)),
		}),
	});
	const endpoint = { name: 'bookings', purpose: 'list bookings' };
	return async (request: Pick<ServiceRequest, 'body' | 'signal'> = {}) =>
		await client.send({ endpoint, path: '/', ...request }, (body) => body);
}

const never = async () => await new Promise<Response>(() => undefined);
const asIs = (error: unknown) => error;
const aMoment = async () => await new Promise((resolve) => setImmediate(resolve));

it('JSON is asked for, and is sent with POST', async () => {
	const sent: IHttpRequestOptions[] = [];
	const send = senderOf(async (options) => (sent.push(options), await Promise.resolve({})));
	await send();
	await send({ body: { a: 1 } });
	const Accept = 'application/json';
	expect(sent).toMatchObject([
		{ method: 'GET', headers: { Accept }, body: undefined, encoding: 'stream' },
		{ method: 'POST', headers: { Accept, 'Content-Type': Accept }, body: '{"a":1}' },
	]);
	expect(sent[0]?.headers).toEqual({ Accept });
});

it('a response is read whose text the helper of n8n has read already', async () => {
	const bodies = ['[7]', undefined];
	const send = senderOf(async () => ({ body: bodies.shift() }));
	expect(await send()).toEqual([7]);
	await expect(send()).rejects.toThrow('not JSON');
});

it('a request that is refused for another reason than its rate got past the limit', async () => {
	let underWay = 0;
	let peak = 0;
	const statuses = [429];
	const answer = async () => {
		peak = Math.max(peak, ++underWay);
		await aMoment();
		underWay -= 1;
		return { statusCode: statuses.shift() ?? 404, headers: { 'retry-after': '0' } };
	};
	const request = senderOf(answer, { rateLimitWaitMs: 60_000 });
	const send = async () => await request().catch(() => undefined);
	await send();
	expect(peak).toBe(1);
	await Promise.all([send(), send(), send(), send()]);
	expect(peak).toBeGreaterThan(1);
});

it('a helper that never settles delays no other request', async () => {
	const send = senderOf(never, { timeoutMs: 100 });
	const requests = Array.from({ length: 20 }, async () => await send().catch(asIs));
	// Node 20 collects a timeout that only other signals depend on.
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	for (let times = 0; times < 3; times++) {
		await aMoment();
		collect();
	}
	for (const request of requests) expect(await request).toMatchObject({ kind: 'timeout' });
});

it('no pause is longer than the time that is left', async () => {
	const answer = async () => {
		await aMoment();
		return { statusCode: 503, headers: { 'retry-after': '29' } };
	};
	await expect(senderOf(answer, { retries: 1, totalMs: 5_000 })()).rejects.toThrow('status 503');
});

it('a request that is no longer needed is not sent, and its answer is not waited for', async () => {
	const answer = jest.fn(never);
	const send = senderOf(answer, { timeoutMs: 3_600_000, retries: 2 });
	const stop = new AbortController();
	const { signal } = stop;
	const underWay = send({ signal });
	await aMoment();
	expect(answer).toHaveBeenCalledTimes(1);
	stop.abort();
	await expect(underWay).rejects.toMatchObject({ kind: 'cancelled' });
	await expect(send({ signal })).rejects.toMatchObject({ kind: 'stopped' });
	expect(answer).toHaveBeenCalledTimes(1);
});
