import type { IDataObject, Logger } from 'n8n-workflow';

import type { PollBudget } from './pollOnce';
import { pollOnce } from './pollOnce';
import type { Source } from './scan/reader';
import type { Settings } from './settings';

/** With durable cursors, n8n may load the state of a poll this long before it starts the poll. */
const MAX_STATE_AGE_MS = 10_000;

/** What one poll of a published workflow needs. */
export interface PollContext {
	/** Unique among the triggers of the process. */
	id: string;
	/** n8n's static data of the node. */
	staticData: IDataObject;
	source: Source;
	settings: Settings;
	budget: PollBudget;
	logger: Pick<Logger, 'debug' | 'warn'>;
}

/** What a process knows about the polls of one trigger. */
interface KnownPolls {
	/** Whether a poll is running. It ends for sure: all that it waits for is given up at its deadline. */
	isRunning?: boolean;
	/**
	 * Whether any poll has succeeded since n8n started. n8n's activation mode does not say so: with durable cursors, or
	 * if the first activation failed, it reports the first poll of a process as a later one.
	 */
	hasSucceeded?: boolean;
	/** The state that the last poll replaced: n8n gives each poll a copy of its own, which may be outdated. */
	replaced?: { text: unknown; atMs: number };
	/** What the last poll warned of. */
	warnings: string[];
}

/** The polls of all triggers of a process. */
export type PollLocks = Map<string, KnownPolls>;

/**
 * Runs one poll of a published workflow, if no other one of the trigger is running, and stores its state in one
 * assignment, at the end.
 *
 * @returns the output items; undefined if another poll is running; the next poll sees the same changes
 * @throws ServiceError
 */
export async function pollScheduled(
	locks: PollLocks,
	{ id, staticData, source, settings, budget, logger }: PollContext,
): Promise<IDataObject[] | undefined> {
	const stored = staticData.memory as IDataObject | undefined;
	const known: KnownPolls = locks.get(id) ?? { warnings: [] };
	locks.set(id, known);
	const { replaced = { text: null, atMs: 0 } } = known;
	// After that time, n8n must have lost the state that replaced this one.
	const isOutdated =
		stored?.text === replaced.text && budget.now() < replaced.atMs + MAX_STATE_AGE_MS;
	if (known.isRunning || isOutdated) {
		logger.debug('Skipped: another poll of this trigger is still running.');
		return undefined;
	}
	known.isRunning = true;
	try {
		const result = await pollOnce(source, settings, stored, budget, !known.hasSucceeded);

		// From here on, no await: the state is stored and the events are returned in one step.
		for (const text of result.warnings) if (!known.warnings.includes(text)) logger.warn(text);
		known.warnings = result.warnings;
		if (result.text !== stored?.text) {
			staticData.memory = { text: result.text };
			known.replaced = { text: stored?.text ?? null, atMs: budget.now() };
		}
		known.hasSucceeded = true;
		return result.events;
	} finally {
		known.isRunning = false;
	}
}
