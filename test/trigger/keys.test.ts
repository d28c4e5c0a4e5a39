import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

function listOf(ids: number[], status: number): BookingList {
	const list = new BookingList();
	list.fill(ids, () => status);
	return list;
}

/** A trigger whose key is exchanged: what it then reads is another list. */
function withKeys(first: BookingList, second: BookingList) {
	let current = first;
	const watcher = new Watcher(
		{
			readPage: async (page, size) => await current.readPage(page, size),
			readBooking: async (key) => await current.readBooking(key),
		},
		settings({ key: 'first' }),
	);
	const use = (key: 'first' | 'second') => {
		current = key === 'first' ? first : second;
		watcher.settings = settings({ key });
	};
	return { watcher, use };
}

it('emits nothing of what another organisation has, and what changes there from then on', async () => {
	const second = listOf([24, 23, 22, 21], 3);
	const { watcher, use } = withKeys(listOf([5, 4, 3, 2, 1], 6), second);
	await watcher.poll();
	use('second');
	second.set(25, 3);
	const { events, warnings, memory } = await watcher.pollOnce();
	expect(events).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('belongs to another organisation')]);
	watcher.memory = memory;
	second.set(21, 7);
	second.set(26, 3);
	expect(brief(await watcher.poll())).toEqual(['26: null > 3', '21: 3 > 7']);
	use('first');
	expect(await watcher.poll()).toEqual([]);
});

it.each([
	new ServiceError('notAllowed', 'Not allowed', { status: 401 }),
	new ServiceError('server', 'Failed', { status: 500 }),
])('decides nothing as long as the bookings cannot be asked for ($kind)', async (failure) => {
	const list = listOf([5, 4, 3, 2, 1], 6);
	const { watcher, use } = withKeys(list, list);
	await watcher.poll();
	list.set(1, 3);
	use('second');
	let fails = true;
	list.beforeRequest = () => {
		if (fails) throw failure;
	};
	for (let polls = 0; polls < 3; polls++) await expect(watcher.poll()).rejects.toBe(failure);
	fails = false;
	expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
});

it('treats a booking that was made before another event was chosen as a new one', async () => {
	const list = listOf([5, 4, 3, 2, 1], 6);
	const watch = { event: 'bookingCompleted', treatToCompletedAsCompleted: false } as const;
	const watcher = new Watcher(list, settings({ watch }));
	await watcher.poll();
	list.set(6, 3);
	list.set(1, 3);
	watcher.nowMs += 3 * 86_400_000;
	watcher.settings = settings();
	expect(brief(await watcher.poll())).toEqual(['6: null > 3', '1: 6 > 3']);
});
