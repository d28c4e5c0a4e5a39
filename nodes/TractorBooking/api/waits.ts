import { sleep } from 'n8n-workflow';

/** The reason to abort a wait that is no longer needed. Shared, since making an Error with its stack is slow. */
export const WAIT_CANCELLED = new Error('The wait is no longer needed');

/** Calls back once the signal is aborted, at once if it is already. @returns a function that removes the callback */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal?.aborted) callback();
	else signal?.addEventListener('abort', callback, { once: true });
	return () => signal?.removeEventListener('abort', callback);
}

/** Milliseconds on a clock that never jumps: the machine's own may be set. */
export const monotonicNow = () => performance.now();

/** Waits for a promise that never fails, until the signal is aborted at most. */
export async function raceAbort(
	promise: Promise<unknown>,
	signal: AbortSignal | undefined,
): Promise<void> {
	let unsubscribe: () => void = () => undefined;
	const aborted = new Promise<void>((resolve) => (unsubscribe = onAbort(signal, resolve)));
	await Promise.race([promise, aborted]);
	unsubscribe();
}

/** Waits, in milliseconds, until the signal is aborted at most. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	let stopTimer: () => void = () => undefined;
	await raceAbort(new Promise<void>((elapsed) => (stopTimer = callAfter(ms, elapsed))), signal);
	stopTimer();
}

/** Calls back after a time, in milliseconds. @returns a function that ends the wait */
export function callAfter(ms: number, callback: () => void): () => void {
	const timer = new AbortController();
	// Newer n8n versions clear the timer and reject when it is aborted; older ones let it run out.
	sleep(ms, timer.signal).then(callback, () => undefined);
	return () => timer.abort(WAIT_CANCELLED);
}

/**
 * Does work until the time is over or the signal is aborted, even if the work never ends.
 *
 * @throws ETIMEDOUT, like any other timeout, or the reason of the signal; else what the work throws
 */
export async function withDeadline<T>(
	timeoutMs: number,
	signal: AbortSignal,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	// Node 20 collects an AbortSignal.timeout() that only another signal depends on: it is never aborted.
	const late = new AbortController();
	const lateError = Object.assign(new Error('Too late'), { code: 'ETIMEDOUT' });
	const stopTimer = callAfter(timeoutMs, () => late.abort(lateError));
	const end = AbortSignal.any([signal, late.signal]);
	try {
		const result = work(end);
		await raceAbort(Promise.allSettled([result]), end);
		end.throwIfAborted();
		return await result;
	} finally {
		stopTimer();
	}
}

/** Runs one task at a time, in the order in which they come. */
export class Mutex {
	private last: Promise<void> = Promise.resolve();

	/** @throws WAIT_CANCELLED if the signal is aborted before the task begins, which then never does */
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
