import { AT_ONCE } from './pacing';

/**
 * Runs the work for each index from 0, several at a time.
 *
 * @param work must not fail: what goes wrong is part of its result
 * @param goesOn after a result for which it is false nothing more is begun
 * @returns the results in order of their index, the first for which it does not go on being the last
 */
export async function severalAtOnce<T>(
	count: number,
	work: (index: number) => Promise<T>,
	goesOn: (result: T) => boolean = () => true,
): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	let end = count;
	async function worker(): Promise<void> {
		while (next < end) {
			const index = next++;
			const result = await work(index);
			results[index] = result;
			if (!goesOn(result)) end = Math.min(end, index + 1);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return results.slice(0, end);
}
