/** How long before a poll n8n may have taken the memory for it out of its database, in milliseconds. */
const MAX_STATE_AGE_MS = 10_000;

/** What this process knows of its polls of one trigger. */
interface PollState {
	isRunning: boolean;
	/** Whether a poll succeeded. */
	succeeded: boolean;
	/** Whether the last poll did not. */
	hasFailed: boolean;
	/** Checksum of the memory that the last poll replaced, and the instant (milliseconds) when it did so. */
	replaced?: unknown;
	replacedAtMs: number;
}

/** The turn of one poll; to be ended whatever comes of it. */
export interface PollLock {
	/** Whether no poll of the trigger has succeeded since n8n was started. */
	isFirstSinceStart: boolean;
	/** Whether the poll before failed. */
	isAfterFailure: boolean;
	/** Notes that the poll succeeded, and whether it replaced the memory. Instants are in milliseconds. */
	succeed(replacedMemory: boolean, nowMs: number): void;
	release(): void;
}

/**
 * Lets one poll of a trigger at a time have its turn. n8n may start several at once: where one takes longer
 * than the interval, and those that are overdue after a restart. With durable cursors each gets a copy of the
 * memory, which may be older than its start, and the results of all are kept.
 *
 * How n8n calls an activation does not tell whether n8n was started anew: with durable cursors, or where the
 * first activation failed, it takes the first poll of the process for a later one.
 */
export class PollLocks {
	private readonly triggers = new Map<string, PollState>();

	/**
	 * @param checksum of the memory with which the poll starts; undefined where there is none
	 * @param nowMs instant of the start
	 * @returns undefined for a poll that would only see what another one has seen
	 */
	tryAcquire(trigger: string, checksum: unknown, nowMs: number): PollLock | undefined {
		const state = this.triggers.get(trigger) ?? {
			isRunning: false,
			succeeded: false,
			hasFailed: false,
			replacedAtMs: 0,
		};
		this.triggers.set(trigger, state);
		const isReplaced = checksum !== undefined && checksum === state.replaced;
		// Later it is the memory because n8n did not keep the poll that replaced it.
		const isOutdated = isReplaced && nowMs < state.replacedAtMs + MAX_STATE_AGE_MS;
		if (state.isRunning || isOutdated) return undefined;
		const isAfterFailure = state.hasFailed;
		state.isRunning = true;
		state.hasFailed = true;
		return {
			isFirstSinceStart: !state.succeeded,
			isAfterFailure,
			succeed(replacedMemory, atMs) {
				state.succeeded = true;
				state.hasFailed = false;
				if (!replacedMemory) return;
				state.replaced = checksum;
				state.replacedAtMs = atMs;
			},
			release() {
				state.isRunning = false;
			},
		};
	}
}
