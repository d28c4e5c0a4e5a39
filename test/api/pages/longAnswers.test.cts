import { KEYS, startSandbox, type Sandbox } from '../../../sandbox/index.cts';
import { credentialsOf, fieldOf, perform } from '../../support/action.cts';
import { book, farmers } from '../../support/bookings.cts';
import { searchList } from '../../support/editor.cts';
import { trigger } from '../../support/engine.cts';

/** More than a function takes as arguments, and enough that a scan for each record would not end. */
const COUNT = 130_000;

/** The first ID: no booking that the sandbox makes has one of the list. */
const FIRST = 1_000_001;

let sandbox: Sandbox;

/** Lets every list be one answer of so many records. */
beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 0, rateLimits: { create: null, details: null } });
	const serviceDate = '2026-01-02';
	const endpoints = [
		[
			'bookings',
			(id: number) => ({ bookingID: id, bookingStatus: 3, farmerPhone: id, serviceDate }),
		],
		['tractors', (id: number) => ({ tractor_id: id })],
		['contracts', (id: number) => ({ contract_id: id })],
		['nearby', (id: number) => ({ TractorID: id, distance: id })],
	] as const;
	for (const [endpoint, recordOf] of endpoints) {
		const results = Array.from({ length: COUNT }, (_, at) => recordOf(FIRST + at));
		const body = { count: COUNT, next: null, previous: null, results };
		sandbox.faults.add({ match: { endpoint }, fault: { kind: 'status', status: 200, body } });
	}
});
afterAll(async () => await sandbox.close());

const all = Array.from({ length: COUNT }, (_, at) => FIRST + at);

describe(`one answer of ${COUNT} records is read by`, () => {
	it.each([
		['booking:getAll', 'bookingID'],
		['catalogue:getAll', 'tractor_id'],
		['contract:getAll', 'contract_id'],
		['tractor:findNearby', 'TractorID'],
	] as const)('%s', async (operation, field) => {
		const place = { latitude: 7, longitude: 3 };
		const { items } = await perform(sandbox, operation, { returnAll: true, ...place });
		expect(fieldOf(items, field)).toEqual(all);
	});

	it('the guard of Create', async () => {
		const { items, error } = await book(sandbox, farmers(1, { phone: '+2348031234567' }));
		expect(error?.message).toBeUndefined();
		expect(fieldOf(items, 'result')).toEqual(['created']);
	});

	it.each([
		['searchBookings', {}],
		['searchCatalogue', { resource: 'catalogue', operation: 'get', authentication: 'bearerToken' }],
	] as const)('%s', async (name, parameters) => {
		const credentials = credentialsOf({ baseUrl: sandbox.url });
		const { results, paginationToken } = await searchList(name, credentials, { parameters });
		expect(results).toHaveLength(COUNT);
		expect(paginationToken).toBeUndefined();
	});

	it('the trigger and its test event', async () => {
		const node = trigger({
			parameters: { events: ['bookingCompleted'] },
			credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
		});
		expect(await node.poll('manual')).toHaveLength(1);
		expect(await node.poll()).toBeNull();
	});
});
