import type { BookingKey } from '../api/identifiers';
import { DAY_MS } from '../utils/time';
import type { Change } from './items';
import type { Emitted } from './state';

/** Events that are remembered. */
const MAX_EMITTED = 1_000;

/** Events of polls within this time before a restart of n8n are emitted again. */
const REPEATED_MS = 15 * 60_000;

/** The last events that may have to be emitted again after a restart; those that must be are due for a day. */
export function recentEvents(stored: Emitted[], nowMs: number, isRestarted: boolean): Emitted[] {
	const isRecent = ({ atMs, isDue }: Emitted) => nowMs - atMs <= (isDue ? DAY_MS : REPEATED_MS);
	const recent = stored.filter(isRecent);
	return isRestarted ? recent.map((emitted) => ({ ...emitted, isDue: true })) : recent;
}

/**
 * The last events after a poll. Those that were due have had their turn if their booking was met; of each event of a
 * booking, only the last one may have to be emitted again.
 */
export function eventsAfter(
	recent: Emitted[],
	met: ReadonlyMap<BookingKey, unknown>,
	changes: readonly Change[],
	nowMs: number,
): Emitted[] {
	const nameOf = (key: BookingKey, event: string) => JSON.stringify([key, event]);
	const names = new Set(changes.map(({ key, watch }) => nameOf(key, watch.event)));
	const isKept = ({ key, event, isDue }: Emitted) =>
		!(isDue && met.has(key)) && !names.has(nameOf(key, event));
	const emitted = changes.map(({ key, watch: { event }, id, previous }): Emitted => ({
		key,
		event,
		id,
		previous,
		atMs: nowMs,
	}));
	return [...recent.filter(isKept), ...emitted].slice(-MAX_EMITTED);
}
