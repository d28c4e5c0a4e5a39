import { WAIT_CANCELLED } from '../abort';
import { settle, ServiceError } from '../errors';
import { notAList } from './envelope';
import type { PageZero } from './firstPage';
import { fetchFirstPage, findPageZero, judgePageZero } from './firstPage';
import type { Page, PagedList } from './list';
import { Deduplicator, isAboutThePage, isCounted, PAGE_SIZE, pageOrUndefined } from './list';
import { PagePrefetcher } from './prefetch';

/** Pages after which a list is taken for one that never ends, or twice those that it says it has, if more. */
const MAX_PAGES = 10_000;

/** How a list ended; docs/assumptions.md says what follows from it. */
export type EndKind =
	/** The response says that nothing follows. */
	| 'said'
	/** The page is empty. */
	| 'empty'
	/** The page is empty, although the page itself or the one before it says that more follows. */
	| 'emptyAfterNext'
	/** The service knows no such page, or gives nothing in the place of its list. */
	| 'absent'
	/** The page has no other records than those before it. */
	| 'repeated'
	/** Pages came without end. */
	| 'endless'
	/** Two pages in a row failed, and failing pages are skipped. */
	| 'failed';

/** How the reading of a list ended. */
export interface ListEnd {
	kind: EndKind;
	/** Whether the last word of the service was that more follows. */
	isPromised: boolean;
	/** The number of records that the service counts, as far as its count can be right. */
	total?: number;
	/** Whether records moved to other pages meanwhile, as far as the responses show it. */
	hasMoved: boolean;
	/** The identifiers of the records. */
	keys: ReadonlySet<string | number>;
}

/** A page as it is read. */
export interface ListPage extends Page {
	number: number;
	/** Why nobody knows by now whether there is a page 0, if so. */
	pageZeroFailure?: ServiceError;
	/** Number of the list's first page, as soon as the service showed it. */
	origin?: 0 | 1;
	/** How the list ended, on the last page that is given; this page may be without records. */
	end?: ListEnd;
}

/** How a list is read. */
export interface ReadOptions {
	/** Page to begin with. Without it the list is read from its beginning, a page 0 included. */
	from?: number;
	/**
	 * If the reading goes on behind pages that were read earlier: the number of their records. As long as nobody knows
	 * the `origin`, page 0 is then looked for at the end, by the same rule.
	 */
	after?: { received: number; origin?: 0 | 1 };
	/** Records to ask for in a page. */
	size?: number;
	/** Records that are needed for sure, if the list has them: so far it may be read ahead. */
	needed?: number;
	/** Whether a list of which nothing shows is one without records; otherwise it is a failure. */
	mayBeHidden?: boolean;
	/**
	 * Whether a page that fails is left out. A list ends with the second one in a row, or with the first one behind all
	 * the records that the service counts: some services fail at any page behind the last one.
	 */
	skipFailed?: boolean;
}

/** What is known of a list when one of its pages comes. */
interface ReadSoFar {
	/** The page before it. */
	before?: Page;
	/** Whether the service counts more records than came, with this page. */
	isShort: boolean;
	/** Whether the page has no other records than those before it. */
	isRepeated: boolean;
}

/**
 * Whether and how a list ends with a page: the one rule for the end, but for lists that never end.
 *
 * @param page undefined if there is no such page
 */
function endWith(
	page: Page | undefined,
	{ before, isShort, isRepeated }: ReadSoFar,
): EndKind | undefined {
	const isThere = page !== undefined && !page.isMissing;
	const hasRecords = isThere && page.items.length > 0;
	const isNew = hasRecords && !isRepeated;
	// What an empty page says of itself does not count against the page before it.
	if (isThere && !hasRecords && before?.hasMore) return 'emptyAfterNext';
	// A count that is not reached says that more follows, whatever the page says: the next one decides.
	if (isThere && page.hasMore === false && !(isShort && isNew)) return 'said';
	if (isNew) return undefined;
	if (before?.hasMore === false) return 'said';
	if (!isThere) return 'absent';
	if (hasRecords) return 'repeated';
	return page.hasMore ? 'emptyAfterNext' : 'empty';
}

/** What is known of a list while its pages arrive. */
class Progress {
	/** The lowest count so far: records that are added while the list is read are not missed. */
	total?: number;

	/** Whether the page that came last has no other records than those before it. */
	isRepeated = false;

	/** Whether a response held a list, be it an empty one. */
	isShown = false;

	private isPromised = false;

	private hasMoved = false;

	private readonly met: Deduplicator;

	private before?: Page;

	/** Whether the page that came last is one that failed. */
	private hasFailed = false;

	/** Whether a page in the middle says, too, that nothing comes before it. */
	private isPreviousConstant = false;

	/**
	 * @param receivedBefore records before the page that the reading begins with; Infinity if nobody knows
	 * @param pages pages that were read before it
	 */
	constructor(
		keyOf: PagedList['keyOf'],
		private readonly receivedBefore: number,
		private pages: number,
	) {
		this.met = new Deduplicator(keyOf);
	}

	private get received(): number {
		return this.receivedBefore + this.met.size;
	}

	/** Whether a page 0 may hold what is missing: nothing came, or page 1 is wrong in that nothing comes before it. */
	get mayLackPageZero(): boolean {
		if (this.received === 0 && !this.isShown) return true;
		return this.total === undefined ? this.isPreviousConstant : this.received < this.total;
	}

	/** Whether the page before said that it is the last one, and is not believed. */
	get saidLast(): boolean {
		return this.before?.hasMore === false;
	}

	/** Whether more must follow, by what the page before said or by the count. */
	get isMoreExpected(): boolean {
		return this.before?.hasMore ?? this.received < (this.total ?? 0);
	}

	/**
	 * Takes in what came for a page; how the list ends with it, if it does.
	 *
	 * @param answer undefined if there is no such page; a failure if such a page is left out
	 */
	take(answer: Page | ServiceError | undefined): EndKind | undefined {
		const hadFailed = this.hasFailed;
		this.hasFailed = answer instanceof ServiceError;
		if (!(answer instanceof ServiceError)) return this.takePage(answer);
		const isComplete = this.received >= (this.total ?? Infinity);
		if (isComplete || this.saidLast) return this.takePage(undefined);
		return hadFailed ? 'failed' : undefined;
	}

	private takePage(page: Page | undefined): EndKind | undefined {
		const { before } = this;
		this.isPromised = (page?.isMissing ? undefined : page?.hasMore) ?? before?.hasMore ?? false;
		const fresh = page ? this.met.filterNew(page.items).length : 0;
		// Some services repeat a page instead of ending.
		this.isRepeated = page !== undefined && page.items.length > 0 && fresh === 0;
		const isShort = this.received < (page?.total ?? this.total ?? 0);
		const kind = endWith(page, { before, isShort, isRepeated: this.isRepeated });
		if (!page || this.isRepeated) return kind;
		this.isShown ||= !page.isMissing;
		this.isPreviousConstant ||= this.pages > 0 && page.hasPrevious === false;
		this.before = page;
		this.pages += 1;
		this.count(page);
		// Without a count, a record that comes a second time is all that tells.
		this.hasMoved ||= this.total === undefined && fresh < page.items.length;
		return kind ?? (this.isEndless(page) ? 'endless' : undefined);
	}

	/** Takes in how long the list is. Some services give the number of records on the page instead. */
	private count(page: Page): void {
		const { items, total } = page;
		// An empty page may count nothing, since it has nothing.
		if (total === undefined || !isCounted(page) || (items.length === 0 && this.received > 0))
			return;
		if (total === items.length && this.received > total) {
			this.total = undefined;
			return;
		}
		this.hasMoved ||= total < (this.total ?? 0);
		this.total = Math.min(total, this.total ?? Infinity);
	}

	private isEndless({ items }: Page): boolean {
		// Twice, since a list may grow and shift while it is read.
		const counted = (2 * (this.total ?? 0)) / items.length;
		return this.pages >= Math.max(MAX_PAGES, counted);
	}

	/** Takes in a page 0 that came to light behind the others. */
	addPageZero({ items }: Page): void {
		this.met.filterNew(items);
	}

	/** How the list ended. */
	end(kind: EndKind): ListEnd {
		const { isPromised, total, hasMoved, met } = this;
		return { kind, isPromised, total, hasMoved, keys: met.keys };
	}
}

/** Whether page 1 says that nothing comes before it; one without records does so only beside a count of 0. */
function isFirst(page: Page | undefined): boolean {
	return page?.hasPrevious === false && (page.items.length > 0 || page.total === 0);
}

/**
 * Reads a list page by page (interface, "Pagination of list endpoints": until `next` is null or `results` is empty), by
 * one rule for its end and one for its page 0, which docs/assumptions.md has in a table. The last page carries `end`. A
 * consumer may stop at any page: requests that are under way are then aborted, and nothing is left behind.
 *
 * @throws ServiceError: of a request, or `unreadable` if nothing shows that the list is empty
 */
export async function* readPages(
	list: PagedList,
	{
		from,
		after,
		size: wished = PAGE_SIZE,
		needed = 0,
		mayBeHidden = false,
		skipFailed = false,
	}: ReadOptions = {},
): AsyncGenerator<ListPage, void, undefined> {
	const stop = new AbortController();
	let prefetcher: PagePrefetcher | undefined;
	try {
		const start = from ?? 1;
		const opening = await fetchFirstPage(list, start, wished, stop.signal);
		const { answer: opened, size, refusal } = opening;
		const isFailed = opened instanceof ServiceError;
		if (isFailed && !(skipFailed && isAboutThePage(opened))) throw opened;
		const first = isFailed ? undefined : opened;
		const fetch = async (page: number) => await list.fetchPage(page, size, stop.signal);

		const lookForZero = async () =>
			await findPageZero(async () => await fetch(0), first, list.keyOf);
		let zero: PageZero | undefined;
		if (opening.zero) zero = judgePageZero(opening.zero, first, list.keyOf);
		const isOriginOpen = after ? after.origin === undefined : from === undefined;
		const mayHaveZero = isOriginOpen && !list.isChained;
		if (mayHaveZero && !after && !isFailed && !isFirst(first)) zero ??= await lookForZero();

		const begin = zero?.page ? 0 : start;
		prefetcher = new PagePrefetcher({
			fetch,
			needed: list.isChained ? 0 : needed,
			origin: Math.min(begin, 1),
			start: begin,
		});
		const receivedBefore = after?.received ?? (start > 1 ? Infinity : 0);
		const progress = new Progress(list.keyOf, receivedBefore, after ? 1 : 0);
		const known = () => ({ pageZeroFailure: zero?.failure, origin: zero?.origin });

		for (let number = begin; ; number++) {
			let answer = number < start ? zero?.page : opened;
			if (number > start) {
				answer = await settle(pageOrUndefined(prefetcher.take(number)));
				// One wrong answer must not end the list.
				const isEnd = !(answer instanceof ServiceError) && !answer?.items.length;
				if (isEnd && progress.isMoreExpected && !list.isChained)
					answer = await settle(pageOrUndefined(fetch(number)));
				const isLeftOut = answer instanceof ServiceError && isAboutThePage(answer);
				if (answer instanceof ServiceError && !(isLeftOut && (skipFailed || progress.saidLast)))
					throw answer;
			}
			const kind = progress.take(answer);
			const page = answer instanceof ServiceError || progress.isRepeated ? undefined : answer;
			// Page 1 is there, whatever page 0 says.
			if (kind === undefined || (number < start && first && first.items.length > 0)) {
				if (!page) continue;
				yield { ...page, number, ...known() };
				prefetcher.plan(number + 1, page);
				continue;
			}
			if (mayHaveZero && !zero && progress.mayLackPageZero) {
				zero = await lookForZero();
				if (zero.page) {
					progress.addPageZero(zero.page);
					yield { ...zero.page, number: 0, ...known() };
				}
			}
			if (start <= 1 && !mayBeHidden && !progress.isShown && !zero?.page?.items.length) {
				if (isFailed) throw opened;
				throw (
					((first ?? zero?.page) ? undefined : (zero?.failure ?? refusal)) ?? notAList(list.what)
				);
			}
			yield { items: [], ...page, number, ...known(), end: progress.end(kind) };
			return;
		}
	} finally {
		stop.abort(WAIT_CANCELLED);
		await prefetcher?.settled();
	}
}
