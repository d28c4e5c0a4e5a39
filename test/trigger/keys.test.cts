import { BookingList, listOf } from './bookingList.cts';
import { Watcher } from './polling.cts';

/** A trigger whose key is exchanged: what it then reads is another list. */
function withKeys(lists: Record<string, BookingList>, chosen = {}) {
	let current = lists.first ?? new BookingList();
	const watcher = new Watcher(
		{
			readPage: async (page, size) => await current.readPage(page, size),
			readBooking: async (key) => await current.readBooking(key),
		},
		{ key: 'first', ...chosen },
	);
	const use = (key: string) => {
		current = lists[key] ?? current;
		watcher.republish({ key });
		watcher.nowMs += 30_000;
	};
	return { watcher, use };
}

it("emits nothing of another organisation's bookings, and what changes there from then on", async () => {
	const second = new BookingList();
	second.fill([24, 23, 22, 21], () => 3);
	const { watcher, use } = withKeys({ first: listOf(5), second });
	await watcher.poll();
	use('second');
	second.set(25, 3);
	expect(await watcher.poll()).toEqual([]);
	expect(watcher.warnings).toEqual([expect.stringContaining('another organisation')]);
	watcher.nowMs += 30_000;
	second.set(21, 7);
	second.set(26, 3);
	expect(await watcher.changes()).toEqual(['26: null > 3', '21: 3 > 7']);
	use('first');
	expect(await watcher.poll()).toEqual([]);
});
