import { MAX_CONCURRENCY } from '../../utils/mapConcurrent';
import type { Page } from './list';
import { isCounted } from './list';

/** Pages that are asked for before they are needed; enough that one slow page does not hold up the others. */
const MAX_AHEAD = 2 * MAX_CONCURRENCY;

/**
 * Reads the pages of a list before they are needed, so that several are under way at once, if the service counts its
 * records: then no page is read in vain. How many really are is up to the rate limiter.
 */
export class PagePrefetcher {
	private readonly underWay = new Map<number, Promise<Page | undefined>>();

	private pageLength?: number;

	private lastNeeded = 0;

	/**
	 * @param request asks for a page
	 * @param needed so many records are needed for sure, if the list has them
	 */
	constructor(
		private readonly request: (page: number) => Promise<Page | undefined>,
		private readonly needed: number,
	) {}

	/**
	 * Learns from the page before `next` which pages are worth asking for together with `next`.
	 *
	 * @param begin the page that the reading began with
	 */
	plan(next: number, page: Page, begin: number): void {
		const origin = Math.min(begin, 1);
		const length = (this.pageLength ??= Math.max(page.items.length, 1));
		const lastWanted = begin + Math.ceil(this.needed / length) - 1;
		const lastInList = isCounted(page) ? origin + Math.ceil((page.total ?? 0) / length) - 1 : 0;
		this.lastNeeded = Math.min(lastWanted, lastInList, next + MAX_AHEAD);
	}

	/**
	 * The response for a page; pages are asked for in order.
	 *
	 * @throws ServiceError
	 */
	async fetch(page: number): Promise<Page | undefined> {
		for (let ahead = page; ahead <= this.lastNeeded; ahead++) void this.requestOnce(ahead);
		const response = await this.requestOnce(page);
		this.underWay.delete(page);
		return response;
	}

	/** Ends once nothing is under way any more, however it ended. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.underWay.values());
	}

	private requestOnce(page: number): Promise<Page | undefined> {
		const known = this.underWay.get(page);
		if (known) return known;
		const response = this.request(page);
		// A page read ahead may fail before anyone waits for it; whoever asks for it gets the failure.
		response.catch(() => undefined);
		this.underWay.set(page, response);
		return response;
	}
}
