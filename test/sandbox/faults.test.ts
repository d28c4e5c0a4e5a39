import axios from 'axios';
import { KEYS, startSandbox, type Fault } from '../../sandbox';
import { CREATE, NEARBY, sandboxForTests, TRACTORS, validBooking } from './client';

const test = sandboxForTests();

function once(fault: Fault) {
	return test.sandbox.faults.add({ times: 1, fault });
}

/** Code of the error with which a request ends without a response. */
async function failure(request: Promise<unknown>): Promise<string | undefined> {
	const error = await request.then(
		() => undefined,
		(caught: unknown) => caught,
	);
	return axios.isAxiosError(error) ? error.code : undefined;
}

describe('before processing', () => {
	afterEach(async () => {
		// Whatever it was, the next request finds everything in order.
		expect((await test.client().get(TRACTORS)).status).toBe(200);
	});

	it('waits', async () => {
		once({ kind: 'latency', ms: 80 });
		const start = performance.now();
		expect((await test.client().get(TRACTORS)).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThan(70);
	});

	it('waits for every request when set so', async () => {
		test.sandbox.settings.latencyMs = 60;
		const start = performance.now();
		await test.client().get(TRACTORS);
		expect(performance.now() - start).toBeGreaterThan(50);
	});

	it('answers a status, with a body of any kind', async () => {
		once({ kind: 'status', status: 503, headers: { 'Retry-After': '7' } });
		const json = await test.client().get(TRACTORS);
		expect([json.status, json.headers['retry-after']]).toEqual([503, '7']);
		expect(json.data).toEqual({ detail: expect.any(String) });
		once({ kind: 'status', status: 500, body: 'Server exploded' });
		const text = await test.client().get(TRACTORS);
		expect([text.status, text.data]).toEqual([500, 'Server exploded']);
	});

	it('resets the connection and books nothing', async () => {
		const before = test.sandbox.store.bookings.count('A');
		once({ kind: 'reset' });
		expect(await failure(test.client().post(CREATE, validBooking()))).toBe('ECONNRESET');
		expect(test.sandbox.store.bookings.count('A')).toBe(before);
	});

	it('never answers', async () => {
		once({ kind: 'hang' });
		const request = test.client().get(TRACTORS, { timeout: 100 });
		expect(await failure(request)).toBe('ECONNABORTED');
	});

	it('sends a page instead of JSON', async () => {
		once({ kind: 'html' });
		const { status, data, headers } = await test.client().get(TRACTORS);
		expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
		expect(data).toContain('<html>');
	});

	it('sends nothing', async () => {
		once({ kind: 'empty' });
		const { status, data } = await test.client().get(TRACTORS);
		expect([status, data]).toEqual([200, '']);
	});

	it('sends 429 without Retry-After', async () => {
		once({ kind: 'rateLimited' });
		const { status, headers } = await test.client().get(TRACTORS);
		expect([status, headers['retry-after']]).toEqual([429, undefined]);
	});

	it('sends callers to another origin, which sees whether they bring their key', async () => {
		const elsewhere = await startSandbox();
		once({ kind: 'redirect', location: `${elsewhere.url}/v1/tractors` });
		await test.client().get(TRACTORS, { maxRedirects: 3 });
		const [arrived] = elsewhere.requests.find();
		await elsewhere.close();
		expect(arrived).toMatchObject({ path: '/v1/tractors', status: 401 });
		expect(arrived?.authScheme).toBeUndefined();
	});
});

describe('after processing', () => {
	it.each([
		['a closed connection', undefined, 'ECONNRESET'],
		['nothing', 'hang', 'ECONNABORTED'],
	] as const)('books, but the caller gets %s', async (_, how, code) => {
		const before = test.sandbox.store.bookings.count('A');
		once({ kind: 'lostAnswer', how });
		const request = test.client().post(CREATE, validBooking(), { timeout: 200 });
		expect(await failure(request)).toBe(code);
		expect(test.sandbox.store.bookings.count('A')).toBe(before + 1);
		const [logged] = test.sandbox.requests.find({ endpoint: 'create' });
		expect([logged?.fault, logged?.status]).toEqual(['lostAnswer', undefined]);
	});

	it.each([502, 504] as const)('books, but the caller gets a %s', async (how) => {
		const before = test.sandbox.store.bookings.count('A');
		once({ kind: 'lostAnswer', how });
		const { status, data } = await test.client().post(CREATE, validBooking());
		expect([status, String(data)]).toEqual([how, expect.stringContaining('<html>')]);
		expect(test.sandbox.store.bookings.count('A')).toBe(before + 1);
	});

	it('breaks off in the middle of the body', async () => {
		once({ kind: 'truncated' });
		expect(await failure(test.client().get(TRACTORS))).toBe('ERR_BAD_RESPONSE');
	});

	it('waits for a request that succeeds', async () => {
		const fault = once({ kind: 'lostAnswer' });
		expect((await test.client().post(CREATE, {})).status).toBe(400);
		expect(fault.hits).toBe(0);
		expect(await failure(test.client().post(CREATE, validBooking()))).toBe('ECONNRESET');
		expect(fault.hits).toBe(1);
	});
});

describe('which requests are struck', () => {
	const broken: Fault = { kind: 'status', status: 500 };

	async function statuses(count: number, path = TRACTORS): Promise<number[]> {
		const found: number[] = [];
		for (let index = 0; index < count; index++) {
			found.push((await test.client().get(path)).status);
		}
		return found;
	}

	it('all of them, until the fault is removed', async () => {
		const fault = test.sandbox.faults.add({ fault: broken });
		expect(await statuses(3)).toEqual([500, 500, 500]);
		fault.remove();
		expect(await statuses(1)).toEqual([200]);
		expect(fault.hits).toBe(3);
	});

	it('each second one after the first two, twice', async () => {
		test.sandbox.faults.add({ skip: 2, every: 2, times: 2, fault: broken });
		expect(await statuses(8)).toEqual([200, 200, 200, 500, 200, 500, 200, 200]);
	});

	it('some of them, the same ones in each run', async () => {
		const run = async () => {
			test.sandbox.faults.clear();
			test.sandbox.faults.add({ probability: 0.5, fault: broken });
			return await statuses(20);
		};
		const first = await run();
		expect(new Set(first)).toEqual(new Set([200, 500]));
		expect(await run()).toEqual(first);
	});

	it('those of a method, a path, a pattern or an endpoint', async () => {
		const { faults } = test.sandbox;
		for (const match of [
			{ method: 'get' },
			{ path: '/v1/' },
			{ path: /tractors$/ },
			{ endpoint: 'tractors' },
		] as const) {
			faults.clear();
			faults.add({ match, fault: broken });
			expect(await statuses(1)).toEqual([500]);
			expect((await test.client().post(CREATE, validBooking())).status).toBe(200);
		}
		expect(await statuses(1, NEARBY)).toEqual([200]);
	});

	it('one fault a request, in their order; delays add up', async () => {
		once({ kind: 'latency', ms: 5 });
		once({ kind: 'status', status: 500 });
		once({ kind: 'status', status: 502 });
		expect(await statuses(3)).toEqual([500, 502, 200]);
	});
});

it('closes at once, whatever is under way', async () => {
	const sandbox = await startSandbox({ bookings: 1 });
	const get = () =>
		failure(
			axios.get(`${sandbox.url}${TRACTORS}`, {
				headers: { Authorization: `Api-Key ${KEYS.full}` },
			}),
		);
	sandbox.faults.add({ times: 1, fault: { kind: 'hang' } });
	sandbox.faults.add({ times: 1, fault: { kind: 'latency', ms: 60_000 } });
	sandbox.faults.add({ times: 1, fault: { kind: 'lostAnswer', how: 'hang' } });
	const waiting = [get(), get(), get()];
	while (sandbox.requests.inFlight < 3) await new Promise((resolve) => setTimeout(resolve, 5));
	const start = performance.now();
	await sandbox.close();
	expect(await Promise.all(waiting)).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET']);
	// Long before the latency is over.
	expect(performance.now() - start).toBeLessThan(20_000);
});
