import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import { connect, POLL_POLICY } from '../api/client';
import { DeadlineExceeded, withDeadline } from '../api/waits';
import { getBooking } from '../api/endpoints';
import type { ServiceErrorKind } from '../api/errors';
import { ServiceError, settle, toNodeError, withEscapedTexts } from '../api/errors';
import { bookingsList, catalogueList } from '../api/pages/fetch';
import { fetchTestEvent } from './items';
import type { Budget, Source } from './scan/reader';
import type { PollLocks } from './scheduledPoll';
import { pollScheduled } from './scheduledPoll';
import { getTriggerSettings } from './settings';

/** n8n polls at most once a minute; a poll should end before the next one starts. */
const MAX_POLL_MS = 50_000;

/** One of the first scan may take longer: what publishing has not read is noted in a later poll, which n8n may not save. */
const MAX_FIRST_POLL_MS = 120_000;

/** Shares of n8n's time budget: after the first one no request is started, after the second one none is waited for. */
const SHARE_OF_BUDGET = 0.8;
const SHARE_OF_DEADLINE = 0.95;

/** Within this time a poll reads something, whatever n8n grants. */
const MIN_POLL_MS = 5_000;

const MAX_REQUESTS_PER_POLL = 500;

/** Failures that only waiting helps; the advice for operations does not fit a poll. */
const WAIT_FOR: ReadonlySet<ServiceErrorKind> = new Set([
	'rateLimited',
	'timeout',
	'interrupted',
	'server',
	'validation',
]);

function withAdvice(error: unknown, isManual: boolean): unknown {
	if (!(error instanceof ServiceError) || !WAIT_FOR.has(error.kind)) return error;
	const [now, later] = isManual
		? ['Wait a minute, then fetch again.', '']
		: ['The next poll tries again by itself, and no change is lost.', 'poll less often, '];
	const description = `${now} If it persists, ${later}check the credential, or tell the operator of the service.`;
	return error.withDescription(description);
}

/** The locks of all triggers in this process. */
const locks: PollLocks = new Map();

/** What a poll may spend, and the instant at which a request that is under way is given up, in milliseconds. */
function budgetOf(context: IPollFunctions): Budget & { deadline: number } {
	// Older n8n versions have no budget.
	const isGranted = 'getPollBudgetMs' in context;
	const hostMs = isGranted ? context.getPollBudgetMs() : Infinity;
	const firstMs = isGranted ? MAX_FIRST_POLL_MS : MAX_POLL_MS;
	const now = Date.now;
	const longestMs = firstMs + POLL_POLICY.timeoutMs;
	return {
		until: now() + Math.min(hostMs * SHARE_OF_BUDGET, MAX_POLL_MS),
		firstUntil: now() + Math.min(hostMs * SHARE_OF_BUDGET, firstMs),
		deadline: now() + Math.max(Math.min(hostMs * SHARE_OF_DEADLINE, longestMs), MIN_POLL_MS),
		requests: MAX_REQUESTS_PER_POLL,
		now,
	};
}

/**
 * Makes a request that is given up at an instant, in milliseconds.
 *
 * @throws ServiceError
 */
export async function before<T>(
	deadline: number,
	request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const leftMs = Math.max(deadline - Date.now(), 0);
	return await withDeadline(leftMs, undefined, request).catch((error: unknown) => {
		if (!(error instanceof DeadlineExceeded)) throw error;
		throw new ServiceError('timeout', 'The service did not respond before the poll had to end');
	});
}

function sourceOf(client: ServiceClient, deadline: number): Source {
	const { fetchPage } = bookingsList(client);
	return {
		readPage: async (page, size) =>
			await before(deadline, async (signal) => await fetchPage(page, size, signal)),
		readBooking: async (key) =>
			await before(
				deadline,
				async (signal) => await getBooking(client, String(key), signal, 'read an open booking'),
			),
		isThere: async () => {
			const { fetchPage: fetchCatalogue } = catalogueList(client);
			const response = await settle<unknown>(
				before(deadline, async (signal) => await fetchCatalogue(1, 1, signal)),
			);
			return !(response instanceof ServiceError) || response.kind === 'notAllowed';
		},
	};
}

/**
 * Runs one poll.
 *
 * @returns one item per event, or null without events; for n8n's "Fetch test event", one that changes no state
 * @throws NodeApiError or NodeOperationError; no change is lost, since the next poll sees the same changes
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isManual = context.getMode() === 'manual';
	try {
		const settings = await getTriggerSettings(context);
		const client = await connect(context, 'apiKey', POLL_POLICY);
		const budget = budgetOf(context);
		const source = sourceOf(client, budget.deadline);
		if (isManual) {
			const json = await fetchTestEvent(context.getNode(), source, settings, budget);
			return [[{ json }]];
		}
		const events = await pollScheduled(locks, {
			id: `${context.getWorkflow().id}:${context.getNode().id}`,
			staticData: context.getWorkflowStaticData('node'),
			source,
			settings,
			budget,
			logger: context.logger,
		});
		return events?.length ? [events.map((json) => ({ json }))] : null;
	} catch (error) {
		throw withEscapedTexts(toNodeError(context.getNode(), withAdvice(error, isManual)));
	}
}
