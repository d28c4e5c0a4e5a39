/** Memoizes async calls by key for one execution of the node, so that equal items share a request, and its result. */
export class Memoizer<T> {
	private readonly calls = new Map<string, Promise<T>>();

	/** @param key everything that the result of `load` depends on */
	async get(key: unknown, load: () => Promise<T>): Promise<T> {
		const text = JSON.stringify(key);
		const call = this.calls.get(text) ?? load();
		this.calls.set(text, call);
		return await call;
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
