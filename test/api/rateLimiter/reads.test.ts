import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf, pairsOf, perform, stopOf } from '../../support/action';
import { dayFromNow } from '../../support/bookings';

const BY_ID = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

let sandbox: Sandbox;

beforeEach(async () => {
	// A sandbox of its own for each test: what is learned of a limit belongs to the address.
	sandbox = await startSandbox({ latencyMs: 10 });
});

afterEach(async () => {
	await sandbox.close();
});

function rowsOf(count: number) {
	return Array.from({ length: count }, (_, index) => ({ id: 100_001 + index }));
}

it('reads of many items go several at a time, and come back in order', async () => {
	const rows = rowsOf(100);
	const { items } = await perform(sandbox, 'booking:get', { bookingId: BY_ID }, { rows });
	expect(fieldOf(items, 'bookingID')).toEqual(rows.map(({ id }) => id));
	expect(pairsOf(items)).toEqual([...rows.keys()]);
	expect(sandbox.requests.count('booking')).toBe(100);
	expect(sandbox.requests.peakInFlight).toBe(8);
});

it('the first item that fails stops the node, and no more are begun', async () => {
	const rows = rowsOf(100).map(({ id }, index) => ({ id: index === 20 || index === 22 ? 1 : id }));
	const result = await perform(sandbox, 'booking:get', { bookingId: BY_ID }, { rows });
	expect(stopOf(result)).toMatchObject({ itemIndex: 20, httpCode: '404' });
	expect(sandbox.requests.count('booking')).toBeLessThan(20 + 2 * 8);
});

/** Stops the execution, as the user does, once the service has refused a request. */
function stopWhenRefused(endpoint: 'booking' | 'create') {
	return ({ cancel }: { cancel: () => void }) => {
		const timer = setInterval(() => {
			if (sandbox.requests.count(endpoint, 429) === 0) return;
			clearInterval(timer);
			cancel();
		}, 10);
	};
}

it('a stopped execution waits for no limit, and sends nothing more', async () => {
	sandbox.settings.rateLimits.booking = 10;
	const rows = rowsOf(100);
	const started = stopWhenRefused('booking');
	const result = await perform(sandbox, 'booking:get', { bookingId: BY_ID }, { rows, started });
	expect(stopOf(result).message).toMatch(/^The execution was stopped/);
	// Those that were on their way may still arrive.
	await new Promise((resolve) => setTimeout(resolve, 200));
	expect(sandbox.requests.count('booking')).toBeLessThanOrEqual(10 + 8);
});

it('bookings that were made before the execution was stopped are logged', async () => {
	sandbox.settings.rateLimits.create = 3;
	const before = new Set(sandbox.store.bookings.ids('A'));
	const rows = Array.from({ length: 10 }, (_, row) => ({
		tractorId: 201,
		serviceType: 1,
		serviceDate: dayFromNow(3),
		landArea: '2 ha',
		farmerName: 'Ada',
		farmerPhone: `+234801234560${row}`,
	}));
	const fields = { phoneCountry: 'none', tractorSelection: 'id' };
	const started = stopWhenRefused('create');
	const result = await perform(sandbox, 'booking:createFromSpreadsheet', fields, { rows, started });
	const made = sandbox.store.bookings.ids('A').filter((id) => !before.has(id));
	const { description, itemIndex } = stopOf(result);
	expect(made).toHaveLength(3);
	expect(itemIndex).toBe(3);
	for (const id of made) expect(description).toContain(`with booking ${id}`);
});
