import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

it("counts a booking that was completed before the first scan as completed once, by the owner's mark too", async () => {
	const list = new BookingList();
	list.fill([4, 3, 2, 1], (key) => (key === 1 ? 3 : key === 2 ? 20 : 6));
	const watch = { event: 'bookingCompleted', treatToCompletedAsCompleted: true } as const;
	const watcher = new Watcher(list, settings({ watch }));
	const emitted: string[] = [];
	for (const status of [undefined, 7, 3, 7, 20]) {
		if (status !== undefined) for (const key of [1, 2, 3]) list.set(key, status);
		emitted.push(...brief(await watcher.poll()));
	}
	expect(emitted).toEqual(['3: 7 > 3']);
});
