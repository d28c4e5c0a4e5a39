import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import { connect, POLL_POLICY } from '../api/client';
import { getBooking, listBookingsPage } from '../api/endpoints';
import { toNodeError } from '../api/errors';
import { unlessOutside } from '../api/pages/pages';
import type { Budget, Source } from './scan/budgetedReader';
import { toEvents } from './pollOnce';
import { dayOf } from './bookings';
import { testEventChanges } from './testEvents';
import { pollScheduled } from './scheduledPoll';
import type { Settings } from './settings';
import { getTriggerSettings } from './settings';
import { PollLocks } from './pollLock';

/** Polls come once a minute at most; one should be over before the next one starts. */
const MAX_POLL_MS = 50_000;

/** Part of the host's budget that a poll uses, so that the last request can still be answered. */
const SHARE_OF_BUDGET = 0.8;

/** Requests of one poll at most. */
const MAX_REQUESTS_PER_POLL = 500;

/** The polls of this process. */
const locks = new PollLocks();

function budgetOf(context: IPollFunctions): Budget {
	// Older hosts do not tell.
	const hostMs =
		'getPollBudgetMs' in context ? context.getPollBudgetMs() * SHARE_OF_BUDGET : Infinity;
	const now = Date.now;
	return { until: now() + Math.min(hostMs, MAX_POLL_MS), requests: MAX_REQUESTS_PER_POLL, now };
}

function sourceOf(client: ServiceClient): Source {
	return {
		async readPage(page, size) {
			const answer = listBookingsPage(client, page, size);
			return page === 1 ? await answer : await unlessOutside(answer);
		},
		readBooking: async (key) => await getBooking(client, String(key)),
	};
}

/** The poll of a published workflow. */
async function scheduled(
	context: IPollFunctions,
	source: Source,
	settings: Settings,
): Promise<IDataObject[]> {
	const result = await pollScheduled(locks, {
		id: `${context.getWorkflow().id}:${context.getNode().id}`,
		staticData: context.getWorkflowStaticData('node'),
		source,
		settings,
		budget: budgetOf(context),
		logger: context.logger,
	});
	return result?.events ?? [];
}

/** "Fetch test event": real bookings that match, in the form of events; the memory is not touched. */
async function manual(
	context: IPollFunctions,
	source: Source,
	settings: Settings,
): Promise<IDataObject[]> {
	const { changes, read } = await testEventChanges(source, settings, dayOf(Date.now()));
	if (changes.length > 0) return toEvents(settings, 0, changes, Date.now());
	throw new NodeOperationError(context.getNode(), 'No booking matches this trigger', {
		description:
			read === 0
				? 'The service returned no booking. Create one with the Tractor Booking node, then fetch again.'
				: `None of the ${read} bookings that were read matches. Widen the filters of this node, or bring a booking into a watched status, then fetch again. A published workflow is not affected.`,
	});
}

/**
 * One poll.
 *
 * @returns one item a change, or null where nothing is to be told
 * @throws NodeApiError or NodeOperationError; nothing is lost then, the next poll sees the same changes
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = await getTriggerSettings(context);
		const source = sourceOf(await connect(context, 'apiKey', POLL_POLICY));
		const run = context.getMode() === 'manual' ? manual : scheduled;
		const events = await run(context, source, settings);
		return events.length > 0 ? [events.map((json) => ({ json }))] : null;
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
