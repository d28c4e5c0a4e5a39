import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

it('gives no id again after the account was changed to another one and back', async () => {
	const list = new BookingList();
	list.fill([1], () => 6);
	const watcher = new Watcher(list, settings());
	const ids: unknown[] = [];
	for (const account of ['one', 'other', 'one']) {
		watcher.settings = settings({ account });
		list.set(1, 6);
		expect(await watcher.poll()).toEqual([]);
		list.set(1, 3);
		const emitted = await watcher.poll();
		expect(brief(emitted)).toEqual(['1: 6 > 3']);
		ids.push(...emitted.map(({ eventId }) => eventId));
	}
	expect(new Set(ids).size).toBe(3);
});
