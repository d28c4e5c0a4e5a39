import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { TractorBookingTrigger } from '../../nodes/TractorBooking/TractorBookingTrigger.node';
import { KEYS, startSandbox } from '../../sandbox';
import { trigger } from '../support/engine';
import { BookingList, listOf } from './bookingList';
import type { Chosen, Watched } from './polling';
import { brief, settings, Watcher } from './polling';

const MINUTE_MS = 60_000;

function idsOf(events: IDataObject[]): unknown[] {
	return events.map(({ eventId }) => eventId);
}

/** A trigger that has emitted the completion of booking 1. */
async function emitted(changes: Chosen = {}, list = listOf(6)) {
	const watcher = new Watcher(list, settings(changes));
	await watcher.poll();
	list.set(1, 3);
	const ids = idsOf(await watcher.poll());
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
			ids.push(...idsOf(await watcher.poll()));
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
		ids.push(...idsOf(await watcher.poll()));
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

	const once: Array<[string, Watched, number[]]> = [
		['a new booking', { event: 'newBooking' }, [0, 6]],
		["the owner's mark", { event: 'bookingCompleted', treatToCompletedAsCompleted: true }, [20, 3]],
	];
	it.each(once)('if it is %s, whatever the booking did since', async (_name, watch, statuses) => {
		const list = new BookingList();
		const watcher = new Watcher(list, settings({ watch }));
		await watcher.poll();
		const ids: unknown[] = [];
		for (const status of statuses) {
			list.set(1, status);
			ids.push(...idsOf(await watcher.poll()));
		}
		expect(ids).toHaveLength(1);
		watcher.restart();
		expect(idsOf(await watcher.poll())).toEqual(ids);
	});

	it('by a later poll, if the first one does not get to the booking, for a day', async () => {
		for (const [minutes, isRepeated] of [
			[20, true],
			[25 * 60, false],
		] as const) {
			const { watcher, ids } = await emitted({ pageSize: 2 });
			watcher.restart();
			expect(await watcher.poll(1)).toEqual([]);
			watcher.nowMs += minutes * MINUTE_MS;
			expect(idsOf(await watcher.poll())).toEqual(isRepeated ? ids : []);
		}
	});
});

const ANY = { event: 'bookingStatusChanged', from: new Set([7]), to: new Set([]) } as const;

it.each<[string, Chosen, Chosen]>([
	['the option is off', {}, { repeatsAfterRestart: false }],
	['the booking is not chosen any more', { chosen: [1, 2] }, { chosen: [2] }],
	['other filters would not have emitted it', {}, { watch: ANY }],
])('nothing is emitted again if %s', async (_name, before, after) => {
	const { watcher } = await emitted(before);
	watcher.restart();
	watcher.settings = settings({ ...before, ...after });
	expect(await watcher.poll()).toEqual([]);
});

describe('in n8n', () => {
	type TriggerModule = { TractorBookingTrigger: typeof TractorBookingTrigger };

	/** One life of an n8n process: the node's module is loaded again. */
	function newProcess(): TractorBookingTrigger {
		let loaded: TriggerModule | undefined;
		jest.isolateModules(() => {
			// A module that is loaded again cannot be imported.
			// eslint-disable-next-line @typescript-eslint/no-require-imports
			loaded = require('../../nodes/TractorBooking/TractorBookingTrigger.node') as TriggerModule;
		});
		if (!loaded) throw new Error('The trigger is not there');
		return new loaded.TractorBookingTrigger();
	}

	it('a process is new until a poll has succeeded, and not when the workflow is published again', async () => {
		const sandbox = await startSandbox({ bookings: 0, otherBookings: 0 });
		const id = sandbox.store.bookings.addMany(3, { status: 6 });
		const start = (type: TractorBookingTrigger, memory?: IDataObject) =>
			trigger({
				type,
				parameters: { events: ['bookingCompleted'], options: { repeatAfterRestart: true } },
				credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
				memory,
			});
		const ids = (items: INodeExecutionData[] | null) =>
			idsOf((items ?? []).map(({ json }) => json));
		const process = newProcess();
		const first = start(process);
		await first.poll();
		sandbox.store.bookings.update(id, { bookingStatus: 3 });
		const events = ids(await first.poll());
		expect(events).toHaveLength(1);
		expect(await start(process, first.memory()).poll()).toBeNull();

		const second = start(newProcess(), first.memory());
		const fault = sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
		await expect(second.poll()).rejects.toThrow();
		fault.remove();
		expect(ids(await second.poll())).toEqual(events);
		expect(await second.poll()).toBeNull();
		await sandbox.close();
	});
});
