import '../../support/shortPauses.cts';
import { fieldOf, pairsOf, perform, stopOf } from '../../support/action.cts';
import { eachWithSandbox } from '../../support/bookings.cts';

const BY_ID = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

const sandbox = eachWithSandbox({ bookings: 300, latencyMs: 10 });

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
