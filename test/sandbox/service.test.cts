import axios from 'axios';

import type { Sandbox } from '../../sandbox/index.cts';
import { KEYS, startSandbox, TOKENS } from '../../sandbox/index.cts';
import { countBy } from '../../tools/tally.cts';

const NOON = Date.parse('2030-01-01T12:00:00.250Z');
let time = NOON;
let sandbox: Sandbox;

beforeAll(async () => (sandbox = await startSandbox({ now: () => time })));
beforeEach(() => {
	time = NOON;
	sandbox.reset();
});
afterAll(async () => await sandbox.close());

/** Something to ask of each endpoint. */
const PATHS = {
	nearby: '/booking-services/tractor/nearby/10.52/7.44/',
	details: '/booking-services/tractor/201,202/detail/',
	create: '/booking-services/booking-agent/service-booking/',
	booking: '/booking-services/partner/booking/100001',
	bookings: '/booking-services/partner/booking/1/20',
	tractors: '/v1/tractors',
	tractor: '/v1/tractors/201',
	contracts: '/payg/lms/contracts',
};

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

/** Asks as a client that takes every status as a response and follows no redirect. */
async function ask(url: string, data?: unknown, authorization = `Api-Key ${KEYS.full}`) {
	const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
	const method = data === undefined ? 'GET' : 'POST';
	const common = { baseURL: sandbox.url, validateStatus: () => true, maxRedirects: 0 };
	return await axios.request({ ...common, url, method, data, headers });
}

const FIND = ['nearby', 'details'];
const READ = ['booking', 'bookings'];
const V1 = ['tractors', 'tractor', 'contracts'];
const ALL = [...FIND, 'create', ...READ, ...V1];

it.each([
	['the full key', `Api-Key ${KEYS.full}`, ALL],
	['the key of another organisation', `Api-Key ${KEYS.other}`, ALL],
	['a key that only books', `Api-Key ${KEYS.bookingOnly}`, ['create']],
	['a key that only finds', `Api-Key ${KEYS.discoveryOnly}`, FIND],
	['a key that only reads', `Api-Key ${KEYS.readOnly}`, READ],
	['a key without scopes', `Api-Key ${KEYS.none}`, []],
	['the full token', `Bearer ${TOKENS.full}`, V1],
	['an unknown key', 'Api-Key wrong', []],
	['a key as a bearer token', `Bearer ${KEYS.full}`, []],
	['a token as a key', `Api-Key ${TOKENS.full}`, []],
	['a key without its scheme', KEYS.full, []],
])('%s opens its endpoints only', async (_, authorization, expected) => {
	const open: string[] = [];
	for (const [name, path] of Object.entries(PATHS)) {
		const body = name === 'create' ? BOOKING : undefined;
		const { status } = await ask(path, body, authorization);
		if (status === 401) continue;
		// A booking is its organisation's own.
		expect(status).toBe(name === 'booking' && authorization.includes('other') ? 404 : 200);
		open.push(name);
	}
	expect(open).toEqual(expected);
});

it('keeps what was sent, and gives the next booking the next ID, also after a reset on its page', async () => {
	const { data } = await ask(PATHS.create, BOOKING);
	expect(data).toEqual({ bookingID: expect.any(Number), clusterID: expect.any(Number) });
	const kept = { ...BOOKING, bookingID: data.bookingID, bookingStatus: 0, tractorPairedTo: null };
	expect(sandbox.store.bookings.get(data.bookingID)).toMatchObject(kept);
	sandbox.settings.rateLimits.create = 1;
	sandbox.faults.add({ fault: { kind: 'reset' } });
	await ask('/sandbox/reset', '');
	expect([sandbox.settings.rateLimits.create, sandbox.faults.list()]).toEqual([50, []]);
	expect((await ask(PATHS.create, BOOKING)).data.bookingID).toBe(data.bookingID + 1);
	expect(sandbox.store.bookings.count('A')).toBe(301);
});

it.each([
	['an unknown tractor', { tractorId: 999_999 }, /^tractorId /],
	['a tractor in quotes', { tractorId: '201' }, /^tractorId /],
	['a service that is no integer', { serviceType: 1.5 }, /^serviceType /],
	['a past date', { serviceDate: '2020-01-01' }, /^serviceDate /],
	['another area unit', { areaType: 'm2' }, /^areaType /],
	['a negative area', { landArea: -1 }, /^landArea /],
	['an area in quotes', { landArea: '2' }, /^landArea /],
	['a latitude off the earth', { latitude: 91 }, /^latitude /],
])('refuses to book %s', async (_, change, error) => {
	const { status, data } = await ask(PATHS.create, { ...BOOKING, ...change });
	expect([status, data]).toEqual([400, { error: expect.stringMatching(error) }]);
	expect(sandbox.store.bookings.count('A')).toBe(300);
});

it.each([
	['nearby', 60],
	['details', 60],
	['create', 50],
] as const)(
	'lets %s pass as often as the interface says, each key by itself',
	async (name, limit) => {
		const body = name === 'create' ? BOOKING : undefined;
		const times = Array.from({ length: limit + 2 });
		const answers = await Promise.all(times.map(async () => await ask(PATHS[name], body)));
		expect(countBy(answers, ({ status }) => status)).toEqual(
			new Map([
				[200, limit],
				[429, 2],
			]),
		);
		// What is refused is not booked.
		expect(sandbox.store.bookings.count('A')).toBe(300 + (body ? limit : 0));
		expect((await ask(PATHS[name], body, `Api-Key ${KEYS.other}`)).status).toBe(200);
		expect((await ask(PATHS.tractors)).status).toBe(200);
	},
);
