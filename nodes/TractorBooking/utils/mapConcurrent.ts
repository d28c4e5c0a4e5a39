export const MAX_CONCURRENCY = 8;

/**
 * Runs `work` for each item, eight at a time. After a failure no further item is started.
 *
 * @returns the results in the order of the items
 * @throws what `work` throws for the first item that fails, once all that was started has ended
 */
export async function mapConcurrent<I, T>(
	items: readonly I[],
	work: (item: I, index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const entries = items.entries();
	/** By the index of their items. */
	const failures: unknown[] = [];
	async function worker(): Promise<void> {
		// All workers share the iterator, so each item goes to one of them.
		for (const [index, item] of entries) {
			if (failures.length > 0) return;
			try {
				results[index] = await work(item, index);
			} catch (error) {
				failures[index] = error;
			}
		}
	}
	await Promise.all(Array.from({ length: MAX_CONCURRENCY }, worker));
	if (failures.length > 0) throw Object.values(failures)[0];
	return results;
}
