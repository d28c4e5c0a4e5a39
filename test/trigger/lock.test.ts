import type { IDataObject } from 'n8n-workflow';

import { before } from '../../nodes/TractorBooking/trigger/poll';
import type { Sandbox } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import { trigger } from '../support/engine';
import { listOf } from './bookingList';
import { brief, settings, Watcher } from './polling';

describe('with durable cursors, n8n starts each poll on a copy of the state', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ bookings: 0, otherBookings: 0, latencyMs: 20 });
	});
	afterAll(async () => await sandbox.close());

	function onCopyOf(memory?: IDataObject) {
		return trigger({
			parameters: { events: ['bookingCompleted'] },
			credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
			memory,
		});
	}

	it('of several polls at the same moment, as after a restart, one emits', async () => {
		const id = sandbox.store.bookings.addMany(3, { status: 6 });
		const first = onCopyOf();
		await first.poll();
		sandbox.store.bookings.advance(id, 3);
		const polls = [1, 2, 3].map(() => onCopyOf(first.memory()));
		const requests = sandbox.requests.count('bookings');
		const emitted = await Promise.all(polls.map(async (poll) => await poll.poll()));
		expect(emitted.filter((items) => items !== null)).toHaveLength(1);
		expect(sandbox.requests.count('bookings')).toBe(requests + 2);

		// The state was taken before the other poll ended. Some time later, n8n must have lost what that one stored.
		expect(await onCopyOf(first.memory()).poll()).toBeNull();
		const now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now + 15_000);
		expect(await onCopyOf(first.memory()).poll()).toHaveLength(1);
		jest.restoreAllMocks();
	});

	it('a poll that failed gives its lock back', async () => {
		const poll = onCopyOf();
		const fault = sandbox.faults.add({ fault: { kind: 'status', status: 403 } });
		await expect(poll.poll()).rejects.toThrow();
		fault.remove();
		const requests = sandbox.requests.count('bookings');
		await poll.poll();
		expect(sandbox.requests.count('bookings')).toBeGreaterThan(requests);
	});
});

it('gives up a request at the deadline of the poll, and emits what it has', async () => {
	const list = listOf(4);
	const watcher = new Watcher(list, settings({ pageSize: 2 }));
	await watcher.poll();
	for (const key of [1, 4]) list.set(key, 3);
	let requests = 0;
	list.beforeRequest = async () => {
		requests += 1;
		const never = async () => await new Promise<void>(() => undefined);
		if (requests === 3) await before(Date.now() + 100, never);
	};
	expect(brief(await watcher.poll())).toEqual(['4: 6 > 3']);
	expect(await watcher.changesOf(2)).toEqual(['1: 6 > 3']);
});
