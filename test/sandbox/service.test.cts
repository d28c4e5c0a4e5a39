import axios from 'axios';

import { KEYS } from '../../sandbox/index.cts';
import { eachWithSandbox } from '../support/bookings.cts';

const sandbox = eachWithSandbox({ bookings: 300 });

const CREATE = '/booking-services/booking-agent/service-booking/';

/** A booking that the service takes. */
const BOOKING = {
	tractorId: 201,
	serviceType: 3,
	serviceDate: '2099-05-17',
	landArea: 2.5,
	areaType: 'ha',
	farmerName: 'Amina Bello',
	farmerPhone: '+2348000000042',
	gender: 1,
	latitude: 10.5,
	longitude: 7.4,
};

/** Asks as a client that takes every status as a response. */
async function post(url: string, data: unknown) {
	const headers = { Authorization: `Api-Key ${KEYS.full}`, 'Content-Type': 'application/json' };
	return await axios.post(sandbox.url + url, data, { headers, validateStatus: () => true });
}

it('keeps what was sent, and gives the next booking the next ID, also after a reset on its page', async () => {
	const { data } = await post(CREATE, BOOKING);
	expect(data).toEqual({ bookingID: expect.any(Number), clusterID: expect.any(Number) });
	const kept = { ...BOOKING, bookingID: data.bookingID, bookingStatus: 0, tractorPairedTo: null };
	expect(sandbox.store.bookings.get(data.bookingID)).toMatchObject(kept);
	sandbox.settings.rateLimits.create = 1;
	sandbox.faults.add({ fault: { kind: 'reset' } });
	await post('/sandbox/reset', '');
	expect([sandbox.settings.rateLimits.create, sandbox.faults.list()]).toEqual([null, []]);
	expect((await post(CREATE, BOOKING)).data.bookingID).toBe(data.bookingID + 1);
	expect(sandbox.store.bookings.count('A')).toBe(301);
});

it.each([
	['an unknown tractor', { tractorId: 999_999 }, /^tractorId /],
	['a past date', { serviceDate: '2020-01-01' }, /^serviceDate /],
	['an area in quotes', { landArea: '2' }, /^landArea /],
])('refuses to book %s', async (_, change, error) => {
	const { status, data } = await post(CREATE, { ...BOOKING, ...change });
	expect([status, data]).toEqual([400, { error: expect.stringMatching(error) }]);
	expect(sandbox.store.bookings.count('A')).toBe(300);
});
