import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

it('forgets no booking that is absent for a while, however many sweeps miss it', async () => {
	const list = new BookingList();
	list.fill([3, 2, 1], (key) => (key === 3 ? 3 : 6));
	const watcher = new Watcher(list, settings());
	await watcher.poll();
	for (const key of [2, 3]) list.delete(key);
	for (let sweep = 0; sweep < 150; sweep++) expect(await watcher.poll()).toEqual([]);
	for (const [key, status] of [
		[3, 3],
		[2, 7],
	] as const)
		list.set(key, status);
	expect(brief(await watcher.poll())).toEqual(['2: 6 > 7']);
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

it('lets a booking that is gone cost no request for long', async () => {
	const list = new BookingList();
	const keys = Array.from({ length: 60 }, (_, at) => 60 - at);
	list.fill(keys, (key) => (key === 40 ? 6 : 3));
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	const cost = async () => {
		const before = list.requests;
		expect(await watcher.poll()).toEqual([]);
		return list.requests - before;
	};
	await cost();
	list.set(40, 3);
	await watcher.poll();
	await cost();
	const usual = await cost();
	list.set(40, 6);
	while ((await watcher.poll()).length === 0);
	list.delete(40);
	await cost();
	await cost();
	expect(await cost()).toBe(usual);
});
