import { sleep } from 'n8n-workflow';

/** Why a wait ends that is needed no more. One for all: to make an error with its stack takes time. */
export const WAIT_CANCELLED = new Error('The wait is needed no more');

/** Waits for a promise that never fails; a stopped execution ends the wait at once. */
export async function raceAbort(
	promise: Promise<unknown>,
	signal: AbortSignal | undefined,
): Promise<void> {
	if (signal?.aborted) return;
	if (!signal) {
		await promise;
		return;
	}
	let stop: () => void = () => undefined;
	const stopped = new Promise<void>((resolve) => {
		stop = resolve;
	});
	signal.addEventListener('abort', stop);
	await Promise.race([promise, stopped]);
	signal.removeEventListener('abort', stop);
}

/** Waits, in milliseconds; a stopped execution ends the wait at once. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	// Newer hosts clear the timer of a stopped execution, and reject; older ones let it run out unheard.
	const timer = sleep(ms, signal).catch(() => undefined);
	await raceAbort(timer, signal);
}
