import { WAIT_CANCELLED } from '../abort';
import type { ListAnswer } from './envelope';
import { MAX_CONCURRENCY } from '../../utils/mapConcurrent';
import type { PagedList } from './pages';

/** Pages that are asked for before they are needed; enough that one slow page does not hold up the others. */
const MOST_AHEAD = 2 * MAX_CONCURRENCY;

/**
 * Reads the pages of a list before they are needed, so that several are under way at once. How many really
 * are is up to the pacing.
 *
 * Where the service counts its records, no page is read that cannot be needed. Where it says only that
 * there is more, a few may be asked for in vain, at most a quarter of those read before; what comes of
 * them does not matter.
 */
export class PagesAhead {
	private readonly underWay = new Map<number, Promise<ListAnswer>>();

	private pageLength?: number;

	private lastToStart = 1;

	private readonly over = new AbortController();

	/** @param limit records that are wanted */
	constructor(
		private readonly list: PagedList,
		private readonly size: number,
		private readonly limit: number,
	) {}

	/**
	 * The answer for a page; pages are taken in order.
	 *
	 * @throws ServiceError
	 */
	async take(page: number): Promise<ListAnswer> {
		for (let ahead = page; ahead <= Math.max(page, this.lastToStart); ahead++)
			void this.start(ahead);
		const answer = await this.start(page);
		this.underWay.delete(page);
		this.lastToStart = this.lastWorthStarting(page + 1, answer);
		return answer;
	}

	/** Pages that wait for their turn are not sent any more. */
	stop(): void {
		this.over.abort(WAIT_CANCELLED);
	}

	private start(page: number): Promise<ListAnswer> {
		const known = this.underWay.get(page);
		if (known) return known;
		const answer = this.list.fetchPage(page, this.size, this.over.signal);
		// A page read ahead may fail before anyone waits for it; whoever takes it gets the failure.
		answer.catch(() => undefined);
		this.underWay.set(page, answer);
		return answer;
	}

	/** Last page worth asking for together with the next one. */
	private lastWorthStarting(next: number, { items, total, hasMore }: ListAnswer): number {
		const length = (this.pageLength ??= Math.max(items.length, 1));
		// With a filter nobody knows how many records make up the limit.
		const isBounded = this.list.isWanted === undefined || this.limit === Infinity;
		const forLimit = isBounded ? Math.ceil(this.limit / length) : Infinity;
		// Some services give the number of records on the page instead of the one of the list.
		const isCounted = total !== undefined && (hasMore !== true || total > items.length);
		const goesOn = hasMore ?? items.length >= length;
		if (!isCounted && !goesOn) return next;
		const inList = isCounted ? Math.ceil(total / length) : Infinity;
		const inVain = Math.min(Math.floor((next - 1) / 4), MAX_CONCURRENCY);
		return Math.min(forLimit, inList, next + (isCounted && isBounded ? MOST_AHEAD : inVain));
	}
}
