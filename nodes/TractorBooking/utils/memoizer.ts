import type { IDataObject } from 'n8n-workflow';

/** Memoizes async calls by key for one execution of the node, so that equal items share a request. */
export class Memoizer<T> {
	private readonly calls = new Map<string, Promise<T>>();

	/** @param copy copies the value for every caller but the first, so that items do not share objects */
	constructor(private readonly copy: (value: T) => T) {}

	/** @param key everything that the result of `load` depends on */
	async get(key: unknown, load: () => Promise<T>): Promise<T> {
		const text = JSON.stringify(key);
		const known = this.calls.get(text);
		if (known) return this.copy(await known);
		const first = load();
		this.calls.set(text, first);
		return await first;
	}
}

/** The function, which is called once for each different argument. It must not return undefined. */
export function memoize<K, V>(compute: (key: K) => V): (key: K) => V {
	const known = new Map<K, V>();
	return (key) => {
		const value = known.get(key) ?? compute(key);
		known.set(key, value);
		return value;
	};
}

export function copies(records: IDataObject[]): IDataObject[] {
	return records.map((record) => ({ ...record }));
}
