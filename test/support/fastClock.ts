type Abort = typeof import('../../nodes/TractorBooking/api/abort');

const abort = jest.requireActual<Abort>('../../nodes/TractorBooking/api/abort');

/** How many times as fast the clock of a suite goes. */
const SPEED = 20;

const realNow = Date.now.bind(Date);
const begun = realNow();
let skippedMs = 0;

/** Milliseconds since 1970 on the fast clock. */
export const fastNow = () => begun + (realNow() - begun) * SPEED + skippedMs;

/** Lets so many milliseconds pass at once. */
export function skip(ms: number): void {
	skippedMs += ms;
}

/** Waits for so many milliseconds of the fast clock. */
export const wait = async (ms: number) => await abort.pause(ms / SPEED, undefined);

/**
 * `api/abort.ts` on a fast clock, for suites in which it matters what is before and after what: pauses, the list that is
 * late and the service that takes its time all go by it. A suite also mocks `Date.now` by {@link fastNow}.
 */
export const fastAbort = {
	...abort,
	now: () => fastNow(),
	untilAborted: async (signal, ms) => await abort.untilAborted(signal, ms / SPEED),
	pause: async (ms, signal) => await abort.pause(ms / SPEED, signal),
} satisfies Abort;
