import { BookingIndex } from '../../../nodes/TractorBooking/resources/booking/create/match/bookingIndex';
import { skipped } from '../../support/skippedTime';

type Abort = typeof import('../../../nodes/TractorBooking/api/abort');

jest.mock('../../../nodes/TractorBooking/api/abort', (): Abort => ({
	...jest.requireActual<Abort>('../../../nodes/TractorBooking/api/abort'),
	now: () => skipped.ms,
}));

const HOUR_MS = 3_600_000;

beforeEach(() => (skipped.ms = 0));

it('remembers the last 20,000 bookings that the process made', () => {
	const index = new BookingIndex();
	for (let id = 1; id <= 20_002; id++) index.remember(id, { request: {} });
	const known = [1, 2, 3, 20_002].map((bookingID) => index.madeOf({ bookingID }) !== undefined);
	expect(known).toEqual([false, false, true, true]);
});

it('forgets after a day what the process made', () => {
	const index = new BookingIndex();
	index.remember(1, { request: {} });
	skipped.ms += 2 * HOUR_MS;
	index.remember(2, { request: {} });
	skipped.ms += 23 * HOUR_MS;
	index.remember(3, { request: {} });
	const known = [1, 2, 3].map((bookingID) => index.madeOf({ bookingID }) !== undefined);
	expect(known).toEqual([false, true, true]);
});
