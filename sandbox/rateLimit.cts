import type { Endpoint, Settings } from './settings.cts';

/** Counts requests per key and endpoint against the limits of the interface ("Limits"). */
export class RateLimiter {
	/** Times of the counted requests, oldest first. */
	readonly #times = new Map<string, number[]>();
	readonly #settings: Settings;
	readonly #now: () => number;

	constructor(settings: Settings, now: () => number) {
		this.#settings = settings;
		this.#now = now;
	}

	/**
	 * Counts a request.
	 * @returns undefined if it may pass, else the milliseconds until one may. A refused request does not count.
	 */
	take(keyName: string, endpoint: Endpoint): number | undefined {
		const limit = this.#settings.rateLimits[endpoint];
		if (limit === null) return undefined;

		const now = this.#now();
		const { rateWindowMs } = this.#settings;
		const id = `${endpoint} ${keyName}`;
		const times = (this.#times.get(id) ?? []).filter((time) => time + rateWindowMs > now);
		this.#times.set(id, times);
		if (times.length >= limit) return (times[0] ?? now) + rateWindowMs - now;
		times.push(now);
		return undefined;
	}

	reset(): void {
		this.#times.clear();
	}
}
