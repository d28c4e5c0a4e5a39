import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors';
import { ListCount } from './count';
import { Deduplicator } from './deduplicator';
import type { EndKind, ListEnd } from './end';
import type { PagedList } from './list';
import { PAGE_SIZE } from './list';
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
	/** Tells the user what does not stop the reading. */
	warn?: (text: string) => void;
	/** Is told each page as it comes. */
	onPage?: (page: ListPage) => void;
}

function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
	if (a.size !== b.size) return false;
	for (const value of a) if (!b.has(value)) return false;
	return true;
}

/** The records of a list, each once, in the order of the service, while one or several passes bring them. */
class Collection {
	readonly count = new ListCount();

	/** Length of the first page of all. */
	pageLength?: number;

	/** Whether there is a page 0. */
	hasPageZero = false;

	/** How the present pass ended. */
	end?: ListEnd;

	/** Number of different records so far, wanted or not. */
	received = 0;

	/** The wanted records. */
	records: IDataObject[] = [];

	private readonly seen: Deduplicator;

	/** What the present pass met. */
	private met: Deduplicator;

	/** Identifiers that the pass before it met. */
	private keysBefore?: ReadonlySet<string | number>;

	/** Whether records moved to other pages during the present pass, as far as its answers show it. */
	private hasMoved = false;

	constructor(
		readonly list: PagedList,
		private readonly limit: number,
		private readonly isWanted: CollectOptions['isWanted'],
	) {
		this.seen = new Deduplicator(list.keyOf);
		this.met = this.seen;
	}

	get isFull(): boolean {
		return this.records.length >= this.limit;
	}

	/** Whether the service counts the records, and all of them came. */
	get isCounted(): boolean {
		return this.count.total !== undefined && !this.isFull && !this.lacksSome;
	}

	/** Whether the service counts more than came. */
	get lacksSome(): boolean {
		return this.received < (this.count.total ?? 0);
	}

	/** Whether the present pass met the same records as the one before it. */
	get isStable(): boolean {
		return this.keysBefore !== undefined && isSameSet(this.met.keys, this.keysBefore);
	}

	/** Whether passes can be compared: each record has an identifier. */
	get isComparable(): boolean {
		return this.seen.hasKeysOnly;
	}

	/** Whether another pass may bring what this one missed. */
	get isWorthAnotherPass(): boolean {
		return (this.lacksSome || this.hasMoved) && this.isComparable && !this.isStable;
	}

	/** Whether a list without a count promised more than it gave. */
	get isCutShort(): boolean {
		const isCut = this.end?.kind === 'absent' || this.end?.kind === 'repeated';
		return isCut && this.end?.isPromised === true && this.count.total === undefined;
	}

	beginPass(): void {
		this.keysBefore = new Set(this.met.keys);
		this.met = new Deduplicator(this.list.keyOf);
		this.hasMoved = false;
		this.end = undefined;
	}

	add(page: ListPage): void {
		const isLatePageZero = page.number === 0 && this.pageLength !== undefined && !this.keysBefore;
		this.pageLength ??= page.items.length;
		this.hasPageZero ||= page.number === 0;
		this.end = page.end;
		const freshInPass = this.met.filterNew(page.items);
		const fresh = this.met === this.seen ? freshInPass : this.seen.filterNew(page.items);
		this.received += fresh.length;
		this.count.add(page, this.received);
		// Without a count, a record that comes a second time is all that tells.
		const isOverlapping = freshInPass.length > 0 && freshInPass.length < page.items.length;
		if (this.count.hasShrunk || (isOverlapping && this.count.total === undefined)) {
			this.hasMoved = true;
		}
		this.count.hasShrunk = false;
		const wanted = this.isWanted ? fresh.filter(this.isWanted) : fresh;
		if (isLatePageZero) this.records = wanted.concat(this.records);
		else for (const record of wanted) this.records.push(record);
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
	{ limit = Infinity, isWanted, pageSize = PAGE_SIZE, warn, onPage }: CollectOptions = {},
): Promise<IDataObject[]> {
	const collection = new Collection(list, limit, isWanted);
	const ahead = isWanted && limit !== Infinity ? 'some' : limit;
	let size = isWanted ? pageSize : Math.min(limit, pageSize);
	let from: number | undefined;
	let pageZeroFailure: ServiceError | undefined;
	for (let pass = 1; ; pass++) {
		for await (const page of readPages(list, { from, size, ahead })) {
			collection.add(page);
			onPage?.(page);
			if (pass === 1) pageZeroFailure = page.pageZeroFailure;
			if (collection.isFull) break;
		}
		if (collection.isFull || !collection.isWorthAnotherPass || pass === MAX_PASSES) break;
		collection.beginPass();
		if (!list.isChained) from = collection.hasPageZero ? 0 : 1;
		// Services that cap the size of pages may leave out what a page of the wished size would have held.
		if (collection.pageLength) size = Math.min(size, collection.pageLength);
	}
	if (!collection.isFull) checkEnd(collection, warn);
	if (pageZeroFailure && !collection.isCounted) {
		if (limit === Infinity) throw withoutBeginning(list.what, pageZeroFailure);
		warn?.(
			`The ${list.what} may begin with other ones: pages may count from 0, and page 0 could not be read (${pageZeroFailure.message}).`,
		);
	}
	return limit === Infinity ? collection.records : collection.records.slice(0, limit);
}

/** @throws ServiceError (`unreadable`) if records are missing, as far as the service shows it */
function checkEnd(collection: Collection, warn: CollectOptions['warn']): void {
	const { end, count, received, list } = collection;
	if (!end || (end.kind !== 'endless' && !collection.isCutShort && !collection.lacksSome)) return;
	const isExplicit = end.kind === 'said' || end.kind === 'empty';
	// A list without records that are counted may be one that the service failed to read.
	if (isExplicit && received > 0 && (collection.isStable || !collection.isComparable)) {
		warn?.(
			`The service counts ${count.total} ${list.what}, but its list gives ${received}, which is all that is read.`,
		);
		return;
	}
	const of = count.total === undefined ? '' : ` of ${count.total}`;
	throw new ServiceError(
		'unreadable',
		`The list of ${list.what} cannot be read to its end: after ${received}${of}, ${WHY[end.kind]}`,
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
