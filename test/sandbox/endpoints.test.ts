import { KEYS, TOKENS } from '../../sandbox';
import type { Settings } from '../../sandbox';
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

const ENDPOINTS = {
	nearby: NEARBY,
	details: DETAILS,
	create: CREATE,
	booking: BOOKING,
	bookings: BOOKINGS,
	tractors: TRACTORS,
	tractor: TRACTOR,
	contracts: CONTRACTS,
};
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
	for (const [name, path] of Object.entries(ENDPOINTS)) {
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
		expect((await test.client(`Api-Key ${KEYS.none}`).get(NEARBY)).status).toBe(403);
		expect((await test.client('Api-Key wrong').get(NEARBY)).status).toBe(401);
		test.sandbox.settings.missingScopeStatus = 401;
		expect(await open(`Api-Key ${KEYS.full}`)).toEqual(BOOKING_SERVICES);
		expect(await open(`Bearer ${TOKENS.full}`)).toEqual(V1);
	});

	it('shows a booking only to the organisation that made it', async () => {
		const { data } = await test.client(`Api-Key ${KEYS.other}`).post(CREATE, validBooking());
		const path = booking(data.bookingID);
		expect((await test.client(`Api-Key ${KEYS.other}`).get(path)).status).toBe(200);
		expect((await test.client().get(path)).status).toBe(404);
	});

	it('adds and revokes keys while it runs', async () => {
		const { keys } = test.sandbox;
		const scopes = ['booking:bookings:read' as const];
		keys.add({ name: 'new', secret: 'new', scheme: 'Api-Key', organisation: 'B', scopes });
		expect((await test.client('Api-Key new').get(BOOKINGS)).data.count).toBe(80);
		keys.revoke('new');
		expect((await test.client('Api-Key new').get(BOOKINGS)).status).toBe(401);
	});

	it('logs who asked, without a secret', async () => {
		await test.client().get(`${TRACTORS}?limit=3`);
		await test.client(`Bearer ${TOKENS.full}`).get(TRACTORS);
		const [first, second] = test.sandbox.requests.find({ endpoint: 'tractors' });
		expect(first).toMatchObject({ method: 'GET', path: TRACTORS, query: { limit: '3' } });
		expect(first).toMatchObject({ authScheme: 'Api-Key', keyName: 'full', status: 200 });
		expect(second).toMatchObject({ authScheme: 'Bearer', keyName: 'token full' });
		expect(JSON.stringify(test.sandbox.requests.find())).not.toMatch(/sandbox-(key|token)/);
	});
});

describe('tractors', () => {
	it('near a place have the documented fields, and come in no useful order', async () => {
		const { data } = await test.client().get(NEARBY);
		expect(data.length).toBeGreaterThan(5);
		expect(Object.keys(data[0]).sort()).toEqual(
			['PositionLatitude', 'PositionLongitude', 'TractorID', '_id', 'distance', 'minsAway'].sort(),
		);
		const distances: number[] = data.map(({ distance }: { distance: number }) => distance);
		expect(distances).not.toEqual(distances.toSorted((a, b) => a - b));
		expect(Math.max(...distances)).toBeLessThanOrEqual(test.sandbox.settings.nearbyRadiusKm);
		expect((await test.client().get(nearby(-1.08, 35.86))).data.length).toBeGreaterThan(0);
		expect((await test.client().get(nearby(-40, -20))).data).toEqual([]);
	});

	it.each([
		['91', '0'],
		['0', '181'],
		['north', '7'],
	])('near %s, %s are refused', async (lat, lng) => {
		const { status, data } = await test.client().get(nearby(lat, lng));
		expect([status, typeof data.error]).toEqual([400, 'string']);
	});

	it('have details with their services; an unknown one is left out, or a 404', async () => {
		const { data } = await test.client().get(DETAILS);
		expect(data.map(({ TractorID }: { TractorID: number }) => TractorID)).toEqual([201, 202]);
		expect(data[0].services[0]).toEqual({ id: expect.any(Number), name: expect.any(String) });
		expect((await test.client().get(details('201,999999'))).data).toHaveLength(1);
		test.sandbox.settings.unknownTractors = 'notFound';
		expect((await test.client().get(details('201,999999'))).status).toBe(404);
	});

	it('have details for as many IDs as an address holds', async () => {
		const all = [...test.sandbox.store.tractors.keys()];
		expect((await test.client().get(details(all))).data).toHaveLength(60);
		const tooMany = Array.from({ length: 3_000 }, (_, index) => 201 + index);
		expect((await test.client().get(details(tooMany))).status).toBe(414);
	});

	it.each<[Partial<Settings>, path: string, first: (data: never) => unknown]>([
		[{ nearbyEnvelope: 'data' }, NEARBY, ({ data }: { data: unknown[] }) => data[0]],
		[{ nearbyEnvelope: 'results' }, NEARBY, ({ results }: { results: unknown[] }) => results[0]],
		[
			{ nearbyEnvelope: 'tractors' },
			NEARBY,
			({ tractors }: { tractors: unknown[] }) => tractors[0],
		],
		[{ detailsEnvelope: 'byId' }, DETAILS, (data: Record<string, unknown>) => data['202']],
		[{ detailsEnvelope: 'single' }, details(201), (data: unknown) => data],
		[{ detailsEnvelope: 'single' }, DETAILS, (data: unknown[]) => data[1]],
		[{ detailsEnvelope: 'results' }, DETAILS, ({ results }: { results: unknown[] }) => results[0]],
	])('come in each envelope: %j', async (settings, path, first) => {
		Object.assign(test.sandbox.settings, settings, { tractorIdsAsText: true });
		const { data } = await test.client().get(path);
		expect(first(data as never)).toMatchObject({ TractorID: expect.stringMatching(/^2\d\d$/) });
	});

	it('of the catalogue come 25 at a time or by limit, and one is not wrapped', async () => {
		const client = test.client(`Bearer ${TOKENS.full}`);
		expect((await client.get(TRACTORS)).data.data).toHaveLength(25);
		expect((await client.get(`${TRACTORS}?limit=7`)).data.data).toHaveLength(7);
		expect((await client.get(`${TRACTORS}?limit=many`)).status).toBe(400);
		expect((await client.get(TRACTOR)).data).toEqual({
			tractor_id: '201',
			tractor_name: expect.any(String),
			tractor_location: { country: 'Nigeria', state: 'Kaduna', city: 'Kaduna' },
			implements_attached: expect.arrayContaining([expect.any(String)]),
		});
		expect((await client.get(`${TRACTORS}/999999`)).status).toBe(404);
	});

	it('under contract come in the documented envelope', async () => {
		const { data } = await test.client(`Bearer ${TOKENS.full}`).get(`${CONTRACTS}?page=2&limit=15`);
		expect(data.results).toHaveLength(15);
		const url = `${test.sandbox.url}${CONTRACTS}`;
		const [next, previous] = [`${url}?page=3&limit=15`, `${url}?page=1&limit=15`];
		expect(data).toMatchObject({ count: 40, next, previous });
	});
});

describe('creating a booking', () => {
	it('answers with the IDs and keeps what was sent; the next one has the next ID', async () => {
		const { status, data } = await test.client().post(CREATE, validBooking());
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
		const next = await test.client().post(CREATE.slice(0, -1), validBooking());
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
		const { status, data } = await test.client().post(CREATE, body);
		expect(status).toBe(400);
		expect(data.error).toMatch(new RegExp(`^${field} `));
		test.sandbox.settings.errorShape = 'object';
		const asObject = await test.client().post(CREATE, body);
		expect(asObject.data.error).toEqual({ [field]: [expect.any(String)] });
		expect(bookingsMade()).toBe(before);
	});

	it('takes today, in the timezone of the settings', async () => {
		const book = async (timezone: string, zone = timezone) => {
			test.sandbox.settings.timezone = timezone;
			const serviceDate = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.now());
			return (await test.client().post(CREATE, { ...validBooking(), serviceDate })).status;
		};
		expect([await book('Etc/GMT+12'), await book('Etc/GMT-14')]).toEqual([200, 200]);
		// 26 hours ahead of the other one: its today is past there at any time.
		expect(await book('Etc/GMT-14', 'Etc/GMT+12')).toBe(400);
	});

	it.each([
		['{"tractorId":', 'application/json', 400],
		['[]', 'application/json', 400],
		['', 'application/json', 400],
		['hello', 'text/plain', 415],
	])('refuses the body %j (%s)', async (body, type, status) => {
		const headers = { 'Content-Type': type };
		const answer = await test.client().post(CREATE, Buffer.from(body), { headers });
		expect(answer.status).toBe(status);
	});
});

describe('reading bookings', () => {
	it('gives the documented fields, and no others if set so', async () => {
		const { data } = await test.client().get(`${BOOKING}/`);
		expect(data).toMatchObject({
			bookingID: 100_001,
			bookingStatus: expect.any(Number),
			serviceDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			hectaresServiced: expect.any(Number),
			farmerName: expect.any(String),
			farmerPhone: expect.stringMatching(/^\+(234709\d{7}|254749\d{6})$/),
			createdAt: expect.stringMatching(/Z$/),
			updatedAt: expect.stringMatching(/Z$/),
		});
		expect(data).toHaveProperty('tractorPairedTo');
		const settings = { plainBookings: true, bookingStatusAsText: true, bookingIdsAsText: true };
		Object.assign(test.sandbox.settings, settings);
		const plain = (await test.client().get(BOOKING)).data;
		expect(Object.keys(plain)).toHaveLength(9);
		expect(plain).toMatchObject({ bookingID: '100001', bookingStatus: expect.any(String) });
	});

	it('knows neither unknown bookings nor those of another organisation', async () => {
		const [other] = test.sandbox.store.bookings.ids('B');
		for (const id of [999_999_999, other, 'abc', '__proto__'])
			expect([id, (await test.client().get(booking(id))).status]).toEqual([id, 404]);
	});

	it('lists the bookings of the own organisation', async () => {
		const { data } = await test.client().get(BOOKINGS);
		expect(data).toMatchObject({ count: 300, previous: null });
		expect(data.results).toHaveLength(20);
		const statusOf = async (page: string) =>
			(await test.client().get(booking(`${page}/20`))).status;
		expect([await statusOf('0'), await statusOf('x'), await statusOf('-1')]).toEqual([
			404, 400, 400,
		]);
	});
});

it('keeps every SMS, repeats too, and refuses numbers that are not E.164', async () => {
	const client = test.client(null);
	const message = { to: '+2348000000001', body: 'Done', reference: 'r1' };
	const sent = [
		await client.post('/sms/messages', message),
		await client.post('/sms/messages', message),
	];
	expect(sent.map(({ status }) => status)).toEqual([201, 201]);
	const sids = new Set(sent.map(({ data }: { data: { sid: string } }) => data.sid));
	expect(sids.size).toBe(2);
	const listed = async (query: string) =>
		(await client.get(`/sms/messages${query}`)).data.messages.length as number;
	expect([await listed(''), await listed('?reference=r1'), await listed('?reference=r2')]).toEqual([
		2, 2, 0,
	]);
	expect((await client.post('/sms/messages', { ...message, to: '0800' })).status).toBe(400);
});

it('answers 404 for anything else', async () => {
	expect((await test.client().get('/v2/tractors')).status).toBe(404);
});
