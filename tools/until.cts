import { setTimeout as wait } from 'node:timers/promises';

/** How long something may take that is waited for, and how often it is looked for, in milliseconds. */
export interface Patience {
	limitMs?: number;
	everyMs?: number;
}

/**
 * Waits for something.
 *
 * @param look gives it once it is there, and `undefined` or `false` before
 * @returns what `look` gave. @throws Error that names it, if it does not come in time
 */
export async function until<T>(
	what: string,
	look: () => T | undefined | false | Promise<T | undefined | false>,
	{ limitMs = 180_000, everyMs = 250 }: Patience = {},
): Promise<T> {
	for (const end = Date.now() + limitMs; ; await wait(everyMs)) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > end) throw new Error(`${what} did not come within ${limitMs / 1_000} s.`);
	}
}
