import { sleep } from 'n8n-workflow';

/** Waits, in milliseconds; a stopped execution ends the wait at once. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (!signal) {
		await sleep(ms);
		return;
	}
	if (signal.aborted) return;
	let stop: () => void = () => undefined;
	const stopped = new Promise<void>((resolve) => {
		stop = resolve;
	});
	signal.addEventListener('abort', stop);
	await Promise.race([sleep(ms), stopped]);
	signal.removeEventListener('abort', stop);
}
