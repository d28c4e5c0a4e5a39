/** The rate limit of a service: takes a request, or says in how many milliseconds one may pass. */
export interface ServiceLimit {
	take(): number | undefined;
	/** Earliest instant, in milliseconds, at which so many requests can have passed, asking all the time. */
	dictated(requests: number): number;
}

const MINUTE_MS = 60_000;

const now = (): number => performance.now();

/** At most `limit` in any minute. */
export function sliding(limit: number): ServiceLimit {
	let times: number[] = [];
	return {
		take() {
			times = times.filter((time) => time > now() - MINUTE_MS);
			const waitMs = times.length < limit ? undefined : (times[0] ?? 0) + MINUTE_MS - now();
			if (waitMs === undefined) times.push(now());
			return waitMs;
		},
		dictated: (requests) => (Math.ceil(requests / limit) - 1) * MINUTE_MS,
	};
}
