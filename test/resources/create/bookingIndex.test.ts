import { BookingIndex } from '../../../nodes/TractorBooking/resources/booking/create/match/bookingIndex';

it('remembers the last 20,000 bookings that the process made', () => {
	const index = new BookingIndex();
	for (let id = 1; id <= 20_002; id++) index.remember(id, { request: {} });
	const known = [1, 2, 3, 20_002].map((bookingID) => index.madeOf({ bookingID }) !== undefined);
	expect(known).toEqual([false, false, true, true]);
});
