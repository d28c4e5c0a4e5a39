import { WAIT_CANCELLED } from '../abort';
import { settle, ServiceError } from '../errors';
import { ListCount } from './count';
import type { ListEnd } from './end';
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
	/** Whether to read on behind a page that says that nothing follows, as long as the count is not reached. */
	pastLast?: boolean;
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

	private readonly keyOf: PagedList['keyOf'];

	private firstKeys?: PageKeys;

	private lastKeys?: PageKeys;

	private before?: Page;

	private pages = 0;

	private received: number;

	/** Whether a response held a list, be it an empty one. */
	private isShown = false;

	/** Whether a page in the middle says, too, that nothing comes before it. */
	private isPreviousConstant = false;

	/** Whether there are pages before the one to be read. */
	private isBehindFirst: boolean;

	/** Whether the last word of the service was that more follows. */
	isPromised = false;

	constructor(
		{ keyOf }: PagedList,
		private readonly pastLast: boolean,
		after: ReadOptions['after'],
	) {
		this.keyOf = keyOf;
		this.received = after?.received ?? 0;
		this.isBehindFirst = after !== undefined;
	}

	/** The number of records that the service counts. */
	get total(): number | undefined {
		return this.count.total;
	}

	/** Whether all records came that the service counts. */
	get isComplete(): boolean {
		return this.count.total !== undefined && this.received >= this.count.total;
	}

	/** Whether a page 0 may hold what is missing although page 1 says that nothing comes before it. */
	get mayLackPageZero(): boolean {
		const { total } = this.count;
		return total === undefined ? this.isPreviousConstant : this.received < total;
	}

	/** Whether the page before said that it is the last one, and is not believed. */
	get saidLast(): boolean {
		return this.pastLast && this.before?.hasMore === false;
	}

	/** Whether nothing came, and nothing shows that there is nothing. */
	get isHidden(): boolean {
		return this.received === 0 && !this.isShown;
	}

	/** Takes in a page; how the list ends with it, if it does. Undefined stands for a page that is not there. */
	take(page: Page | undefined): ListEnd['kind'] | undefined {
		const { before, firstKeys, lastKeys } = this;
		const said = page?.isMissing ? undefined : page?.hasMore;
		this.isPromised = said ?? before?.hasMore ?? false;
		const came = page?.items.length ?? 0;
		const total = page?.total ?? this.count.total ?? 0;
		const readsOn = this.pastLast && came > 0 && this.received + came < total;
		const end = this.saidLast ? 'said' : endWith(page, before);
		const kind = readsOn ? undefined : end;
		if (!page) return kind;
		this.isShown ||= !page.isMissing;
		// Some services repeat a page instead of ending.
		if (!kind && (firstKeys?.holdsAllOf(page) || lastKeys?.holdsAllOf(page)))
			return this.saidLast ? 'said' : 'repeated';
		this.isPreviousConstant ||= this.isBehindFirst && page.hasPrevious === false;
		this.isBehindFirst = true;
		this.before = page;
		this.lastKeys = new PageKeys(page, this.keyOf);
		this.firstKeys ??= this.lastKeys;
		this.pages += 1;
		this.received += page.items.length;
		this.count.add(page, this.received);
		return kind ?? (this.isEndless(page) ? 'endless' : undefined);
	}

	private isEndless({ items }: Page): boolean {
		// Twice, since a list may grow and shift while it is read.
		const counted = (2 * (this.count.total ?? 0)) / items.length;
		return this.pages >= Math.max(MAX_PAGES, counted);
	}
}

/** Whether page 1 says that nothing comes before it; one without records does so only beside a count of 0. */
function isFirst({ hasPrevious, items, total }: Page): boolean {
	return hasPrevious === false && (items.length > 0 || total === 0);
}

/** A page that should not be there: a failure that is about the page says as much. */
async function pageIfAny(answer: Promise<Page | undefined>): Promise<Page | undefined> {
	const outcome = await settle(answer);
	if (!(outcome instanceof ServiceError)) return outcome;
	if (!isAboutThePage(outcome)) throw outcome;
	return undefined;
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
		pastLast = false,
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
		const outcome = await settle(fetchFirstPage(list, start, wished, signal));
		if (outcome instanceof ServiceError && !isSkipped(outcome)) throw outcome;
		const isFailed = outcome instanceof ServiceError;
		const opened: FirstPage = isFailed ? { size: acceptedSize(list, wished) } : outcome;
		const { page: first, size, failure } = opened;
		const fetch = async (page: number) => await list.fetchPage(page, size, signal);

		const firstKeys = new PageKeys(first ?? { items: [] }, list.keyOf);
		const isAgain = (page: Page) => firstKeys.holdsMostOf(page);
		const zero = new PageZero(async () => await fetch(0), first, isAgain);
		if (opened.zero) zero.know(opened.zero);
		const isOriginOpen = after ? after.origin === undefined : from === undefined;
		const mayHaveZero = isOriginOpen && !list.isChained;
		const looksFirst = mayHaveZero && !after && !isFailed;
		if (looksFirst && !zero.isKnown && !(first && isFirst(first))) await zero.look();
		const hasToShow = start <= 1 && !mayBeHidden;
		if (!first && !zero.page && !isFailed && hasToShow) {
			throw zero.failure ?? failure ?? notAList(list.what);
		}

		const opening = zero.page ? 0 : start;
		prefetcher = new PagePrefetcher({
			fetch,
			ahead: list.isChained ? undefined : ahead,
			origin: opening === 0 ? 0 : 1,
			start: opening,
		});
		const progress = new Progress(list, pastLast, after);
		const known = () => ({ pageZeroFailure: zero.failure, origin: zero.origin });
		let hasFailed = false;
		for (let number = opening; ; number++) {
			let page = number < start ? zero.page : first;
			let isFailure = isFailed && number === start;
			if (number > start) {
				const answer = prefetcher.take(number);
				const asked = progress.saidLast ? pageIfAny(answer) : pageOrUndefined(answer);
				const came = await settle(asked);
				isFailure = came instanceof ServiceError;
				if (came instanceof ServiceError && !isSkipped(came)) throw came;
				page = came instanceof ServiceError ? undefined : came;
			}
			if (isFailure && !hasFailed && !progress.isComplete) {
				hasFailed = true;
				continue;
			}
			const isOver = isFailure && hasFailed && !progress.isComplete;
			hasFailed = false;
			const kind = isOver ? 'failed' : progress.take(page);
			// Page 1 is there, whatever page 0 says.
			const goesOn = kind === undefined || (number < start && first && first.items.length > 0);
			if (page && goesOn) {
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
			if (hasToShow && progress.isHidden && !late) throw notAList(list.what);
			const last = kind === 'repeated' ? undefined : page;
			const { isPromised, total } = progress;
			const end = { kind: kind ?? 'absent', isPromised, total };
			yield { items: [], ...last, number, ...known(), end };
			return;
		}
	} finally {
		stop.abort(WAIT_CANCELLED);
		await prefetcher?.settled();
	}
}
