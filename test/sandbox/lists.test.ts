import type { Settings } from '../../sandbox';
import { sandboxForTests } from './client';

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
});

describe('pages', () => {
	it('follow each other without a gap or a repeat, from page 1 or page 0', async () => {
		const pages = await Promise.all([1, 2, 3].map(async (page) => await bookings(page, 20)));
		expect(pages.flatMap(({ results }) => ids(results))).toEqual(newestFirst());
		set({ firstPage: 0 });
		expect((await bookings(0, 20)).results).toEqual(pages[0].results);
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
});
