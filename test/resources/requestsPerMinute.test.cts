import '../support/shortPauses.cts';
import { byId, fieldOf, perform } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';

/** How many times as fast the node's time runs: its pauses, and the clock that it waits by. */
const SPEED = 100;

const realNow = performance.now.bind(performance);
const sandbox = eachWithSandbox({ bookings: 5 });
beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => realNow() * SPEED));
afterEach(() => jest.restoreAllMocks());

it('Requests per Minute holds requests back, although the service would take them', async () => {
	const rows = [1, 2, 3, 4, 5].map((n) => ({ booking: 100_000 + n }));
	const fields = {
		bookingId: byId('={{ $json.booking }}'),
		options: { requestsPerMinute: 2 },
	};
	const started = performance.now();
	const { items, error } = await perform(sandbox, 'booking:get', fields, { rows });
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'bookingID')).toEqual(rows.map(({ booking }) => booking));
	// Two at once, two a minute later, and the fifth a minute after those.
	expect(performance.now() - started).toBeGreaterThanOrEqual(2 * 60_000);
});
