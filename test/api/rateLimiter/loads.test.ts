import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { startSandbox, TOWNS } from '../../../sandbox';
import { fieldOf, pairsOf, perform } from '../../support/action';
import { dayFromNow } from '../../support/bookings';
import { load } from '../../support/loads';

// The loads of the bench, of the same size, with shorter windows: nothing may be lost or done twice.
const WINDOW_MS = 400;

/** Several times the limit. */
const CREATIONS = load(500, 150);

let sandbox: Sandbox;

async function start(options: SandboxOptions): Promise<void> {
	sandbox = await startSandbox({ rateWindowMs: WINDOW_MS, ...options });
}

afterEach(async () => {
	await sandbox.close();
});

it.each([load(100_000)])(
	'Return All of %i bookings gives each once, in order',
	async (bookings) => {
		await start({ bookings });
		const { items } = await perform(sandbox, 'booking:getAll', { returnAll: true });
		const ids = sandbox.store.bookings.ids('A').reverse();
		expect(fieldOf(items, 'bookingID')).toEqual(ids);
		expect(sandbox.requests.count('bookings')).toBe(bookings / 100);
	},
	120_000,
);

it(`${CREATIONS} creations at 50 per window are all booked once`, async () => {
	// Creations go one by one: the limit must be reached on a busy machine, too.
	await start({ rateLimits: { create: 50 }, rateWindowMs: 2_000 });
	const before = new Set(sandbox.store.bookings.ids('A'));
	const rows = Array.from({ length: CREATIONS }, (_, row) => ({
		tractorId: 201,
		serviceType: 1,
		serviceDate: dayFromNow(3),
		landArea: '2 ha',
		farmerName: `Row ${row}`,
		farmerPhone: `+23480${12_345_000 + row}`,
	}));
	const fields = { phoneCountry: 'none', tractorSelection: 'id' };
	const { items, error } = await perform(sandbox, 'booking:createFromSpreadsheet', fields, {
		rows,
	});
	expect(error).toBeUndefined();
	const made = sandbox.store.bookings.ids('A').filter((id) => !before.has(id));
	expect(made).toHaveLength(CREATIONS);
	// Creations under way at the same time may arrive in another order than their rows.
	const answers = fieldOf(items, 'bookingID').map(String);
	const names = answers.map((id) => sandbox.store.bookings.get(id)?.farmerName);
	expect(names).toEqual(rows.map(({ farmerName }) => farmerName));
	expect(sandbox.requests.count('create', 429)).toBeGreaterThan(0);
	expect(sandbox.requests.count('create', 429)).toBeLessThan(50);
}, 120_000);

it('500 nearby searches with details at 60 per window all have their result', async () => {
	await start({ rateLimits: { nearby: 60, details: 60 } });
	// Farms around the towns with tractors, each at a place of its own.
	const rows = Array.from({ length: 500 }, (_, row) => {
		const town = TOWNS[row % TOWNS.length] ?? TOWNS[0];
		return { latitude: town.latitude + row / 100_000, longitude: town.longitude - row / 100_000 };
	});
	const fields = {
		latitude: '={{ $json.latitude }}',
		longitude: '={{ $json.longitude }}',
		returnAll: false,
		limit: 1,
		options: { includeDetails: true },
	};
	const { items, error } = await perform(sandbox, 'tractor:findNearby', fields, { rows });
	expect(error).toBeUndefined();
	expect(pairsOf(items)).toEqual([...rows.keys()]);
	expect(sandbox.requests.count('nearby', 200)).toBe(500);
	// No more in each of the nine windows than requests are sent at once.
	expect(sandbox.requests.count('nearby', 429)).toBeLessThanOrEqual(9 * 8);
	expect(sandbox.requests.count('details')).toBeLessThanOrEqual(3);
}, 120_000);
