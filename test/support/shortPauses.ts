type Abort = typeof import('../../nodes/TractorBooking/api/abort');

const abort = jest.requireActual<Abort>('../../nodes/TractorBooking/api/abort');

/** How many times as fast the node's pauses are over. */
const SPEED = 100;

/**
 * `api/abort.ts` with pauses that take a hundredth of their time, for suites in which the node waits before it asks
 * again. Timeouts and rate limits keep their time. A suite takes it by
 * `jest.mock('<path>/api/abort', () => jest.requireActual('<path>/support/shortPauses'))`.
 */
module.exports = {
	...abort,
	pause: async (ms, signal) => await abort.pause(ms / SPEED, signal),
} satisfies Abort;
