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
		credentials: { tractorBookingApiKeyApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
		memory,
	});
}

it('tells a change once when n8n starts several polls at the same moment, as it may after a restart', async () => {
	const { bookings } = sandbox.store;
	const id = bookings.addMany(3, { status: 6 });
	const first = onCopyOf();
	await first.poll();
	bookings.advance(id, 3);

	const polls = [1, 2, 3].map(() => onCopyOf(first.memory()));
	const requests = sandbox.requests.count('bookings');
	const told = await Promise.all(polls.map(async (poll) => await poll.poll()));
	expect(told.filter((items) => items !== null)).toHaveLength(1);
	expect(sandbox.requests.count('bookings')).toBe(requests + 1);
});

it('polls again after a poll that failed', async () => {
	const poll = onCopyOf();
	sandbox.faults.add({ times: 1, fault: { kind: 'status', status: 403 } });
	await expect(poll.poll()).rejects.toThrow();
	const requests = sandbox.requests.count('bookings');
	await poll.poll();
	expect(sandbox.requests.count('bookings')).toBeGreaterThan(requests);
});
