import type { IDataObject } from 'n8n-workflow';

import { MAX_CONCURRENCY } from '../../utils/mapConcurrent';
import { WAIT_CANCELLED } from '../waits';
import { isUnknown, openList, PAGE_SIZE, readPage, SeenRecords } from './fetch';
import type { Page, PagedList } from './fetch';

/** Pages after which a list counts as one that never ends. */
const MAX_PAGES = 10_000;

/** Pages that are asked for before they are needed; enough that one slow page does not hold up the others. */
const MAX_AHEAD = 2 * MAX_CONCURRENCY;

export type EndReason = 'said' | 'empty' | 'unknown' | 'repeated' | 'endless';

/** A page among others: its records are those that no page before it had. */
export interface ListPage extends Page {
	number: number;
	isLast: boolean;
}

export interface ReadOptions {
	/** Page to begin with; by default the one with which the list begins. */
	from?: number;
	/** Reads backwards, and ends with this page. */
	downTo?: number;
	/** Records before `from`, if that is known: by them and its own, a count shows what is missing. */
	before?: number;
	/** Whether a page is known to be followed by `from`. */
	moreExpected?: boolean;
	size?: number;
	/** Records that are needed for sure, if the list has them: so far it is read ahead, if the service counts. */
	needed?: number;
	/** Whether pages that fail are passed over, and shown with their error; else it is thrown. */
	passesOver?: boolean;
}

/** What one reading of a list has shown of it so far. */
export class Reading {
	end?: EndReason;

	/** The lowest count so far: records that are added while the list is read are not missed. */
	count?: number;

	/** What the last page with records said of a next one. */
	hasNext?: boolean;

	/** Whether records moved to other pages meanwhile. */
	isUnsteady = false;

	pageLength = 0;

	/** The size of pages that was wished for. */
	readonly size?: number;

	readonly seen: SeenRecords;

	/** Records before those that are read. */
	private readonly before: number;

	constructor({ keyOf }: PagedList, { from, before, moreExpected, size }: ReadOptions = {}) {
		this.size = size;
		this.seen = new SeenRecords(keyOf);
		this.before = before ?? (from === undefined ? 0 : Infinity);
		// Before a page is read, false would mean that the service had named the end.
		if (moreExpected) this.hasNext = true;
	}

	/** How many records the service counts and has not sent. */
	get lacking(): number {
		return Math.max((this.count ?? 0) - this.before - this.seen.size, 0);
	}

	/** The one rule for the end of a list: a next page is promised, or records that are counted have not come. */
	get moreExpected(): boolean {
		return this.hasNext === true || this.lacking > 0;
	}

	add(number: number, page: Page): Omit<ListPage, 'isLast'> {
		const records = page.error ? [] : this.take(page);
		// Services fail with 500 at a page that they do not have: it is none, if they have said that nothing follows.
		const isAll = !this.moreExpected && (this.count ?? this.hasNext) !== undefined;
		if (isUnknown(page) || (page.error?.status === 500 && isAll)) this.end = 'unknown';
		return { ...page, number, records };
	}

	/** Takes in a page. @returns the records that are new */
	private take({ records: { length }, records: all, hasNext, count = NaN }: Page): IDataObject[] {
		const { moreExpected } = this;
		const records = this.seen.addNew(all);
		this.pageLength ||= length;
		if (length > 0) this.hasNext = hasNext;
		if (count >= this.before + this.seen.size) {
			// If the count has changed, a record that was added may hide that another one was missed.
			this.isUnsteady ||= count !== (this.count ?? count);
			this.count = Math.min(count, this.count ?? Infinity);
		}
		if (length === 0) this.end = 'empty';
		// If more is expected, a repeated page does not end the list: the one after it is read, too.
		else if (records.length === 0 && (!moreExpected || this.isUnsteady)) this.end = 'repeated';
		// Without a count, only a record that comes a second time shows that some moved.
		else if (records.length === 0 || this.count === undefined)
			this.isUnsteady ||= records.length < length;
		if (hasNext === false && this.lacking === 0) this.end ??= 'said';
		return records;
	}
}

/**
 * Reads a list page by page, from its first page or another one on, forwards to its end or backwards (interface,
 * "Pagination of list endpoints": until `next` is null or `results` is empty). A consumer may stop at any page: requests
 * that are under way are then aborted.
 *
 * @param reading gets what the list shows of itself; that it was short, or broke off, is up to the consumer
 * @throws ServiceError of a page that fails, unless these are passed over, and if there is no first page
 */
export async function* iterate(
	whole: PagedList,
	options: ReadOptions = {},
	reading = new Reading(whole, options),
): AsyncGenerator<ListPage, void, undefined> {
	const { from, downTo, size: wished = PAGE_SIZE, needed = 0, passesOver } = options;
	const stop = new AbortController();
	const fetchPage = async (number: number, size: number) =>
		await whole.fetchPage(number, size, stop.signal);
	const list = { ...whole, fetchPage };
	const underWay = new Map<number, Promise<Page>>();
	try {
		const opened = from === undefined ? await openList(list, wished) : undefined;
		const begin = opened?.number ?? from ?? 1;
		const size = opened?.size ?? Math.min(list.shape.size ?? wished, wished);
		const read = async (number: number) => await readPage(list, number, size);
		if (opened) underWay.set(begin, Promise.resolve(opened.page));
		for (let number = begin; ; number += downTo === undefined ? 1 : -1) {
			const page = reading.add(number, await (underWay.get(number) ?? read(number)));
			underWay.delete(number);
			const isMissing = reading.end === undefined || (opened && number === begin);
			if (page.error && isMissing && !passesOver) throw page.error;
			if (number - begin >= MAX_PAGES - 1) reading.end ??= 'endless';
			const isLast = downTo === undefined ? reading.end !== undefined : number <= downTo;
			yield { ...page, isLast };
			if (isLast) return;
			const pages = Math.ceil(Math.min(needed, reading.count ?? 0) / reading.pageLength);
			const last = list.isChained ? 0 : Math.min(begin + pages - 1, number + MAX_AHEAD);
			for (let ahead = number + 1; ahead <= last; ahead++)
				if (!underWay.has(ahead)) underWay.set(ahead, read(ahead));
		}
	} finally {
		stop.abort(WAIT_CANCELLED);
		await Promise.allSettled(underWay.values());
	}
}
