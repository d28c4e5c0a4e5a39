import type { Change } from './changes';
import type { BookingKey, Row } from './entries';
import { fromRow, toRow } from './entries';
import type { Memory } from './memory';
import { dayOf } from './record';

/** For how long after a poll its events are told again if n8n was restarted. */
const REPEAT_WITHIN_MS = 15 * 60_000;

/**
 * What the last poll told: the bookings, and what was remembered of each before. n8n saves the memory and
 * starts the workflow in two steps; where it dies between them, the memory knows of events that never
 * reached the workflow.
 */
export interface Told {
	/** Instant in milliseconds. */
	atMs: number;
	before: Array<[BookingKey, Row | null]>;
}

/** What to keep of the changes that a poll tells; undefined where it tells none. */
export function toldOf(changes: Change[], atMs: number): Told | undefined {
	if (changes.length === 0) return undefined;
	return { atMs, before: changes.map(({ key, before }) => [key, before ? toRow(before) : null]) };
}

/**
 * Puts the memory back to before the last events if n8n was restarted soon after them, so that the next
 * look finds them again, with the same ids.
 */
export function takeBack(memory: Memory, { atMs, before }: Told, nowMs: number): void {
	if (nowMs - atMs > REPEAT_WITHIN_MS) return;
	// A booking may have been told twice in one poll: the oldest entry counts.
	for (const [key, row] of [...before].reverse()) {
		const entry = row ? fromRow(row) : undefined;
		// Bookings that are on the move are read at every poll, wherever they are in the list.
		if (entry) memory.set(key, { ...entry, active: dayOf(nowMs), seen: false, stale: false });
		else memory.forget(key);
	}
}
