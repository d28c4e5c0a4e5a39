import { sleep } from 'n8n-workflow';

/** The reason to abort a wait that is no longer needed. Shared, since making an Error with its stack is slow. */
export const WAIT_CANCELLED = new Error('The wait is no longer needed');

const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/** One listener serves everything that waits for a signal: from the eleventh listener on, Node warns of a leak. */
function callbacksOf(signal: AbortSignal): Set<() => void> {
	const known = callbacksBySignal.get(signal);
	if (known) return known;
	const callbacks = new Set<() => void>();
	callbacksBySignal.set(signal, callbacks);
	signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()), {
		once: true,
	});
	return callbacks;
}

/**
 * Calls back once the signal is aborted, at once if it is already.
 *
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (!signal) return () => undefined;
	if (signal.aborted) {
		callback();
		return () => undefined;
	}
	const callbacks = callbacksOf(signal);
	callbacks.add(callback);
	return () => callbacks.delete(callback);
}

/** Milliseconds on a clock that never jumps: the machine's own may be set. */
export const now = () => performance.now();

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
	const timer = new AbortController();
	// Newer n8n versions clear the timer and reject when it is aborted; older ones let it run out.
	const elapsed = sleep(ms, timer.signal).catch(() => undefined);
	await raceAbort(elapsed, signal);
	timer.abort(WAIT_CANCELLED);
}

/** Waits for the abort of a signal, `ms` milliseconds at most. Not a pause: tests shorten pauses, and not this. */
export async function untilAborted(signal: AbortSignal, ms: number): Promise<void> {
	await pause(ms, signal);
}
