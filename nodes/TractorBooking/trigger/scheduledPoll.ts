import type { IDataObject, Logger } from 'n8n-workflow';

import type { Look } from './pollOnce';
import type { Budget, Source } from './scan/budgetedReader';
import { look } from './pollOnce';
import type { Settings } from './settings';
import type { PollLocks } from './pollLock';

/** The trigger of a published workflow, as one poll meets it. */
export interface Polled {
	/** What tells it apart from the other triggers of the process. */
	id: string;
	/** n8n's static data of the node. */
	kept: IDataObject;
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
export async function pollScheduled(turns: PollLocks, polled: Polled): Promise<Look | undefined> {
	const { id, kept, source, settings, budget, logger } = polled;
	const before = kept.memory as IDataObject | undefined;
	const turn = turns.take(id, before?.checksum, budget.now());
	if (!turn) {
		logger.debug('Skipped: another poll of this trigger is still running.');
		return undefined;
	}
	try {
		// One failure is the host's to wait for; where they go on, what can be read is told all the same.
		const spent = { ...budget, salvages: turn.isAfterFailure };
		const found = await look(source, settings, before, spent, turn.isFirst);

		// From here on nothing waits: the memory is kept and the events are returned as one step.
		for (const warning of found.warnings) logger.warn(warning);
		if (kept.memory !== before) {
			// What this one read may be older than what the other one knows.
			logger.warn(
				'Another poll of this trigger ended first. What this one read is left to the next.',
			);
			return undefined;
		}
		if (found.memory) kept.memory = found.memory;
		if (!found.isDeferred) turn.succeed(found.memory !== undefined, budget.now());
		return found;
	} finally {
		turn.end();
	}
}
