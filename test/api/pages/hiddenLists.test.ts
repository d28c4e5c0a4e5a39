import type { Fault, Sandbox } from '../../../sandbox';
import { KEYS, startSandbox } from '../../../sandbox';
import { fieldOf, perform, stopOf } from '../../support/action';
import { book, farmers, sentTo, startAfresh } from '../../support/bookings';
import { trigger } from '../../support/engine';

const NOT_A_LIST = 'The service answered with something that is not a list of bookings';

let sandbox: Sandbox;

beforeAll(
	async () => (sandbox = await startSandbox({ bookings: 3, rateLimits: { create: null } })),
);
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

const body = (value: unknown): Fault => ({ kind: 'status', status: 200, body: value });

/** Answers that hide the list, or hold something else than records. */
const hiding: Array<[string, Fault]> = [
	['null', body('null')],
	['no content', { kind: 'empty', status: 204 }],
	['results that are null', body({ results: null })],
	['results that are null at the end', body({ results: null, next: null, previous: null })],
	['results that are null beside a count', body({ count: 3, results: null })],
	['data that is null', body({ data: null })],
	['numbers', body([1, 2])],
	['an array of null', body([null])],
	['results of texts', body({ count: 2, next: null, results: ['50123', '50124'] })],
	['lists in a list', body({ data: [[{ bookingID: 1 }]] })],
	['a record among others that is none', body([{ bookingID: 1 }, null])],
];

/** Answers that say that there is nothing. */
const empty: Array<[string, Fault]> = [
	['an empty array', body([])],
	['empty results', body({ results: [] })],
	['results that are null beside a count of 0', body({ count: 0, results: null })],
	['data that is null beside a total of 0', body({ data: null, pagination: { total: '0' } })],
];

function watch() {
	return trigger({
		parameters: { event: 'bookingStatusChanged' },
		credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
	});
}

describe.each(hiding)('a list of bookings that is answered with %s', (_what, fault) => {
	beforeEach(async () => {
		await book(sandbox, farmers(1));
		sandbox.requests.clear();
		sandbox.faults.add({ match: { endpoint: 'bookings' }, fault });
	});

	it('lets no row be booked a second time', async () => {
		expect(stopOf(await book(sandbox, farmers(1)))).toMatchObject({
			message: NOT_A_LIST,
			description: expect.stringContaining(
				'with If Already Booked set to Create Anyway',
			) as unknown,
		});
		expect(sentTo(sandbox)).toEqual([]);
	});

	it('is no end of the first scan, after which all bookings would be new ones', async () => {
		const node = watch();
		await expect(node.poll()).rejects.toThrow(NOT_A_LIST);
		sandbox.faults.clear();
		expect(await node.poll()).toBeNull();
	});

	it('is no list for Get Many', async () => {
		const { items, ...stopped } = await perform(sandbox, 'booking:getAll', { returnAll: true });
		expect(items).toEqual([]);
		expect(stopOf({ items, ...stopped }).message).toBe(NOT_A_LIST);
	});
});

describe.each(empty)('a list of bookings that is answered with %s', (_what, fault) => {
	beforeEach(() => void sandbox.faults.add({ match: { endpoint: 'bookings' }, fault }));

	it('is empty', async () => {
		const { items, error } = await perform(sandbox, 'booking:getAll', { returnAll: true });
		expect({ items, error }).toEqual({ items: [], error: undefined });
		expect(fieldOf((await book(sandbox, farmers(1))).items, 'result')).toEqual(['created']);
	});

	it('ends the first scan: bookings that come later are new ones', async () => {
		const node = watch();
		expect(await node.poll()).toBeNull();
		sandbox.faults.clear();
		expect(await node.poll()).toHaveLength(3);
	});
});

it.each([null, { data: null }, [null], [201]])('%j is no list of tractors', async (answer) => {
	sandbox.faults.add({ match: { endpoint: 'nearby' }, fault: body(JSON.stringify(answer)) });
	const result = await perform(sandbox, 'tractor:findNearby', { latitude: 7, longitude: 3 });
	expect(stopOf(result).message).toMatch(/not a list of tractors$/);
});
