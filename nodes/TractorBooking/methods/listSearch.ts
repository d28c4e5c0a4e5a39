import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, fold } from '../utils/text';
import { statusLabel } from '../api/status';
import { listCatalogue } from '../api/catalogue';
import type { AuthScheme } from '../api/client';
import { connect, POLL_POLICY } from '../api/client';
import { listBookingsPage } from '../api/endpoints';
import { settle, ServiceError, toNodeError } from '../api/errors';
import { identifierOf } from '../api/identifiers';
import type { ListAnswer } from '../api/pages/envelope';
import { PAGE_SIZE, unlessOutside } from '../api/pages/pages';

/** Max number of pages per search in the editor; loading more results continues after them. */
const MAX_PAGES_PER_SEARCH = 5;

type ListOption = { name: string; value: string };

/** Reads pages until some records match; the service has no search. The pagination token is the next page. */
async function searchPages(
	fetchPage: (page: number) => Promise<ListAnswer | undefined>,
	toOption: (record: IDataObject) => ListOption,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const wanted = fold(filter);
	const seen = new Set<string>();
	const results: ListOption[] = [];
	const from = Number(paginationToken);
	for (let page = from; page < from + MAX_PAGES_PER_SEARCH; page++) {
		const answer = await fetchPage(page);
		const entries = new Map(
			(answer?.items ?? []).map(toOption).map((entry) => [entry.value, entry]),
		);
		const fresh = [...entries.values()].filter(({ value }) => !seen.has(value));
		for (const { value } of fresh) seen.add(value);
		// A record without an id cannot be chosen.
		const usable = fresh.filter(({ value }) => value !== '');
		results.push(...usable.filter(({ name }) => fold(name).includes(wanted)));
		// Some services repeat a page instead of ending.
		const isLast = fresh.length === 0 || answer?.hasMore === false;
		if (isLast) return { results };
		if (results.length > 0) return { results, paginationToken: String(page + 1) };
	}
	return { results, paginationToken: String(from + MAX_PAGES_PER_SEARCH) };
}

/** Page 1, behind page 0 where there is one: from which of them pages count is not documented. */
async function firstPage(
	fetchPage: (page: number) => Promise<ListAnswer>,
): Promise<ListAnswer | undefined> {
	const one = await settle(fetchPage(1));
	const isAbsent = one instanceof ServiceError;
	if (isAbsent && one.kind !== 'notFound') throw one;
	if (!isAbsent && one.hasPrevious === false) return one;
	const zero = await settle(fetchPage(0));
	if (!(zero instanceof ServiceError)) {
		return isAbsent ? zero : { ...one, items: [...zero.items, ...one.items] };
	}
	if (isAbsent) throw one;
	return one;
}

/** Converts errors of a search to those that n8n's editor shows. */
async function withNodeError<T>(context: ILoadOptionsFunctions, search: Promise<T>): Promise<T> {
	return await search.catch((error: unknown) => {
		throw toNodeError(context.getNode(), error);
	});
}

function bookingOption(booking: IDataObject): ListOption {
	const { farmerName, serviceDate } = booking;
	const id = asText(identifierOf(booking, 'booking'));
	const about = [farmerName, serviceDate, statusLabel(booking.bookingStatus)]
		.map(asText)
		.filter(Boolean)
		.join(', ');
	return { name: `${id} – ${about}`, value: id };
}

function tractorOption(tractor: IDataObject): ListOption {
	const id = asText(identifierOf(tractor, 'tractor'));
	return { name: `${id} – ${asText(tractor.tractor_name) || 'without a name'}`, value: id };
}

/** Bookings for the resource locator of Booking > Get, searchable by id, farmer, date and status. */
export async function searchBookings(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const client = await connect(this, 'apiKey', POLL_POLICY);
		const fetchPage = async (page: number) => await listBookingsPage(client, page, PAGE_SIZE);
		const orNone = async (page: number) =>
			await (page === 1 ? firstPage(fetchPage) : unlessOutside(fetchPage(page)));
		return await searchPages(orNone, bookingOption, filter, paginationToken);
	};
	return await withNodeError(this, search());
}

/** Tractors for the resource locator of Catalogue > Get, searchable by id and name. */
export async function searchCatalogue(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const scheme: AuthScheme =
			this.getCurrentNodeParameter('authentication') === 'apiKey' ? 'apiKey' : 'bearerToken';
		const client = await connect(this, scheme, POLL_POLICY);
		// The catalogue's paging has to be found out, so it is read as a whole.
		const catalogue = { items: await listCatalogue(client, Infinity), hasMore: false };
		return await searchPages(() => Promise.resolve(catalogue), tractorOption, filter);
	};
	return await withNodeError(this, search());
}
