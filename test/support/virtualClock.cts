/** The turn of Node in which all that can go on has gone on; taken before the clock is set up. */
const { setImmediate: nextTurn } = globalThis;

/** When suites begin, in milliseconds since 1970: always the same, so that what comes of them does not depend on it. */
export const BEGINNING = Date.parse('2026-03-02T09:00:00Z');

export const wait = async (ms: number) => await new Promise<void>((done) => setTimeout(done, ms));

/**
 * A clock that does not run on real time: `Date`, `performance.now` and all timers of the process go by it, and it goes on
 * to the next timer whenever all that runs waits for one. So it does not matter how fast the machine is, and an hour takes
 * no time. For suites whose requests stay in this process (`worker.ts`): what waits for a socket would look idle.
 */
export class VirtualClock {
	static isRunning = false;
	private isOn = true;

	private constructor() {
		const turn = () => {
			if (!this.isOn) return;
			if (jest.getTimerCount() > 0) jest.advanceTimersToNextTimer();
			nextTurn(turn);
		};
		nextTurn(turn);
	}

	static start(): VirtualClock {
		jest.useFakeTimers({ now: BEGINNING, doNotFake: ['nextTick', 'queueMicrotask'] });
		VirtualClock.isRunning = true;
		return new VirtualClock();
	}

	/** Begins again, without all that waits for a time: what was left behind does nothing more. */
	reset(): void {
		jest.clearAllTimers();
		jest.setSystemTime(BEGINNING);
	}

	stop(): void {
		this.isOn = false;
		VirtualClock.isRunning = false;
		jest.useRealTimers();
	}
}

/** Simulates the date alone: sockets and timers are real. */
export function simulateDate(now = new Date()): void {
	const sockets = ['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const;
	const timers = ['setTimeout', 'setInterval', 'setImmediate'] as const;
	const ends = ['clearTimeout', 'clearInterval', 'clearImmediate'] as const;
	jest.useFakeTimers({ now, doNotFake: [...sockets, ...timers, ...ends] });
}

export function virtualClockForTests(): Pick<VirtualClock, 'reset'> {
	let clock: VirtualClock;
	beforeAll(() => (clock = VirtualClock.start()));
	afterAll(() => clock.stop());
	return { reset: () => clock.reset() };
}
