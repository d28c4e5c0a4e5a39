import type { BookingKey, Status } from './bookings';
import type { Watch } from './events';

/** Events of polls within this time before a restart of n8n are emitted again. */
const REPLAY_WINDOW_MS = 15 * 60_000;

/** An emitted change; without a previous status if the booking was seen for the first time. */
export type EmittedChange = [key: BookingKey, status: Status, previous?: Status];

/**
 * The changes that one poll emitted. n8n saves the state and starts the workflow in two steps, and does not resume a
 * workflow after a crash, so emitted events may never have reached the workflow, or not its end.
 */
export interface EmittedBatch {
	/** Instant in milliseconds. */
	atMs: number;
	changes: EmittedChange[];
}

function recent(batches: readonly EmittedBatch[], nowMs: number): EmittedBatch[] {
	return batches.filter(({ atMs }) => nowMs - atMs <= REPLAY_WINDOW_MS);
}

/** The recent batches to keep, after a poll that emits these changes. */
export function keepEmitted(
	batches: readonly EmittedBatch[],
	changes: ReadonlyArray<{ key: BookingKey; status: Status; previous: Status | undefined }>,
	nowMs: number,
): EmittedBatch[] {
	const kept = recent(batches, nowMs);
	if (changes.length === 0) return kept;
	const latest = changes.map(({ key, status, previous }): EmittedChange =>
		previous === undefined ? [key, status] : [key, status, previous],
	);
	return [...kept, { atMs: nowMs, changes: latest }];
}

/** The events to emit again after a restart: the last one of each booking, as soon as the booking is seen. */
export class ReplayQueue {
	private readonly due: Map<BookingKey, EmittedChange>;

	constructor(due: readonly EmittedChange[]) {
		this.due = new Map(due.map((change) => [change[0], change]));
	}

	/** Adds the changes of recent batches. */
	add(batches: readonly EmittedBatch[], nowMs: number): void {
		for (const { changes } of recent(batches, nowMs)) {
			for (const change of changes) this.due.set(change[0], change);
		}
	}

	has(key: BookingKey): boolean {
		return this.due.has(key);
	}

	/** Removes and returns the event of a booking; undefined if there is none, or if it is no longer true. */
	claim(
		watch: Watch,
		key: BookingKey,
		status: Status,
	): { previous: Status | undefined } | undefined {
		const change = this.due.get(key);
		this.due.delete(key);
		if (!change || !watch.holds(change[1], status)) return undefined;
		return { previous: change[2] };
	}

	/** The remaining events, for the next poll. */
	remaining(): EmittedChange[] {
		return [...this.due.values()];
	}
}
