/** How many reads are under way at the same time. */
export const MAX_CONCURRENCY = 8;

/**
 * Runs the work for each item, several at a time.
 *
 * @param work must not fail: what goes wrong is part of its result
 * @param shouldContinue after a result for which it is false nothing more is begun
 * @returns the results in the order of the items, the first for which it does not go on being the last
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
		// The workers share the iterator, so that each item is taken by one of them.
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
