import type { IDataObject } from 'n8n-workflow';

import { DeadlineExceeded, withDeadline } from '../../api/deadline';
import type { ServiceErrorKind } from '../../api/errors';
import { settle, ServiceError } from '../../api/errors';
import type { BookingKey } from '../../api/identifiers';
import { readPage } from '../../api/pages/fetch';
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

/** With this status, too, services refuse a page size. */
const TOO_LARGE = 413;

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

	/** What is missing: specific bookings, and a page 1. */
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

	/**
	 * Reads one page of the list.
	 *
	 * @returns undefined if there is no such page, the error if it failed; ask `isSpent` before
	 */
	async page(page: number, size: number): Promise<Page | ServiceError | undefined> {
		const fetchPage = async (number: number, count: number) =>
			await this.send(async (signal) => await this.source.readPage(number, count, signal));
		const list = { what: 'bookings' as const, memory: {}, keyOf: exactKeyOf, fetchPage };
		const result = await readPage(list, page, size);
		if ('page' in result) {
			this.records += result.page.records.length;
			this.hasList = true;
			this.hasResponded = true;
			return result.page;
		}
		const { kind, error } = result;
		if (kind === 'unknown' || error.status === TOO_LARGE) {
			this.hasResponded = true;
			if (page === 1) this.unknown.push({ page, error });
			return undefined;
		}
		if (error !== this.end) this.failures.push({ page, error });
		return error;
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
