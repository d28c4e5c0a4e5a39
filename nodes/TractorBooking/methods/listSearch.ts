import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../utils/text';
import { statusLabel } from '../api/status';
import { getBooking } from '../api/endpoints';
import { settle, ServiceError } from '../api/errors';
import { identifierOf } from '../api/records';
import { collect } from '../api/pages/collect';
import type { PagedList } from '../api/pages/fetch';
import { bookingsList, catalogueList } from '../api/pages/fetch';
import { iterate } from '../api/pages/iterate';
import type { ListOption } from './matches';
import { Matches, search } from './matches';

/** Max number of pages per search in the editor; loading more results continues after them. */
const MAX_PAGES_PER_SEARCH = 5;

/** Reads pages until some records match; the service has no search. The pagination token is the next page. */
async function searchPages(
	list: PagedList,
	matches: Matches,
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const { results } = matches;
	const from = Number(paginationToken);
	const last = from + MAX_PAGES_PER_SEARCH - 1;
	// From the page before on, by which a service shows that it repeats its last page instead of ending.
	for await (const page of iterate(list, { from: from > 1 ? from - 1 : undefined })) {
		const isShown = from > 1 && page.number < from;
		if (!isShown) matches.add(page.records);
		if (page.isLast) break;
		const isEnough = results.length > 0 && page.number >= from;
		if (isEnough || page.number === last) {
			return { results, paginationToken: String(page.number + 1) };
		}
	}
	return { results };
}

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

/** Bookings for the resource locator of Booking > Get, searchable by id, farmer, phone, date and status. */
export async function searchBookings(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const matches = new Matches(bookingOption, filter);
	return await search(this, 'apiKey', async (client) => {
		// It may be far back in the list.
		if (/^\s*\d+\s*$/.test(filter) && !paginationToken) {
			const booking = await settle(getBooking(client, filter.trim()));
			if (!(booking instanceof ServiceError)) matches.add([booking]);
			if (matches.results.length > 0) return { results: matches.results };
		}
		return await searchPages(bookingsList(client), matches, paginationToken);
	});
}

/** Tractors for the resource locator of Catalogue > Get, searchable by id and name. */
export async function searchCatalogue(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const isByKey = this.getCurrentNodeParameter('authentication') === 'apiKey';
	const matches = new Matches(catalogueOption, filter);
	return await search(this, isByKey ? 'apiKey' : 'bearerToken', async (client) => {
		// The catalogue's paging has to be found out, so it is read as a whole.
		matches.add(await collect(catalogueList(client)));
		return { results: matches.results };
	});
}
