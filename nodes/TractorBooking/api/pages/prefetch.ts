import { MAX_CONCURRENCY } from '../../utils/mapConcurrent';
import { isCounted } from './count';
import type { Page } from './envelope';

/** Pages that are asked for before they are needed; enough that one slow page does not hold up the others. */
const MAX_AHEAD = 2 * MAX_CONCURRENCY;

/**
 * How far a list may be read ahead: so many records are needed for sure, if the list has them; or `'some'`, if nobody
 * knows how many pages are needed.
 */
export type ReadAhead = number | 'some';

/** What the prefetching of a list works with. */
export interface PrefetchOptions {
	/** Asks for a page. */
	fetch: (page: number) => Promise<Page | undefined>;
	ahead?: ReadAhead;
	/** Number of the list's first page. */
	origin: 0 | 1;
	/** Number of the page that the reading began with. */
	start: number;
}

/**
 * Reads the pages of a list before they are needed, so that several are under way at once. How many really are is
 * up to the rate limiter.
 *
 * If the service counts its records, no page is read that cannot be needed. If it says only that there is more, a few
 * may be asked for in vain, at most a quarter of those read before.
 */
export class PagePrefetcher {
	private readonly underWay = new Map<number, Promise<Page | undefined>>();

	private pageLength?: number;

	private lastToStart = 0;

	constructor(private readonly options: PrefetchOptions) {}

	/** Learns from the page before `next` which pages are worth asking for together with `next`. */
	plan(next: number, page: Page): void {
		this.lastToStart = this.lastWorthStarting(next, page);
	}

	/**
	 * The response for a page; pages are taken in order.
	 *
	 * @throws ServiceError
	 */
	async take(page: number): Promise<Page | undefined> {
		for (let ahead = page; ahead <= Math.max(page, this.lastToStart); ahead++)
			void this.request(ahead);
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

	private lastWorthStarting(next: number, page: Page): number {
		const { ahead, origin, start } = this.options;
		const length = (this.pageLength ??= Math.max(page.items.length, 1));
		const goesOn = page.hasMore ?? page.items.length >= length;
		const counted = isCounted(page);
		if (ahead === undefined || (!counted && !goesOn)) return next;
		const needed = ahead === 'some' ? Infinity : ahead;
		const lastNeeded = start + Math.ceil(needed / length) - 1;
		const lastInList = counted ? origin + Math.ceil((page.total ?? 0) / length) - 1 : Infinity;
		const inVain = Math.min(Math.floor((next - start) / 4), MAX_CONCURRENCY);
		const most = counted && ahead !== 'some' ? MAX_AHEAD : inVain;
		return Math.min(lastNeeded, lastInList, next + most);
	}
}
