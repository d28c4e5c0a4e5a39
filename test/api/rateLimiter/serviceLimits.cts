/** The rate limit of a service: takes a request, or says in how many milliseconds one may pass. */
export interface ServiceLimit {
	take(): number | undefined;
	/** Earliest instant, in milliseconds, at which so many requests can have passed, asking all the time. */
	dictated(requests: number): number;
}

const now = (): number => performance.now();

/** At most `limit` in any window; some services count those too that they refuse. */
export function sliding(limit: number, windowMs = 60_000, countsRefused = false): ServiceLimit {
	let times: number[] = [];
	return {
		take() {
			times = times.filter((time) => time > now() - windowMs);
			const waitMs = times.length < limit ? undefined : (times[0] ?? 0) + windowMs - now();
			if (waitMs === undefined || countsRefused) times.push(now());
			return waitMs;
		},
		dictated: (requests) => (Math.ceil(requests / limit) - 1) * windowMs,
	};
}

/** At most `limit` in each minute of the clock, as counters with an expiry do it. */
export function fixed(limit: number, windowMs = 60_000): ServiceLimit {
	let window = -1;
	let count = 0;
	return {
		take() {
			const current = Math.floor(now() / windowMs);
			if (current !== window) count = 0;
			window = current;
			if (count >= limit) return (current + 1) * windowMs - now();
			count += 1;
			return undefined;
		},
		dictated: (requests) => (Math.ceil(requests / limit) - 1) * windowMs,
	};
}

/** A bucket that fills evenly with `limit` in a window, and holds as many unless its size is given. */
export function tokenBucket(limit: number, windowMs = 60_000, size = limit): ServiceLimit {
	let tokens = size;
	let filledAt = now();
	return {
		take() {
			tokens = Math.min(size, tokens + ((now() - filledAt) * limit) / windowMs);
			filledAt = now();
			if (tokens < 1) return ((1 - tokens) * windowMs) / limit;
			tokens -= 1;
			return undefined;
		},
		dictated: (requests) => ((requests - size) * windowMs) / limit,
	};
}
