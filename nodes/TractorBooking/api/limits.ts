import { createHmac, randomBytes } from 'node:crypto';

import { Mutex } from './waits';
import { RateLimiter } from './rateLimiter';

/** How many keys have their limits remembered; the one that was idle longest is forgotten first. */
const MAX_KEYS = 200;

/** What all nodes of this process share that use one key at one base URL. */
export class Limits {
	/** For creations: each execution must find among the bookings what those before it booked. */
	readonly creations = new Mutex();

	private readonly limiters = new Map<string, RateLimiter>();

	/** @param name of the endpoint; each has a limit of its own (interface, "Limits") */
	limiterFor(name: string): RateLimiter {
		const limiter = this.limiters.get(name) ?? new RateLimiter();
		this.limiters.set(name, limiter);
		return limiter;
	}
}

/** Makes the marks of keys worthless outside this process. */
const SALT = randomBytes(32);

const limitsByMark = new Map<string, Limits>();

/** Forgets all keys, as if the process had just begun; for tests. */
export function forgetKeys(): void {
	limitsByMark.clear();
}

/**
 * The limits of a key at a base URL. They go by the key itself, as the service does: two credentials with one key
 * share them. The key is not kept, only a mark of it.
 *
 * @param baseUrl as `parseBaseUrl` gives it
 */
export function limitsFor(baseUrl: string, key: string): Limits {
	const mark = createHmac('sha256', SALT).update(`${baseUrl}\n${key}`).digest('base64');
	const limits = limitsByMark.get(mark) ?? new Limits();
	// Set again, so that the map runs from the key that was idle longest to the one used last.
	limitsByMark.delete(mark);
	limitsByMark.set(mark, limits);
	const [oldest] = limitsByMark.keys();
	if (limitsByMark.size > MAX_KEYS && oldest !== undefined) limitsByMark.delete(oldest);
	return limits;
}
