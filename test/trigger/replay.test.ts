import type { IDataObject } from 'n8n-workflow';

import { BookingList } from './bookingList';
import type { Watched } from './polling';
import { brief, settings, Watcher } from './polling';

const MINUTE_MS = 60_000;

function idsOf(events: IDataObject[]): unknown[] {
	return events.map(({ eventId }) => eventId);
}

describe('after a restart of n8n', () => {
	const list = new BookingList();
	list.fill([5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings());
	const emitted: IDataObject[] = [];

	beforeAll(async () => {
		await watcher.poll();
		// Three polls, five minutes apart, emit something; others between them do not.
		for (const key of [1, 2, 3]) {
			list.set(key, 3);
			emitted.push(...(await watcher.poll()));
			watcher.nowMs += 5 * MINUTE_MS;
			expect(await watcher.poll()).toEqual([]);
		}
	});

	it('what was emitted within a quarter of an hour is emitted again, with the same ids', async () => {
		expect(brief(emitted)).toEqual(['1: 6 > 3', '2: 6 > 3', '3: 6 > 3']);
		const { events } = await watcher.pollOnce(Infinity, true);
		expect(idsOf(events).sort()).toEqual(idsOf(emitted).sort());
	});

	it('what was emitted before is not', async () => {
		watcher.nowMs += 6 * MINUTE_MS;
		const { events } = await watcher.pollOnce(Infinity, true);
		expect(brief(events)).toEqual(['3: 6 > 3']);
	});

	it('of a booking with several events, the last one is emitted again', async () => {
		list.set(3, 7);
		await watcher.poll();
		list.set(3, 4);
		const last = await watcher.poll();
		expect(brief(last)).toEqual(['3: 7 > 4']);
		const { events } = await watcher.pollOnce(Infinity, true);
		expect(idsOf(events)).toEqual(idsOf(last));
		expect(brief(events)).toEqual(['3: 7 > 4']);
	});

	it('an event that is no longer true is not emitted again, and its id is not given to another one', async () => {
		list.set(3, 20);
		const first = await watcher.poll();
		list.set(3, 6);
		const { events, memory } = await watcher.pollOnce(Infinity, true);
		expect(brief(events)).toEqual(['3: 20 > 6']);
		watcher.memory = memory;
		list.set(3, 20);
		const second = await watcher.poll();
		expect(brief(second)).toEqual(['3: 6 > 20']);
		expect(idsOf(second)).not.toEqual(idsOf(first));
	});
});

describe('after a restart, each of these is emitted again, whatever the booking did since', () => {
	const watches: Array<[string, Watched, number[]]> = [
		['a new booking', { event: 'newBooking' }, [0, 6]],
		["the owner's mark", { event: 'bookingCompleted', treatToCompletedAsCompleted: true }, [20, 3]],
	];

	it.each(watches)('%s', async (_name, watch, statuses) => {
		const list = new BookingList();
		const watcher = new Watcher(list, settings({ watch }));
		await watcher.poll();
		const emitted: IDataObject[] = [];
		for (const status of statuses) {
			list.set(1, status);
			emitted.push(...(await watcher.poll()));
		}
		expect(emitted).toHaveLength(1);
		expect(idsOf((await watcher.pollOnce(Infinity, true)).events)).toEqual(idsOf(emitted));
	});
});

it('emits the event of a chosen booking again that is final and would not be read any more', async () => {
	const list = new BookingList();
	list.fill([1], () => 6);
	const watcher = new Watcher(list, settings({ chosen: [1], skipFinished: true }));
	await watcher.poll();
	list.set(1, 3);
	const emitted = await watcher.poll();
	watcher.nowMs += MINUTE_MS;
	const again = await watcher.pollOnce(Infinity, true);
	expect(idsOf(again.events)).toEqual(idsOf(emitted));
	watcher.memory = again.memory;
	const { requests } = list;
	expect(await watcher.poll()).toEqual([]);
	expect(list.requests - requests).toBe(0);
});

it('emits it later if the first poll after the restart did not get to the booking', async () => {
	const list = new BookingList();
	list.fill([6, 5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings({ pageSize: 2 }));
	await watcher.poll();
	list.set(1, 3);
	const emitted = await watcher.poll();
	const first = await watcher.pollOnce(1, true);
	expect(first.events).toEqual([]);
	watcher.memory = first.memory;
	expect(idsOf(await watcher.poll())).toEqual(idsOf(emitted));
	expect(await watcher.poll()).toEqual([]);
});

/** A list, and the state of a trigger that met n8n's restart while it could not read the booking with the last event. */
async function due() {
	const list = new BookingList();
	list.fill([6, 5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings({ pageSize: 2 }));
	await watcher.poll();
	list.set(1, 3);
	await watcher.poll();
	watcher.memory = (await watcher.pollOnce(1, true)).memory;
	return watcher;
}

it('emits nothing again more than a day later', async () => {
	const watcher = await due();
	watcher.nowMs += 25 * 60 * MINUTE_MS;
	expect(await watcher.poll()).toEqual([]);
});

it('emits nothing again once the option was turned off', async () => {
	const watcher = await due();
	watcher.settings = settings({ pageSize: 2, repeatsAfterRestart: false });
	expect(await watcher.poll()).toEqual([]);
	watcher.settings = settings({ pageSize: 2 });
	expect(await watcher.poll()).toEqual([]);
});

it('emits nothing of a booking that is not chosen any more', async () => {
	const list = new BookingList();
	list.fill([1, 2], () => 6);
	const watcher = new Watcher(list, settings({ chosen: [1, 2] }));
	await watcher.poll();
	list.set(1, 3);
	await watcher.poll();
	watcher.settings = settings({ chosen: [2] });
	expect((await watcher.pollOnce(Infinity, true)).events).toEqual([]);
	list.set(1, 7);
	expect((await watcher.pollOnce(Infinity, true)).events).toEqual([]);
});

it('emits nothing again that other filters would not have emitted', async () => {
	const watcher = await due();
	const watch = { event: 'bookingStatusChanged', from: new Set([7]), to: new Set([]) } as const;
	watcher.settings = settings({ pageSize: 2, watch });
	expect(await watcher.poll()).toEqual([]);
});
