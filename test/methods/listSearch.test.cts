import { type Settings } from '../../sandbox/index.cts';
import { credentialsOf } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';
import { searchList } from '../support/editor.cts';

const sandbox = eachWithSandbox({ bookings: 950, otherBookings: 20 });

const searchBookings = async (filter?: string, paginationToken?: string, apiKey?: string) =>
	await searchList('searchBookings', credentialsOf({ baseUrl: sandbox.url, apiKey }), {
		filter,
		paginationToken,
	});

const searchCatalogue = async (filter?: string, authentication = 'bearerToken') =>
	await searchList('searchCatalogue', credentialsOf({ baseUrl: sandbox.url }), {
		filter,
		parameters: { resource: 'catalogue', operation: 'get', authentication },
	});

async function scrollBookings(filter?: string): Promise<string[]> {
	const seen: string[] = [];
	let token: string | undefined;
	for (let scrolled = 0; scrolled < 30; scrolled++) {
		const { results, paginationToken } = await searchBookings(filter, token);
		seen.push(...results.map(({ value }) => String(value)));
		if (paginationToken === undefined) return seen;
		token = String(paginationToken);
	}
	throw new Error('The list never ends');
}

const newestFirst = () => sandbox.store.bookings.ids('A').reverse().map(String);

it('the list of bookings names each by what an operator knows of it', async () => {
	const { results } = await searchBookings();
	const booking = sandbox.store.bookings.get(results[0]?.value as string);
	const { bookingID, farmerName, serviceDate, farmerPhone } = booking ?? {};
	const name = `^${bookingID} – ${farmerName} – [a-z_]+ – ${serviceDate} – \\${farmerPhone}$`;
	expect(results[0]?.name).toMatch(new RegExp(name));
	expect(results[0]?.value).toBe(String(bookingID));
	expect(sandbox.requests.find().length).toBeLessThanOrEqual(3);
});

it.each<Partial<Settings>>([
	{},
	{ bookingsEnvelope: 'array', firstPage: 0 },
	{ bookingsEnvelope: 'dataCursor' },
])('the list of bookings goes on when scrolled down, and ends: %j', async (settings) => {
	Object.assign(sandbox.settings, settings);
	expect(await scrollBookings()).toEqual(newestFirst());
});

it('the list of bookings finds by id, farmer, phone, date and status, in any case', async () => {
	const id = newestFirst()[430] ?? '';
	const booking = sandbox.store.bookings.update(id, {
		farmerName: 'Adaézè Nwosu',
		farmerPhone: '+2349997654321',
		serviceDate: '2031-01-31',
	});
	for (const filter of [id, 'adaeze', ' NWOSU ', '2031-01-31', '9997654321']) {
		expect(await scrollBookings(filter)).toEqual([String(booking.bookingID)]);
	}
	const isPaused = (id: string) => sandbox.store.bookings.get(id)?.bookingStatus === 7;
	expect(await scrollBookings('paused')).toEqual(newestFirst().filter(isPaused));
});

it('the list of bookings reads a few pages a search, and says where to go on', async () => {
	const { results, paginationToken } = await searchBookings('no farmer has this name');
	expect(results).toEqual([]);
	expect(paginationToken).toBe('6');
	// Two more look for a page 0.
	expect(sandbox.requests.count('bookings')).toBe(5 + 2);
	expect(await scrollBookings('no farmer has this name')).toEqual([]);
});

it('the list of tractors finds by id and name', async () => {
	expect((await searchCatalogue('217')).results.map(({ value }) => value)).toEqual(['217']);
	const found = (await searchCatalogue('kaduna')).results;
	expect(found.map(({ value }) => value)).toEqual(['201', '221', '241']);
});

it.each([
	['bearerToken', 'Bearer'],
	['apiKey', 'Api-Key'],
])('the list of tractors authenticates as the node does: %s', async (authentication, scheme) => {
	await searchCatalogue('', authentication);
	expect(sandbox.requests.find()[0]?.authScheme).toBe(scheme);
});
