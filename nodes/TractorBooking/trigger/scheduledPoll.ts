import type { IDataObject, Logger } from 'n8n-workflow';

import type { PollResult } from './pollOnce';
import { pollOnce } from './pollOnce';
import type { PollLocks } from './pollLock';
import type { Budget, Source } from './scan/reader';
import type { Settings } from './settings';

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

/**
 * Runs one poll of a published workflow and stores its state in one assignment, at the end.
 *
 * @returns undefined if another poll of the trigger is running or was first; the next poll sees the same changes
 * @throws ServiceError
 */
export async function pollScheduled(
	locks: PollLocks,
	pollContext: PollContext,
): Promise<PollResult | undefined> {
	const { id, staticData, source, settings, budget, logger } = pollContext;
	const stored = staticData.memory as IDataObject | undefined;
	const lock = locks.tryAcquire(id, stored?.checksum, budget.now());
	if (!lock) {
		logger.debug('Skipped: another poll of this trigger is still running.');
		return undefined;
	}
	try {
		const result = await pollOnce(source, settings, stored, budget, lock.isFirstSinceStart);

		// From here on, no await: the state is stored and the events are returned in one step.
		for (const warning of result.warnings) logger.warn(warning);
		if (staticData.memory !== stored || !lock.isHeld()) {
			// This poll may have read older data than the other one.
			logger.warn(
				'Discarded: another poll of this trigger ended first. The next poll reads the bookings again.',
			);
			return undefined;
		}
		if (result.memory) staticData.memory = result.memory;
		if (!result.isDeferred) lock.succeed(result.memory !== undefined, budget.now());
		return result;
	} finally {
		lock.release();
	}
}
