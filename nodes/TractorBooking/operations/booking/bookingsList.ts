import type { ServiceClient } from '../../service/client';
import { listBookingsPage } from '../../service/endpoints';
import type { PagedList } from '../../service/pagination';

/** The organisation's bookings as a list to read (interface, "List bookings"). */
export function bookingsList(client: ServiceClient, isWanted?: PagedList['isWanted']): PagedList {
	return {
		what: 'bookings',
		keyOf: (booking) => booking.bookingID,
		fetchPage: async (page, size, isNeeded) => await listBookingsPage(client, page, size, isNeeded),
		isWanted,
	};
}
