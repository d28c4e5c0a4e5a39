import type { IDataObject } from 'n8n-workflow';

import { toKey } from '../identifiers';

/**
 * Tells new records from repeated ones while a list is read: records move between pages if the list changes
 * meanwhile. Records with an identifier are told apart by it; pages of records without one only as a whole, since
 * equal records may be different things.
 */
export class Deduplicator {
	/** The identifiers met so far. */
	readonly keys = new Set<string | number>();

	private readonly keylessPages = new Set<string>();

	constructor(private readonly keyOf: (record: IDataObject) => unknown) {}

	/** Whether every record so far had an identifier. */
	get hasKeysOnly(): boolean {
		return this.keylessPages.size === 0;
	}

	/** The records of a page that were not met before, in order. */
	filterNew(records: IDataObject[]): IDataObject[] {
		const keyless = new Set<IDataObject>();
		const fresh = records.filter((record) => {
			const key = toKey(this.keyOf(record));
			if (key === undefined) keyless.add(record);
			return key === undefined || isAdded(this.keys, key);
		});
		if (keyless.size === 0 || isAdded(this.keylessPages, JSON.stringify([...keyless])))
			return fresh;
		return fresh.filter((record) => !keyless.has(record));
	}
}

/** Whether a value was new to a set. */
function isAdded<T>(set: Set<T>, value: T): boolean {
	const before = set.size;
	return set.add(value).size > before;
}
