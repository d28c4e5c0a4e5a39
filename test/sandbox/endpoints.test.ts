import { TOKENS } from '../../sandbox';
import {
	BOOKING,
	BOOKINGS,
	CONTRACTS,
	CREATE,
	DETAILS,
	NEARBY,
	sandboxForTests,
	TRACTOR,
	TRACTORS,
	validBooking,
} from './client';

const test = sandboxForTests();

describe('nearby tractors', () => {
	it('have the documented fields and come in no useful order', async () => {
		const { status, data } = await test.client().get(NEARBY);
		expect(status).toBe(200);
		expect(data.length).toBeGreaterThan(5);
		expect(Object.keys(data[0]).sort()).toEqual(
			['PositionLatitude', 'PositionLongitude', 'TractorID', '_id', 'distance', 'minsAway'].sort(),
		);
		const distances: number[] = data.map(({ distance }: { distance: number }) => distance);
		expect(distances).not.toEqual(distances.toSorted((a, b) => a - b));
		expect(Math.max(...distances)).toBeLessThanOrEqual(test.sandbox.settings.nearbyRadiusKm);
	});

	it('are found south of the equator, and nowhere in the ocean', async () => {
		const kenya = await test.client().get('/booking-services/tractor/nearby/-1.08/35.86/');
		expect(kenya.data.length).toBeGreaterThan(0);
		const ocean = await test.client().get('/booking-services/tractor/nearby/-40/-20/');
		expect(ocean.data).toEqual([]);
	});

	it('are refused for a coordinate that is none', async () => {
		for (const [lat, lng] of [
			['91', '0'],
			['0', '181'],
			['north', '7'],
		]) {
			const { status, data } = await test
				.client()
				.get(`/booking-services/tractor/nearby/${lat}/${lng}/`);
			expect([status, typeof data.error]).toEqual([400, 'string']);
		}
	});

	it('come in each envelope', async () => {
		for (const nearbyEnvelope of ['data', 'results', 'tractors'] as const) {
			test.sandbox.settings.nearbyEnvelope = nearbyEnvelope;
			const { data } = await test.client().get(NEARBY);
			expect(Object.keys(data)).toEqual([nearbyEnvelope]);
			expect(data[nearbyEnvelope].length).toBeGreaterThan(5);
		}
	});
});

describe('tractor details', () => {
	it('name the services that a tractor offers', async () => {
		const { status, data } = await test.client().get(DETAILS);
		expect(status).toBe(200);
		expect(data.map(({ TractorID }: { TractorID: number }) => TractorID)).toEqual([201, 202]);
		expect(data[0].services[0]).toEqual({ id: expect.any(Number), name: expect.any(String) });
	});

	it('leave unknown tractors out, or answer 404', async () => {
		const path = '/booking-services/tractor/201,999999/detail/';
		expect((await test.client().get(path)).data).toHaveLength(1);
		test.sandbox.settings.unknownTractors = 'notFound';
		expect((await test.client().get(path)).status).toBe(404);
	});

	it('are given for as many ids as the address holds', async () => {
		const ids = [...test.sandbox.store.tractors.keys()].join(',');
		const { data } = await test.client().get(`/booking-services/tractor/${ids}/detail/`);
		expect(data).toHaveLength(60);
		const long = Array.from({ length: 3_000 }, (_, index) => 201 + index).join(',');
		const answer = await test.client().get(`/booking-services/tractor/${long}/detail/`);
		expect(answer.status).toBe(414);
	});

	it('come in each shape', async () => {
		const { settings } = test.sandbox;
		const one = '/booking-services/tractor/201/detail/';
		settings.detailsEnvelope = 'byId';
		expect(Object.keys((await test.client().get(DETAILS)).data)).toEqual(['201', '202']);
		settings.detailsEnvelope = 'single';
		expect((await test.client().get(one)).data.TractorID).toBe(201);
		expect((await test.client().get(DETAILS)).data).toHaveLength(2);
		settings.detailsEnvelope = 'results';
		expect((await test.client().get(one)).data.results).toHaveLength(1);
		settings.tractorIdsAsText = true;
		expect((await test.client().get(one)).data.results[0].TractorID).toBe('201');
	});
});

describe('creating a booking', () => {
	it('answers with the ids and keeps what was sent', async () => {
		const { status, data } = await test.client().post(CREATE, validBooking());
		expect(status).toBe(200);
		expect(data).toEqual({ bookingID: expect.any(Number), clusterID: expect.any(Number) });
		expect(test.sandbox.store.bookings.get(data.bookingID)).toMatchObject({
			...validBooking(),
			bookingID: data.bookingID,
			bookingStatus: 0,
			tractorPairedTo: null,
		});
		const next = await test.client().post(CREATE, validBooking());
		expect(next.data.bookingID).toBe(data.bookingID + 1);
	});

	it('takes paths without the trailing slash too', async () => {
		expect((await test.client().post(CREATE.slice(0, -1), validBooking())).status).toBe(200);
		expect((await test.client().get(`${BOOKING}/`)).status).toBe(200);
	});

	it.each([
		['an unknown tractor', { tractorId: 999_999 }, 'tractorId'],
		['a tractor in quotes', { tractorId: '201' }, 'tractorId'],
		['no tractor', { tractorId: undefined }, 'tractorId'],
		['a service that is no integer', { serviceType: 1.5 }, 'serviceType'],
		['a past date', { serviceDate: '2020-01-01' }, 'serviceDate'],
		['a day that is none', { serviceDate: '2099-02-30' }, 'serviceDate'],
		['a date in another form', { serviceDate: '17/05/2099' }, 'serviceDate'],
		['another area unit', { areaType: 'm2' }, 'areaType'],
		['a negative area', { landArea: -1 }, 'landArea'],
		['an area in quotes', { landArea: '2' }, 'landArea'],
		['a latitude off the earth', { latitude: 91 }, 'latitude'],
		['a longitude that is none', { longitude: 'east' }, 'longitude'],
		['a gender in words', { gender: 'female' }, 'gender'],
	])('refuses %s', async (_, change, field) => {
		const before = test.sandbox.store.bookings.count('A');
		const body = { ...validBooking(), ...change };
		const { status, data } = await test.client().post(CREATE, body);
		expect(status).toBe(400);
		expect(data.error).toMatch(new RegExp(`^${field} `));
		test.sandbox.settings.errorShape = 'object';
		const asObject = await test.client().post(CREATE, body);
		expect(asObject.data.error).toEqual({ [field]: [expect.any(String)] });
		expect(test.sandbox.store.bookings.count('A')).toBe(before);
	});

	it('takes today, in the timezone of the settings', async () => {
		const { settings } = test.sandbox;
		const today = (timeZone: string) =>
			new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now());
		for (const timezone of ['Etc/GMT+12', 'Etc/GMT-14']) {
			settings.timezone = timezone;
			const sent = { ...validBooking(), serviceDate: today(timezone) };
			expect((await test.client().post(CREATE, sent)).status).toBe(200);
		}
		// 26 hours ahead of the other one: its today is past there at any time.
		const { status } = await test
			.client()
			.post(CREATE, { ...validBooking(), serviceDate: today('Etc/GMT+12') });
		expect(status).toBe(400);
	});

	it('refuses bodies that are no JSON object', async () => {
		const json = { headers: { 'Content-Type': 'application/json' } };
		for (const body of ['{"tractorId":', '[]', '']) {
			const { status, data } = await test.client().post(CREATE, Buffer.from(body), json);
			expect([status, typeof data.error]).toEqual([400, 'string']);
		}
		const text = { headers: { 'Content-Type': 'text/plain' } };
		expect((await test.client().post(CREATE, 'hello', text)).status).toBe(415);
	});
});

describe('reading bookings', () => {
	it('gives the documented fields', async () => {
		const { status, data } = await test.client().get(BOOKING);
		expect(status).toBe(200);
		expect(data).toMatchObject({
			bookingID: 100_001,
			bookingStatus: expect.any(Number),
			serviceDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			hectaresServiced: expect.any(Number),
			farmerName: expect.any(String),
			farmerPhone: expect.stringMatching(/^\+(234800\d{7}|254800\d{6})$/),
			createdAt: expect.stringMatching(/Z$/),
			updatedAt: expect.stringMatching(/Z$/),
		});
		expect(data).toHaveProperty('tractorPairedTo');
		test.sandbox.settings.plainBookings = true;
		expect(Object.keys((await test.client().get(BOOKING)).data)).toHaveLength(9);
	});

	it('knows neither unknown bookings nor those of another organisation', async () => {
		const [others] = test.sandbox.store.bookings.ids('B');
		for (const id of [999_999_999, others, 'abc', '__proto__']) {
			const path = `/booking-services/partner/booking/${id}`;
			expect((await test.client().get(path)).status).toBe(404);
		}
	});

	it('gives codes and ids as text when set so', async () => {
		const { settings } = test.sandbox;
		settings.bookingStatusAsText = true;
		settings.bookingIdsAsText = true;
		const { data } = await test.client().get(BOOKING);
		expect(data.bookingID).toBe('100001');
		expect(data.bookingStatus).toMatch(/^\d+$/);
	});

	it('lists only bookings of the own organisation', async () => {
		const { data } = await test.client().get(BOOKINGS);
		expect(data).toMatchObject({ count: 300, previous: null });
		expect(data.results).toHaveLength(20);
		for (const page of ['0', 'x', '-1']) {
			const { status } = await test.client().get(`/booking-services/partner/booking/${page}/20`);
			expect(status).toBe(page === '0' ? 404 : 400);
		}
	});
});

describe('catalogue and contracts', () => {
	it('lists 25 tractors by default and fewer by limit', async () => {
		const client = test.client(`Bearer ${TOKENS.full}`);
		expect((await client.get(TRACTORS)).data.data).toHaveLength(25);
		expect((await client.get(`${TRACTORS}?limit=7`)).data.data).toHaveLength(7);
		expect((await client.get(`${TRACTORS}?limit=many`)).status).toBe(400);
	});

	it('gives one tractor, not wrapped', async () => {
		const client = test.client(`Bearer ${TOKENS.full}`);
		const { data } = await client.get(TRACTOR);
		expect(data).toEqual({
			tractor_id: '201',
			tractor_name: expect.any(String),
			tractor_location: { country: 'Nigeria', state: 'Kaduna', city: 'Kaduna' },
			implements_attached: expect.arrayContaining([expect.any(String)]),
		});
		expect((await client.get(`${TRACTORS}/999999`)).status).toBe(404);
	});

	it('lists contracts in the documented envelope', async () => {
		const { data } = await test.client(`Bearer ${TOKENS.full}`).get(`${CONTRACTS}?page=2&limit=15`);
		expect(data.count).toBe(40);
		expect(data.results).toHaveLength(15);
		expect(data.next).toBe(`${test.sandbox.url}${CONTRACTS}?page=3&limit=15`);
		expect(data.previous).toBe(`${test.sandbox.url}${CONTRACTS}?page=1&limit=15`);
	});
});

describe('SMS gateway', () => {
	it('keeps every message, repeats too', async () => {
		const message = { to: '+2348000000001', body: 'Done', reference: 'r1' };
		const { status, data } = await test.client(null).post('/sms/messages', message);
		expect(status).toBe(201);
		expect(data).toMatchObject({ ...message, sid: expect.any(String) });
		await test.client(null).post('/sms/messages', message);
		const listed = await test.client(null).get('/sms/messages');
		expect(listed.data.messages).toHaveLength(2);
		const named = await test.client(null).get('/sms/messages?reference=r1');
		expect(named.data.messages).toHaveLength(2);
		const other = await test.client(null).get('/sms/messages?reference=r2');
		expect(other.data.messages).toEqual([]);
		expect(test.sandbox.store.outbox).toHaveLength(2);
		expect(test.sandbox.store.outbox[0]?.sid).not.toBe(test.sandbox.store.outbox[1]?.sid);
	});

	it('refuses numbers that are not E.164', async () => {
		const { status } = await test.client(null).post('/sms/messages', { to: '0800', body: 'Done' });
		expect(status).toBe(400);
	});
});

it('answers 404 for anything else', async () => {
	expect((await test.client().get('/v2/tractors')).status).toBe(404);
});
