import { KEYS, type Endpoint } from '../../sandbox';
import { CREATE, DETAILS, NEARBY, sandboxForTests, TRACTORS, validBooking } from './client';

let time = Date.parse('2030-01-01T12:00:00.250Z');
const test = sandboxForTests({ now: () => time });

beforeEach(() => {
	time = Date.parse('2030-01-01T12:00:00.250Z');
});

async function get(path: string, times: number): Promise<number[]> {
	const statuses: number[] = [];
	for (let index = 0; index < times; index++) {
		statuses.push((await test.client().get(path)).status);
	}
	return statuses;
}

it.each([
	['nearby', NEARBY, 60],
	['details', DETAILS, 60],
] as const)('lets %s pass as often as the interface says', async (endpoint, path, limit) => {
	const statuses = await get(path, limit + 2);
	expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
	expect(statuses.slice(-2)).toEqual([429, 429]);
	expect(test.sandbox.requests.count(endpoint)).toBe(limit + 2);
	expect(test.sandbox.requests.count(endpoint, 429)).toBe(2);
});

it('books nothing for a refused request', async () => {
	const before = test.sandbox.store.bookings.count('A');
	const answers = await Promise.all(
		Array.from({ length: 55 }, () => test.client().post(CREATE, validBooking())),
	);
	expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
	expect(test.sandbox.store.bookings.count('A')).toBe(before + 50);
});

it('counts each key and each endpoint for itself, and endpoints without a limit not at all', async () => {
	test.sandbox.settings.rateLimits.nearby = 1;
	expect(await get(NEARBY, 2)).toEqual([200, 429]);
	expect((await test.client(`Api-Key ${KEYS.other}`).get(NEARBY)).status).toBe(200);
	expect((await test.client().get(DETAILS)).status).toBe(200);
	expect(new Set(await get(TRACTORS, 70))).toEqual(new Set([200]));
});

it.each(['tractors', 'contracts', 'bookings', 'booking'] satisfies Endpoint[])(
	'can limit %s too',
	async (endpoint) => {
		test.sandbox.settings.rateLimits[endpoint] = 0;
		const paths = {
			tractors: TRACTORS,
			contracts: '/payg/lms/contracts',
			bookings: '/booking-services/partner/booking/1/20',
			booking: '/booking-services/partner/booking/100001',
		};
		expect(await get(paths[endpoint], 1)).toEqual([429]);
	},
);

it('names the wait in each form, never too early', async () => {
	const { settings } = test.sandbox;
	settings.rateLimits.nearby = 1;
	await get(NEARBY, 1);
	time += 10_100;
	const header = async () => (await test.client().get(NEARBY)).headers['retry-after'];

	expect(await header()).toBe('50');
	settings.retryAfter = 'date';
	expect(await header()).toBe('Tue, 01 Jan 2030 12:01:01 GMT');
	settings.retryAfter = 'absent';
	expect(await header()).toBeUndefined();

	time += 49_899;
	expect(await get(NEARBY, 1)).toEqual([429]);
	time += 1;
	expect(await get(NEARBY, 1)).toEqual([200]);
});

it('slides: a place is free again when its own request is a window old', async () => {
	Object.assign(test.sandbox.settings, { rateWindowMs: 1_000 });
	test.sandbox.settings.rateLimits.nearby = 2;
	await get(NEARBY, 1);
	time += 900;
	expect(await get(NEARBY, 2)).toEqual([200, 429]);
	time += 100;
	expect(await get(NEARBY, 2)).toEqual([200, 429]);
});

it('or begins whole windows anew', async () => {
	Object.assign(test.sandbox.settings, { rateWindowMs: 1_000, rateWindow: 'fixed' });
	test.sandbox.settings.rateLimits.nearby = 2;
	await get(NEARBY, 1);
	time += 900;
	expect(await get(NEARBY, 2)).toEqual([200, 429]);
	time += 100;
	expect(await get(NEARBY, 3)).toEqual([200, 200, 429]);
});
