import type { ServiceClient } from '../../api/client';
import { listBookingsPage } from '../../api/endpoints';
import { identifierOf } from '../../api/identifiers';
import type { PagedList } from '../../api/pages/pages';

/** The list of the organisation's bookings (interface, "List bookings"). */
export function bookingsList(client: ServiceClient, isWanted?: PagedList['isWanted']): PagedList {
	return {
		what: 'bookings',
		keyOf: (booking) => identifierOf(booking, 'booking'),
		fetchPage: async (page, size, signal) => await listBookingsPage(client, page, size, signal),
		isWanted,
	};
}
