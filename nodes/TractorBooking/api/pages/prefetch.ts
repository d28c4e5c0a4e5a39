import { MAX_CONCURRENCY } from '../../utils/mapConcurrent';
import type { Page } from './list';
import { isCounted } from './list';

/** Pages that are asked for before they are needed; enough that one slow page does not hold up the others. */
const MAX_AHEAD = 2 * MAX_CONCURRENCY;

/** What the prefetching of a list works with. */
export interface PrefetchOptions {
	/** Asks for a page. */
	fetch: (page: number) => Promise<Page | undefined>;
	/** So many records are needed for sure, if the list has them. */
	needed: number;
	/** Number of the list's first page. */
	origin: number;
	/** Number of the page that the reading began with. */
	start: number;
}

/**
 * Reads the pages of a list before they are needed, so that several are under way at once, if the service counts its
 * records: then no page is read in vain. How many really are is up to the rate limiter.
 */
export class PagePrefetcher {
	private readonly underWay = new Map<number, Promise<Page | undefined>>();

	private pageLength?: number;

	private lastNeeded = 0;

	constructor(private readonly options: PrefetchOptions) {}

	/** Learns from the page before `next` which pages are worth asking for together with `next`. */
	plan(next: number, page: Page): void {
		const { needed, origin, start } = this.options;
		const length = (this.pageLength ??= Math.max(page.items.length, 1));
		const lastWanted = start + Math.ceil(needed / length) - 1;
		const lastInList = isCounted(page) ? origin + Math.ceil((page.total ?? 0) / length) - 1 : 0;
		this.lastNeeded = Math.min(lastWanted, lastInList, next + MAX_AHEAD);
	}

	/**
	 * The response for a page; pages are taken in order.
	 *
	 * @throws ServiceError
	 */
	async take(page: number): Promise<Page | undefined> {
		for (let ahead = page; ahead <= this.lastNeeded; ahead++) void this.request(ahead);
		const answer = await this.request(page);
		this.underWay.delete(page);
		return answer;
	}

	/** Ends once nothing is under way any more, however it ended. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.underWay.values());
	}

	private request(page: number): Promise<Page | undefined> {
		const known = this.underWay.get(page);
		if (known) return known;
		const answer = this.options.fetch(page);
		// A page read ahead may fail before anyone waits for it; whoever takes it gets the failure.
		answer.catch(() => undefined);
		this.underWay.set(page, answer);
		return answer;
	}
}
