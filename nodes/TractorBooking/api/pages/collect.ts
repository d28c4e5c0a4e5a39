import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors';
import type { EndKind, ListEnd } from './end';
import type { PagedList } from './list';
import { Deduplicator, PAGE_SIZE } from './list';
import type { ListPage } from './pages';
import { readPages } from './pages';

/** Passes over a list that changes while it is read, or gives less than it counts. */
const MAX_PASSES = 3;

/** Why a list could not be read to its end, by how it ended. */
const WHY: Readonly<Record<EndKind, string>> = {
	said: 'it kept changing while it was read',
	empty: 'it kept changing while it was read',
	emptyAfterNext: 'the service sent an empty page although it says that there is more',
	absent: 'the service knew no further page',
	repeated: 'the service repeated what it had sent before',
	endless: 'the service kept sending more without end',
	failed: 'the service failed to send the pages behind them',
};

const NOTHING_RETURNED = 'Nothing is returned, so that no record is missing unnoticed.';
const WORK_WITH_THE_FIRST =
	'Turn off Return All and set a Limit to work with the first records, and tell the operator of the service.';

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
	/** Gets each page as it comes. */
	onPage?: (page: ListPage) => void;
}

function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
	if (a.size !== b.size) return false;
	for (const value of a) if (!b.has(value)) return false;
	return true;
}

/** What is known of a list once it was read to its end. */
export interface Reading {
	end: ListEnd;
	/** How many different records came, at all readings so far. */
	received: number;
	/**
	 * Whether another reading may give other records: false if the one before gave the same, and if records without an
	 * identifier cannot be compared.
	 */
	mayDiffer: boolean;
	/** Whether the list was read as often as it may be. */
	isLast: boolean;
}

/**
 * What follows from how a list was read, by the table in docs/assumptions.md ("Where a list ends"): it is read again,
 * whole, whole although the service counts more, or incomplete.
 */
export type Judgement = 'again' | 'whole' | 'countIsWrong' | 'incomplete';

/** The one rule for whether a list came whole. */
export function judge({ end, received, mayDiffer, isLast }: Reading): Judgement {
	const { kind, total, isPromised, hasMoved } = end;
	const lacksSome = received < (total ?? 0);
	if ((lacksSome || hasMoved) && mayDiffer && !isLast) return 'again';
	const isCutShort =
		total === undefined && isPromised && (kind === 'absent' || kind === 'repeated');
	if (kind === 'endless' || isCutShort) return 'incomplete';
	if (!lacksSome) return 'whole';
	const isExplicit = kind === 'said' || kind === 'empty';
	// A list without records that are counted may be one that the service failed to read.
	return isExplicit && received > 0 && !mayDiffer ? 'countIsWrong' : 'incomplete';
}

/** What came of a list, at all readings of it. */
class Collection {
	records: IDataObject[] = [];

	/** Why nobody knows whether there is a page 0, if so. */
	pageZeroFailure?: ServiceError;

	readonly seen: Deduplicator;

	private readonly limit: number;

	private firstPage?: ListPage;

	/** What the next reading begins with, and how many records it asks for in a page. */
	private from?: number;

	private size: number;

	constructor(
		private readonly list: PagedList,
		private readonly options: CollectOptions,
	) {
		const { limit = Infinity, isWanted, pageSize = PAGE_SIZE } = options;
		this.limit = limit;
		this.seen = new Deduplicator(list.keyOf);
		this.size = isWanted ? pageSize : Math.min(limit, pageSize);
	}

	/** Reads until there are enough records, or the list ends: then how it ended. */
	async read(): Promise<ListEnd | undefined> {
		const { from, size, limit } = this;
		const needed = this.options.isWanted && limit !== Infinity ? 0 : limit;
		for await (const page of readPages(this.list, { from, size, needed })) {
			this.add(page);
			if (this.records.length >= limit) return undefined;
			if (page.end) return page.end;
		}
		return undefined;
	}

	private add(page: ListPage): void {
		const { isWanted, onPage } = this.options;
		onPage?.(page);
		const fresh = this.seen.filterNew(page.items);
		const wanted = isWanted ? fresh.filter(isWanted) : fresh;
		// Page 0 may come to light behind the others.
		if (page.number === 0 && this.firstPage) this.records = wanted.concat(this.records);
		else for (const record of wanted) this.records.push(record);
		this.firstPage ??= page;
		if (page.number === 0) this.from = 0;
		this.pageZeroFailure ??= page.pageZeroFailure;
	}

	/** Prepares another reading. */
	beginAgain(): void {
		if (!this.list.isChained) this.from ??= 1;
		// Services that cap the size of pages may leave out what a page of the wished size would have held.
		this.size = Math.min(this.size, this.firstPage?.items.length || this.size);
	}
}

/** Reads a list until there are enough records, or it came as whole as it will. */
async function readWhole(
	collection: Collection,
	what: string,
	warn: CollectOptions['warn'],
): Promise<void> {
	const { seen } = collection;
	let before: ListEnd | undefined;
	for (let pass = 1; ; pass++) {
		const end = await collection.read();
		if (!end) return;
		const isStable = before !== undefined && isSameSet(end.keys, before.keys);
		const mayDiffer = seen.hasKeysOnly && !isStable;
		const isLast = pass === MAX_PASSES;
		const judgement = judge({ end, received: seen.size, mayDiffer, isLast });
		if (judgement === 'incomplete') throw incomplete(what, seen.size, end);
		if (judgement === 'countIsWrong') {
			warn?.(
				`The service counts ${end.total} ${what}, but its list gives ${seen.size}, which is all that is read.`,
			);
		}
		// All that is counted came: nothing is missing before page 1.
		if (judgement === 'whole' && end.total !== undefined) collection.pageZeroFailure = undefined;
		if (judgement !== 'again') return;
		collection.beginAgain();
		before = end;
	}
}

/**
 * Reads a list to its end or up to `limit` records, each once, in the order of the service. A list that changed
 * meanwhile, or gave fewer records than it counts, is read again: records may have moved past the reader. A count that
 * the same records contradict twice is wrong: that is a warning, not an error.
 *
 * @throws ServiceError: of a request, or `unreadable` if the service gives less than it says it has, or kind and status
 * of the failure that hides a page 0
 */
export async function collectList(
	list: PagedList,
	options: CollectOptions = {},
): Promise<IDataObject[]> {
	const { limit = Infinity, warn } = options;
	const collection = new Collection(list, options);
	await readWhole(collection, list.what, warn);
	const { records, pageZeroFailure } = collection;
	if (pageZeroFailure && limit === Infinity) throw withoutBeginning(list.what, pageZeroFailure);
	if (pageZeroFailure) {
		warn?.(
			`The ${list.what} may begin with other ones: pages may count from 0, and page 0 could not be read (${pageZeroFailure.message}).`,
		);
	}
	return limit === Infinity ? records : records.slice(0, limit);
}

function incomplete(what: string, received: number, { kind, total }: ListEnd): ServiceError {
	const of = total === undefined ? '' : ` of ${total}`;
	return new ServiceError(
		'unreadable',
		`The list of ${what} cannot be read to its end: after ${received}${of}, ${WHY[kind]}`,
		{ description: `${NOTHING_RETURNED} ${WORK_WITH_THE_FIRST}` },
	);
}

function withoutBeginning(what: string, { kind, message, status }: ServiceError): ServiceError {
	return new ServiceError(
		kind,
		`The list of ${what} may begin with a page 0, which cannot be read: ${message}`,
		{
			status,
			description: `${NOTHING_RETURNED} Try again later. ${WORK_WITH_THE_FIRST}`,
		},
	);
}
