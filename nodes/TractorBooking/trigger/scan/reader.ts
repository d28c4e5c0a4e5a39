import type { IDataObject } from 'n8n-workflow';

import { DeadlineExceeded, withDeadline } from '../../api/deadline';
import type { ServiceErrorKind } from '../../api/errors';
import { settle, ServiceError } from '../../api/errors';
import type { BookingKey } from '../../api/identifiers';
import type { ListMemory, PagedList, PageResult } from '../../api/pages/fetch';
import type { Page } from '../../api/pages/unwrap';
import { exactKeyOf } from '../bookings';

/** Where bookings are read from. Both throw ServiceError. */
export interface Source {
	/** Reads one page of the list; undefined if the list has no such page. */
	readPage(page: number, size: number, signal: AbortSignal): Promise<Page | undefined>;
	/** Reads one booking. */
	readBooking(key: BookingKey, signal: AbortSignal): Promise<IDataObject>;
	/** Whether the service responds at this base URL to a request that has nothing to do with bookings. */
	isThere?(): Promise<boolean>;
	/** How far the service's clock is ahead of this machine's, in milliseconds, once it has responded. */
	clockAheadMs?(): number;
}

/** What a poll may spend. */
export interface Budget {
	/** Instant, in milliseconds, after which no request is started. */
	until: number;
	/** Instant at which a request that is under way is given up. */
	deadline: number;
	/** Requests at most. */
	requests: number;
	now: () => number;
}

/** A poll may always make so many requests: with fewer it would never get anywhere. */
const MIN_REQUESTS = 2;

/** Failures that say nothing about the page, and do not pass in a moment. */
const ENDS_POLL: ReadonlySet<ServiceErrorKind> = new Set([
	'rateLimited',
	'unreachable',
	'stopped',
	'cancelled',
]);

/** The records of one page after the other. */
export type Pages = AsyncGenerator<IDataObject[], void, undefined>;

/** A request that failed. */
export interface Failure {
	/** Number of the page; undefined for a single booking. */
	page?: number;
	error: ServiceError;
}

/** Sends the requests of one poll while its budget lasts. */
export class Reader {
	/** Records that were read. */
	records = 0;

	/** Whether the service has shown a list, even an empty one. */
	hasList = false;

	/** Requests so far. */
	sent = 0;

	/** Requests that failed. A missing page or booking is not a failure. */
	failures: Failure[] = [];

	/** What the service does not have: specific bookings, and pages. */
	readonly unknown: Failure[] = [];

	/** What ended the poll: the rate limit was reached, or there is no connection. */
	end?: ServiceError;

	/** Whether the service responded to a request, even if only that it does not have it. */
	private hasResponded = false;

	constructor(
		private readonly source: Source,
		private readonly budget: Budget,
	) {}

	/** Whether no request is to be started any more. */
	get isSpent(): boolean {
		const { until, deadline, requests, now } = this.budget;
		return (
			this.end !== undefined ||
			now() >= deadline ||
			(this.sent >= MIN_REQUESTS && (this.sent >= requests || now() >= until))
		);
	}

	get now(): number {
		return this.budget.now();
	}

	/** Why nothing could be read, if so. */
	get failure(): ServiceError | undefined {
		if (this.records > 0) return undefined;
		return this.failures[0]?.error ?? (this.hasResponded ? undefined : this.end);
	}

	/** Drops the failures at pages that may not be there: some services fail at any page that they do not have. */
	forgive(isForgiven: (page: number) => boolean): void {
		if (!this.hasList) return;
		this.failures = this.failures.filter(({ page }) => page === undefined || !isForgiven(page));
	}

	/** The list, as it is asked for within the budget. */
	listWith(memory: ListMemory): PagedList {
		const fetchPage: PagedList['fetchPage'] = async (number, size) => {
			const page = await this.send(
				async (signal) => await this.source.readPage(number, size, signal),
			);
			if (!page) return undefined;
			this.records += page.records.length;
			this.hasList = true;
			this.hasResponded = true;
			return page;
		};
		return { what: 'bookings', memory, keyOf: exactKeyOf, fetchPage };
	}

	/** Notes that a page is not there, or failed. */
	note(page: number, result: PageResult): void {
		if (!('error' in result) || result.error === this.end) return;
		const { kind, error } = result;
		if (kind === 'unknown') this.hasResponded = true;
		(kind === 'unknown' ? this.unknown : this.failures).push({ page, error });
	}

	/**
	 * Reads one booking.
	 *
	 * @returns the error if it failed; ask `isSpent` before
	 */
	async booking(key: BookingKey): Promise<IDataObject | ServiceError> {
		const response = await settle(
			this.send(async (signal) => await this.source.readBooking(key, signal)),
		);
		const isUnknown = response instanceof ServiceError && response.kind === 'notFound';
		this.hasResponded ||= isUnknown || !(response instanceof ServiceError);
		if (!(response instanceof ServiceError)) this.records += 1;
		else if (!isUnknown && response !== this.end) this.failures.push({ error: response });
		return response;
	}

	/** @throws ServiceError */
	private async send<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
		this.sent += 1;
		const response = await settle(this.beforeDeadline(request));
		if (!(response instanceof ServiceError)) return response;
		if (ENDS_POLL.has(response.kind)) this.end = response;
		throw response;
	}

	private async beforeDeadline<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const { deadline, now } = this.budget;
		if (deadline === Infinity) return await request(new AbortController().signal);
		const leftMs = Math.max(deadline - now(), 0);
		return await withDeadline(leftMs, undefined, request).catch((error: unknown) => {
			if (!(error instanceof DeadlineExceeded)) throw error;
			throw new ServiceError('timeout', 'The service did not respond before the poll had to end');
		});
	}
}
