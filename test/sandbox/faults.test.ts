import axios from 'axios';
import type { AxiosRequestConfig } from 'axios';
import { KEYS, startSandbox, type Fault, type FaultRule } from '../../sandbox';
import { CREATE, NEARBY, sandboxForTests, TRACTORS, validBooking } from './client';

const test = sandboxForTests();

const once = (fault: Fault) => test.sandbox.faults.add({ times: 1, fault });
const get = async (config?: AxiosRequestConfig) => await test.client().get(TRACTORS, config);
const book = async (config?: AxiosRequestConfig) =>
	await test.client().post(CREATE, validBooking(), config);
const bookingsMade = () => test.sandbox.store.bookings.count('A');

/** Code of the error with which a request ends without a response. */
async function failure(request: Promise<unknown>): Promise<string | undefined> {
	const error = await request.then(
		() => undefined,
		(caught: unknown) => caught,
	);
	return axios.isAxiosError(error) ? error.code : undefined;
}

describe('a fault before the request is processed', () => {
	it.each<[Fault, status: number, headers: object, body: unknown]>([
		[
			{ kind: 'status', status: 503, headers: { 'Retry-After': '7' } },
			503,
			{ 'retry-after': '7' },
			{ detail: expect.any(String) },
		],
		[{ kind: 'status', status: 500, body: 'Server exploded' }, 500, {}, 'Server exploded'],
		[
			{ kind: 'html' },
			200,
			{ 'content-type': expect.stringContaining('text/html') },
			expect.stringContaining('<html>'),
		],
		[{ kind: 'empty' }, 200, {}, ''],
		[{ kind: 'rateLimited' }, 429, {}, expect.anything()],
	])('%j answers, and the next request finds everything in order', async (fault, ...expected) => {
		once(fault);
		const { status, headers, data } = await get();
		expect([status, headers, data]).toEqual([
			expected[0],
			expect.objectContaining(expected[1]),
			expected[2],
		]);
		if (fault.kind === 'rateLimited') expect(headers).not.toHaveProperty('retry-after');
		expect((await get()).status).toBe(200);
	});

	it('breaks the connection or never answers, and books nothing', async () => {
		const before = bookingsMade();
		once({ kind: 'reset' });
		expect(await failure(book())).toBe('ECONNRESET');
		once({ kind: 'hang' });
		expect(await failure(book({ timeout: 100 }))).toBe('ECONNABORTED');
		expect(bookingsMade()).toBe(before);
	});
});

describe('a fault after the request is processed', () => {
	it.each([
		[undefined, 'ECONNRESET'],
		['hang', 'ECONNABORTED'],
		[502, 502],
		[504, 504],
	] as const)('books, but the answer is lost: %s', async (how, expected) => {
		const before = bookingsMade();
		const fault = once({ kind: 'lostAnswer', how });
		// A refused request is not struck.
		expect((await test.client().post(CREATE, {})).status).toBe(400);
		expect(fault.hits).toBe(0);
		const request = book({ timeout: 200 });
		if (typeof expected === 'string') expect(await failure(request)).toBe(expected);
		else expect(await request).toMatchObject({ status: expected });
		expect([fault.hits, bookingsMade()]).toEqual([1, before + 1]);
		expect(test.sandbox.requests.find({ endpoint: 'create' }).at(-1)?.fault).toBe('lostAnswer');
	});
});

describe('which requests are struck', () => {
	const broken: Fault = { kind: 'status', status: 500 };
	const statuses = async (count: number) => {
		const found: number[] = [];
		while (found.length < count) found.push((await get()).status);
		return found;
	};

	it.each<[Partial<FaultRule>, expected: number[]]>([
		[{}, [500, 500, 500]],
		[{ skip: 2, every: 2, times: 2 }, [200, 200, 200, 500, 200, 500, 200, 200]],
	])('by %j', async (rule, expected) => {
		const fault = test.sandbox.faults.add({ ...rule, fault: broken });
		expect(await statuses(expected.length)).toEqual(expected);
		fault.remove();
		expect(await statuses(1)).toEqual([200]);
	});

	it.each<FaultRule['match']>([{ path: '/v1/' }, { path: /tractors$/ }, { endpoint: 'tractors' }])(
		'by %p',
		async (match) => {
			test.sandbox.faults.add({ match, fault: broken });
			expect(await statuses(1)).toEqual([500]);
			expect((await book()).status).toBe(200);
			expect((await test.client().get(NEARBY)).status).toBe(200);
		},
	);

	it('by one fault each, in their order; delays add up', async () => {
		once({ kind: 'latency', ms: 5 });
		once({ kind: 'status', status: 500 });
		once({ kind: 'status', status: 502 });
		expect(await statuses(3)).toEqual([500, 502, 200]);
	});
});

it('closes at once, whatever is under way', async () => {
	const sandbox = await startSandbox({ bookings: 1 });
	const headers = { Authorization: `Api-Key ${KEYS.full}` };
	sandbox.faults.add({ times: 1, fault: { kind: 'hang' } });
	sandbox.faults.add({ times: 1, fault: { kind: 'latency', ms: 60_000 } });
	sandbox.faults.add({ times: 1, fault: { kind: 'lostAnswer', how: 'hang' } });
	const waiting = [1, 2, 3].map(
		async () => await failure(axios.get(`${sandbox.url}${TRACTORS}`, { headers })),
	);
	while (sandbox.requests.inFlight < 3) await new Promise((resolve) => setTimeout(resolve, 5));
	await sandbox.close();
	// The latency would have outlasted the test.
	expect(await Promise.all(waiting)).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET']);
});
