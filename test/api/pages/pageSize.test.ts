import type { Fault, Sandbox } from '../../../sandbox';
import { KEYS, startSandbox } from '../../../sandbox';
import type { OperationName } from '../../support/action';
import { credentialsOf, fieldOf, perform, stopOf } from '../../support/action';
import { book, farmers } from '../../support/bookings';
import { searchList } from '../../support/editor';
import { trigger } from '../../support/engine';

let sandbox: Sandbox;

// What is remembered goes by the address: each test has one of its own.
beforeEach(async () => {
	sandbox = await startSandbox({ bookings: 60, contracts: 60, tractors: 60, maxPageSize: 500 });
});
afterEach(async () => await sandbox.close());

const refusal = (status: number): Fault => ({
	kind: 'status',
	status,
	body: { error: 'too many' },
});

/** Lets the service refuse pages of more than so many bookings. */
function refuseBookingsAbove(most: number, status: number): void {
	for (const size of [500, 100, 25, 10].filter((other) => other > most)) {
		sandbox.faults.add({
			match: { path: new RegExp(`/partner/booking/\\d+/${size}$`) },
			fault: refusal(status),
		});
	}
}

/** The page sizes that bookings were asked for in, but for looks for a page 0. */
function sizes(): number[] {
	return sandbox.requests
		.find({ endpoint: 'bookings' })
		.filter(({ path }) => !path.includes('/booking/0/'))
		.map(({ path }) => Number(path.split('/').at(-1)));
}

async function readAll(operation: OperationName = 'booking:getAll', pageSize?: number) {
	const options = pageSize === undefined ? {} : { pageSize };
	return await perform(sandbox, operation, { returnAll: true, options });
}

describe.each([400, 404, 413, 422])('a page size that is refused with %i', (status) => {
	it.each([
		[25, [100, 25, 25, 25]],
		[10, [100, 25, 10, 10, 10, 10, 10, 10]],
	])('is replaced by %i, which is remembered', async (accepted, expected) => {
		refuseBookingsAbove(accepted, status);
		const ids = sandbox.store.bookings.ids('A').reverse();
		expect(fieldOf((await readAll()).items, 'bookingID')).toEqual(ids);
		expect(sizes()).toEqual(expected);
		sandbox.requests.clear();
		expect(fieldOf((await readAll()).items, 'bookingID')).toEqual(ids);
		expect(sizes()).not.toContain(100);
	});
});

it.each([
	[25, [25, 10, 10]],
	[10, [10]],
	[30, [30, 25, 10, 10]],
])(
	'a Page Size of %i that is refused is not asked for again, nor a larger one',
	async (size, expected) => {
		sandbox.faults.add({
			match: { path: new RegExp(`/partner/booking/[01]/(${size}|25)$`) },
			fault: refusal(413),
		});
		await readAll('booking:getAll', size);
		expect(sizes().slice(0, expected.length)).toEqual(expected);
		expect(sizes().filter((other) => other === size)).toHaveLength(1);
	},
);

it.each([400, 404])(
	'a page 1 that is not there (%i), since pages count from 0, says nothing about the size',
	async (status) => {
		Object.assign(sandbox.settings, { bookingsEnvelope: 'array', firstPage: 0 });
		const path = /\/partner\/booking\/1\/100$/;
		sandbox.faults.add({ match: { path }, fault: refusal(status) });
		const ids = sandbox.store.bookings.ids('A').reverse();
		expect(fieldOf((await readAll()).items, 'bookingID')).toEqual(ids);
		expect(sandbox.requests.find().map((request) => request.path)).toEqual([
			'/booking-services/partner/booking/1/100',
			'/booking-services/partner/booking/0/100',
			'/booking-services/partner/booking/1/100',
		]);
	},
);

it.each([
	[25, [100, 25]],
	[10, [100, 25, 10]],
])('pages of up to %i that count from 0 are found if there is no page 1', async (most, tried) => {
	await sandbox.close();
	sandbox = await startSandbox({ bookings: 10, firstPage: 0, maxPageSize: 500 });
	refuseBookingsAbove(most, 400);
	sandbox.faults.add({ match: { path: '/partner/booking/1/' }, fault: refusal(404) });
	const ids = sandbox.store.bookings.ids('A').reverse();
	expect(fieldOf((await readAll()).items, 'bookingID')).toEqual(ids);
	expect(sandbox.requests.find().map(({ path }) => path)).toEqual(
		tried.flatMap((size) =>
			[1, 0].map((page) => `/booking-services/partner/booking/${page}/${size}`),
		),
	);
});

it('no page size helps if the service refuses all of them, and the first refusal is told', async () => {
	refuseBookingsAbove(0, 400);
	const path = '/booking-services/partner/booking/0/';
	sandbox.faults.add({ match: { path }, fault: refusal(400) });
	expect(stopOf(await readAll()).message).toMatch(
		/^The service refused to list bookings: too many/,
	);
});

it('a page size that is refused keeps neither the guard, the editor nor the trigger from reading', async () => {
	refuseBookingsAbove(25, 400);
	const node = trigger({
		parameters: { event: 'bookingStatusChanged' },
		credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
	});
	await node.poll();
	expect(new Set(sizes())).toEqual(new Set([100, 25]));
	const [oldest = 0] = sandbox.store.bookings.ids('A');
	sandbox.store.advance(oldest, 42);
	expect(fieldOf((await node.poll()) ?? [], 'bookingID')).toEqual([oldest]);
	expect(fieldOf((await book(sandbox, farmers(1))).items, 'result')).toEqual(['created']);
	expect(fieldOf((await book(sandbox, farmers(1))).items, 'result')).toEqual(['already booked']);
	const found = await searchList('searchBookings', credentialsOf({ baseUrl: sandbox.url }));
	expect(found.results).toHaveLength(25);
	expect(sizes().filter((size) => size === 100)).toHaveLength(1);
});

describe('Page Size', () => {
	it.each([
		['booking:getAll', '/booking-services/partner/booking/1/30'],
		['contract:getAll', '/payg/lms/contracts?page=1&limit=30'],
		['catalogue:getAll', '/v1/tractors?limit=30'],
	] as const)('of %s is how many records are asked for at once', async (operation, address) => {
		const { items } = await readAll(operation, 30);
		expect(items).toHaveLength(60);
		const [first] = sandbox.requests.find();
		const query = new URLSearchParams(first?.query as Record<string, string>).toString();
		expect(`${first?.path}${query && `?${query}`}`).toBe(address);
	});
});

it('pages that a service caps without moving them together are read in the size that it gives', async () => {
	// Page 2 of 100 begins at the 101st booking, although page 1 of 100 ends with the 20th.
	sandbox.store.addBookings(60);
	const all = sandbox.store.bookings.ids('A').reverse();
	const page = (from: number) => ({
		count: all.length,
		next: from + 100 < all.length ? '/next' : null,
		previous: from > 0 ? '/previous' : null,
		results: all.slice(from, from + 20).map((bookingID) => ({ bookingID })),
	});
	for (const number of [1, 2]) {
		sandbox.faults.add({
			match: { path: `/booking-services/partner/booking/${number}/100` },
			fault: { kind: 'status', status: 200, body: page((number - 1) * 100) },
		});
	}
	expect(fieldOf((await readAll()).items, 'bookingID').sort()).toEqual([...all].sort());
});
