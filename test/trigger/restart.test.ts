import { BookingList, listOf } from './bookingList';
import type { Chosen, Watched } from './polling';
import { brief, idsOf, published } from './polling';

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
	it('if it was emitted within a quarter of an hour, in several polls, too', async () => {
		const { list, watcher, ids } = await emitted();
		for (const key of [2, 3]) {
			watcher.nowMs += 5 * MINUTE_MS;
			expect(await watcher.poll()).toEqual([]);
			list.set(key, 3);
			ids.push(...(await watcher.eventIds()));
		}
		watcher.nowMs += 6 * MINUTE_MS;
		watcher.restart();
		const again = await watcher.poll();
		expect(idsOf(again).sort()).toEqual(ids.slice(1).sort());
		expect(again.every(({ isRepeat }) => isRepeat === true)).toBe(true);
		expect(await watcher.poll()).toEqual([]);
	});

	it('of a booking with several events, the last one; not what is no longer true', async () => {
		const { list, watcher, ids } = await emitted();
		list.set(1, 7);
		ids.push(...(await watcher.eventIds()));
		watcher.restart();
		const again = await watcher.poll();
		expect(brief(again)).toEqual(['1: 3 > 7']);
		expect(idsOf(again)).toEqual(ids.slice(1));
		list.set(1, 3);
		watcher.restart();
		const other = await watcher.poll();
		expect(brief(other)).toEqual(['1: 7 > 3']);
		expect(ids).not.toContain(idsOf(other)[0]);
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

	it.each([
		[20, true],
		[25 * 60, false],
	])(
		'%d minutes later, if the first poll does not get to the booking: %p',
		async (minutes, isRepeated) => {
			const { watcher, ids } = await emitted({ pageSize: 2 });
			watcher.restart();
			expect(await watcher.poll(1)).toEqual([]);
			watcher.nowMs += minutes * MINUTE_MS;
			expect(await watcher.eventIds()).toEqual(isRepeated ? ids : []);
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
