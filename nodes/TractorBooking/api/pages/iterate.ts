import type { IDataObject } from 'n8n-workflow';

import { MAX_CONCURRENCY } from '../../utils/mapConcurrent';
import { WAIT_CANCELLED } from '../abort';
import { ServiceError } from '../errors';
import type { Opened, PagedList, PageResult } from './fetch';
import { openList, PAGE_SIZE, readPage, REFUSED, Seen } from './fetch';
import type { Page } from './unwrap';

/** Pages after which a list counts as one that never ends. */
const MAX_PAGES = 10_000;

/** Pages that are asked for before they are needed; enough that one slow page does not hold up the others. */
const MAX_AHEAD = 2 * MAX_CONCURRENCY;

/** Passes over a list that changes while it is read, or gives less than it says it has. */
const MAX_PASSES = 3;

/** How a list ended, with the words for a list that ended too early. */
const ENDS = {
	said: 'the service said that nothing follows',
	empty: 'the service sent an empty page',
	unknown: 'the service knew no further page',
	refused: 'the service refused to send a further page',
	repeated: 'the service repeated what it had sent before',
	endless: 'the service kept sending more without end',
} as const;

/** What one pass over a list has shown of it so far. */
class Pass {
	end?: keyof typeof ENDS;

	/** The lowest count so far: records that are added while the list is read are not missed. */
	count?: number;

	/** Whether records moved to other pages meanwhile. */
	isUnsteady = false;

	/** Whether the last page with records said that more follows. */
	isPromised = false;

	/** Records on the first page. */
	pageLength = 0;

	readonly seen: Seen;

	private pages = 0;

	/** Whether the last page with new records may be the last one: then a 500 may say that there is no other. */
	private mayBeOver = false;

	/** @param isWhole whether the pass begins with the first page: only then does a count say what is missing */
	constructor(
		list: PagedList,
		private readonly isWhole: boolean,
	) {
		this.seen = new Seen(list.keyOf);
	}

	/** How many records the service counts and has not sent. */
	get lacking(): number {
		return Math.max((this.count ?? 0) - this.seen.size, 0);
	}

	/** Whether the service broke off although it said that more follows, and no count tells what is missing. */
	get isBroken(): boolean {
		return this.isPromised && this.count === undefined && this.end !== 'empty';
	}

	/**
	 * Takes in what came for the next page.
	 *
	 * @returns the page, if it has new records
	 * @throws ServiceError if the page failed, and the list does not end with that
	 */
	add(result: PageResult): Page | undefined {
		if ('error' in result) {
			const { error, kind } = result;
			if (kind === 'failed' && !(error.status === 500 && this.mayBeOver)) throw error;
			if (this.pages === 0 && this.isWhole) throw error;
			this.end = REFUSED.has(error.status) ? 'refused' : 'unknown';
			return undefined;
		}
		const { page } = result;
		const fresh = this.seen.addNew(page.records);
		this.learn(page, fresh.length);
		this.pages += 1;
		if (page.records.length === 0) this.end = 'empty';
		else if (fresh.length === 0) this.end = 'repeated';
		else if (page.hasNext === false && this.lacking === 0) this.end = 'said';
		else if (this.pages >= MAX_PAGES) this.end = 'endless';
		return fresh.length > 0 ? page : undefined;
	}

	private learn({ records: { length }, hasNext, count = NaN }: Page, fresh: number): void {
		if (this.pages === 0) this.pageLength = length;
		if (length > 0) this.isPromised = hasNext ?? false;
		if (this.isWhole && count >= this.seen.size) {
			this.isUnsteady ||= count < (this.count ?? 0);
			this.count = Math.min(count, this.count ?? Infinity);
		}
		if (fresh === 0) return;
		// Without a count, only a record that comes a second time shows that some moved.
		this.isUnsteady ||= this.count === undefined && fresh < length;
		const isCountReached = this.seen.size >= (this.count ?? Infinity);
		this.mayBeOver = isCountReached || !(hasNext ?? length >= this.pageLength);
	}
}

/** A page as it is read. */
export interface ListPage extends Page {
	number: number;
	/** Whether it is known already that none follows. */
	isLast: boolean;
}

/** How a list is read. */
interface IterateOptions {
	/** Page to begin with; by default the one with which the list begins. */
	from?: number;
	/** Records to ask for in a page. */
	size?: number;
	/** Records that are needed for sure, if the list has them: so far it is read ahead, if the service counts. */
	needed?: number;
	/** See {@link openList}. */
	isDoubted?: boolean;
}

/**
 * Reads a list page by page, in order: those that have new records (interface, "Pagination of list endpoints": until
 * `next` is null or `results` is empty). A consumer may stop at any page: requests that are under way are then aborted.
 *
 * @param pass gets what this reading shows of the list; that it was short, or broke off, is up to the consumer
 * @throws ServiceError of a request, also if the service does not know the first page of the list
 */
export async function* iterate(
	list: PagedList,
	{ from, size: wished = PAGE_SIZE, needed = 0, isDoubted }: IterateOptions = {},
	pass = new Pass(list, from === undefined),
): AsyncGenerator<ListPage, void, undefined> {
	const stop = new AbortController();
	const underWay = new Map<number, Promise<PageResult>>();
	try {
		const opened: Partial<Opened> =
			from === undefined ? await openList(list, wished, stop.signal, isDoubted) : {};
		const { number: begin = from ?? 1, size = Math.min(list.memory.size ?? wished, wished) } =
			opened;
		const read = async (number: number) => await readPage(list, number, size, stop.signal);
		if (opened.result) underWay.set(begin, Promise.resolve(opened.result));
		for (let number = begin; !pass.end; number++) {
			let result = await (underWay.get(number) ?? read(number));
			underWay.delete(number);
			// One wrong response must not end the list.
			const isOver = result.kind === 'empty' || result.kind === 'unknown';
			if (isOver && pass.isPromised) result = await read(number);
			const page = pass.add(result);
			if (!page) continue;
			yield { ...page, number, isLast: pass.end !== undefined };
			const pages = Math.ceil(Math.min(needed, pass.count ?? 0) / pass.pageLength);
			const last = list.isGuessed ? 0 : Math.min(begin + pages - 1, number + MAX_AHEAD);
			for (let ahead = number + 1; ahead <= last; ahead++)
				if (!underWay.has(ahead)) underWay.set(ahead, read(ahead));
		}
		const { pageZero } = opened;
		if (pageZero && pass.seen.addNew(pageZero.records).length > 0)
			yield { ...pageZero, number: 0, isLast: true };
	} finally {
		stop.abort(WAIT_CANCELLED);
		await Promise.allSettled(underWay.values());
	}
}

/** What of a list is wanted. */
export interface CollectOptions {
	/** Records at most; all by default. */
	limit?: number;
	/** Filter on our side, since the interface documents none; the limit counts wanted records only. */
	isWanted?: (record: IDataObject) => boolean;
	/** Records to ask for in a page. */
	pageSize?: number;
	/** Shows the user what does not stop the reading. */
	warn?: (text: string) => void;
	/** Gets each page as it comes, also those of a second pass. */
	onPage?: (page: ListPage) => void;
}

/**
 * Reads a list to its end or up to `limit` records, each once, in the order in which they came. A list that changed
 * meanwhile, or gave fewer records than it says it has, is read again, by the rules 7 and 8 of
 * docs/developers/assumptions.md.
 *
 * @throws ServiceError: of a request, or `unreadable` if the service gives less than it says it has
 */
export async function collect(
	list: PagedList,
	{ limit = Infinity, isWanted, pageSize = PAGE_SIZE, warn, onPage }: CollectOptions = {},
): Promise<IDataObject[]> {
	const { keyOf, what } = list;
	const seen = new Seen(keyOf);
	const records: IDataObject[] = [];
	const needed = isWanted && limit < Infinity ? 0 : limit;
	let size = isWanted ? pageSize : Math.min(limit, pageSize);
	let before: Pass | undefined;
	for (let turn = 1; ; turn++) {
		const pass = new Pass(list, true);
		for await (const page of iterate(list, { size, needed, isDoubted: turn > 1 }, pass)) {
			onPage?.(page);
			const fresh = seen.addNew(page.records);
			const wanted = isWanted ? fresh.filter(isWanted) : fresh;
			for (const record of wanted) records.push(record);
			if (records.length >= limit) return records.slice(0, limit);
		}
		if (pass.end === 'endless' || isOnePage(list, pass, size))
			throw incomplete(list, seen.size, pass);
		const { count = 0, isBroken, isPromised } = pass;
		const isShort = seen.size < count;
		if (!isShort && !isBroken && !pass.isUnsteady) return records;
		const isSame = before !== undefined && isAsBefore(pass, before);
		if (!isSame && turn < MAX_PASSES) {
			before = pass;
			// A service that caps the size of pages may leave out what a page of the wished size would have held.
			size = Math.min(size, pass.pageLength || size);
			continue;
		}
		// A list without records that are counted may be one that the service failed to read.
		const isCountWrong = isShort && isSame && !isPromised && seen.size > 0;
		if (isCountWrong)
			warn?.(
				`The service counts ${count} ${what}, but its list gives ${seen.size}, which is all that is read.`,
			);
		else if (isShort || isBroken) throw incomplete(list, seen.size, pass);
		return records;
	}
}

/** Whether a list whose paging is not documented gave only its first page, which may not be all. */
function isOnePage({ isGuessed }: PagedList, pass: Pass, size: number): boolean {
	const { end, count, pageLength, seen } = pass;
	const isIgnored = (end === 'repeated' || end === 'refused') && seen.size === pageLength;
	const isFull = pageLength >= size || (pageLength >= 10 && 100 % pageLength === 0);
	const mayBePart = count === undefined ? isFull : count > pageLength;
	return isGuessed === true && isIgnored && mayBePart;
}

/** Whether a second pass lacks as many records as the first one did, and nothing that the first one gave. */
function isAsBefore(pass: Pass, before: Pass): boolean {
	const isSuperset = [...before.seen.keys].every((key) => pass.seen.keys.has(key));
	return isSuperset && pass.lacking === before.lacking;
}

function incomplete({ what }: PagedList, received: number, pass: Pass): ServiceError {
	const of = pass.count === undefined ? '' : ` of ${pass.count}`;
	const message = `The list of ${what} cannot be read to its end: after ${received}${of}, ${ENDS[pass.end ?? 'empty']}`;
	return new ServiceError('unreadable', message, {
		description: `Nothing is returned, so that no record is missing unnoticed. To work with the first records, turn off Return All, and set Limit to ${received} or less; to name one in a list, choose By ID. Or set Options > Page Size to more records than there are. Then tell the operator of the service.`,
	});
}
