import type { Change, Watch } from './changes';
import { isStillTrue } from './changes';
import type { BookingKey, Status } from './bookings';
import type { Memory } from './memory';
import { dayOf } from './bookings';

/** For how long after a poll its events are told again if n8n was restarted. */
const REPLAY_WINDOW_MS = 15 * 60_000;

/** A change that was told; without a previous status where the booking was met for the first time. */
export type EmittedChange = [key: BookingKey, status: Status, previous?: Status];

/**
 * What one poll told. n8n saves the memory and starts the workflow in two steps, and does not go on with a
 * workflow that was running when it died: the memory may know of events that never reached the workflow, or
 * not its end.
 */
export interface EmittedBatch {
	/** Instant in milliseconds. */
	atMs: number;
	changes: EmittedChange[];
}

function recent(batches: readonly EmittedBatch[], nowMs: number): EmittedBatch[] {
	return batches.filter(({ atMs }) => nowMs - atMs <= REPLAY_WINDOW_MS);
}

/** What to keep of what was told, after a poll that tells these changes. */
export function keepEmitted(
	batches: readonly EmittedBatch[],
	changes: readonly Change[],
	nowMs: number,
): EmittedBatch[] {
	const kept = recent(batches, nowMs);
	if (changes.length === 0) return kept;
	const latest = changes.map(({ key, status, previous }): EmittedChange =>
		previous === undefined ? [key, status] : [key, status, previous],
	);
	return [...kept, { atMs: nowMs, changes: latest }];
}

/** The events to tell again after a restart: the last one of each booking, told as soon as it is met. */
export class ReplayQueue {
	private readonly due: Map<BookingKey, EmittedChange>;

	constructor(due: readonly EmittedChange[]) {
		this.due = new Map(due.map((change) => [change[0], change]));
	}

	/** Adds what was told in the last minutes. */
	add(batches: readonly EmittedBatch[], memory: Memory, nowMs: number): void {
		for (const change of recent(batches, nowMs).flatMap(({ changes }) => changes)) {
			const [key] = change;
			const known = memory.get(key);
			if (!known) continue;
			this.due.set(key, change);
			// Bookings that are on the move are read at every poll, wherever they are in the list.
			memory.set(key, { ...known, active: dayOf(nowMs) });
		}
	}

	has(key: BookingKey): boolean {
		return this.due.has(key);
	}

	/** Takes the event of a booking that was met; undefined where there is none, or it is true no more. */
	claim(
		watch: Watch,
		key: BookingKey,
		status: Status,
	): { previous: Status | undefined } | undefined {
		const change = this.due.get(key);
		this.due.delete(key);
		if (!change || !isStillTrue(watch, change[1], status)) return undefined;
		return { previous: change[2] };
	}

	/** What is left of them, for the next poll. */
	remaining(memory: Memory): EmittedChange[] {
		return [...this.due.values()].filter(([key]) => memory.get(key));
	}
}
