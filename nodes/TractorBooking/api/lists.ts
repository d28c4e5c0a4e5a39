import type { ServiceClient } from './client';
import { READ_BOOKINGS } from './endpoints';
import { identifierOf, keyOfBooking } from './identifiers';
import { parseListResponse } from './pages/envelope';
import type { PagedList } from './pages/list';

/**
 * The organisation's bookings as a list to read (interface, "List bookings").
 *
 * @param emptiesDeepRecords whether a record that is nested too deeply becomes an empty one, instead of failing its page
 */
export function bookingsList(client: ServiceClient, emptiesDeepRecords = false): PagedList {
	return {
		what: 'bookings',
		name: `bookings ${client.baseUrl}`,
		keyOf: keyOfBooking,
		fetchPage: async (page, size, signal) =>
			await client.send(
				{
					endpoint: {
						name: 'bookings',
						purpose: 'list bookings',
						scope: READ_BOOKINGS,
						emptiesDeepRecords,
					},
					path: `/booking-services/partner/booking/${page}/${size}`,
					signal,
					retryOn500: page !== 0,
				},
				(body) => parseListResponse(body, 'bookings'),
			),
	};
}

/** The contracts as a list to read, in the documented scheme (interface, "Pagination of list endpoints"). */
export function contractsList(client: ServiceClient): PagedList {
	return {
		what: 'contracts',
		name: `contracts ${client.baseUrl}`,
		// Which field identifies a contract is not shown: a guess alone must not make one of two different records.
		keyOf: (contract) =>
			identifierOf(contract, 'contract') === undefined ? undefined : JSON.stringify(contract),
		fetchPage: async (page, size, signal) =>
			await client.send(
				{
					endpoint: { name: 'contracts', purpose: 'list contracts' },
					path: '/payg/lms/contracts',
					query: { page, limit: size },
					signal,
					retryOn500: page !== 0,
				},
				(body) => parseListResponse(body, 'contracts'),
			),
	};
}
