import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

/** A booking that was absent from so many complete sweeps, and what is emitted when it reappears. */
async function backAfter(sweeps: number): Promise<string[]> {
	const list = new BookingList();
	list.fill([2, 1], () => 6);
	const watcher = new Watcher(list, settings());
	await watcher.poll();
	list.delete(2);
	for (let sweep = 0; sweep < sweeps; sweep++) await watcher.poll();
	list.set(2, 6);
	return brief(await watcher.poll());
}

it('forgets a booking that was absent from 100 complete sweeps in a row, not earlier', async () => {
	expect(await backAfter(99)).toEqual([]);
	expect(await backAfter(100)).toEqual(['2: null > 6']);
});

it('forgets nothing because the list was empty for a while', async () => {
	const list = new BookingList();
	list.fill([2, 1], () => 6);
	const watcher = new Watcher(list, settings());
	await watcher.poll();
	for (const key of [1, 2]) list.delete(key);
	for (let sweep = 0; sweep < 101; sweep++) await watcher.poll();
	for (const key of [1, 2]) list.set(key, 6);
	expect(await watcher.poll()).toEqual([]);
});
