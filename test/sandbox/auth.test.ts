import { KEYS, TOKENS } from '../../sandbox';
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

/** The endpoints that let a caller in; every other one must answer 401. */
async function open(authorization: string | null): Promise<string[]> {
	const client = test.client(authorization);
	const found: string[] = [];
	for (const [name, path] of Object.entries(ENDPOINTS)) {
		const { status } =
			name === 'create' ? await client.post(path, validBooking()) : await client.get(path);
		if (status !== 401) {
			expect(status).toBe(name === 'booking' && authorization?.includes('other') ? 404 : 200);
			found.push(name);
		}
	}
	return found;
}

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
	['nobody', null, []],
])('%s opens its endpoints only', async (_, authorization, expected) => {
	expect(await open(authorization)).toEqual(expected);
});

it('keeps API keys from catalogue and contracts when set so', async () => {
	test.sandbox.settings.v1AcceptsApiKey = false;
	expect(await open(`Api-Key ${KEYS.full}`)).toEqual(BOOKING_SERVICES);
	expect(await open(`Bearer ${TOKENS.full}`)).toEqual(V1);
});

it('can answer 403 for a missing scope, but not for a wrong key', async () => {
	test.sandbox.settings.missingScopeStatus = 403;
	expect((await test.client(`Api-Key ${KEYS.none}`).get(NEARBY)).status).toBe(403);
	expect((await test.client('Api-Key wrong').get(NEARBY)).status).toBe(401);
});

it('books under the key of the caller and shows it to nobody else', async () => {
	const { data } = await test.client(`Api-Key ${KEYS.other}`).post(CREATE, validBooking());
	const path = `/booking-services/partner/booking/${data.bookingID}`;
	expect((await test.client(`Api-Key ${KEYS.other}`).get(path)).status).toBe(200);
	expect((await test.client().get(path)).status).toBe(404);
});

it('takes and forgets keys while it runs', async () => {
	const { keys } = test.sandbox;
	keys.add({
		name: 'new',
		secret: 'brand-new',
		scheme: 'Api-Key',
		organisation: 'B',
		scopes: ['booking:bookings:read'],
	});
	expect((await test.client('Api-Key brand-new').get(BOOKINGS)).data.count).toBe(80);
	keys.revoke('brand-new');
	expect((await test.client('Api-Key brand-new').get(BOOKINGS)).status).toBe(401);
});

it('logs who asked without keeping a secret', async () => {
	await test.client().get(`${TRACTORS}?limit=3`);
	await test.client(`Bearer ${TOKENS.full}`).get(TRACTORS);
	const [first, second] = test.sandbox.requests.find({ endpoint: 'tractors' });
	expect(first).toMatchObject({
		method: 'GET',
		path: TRACTORS,
		query: { limit: '3' },
		authScheme: 'Api-Key',
		keyName: 'full',
		status: 200,
	});
	expect(second).toMatchObject({ authScheme: 'Bearer', keyName: 'token full' });
	expect(JSON.stringify(test.sandbox.requests.find())).not.toMatch(/sandbox-(key|token)/);
});
