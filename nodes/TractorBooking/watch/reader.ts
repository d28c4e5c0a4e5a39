import { orServiceError, ServiceError } from '../service/errors';
import type { ListAnswer } from '../service/lists';

/** What a page of the list tells a scan. */
export type ScanPage = Pick<ListAnswer, 'items' | 'total' | 'hasMore' | 'hasPrevious'>;

/** Reads one page; undefined where the list has no such page. Throws ServiceError. */
export type ReadPage = (page: number, size: number) => Promise<ScanPage | undefined>;

/** What a poll may spend. */
export interface Budget {
	/** Instant, in milliseconds, after which no request is started. */
	until: number;
	/** Requests at most. */
	requests: number;
	now: () => number;
	/** Whether there is enough to tell already; the rest is left to the next poll. */
	isFull?: () => boolean;
}

/** Stands for an answer that was not asked for, since the budget is spent or the rate limit was reached. */
export const CUT = Symbol('cut');

/** Sends the requests of one poll while its budget lasts. */
export class BudgetedReader {
	/** Requests that were answered. */
	private answered = 0;

	/** Whether the poll has to end. */
	private isCut = false;

	constructor(private readonly budget: Budget) {}

	/**
	 * Sends a request.
	 *
	 * @returns its answer, or `CUT` where the poll has to end with what it has. A rate limit ends the poll
	 * in this way once there is something to end it with
	 * @throws ServiceError of any other failure, and of a rate limit at the first request
	 */
	async read<T>(request: () => Promise<T>): Promise<T | typeof CUT> {
		const { until, requests, now, isFull } = this.budget;
		const isSpent = this.answered >= requests || now() >= until || isFull?.();
		// One request is always made, or nothing would ever go on.
		if (isSpent && this.answered > 0) this.isCut = true;
		if (this.isCut) return CUT;
		const answer = await orServiceError(request());
		if (!(answer instanceof ServiceError)) {
			this.answered += 1;
			return answer;
		}
		if (answer.kind !== 'rateLimited' || this.answered === 0) throw answer;
		this.isCut = true;
		return CUT;
	}
}
