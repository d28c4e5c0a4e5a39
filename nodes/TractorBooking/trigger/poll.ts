import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect, POLL_POLICY } from '../api/client';
import { bookingsList, getBooking } from '../api/endpoints';
import { toNodeError, withEscapedTexts } from '../api/errors';
import { callAfter } from '../api/waits';
import { fetchTestEvent } from './items';
import type { Budget, Source } from './scan/reader';
import { pollScheduled, type PollRegistry } from './scheduledPoll';
import { getTriggerSettings } from './settings';

/** A poll starts requests for this long, enough for most first scans: of later polls, n8n may not save what they note. */
const MAX_POLL_MS = 120_000;

/** The time that a poll gets from an n8n that states none: it polls at most once a minute. */
const UNTOLD_MS = 60_000;

/** Shares of n8n's time: after the first, no request is started; after the second, none is waited for. */
const SHARE_OF_BUDGET = 0.8;
const SHARE_OF_DEADLINE = 0.95;

const MAX_REQUESTS_PER_POLL = 500;

const registry: PollRegistry = new Map();

/** What a poll may spend, and after how many milliseconds no request is waited for. */
function budgetOf(context: IPollFunctions): Budget & { waitMs: number } {
	const hostMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : UNTOLD_MS;
	const startMs = Math.min(hostMs * SHARE_OF_BUDGET, MAX_POLL_MS);
	const waitMs = Math.min(hostMs * SHARE_OF_DEADLINE, startMs + POLL_POLICY.timeoutMs);
	return {
		until: Date.now() + startMs,
		waitMs,
		requests: MAX_REQUESTS_PER_POLL,
		now: Date.now,
	};
}

/** Runs one poll: an item for each event, or null; for n8n's "Fetch test event", one item, and no change of the state. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const tooLate = new AbortController();
	const budget = budgetOf(context);
	const stopTimer = callAfter(budget.waitMs, () => tooLate.abort());
	try {
		const settings = await getTriggerSettings(context);
		const client = await connect(context, 'apiKey', POLL_POLICY, tooLate.signal);
		const list = bookingsList(client);
		if (context.getMode() === 'manual')
			return [[{ json: await fetchTestEvent(context.getNode(), list, settings) }]];
		const source: Source = {
			readPage: list.fetchPage,
			readBooking: async (id) => await getBooking(client, String(id), 'read an open booking'),
		};
		const events = await pollScheduled(registry, {
			id: `${context.getWorkflow().id}:${context.getNode().id}`,
			staticData: context.getWorkflowStaticData('node'),
			source,
			settings,
			budget,
			logger: context.logger,
		});
		return events?.length ? [events.map((json) => ({ json }))] : null;
	} catch (error) {
		throw withEscapedTexts(toNodeError(context.getNode(), error));
	} finally {
		// A timer that ran on would keep all that the poll has read.
		stopTimer();
	}
}
