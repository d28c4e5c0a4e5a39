import type { IDataObject } from 'n8n-workflow';

import { toKey } from '../identifiers';
import type { Page } from './envelope';

/** How a list ended; docs/assumptions.md says what follows from it. */
export type EndKind =
	/** The response says that nothing follows. */
	| 'said'
	/** The page is empty. */
	| 'empty'
	/** The page is empty, although the page itself or the one before it says that more follows. */
	| 'emptyAfterNext'
	/** The service knows no such page, or gives nothing in the place of its list. */
	| 'absent'
	/** The page is the one before it, or the first one, once more. */
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
}

/** What is known of a list when one of its pages comes. */
export interface ReadSoFar {
	/** The page before it. */
	before?: Page;
	/** Whether the service counts more records than came, with this page. */
	isShort: boolean;
	/** Whether the page is the one before it, or the first one, once more. */
	isRepeated: boolean;
}

/**
 * Whether and how a list ends with a page: the one rule for the end, but for lists that never end.
 *
 * @param page undefined if there is no such page
 */
export function endWith(
	page: Page | undefined,
	{ before, isShort, isRepeated }: ReadSoFar,
): EndKind | undefined {
	const isThere = page !== undefined && !page.isMissing;
	const hasRecords = isThere && page.items.length > 0;
	// What an empty page says of itself does not count against the page before it.
	if (isThere && !hasRecords && before?.hasMore) return 'emptyAfterNext';
	// A count that is not reached says that more follows, whatever the page says: the next one decides.
	if (isThere && page.hasMore === false && !(isShort && hasRecords)) return 'said';
	if (hasRecords && !isRepeated) return undefined;
	if (before?.hasMore === false) return 'said';
	if (!isThere) return 'absent';
	if (hasRecords) return 'repeated';
	return page.hasMore ? 'emptyAfterNext' : 'empty';
}

/** The records of one page, to recognise them if they come again. */
export class PageKeys {
	private readonly keys: Set<string | number>;

	constructor(
		{ items }: Page,
		private readonly keyOf: (record: IDataObject) => unknown,
	) {
		this.keys = new Set(items.map((record) => this.nameOf(record)));
	}

	/** Whether every record of a page is one of these. */
	holdsAllOf({ items }: Page): boolean {
		return items.every((record) => this.keys.has(this.nameOf(record)));
	}

	/** Whether most records of a page are among these, the others having been added meanwhile. */
	holdsMostOf({ items }: Page): boolean {
		const known = items.filter((record) => this.keys.has(this.nameOf(record))).length;
		return items.length > 0 && known >= items.length / 2;
	}

	private nameOf(record: IDataObject): string | number {
		return toKey(this.keyOf(record)) ?? JSON.stringify(record);
	}
}
