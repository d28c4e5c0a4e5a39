type Waits = typeof import('../../nodes/TractorBooking/api/waits');

/** How many times as fast the node's pauses are over. */
const SPEED = 100;

/** No answer takes longer in these suites, whatever the machine. */
const MAX_ANSWER_MS = 60_000;

/**
 * `api/waits.ts` with pauses that take a hundredth of their time, for suites in which the node waits before it asks
 * again. Timeouts keep their time, and rate limits, too, except in runs whose waits are counted (`waits.ts`). A suite
 * imports this before all else.
 */
jest.mock('../../nodes/TractorBooking/api/waits', () => {
	const actual = jest.requireActual<Waits>('../../nodes/TractorBooking/api/waits');
	const { waits } = jest.requireActual<typeof import('./waits.cts')>('./waits');
	const monotonicNow = () => actual.monotonicNow() + (waits.getStore()?.ms ?? 0);
	return {
		...actual,
		monotonicNow,
		// The next row goes out before a slow answer comes: whether one is slow must not depend on the machine.
		callAfter: (ms, callback) => actual.callAfter(Math.max(ms, MAX_ANSWER_MS), callback),
		pause: async (ms, signal) => {
			const until = monotonicNow() + ms;
			await actual.pause(ms / SPEED, signal);
			const run = waits.getStore();
			if (run && !signal?.aborted) run.ms += Math.max(until - monotonicNow(), 0);
		},
	} satisfies Waits;
});
