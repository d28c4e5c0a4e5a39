import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../../api/errors';
import type { BookingId } from '../../api/records';
import type { Page } from '../../api/pages/fetch';

/** Where bookings are read from. What it throws is a ServiceError. */
export interface Source {
	readPage(page: number, size: number): Promise<Page>;
	readBooking(id: BookingId): Promise<IDataObject>;
}

/** What a poll may spend. */
export interface Budget {
	/** Instant, in milliseconds, after which no request is started. */
	until: number;
	requests: number;
	now: () => number;
}

/** A poll may always make this many requests: with fewer, it would not open a list that begins with page 1. */
const MIN_REQUESTS = 3;

/** Whether a failure ends the poll: it says nothing about the page, and does not pass in a moment. */
export function endsPoll({ kind }: ServiceError): boolean {
	return ['rateLimited', 'unreachable', 'stopped', 'cancelled'].includes(kind);
}

/** The records of one page after the other. */
export type Pages = AsyncGenerator<IDataObject[], void, undefined>;

/** Sends the requests of one poll while its budget lasts. */
export class Reader {
	sent = 0;

	/** Whether the service has shown a list, even an empty one. */
	hasList = false;

	/** The first page that could not be read, or that the service does not have. */
	failed?: { page: number; error: ServiceError };

	/** What ended the poll: the rate limit was reached, or there is no connection. */
	end?: ServiceError;

	constructor(
		private readonly source: Source,
		private readonly budget: Budget,
	) {}

	get isSpent(): boolean {
		const { until, requests, now } = this.budget;
		if (this.end) return true;
		return this.sent >= MIN_REQUESTS && (this.sent >= requests || now() >= until);
	}

	/** Why nothing could be read, if so. */
	get failure(): ServiceError | undefined {
		return this.hasList ? undefined : (this.failed?.error ?? this.end);
	}

	/** @throws ServiceError */
	async page(number: number, size: number): Promise<Page> {
		if (this.isSpent) throw new ServiceError('stopped', 'The poll has to end');
		const page = await this.send(this.source.readPage(number, size));
		if (page instanceof ServiceError) throw page;
		this.hasList = true;
		return page;
	}

	async booking(id: BookingId): Promise<IDataObject | ServiceError> {
		return await this.send(this.source.readBooking(id));
	}

	private async send<T>(request: Promise<T>): Promise<T | ServiceError> {
		this.sent += 1;
		const response = await settle(request);
		if (response instanceof ServiceError && endsPoll(response)) this.end = response;
		return response;
	}
}
