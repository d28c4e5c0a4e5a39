import type { ServiceClient } from './client';
import { listBookingsPage, listContractsPage } from './endpoints';
import { identifierOf, keyOfBooking } from './identifiers';
import type { PagedList } from './pages/list';

/** The organisation's bookings as a list to read (interface, "List bookings"). */
export function bookingsList(client: ServiceClient): PagedList {
	return {
		what: 'bookings',
		name: `bookings ${client.baseUrl}`,
		keyOf: keyOfBooking,
		fetchPage: async (page, size, signal) => await listBookingsPage(client, page, size, signal),
	};
}

/** The contracts as a list to read (interface, "Pagination of list endpoints"). */
export function contractsList(client: ServiceClient): PagedList {
	return {
		what: 'contracts',
		name: `contracts ${client.baseUrl}`,
		// Which field identifies a contract is not shown: a guess alone must not make one of two different records.
		keyOf: (contract) =>
			identifierOf(contract, 'contract') === undefined ? undefined : JSON.stringify(contract),
		fetchPage: async (page, size, signal) => await listContractsPage(client, page, size, signal),
	};
}
