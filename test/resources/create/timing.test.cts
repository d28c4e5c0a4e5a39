import { MAX_TIMEOUT_MS } from '../../../nodes/TractorBooking/api/client';
import { CREATIONS_PER_MINUTE } from '../../../nodes/TractorBooking/api/endpoints';
import * as timing from '../../../nodes/TractorBooking/resources/booking/create/memory/timing';

// `support/setup.cts` shortens one.
jest.unmock('../../../nodes/TractorBooking/resources/booking/create/memory/timing');

const {
	CHUNK,
	LISTED_WITHIN_MS,
	MAX_CLOCK_ERROR_MS,
	OVERWRITE_CHECK_MS,
	QUICK_MS,
	REPAIR_MS,
	REQUEST_WINDOW_MS,
	SLOT_MS,
} = timing;

// The words are those of docs/developers/memory.md, "Times".
// prettier-ignore
it.each([
	['a mark is looked up once each quick call that may have overwritten it has ended', OVERWRITE_CHECK_MS, QUICK_MS],
	['after a slow call, a row that had no response when its window ended is claimed again', REPAIR_MS, REQUEST_WINDOW_MS + QUICK_MS],
	['after a slow call, a booking that was made within its window is in the list', REPAIR_MS, REQUEST_WINDOW_MS + LISTED_WITHIN_MS],
	['a chunk whose check was slow as its slot ended is claimed again in the next one', REPAIR_MS, MAX_CLOCK_ERROR_MS],
	['a claim holds until the last request has ended and its booking is in the list', SLOT_MS, REQUEST_WINDOW_MS + MAX_TIMEOUT_MS + LISTED_WITHIN_MS],
	['a chunk can be sent within its window', REQUEST_WINDOW_MS, (CHUNK * 60_000) / CREATIONS_PER_MINUTE],
])('%s', (_what, time, least) => {
	expect(time).toBeGreaterThanOrEqual(least);
});
