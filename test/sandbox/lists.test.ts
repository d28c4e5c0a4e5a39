import type { Settings } from '../../sandbox';
import { BOOKINGS, CONTRACTS, sandboxForTests, TRACTORS, validBooking } from './client';

const test = sandboxForTests({ bookings: 45 });

async function bookings(page: number, size: number) {
	return await test.client().get(`/booking-services/partner/booking/${page}/${size}`);
}

function ids(items: Array<{ bookingID: number }>): number[] {
	return items.map(({ bookingID }) => bookingID);
}

describe('envelopes', () => {
	const documented = {
		count: 45,
		next: expect.stringMatching(/^http:.*\/booking\/2\/20$/),
		previous: null,
		results: expect.any(Array),
	};
	const shapes: Record<Settings['bookingsEnvelope'], unknown> = {
		array: expect.any(Array),
		documented,
		data: { data: expect.any(Array) },
		dataPagination: {
			data: expect.any(Array),
			pagination: { total: 45, limit: 20, offset: 0 },
		},
		dataEnvelope: { data: documented },
		dataNext: { data: expect.any(Array), next: documented.next },
		dataCursor: { data: expect.any(Array), next_cursor: expect.any(String) },
	};

	it.each(Object.entries(shapes))('%s', async (envelope, shape) => {
		test.sandbox.settings.bookingsEnvelope = envelope as Settings['bookingsEnvelope'];
		expect((await test.client().get(BOOKINGS)).data).toEqual(shape);
	});

	it('say that the last page is the last', async () => {
		const { settings } = test.sandbox;
		expect((await bookings(3, 20)).data).toMatchObject({
			next: null,
			previous: expect.stringMatching(/\/booking\/2\/20$/),
		});
		settings.bookingsEnvelope = 'dataNext';
		expect((await bookings(3, 20)).data.next).toBeNull();
		settings.bookingsEnvelope = 'dataCursor';
		expect((await bookings(3, 20)).data).not.toHaveProperty('next_cursor');
	});

	it('can point elsewhere and lie about the count', async () => {
		test.sandbox.settings.nextOrigin = 'https://elsewhere.example';
		test.sandbox.settings.reportedCount = 7;
		expect((await test.client().get(BOOKINGS)).data).toMatchObject({
			count: 7,
			next: 'https://elsewhere.example/booking-services/partner/booking/2/20',
		});
	});

	it('hold for contracts too', async () => {
		test.sandbox.settings.contractsEnvelope = 'array';
		expect((await test.client().get(CONTRACTS)).data).toHaveLength(20);
	});
});

describe('pages', () => {
	it('follow each other without a gap or a repeat', async () => {
		const pages = [1, 2, 3].map(async (page) => ids((await bookings(page, 20)).data.results));
		const all = (await Promise.all(pages)).flat();
		expect(all).toEqual(test.sandbox.store.bookings.ids('A').reverse());
	});

	it('begin with number 0 when set so', async () => {
		const first = (await bookings(1, 20)).data.results;
		test.sandbox.settings.firstPage = 0;
		expect((await bookings(0, 20)).data.results).toEqual(first);
	});

	it('are never larger than the cap', async () => {
		test.sandbox.settings.maxPageSize = 10;
		const { data } = await bookings(2, 1_000);
		expect(data.results).toHaveLength(10);
		expect(data.next).toMatch(/\/booking\/3\/10$/);
	});

	it('can shift while they are read', async () => {
		const first = ids((await bookings(1, 20)).data.results);
		test.sandbox.hooks.beforeListPage = ({ offset, organisation }) => {
			if (offset === 20) test.sandbox.store.addBookings(1, { organisation });
		};
		const second = ids((await bookings(2, 20)).data.results);
		expect(second[0]).toBe(first.at(-1));
	});

	it('can carry any record', async () => {
		test.sandbox.hooks.shapeBooking = ({ bookingID }) => ({ id: bookingID });
		const { data } = await bookings(1, 1);
		expect(data.results).toEqual([{ id: 100_045 }]);
	});

	it('are empty when there is nothing', async () => {
		for (const id of test.sandbox.store.bookings.ids('A')) test.sandbox.store.bookings.delete(id);
		expect((await bookings(1, 20)).data).toEqual({
			count: 0,
			next: null,
			previous: null,
			results: [],
		});
	});
});

describe('beyond the end', () => {
	it.each([
		['empty', 200, []],
		['repeatLast', 200, [100_005, 100_004, 100_003, 100_002, 100_001]],
	] as const)('%s', async (beyondEnd, status, expected) => {
		test.sandbox.settings.beyondEnd = beyondEnd;
		const answer = await bookings(9, 20);
		expect(answer.status).toBe(status);
		expect(ids(answer.data.results)).toEqual(expected);
		expect(answer.data.next === null).toBe(beyondEnd === 'empty');
	});

	it('not found', async () => {
		test.sandbox.settings.beyondEnd = 'notFound';
		expect((await bookings(3, 20)).status).toBe(200);
		expect((await bookings(4, 20)).status).toBe(404);
	});

	it('the first page again and again', async () => {
		test.sandbox.settings.beyondEnd = 'repeatFirst';
		expect((await bookings(4, 20)).data.results).toEqual((await bookings(1, 20)).data.results);
		expect((await bookings(3, 20)).data.next).not.toBeNull();
	});

	it('ever new items', async () => {
		test.sandbox.settings.beyondEnd = 'neverEnds';
		const pages = [3, 4, 5].map(async (page) => ids((await bookings(page, 20)).data.results));
		const all = (await Promise.all(pages)).flat();
		expect(new Set(all).size).toBe(60);
		for (const path of [TRACTORS, CONTRACTS]) {
			const { data } = await test.client().get(`${path}?page=50&limit=20`);
			expect(data.data ?? data.results).toHaveLength(20);
		}
	});
});

describe('orders', () => {
	async function listed(order: Settings['bookingsOrder']): Promise<number[]> {
		test.sandbox.settings.bookingsOrder = order;
		return ids((await bookings(1, 100)).data.results);
	}

	it('newest, oldest, and last updated first', async () => {
		const { store } = test.sandbox;
		expect(await listed('newest')).toEqual(store.bookings.ids('A').reverse());
		expect(await listed('oldest')).toEqual(store.bookings.ids('A'));
		store.bookings.update(100_007, { farmNote: 'changed' });
		const updated = await listed('updated');
		expect(updated[0]).toBe(100_007);
		const times = updated.map((id) => store.bookings.get(id)?.updatedAt);
		expect(times).toEqual(times.toSorted().reverse());
	});

	it('arbitrary, but always the same', async () => {
		const order = await listed('arbitrary');
		expect(order).not.toEqual(order.toSorted());
		expect(await listed('arbitrary')).toEqual(order);
		expect(order.toSorted()).toEqual(test.sandbox.store.bookings.ids('A'));
	});

	it('random, each time anew', async () => {
		const order = await listed('random');
		expect(order.toSorted()).toEqual(test.sandbox.store.bookings.ids('A'));
		expect(await listed('random')).not.toEqual(order);
		expect((await bookings(3, 20)).data.results).toHaveLength(5);
	});
});

describe('the ways through the catalogue', () => {
	async function names(query: string): Promise<string[]> {
		const { data } = await test.client().get(`${TRACTORS}?${query}`);
		return data.data.map((tractor: { tractor_id: string }) => tractor.tractor_id);
	}
	const from = (first: number, count: number) =>
		Array.from({ length: count }, (_, index) => String(first + index));

	it('page', async () => {
		expect(await names('page=3')).toEqual(from(251, 10));
		expect(await names('offset=10&limit=5')).toEqual(from(201, 5));
	});

	it('offset', async () => {
		Object.assign(test.sandbox.settings, {
			cataloguePaging: 'offset',
			catalogueEnvelope: 'dataPagination',
		});
		expect(await names('offset=50')).toEqual(from(251, 10));
		expect(await names('page=3')).toEqual(from(201, 25));
		const { data } = await test.client().get(`${TRACTORS}?offset=50`);
		expect(data.pagination).toEqual({ total: 60, limit: 25, offset: 50 });
	});

	it('next', async () => {
		test.sandbox.settings.catalogueEnvelope = 'dataNext';
		let next: string | null = TRACTORS;
		const seen: string[] = [];
		while (next !== null) {
			const { data }: { data: { data: Array<{ tractor_id: string }>; next: string | null } } =
				await test.client().get(next);
			seen.push(...data.data.map(({ tractor_id: id }) => id));
			next = data.next;
		}
		expect(seen).toEqual(from(201, 60));
	});

	it('cursor', async () => {
		Object.assign(test.sandbox.settings, {
			cataloguePaging: 'cursor',
			catalogueEnvelope: 'dataCursor',
		});
		const { data } = await test.client().get(TRACTORS);
		expect(await names(`cursor=${data.next_cursor}`)).toEqual(from(226, 25));
		expect((await test.client().get(`${TRACTORS}?cursor=nonsense`)).status).toBe(404);
	});

	it('only a growing limit', async () => {
		test.sandbox.settings.cataloguePaging = 'limitOnly';
		expect(await names('page=2')).toEqual(from(201, 25));
		expect(await names('limit=60')).toEqual(from(201, 60));
	});

	it('none', async () => {
		test.sandbox.settings.cataloguePaging = 'none';
		expect(await names('limit=60&page=2&offset=30')).toEqual(from(201, 25));
	});
});

it('the list shows a new booking late, which can be read by its ID at once', async () => {
	test.sandbox.settings.bookingsListedAfterMs = 60_000;
	const { bookingID } = test.sandbox.store.bookings.create('A', {
		...validBooking(),
		areaType: 'ha',
	});
	const { data } = await bookings(1, 50);
	expect(data).toMatchObject({ count: 45, next: null });
	expect(ids(data.results)).not.toContain(bookingID);
	const read = await test.client().get(`/booking-services/partner/booking/${bookingID}`);
	expect(read.status).toBe(200);
	test.sandbox.settings.bookingsListedAfterMs = 0;
	expect(ids((await bookings(1, 50)).data.results)[0]).toBe(bookingID);
});
