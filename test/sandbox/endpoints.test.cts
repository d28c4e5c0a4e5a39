import type { Booking, Settings } from '../../sandbox/index.cts';
import { KEYS, TOKENS } from '../../sandbox/index.cts';
import { PATHS, sandboxForTests, validBooking } from './client.cts';

const test = sandboxForTests();

const BOOKING_SERVICES = ['nearby', 'details', 'create', 'booking', 'bookings'];
const V1 = ['tractors', 'tractor', 'contracts'];

const nearby = (lat: number | string, lng: number | string) =>
	`/booking-services/tractor/nearby/${lat}/${lng}/`;
const details = (ids: unknown) => `/booking-services/tractor/${String(ids)}/detail/`;
const booking = (id: unknown) => `/booking-services/partner/booking/${String(id)}`;
const bookingsMade = () => test.sandbox.store.bookings.count('A');

/** The endpoints that let a caller in; every other one has to answer 401. */
async function open(authorization: string | null): Promise<string[]> {
	const client = test.client(authorization);
	const found: string[] = [];
	for (const [name, path] of Object.entries(PATHS)) {
		const { status } =
			name === 'create' ? await client.post(path, validBooking()) : await client.get(path);
		if (status === 401) continue;
		expect(status).toBe(name === 'booking' && authorization?.includes('other') ? 404 : 200);
		found.push(name);
	}
	return found;
}

describe('who may do what', () => {
	it.each([
		['the full key', `Api-Key ${KEYS.full}`, [...BOOKING_SERVICES, ...V1]],
		['the key of another organisation', `Api-Key ${KEYS.other}`, [...BOOKING_SERVICES, ...V1]],
		['a key that only books', `Api-Key ${KEYS.bookingOnly}`, ['create']],
		['a key that only finds', `Api-Key ${KEYS.discoveryOnly}`, ['nearby', 'details']],
		['a key that only reads', `Api-Key ${KEYS.readOnly}`, ['booking', 'bookings']],
		['a key without scopes', `Api-Key ${KEYS.none}`, []],
		['the full token', `Bearer ${TOKENS.full}`, V1],
		['a token for the catalogue', `Bearer ${TOKENS.catalogueOnly}`, ['tractors', 'tractor']],
		['a token for contracts', `Bearer ${TOKENS.contractsOnly}`, ['contracts']],
		['an unknown key', 'Api-Key wrong', []],
		['a key as a bearer token', `Bearer ${KEYS.full}`, []],
		['a token as a key', `Api-Key ${TOKENS.full}`, []],
		['a key without its scheme', KEYS.full, []],
		['no key', null, []],
	])('%s opens its endpoints only', async (_, authorization, expected) => {
		expect(await open(authorization)).toEqual(expected);
	});

	it('can keep API keys from catalogue and contracts, and answer 403 for a missing scope', async () => {
		Object.assign(test.sandbox.settings, { v1AcceptsApiKey: false, missingScopeStatus: 403 });
		expect((await test.client(`Api-Key ${KEYS.none}`).get(PATHS.nearby)).status).toBe(403);
		expect((await test.client('Api-Key wrong').get(PATHS.nearby)).status).toBe(401);
		test.sandbox.settings.missingScopeStatus = 401;
		expect(await open(`Api-Key ${KEYS.full}`)).toEqual(BOOKING_SERVICES);
		expect(await open(`Bearer ${TOKENS.full}`)).toEqual(V1);
	});
});

describe('tractors', () => {
	it('near a place come in no useful order', async () => {
		const { data } = await test.client().get(PATHS.nearby);
		expect(data.length).toBeGreaterThan(5);
		const distances: number[] = data.map(({ distance }: { distance: number }) => distance);
		expect(distances).not.toEqual(distances.toSorted((a, b) => a - b));
		expect(Math.max(...distances)).toBeLessThanOrEqual(test.sandbox.settings.nearbyRadiusKm);
		expect((await test.client().get(nearby(-1.08, 35.86))).data.length).toBeGreaterThan(0);
		expect((await test.client().get(nearby(-40, -20))).data).toEqual([]);
	});

	it('have details with their services; an unknown one is left out, or a 404', async () => {
		const { data } = await test.client().get(PATHS.details);
		expect(data.map(({ TractorID }: { TractorID: number }) => TractorID)).toEqual([201, 202]);
		expect((await test.client().get(details('201,999999'))).data).toHaveLength(1);
		test.sandbox.settings.unknownTractors = 'notFound';
		expect((await test.client().get(details('201,999999'))).status).toBe(404);
	});

	it('of the catalogue come 25 at a time or by limit, and one is not wrapped', async () => {
		const client = test.client(`Bearer ${TOKENS.full}`);
		expect((await client.get(PATHS.tractors)).data.data).toHaveLength(25);
		expect((await client.get(`${PATHS.tractors}?limit=7`)).data.data).toHaveLength(7);
		expect((await client.get(`${PATHS.tractors}?limit=many`)).status).toBe(400);
		expect((await client.get(PATHS.tractor)).data).toMatchObject({ tractor_id: '201' });
		expect((await client.get(`${PATHS.tractors}/999999`)).status).toBe(404);
	});
});

describe('creating a booking', () => {
	it('answers with the IDs and keeps what was sent; the next one has the next ID', async () => {
		const { status, data } = await test.client().post(PATHS.create, validBooking());
		expect([status, data]).toEqual([
			200,
			{ bookingID: expect.any(Number), clusterID: expect.any(Number) },
		]);
		expect(test.sandbox.store.bookings.get(data.bookingID)).toMatchObject({
			...validBooking(),
			bookingID: data.bookingID,
			bookingStatus: 0,
			tractorPairedTo: null,
		});
		// The path without its slash is the same one.
		const next = await test.client().post(PATHS.create.slice(0, -1), validBooking());
		expect(next.data.bookingID).toBe(data.bookingID + 1);
	});

	it.each([
		['an unknown tractor', { tractorId: 999_999 }, 'tractorId'],
		['a tractor in quotes', { tractorId: '201' }, 'tractorId'],
		['no tractor', { tractorId: undefined }, 'tractorId'],
		['a service that is no integer', { serviceType: 1.5 }, 'serviceType'],
		['a past date', { serviceDate: '2020-01-01' }, 'serviceDate'],
		['a day that does not exist', { serviceDate: '2099-02-30' }, 'serviceDate'],
		['a date in another form', { serviceDate: '17/05/2099' }, 'serviceDate'],
		['another area unit', { areaType: 'm2' }, 'areaType'],
		['a negative area', { landArea: -1 }, 'landArea'],
		['an area in quotes', { landArea: '2' }, 'landArea'],
		['a latitude off the earth', { latitude: 91 }, 'latitude'],
		['a longitude in words', { longitude: 'east' }, 'longitude'],
		['a gender in words', { gender: 'female' }, 'gender'],
	])('refuses %s', async (_, change, field) => {
		const before = bookingsMade();
		const body = { ...validBooking(), ...change };
		const { status, data } = await test.client().post(PATHS.create, body);
		expect(status).toBe(400);
		expect(data.error).toMatch(new RegExp(`^${field} `));
		test.sandbox.settings.errorShape = 'object';
		const asObject = await test.client().post(PATHS.create, body);
		expect(asObject.data.error).toEqual({ [field]: [expect.any(String)] });
		expect(bookingsMade()).toBe(before);
	});

	it.each([
		['{"tractorId":', 'application/json', 400],
		['[]', 'application/json', 400],
		['', 'application/json', 400],
		['hello', 'text/plain', 415],
	])('refuses the body %j (%s)', async (body, type, status) => {
		const headers = { 'Content-Type': type };
		const answer = await test.client().post(PATHS.create, Buffer.from(body), { headers });
		expect(answer.status).toBe(status);
	});
});

describe('reading bookings', () => {
	it('gives phones that nobody has, and texts for numbers if set so', async () => {
		const { data } = await test.client().get(`${PATHS.booking}/`);
		expect(data.farmerPhone).toMatch(/^\+(234709\d{7}|254749\d{6})$/);
		const settings = { bookingStatusAsText: true, bookingIdsAsText: true };
		Object.assign(test.sandbox.settings, settings);
		const texts = (await test.client().get(PATHS.booking)).data;
		expect(texts).toMatchObject({ bookingID: '100001', bookingStatus: expect.any(String) });
	});

	it('knows neither unknown bookings nor those of another organisation', async () => {
		const [other] = test.sandbox.store.bookings.ids('B');
		for (const id of [999_999_999, other, 'abc', '__proto__'])
			expect([id, (await test.client().get(booking(id))).status]).toEqual([id, 404]);
	});
});

describe('beyond the end of the bookings', () => {
	const page = (number: number) => `/booking-services/partner/booking/${number}/40`;
	const newestFirst = () => test.sandbox.store.bookings.ids('A').reverse();
	it.each<[Settings['beyondEnd'], results: () => unknown, saysTheEnd: boolean]>([
		['empty', () => [], true],
		['notFound', () => undefined, false],
		['repeatLast', () => newestFirst().slice(280), false],
		['repeatFirst', () => newestFirst().slice(0, 40), false],
	])('%s', async (beyondEnd, results, saysTheEnd) => {
		test.sandbox.settings.beyondEnd = beyondEnd;
		const { status, data } = await test.client().get(page(9));
		expect(status).toBe(beyondEnd === 'notFound' ? 404 : 200);
		expect(data.results?.map(({ bookingID }: Booking) => bookingID)).toEqual(results());
		expect(data.next === null).toBe(saysTheEnd);
	});
});

it('keeps every SMS, repeats too, and refuses numbers that are not E.164', async () => {
	const client = test.client(null);
	const message = { to: '+2348000000001', body: 'Done', reference: 'r1' };
	const first = await client.post('/sms/messages', message);
	const second = await client.post('/sms/messages', message);
	expect([first.status, second.status]).toEqual([201, 201]);
	expect(first.data.sid).not.toBe(second.data.sid);
	const listed = async (query: string) => (await client.get(`/sms/messages${query}`)).data.messages;
	expect(await listed('')).toHaveLength(2);
	expect(await listed('?reference=r1')).toHaveLength(2);
	expect(await listed('?reference=r2')).toEqual([]);
	expect((await client.post('/sms/messages', { ...message, to: '0800' })).status).toBe(400);
});

it('answers 404 for anything else', async () => {
	expect((await test.client().get('/v2/tractors')).status).toBe(404);
});
