import type { IDataObject } from 'n8n-workflow';

import { asText } from './text';

/**
 * Tells new records from repeated ones while a list is read. Records move between pages when the list
 * changes meanwhile, and some services repeat a page instead of ending. Records with an identifier are
 * told apart by it; pages of records without one only as a whole, since equal records may be different things.
 */
export class Seen {
	private readonly keys = new Set<string | number>();

	private readonly keylessPages = new Set<string>();

	constructor(private readonly keyOf: (record: IDataObject) => unknown) {}

	/** Whether every record so far had an identifier. */
	get hasKeysOnly(): boolean {
		return this.keylessPages.size === 0;
	}

	/** The records of a page that were not seen before, in order. */
	onlyNew(records: IDataObject[]): IDataObject[] {
		const keyless: IDataObject[] = [];
		const fresh = records.filter((record) => {
			const key = this.usableKey(record);
			if (key === undefined) keyless.push(record);
			return key === undefined || isAdded(this.keys, key);
		});
		const repeatsKeyless =
			keyless.length > 0 && !isAdded(this.keylessPages, JSON.stringify(keyless));
		return repeatsKeyless ? fresh.filter((record) => !keyless.includes(record)) : fresh;
	}

	private usableKey(record: IDataObject): string | number | undefined {
		const key = this.keyOf(record);
		// Numbers as they are: a text for each of them would double the time and the memory.
		return typeof key === 'number' ? key : asText(key) || undefined;
	}
}

/** Whether a value was new to a set. */
function isAdded<T>(set: Set<T>, value: T): boolean {
	const before = set.size;
	return set.add(value).size > before;
}
