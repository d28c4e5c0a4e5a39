import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../../api/errors';
import type { Page } from '../../api/pages/envelope';
import type { BookingKey } from '../bookings';

/** What a page of the list tells a scan. */
export type ScanPage = Pick<Page, 'items' | 'total' | 'hasMore' | 'hasPrevious' | 'isMissing'>;

/** Reads one page; undefined where the list has no such page. Throws ServiceError. */
export type ReadPage = (page: number, size: number) => Promise<ScanPage | undefined>;

/** Where bookings are read from. Both throw ServiceError. */
export interface Source {
	/** Reads one page of the list; undefined where the list has no such page. */
	readPage: ReadPage;
	/** Reads one booking. */
	readBooking: (key: BookingKey) => Promise<IDataObject>;
}

/** What a poll may spend. */
export interface Budget {
	/** Instant, in milliseconds, after which no request is started. */
	until: number;
	/** Requests at most. */
	requests: number;
	now: () => number;
	/** Whether there is enough to tell already; the rest is left to the next poll. */
	isFull?: () => boolean;
	/** Whether a failure in the middle ends the poll with what it has, too. */
	salvages?: boolean;
}

/** Stands for an answer that was not asked for, since the budget is spent or the rate limit was reached. */
export const CUT = Symbol('cut');

/** What comes of a request: failures are returned, not thrown. */
export type Outcome<T> = T | typeof CUT | ServiceError;

/** Whether a request failed by what the service answered to it, not on the way, nor for its rate limit. */
export function isAnswer({ status, kind }: ServiceError): boolean {
	return kind === 'unreadable' || (status !== undefined && kind !== 'rateLimited');
}

/** Sends the requests of one poll while its budget lasts. */
export class BudgetedReader {
	/** Requests that were sent. */
	private sent = 0;

	/** Whether the service answered one of them; that there is no such thing is an answer, too. */
	private isAnswered = false;

	/** Whether the poll has to end. */
	private isCut = false;

	/** The failure that ended the poll with what it has. */
	failure?: ServiceError;

	constructor(
		private readonly source: Source,
		readonly budget: Budget,
	) {}

	/** Reads one page of the list; undefined where the list has no such page. */
	async page(number: number, size: number): Promise<Outcome<ScanPage | undefined>> {
		return await this.read(async () => await this.source.readPage(number, size));
	}

	/** Reads one booking. */
	async booking(key: BookingKey): Promise<Outcome<IDataObject>> {
		return await this.read(async () => await this.source.readBooking(key));
	}

	/**
	 * Sends a request.
	 *
	 * @returns its answer, or `CUT` where the poll has to end with what it has. A rate limit ends the poll
	 * in this way once there was an answer; so do other failures where the budget says so
	 */
	private async read<T>(request: () => Promise<T>): Promise<Outcome<T>> {
		const { until, requests, now, isFull, salvages } = this.budget;
		// One request is always made, or nothing would ever go on.
		const isSpent = this.sent >= requests || now() >= until || isFull?.();
		if (isSpent && this.sent > 0) this.isCut = true;
		if (this.isCut) return CUT;
		this.sent += 1;
		const answer = await settle(request());
		if (!(answer instanceof ServiceError) || answer.kind === 'notFound') {
			this.isAnswered = true;
			return answer;
		}
		const isLimit = answer.kind === 'rateLimited';
		if (!this.isAnswered || !(isLimit || salvages)) return answer;
		this.isCut = true;
		if (!isLimit) this.failure = answer;
		return CUT;
	}
}
