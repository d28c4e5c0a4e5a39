import { BOOKING_STATUS_LABELS } from '../../nodes/TractorBooking/api/status';
import { SERVICES, startSandbox, TOWNS } from '../../sandbox';
import { BOOKINGS, sandboxForTests } from './client';

const NOW = Date.parse('2030-06-01T12:00:00Z');
const test = sandboxForTests({ now: () => NOW });

describe('the seed', () => {
	it('is believable: two organisations, every status, every service, every town', () => {
		const { store } = test.sandbox;
		const all = store.bookings.page('A', 0, 1_000);
		expect([all.length, store.bookings.count('B')]).toEqual([300, 80]);
		expect([store.tractors.size, store.contracts.length]).toEqual([60, 40]);
		expect(new Set(all.map(({ bookingStatus }) => bookingStatus))).toEqual(
			new Set(BOOKING_STATUS_LABELS.keys()),
		);
		const tractors = [...store.tractors.values()];
		expect(new Set(tractors.map(({ town }) => town)).size).toBe(TOWNS.length);
		expect(new Set(tractors.flatMap(({ services }) => services)).size).toBe(SERVICES.length);
		for (const { createdAt, updatedAt, serviceDate } of all) {
			expect(createdAt <= updatedAt).toBe(true);
			expect(updatedAt <= new Date(NOW).toISOString()).toBe(true);
			expect(serviceDate >= createdAt.slice(0, 10)).toBe(true);
		}
	});

	it('is the same at each start', async () => {
		const again = await startSandbox({ now: () => NOW });
		const page = (sandbox: typeof again) => sandbox.store.bookings.page('A', 0, 50);
		expect(page(again)).toEqual(page(test.sandbox));
		await again.close();
	});
});

describe('bookings', () => {
	it('change their status, and with it what depends on it', () => {
		const { store } = test.sandbox;
		const id = store.bookings.addMany(1, { status: 0 });
		const path = [];
		for (let step = 0; step < 7; step++) path.push(store.advance(id).bookingStatus);
		expect(path).toEqual([1, 2, 6, 20, 3, 3, 3]);
		const booking = store.bookings.get(id);
		expect(booking?.tractorPairedTo).toBe(booking?.tractorId);
		expect(booking?.hectaresServiced).toBeGreaterThan(0);
		expect(booking?.updatedAt).toBe(new Date(NOW).toISOString());
		expect(store.advance(id, 4)).toMatchObject({ bookingStatus: 4, tractorPairedTo: null });
	});

	it('take values that no service should send', async () => {
		const { store } = test.sandbox;
		const [id = 0] = store.bookings.ids('A').reverse();
		const list = async () => (await test.client().get(BOOKINGS)).data.results[0];
		store.bookings.update(id, { bookingStatus: 42 });
		expect(await list()).toMatchObject({ bookingStatus: 42 });
		store.bookings.update(id, { bookingStatus: 'lost', bookingID: '__proto__', updatedAt: null });
		expect(await list()).toMatchObject({ bookingStatus: 'lost', bookingID: '__proto__' });
		const path = '/booking-services/partner/booking/__proto__';
		expect((await test.client().get(path)).data.bookingStatus).toBe('lost');
		store.bookings.update(id, { bookingStatus: 3 });
		expect(await list()).toMatchObject({ bookingStatus: 3 });
	});
});
