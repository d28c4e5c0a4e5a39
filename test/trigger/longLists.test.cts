import { listOf } from './bookingList.cts';
import { published, Watcher } from './polling.cts';

const TODAY = '2026-02-01T08:00:00Z';

/** Of so many bookings, the newest are under way and the others completed. */
function longList(count: number, open: number, order: 'newest' | 'oldest' = 'newest', style = {}) {
	return listOf(count, (id) => (id > count - open ? 6 : 3), style, order);
}

const TEN = { pageSize: 10 };

describe.each(['newest', 'oldest'] as const)('a list of 120 pages, the %s first', (order) => {
	const place = order === 'newest' ? 'front' : 'end';
	const count = 1_200;
	const list = longList(count, 50, order);
	const watcher = new Watcher(list, TEN);

	it('is read whole once', async () => {
		expect(await watcher.changes()).toEqual([]);
		// Two more ask for a page 0.
		expect(list.requests).toBe(count / 10 + 2);
	});

	it('costs 40 requests a poll at most, which show open and new bookings at the end with the new ones', async () => {
		for (let poll = 0; poll < 20; poll++) {
			const open = count - 49 + poll * 2;
			list.set(open, 3, place, TODAY);
			list.set(count + poll + 1, 0, place, TODAY);
			const { requests } = list;
			const events = await watcher.changes();
			expect(events).toHaveLength(2);
			expect(events).toContain(`${open}: 6 > 3`);
			expect(list.requests - requests).toBeLessThanOrEqual(40);
		}
	});

	it.each([Infinity, 6])('shows many new bookings, with %d requests a poll', async (requests) => {
		for (let fresh = 0; fresh < 100; fresh++) list.set(list.order.length + 22_000, 0, place, TODAY);
		// What both ends leave comes with the round.
		const events = await watcher.changesOf(requests === 6 ? 130 : 1, requests);
		expect(new Set(events).size).toBe(100);
		expect(events).toHaveLength(100);
	});
});

it.each(['nothing', 'count'])(
	'shows what is new at the end of a list that says %s',
	async (says) => {
		const list = longList(600, 0, 'oldest', { says });
		const watcher = await published(list, TEN, 3);
		// Also if it has become shorter.
		list.order = list.order.slice(0, -35);
		for (let fresh = 701; fresh < 725; fresh++) {
			list.set(fresh, 3, 'end', TODAY);
			expect(await watcher.changes()).toEqual([`${fresh}: null > 3`]);
		}
	},
);

it('is not read whole again after it was shown empty', async () => {
	const list = longList(600, 100);
	const watcher = await published(list, TEN, 6);
	list.fault = () => ({ records: [], count: 0, hasNext: false });
	await watcher.changesOf(10);
	list.fault = () => undefined;
	for (const id of [510, 590]) list.set(id, 7);
	const { requests } = list;
	expect((await watcher.changesOf(8)).sort()).toEqual(['510: 6 > 7', '590: 6 > 7']);
	expect(list.requests - requests).toBeLessThanOrEqual(8 * 40);
});

it('goes on in smaller pages once a service gives no larger ones', async () => {
	const style = { cap: 100, capLeavesGaps: true };
	const list = longList(150, 0, 'oldest', style);
	const watcher = await published(list);
	style.cap = 25;
	const events: string[] = [];
	for (let fresh = 151; fresh <= 200; fresh++) {
		list.set(fresh, 3, 'end', TODAY);
		events.push(...(await watcher.changes()));
	}
	events.push(...(await watcher.changesOf(3)));
	expect(new Set(events).size).toBe(50);
	expect(events).toHaveLength(50);
});
