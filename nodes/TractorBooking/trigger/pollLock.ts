/** How long before a poll n8n may have taken the memory for it out of its database, in milliseconds. */
const TAKEN_EARLIER_MS = 10_000;

/** What this process knows of its polls of one trigger. */
interface Polled {
	isUnderWay: boolean;
	/** Whether a poll succeeded. */
	succeeded: boolean;
	/** Whether the last poll did not. */
	hasFailed: boolean;
	/** Checksum of the memory that the last poll replaced, and the instant (milliseconds) when it did so. */
	replaced?: unknown;
	replacedAtMs: number;
}

/** The turn of one poll; to be ended whatever comes of it. */
export interface Turn {
	/** Whether no poll of the trigger has succeeded since n8n was started. */
	isFirst: boolean;
	/** Whether the poll before failed. */
	isAfterFailure: boolean;
	/** Notes that the poll succeeded, and whether it replaced the memory. Instants are in milliseconds. */
	succeed(replacedMemory: boolean, nowMs: number): void;
	end(): void;
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
	private readonly triggers = new Map<string, Polled>();

	/**
	 * @param checksum of the memory with which the poll starts; undefined where there is none
	 * @param nowMs instant of the start
	 * @returns undefined for a poll that would only see what another one has seen
	 */
	take(trigger: string, checksum: unknown, nowMs: number): Turn | undefined {
		const polled = this.triggers.get(trigger) ?? {
			isUnderWay: false,
			succeeded: false,
			hasFailed: false,
			replacedAtMs: 0,
		};
		this.triggers.set(trigger, polled);
		const isReplaced = checksum !== undefined && checksum === polled.replaced;
		// Later it is the memory because n8n did not keep the poll that replaced it.
		const isOutdated = isReplaced && nowMs < polled.replacedAtMs + TAKEN_EARLIER_MS;
		if (polled.isUnderWay || isOutdated) return undefined;
		const isAfterFailure = polled.hasFailed;
		polled.isUnderWay = true;
		polled.hasFailed = true;
		return {
			isFirst: !polled.succeeded,
			isAfterFailure,
			succeed(replacedMemory, atMs) {
				polled.succeeded = true;
				polled.hasFailed = false;
				if (!replacedMemory) return;
				polled.replaced = checksum;
				polled.replacedAtMs = atMs;
			},
			end() {
				polled.isUnderWay = false;
			},
		};
	}
}
