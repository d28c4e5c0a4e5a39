import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import type { ReadOptions } from '../../../nodes/TractorBooking/api/pages/pages';
import { readPages } from '../../../nodes/TractorBooking/api/pages/pages';
import type { Fault, Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf, hintsOf, perform, stopOf } from '../../support/action';
import { book, bookingsFrom, farmers, sentTo, startAfresh } from '../../support/bookings';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual('../../support/shortPauses'),
);

let sandbox: Sandbox;

beforeAll(
	async () => (sandbox = await startSandbox({ bookings: 5, rateLimits: { create: null } })),
);
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

/** Answers a page of the bookings in its own way. */
function answer(page: number, body: unknown) {
	const fault: Fault = { kind: 'status', status: 200, body };
	return sandbox.faults.add({
		match: { path: `/booking-services/partner/booking/${page}/` },
		fault,
	});
}

const ids = (...of: number[]) => of.map((bookingID) => ({ bookingID }));

async function readAll() {
	const result = await perform(sandbox, 'booking:getAll', { returnAll: true });
	return { ...result, ids: fieldOf(result.items, 'bookingID') };
}

describe('page 0 is read', () => {
	it.each<[string, object, object]>([
		['if previous is the number 0', { previous: 0, next: null }, { previous: null, next: 1 }],
		['if previous is the text 0', { previous: '0', next: null }, { previous: null, next: '1' }],
		['if previous is its address', { previous: '/booking/0/100' }, {}],
		['if the count says that something is missing', { count: 4, previous: null, next: null }, {}],
		['if the list says so', { has_previous: true, next: null }, { has_previous: false }],
		['in front of page 1, whatever it says itself', {}, { next: null }],
	])('%s', async (_how, one, zero) => {
		answer(1, { results: ids(2, 1), ...one });
		answer(2, []);
		answer(0, { results: ids(4, 3), ...zero });
		const result = await readAll();
		expect(result.error).toBeUndefined();
		expect(result.ids).toEqual([4, 3, 2, 1]);
	});

	it('if every page says that nothing comes before it', async () => {
		answer(1, { results: ids(4, 3), next: '/2', previous: null });
		answer(2, { results: ids(2, 1), next: null, previous: null });
		const zero = answer(0, { results: ids(6, 5), next: '/1', previous: null });
		expect((await readAll()).ids).toEqual([6, 5, 4, 3, 2, 1]);
		expect(zero.hits).toBe(1);
	});

	it('again if it was denied once, and the count says that something is missing', async () => {
		sandbox.faults.add({
			match: { path: '/booking-services/partner/booking/0/' },
			times: 1,
			fault: { kind: 'status', status: 404 },
		});
		answer(0, { count: 4, results: ids(4, 3) });
		answer(1, { count: 4, results: ids(2, 1) });
		answer(2, { count: 4, results: [] });
		const result = await readAll();
		expect(result.ids).toEqual([4, 3, 2, 1]);
		expect(hintsOf(result)).toEqual([]);
	});

	it('if page 1 is empty, whatever it says, unless it counts 0', async () => {
		answer(0, { results: ids(2, 1), next: null, previous: null });
		const one = answer(1, { results: [], next: null, previous: null });
		expect((await readAll()).ids).toEqual([2, 1]);
		one.remove();
		answer(1, { count: 0, results: [], next: null, previous: null });
		expect((await readAll()).ids).toEqual([]);
	});
});

it('null for page 0, of a list without a page 1, does not say that the list is empty', async () => {
	answer(0, { results: null });
	sandbox.faults.add({
		match: { path: '/booking-services/partner/booking/1/' },
		fault: { kind: 'status', status: 404 },
	});
	expect(stopOf(await readAll()).message).toMatch(/not a list of bookings$/);
});

it('page 0 is not asked for if page 1 says that nothing comes before it, and all came', async () => {
	const zero = answer(0, ids(9));
	expect((await readAll()).ids).toHaveLength(5);
	expect(zero.hits).toBe(0);
});

it('page 0 that is page 1 once more is none, also if a booking was added meanwhile', async () => {
	answer(0, ids(5, 4, 3, 2));
	answer(1, ids(4, 3, 2, 1));
	answer(2, []);
	expect((await readAll()).ids).toEqual([4, 3, 2, 1]);
});

describe('page 0 that is shorter than page 1', () => {
	it('is the last page once more', async () => {
		answer(0, ids(1));
		answer(1, ids(5, 4));
		answer(2, ids(3, 2));
		answer(3, ids(1));
		answer(4, ids(1));
		expect((await readAll()).ids).toEqual([5, 4, 3, 2, 1]);
		const some = await perform(sandbox, 'booking:getAll', { limit: 2 });
		expect(fieldOf(some.items, 'bookingID')).toEqual([5, 4]);
	});

	describe('and has records that the others lack', () => {
		beforeEach(() => {
			answer(0, ids(5));
			answer(1, ids(4, 3));
			answer(2, ids(2, 1));
			answer(3, []);
		});

		it('is read', async () => {
			expect((await readAll()).ids).toEqual([5, 4, 3, 2, 1]);
		});

		it('is where Create looks for new bookings from the second execution on', async () => {
			await book(sandbox, farmers(1));
			sandbox.requests.clear();
			await book(sandbox, farmers(2));
			const paths = sandbox.requests.find({ endpoint: 'bookings' }).map(({ path }) => path);
			expect(paths[0]).toMatch(/\/booking\/0\//);
		});
	});
});

it('page 1 is read again behind page 0, since a booking may have moved to it meanwhile', async () => {
	sandbox.faults.add({
		match: { path: '/booking-services/partner/booking/1/' },
		times: 1,
		fault: { kind: 'status', status: 200, body: ids(2, 1) },
	});
	answer(0, ids(5, 4));
	answer(1, ids(3, 2));
	answer(2, ids(1));
	answer(3, []);
	expect((await readAll()).ids).toEqual([5, 4, 3, 2, 1]);
});

describe('page 0 that is page 1 does not end the list', () => {
	it.each<[string, Fault]>([
		['unknown', { kind: 'status', status: 404 }],
		['null', { kind: 'status', status: 200, body: { results: null } }],
		['empty', { kind: 'status', status: 200, body: [] }],
	])('if page 1 is %s once', async (_how, fault) => {
		const match = { path: '/booking-services/partner/booking/1/' };
		sandbox.faults.add({ match, times: 1, fault });
		answer(0, ids(5, 4));
		answer(1, ids(5, 4));
		answer(2, ids(3, 2));
		answer(3, ids(1));
		answer(4, []);
		expect((await readAll()).ids).toEqual([5, 4, 3, 2, 1]);
	});

	it.each<[string, ReadOptions]>([
		['page 1 fails once and is left out', { expectsPageZero: true, skipFailed: true }],
		['the reading begins with it', { from: 0 }],
	])('if %s', async (_when, options) => {
		const pages = [ids(5, 4), ids(5, 4), ids(3, 2), ids(1)];
		let hasFailed = options.from === 0;
		const list = bookingsFrom(async (page) => {
			await Promise.resolve();
			if (page !== 1 || hasFailed) return { items: pages[page] ?? [] };
			hasFailed = true;
			throw new ServiceError('server', 'Failed', { status: 500 });
		});
		const read: unknown[] = [];
		for await (const { items } of readPages(list, options)) read.push(...items);
		expect(read).toEqual(ids(5, 4, 3, 2, 1));
	});
});

/** The last column: how often page 0 is asked for: twice, and each time as often as the client tries it. */
const failures: Array<[string, Fault, RegExp, number]> = [
	['401', { kind: 'status', status: 401 }, /did not allow/, 2],
	['503', { kind: 'status', status: 503 }, /503/, 6],
	['a page of HTML', { kind: 'html' }, /not JSON/, 6],
	['a list of something else', { kind: 'status', status: 200, body: [1] }, /not a list/, 2],
];

describe.each(failures)('page 0 that fails with %s', (_what, fault, said, times) => {
	const match = { path: '/booking-services/partner/booking/0/' };

	it('may hide bookings, so that Return All does not go on without it', async () => {
		Object.assign(sandbox.settings, { bookingsEnvelope: 'array', firstPage: 0 });
		const zero = sandbox.faults.add({ match, fault });
		const result = await readAll();
		expect(result.items).toEqual([]);
		expect(stopOf(result)).toMatchObject({
			message: expect.stringMatching(
				new RegExp(`^The list of bookings may begin with a page 0, .*${said.source}`),
			) as unknown,
			description: expect.stringContaining('set a Limit') as unknown,
			itemIndex: 0,
		});
		expect(zero.hits).toBe(times);
	});

	it('is asked for again, and missed by nobody if it comes then', async () => {
		Object.assign(sandbox.settings, { bookingsEnvelope: 'array', firstPage: 0 });
		sandbox.faults.add({ match, times: 1, fault });
		expect((await readAll()).ids).toEqual(sandbox.store.bookings.ids('A').reverse());
	});
});

describe('page 0 that fails', () => {
	const unknown: Fault = { kind: 'status', status: 401 };

	beforeEach(
		() =>
			void sandbox.faults.add({
				match: { path: '/booking-services/partner/booking/0/' },
				fault: unknown,
			}),
	);

	it('keeps Create from booking what may be booked already', async () => {
		sandbox.settings.bookingsEnvelope = 'array';
		expect(stopOf(await book(sandbox, farmers(1))).message).toMatch(/page 0/);
		expect(sentTo(sandbox)).toEqual([]);
	});

	it('hides nothing if all came that the service counts', async () => {
		answer(1, { count: 2, results: ids(2, 1) });
		answer(2, { count: 2, results: [] });
		const result = await readAll();
		expect(result.error).toBeUndefined();
		expect(result.ids).toEqual([2, 1]);
	});

	it('may hide what a count lacks', async () => {
		answer(1, { count: 3, results: ids(2, 1), next: null, previous: null });
		answer(2, []);
		expect(stopOf(await readAll()).message).toMatch(/may begin with a page 0/);
	});

	it('is told as a warning to those who set a limit', async () => {
		answer(1, ids(3, 2, 1));
		const result = await perform(sandbox, 'booking:getAll', { limit: 2 });
		expect(fieldOf(result.items, 'bookingID')).toEqual([3, 2]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('page 0 could not be read')]);
	});
});

it('a page 0 of contracts that fails with 500 is asked for twice, and then none', async () => {
	const list = (body: unknown): Fault => ({ kind: 'status', status: 200, body });
	const answers: Array<[Fault, number]> = [
		[list([{ contract_id: 1 }]), 1],
		[{ kind: 'status', status: 500 }, 2],
		[list([]), 1],
	];
	for (const [fault, times] of answers)
		sandbox.faults.add({ match: { endpoint: 'contracts' }, times, fault });
	const { items, error } = await perform(sandbox, 'contract:getAll', { returnAll: true });
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'contract_id')).toEqual([1]);
	expect(sandbox.requests.find().map(({ query }) => query.page)).toEqual(['1', '0', '0', '2']);
});
