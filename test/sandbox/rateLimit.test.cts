import { KEYS } from '../../sandbox/index.cts';
import { PATHS, sandboxForTests, validBooking } from './client.cts';

const NOON = Date.parse('2030-01-01T12:00:00.250Z');
let time = NOON;
const test = sandboxForTests({ now: () => time });
beforeEach(() => (time = NOON));

async function get(path: string, times: number): Promise<number[]> {
	const statuses: number[] = [];
	while (statuses.length < times) statuses.push((await test.client().get(path)).status);
	return statuses;
}

it.each([
	['nearby', PATHS.nearby, 60],
	['details', PATHS.details, 60],
	['create', PATHS.create, 50],
] as const)('lets %s pass as often as the interface says', async (endpoint, path, limit) => {
	const before = test.sandbox.store.bookings.count('A');
	const ask = async () =>
		await (endpoint === 'create'
			? test.client().post(path, validBooking())
			: test.client().get(path));
	const answers = await Promise.all(Array.from({ length: limit + 2 }, ask));
	expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
	expect(test.sandbox.requests.count(endpoint)).toBe(limit + 2);
	expect(test.sandbox.requests.count(endpoint, 429)).toBe(2);
	// What is refused is not booked.
	const booked = test.sandbox.store.bookings.count('A') - before;
	expect(booked).toBe(endpoint === 'create' ? limit : 0);
});

it('counts each key and each endpoint by itself, and not the endpoints without a limit', async () => {
	test.sandbox.settings.rateLimits.nearby = 1;
	expect(await get(PATHS.nearby, 2)).toEqual([200, 429]);
	expect((await test.client(`Api-Key ${KEYS.other}`).get(PATHS.nearby)).status).toBe(200);
	expect((await test.client().get(PATHS.details)).status).toBe(200);
	expect(new Set(await get(PATHS.tractors, 70))).toEqual(new Set([200]));
});

it('names the wait in each form, never too early', async () => {
	const { settings } = test.sandbox;
	settings.rateLimits.nearby = 1;
	await get(PATHS.nearby, 1);
	time += 10_100;
	const headers: unknown[] = [];
	for (settings.retryAfter of ['seconds', 'date', 'absent'] as const)
		headers.push((await test.client().get(PATHS.nearby)).headers['retry-after']);
	expect(headers).toEqual(['50', 'Tue, 01 Jan 2030 12:01:01 GMT', undefined]);
	time += 49_899;
	expect(await get(PATHS.nearby, 1)).toEqual([429]);
	time += 1;
	expect(await get(PATHS.nearby, 1)).toEqual([200]);
});
