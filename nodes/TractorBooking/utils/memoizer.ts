import type { IDataObject } from 'n8n-workflow';

/**
 * Gives each distinct read one promise, so that items which ask for the same thing share one request.
 * Lives as long as one execution of the node.
 */
export class Memoizer<T> {
	private readonly calls = new Map<string, Promise<T>>();

	/** @param copy makes what all but the first asker get, so that items do not share objects */
	constructor(private readonly copy: (value: T) => T) {}

	/** @param key everything that the read depends on */
	async get(key: unknown, load: () => Promise<T>): Promise<T> {
		const text = JSON.stringify(key);
		const known = this.calls.get(text);
		if (known) return this.copy(await known);
		const first = load();
		this.calls.set(text, first);
		return await first;
	}
}

/** A copy of a record for one item, so that items which share a read do not share objects. */
export function copyOf(record: IDataObject): IDataObject {
	return { ...record };
}

/** Copies of the records for one item. */
export function copies(records: IDataObject[]): IDataObject[] {
	return records.map(copyOf);
}
