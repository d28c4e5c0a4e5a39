import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../utils/text';

/**
 * Tells new records from repeated ones while a list is read. Records move between pages when the list
 * changes meanwhile, and some services repeat a page instead of ending. Records with an identifier are
 * told apart by it; pages of records without one only as a whole, since equal records may be different things.
 */
export class Deduplicator {
	private readonly texts = new Set<string>();

	private readonly numbers = new NumberSet();

	private readonly keylessPages = new Set<string>();

	constructor(private readonly keyOf: (record: IDataObject) => unknown) {}

	/** Whether every record so far had an identifier. */
	get hasKeysOnly(): boolean {
		return this.keylessPages.size === 0;
	}

	/** The records of a page that were not seen before, in order. */
	filterNew(records: IDataObject[]): IDataObject[] {
		const keyless: IDataObject[] = [];
		const fresh = records.filter((record) => {
			const key = this.usableKey(record);
			if (key === undefined) {
				keyless.push(record);
				return true;
			}
			return typeof key === 'number' ? this.numbers.add(key) : isAdded(this.texts, key);
		});
		const repeatsKeyless =
			keyless.length > 0 && !isAdded(this.keylessPages, JSON.stringify(keyless));
		return repeatsKeyless ? fresh.filter((record) => !keyless.includes(record)) : fresh;
	}

	private usableKey(record: IDataObject): string | number | undefined {
		const key = this.keyOf(record);
		// Numbers as they are: a text for each of them would double the time and the memory.
		const isWhole = typeof key === 'number' && Number.isSafeInteger(key);
		return isWhole ? key : asText(key) || undefined;
	}
}

/** Whether a value was new to a set. */
function isAdded<T>(set: Set<T>, value: T): boolean {
	const before = set.size;
	return set.add(value).size > before;
}

/** Whole numbers, 32 neighbours in one entry: identifiers of one service lie close together. */
class NumberSet {
	private readonly bits = new Map<number, number>();

	/** Adds a number, and tells whether it is new. */
	add(number: number): boolean {
		const block = Math.floor(number / 32);
		const bit = 1 << (number - block * 32);
		const before = this.bits.get(block) ?? 0;
		this.bits.set(block, before | bit);
		return (before & bit) === 0;
	}
}
