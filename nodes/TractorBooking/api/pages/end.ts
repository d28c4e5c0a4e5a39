import { ServiceError } from '../errors';
import type { Page, PagedList } from './list';
import { Deduplicator, isCounted } from './list';

/** Pages after which a list counts as one that never ends, or twice those that it says it has, if more. */
const MAX_PAGES = 10_000;

/** How a list ended; docs/developers/assumptions.md says what follows from it. */
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

/** What is known of a list when one of its pages comes. */
interface PageContext {
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
	{ before, isShort, isRepeated }: PageContext,
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

/** What is known of a list while its pages come: what of it is missing, and whether it ends. */
export class ListState {
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

	private pages = 0;

	/**
	 * @param receivedBefore records before the page that the reading begins with; Infinity if nobody knows
	 * @param size records that are asked for in a page
	 */
	constructor(
		keyOf: PagedList['keyOf'],
		private readonly receivedBefore: number,
		private readonly size: number,
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

	/** Whether as many records came as the service counts; a count that one full page reaches may be that of the page. */
	get isComplete(): boolean {
		const { received, total = Infinity, size } = this;
		const onPage = this.before?.items.length ?? 0;
		const mayBeOfPage = received === onPage && onPage >= size;
		return !mayBeOfPage && received < Infinity && received >= total;
	}

	/** Whether more must follow, by what the page before said or by the count. */
	get isMoreExpected(): boolean {
		return this.before?.hasMore ?? this.received < (this.total ?? 0);
	}

	/**
	 * Adds what came for a page.
	 *
	 * @param result undefined if there is no such page; a failure if such a page is left out
	 * @returns how the list ends with it, if it does
	 */
	add(result: Page | ServiceError | undefined): EndKind | undefined {
		const hadFailed = this.hasFailed;
		this.hasFailed = result instanceof ServiceError;
		if (!(result instanceof ServiceError)) return this.addPage(result);
		if (this.isComplete || this.saidLast) return this.addPage(undefined);
		return hadFailed ? 'failed' : undefined;
	}

	private addPage(page: Page | undefined): EndKind | undefined {
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
		// Without a count, only a record that comes a second time shows it.
		this.hasMoved ||= this.total === undefined && fresh < page.items.length;
		return kind ?? (this.isEndless(page) ? 'endless' : undefined);
	}

	/** Notes how long the list is. Some services give the number of records on the page instead. */
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

	/** Adds a page 0 that came to light behind the others: whether it has records that they lack. */
	addPageZero({ items }: Page): boolean {
		return this.met.filterNew(items).length > 0;
	}

	/** How the list ended. */
	end(kind: EndKind): ListEnd {
		const { isPromised, total, hasMoved, met } = this;
		return { kind, isPromised, total, hasMoved, keys: met.keys };
	}
}
