import type { Faults } from './faults.cts';
import type { RateLimiter } from './rateLimit.cts';
import type { RequestLog } from './requestLog.cts';
import type { Settings } from './settings.cts';
import type { Store } from './store.cts';

/** The part of a list that a request asks for. */
export interface PageRequest {
	/** Index of the page's first item. */
	offset: number;
	size: number;
}

/** What tests hang into the sandbox. */
interface Hooks {
	/** Runs before a list page is cut out, for instance to insert or delete items in the middle of a scan. */
	beforeListPage?: (page: PageRequest) => void | Promise<void>;
	/** Changes a booking's record on its way out. */
	shapeBooking?: (booking: Record<string, unknown>) => unknown;
}

/** What the parts of the server share. */
export interface Context {
	/** Changes hold from the next request on. */
	settings: Settings;
	/** Bookings, tractors, contracts and the SMS outbox, for direct reading and changing. */
	store: Store;
	faults: Faults;
	requests: RequestLog;
	limiter: RateLimiter;
	hooks: Hooks;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Aborted when the sandbox closes: ends every wait. */
	closing: AbortSignal;
	/** Puts data, settings, faults and counts back to how they were at the start. */
	reset: () => void;
}
