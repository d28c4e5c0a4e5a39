import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { statusLabel } from '../service/bookingStatus';
import { readCatalogue } from '../service/catalogue';
import type { Scheme } from '../service/client';
import { connect, IMPATIENT } from '../service/client';
import { listBookingsPage, tractorKey } from '../service/endpoints';
import { toNodeError } from '../service/errors';
import type { ListAnswer } from '../service/lists';
import { PAGE_SIZE, unlessOutside } from '../service/pagination';
import { asText } from '../service/text';

/** Pages that one search of the editor reads at most; "load more" goes on from there. */
const PAGES_A_SEARCH = 5;

type Entry = { name: string; value: string };

/** Reads pages until some entries match, and says where to go on. The service has no search of its own. */
async function searchPages(
	fetchPage: (page: number) => Promise<ListAnswer | undefined>,
	entryOf: (record: IDataObject) => Entry,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const wanted = filter.trim().toLowerCase();
	const results: Entry[] = [];
	const from = Number(paginationToken);
	for (let page = from; page < from + PAGES_A_SEARCH; page++) {
		const answer = await fetchPage(page);
		const entries = (answer?.items ?? []).map(entryOf);
		results.push(...entries.filter(({ name }) => name.toLowerCase().includes(wanted)));
		const isLast = entries.length === 0 || answer?.hasMore === false;
		if (isLast) return { results };
		if (results.length > 0) return { results, paginationToken: String(page + 1) };
	}
	return { results, paginationToken: String(from + PAGES_A_SEARCH) };
}

/** Errors of the editor's searches in words for people. */
async function explained<T>(context: ILoadOptionsFunctions, search: Promise<T>): Promise<T> {
	return await search.catch((error: unknown) => {
		throw toNodeError(context.getNode(), error);
	});
}

function bookingEntry(booking: IDataObject): Entry {
	const { bookingID, farmerName, serviceDate } = booking;
	const about = [farmerName, serviceDate, statusLabel(booking.bookingStatus)]
		.map(asText)
		.filter(Boolean)
		.join(', ');
	return { name: `${asText(bookingID)} – ${about}`, value: asText(bookingID) };
}

function tractorEntry(tractor: IDataObject): Entry {
	const id = asText(tractorKey(tractor));
	return { name: `${id} – ${asText(tractor.tractor_name) || 'without a name'}`, value: id };
}

/** Bookings for the resource locator of Booking > Get, searchable by id, farmer, date and status. */
export async function searchBookings(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const client = await connect(this, 'apiKey', IMPATIENT);
		const fetchPage = async (page: number) =>
			await unlessOutside(listBookingsPage(client, page, PAGE_SIZE));
		return await searchPages(fetchPage, bookingEntry, filter, paginationToken);
	};
	return await explained(this, search());
}

/** Tractors for the resource locator of Catalogue > Get, searchable by id and name. */
export async function searchCatalogue(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const scheme: Scheme =
			this.getCurrentNodeParameter('authentication') === 'apiKey' ? 'apiKey' : 'bearerToken';
		const client = await connect(this, scheme, IMPATIENT);
		// The catalogue's paging has to be found out, so it is read as a whole.
		const catalogue = { items: await readCatalogue(client, Infinity), hasMore: false };
		return await searchPages(() => Promise.resolve(catalogue), tractorEntry, filter);
	};
	return await explained(this, search());
}
