import { raceAbort, WAIT_CANCELLED } from './abort';

/** Runs one task at a time, in the order in which they come. */
export class Mutex {
	private last: Promise<void> = Promise.resolve();

	/**
	 * Runs the task once all earlier ones have ended, whether they failed or not.
	 *
	 * @param signal ends the wait, not the task: a task that was not begun by then never is
	 * @throws WAIT_CANCELLED if the signal is aborted before the task begins; else what the task throws
	 */
	async runExclusive<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const previous = this.last;
		const result = raceAbort(previous, signal).then(async () => {
			if (signal?.aborted) throw WAIT_CANCELLED;
			return await task();
		});
		// A wait that is aborted ends before the earlier tasks do. The result itself is not kept.
		const ended = async () => await previous;
		this.last = result.then(ended, ended);
		return await result;
	}
}
