import type { IDataObject, Logger } from 'n8n-workflow';

import type { PollResult } from './pollOnce';
import { pollOnce } from './pollOnce';
import type { Budget, Source } from './scan/reader';
import type { Settings } from './settings';

/** Max time between n8n loading the static data for a poll and the start of that poll, in milliseconds. */
const MAX_STATE_AGE_MS = 10_000;

/** A poll that is not over after so many milliseconds never will be: n8n grants five minutes at most. */
const MAX_LOCK_MS = 5 * 60_000;

/** What one poll of a published workflow needs. */
export interface PollContext {
	/** Unique among the triggers of the process. */
	id: string;
	/** n8n's static data of the node. */
	staticData: IDataObject;
	source: Source;
	settings: Settings;
	budget: Budget;
	logger: Pick<Logger, 'debug' | 'warn'>;
}

/** What a process knows about the polls of one trigger. Instants are in milliseconds. */
interface KnownPolls {
	/** The poll that is running. */
	running?: { sinceMs: number };
	/** The state that the last poll replaced, by its checksum. */
	replaced?: { checksum: unknown; atMs: number };
	/**
	 * Whether any poll has succeeded since n8n started. n8n's activation mode does not say so: with durable cursors, or
	 * if the first activation failed, it reports the first poll of a process as a later one.
	 */
	hasSucceeded?: boolean;
}

/** The polls of all triggers of a process. */
export type PollLocks = Map<string, KnownPolls>;

/**
 * Whether another poll is running, or has already replaced the state with which a poll starts. n8n may start several
 * at once: if one takes longer than the interval, and overdue ones after a restart. With durable cursors, each gets its
 * own copy of the state, which may be outdated, and n8n keeps the results of all.
 */
function isLocked({ running, replaced }: KnownPolls, checksum: unknown, nowMs: number): boolean {
	if (running && nowMs < running.sinceMs + MAX_LOCK_MS) return true;
	const isReplaced = checksum !== undefined && checksum === replaced?.checksum;
	// After that time, n8n must have lost the state that replaced this one.
	return isReplaced && nowMs < replaced.atMs + MAX_STATE_AGE_MS;
}

/**
 * Runs one poll of a published workflow, if no other one of the trigger is running, and stores its state in one
 * assignment, at the end.
 *
 * @returns undefined if another poll is running or was first; the next poll sees the same changes
 * @throws ServiceError
 */
export async function pollScheduled(
	locks: PollLocks,
	{ id, staticData, source, settings, budget, logger }: PollContext,
): Promise<PollResult | undefined> {
	const stored = staticData.memory as IDataObject | undefined;
	const known = locks.get(id) ?? {};
	locks.set(id, known);
	if (isLocked(known, stored?.checksum, budget.now())) {
		logger.debug('Skipped: another poll of this trigger is still running.');
		return undefined;
	}
	const lock = { sinceMs: budget.now() };
	known.running = lock;
	try {
		const result = await pollOnce(source, settings, stored, budget, !known.hasSucceeded);

		// From here on, no await: the state is stored and the events are returned in one step.
		for (const warning of result.warnings) logger.warn(warning);
		if (staticData.memory !== stored || known.running !== lock) {
			// This poll may have read older data than the other one.
			logger.warn(
				'Discarded: another poll of this trigger ended first. The next poll reads the bookings again.',
			);
			return undefined;
		}
		if (result.memory) staticData.memory = result.memory;
		known.hasSucceeded = true;
		if (result.memory) known.replaced = { checksum: stored?.checksum, atMs: budget.now() };
		return result;
	} finally {
		if (known.running === lock) known.running = undefined;
	}
}
