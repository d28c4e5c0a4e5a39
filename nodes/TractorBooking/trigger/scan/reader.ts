import type { IDataObject } from 'n8n-workflow';

import { DeadlineExceeded, withDeadline } from '../../api/deadline';
import { settle, ServiceError } from '../../api/errors';
import type { BookingKey } from '../../api/identifiers';
import type { Page, PagedList } from '../../api/pages/list';
import { isAboutThePage, saysNoSuchPage } from '../../api/pages/list';
import { exactKeyOf } from '../bookings';

/** Where bookings are read from. Both throw ServiceError. */
export interface Source {
	/** Reads one page of the list; undefined if the list has no such page. */
	readPage(page: number, size: number, signal: AbortSignal): Promise<Page | undefined>;
	/** Reads one booking. */
	readBooking(key: BookingKey, signal: AbortSignal): Promise<IDataObject>;
	/** The list's name, by which the page size that the service accepts is remembered. */
	name?: string;
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

/** Requests that a poll may make whatever its budget: with fewer it would never get on. */
const MIN_REQUESTS = 2;

/** Thrown in place of a request if the poll's budget is spent, or the poll was ended. */
export class BudgetSpent extends Error {}

/** Undefined in place of a spent budget; other errors stay thrown. */
export function unlessSpent(error: unknown): undefined {
	if (!(error instanceof BudgetSpent)) throw error;
}

/** The records of one page after the other. */
export type Pages = AsyncGenerator<IDataObject[], void, undefined>;

/** Ends with what was read if the budget is spent. */
export async function* withinBudget(pages: Pages, onSpent: () => void = () => undefined): Pages {
	try {
		yield* pages;
	} catch (error) {
		unlessSpent(error);
		onSpent();
	}
}

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

	/** Requests that failed. That there is no such thing is no failure. */
	failures: Failure[] = [];

	/** Of the specific bookings, those that there are not. */
	readonly unknown: Failure[] = [];

	/** What ended the poll: the rate limit was reached, or there is no connection. */
	end?: ServiceError;

	/** Whether there are enough events; the rest is left to the next poll. */
	isFull: () => boolean = () => false;

	private sent = 0;

	/** Whether a request was given up at the deadline. */
	private isOver = false;

	/** Whether the service responded to a request, if only that there is no such thing. */
	private hasResponded = false;

	constructor(
		readonly source: Source,
		private readonly budget: Budget,
	) {}

	/** Whether no request is to be started any more. */
	get isSpent(): boolean {
		const { until, requests, now } = this.budget;
		if (this.end || this.isOver || this.isFull()) return true;
		return this.sent >= MIN_REQUESTS && (this.sent >= requests || now() >= until);
	}

	get now(): number {
		return this.budget.now();
	}

	/** Why nothing could be read, if so. */
	get failure(): ServiceError | undefined {
		if (this.records > 0) return undefined;
		return this.failures[0]?.error ?? (this.hasResponded ? undefined : this.end);
	}

	/** The list, read within the budget. `sizeOf` may replace the size that a page is asked for with. */
	list(sizeOf: (size: number) => number): PagedList {
		return {
			what: 'bookings',
			name: this.source.name ?? '',
			keyOf: exactKeyOf,
			fetchPage: async (page, size) => await this.page(page, sizeOf(size)),
		};
	}

	/** Drops the failures at pages behind the last one: some services fail at any page that they do not have. */
	forgiveBehind(lastPage: number): void {
		this.failures = this.failures.filter(({ page }) => page === undefined || page <= lastPage);
	}

	/**
	 * Reads one page of the list.
	 *
	 * @throws BudgetSpent, ServiceError
	 */
	async page(page: number, size: number): Promise<Page | undefined> {
		const isProbe = page === 0 && this.hasResponded;
		const response = await this.send(
			async (signal) => await this.source.readPage(page, size, signal),
		).catch((error: unknown) => {
			// What was read before it counts, or a poll of one request would never get on.
			if (!isProbe || !(error instanceof BudgetSpent)) throw error;
			return new ServiceError('unreadable', 'There was no time to ask for page 0');
		});
		if (response instanceof ServiceError) {
			if (!isProbe && !saysNoSuchPage(response)) this.failures.push({ page, error: response });
			throw response;
		}
		this.records += response?.items.length ?? 0;
		return response;
	}

	/**
	 * Reads one booking.
	 *
	 * @throws BudgetSpent, ServiceError
	 */
	async booking(key: BookingKey): Promise<IDataObject> {
		const response = await this.send(async (signal) => await this.source.readBooking(key, signal));
		if (response instanceof ServiceError) {
			if (response.kind !== 'notFound') this.failures.push({ error: response });
			throw response;
		}
		this.records += 1;
		return response;
	}

	private async send<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | ServiceError> {
		if (this.isSpent) throw new BudgetSpent();
		this.sent += 1;
		const response = await settle(this.beforeDeadline(request));
		const isFailure = response instanceof ServiceError;
		if (isFailure && !isAboutThePage(response)) {
			this.end = response;
			throw new BudgetSpent();
		}
		this.hasResponded ||= !isFailure || saysNoSuchPage(response);
		return response;
	}

	private async beforeDeadline<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const { deadline, now } = this.budget;
		if (deadline === Infinity) return await request(new AbortController().signal);
		const leftMs = Math.max(deadline - now(), 0);
		return await withDeadline(leftMs, undefined, request).catch((error: unknown) => {
			if (!(error instanceof DeadlineExceeded)) throw error;
			this.isOver = true;
			throw new ServiceError('timeout', 'The service did not respond before the poll had to end');
		});
	}
}
