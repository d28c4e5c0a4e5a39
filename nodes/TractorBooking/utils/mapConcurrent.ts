/** Number of tasks that run at the same time. */
export const MAX_CONCURRENCY = 8;

/**
 * Runs `work` for each item, {@link MAX_CONCURRENCY} at a time.
 *
 * @param work must not reject; a failure is part of its result
 * @param shouldContinue if it returns false for a result, no further item is started
 * @returns the results in the order of the items, up to the first for which `shouldContinue` is false
 */
export async function mapConcurrent<I, T>(
	items: readonly I[],
	work: (item: I, index: number) => Promise<T>,
	shouldContinue: (result: T) => boolean = () => true,
): Promise<T[]> {
	const results: T[] = [];
	const entries = items.entries();
	let end = items.length;
	async function worker(): Promise<void> {
		// All workers share the iterator, so each item goes to one of them.
		for (const [index, item] of entries) {
			if (index >= end) return;
			const result = await work(item, index);
			results[index] = result;
			if (!shouldContinue(result)) end = Math.min(end, index + 1);
		}
	}
	await Promise.all(Array.from({ length: MAX_CONCURRENCY }, worker));
	return results.slice(0, end);
}
