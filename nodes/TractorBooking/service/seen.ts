import type { IDataObject } from 'n8n-workflow';

import { asText } from './text';

/**
 * Tells new records from repeated ones while a list is read. Records move between pages when the list
 * changes meanwhile, and some services repeat a page instead of ending. Records with an identifier are
 * told apart by it; pages of records without one only as a whole, since equal records may be different things.
 */
export class Seen {
	private readonly keys = new Set<string>();

	private readonly keylessPages = new Set<string>();

	/** Whether every record so far had an identifier. */
	get hasKeysOnly(): boolean {
		return this.keylessPages.size === 0;
	}

	constructor(private readonly keyOf: (record: IDataObject) => unknown) {}

	/** The records of a page that were not seen before, in order. */
	onlyNew(records: IDataObject[]): IDataObject[] {
		const keyless = records.filter((record) => this.textKey(record) === undefined);
		const repeatsKeyless =
			keyless.length > 0 && !this.remember(this.keylessPages, JSON.stringify(keyless));
		return records.filter((record) => {
			const key = this.textKey(record);
			return key === undefined ? !repeatsKeyless : this.remember(this.keys, key);
		});
	}

	private textKey(record: IDataObject): string | undefined {
		const key = this.keyOf(record);
		return asText(key) || undefined;
	}

	/** Whether the text was new. */
	private remember(texts: Set<string>, text: string): boolean {
		const before = texts.size;
		return texts.add(text).size > before;
	}
}
