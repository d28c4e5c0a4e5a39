import { MAX_TIMEOUT_MS } from '../../../../api/client';
import { CREATIONS_PER_MINUTE } from '../../../../api/endpoints';
import { MAX_PACED } from '../../../../api/rateLimiter';

// The times by which no row is booked twice, in milliseconds: docs/developers/memory.md, "Times", says what each has to carry.

/** A use of n8n's store that takes at most this long can overwrite only what was recorded less than that before its end. */
export const QUICK_MS = 1_000;

/** After this time, the mark of a claim is looked up. */
export const OVERWRITE_CHECK_MS = 1_000;

/** By how much the clocks of two workers may differ. */
export const MAX_CLOCK_ERROR_MS = 10_000;

/** Rows that are claimed together: each claim takes a second, and n8n three writes. */
export const CHUNK = 24;

/** A row that is not requested this long after the check of its claim is claimed again. The chunk before may use part of it. */
export const REQUEST_WINDOW_MS = ((CHUNK + 2 * MAX_PACED) * 60_000) / CREATIONS_PER_MINUTE;

/** Delays before each look for what another run books: it may record that late, and the service list it late. */
export const SEARCH_DELAYS_MS = [1_000, 3_000, 26_000];

/** By then, a booking is in the list. */
export const LISTED_WITHIN_MS = SEARCH_DELAYS_MS.reduce((sum, ms) => sum + ms, 0);

/** After this time, what a slow use of the store may have overwritten is in the list, or claimed again. */
export const REPAIR_MS = REQUEST_WINDOW_MS + LISTED_WITHIN_MS;

/** A claim is of the slot in which it is made and of the next one, by any worker's clock: it holds for one to two slots, and ten seconds more at most. */
export const SLOT_MS = 2 * MAX_TIMEOUT_MS;
