import { onAbort } from '../../../nodes/TractorBooking/api/abort';
import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import type { Page, PagedList } from '../../../nodes/TractorBooking/api/pages/list';
import type { ReadOptions } from '../../../nodes/TractorBooking/api/pages/pages';
import { readPages } from '../../../nodes/TractorBooking/api/pages/pages';
import type { Fault, Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf, hintsOf, perform, stopOf } from '../../support/action';
import { book, bookingsFrom, farmers, startAfresh } from '../../support/bookings';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 30, maxPageSize: 10, rateLimits: { create: null } });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

function answer(page: number | undefined, body: unknown): void {
	const fault: Fault = { kind: 'status', status: 200, body };
	const path = `/booking-services/partner/booking/${page === undefined ? '' : `${page}/`}`;
	sandbox.faults.add({ match: { path }, fault });
}

const ids = (...of: number[]) => of.map((bookingID) => ({ bookingID }));

async function readAll() {
	const result = await perform(sandbox, 'booking:getAll', { returnAll: true });
	return { ...result, ids: fieldOf(result.items, 'bookingID') };
}

describe('a list that gives fewer records than it counts', () => {
	const WARNING = /^The service counts 5000 bookings, but its list gives 30/;

	it('is read once more, and believed with a warning if the same come and it says that it ends', async () => {
		sandbox.settings.reportedCount = 5_000;
		const result = await readAll();
		expect(result.ids).toHaveLength(30);
		expect(hintsOf(result)).toEqual([expect.stringMatching(WARNING)]);
		const path = /\/partner\/booking\/3\//;
		expect(sandbox.requests.find().filter((request) => path.test(request.path))).toHaveLength(2);
	});

	it('keeps no row from being booked, which is told as well', async () => {
		sandbox.settings.reportedCount = 5_000;
		const result = await book(sandbox, farmers(1));
		expect(fieldOf(result.items, 'result')).toEqual(['created']);
		expect(hintsOf(result)).toEqual([expect.stringMatching(WARNING), '1 created.']);
	});

	it('goes on behind a page that says it is the last, if there is more', async () => {
		answer(0, []);
		answer(1, { count: 5, next: null, results: ids(5, 4) });
		answer(2, { count: 5, next: null, results: ids(3, 2) });
		answer(3, { count: 5, next: null, results: ids(1) });
		const result = await readAll();
		expect(result.ids).toEqual([5, 4, 3, 2, 1]);
		expect(hintsOf(result)).toEqual([]);
	});

	it.each<[string, Fault]>([
		['fails', { kind: 'status', status: 500, body: { error: 'no such page' } }],
		['is unknown', { kind: 'status', status: 404, body: {} }],
		['is the last one again', { kind: 'status', status: 200, body: { results: ids(2, 1) } }],
	])('is believed with a warning if the page behind its last one %s', async (_how, fault) => {
		answer(0, []);
		answer(1, { count: 5, next: null, results: ids(2, 1) });
		sandbox.faults.add({ match: { path: '/booking-services/partner/booking/2/' }, fault });
		const result = await readAll();
		expect(result.ids).toEqual([2, 1]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('counts 5 bookings')]);
	});

	it('is believed with a warning if its last page has nothing but records of other pages', async () => {
		answer(0, []);
		answer(1, { count: 3, next: '/2', previous: null, results: ids(2, 1) });
		answer(2, { count: 3, next: null, previous: '/1', results: ids(1) });
		const result = await readAll();
		expect(result.ids).toEqual([2, 1]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('counts 3 bookings')]);
	});

	it('is not believed if no record came at all', async () => {
		answer(0, []);
		answer(1, { count: 3, next: null, previous: null, results: [] });
		expect(stopOf(await readAll()).message).toMatch(/cannot be read to its end: after 0 of 3/);
		const booked = await book(sandbox, farmers(1));
		expect(stopOf(booked).message).toMatch(/cannot be read to its end: after 0 of 3/);
		expect(sandbox.requests.find({ endpoint: 'create' })).toEqual([]);
	});

	it('is complete without a warning if the second look brings the rest', async () => {
		sandbox.faults.add({
			match: { path: '/booking-services/partner/booking/3/' },
			times: 1,
			fault: { kind: 'status', status: 200, body: { count: 30, next: null, results: [] } },
		});
		const result = await readAll();
		expect(result.ids).toHaveLength(30);
		expect(hintsOf(result)).toEqual([]);
	});
});

describe('a failure behind all the records that the service counts', () => {
	const behind = { path: '/booking-services/partner/booking/2/' };

	beforeEach(() => {
		answer(0, []);
		answer(1, { count: 2, results: ids(2, 1) });
	});

	it('is the end if it is a 500, as of any page that is not there', async () => {
		sandbox.faults.add({ match: behind, fault: { kind: 'status', status: 500 } });
		const result = await readAll();
		expect(result.error).toBeUndefined();
		expect(result.ids).toEqual([2, 1]);
		expect(hintsOf(result)).toEqual([]);
	});

	it('may hide others if it is another one, since some services count those of a page', async () => {
		sandbox.faults.add({ match: behind, fault: { kind: 'status', status: 502 } });
		expect(stopOf(await readAll()).message).toMatch(/502/);
	});

	describe('with 500, if it is behind', () => {
		const count = (length: number) => ids(...Array.from({ length }, (_, index) => index + 1));

		/** Reads a list of which each page behind these fails. */
		async function readBehind(pages: Page[], options: ReadOptions = {}) {
			const list = bookingsFrom(async (page) => {
				await Promise.resolve();
				if (page === 0) return undefined;
				const found = pages[page - 1];
				if (found?.items.length) return found;
				throw new ServiceError('server', 'Failed', { status: 500 });
			});
			let read = 0;
			for await (const { items } of readPages(list, { size: 4, ...options })) read += items.length;
			return read;
		}

		it('one full page, may hide others, since the count may be that of the page', async () => {
			await expect(readBehind([{ items: count(4), total: 4 }])).rejects.toThrow('Failed');
		});

		it('one full page, does not keep the next one from being read where it is left out', async () => {
			const pages = [count(4), [], count(6).slice(4)].map((items) => ({
				items,
				total: items.length,
			}));
			expect(await readBehind(pages, { skipFailed: true })).toBe(6);
		});

		it('a page that is shorter than wished, is the end', async () => {
			expect(await readBehind([{ items: count(3), total: 3 }])).toBe(3);
		});

		it('two full pages, is the end, since they count more than is on one', async () => {
			const all = count(8);
			const pages = [all.slice(0, 4), all.slice(4)].map((items) => ({ items, total: 8 }));
			expect(await readBehind(pages)).toBe(8);
		});
	});

	it('is no end if nobody knows how many came before', async () => {
		const failure = new ServiceError('server', 'Failed', { status: 500 });
		const list = bookingsFrom(async (page) => {
			if (page > 2) throw failure;
			return await Promise.resolve({ items: ids(page), total: 9 });
		});
		const pages = readPages(list, { from: 2 });
		await pages.next();
		await expect(pages.next()).rejects.toBe(failure);
	});
});

describe('an empty page after one that says that more follows', () => {
	beforeEach(() => answer(0, []));

	it.each<[string, object, object]>([
		['is an end without a count', {}, { results: [] }],
		['is an end if the count is reached', { count: 2 }, { results: [] }],
		['is an end if it says so itself', {}, { results: [], next: null }],
		['is an end although it promises more', {}, { results: [], next: '/3' }],
	])('%s', async (_how, first, empty) => {
		answer(1, { results: ids(2, 1), next: '/2', ...first });
		answer(2, empty);
		const result = await readAll();
		expect(result.error).toBeUndefined();
		expect(result.ids).toEqual([2, 1]);
	});

	it.each<[string, object, unknown, RegExp]>([
		[
			'whose count is not reached',
			{ count: 3 },
			{ results: [] },
			/after 2 of 3, the service sent an empty page/,
		],
		[
			'that is an end by itself, of a list whose count is not reached,',
			{ count: 9 },
			{ count: 0, results: [], next: null },
			/after 2 of 9, the service sent an empty page/,
		],
		[
			'that has null for a list',
			{},
			{ results: null },
			/after 2, the service knew no further page/,
		],
		[
			'that has null for a list at its end',
			{},
			{ results: null, next: null },
			/knew no further page/,
		],
	])('%s is not', async (_what, first, empty, message) => {
		answer(1, { results: ids(2, 1), next: '/2', ...first });
		answer(2, empty);
		expect(stopOf(await readAll()).message).toMatch(message);
	});
});

describe('one wrong answer in the middle of a list does not end it:', () => {
	it.each<[string, object, number, unknown]>([
		['an empty page that counts nothing', { count: 5 }, 200, { count: 0, next: null, results: [] }],
		['an empty page that counts right', { count: 5 }, 200, { count: 5, next: null, results: [] }],
		['an empty page without a count', {}, 200, { next: null, results: [] }],
		['null for the list', { count: 5 }, 200, { results: null }],
		['no such page', { count: 5 }, 404, { error: 'not found' }],
		['no such page, without a count', {}, 404, { error: 'not found' }],
	])('%s', async (_what, count, status, body) => {
		answer(0, []);
		answer(1, { ...count, next: '/2', results: ids(5, 4) });
		sandbox.faults.add({
			match: { path: '/booking-services/partner/booking/2/' },
			times: 1,
			fault: { kind: 'status', status, body },
		});
		answer(2, { ...count, next: '/3', results: ids(3, 2) });
		answer(3, { ...count, next: null, results: ids(1) });
		const result = await readAll();
		expect(result.error).toBeUndefined();
		expect(result.ids).toEqual([5, 4, 3, 2, 1]);
		expect(hintsOf(result)).toEqual([]);
	});
});

it.each<[string, object]>([
	['an error', { error: 'database down', results: [] }],
	['errors', { errors: [{ detail: 'database down' }], data: [] }],
	['no success', { success: false, message: 'database down', data: [] }],
	['an error as its status', { status: 'error', message: 'database down', data: [] }],
])('an empty list beside %s does not say that there are no bookings', async (_what, body) => {
	answer(undefined, body);
	const booked = await book(sandbox, farmers(1));
	expect(stopOf(booked).message).toMatch(
		/reported an error instead of a list of bookings: .*database down/,
	);
	expect(sandbox.requests.find({ endpoint: 'create' })).toEqual([]);
});

describe('an envelope with unknown names', () => {
	const remarks = { ok: true, warnings: ['slow'], errors: [] };

	it.each<[string, unknown]>([
		['one array', { ...remarks, entries: ids(2, 1), next: null, previous: null }],
		['one array inside data', { data: { partnerBookings: ids(2, 1), total: 2, offset: 0 } }],
	])('and %s is a list', async (_what, body) => {
		answer(undefined, body);
		const result = await readAll();
		expect(result.error).toBeUndefined();
		expect(result.ids).toEqual([2, 1]);
	});

	it('and an empty array is an empty list if it counts 0', async () => {
		answer(undefined, { ...remarks, entries: [], count: 0 });
		expect((await readAll()).error).toBeUndefined();
	});

	it.each<[string, unknown]>([
		['an empty array that may be anything', { ...remarks, entries: [], next: null }],
		['two arrays', { entries: ids(1), others: ids(2) }],
		['a record with an array of its own', { bookingID: 1, crops: [] }],
		[
			'a record in data with an array of its own',
			{ data: { booking_id: 1, services: [{ id: 4 }] } },
		],
		['remarks only', { message: 'hello', errors: [] }],
	])('and %s is no list', async (_what, body) => {
		answer(undefined, body);
		expect(stopOf(await readAll()).message).toMatch(/not a list of bookings$/);
	});
});

describe('the pages of a list', () => {
	const LENGTH = 10;

	/** A list of numbers that notes what it is asked for. */
	function numbers(count: number, signs: (page: number) => Partial<Page> = () => ({})) {
		const asked: number[] = [];
		const list: PagedList = {
			what: 'numbers',
			name: 'numbers',
			keyOf: ({ id }) => id,
			fetchPage: async (page) => {
				asked.push(page);
				await Promise.resolve();
				const first = (page - 1) * LENGTH;
				const length = Math.max(Math.min(LENGTH, count - first), 0);
				const items = Array.from({ length }, (_, index) => ({ id: first + index }));
				return { items, hasPrevious: page > 1, ...signs(page) };
			},
		};
		return { list, asked };
	}

	async function take(list: PagedList, most: number, options: ReadOptions): Promise<number[]> {
		const taken: number[] = [];
		for await (const page of readPages(list, options)) {
			taken.push(page.number);
			if (taken.length === most) break;
		}
		return taken;
	}

	it('begin where they are wanted, without a look for what is before', async () => {
		const { list, asked } = numbers(50);
		expect(await take(list, Infinity, { from: 3 })).toEqual([3, 4, 5, 6]);
		expect(asked).toEqual([3, 4, 5, 6]);
	});

	it('are not asked for in other sizes where one in the middle is not there', async () => {
		const asked: unknown[] = [];
		const list: PagedList = {
			...numbers(0).list,
			fetchPage: async (page, size) => {
				asked.push([page, size]);
				throw new ServiceError('validation', 'no such page', { status: 400 });
			},
		};
		expect(await take(list, Infinity, { from: 3, size: 50 })).toEqual([3]);
		expect(asked).toEqual([[3, 50]]);
	});

	it.each([
		['rateLimited', 'fails'],
		['unreachable', 'fails'],
		['server', 'is left out'],
		['notAllowed', 'is left out'],
	] as const)('where one fails as %s, it %s if failing pages are skipped', async (kind, what) => {
		const { list } = numbers(50);
		const failing: PagedList = {
			...list,
			fetchPage: async (page, size, signal) => {
				if (page === 2) throw new ServiceError(kind, 'it is odd');
				return await list.fetchPage(page, size, signal);
			},
		};
		const taken = take(failing, Infinity, { skipFailed: true });
		if (what === 'fails') await expect(taken).rejects.toThrow('it is odd');
		else expect(await taken).toEqual([1, 3, 4, 5, 6]);
	});

	it('are asked for one by one if nobody knows how many are needed', async () => {
		const { list, asked } = numbers(1_000, () => ({ total: 1_000, hasMore: true }));
		await take(list, 3, {});
		expect(asked).toEqual([1, 2, 3]);
	});

	it('are read ahead, no page in vain if the list is counted', async () => {
		const { list, asked } = numbers(1_000, () => ({ total: 1_000 }));
		// The list does not say where it ends, and one page shows it.
		expect(await take(list, Infinity, { needed: Infinity })).toHaveLength(101);
		expect(asked).toHaveLength(101);
		const limited = numbers(1_000, () => ({ total: 1_000 }));
		await take(limited.list, 3, { needed: 3 * LENGTH });
		expect(limited.asked).toEqual([1, 2, 3]);
	});

	it('are not asked for any more once the consumer stops, and nothing stays under way', async () => {
		const { list, asked } = numbers(1_000, () => ({ total: 1_000 }));
		let underWay = 0;
		const slow: PagedList = {
			...list,
			fetchPage: async (page, size, signal) => {
				underWay += 1;
				// Those behind page 2 are never answered.
				if (page > 2) await new Promise<void>((resolve) => void onAbort(signal, resolve));
				underWay -= 1;
				return await list.fetchPage(page, size, signal);
			},
		};
		expect(await take(slow, 2, { needed: Infinity })).toEqual([1, 2]);
		expect(underWay).toBe(0);
		const before = asked.length;
		await new Promise((resolve) => setImmediate(resolve));
		expect(asked).toHaveLength(before);
	});
});
