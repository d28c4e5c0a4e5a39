import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { listOf } from './bookingList.cts';
import { ANY_CHANGE, idsOf, published, Watcher } from './polling.cts';

it('tells what completed although n8n was restarted before any event, if publishing has read it all', async () => {
	const list = listOf(3_000, (id) => (id % 150 === 0 ? 6 : 3), { cap: 25 });
	const watcher = new Watcher(list);
	watcher.pollMs = 120_000;
	list.beforeRequest = () => void (watcher.nowMs += 600);
	await watcher.poll();
	// n8n saves the state after publishing, and not after polls without events.
	const kept = { ...watcher.kept };
	expect(await watcher.changesOf(2)).toEqual([]);
	const open = list.order.filter((id) => list.get(id) === 6);
	for (const id of open) list.set(id, 3);
	watcher.kept = kept;
	watcher.restart();
	expect((await watcher.changesOf(4)).sort()).toEqual(open.map((id) => `${id}: 6 > 3`).sort());
});

it.each([5, 50])(
	'comes at the next poll from the middle of a long list, too, if every %ith booking is open',
	async (every) => {
		const list = listOf(4_000, (id) => (id % every === 0 ? 6 : 3));
		const watcher = await published(list, { pageSize: 10 }, 2);
		for (const id of [1_400, 1_500, 2_600]) list.set(id, 3);
		const events = await watcher.changesOf(14);
		expect(events).toHaveLength(3);
		// It is not there any more: the others must not wait for it.
		list.delete(1_500);
		watcher.nowMs += 180_000;
		watcher.restart();
		expect((await watcher.changes()).sort()).toEqual(['1400: 6 > 3', '2600: 6 > 3']);
		expect(await watcher.changesOf(12)).toEqual([]);
	},
);

it("emits nothing of another organisation's bookings after its key is entered, and what changes from then on", async () => {
	const list = listOf(5, 3);
	const watcher = await published(list);
	const use = (key: string, ids: number[]) => {
		list.fill(ids, () => 3);
		watcher.republish({ key });
		watcher.nowMs += 30_000;
	};
	use('second', [24, 23, 22, 21]);
	list.set(25, 3);
	expect(await watcher.poll()).toEqual([]);
	expect(watcher.warnings).toEqual([expect.stringContaining('another organisation')]);
	watcher.nowMs += 30_000;
	list.set(21, 7);
	list.set(26, 3);
	expect(await watcher.changes()).toEqual(['26: null > 3', '21: 3 > 7']);
	use('key', [5, 4, 3, 2, 1]);
	expect(await watcher.poll()).toEqual([]);
});

it.each(['a rate limit', 'slow pages'])(
	'knows a new key of its organisation if it reads new bookings only because of %s',
	async (cause) => {
		const list = listOf(25, 6, { cap: 10 });
		const watch = { event: 'bookingCompleted' } as const;
		const watcher = await published(list, { pageSize: 10, watch });
		watcher.nowMs += 3 * 86_400_000;
		for (const id of [3, 12]) list.set(id, 3);
		const made = new Date(watcher.nowMs).toISOString();
		for (let id = 26; id <= 65; id++) list.set(id, 6, 'front', made, made);
		watcher.republish({ key: 'its new key' });
		const asked = list.requests;
		list.beforeRequest = () => {
			if (cause === 'slow pages') watcher.nowMs += 50_000;
			else if (list.requests > asked + 2)
				throw new ServiceError('rateLimited', 'Too many requests');
		};
		watcher.pollMs = 120_000;
		expect(await watcher.poll()).toEqual([]);
		expect(watcher.warnings).not.toContainEqual(expect.stringContaining('organisation'));
		list.beforeRequest = () => undefined;
		expect((await watcher.changesOf(3)).sort()).toEqual(['12: 6 > 3', '3: 6 > 3']);
	},
);

it('a poll fails, and forgets nothing, if it cannot tell whose new key this is', async () => {
	const list = listOf(5, 6);
	const watcher = await published(list);
	list.set(3, 3);
	watcher.republish({ key: 'its new key' });
	list.failure = () => new ServiceError('server', 'It fails');
	list.fault = () => ({ records: [], hasNext: false });
	await expect(watcher.poll()).rejects.toThrow('It fails');
	list.fault = () => undefined;
	expect(await watcher.changes()).toEqual(['3: 6 > 3']);
});

it('gives the events of a booking the same IDs after another account, but for changes, which are others', async () => {
	const list = listOf(2, 6);
	const watch = [{ event: 'bookingCompleted' } as const, ANY_CHANGE];
	const completed = async (watcher: Watcher) => {
		list.set(1, 3);
		return idsOf(await watcher.poll())
			.map(String)
			.sort();
	};
	const other = await published(list, { watch });
	const watcher = await published(list, { watch });
	for (const account of ['staging', 'account']) {
		watcher.republish({ account });
		expect(await watcher.poll()).toEqual([]);
	}
	const [once, change] = await completed(other);
	const [sameOnce, otherChange] = await completed(watcher);
	expect(sameOnce).toBe(once);
	expect(otherChange).not.toBe(change);
});

it('emits an event again however rarely it polls, if n8n was restarted within a day', async () => {
	const list = listOf(5, 6);
	const watcher = await published(list);
	list.set(2, 3);
	expect(await watcher.changes()).toEqual(['2: 6 > 3']);
	watcher.restart();
	watcher.nowMs += 60_000;
	expect(await watcher.changes()).toEqual([]);
	watcher.nowMs += 72 * 3_600_000;
	expect(await watcher.changes()).toEqual(['2: 6 > 3']);
	watcher.restart();
	watcher.nowMs += 25 * 3_600_000;
	expect(await watcher.changes()).toEqual([]);
});
