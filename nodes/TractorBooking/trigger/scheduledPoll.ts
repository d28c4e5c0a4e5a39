import type { IDataObject, Logger } from 'n8n-workflow';

import type { PollResult } from './pollOnce';
import type { Budget, Source } from './scan/budgetedReader';
import { pollOnce } from './pollOnce';
import type { Settings } from './settings';
import type { PollLocks } from './pollLock';

/** The trigger of a published workflow, as one poll meets it. */
export interface PollContext {
	/** What tells it apart from the other triggers of the process. */
	id: string;
	/** n8n's static data of the node. */
	staticData: IDataObject;
	source: Source;
	settings: Settings;
	budget: Budget;
	logger: Pick<Logger, 'debug' | 'warn'>;
}

/**
 * One poll of a published workflow. The memory that it leads to is kept in one assignment, at the end.
 *
 * @returns undefined where another poll of the trigger was first: this one tells nothing, and what it would
 * have seen is left to the next one
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
		// One failure is the host's to wait for; where they go on, what can be read is told all the same.
		const spent = { ...budget, salvages: lock.isAfterFailure };
		const result = await pollOnce(source, settings, stored, spent, lock.isFirstSinceStart);

		// From here on nothing waits: the memory is kept and the events are returned as one step.
		for (const warning of result.warnings) logger.warn(warning);
		if (staticData.memory !== stored) {
			// What this one read may be older than what the other one knows.
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
