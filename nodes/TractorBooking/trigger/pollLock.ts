/** Max time between n8n loading the static data for a poll and the start of that poll, in milliseconds. */
const MAX_STATE_AGE_MS = 10_000;

/** A poll that is not over after so many milliseconds never will be: n8n grants five minutes at most. */
const MAX_LOCK_MS = 5 * 60_000;

/** What this process knows about the polls of one trigger. */
interface PollState {
	/** The poll that is running, and the instant of its start, in milliseconds. */
	running?: object;
	runningSinceMs: number;
	/** Whether any poll has succeeded. */
	succeeded: boolean;
	/** Checksum of the state that the last poll replaced, and the instant of that, in milliseconds. */
	replaced?: unknown;
	replacedAtMs: number;
}

/** The lock of one poll; must be released whether or not the poll succeeds. */
export interface PollLock {
	/** Whether no poll of the trigger has succeeded since n8n started. */
	isFirstSinceStart: boolean;
	/** Whether the lock was not given to another poll since, because this one took too long. */
	isHeld(): boolean;
	/** Records that the poll succeeded, and whether it replaced the state. */
	succeed(replacedMemory: boolean, nowMs: number): void;
	release(): void;
}

/**
 * Allows one poll of a trigger at a time. n8n may start several at once: if one takes longer than the interval, and
 * overdue ones after a restart. With durable cursors, each gets its own copy of the state, which may be outdated, and
 * n8n keeps the results of all.
 *
 * The locks also know whether a poll is the first since n8n started. n8n's activation mode does not: with durable
 * cursors, or if the first activation failed, it reports the first poll of a process as a later one.
 */
export class PollLocks {
	private readonly triggers = new Map<string, PollState>();

	/**
	 * @param checksum checksum of the state with which the poll starts; undefined if there is none
	 * @param nowMs instant of the start
	 * @returns undefined if another poll is running, or has already replaced this state
	 */
	tryAcquire(trigger: string, checksum: unknown, nowMs: number): PollLock | undefined {
		const state: PollState = this.triggers.get(trigger) ?? {
			runningSinceMs: 0,
			succeeded: false,
			replacedAtMs: 0,
		};
		this.triggers.set(trigger, state);
		const isReplaced = checksum !== undefined && checksum === state.replaced;
		// After that time, n8n must have lost the state that replaced this one.
		const isOutdated = isReplaced && nowMs < state.replacedAtMs + MAX_STATE_AGE_MS;
		const isRunning = state.running !== undefined && nowMs < state.runningSinceMs + MAX_LOCK_MS;
		if (isRunning || isOutdated) return undefined;
		const token = {};
		state.running = token;
		state.runningSinceMs = nowMs;
		return {
			isFirstSinceStart: !state.succeeded,
			isHeld: () => state.running === token,
			succeed(replacedMemory, atMs) {
				state.succeeded = true;
				if (!replacedMemory) return;
				state.replaced = checksum;
				state.replacedAtMs = atMs;
			},
			release() {
				if (state.running === token) state.running = undefined;
			},
		};
	}
}
