/**
 * Gives each distinct read one promise, so that items which ask for the same thing share one request.
 * Lives as long as one execution of the node.
 */
export class Once<T> {
	private readonly reads = new Map<string, Promise<T>>();

	/** @param key everything that the read depends on */
	async get(key: unknown, read: () => Promise<T>): Promise<T> {
		const text = JSON.stringify(key);
		const known = this.reads.get(text) ?? read();
		this.reads.set(text, known);
		return await known;
	}
}
