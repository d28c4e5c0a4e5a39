import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../utils/text';
import { statusLabel } from '../api/status';
import { getBooking } from '../api/endpoints';
import { settle, ServiceError } from '../api/errors';
import { identifierOf } from '../api/records';
import { collect } from '../api/pages/collect';
import { bookingsList, catalogueList } from '../api/pages/fetch';
import { iterate } from '../api/pages/iterate';
import { matching, search, type ListOption } from './matches';

/** Max number of pages per search in the editor; loading more results continues after them. */
const MAX_PAGES_PER_SEARCH = 5;

function bookingOption(booking: IDataObject): ListOption {
	const { farmerName, farmerPhone, serviceDate } = booking;
	const id = asText(identifierOf(booking, 'booking'));
	// The editor cuts off what does not fit, so what distinguishes bookings comes first.
	const about = [farmerName, statusLabel(booking.bookingStatus), serviceDate, farmerPhone]
		.map(asText)
		.filter(Boolean)
		.join(', ');
	return { name: `${id} – ${about}`, value: id };
}

function catalogueOption(tractor: IDataObject): ListOption {
	const id = asText(identifierOf(tractor, 'tractor'));
	return { name: `${id} – ${asText(tractor.tractor_name) || 'without a name'}`, value: id };
}

/**
 * Bookings for the resource locator of Booking > Get, searchable by id, farmer, phone, date and status. Reads pages until
 * some match; the service has no search.
 *
 * @param paginationToken the next page
 */
export async function searchBookings(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'apiKey', async (client) => {
		// It may be far back in the list.
		if (/^\s*\d+\s*$/.test(filter) && !paginationToken) {
			const booking = await settle(getBooking(client, filter.trim()));
			if (!(booking instanceof ServiceError)) return { results: [bookingOption(booking)] };
		}
		const from = paginationToken === undefined ? undefined : Number(paginationToken);
		let read = 0;
		for await (const page of iterate(bookingsList(client), { from })) {
			const results = matching(page.records, bookingOption, filter);
			read += 1;
			if (page.isLast) return { results };
			if (results.length > 0 || read === MAX_PAGES_PER_SEARCH)
				return { results, paginationToken: String(page.number + 1) };
		}
		return { results: [] };
	});
}

/** Tractors for the resource locator of Catalogue > Get, searchable by id and name. */
export async function searchCatalogue(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const isByKey = this.getCurrentNodeParameter('authentication') === 'apiKey';
	// The catalogue's paging has to be found out, so it is read as a whole.
	return await search(this, isByKey ? 'apiKey' : 'bearerToken', async (client) => ({
		results: matching(await collect(catalogueList(client)), catalogueOption, filter),
	}));
}
