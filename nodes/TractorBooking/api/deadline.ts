import { sleep } from 'n8n-workflow';

import { onAbort, WAIT_CANCELLED } from './abort';

/** Carries a network error code, so that it is reported like any other timeout. */
export class DeadlineExceeded extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Does work that is given up when the time is over or the signal is aborted, even if the work never ends.
 *
 * @param work gets a signal that is aborted when it is given up
 * @throws DeadlineExceeded, or WAIT_CANCELLED if the signal is aborted; else what the work throws
 */
export async function withDeadline<T>(
	timeoutMs: number,
	signal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const timer = new AbortController();
	let unsubscribe: () => void = () => undefined;
	const givenUp = new Promise<never>((_resolve, reject) => {
		const giveUp = (reason: Error) => {
			reject(reason);
			controller.abort(reason);
		};
		unsubscribe = onAbort(signal, () => giveUp(WAIT_CANCELLED));
		// Newer n8n versions reject when the timer is aborted.
		sleep(timeoutMs, timer.signal).then(
			() => giveUp(new DeadlineExceeded(`Not done within ${timeoutMs} ms`)),
			() => undefined,
		);
	});
	try {
		return await Promise.race([work(controller.signal), givenUp]);
	} finally {
		unsubscribe();
		timer.abort(WAIT_CANCELLED);
	}
}
