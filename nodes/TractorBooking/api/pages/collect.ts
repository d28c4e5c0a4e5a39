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
 * What follows from how a list was read, by the table in docs/developers/assumptions.md ("Where a list ends"): it is read again,
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
	const { what, keyOf } = list;
	const seen = new Deduplicator(keyOf);
	let records: IDataObject[] = [];
	/** Why nobody knows whether there is a page 0, if so. */
	let pageZeroFailure: ServiceError | undefined;
	let firstPage: ListPage | undefined;
	/** How many records the next reading asks for in a page. */
	let size = isWanted ? pageSize : Math.min(limit, pageSize);

	function add(page: ListPage): void {
		onPage?.(page);
		const fresh = seen.filterNew(page.items);
		const wanted = isWanted ? fresh.filter(isWanted) : fresh;
		// Page 0 may come to light behind the others.
		if (page.number === 0 && firstPage) records = wanted.concat(records);
		else for (const record of wanted) records.push(record);
		firstPage ??= page;
		pageZeroFailure ??= page.pageZeroFailure;
	}

	/** Reads until there are enough records, or the list ends: then how it ended. */
	async function read(): Promise<ListEnd | undefined> {
		const needed = isWanted && limit !== Infinity ? 0 : limit;
		for await (const page of readPages(list, { size, needed })) {
			add(page);
			if (records.length >= limit) return undefined;
			if (page.end) return page.end;
		}
		return undefined;
	}

	/** Whether the list has to be read again after a reading that ended so. */
	function isAgain(end: ListEnd, before: ListEnd | undefined, isLast: boolean): boolean {
		const received = seen.size;
		const isStable = before !== undefined && isSameSet(end.keys, before.keys);
		const mayDiffer = seen.hasKeysOnly && !isStable;
		const judgement = judge({ end, received, mayDiffer, isLast });
		if (judgement === 'incomplete') throw incomplete(what, received, end);
		if (judgement === 'countIsWrong') {
			warn?.(
				`The service counts ${end.total} ${what}, but its list gives ${received}, which is all that is read.`,
			);
		}
		// All that is counted came: nothing is missing before page 1.
		if (judgement === 'whole' && end.total !== undefined) pageZeroFailure = undefined;
		return judgement === 'again';
	}

	let before: ListEnd | undefined;
	for (let pass = 1; ; pass++) {
		const end = await read();
		if (!end || !isAgain(end, before, pass === MAX_PASSES)) break;
		before = end;
		// Services that cap the size of pages may leave out what a page of the wished size would have held.
		size = Math.min(size, firstPage?.items.length || size);
	}
	if (pageZeroFailure && limit === Infinity) throw withoutBeginning(what, pageZeroFailure);
	if (pageZeroFailure) {
		warn?.(
			`The ${what} may begin with other ones: pages may count from 0, and page 0 could not be read (${pageZeroFailure.message}).`,
		);
	}
	return limit === Infinity ? records : records.slice(0, limit);
}

function incomplete(what: string, received: number, { kind, total }: ListEnd): ServiceError {
	const of = total === undefined ? '' : ` of ${total}`;
	const message = `The list of ${what} cannot be read to its end: after ${received}${of}, ${WHY[kind]}`;
	const description = `${NOTHING_RETURNED} ${WORK_WITH_THE_FIRST}`;
	return new ServiceError('unreadable', message, { description });
}

function withoutBeginning(what: string, { kind, message, status }: ServiceError): ServiceError {
	const whole = `The list of ${what} may begin with a page 0, which cannot be read: ${message}`;
	const description = `${NOTHING_RETURNED} Try again later. ${WORK_WITH_THE_FIRST}`;
	return new ServiceError(kind, whole, { status, description });
}
