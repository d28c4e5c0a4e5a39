import '../../support/shortPauses.cts';
import type { Fault, SandboxOptions, Settings } from '../../../sandbox/index.cts';
import { credentialsOf, fieldOf, perform, stopOf } from '../../support/action.cts';
import { book, eachWithSandbox, farmers, sentTo } from '../../support/bookings.cts';
import { searchList } from '../../support/editor.cts';

const sandbox = eachWithSandbox({ bookings: 130, contracts: 45, tractors: 60, maxPageSize: 20 });

const contracts = () => sandbox.store.contracts.map(({ contract_id: id }) => id);
const tractors = () => [...sandbox.store.tractors.keys()];

/** The three lists: how each is asked for, and what it holds. */
const lists = {
	bookings: ['booking:getAll', 'bookingID', () => sandbox.store.bookings.ids('A').reverse()],
	contracts: ['contract:getAll', 'contract_id', contracts],
	tractors: ['catalogue:getAll', 'tractor_id', tractors],
} as const;

type List = keyof typeof lists;

function use(settings: SandboxOptions): void {
	Object.assign(sandbox.settings, settings);
}

/** Reads a list; the ids of what came, and why the node stopped if it did. */
async function read(list: List, limit?: number) {
	const [operation, key] = lists[list];
	const parameters = limit === undefined ? { returnAll: true } : { returnAll: false, limit };
	const result = await perform(sandbox, operation, parameters);
	return { ids: fieldOf(result.items, key).map(Number), result };
}

async function expectAll(list: List): Promise<void> {
	const { ids, result } = await read(list);
	expect(result.error).toBeUndefined();
	expect(ids).toEqual(lists[list][2]());
}

// services.test.cts tries every shape with bookings.
it.each<[List, Settings['bookingsEnvelope'], Settings['beyondEnd'], 0 | 1]>([
	['bookings', 'array', 'repeatLast', 0],
	['contracts', 'dataPagination', 'repeatFirst', 1],
	['tractors', 'data', 'notFound', 0],
])('%s as %s, with %s beyond the end and pages from %i', async (list, envelope, ...paging) => {
	const [beyondEnd, firstPage] = paging;
	use({ [`${list === 'tractors' ? 'catalogue' : list}Envelope`]: envelope, beyondEnd, firstPage });
	await expectAll(list);
	// Two looks for page 0 at most, and two for the end; from the second reading on, none for page 0.
	const pages = Math.ceil(lists[list][2]().length / 20);
	expect(sandbox.requests.count(list)).toBeLessThanOrEqual(pages + 4);
	sandbox.requests.clear();
	await expectAll(list);
	expect(sandbox.requests.count(list)).toBeLessThanOrEqual(pages + 2);
});

it.each(['offset', 'cursor'] as const)(
	'the catalogue is read on by the %s in next',
	async (paging) => {
		use({ cataloguePaging: paging, catalogueEnvelope: 'dataNext', maxPageSize: 25 });
		await expectAll('tractors');
	},
);

const body = (value: unknown): Fault => ({ kind: 'status', status: 200, body: value });

it.each<[string, Fault]>([
	['null', body('null')],
	['results that are null', body({ results: null, next: null, previous: null })],
	['an error beside no records', body({ error: 'Not allowed', results: [] })],
	['404', { kind: 'status', status: 404 }],
])('a list that hides bookings by %s lets no row be booked', async (_what, fault) => {
	sandbox.faults.add({ match: { endpoint: 'bookings' }, fault });
	expect(stopOf(await book(sandbox, farmers(1))).message).toMatch(/bookings/);
	expect(sentTo(sandbox)).toEqual([]);
	// Return All does not return a part either.
	const { ids, result } = await read('bookings');
	expect(ids).toEqual([]);
	expect(stopOf(result).message).toMatch(/bookings/);
});

const sizes = () =>
	sandbox.requests.find({ endpoint: 'bookings' }).map(({ path }) => Number(path.split('/').at(-1)));

it.each([
	['booking:getAll', '/booking-services/partner/booking/0/30'],
	['contract:getAll', '/payg/lms/contracts?page=0&limit=30'],
	['catalogue:getAll', '/v1/tractors?limit=30&page=0'],
] as const)(
	'the page size of %s is how many records are asked for at once',
	async (operation, address) => {
		await perform(sandbox, operation, { returnAll: true, options: { pageSize: 30 } });
		const [first] = sandbox.requests.find();
		const query = new URLSearchParams(first?.query as Record<string, string>).toString();
		expect(`${first?.path}${query && `?${query}`}`).toBe(address);
	},
);

it('a list begins with the page with which it began before, also if that is not found once', async () => {
	use({ firstPage: 0, bookingsEnvelope: 'array' });
	await expectAll('bookings');
	const match = { path: '/booking-services/partner/booking/0/' };
	sandbox.faults.add({ match, fault: { kind: 'status', status: 404 }, times: 2 });
	const { result } = await read('bookings');
	expect(stopOf(result).message).toMatch(/^Nothing was found/);
	await expectAll('bookings');
});

it('a list to which bookings come while it is read for the first time begins with page 0', async () => {
	use({ firstPage: 0, bookingsEnvelope: 'array' });
	const match = { path: '/booking-services/partner/booking/0/' };
	sandbox.faults.add({ match, fault: { kind: 'status', status: 200, body: [] }, times: 2 });
	await expectAll('bookings');
	await expectAll('bookings');
});

it('a page size is no larger than a limit, which may be over several pages', async () => {
	for (const [limit, asked] of [
		[4, [4, 4, 4]],
		[25, [25, 25]],
	] as const) {
		sandbox.requests.clear();
		expect((await read('bookings', limit)).ids).toEqual(lists.bookings[2]().slice(0, limit));
		expect(sizes()).toEqual(asked);
	}
});

it('a list whose first page is refused for its size is not empty because page 0 is', async () => {
	const path = (page: number) => new RegExp(`/partner/booking/${page}/`);
	const none: Fault = { kind: 'status', status: 200, body: [] };
	const refused: Fault = { kind: 'status', status: 400, body: { error: 'too many' } };
	use({ bookingsEnvelope: 'array' });
	sandbox.faults.add({ match: { path: path(0) }, fault: none });
	sandbox.faults.add({ match: { path: /\/partner\/booking\/\d+\/100$/ }, fault: refused });
	await expectAll('bookings');
	// If it is refused at any size, there is no such page.
	sandbox.faults.add({ match: { path: path(1) }, fault: refused });
	use({ firstPage: 0 });
	expect((await read('bookings')).ids).toEqual([]);
});

it('a page size that is refused is asked for once, and Create and the editor read on', async () => {
	const fault: Fault = { kind: 'status', status: 400, body: { error: 'too many' } };
	const refused = sandbox.faults.add({ match: { path: /\/partner\/booking\/\d+\/100$/ }, fault });
	await expectAll('bookings');
	expect(new Set(sizes())).toEqual(new Set([100, 25]));
	const { hits } = refused;
	expect(fieldOf((await book(sandbox, farmers(1))).items, 'result')).toEqual(['created']);
	expect(fieldOf((await book(sandbox, farmers(1))).items, 'result')).toEqual(['already booked']);
	const credentials = credentialsOf({ baseUrl: sandbox.url });
	expect((await searchList('searchBookings', credentials)).results).toHaveLength(20);
	expect(refused.hits).toBe(hits);
});

const one = { bookingID: 1 };
const two = [one, { bookingID: 2 }];

it.each<[string, Record<string, Fault>, why: string, first: string]>([
	[
		'counts records and sends none',
		{ '': body({ count: 3, next: null, results: [] }) },
		'after 0 of 3, the service sent an empty page',
		'',
	],
	[
		'counts more than it sends, and promises them',
		{ '': body({ count: 5, next: '/2', results: two }) },
		'after 2 of 5, the service sent the same records again',
		'To get the first ones, set a limit of 2 or less. ',
	],
	[
		'does not count, and sends records twice',
		{ '': body({ next: '/2', results: [one] }) },
		'after 1, some of them had come twice',
		'To get the first ones, set a limit of 1 or less. ',
	],
	[
		'does not count, and lacks the page that it promises',
		{ '': { kind: 'status', status: 404 }, '1/': body({ next: '/2', results: [one] }) },
		'after 1, the service did not have the next page',
		'To get the first ones, set a limit of 1 or less. ',
	],
])('a list is not returned if the service %s', async (_what, faults, why, first) => {
	for (const [page, fault] of Object.entries(faults).reverse())
		sandbox.faults.add({ match: { path: `/booking-services/partner/booking/${page}` }, fault });
	const { ids, result } = await read('bookings');
	expect(ids).toEqual([]);
	const stop = stopOf(result);
	expect(stop.message).toBe(`The list of bookings cannot be read to its end: ${why}`);
	expect(stop.description).toBe(
		`Nothing was returned, because records would be missing. ${first}To get all, set a page size above their number. Also tell the operator of the service.`,
	);
	// What is said of a limit is not for those who book.
	const booking = stopOf(await book(sandbox, farmers(1)));
	expect(booking.message).toBe(stop.message);
	expect(booking.description).toMatch(/^Try again later/);
	expect(sentTo(sandbox)).toEqual([]);
});
