import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors';
import { PAGE_SIZE, type PagedList, type SeenRecords } from './fetch';
import { iterate, Reading, type EndReason, type ListPage } from './iterate';

/** Readings of a list that changes meanwhile, or gives fewer records than it counts. */
const MAX_READINGS = 3;

const ENDS: Readonly<Record<EndReason, string>> = {
	said: 'the service said that this was all',
	empty: 'the service sent an empty page',
	unknown: 'the service did not have the next page',
	repeated: 'the service sent the same records again',
	endless: 'the service never stopped sending pages',
};

const asItCame = (record: IDataObject) => record;

export interface CollectOptions {
	limit?: number;
	/** Filter on our side, since the interface documents none; the limit counts wanted records only. */
	isWanted?: (record: IDataObject) => boolean;
	/** Makes what is returned of a wanted record: page by page, while the next ones are under way. */
	toOutput?: (record: IDataObject) => IDataObject;
	pageSize?: number;
	/** Tells the user of a wrong count, and of a list that may be longer. */
	warn?: (text: string) => void;
	/** Gets each page as it comes, and the reading that it is of. */
	onPage?: (page: ListPage, reading: Reading) => void;
}

/**
 * Reads a list to its end or up to `limit` records, each once, in the order in which they came. A list that changed
 * meanwhile, or gave fewer records than it counts, is read again (docs/developers/assumptions.md, "Return All reads a list
 * again").
 *
 * @throws ServiceError: of a request, or `incomplete`
 */
export async function collect(
	list: PagedList,
	options: CollectOptions = {},
): Promise<IDataObject[]> {
	const { limit = Infinity, isWanted, toOutput = asItCame } = options;
	const { pageSize = PAGE_SIZE, warn, onPage } = options;
	const { what, shape } = list;
	/** The records of earlier readings: a reading itself gives each once. */
	let known: SeenRecords | undefined;
	const records: IDataObject[] = [];
	const needed = isWanted && limit < Infinity ? 0 : limit;
	let size = isWanted ? pageSize : Math.min(limit, pageSize);
	let lackingBefore: number | undefined;
	for (let readings = 1; ; readings++) {
		const reading = new Reading(list, { size });
		for await (const page of iterate(list, { size, needed }, reading)) {
			onPage?.(page, reading);
			const fresh = known ? known.addNew(page.records) : page.records;
			const wanted = isWanted ? fresh.filter(isWanted) : fresh;
			for (const record of wanted) records.push(toOutput(record));
			if (records.length >= limit) return records.slice(0, limit);
		}
		const seen = (known ??= reading.seen);
		const { count = 0, hasNext, end, pageLength, isUnsteady } = reading;
		if (end === 'endless') throw incomplete(list, reading, seen.size, records.length);
		const isShort = seen.size < count;
		// The service stopped after it promised more, and no count tells what is missing.
		const isBroken = hasNext === true && reading.count === undefined && end !== 'empty';
		if (!isShort && !isBroken && !isUnsteady) {
			// A service that ignores the page sends the same as one with a single page.
			if (end === 'repeated' && reading.count === undefined && hasNext === undefined)
				warn?.(
					`The service sent the same ${what} again for the next page, and does not count them: there may be more than ${seen.size}. If so, set Options > Page Size above their number.`,
				);
			return records;
		}
		// It gave the same records as before, and as many are missing.
		const isSame = reading.seen.size === seen.size && reading.lacking === lackingBefore;
		if (!isSame && readings < MAX_READINGS) {
			lackingBefore = reading.lacking;
			// A service that caps pages may skip what a page of the requested size would have held.
			size = Math.min(size, pageLength || size);
			// What is missing may be page 0.
			if (isShort) shape.first = undefined;
			continue;
		}
		// An empty list with a count may be one that the service failed to read.
		const isCountWrong = isShort && isSame && !hasNext && seen.size > 0;
		if (isCountWrong)
			warn?.(`The service counts ${count} ${what}, but its list gives only ${seen.size}.`);
		// Where some come twice, others may come on no page, and no count tells.
		else if (isShort || reading.count === undefined)
			throw incomplete(list, reading, seen.size, records.length);
		return records;
	}
}

/** @param received how many records came @param found how many of them are wanted */
function incomplete(
	{ what }: PagedList,
	{ count, end = 'empty', isUnsteady }: Reading,
	received: number,
	found: number,
): ServiceError {
	const of = count === undefined ? '' : ` of ${count}`;
	const why = of === '' && isUnsteady ? 'some of them had come twice' : ENDS[end];
	const message = `The list of ${what} cannot be read to its end: after ${received}${of}, ${why}`;
	const few = found > 0 ? `To get the first ones, set a limit of ${found} or less. ` : '';
	const description = `Nothing was returned, because records would be missing. ${few}To get all, set a page size above their number. Also tell the operator of the service.`;
	return new ServiceError('incomplete', message, { description });
}
