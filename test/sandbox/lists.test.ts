import type { Settings } from '../../sandbox';
import { CONTRACTS, sandboxForTests, TRACTORS, validBooking } from './client';

const test = sandboxForTests({ bookings: 45 });

const path = (page: number, size: number) => `/booking-services/partner/booking/${page}/${size}`;
const bookings = async (page: number, size: number) =>
	(await test.client().get(path(page, size))).data;
const ids = (items: Array<{ bookingID: number }>) => items.map(({ bookingID }) => bookingID);
const newestFirst = () => test.sandbox.store.bookings.ids('A').reverse();
const set = (settings: Partial<Settings>) => Object.assign(test.sandbox.settings, settings);

describe('envelopes', () => {
	const records = expect.any(Array) as unknown;
	const documented = {
		count: 45,
		next: expect.stringMatching(/^http:.*\/booking\/2\/20$/) as unknown,
		previous: null,
		results: records,
	};
	const shapes: Record<Settings['bookingsEnvelope'], [first: unknown, last: unknown]> = {
		array: [records, records],
		documented: [documented, { next: null, previous: expect.stringMatching(/\/2\/20$/) }],
		data: [{ data: records }, { data: records }],
		dataPagination: [
			{ data: records, pagination: { total: 45, limit: 20, offset: 0 } },
			{ pagination: { offset: 40 } },
		],
		dataEnvelope: [{ data: documented }, { data: { next: null } }],
		dataNext: [{ data: records, next: documented.next }, { next: null }],
		dataCursor: [{ data: records, next_cursor: expect.any(String) }, {}],
	};

	it.each(Object.keys(shapes) as Array<Settings['bookingsEnvelope']>)(
		'%s, on the first page and on the last',
		async (envelope) => {
			set({ bookingsEnvelope: envelope });
			expect(await bookings(1, 20)).toEqual(shapes[envelope][0]);
			const last = await bookings(3, 20);
			if (envelope === 'array') expect(last).toHaveLength(5);
			else expect(last).toMatchObject(shapes[envelope][1] as object);
			expect(last).not.toHaveProperty('next_cursor');
		},
	);

	it('can point elsewhere, and say a wrong count', async () => {
		set({ nextOrigin: 'https://elsewhere.example', reportedCount: 7 });
		expect(await bookings(1, 20)).toMatchObject({
			count: 7,
			next: `https://elsewhere.example${path(2, 20)}`,
		});
	});

	it('are set for contracts, too', async () => {
		set({ contractsEnvelope: 'array' });
		expect((await test.client().get(CONTRACTS)).data).toHaveLength(20);
	});
});

describe('pages', () => {
	it('follow each other without a gap or a repeat, from page 1 or page 0', async () => {
		const pages = await Promise.all([1, 2, 3].map(async (page) => await bookings(page, 20)));
		expect(pages.flatMap(({ results }) => ids(results))).toEqual(newestFirst());
		set({ firstPage: 0 });
		expect((await bookings(0, 20)).results).toEqual(pages[0].results);
	});

	it('are never larger than the cap', async () => {
		set({ maxPageSize: 10 });
		const { results, next } = await bookings(2, 1_000);
		expect([results.length, next]).toEqual([10, `${test.sandbox.url}${path(3, 10)}`]);
	});

	it('can shift while they are read', async () => {
		const first = ids((await bookings(1, 20)).results);
		test.sandbox.hooks.beforeListPage = ({ offset, organisation }) => {
			if (offset === 20) test.sandbox.store.addBookings(1, { organisation });
		};
		expect(ids((await bookings(2, 20)).results)[0]).toBe(first.at(-1));
	});

	it('can carry any record', async () => {
		test.sandbox.hooks.shapeBooking = ({ bookingID }) => ({ id: bookingID });
		expect((await bookings(1, 1)).results).toEqual([{ id: 100_045 }]);
	});

	it('are empty when there is nothing', async () => {
		for (const id of newestFirst()) test.sandbox.store.bookings.delete(id);
		const empty = { count: 0, next: null, previous: null, results: [] };
		expect(await bookings(1, 20)).toEqual(empty);
	});

	it('show a new booking late, which can be read by its ID at once', async () => {
		set({ bookingsListedAfterMs: 60_000 });
		const made = { ...validBooking(), areaType: 'ha' as const };
		const { bookingID } = test.sandbox.store.bookings.create('A', made);
		const page = await bookings(1, 50);
		expect(page).toMatchObject({ count: 45, next: null });
		expect(ids(page.results)).not.toContain(bookingID);
		const read = await test.client().get(`/booking-services/partner/booking/${bookingID}`);
		expect(read.status).toBe(200);
		set({ bookingsListedAfterMs: 0 });
		expect(ids((await bookings(1, 50)).results)[0]).toBe(bookingID);
	});
});

describe('beyond the end', () => {
	const lastPage = [100_005, 100_004, 100_003, 100_002, 100_001];
	it.each<[Settings['beyondEnd'], results: () => unknown, saysTheEnd: boolean]>([
		['empty', () => [], true],
		['notFound', () => undefined, false],
		['repeatLast', () => lastPage, false],
		['repeatFirst', () => newestFirst().slice(0, 20), false],
	])('%s', async (beyondEnd, results, saysTheEnd) => {
		set({ beyondEnd });
		const { status, data } = await test.client().get(path(4, 20));
		expect(status).toBe(beyondEnd === 'notFound' ? 404 : 200);
		expect(data.results && ids(data.results)).toEqual(results());
		expect(data.next === null).toBe(saysTheEnd);
		expect(ids((await bookings(3, 20)).results)).toEqual(lastPage);
	});

	it('neverEnds', async () => {
		set({ beyondEnd: 'neverEnds' });
		const pages = await Promise.all([3, 4, 5].map(async (page) => await bookings(page, 20)));
		expect(new Set(pages.flatMap(({ results }) => ids(results))).size).toBe(60);
		for (const list of [TRACTORS, CONTRACTS]) {
			const { data } = await test.client().get(`${list}?page=50&limit=20`);
			expect(data.data ?? data.results).toHaveLength(20);
		}
	});
});

it('bookings come in each order', async () => {
	const { store } = test.sandbox;
	const listed = async (bookingsOrder: Settings['bookingsOrder']) => {
		set({ bookingsOrder });
		return ids((await bookings(1, 100)).results);
	};
	const oldestFirst = store.bookings.ids('A');
	expect(await listed('newest')).toEqual(newestFirst());
	expect(await listed('oldest')).toEqual(oldestFirst);
	store.bookings.update(100_007, { farmNote: 'changed' });
	const updated = await listed('updated');
	const times = updated.map((id) => store.bookings.get(id)?.updatedAt);
	expect([updated[0], times]).toEqual([100_007, times.toSorted().reverse()]);
	const [arbitrary, random] = [await listed('arbitrary'), await listed('random')];
	for (const order of [arbitrary, random]) {
		expect(order).not.toEqual(oldestFirst);
		expect(order.toSorted()).toEqual(oldestFirst);
	}
	expect(await listed('arbitrary')).toEqual(arbitrary);
	expect(await listed('random')).not.toEqual(random);
});

describe('the ways through the catalogue', () => {
	const tractors = (first: number, count: number) =>
		Array.from({ length: count }, (_, index) => String(first + index));
	const read = async (query: string) => (await test.client().get(`${TRACTORS}?${query}`)).data;
	const names = async (query: string): Promise<string[]> =>
		(await read(query)).data.map((tractor: { tractor_id: string }) => tractor.tractor_id);

	it.each<[Settings['cataloguePaging'], query: string, expected: string[]]>([
		['page', 'page=3', tractors(251, 10)],
		['page', 'offset=10&limit=5', tractors(201, 5)],
		['offset', 'offset=50', tractors(251, 10)],
		['offset', 'page=3', tractors(201, 25)],
		['limitOnly', 'page=2', tractors(201, 25)],
		['limitOnly', 'limit=60', tractors(201, 60)],
		['none', 'limit=60&page=2&offset=30', tractors(201, 25)],
	])('%s: %s', async (cataloguePaging, query, expected) => {
		set({ cataloguePaging });
		expect(await names(query)).toEqual(expected);
	});

	it('offset, with a total', async () => {
		set({ cataloguePaging: 'offset', catalogueEnvelope: 'dataPagination' });
		const pagination = { total: 60, limit: 25, offset: 50 };
		expect(await read('offset=50')).toMatchObject({ pagination });
	});

	it('next', async () => {
		set({ catalogueEnvelope: 'dataNext' });
		const seen: string[] = [];
		for (let next: string | null = TRACTORS; next !== null;) {
			const { data }: { data: { data: Array<{ tractor_id: string }>; next: string | null } } =
				await test.client().get(next);
			seen.push(...data.data.map(({ tractor_id: id }) => id));
			next = data.next;
		}
		expect(seen).toEqual(tractors(201, 60));
	});

	it('cursor', async () => {
		set({ cataloguePaging: 'cursor', catalogueEnvelope: 'dataCursor' });
		const { next_cursor: cursor } = await read('');
		expect(await names(`cursor=${cursor}`)).toEqual(tractors(226, 25));
		expect((await test.client().get(`${TRACTORS}?cursor=nonsense`)).status).toBe(404);
	});
});
