type Abort = typeof import('../../nodes/TractorBooking/api/abort');

const abort = jest.requireActual<Abort>('../../nodes/TractorBooking/api/abort');

/** How many times as fast the node's pauses are over. */
const SPEED = 100;

/** An hour, by which every request is over. */
const NEVER_MS = 3_600_000;

/** Between two rows, of which the next one is sent at once when the one before it is answered. */
const INTERVAL_MS = 1_200;

/**
 * `api/abort.ts` with pauses that take a hundredth of their time, for suites in which the node waits before it asks
 * again; rows go one after the other, however slow the machine is. Timeouts and rate limits keep their time. A suite
 * takes it by
 * `jest.mock('<path>/api/abort', () => jest.requireActual('<path>/support/shortPauses'))`.
 */
module.exports = {
	...abort,
	pause: async (ms, signal) =>
		await abort.pause(ms === INTERVAL_MS ? NEVER_MS : ms / SPEED, signal),
} satisfies Abort;
