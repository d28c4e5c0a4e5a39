import { WAIT_CANCELLED } from '../abort';
import { settle, ServiceError } from '../errors';
import type { EndKind, ListEnd } from './end';
import { ListState } from './end';
import { unlike } from './envelope';
import type { FirstPage, PageZero } from './firstPage';
import { fetchFirstPage, findPageZero, judgePageZero } from './firstPage';
import type { Page, PagedList } from './list';
import { isAboutThePage, PAGE_SIZE, pageOrUndefined } from './list';
import { PagePrefetcher } from './prefetch';

/** A page as it is read. */
export interface ListPage extends Page {
	number: number;
	/** Why nobody knows by now whether there is a page 0, if so. */
	pageZeroFailure?: ServiceError;
	/** How the list ended, on the last page that is given; this page may be without records. */
	end?: ListEnd;
}

/** How a list is read. */
export interface ReadOptions {
	/** Page to begin with. Without it the list is read from its beginning, a page 0 included. */
	from?: number;
	/** Whether page 0 is asked for whatever came for page 1: there was one before, or records were missing. */
	expectsPageZero?: boolean;
	/** If the reading goes on behind pages that were read earlier: the number of their records. */
	receivedBefore?: number;
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

/** Whether page 1 says that nothing comes before it; one without records does so only beside a count of 0. */
function isFirst(page: Page | undefined): boolean {
	return page?.hasPrevious === false && (page.items.length > 0 || page.total === 0);
}

/** What came of asking for a page: undefined if there is no such page. */
type PageResult = Page | ServiceError | undefined;

/** One reading of a list, once its first page was asked for. */
class ListReader {
	readonly prefetcher: PagePrefetcher;

	/** The page that was asked for first. */
	private readonly start: number;

	/** That page, if it is there. */
	private readonly first?: Page;

	/** Whether the reading is to find out where the list begins. */
	private readonly mayHaveZero: boolean;

	/** What is known of page 0; undefined as long as it was not asked for. */
	private zero?: PageZero;

	private readonly state: ListState;

	constructor(
		private readonly list: PagedList,
		private readonly options: ReadOptions,
		private readonly opening: FirstPage,
		private readonly signal: AbortSignal,
	) {
		const { from, receivedBefore, needed = 0 } = options;
		const { result, zero } = opening;
		this.start = from ?? 1;
		this.first = result instanceof ServiceError ? undefined : result;
		this.zero = zero && judgePageZero(zero, result, list.keyOf);
		this.mayHaveZero = from === undefined && !list.isChained;
		const before = receivedBefore ?? (this.start > 1 ? Infinity : 0);
		this.state = new ListState(list.keyOf, before, opening.size);
		const request = async (number: number) => await this.request(number);
		this.prefetcher = new PagePrefetcher(request, list.isChained ? 0 : needed);
	}

	/** The pages in order, and a page 0 that comes to light at the end; the last one carries `end`. */
	async *pages(): AsyncGenerator<ListPage, void, undefined> {
		const { start, first, state, options, opening } = this;
		const isPageOneOpen = !(opening.result instanceof ServiceError) && !isFirst(first);
		if (this.mayHaveZero && (options.expectsPageZero || isPageOneOpen)) {
			this.zero ??= await this.fetchZero();
		}
		const begin = this.zero?.first ? 0 : start;
		for (let number = begin; ; number++) {
			const result = await this.resultFor(number);
			const end = state.add(result);
			const page = result instanceof ServiceError || state.isRepeated ? undefined : result;
			// Page 1 is there, whatever page 0 says.
			const isBeforeFirst = number < start && first?.items.length;
			// If page 1 is page 0 once more, page 0 was page 1: the next page decides.
			const isPageOneAgain = begin === 0 && number === 1 && end === 'repeated';
			if (end !== undefined && !isBeforeFirst && !isPageOneAgain) {
				yield* this.lastPages(page, number, begin, end);
				return;
			}
			if (!page) continue;
			yield this.numbered(page, number);
			this.prefetcher.plan(number + 1, page, begin);
		}
	}

	/**
	 * What came of asking for a page.
	 *
	 * @throws ServiceError if the page failed, and is not left out
	 */
	private async resultFor(number: number): Promise<PageResult> {
		const { start, opening, zero } = this;
		if (number < start) return zero?.first;
		// Behind page 0, page 1 is read again: records may have moved to it meanwhile, or the size may be another one.
		const isAsked = number === start && !zero?.first;
		const result = isAsked ? opening.result : await this.fetch(number);
		if (!(result instanceof ServiceError)) return result;
		const { saidLast, isComplete } = this.state;
		// Some services fail at any page behind the last one. A count may be that of a page: other failures may hide more.
		const isBehind = saidLast || (isComplete && result.status === 500);
		if (!(this.options.skipFailed || isBehind) || !isAboutThePage(result)) throw result;
		return result;
	}

	private async fetch(number: number): Promise<PageResult> {
		const result = await settle(pageOrUndefined(this.prefetcher.fetch(number)));
		const isEnd = !(result instanceof ServiceError) && !result?.items.length;
		if (!isEnd || !this.state.isMoreExpected || this.list.isChained) return result;
		// One wrong response must not end the list.
		return await settle(pageOrUndefined(this.request(number)));
	}

	private async fetchZero(): Promise<PageZero> {
		return await findPageZero(
			async () => await this.request(0),
			this.opening.result,
			this.list.keyOf,
		);
	}

	private async request(number: number): Promise<Page | undefined> {
		return await this.list.fetchPage(number, this.opening.size, this.signal);
	}

	/** The page with which the list ends, and before it a page 0 that may hold what is missing. */
	private async *lastPages(
		page: Page | undefined,
		number: number,
		begin: number,
		kind: EndKind,
	): AsyncGenerator<ListPage, void, undefined> {
		const { state } = this;
		if (this.mayHaveZero && !this.zero && state.mayLackPageZero) {
			this.zero = await this.fetchZero();
		}
		const late = this.zero?.late ?? (begin > 0 ? this.zero?.first : undefined);
		if (late && state.addPageZero(late)) yield this.numbered(late, 0);
		this.refuseHidden();
		yield { ...this.numbered(page ?? { items: [] }, number), end: state.end(kind) };
	}

	/** @throws ServiceError if no response held a list, and a list without records has to be shown */
	private refuseHidden(): void {
		const { zero, first, opening } = this;
		if (this.start > 1 || this.options.mayBeHidden || this.state.isShown) return;
		if (zero?.first?.items.length) return;
		if (opening.result instanceof ServiceError) throw opening.result;
		const isThere = first ?? zero?.first;
		const reason = isThere ? undefined : (zero?.failure ?? opening.refusal);
		throw reason ?? unlike(`list of ${this.list.what}`);
	}

	private numbered(page: Page, number: number): ListPage {
		return { ...page, number, pageZeroFailure: this.zero?.failure };
	}
}

/**
 * Reads a list page by page (interface, "Pagination of list endpoints": until `next` is null or `results` is empty), by
 * one rule for its end and one for its page 0, which docs/developers/assumptions.md has in a table. The last page carries `end`. A
 * consumer may stop at any page: requests that are under way are then aborted, and nothing is left behind.
 *
 * @throws ServiceError: of a request, or `unreadable` if nothing shows that the list is empty
 */
export async function* readPages(
	list: PagedList,
	options: ReadOptions = {},
): AsyncGenerator<ListPage, void, undefined> {
	const { from = 1, size = PAGE_SIZE } = options;
	const stop = new AbortController();
	let reader: ListReader | undefined;
	try {
		const opening = await fetchFirstPage(list, from, size, stop.signal);
		reader = new ListReader(list, options, opening, stop.signal);
		yield* reader.pages();
	} finally {
		stop.abort(WAIT_CANCELLED);
		await reader?.prefetcher.settled();
	}
}
