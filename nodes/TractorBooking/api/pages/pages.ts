import { WAIT_CANCELLED } from '../abort';
import { settle, ServiceError } from '../errors';
import { ListCount } from './count';
import type { EndKind, ListEnd } from './end';
import { endWith, PageKeys } from './end';
import type { Page } from './envelope';
import { notAList } from './envelope';
import type { PagedList } from './list';
import { PAGE_SIZE } from './list';
import { isAboutThePage, PageZero } from './pageZero';
import type { ReadAhead } from './prefetch';
import { PagePrefetcher } from './prefetch';
import type { FirstPage } from './request';
import { acceptedSize, fetchFirstPage, pageOrUndefined } from './request';

/** Pages after which a list is taken for one that never ends, or twice those that it says it has, if more. */
const MAX_PAGES = 10_000;

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
	/** How far to read ahead; without it pages are asked for one after the other, when they are needed. */
	ahead?: ReadAhead;
	/** Whether a list of which nothing shows is one without records; otherwise it is a failure. */
	mayBeHidden?: boolean;
	/**
	 * Whether a page that fails is left out. A list ends with the second one in a row, or with the first one behind all
	 * the records that the service counts: some services fail at any page behind the last one.
	 */
	skipFailed?: boolean;
}

/** What is known of a list while its pages arrive. */
class Progress {
	private readonly count = new ListCount();

	private firstKeys?: PageKeys;

	private lastKeys?: PageKeys;

	private before?: Page;

	private pages = 0;

	/** Whether the page that came last is one that failed. */
	private hasFailed = false;

	/** Whether the page that came last is the one before it, or the first one, once more. */
	isRepeated = false;

	/** Whether a response held a list, be it an empty one. */
	private isShown = false;

	/** Whether a page in the middle says, too, that nothing comes before it. */
	private isPreviousConstant = false;

	/** Whether the last word of the service was that more follows. */
	isPromised = false;

	/**
	 * @param received records before the page that the reading begins with
	 * @param isFromStart whether it is known how many these are
	 * @param isBehindFirst whether there are pages before that page
	 */
	constructor(
		private readonly keyOf: PagedList['keyOf'],
		private received: number,
		private readonly isFromStart: boolean,
		private isBehindFirst: boolean,
	) {}

	/** The number of records that the service counts. */
	get total(): number | undefined {
		return this.count.total;
	}

	/** Whether a page 0 may hold what is missing: nothing came, or page 1 is wrong in that nothing comes before it. */
	get mayLackPageZero(): boolean {
		if (this.isHidden) return true;
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

	/** Whether nothing came, and nothing shows that there is nothing. */
	get isHidden(): boolean {
		return this.received === 0 && !this.isShown;
	}

	/**
	 * Takes in what came for a page; how the list ends with it, if it does.
	 *
	 * @param answer undefined if there is no such page; a failure if such a page is left out
	 */
	take(answer: Page | ServiceError | undefined): EndKind | undefined {
		const isFailure = answer instanceof ServiceError;
		const isComplete = this.total !== undefined && this.received >= this.total;
		if (isFailure && !isComplete && !this.saidLast) {
			const isSecond = this.hasFailed;
			this.hasFailed = true;
			return isSecond ? 'failed' : undefined;
		}
		this.hasFailed = false;
		return this.takePage(isFailure ? undefined : answer);
	}

	private takePage(page: Page | undefined): EndKind | undefined {
		const { before, firstKeys, lastKeys } = this;
		const said = page?.isMissing ? undefined : page?.hasMore;
		this.isPromised = said ?? before?.hasMore ?? false;
		const came = this.received + (page?.items.length ?? 0);
		const isShort = this.isFromStart && came < (page?.total ?? this.total ?? 0);
		// Some services repeat a page instead of ending.
		this.isRepeated =
			page !== undefined &&
			page.items.length > 0 &&
			(firstKeys?.holdsAllOf(page) || lastKeys?.holdsAllOf(page) || false);
		const kind = endWith(page, { before, isShort, isRepeated: this.isRepeated });
		if (!page || this.isRepeated) return kind;
		this.isShown ||= !page.isMissing;
		this.isPreviousConstant ||= this.isBehindFirst && page.hasPrevious === false;
		this.isBehindFirst = true;
		this.before = page;
		this.lastKeys = new PageKeys(page, this.keyOf);
		this.firstKeys ??= this.lastKeys;
		this.pages += 1;
		this.received = came;
		this.count.add(page, came);
		return kind ?? (this.isEndless(page) ? 'endless' : undefined);
	}

	private isEndless({ items }: Page): boolean {
		// Twice, since a list may grow and shift while it is read.
		const counted = (2 * (this.total ?? 0)) / items.length;
		return this.pages >= Math.max(MAX_PAGES, counted);
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
		size: wished = PAGE_SIZE,
		ahead,
		after,
		mayBeHidden = false,
		skipFailed = false,
	}: ReadOptions = {},
): AsyncGenerator<ListPage, void, undefined> {
	const stop = new AbortController();
	const { signal } = stop;
	let prefetcher: PagePrefetcher | undefined;
	const isSkipped = (failure: ServiceError) => skipFailed && isAboutThePage(failure);
	try {
		const start = from ?? 1;
		const opened = await settle(fetchFirstPage(list, start, wished, signal));
		if (opened instanceof ServiceError && !isSkipped(opened)) throw opened;
		const isFailed = opened instanceof ServiceError;
		const opening: FirstPage = isFailed ? { size: acceptedSize(list, wished) } : opened;
		const { page: first, size } = opening;
		const fetch = async (page: number) => await list.fetchPage(page, size, signal);

		const zero = new PageZero(async () => await fetch(0), first, list.keyOf);
		if (opening.zero) zero.know(opening.zero);
		const isOriginOpen = after ? after.origin === undefined : from === undefined;
		const mayHaveZero = isOriginOpen && !list.isChained;
		if (mayHaveZero && !after && !isFailed && !zero.isKnown && !isFirst(first)) await zero.look();
		const hasToShow = start <= 1 && !mayBeHidden;
		if (hasToShow && !first && !zero.page && !isFailed) {
			throw zero.failure ?? opening.failure ?? notAList(list.what);
		}

		const origin = zero.page ? 0 : 1;
		const begin = zero.page ? 0 : start;
		prefetcher = new PagePrefetcher({
			fetch,
			ahead: list.isChained ? undefined : ahead,
			origin,
			start: begin,
		});
		const isFromStart = after !== undefined || start <= 1;
		const { received = 0 } = after ?? {};
		const progress = new Progress(list.keyOf, received, isFromStart, after !== undefined);
		const known = () => ({ pageZeroFailure: zero.failure, origin: zero.origin });

		for (let number = begin; ; number++) {
			let answer: Page | ServiceError | undefined = number < start ? zero.page : first;
			if (number === start && isFailed) answer = opened;
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
				if (number > 1 && number > start) zero.isProven ||= zero.isRepeated;
				yield { ...page, number, ...known() };
				prefetcher.plan(number + 1, page);
				continue;
			}
			let late: Page | undefined;
			if (mayHaveZero && !zero.isKnown && progress.mayLackPageZero) {
				await zero.look();
				late = zero.page;
				if (late) yield { ...late, number: 0, ...known() };
			}
			if (hasToShow && progress.isHidden && !late) throw isFailed ? opened : notAList(list.what);
			const { isPromised, total } = progress;
			yield { items: [], ...page, number, ...known(), end: { kind, isPromised, total } };
			return;
		}
	} finally {
		stop.abort(WAIT_CANCELLED);
		await prefetcher?.settled();
	}
}
