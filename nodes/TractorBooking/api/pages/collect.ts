import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors';
import type { PagedList } from './list';
import { Deduplicator, PAGE_SIZE } from './list';
import type { EndKind, ListEnd, ListPage } from './pages';
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
	const { what, keyOf, isChained } = list;
	const seen = new Deduplicator(keyOf);
	const needed = isWanted && limit !== Infinity ? 0 : limit;
	let size = isWanted ? pageSize : Math.min(limit, pageSize);
	let records: IDataObject[] = [];
	let firstPage: ListPage | undefined;
	let from: number | undefined;
	let pageZeroFailure: ServiceError | undefined;
	let end: ListEnd | undefined;

	/** Reads until there are enough records, or the list ends. */
	const readOnce = async (): Promise<ListEnd | undefined> => {
		for await (const page of readPages(list, { from, size, needed })) {
			onPage?.(page);
			const fresh = seen.filterNew(page.items);
			const wanted = isWanted ? fresh.filter(isWanted) : fresh;
			// Page 0 may come to light behind the others.
			if (page.number === 0 && firstPage) records = wanted.concat(records);
			else for (const record of wanted) records.push(record);
			firstPage ??= page;
			if (page.number === 0) from = 0;
			pageZeroFailure ??= page.pageZeroFailure;
			if (records.length >= limit) return undefined;
			if (page.end) return page.end;
		}
		return undefined;
	};

	for (let pass = 1; ; pass++) {
		const before = end;
		end = await readOnce();
		if (!end) break;
		const { kind, total, isPromised, hasMoved, keys } = end;
		const lacksSome = seen.size < (total ?? 0);
		const isComparable = seen.hasKeysOnly;
		const isStable = before !== undefined && isSameSet(keys, before.keys);
		if ((lacksSome || hasMoved) && isComparable && !isStable && pass < MAX_PASSES) {
			if (!isChained) from ??= 1;
			// Services that cap the size of pages may leave out what a page of the wished size would have held.
			size = Math.min(size, firstPage?.items.length || size);
			continue;
		}
		const isExplicit = kind === 'said' || kind === 'empty';
		const isCutShort =
			total === undefined && isPromised && (kind === 'absent' || kind === 'repeated');
		// A list without records that are counted may be one that the service failed to read.
		const isBelieved = isExplicit && seen.size > 0 && (isStable || !isComparable);
		if (kind === 'endless' || isCutShort || (lacksSome && !isBelieved)) {
			throw incomplete(what, seen.size, end);
		}
		if (lacksSome) {
			warn?.(
				`The service counts ${total} ${what}, but its list gives ${seen.size}, which is all that is read.`,
			);
		}
		if (total !== undefined && !lacksSome) pageZeroFailure = undefined;
		break;
	}
	if (pageZeroFailure) {
		if (limit === Infinity) throw withoutBeginning(what, pageZeroFailure);
		warn?.(
			`The ${what} may begin with other ones: pages may count from 0, and page 0 could not be read (${pageZeroFailure.message}).`,
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
