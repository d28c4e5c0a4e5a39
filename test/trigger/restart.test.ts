import { BookingList, listOf } from './bookingList';
import type { Chosen, Watched } from './polling';
import { published } from './polling';

const MINUTE_MS = 60_000;

/** A trigger that has emitted the completion of booking 1. */
async function emitted(chosen: Chosen = {}) {
	const list = listOf(6);
	const watcher = await published(list, chosen);
	list.set(1, 3);
	const ids = await watcher.eventIds();
	expect(ids).toHaveLength(1);
	return { list, watcher, ids };
}

describe('after a restart of n8n, what was emitted is emitted again with the same ID', () => {
	it('if it was emitted within a quarter of an hour', async () => {
		const { list, watcher } = await emitted();
		watcher.nowMs += 10 * MINUTE_MS;
		list.set(2, 3);
		const ids = await watcher.eventIds();
		watcher.nowMs += 6 * MINUTE_MS;
		watcher.restart();
		expect(await watcher.poll()).toMatchObject([{ eventId: ids[0], isRepeat: true }]);
		expect(await watcher.poll()).toEqual([]);
	});

	it.each<[string, Watched, number[]]>([
		['a new booking', { event: 'newBooking' }, [0, 6]],
		["the owner's mark", { event: 'bookingCompleted', treatToCompletedAsCompleted: true }, [20, 3]],
	])('if it is %s, whatever the booking did since', async (_name, watch, statuses) => {
		const list = new BookingList();
		const watcher = await published(list, { watch });
		const ids: unknown[] = [];
		for (const status of statuses) {
			list.set(1, status);
			ids.push(...(await watcher.eventIds()));
		}
		expect(ids).toHaveLength(1);
		watcher.restart();
		expect(await watcher.eventIds()).toEqual(ids);
	});

	it.each([20, 25 * 60])(
		'%d minutes later, within a day, if a poll then meets it',
		async (minutes) => {
			const { watcher, ids } = await emitted({ pageSize: 1 });
			watcher.restart();
			expect(await watcher.poll(1)).toEqual([]);
			watcher.nowMs += minutes * MINUTE_MS;
			expect(await watcher.eventIds()).toEqual(minutes < 24 * 60 ? ids : []);
		},
	);
});

const FROM_PAUSED: Watched = { event: 'bookingStatusChanged', from: [7] };

it.each<[string, Chosen, Chosen]>([
	['the option is off', {}, { repeatsAfterRestart: false }],
	['the booking is not chosen any more', { chosen: [1, 2] }, { chosen: [2] }],
	['other filters would not have emitted it', {}, { watch: FROM_PAUSED }],
])('nothing is emitted again if %s', async (_name, before, after) => {
	const { watcher } = await emitted(before);
	watcher.restart();
	watcher.republish(after);
	expect(await watcher.poll()).toEqual([]);
});
