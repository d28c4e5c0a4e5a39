import type { Change } from './changes';
import type { BookingKey, Row } from './entries';
import { fromRow, toRow } from './entries';
import type { Memory } from './memory';
import { dayOf } from './record';

/** For how long after a poll its events are told again if n8n was restarted. */
const REPEAT_WITHIN_MS = 15 * 60_000;

/**
 * What one poll told: the bookings, and what was remembered of each before. n8n saves the memory and starts
 * the workflow in two steps, and does not go on with a workflow that was running when it died: the memory
 * may know of events that never reached the workflow, or not its end.
 */
export interface Told {
	/** Instant in milliseconds. */
	atMs: number;
	before: Array<[BookingKey, Row | null]>;
}

function recent(told: readonly Told[], nowMs: number): Told[] {
	return told.filter(({ atMs }) => nowMs - atMs <= REPEAT_WITHIN_MS);
}

/** What to keep of what was told, after a poll that tells these changes. */
export function keepTold(told: readonly Told[], changes: readonly Change[], nowMs: number): Told[] {
	const kept = recent(told, nowMs);
	if (changes.length === 0) return kept;
	const before = changes.map((change): Told['before'][number] => [
		change.key,
		change.before ? toRow(change.before) : null,
	]);
	return [...kept, { atMs: nowMs, before }];
}

/**
 * Puts the memory back to before the events of the last minutes, so that the next look finds them again,
 * with the same ids.
 */
export function takeBack(memory: Memory, told: readonly Told[], nowMs: number): void {
	const before = recent(told, nowMs).flatMap((poll) => poll.before);
	// A booking may have been told of twice: the oldest entry counts.
	for (const [key, row] of before.reverse()) {
		const entry = row ? fromRow(row) : undefined;
		// Bookings that are on the move are read at every poll, wherever they are in the list.
		if (entry) memory.set(key, { ...entry, active: dayOf(nowMs), seen: false, stale: false });
		else memory.forget(key);
	}
}
