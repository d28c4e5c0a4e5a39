import type { Settings } from '../../sandbox';
import { sandboxForTests } from './client';

const test = sandboxForTests({ bookings: 45 });

const path = (page: number, size: number) => `/booking-services/partner/booking/${page}/${size}`;
const bookings = async (page: number, size: number) =>
	(await test.client().get(path(page, size))).data;
const ids = (items: Array<{ bookingID: number }>) => items.map(({ bookingID }) => bookingID);
const newestFirst = () => test.sandbox.store.bookings.ids('A').reverse();

describe('beyond the end', () => {
	const lastPage = [100_005, 100_004, 100_003, 100_002, 100_001];
	it.each<[Settings['beyondEnd'], results: () => unknown, saysTheEnd: boolean]>([
		['empty', () => [], true],
		['notFound', () => undefined, false],
		['repeatLast', () => lastPage, false],
		['repeatFirst', () => newestFirst().slice(0, 20), false],
	])('%s', async (beyondEnd, results, saysTheEnd) => {
		test.sandbox.settings.beyondEnd = beyondEnd;
		const { status, data } = await test.client().get(path(4, 20));
		expect(status).toBe(beyondEnd === 'notFound' ? 404 : 200);
		expect(data.results && ids(data.results)).toEqual(results());
		expect(data.next === null).toBe(saysTheEnd);
		expect(ids((await bookings(3, 20)).results)).toEqual(lastPage);
	});
});
