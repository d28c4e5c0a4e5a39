import type { IDataObject } from 'n8n-workflow';

import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './looking';

const MINUTE_MS = 60_000;

function idsOf(events: IDataObject[]): unknown[] {
	return events.map(({ eventId }) => eventId);
}

describe('after a restart of n8n', () => {
	const list = new BookingList();
	list.fill([5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings());
	const told: IDataObject[] = [];

	beforeAll(async () => {
		await watcher.poll();
		// Three polls, five minutes apart, tell something; others between them do not.
		for (const key of [1, 2, 3]) {
			list.set(key, 3);
			told.push(...(await watcher.poll()));
			watcher.nowMs += 5 * MINUTE_MS;
			expect(await watcher.poll()).toEqual([]);
		}
	});

	it('what was told within a quarter of an hour is told again, with the same ids', async () => {
		expect(brief(told)).toEqual(['1: 6 > 3', '2: 6 > 3', '3: 6 > 3']);
		const { events } = await watcher.look(Infinity, true);
		expect(idsOf(events).sort()).toEqual(idsOf(told).sort());
	});

	it('what was told before is not', async () => {
		watcher.nowMs += 6 * MINUTE_MS;
		const { events } = await watcher.look(Infinity, true);
		expect(brief(events)).toEqual(['3: 6 > 3']);
	});

	it('a booking that was told of several times is taken back to before the first time', async () => {
		list.set(3, 7);
		await watcher.poll();
		list.set(3, 4);
		await watcher.poll();
		const { events } = await watcher.look(Infinity, true);
		expect(brief(events)).toEqual(['3: 6 > 4']);
	});
});
