import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import { trigger } from '../support/engine';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 0, otherBookings: 0, latencyMs: 20 });
});
afterAll(async () => await sandbox.close());

/** A poll as n8n starts it with durable cursors: on a copy of the memory. */
function onCopyOf(memory?: IDataObject) {
	return trigger({
		parameters: { event: 'bookingCompleted' },
		credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
		memory,
	});
}

it('emits a change once if n8n starts several polls at the same moment, as it may after a restart', async () => {
	const { bookings } = sandbox.store;
	const id = bookings.addMany(3, { status: 6 });
	const first = onCopyOf();
	await first.poll();
	bookings.advance(id, 3);

	const polls = [1, 2, 3].map(() => onCopyOf(first.memory()));
	const requests = sandbox.requests.count('bookings');
	const emitted = await Promise.all(polls.map(async (poll) => await poll.poll()));
	expect(emitted.filter((items) => items !== null)).toHaveLength(1);
	expect(sandbox.requests.count('bookings')).toBe(requests + 1);
});

describe('a poll with a memory that another one has just replaced', () => {
	let id: number;
	let memory: IDataObject;
	beforeAll(async () => {
		id = sandbox.store.bookings.addMany(1, { status: 6 });
		const first = onCopyOf();
		await first.poll();
		memory = first.memory();
		sandbox.store.bookings.advance(id, 3);
		expect(await onCopyOf(memory).poll()).toHaveLength(1);
	});

	it('is left out, since n8n took the memory before the other one was over', async () => {
		expect(await onCopyOf(memory).poll()).toBeNull();
	});

	it('goes on if that is still the stored state some time later, since n8n did not keep the other one', async () => {
		const now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now + 15_000);
		expect(await onCopyOf(memory).poll()).toHaveLength(1);
		jest.restoreAllMocks();
	});
});

it('polls again after a poll that failed', async () => {
	const poll = onCopyOf();
	const fault = sandbox.faults.add({ fault: { kind: 'status', status: 403 } });
	await expect(poll.poll()).rejects.toThrow();
	fault.remove();
	const requests = sandbox.requests.count('bookings');
	await poll.poll();
	expect(sandbox.requests.count('bookings')).toBeGreaterThan(requests);
});
