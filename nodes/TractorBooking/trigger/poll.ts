import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import { connect, POLL_POLICY } from '../api/client';
import { getBooking } from '../api/endpoints';
import { toNodeError } from '../api/errors';
import { bookingsList } from '../api/lists';
import { acceptedSize, fetchFirstPage, pageOrUndefined } from '../api/pages/request';
import type { Budget, Source } from './scan/budgetedReader';
import { toEvents } from './pollOnce';
import { dayOf } from './bookings';
import { testEventChanges } from './testEvents';
import { pollScheduled } from './scheduledPoll';
import type { Settings } from './settings';
import { getTriggerSettings } from './settings';
import { PollLocks } from './pollLock';

/** n8n polls at most once a minute; a poll should end before the next one starts. */
const MAX_POLL_MS = 50_000;

/** Share of n8n's time budget that a poll uses; the rest is for its last request. */
const SHARE_OF_BUDGET = 0.8;

const MAX_REQUESTS_PER_POLL = 500;

/** The locks of all triggers in this process. */
const locks = new PollLocks();

function budgetOf(context: IPollFunctions): Budget {
	// Older n8n versions have no budget.
	const hostMs =
		'getPollBudgetMs' in context ? context.getPollBudgetMs() * SHARE_OF_BUDGET : Infinity;
	const now = Date.now;
	return { until: now() + Math.min(hostMs, MAX_POLL_MS), requests: MAX_REQUESTS_PER_POLL, now };
}

function sourceOf(client: ServiceClient): Source {
	const list = bookingsList(client);
	const { signal } = new AbortController();
	return {
		async readPage(number, size) {
			if (number === 1) {
				const { page, failure } = await fetchFirstPage(list, 1, size, signal);
				if (failure) throw failure;
				return page;
			}
			return await pageOrUndefined(list.fetchPage(number, acceptedSize(list, size), signal));
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

/** n8n's "Fetch test event": existing bookings that match, as events; does not change the state. */
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
 * Runs one poll.
 *
 * @returns one item per event, or null if there is none
 * @throws NodeApiError or NodeOperationError; no change is lost, since the next poll sees the same changes
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
