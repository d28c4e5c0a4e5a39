import type { IDataObject } from 'n8n-workflow';

import { mapConcurrent } from '../utils/mapConcurrent';
import type { ServiceClient, ServiceRequest } from './client';
import { ServiceError, settle, TRY_LATER, type Endpoint } from './errors';
import { unwrapPage, type ListName, type PagedList } from './pages/fetch';
import {
	bookingIdOf,
	identifierOf,
	recordIn,
	toId,
	tractorIdOf,
	unexpectedResponse,
} from './records';
import { errorIn, errorMessageFrom } from './responses';

/** The scope that a key needs to read bookings (interface, "Authentication" 4). */
const READ_BOOKINGS = 'booking:bookings:read';

/** How many bookings the service takes (interface, "Limits"). */
export const CREATIONS_PER_MINUTE = 50;

/** Per request: as many as the longest default page has (interface, "Limits"), so that none is cut off. */
const MAX_TRACTORS = 25;

/** Tractors near a coordinate in degrees, in the order of the service (interface, "Find nearby tractors"). @throws ServiceError */
export async function findNearbyTractors(
	client: ServiceClient,
	latitude: number,
	longitude: number,
): Promise<IDataObject[]> {
	const endpoint = {
		name: 'nearby',
		perMinute: 60,
		purpose: 'find tractors near a coordinate',
		notFound:
			'Nothing was found near this coordinate: the service knows no tractor there, or the base URL in the credential is wrong',
		notFoundFix: `Check the coordinate ${latitude}, ${longitude}, then the base URL in the credential.`,
	};
	const path = `/booking-services/tractor/nearby/${latitude}/${longitude}/`;
	return await client.send({ endpoint, path }, (body) => unwrapPage(body, 'tractors').records);
}

/**
 * The details of some tractors in one request (interface, "Tractor details"): a list, or one record. If the service
 * refuses several, since it may not know one of them, each is asked for by itself.
 */
async function readDetails(
	client: ServiceClient,
	tractorIds: readonly string[],
): Promise<IDataObject[]> {
	const endpoint = { name: 'details', perMinute: 60, purpose: 'get tractor details' };
	// Joined by plain commas, as documented.
	const path = `/booking-services/tractor/${tractorIds.map(encodeURIComponent).join(',')}/detail/`;
	const sent = client.send({ endpoint, path }, (body) => {
		const one = recordIn(body);
		if (one && identifierOf(one, 'tractor') !== undefined) return [one];
		return unwrapPage(body, 'tractors').records;
	});
	const result = await settle(sent);
	if (!(result instanceof ServiceError)) return result;
	if (result.kind !== 'notFound' && result.kind !== 'validation') throw result;
	if (tractorIds.length === 1) return [];
	return (await mapConcurrent(tractorIds, async (id) => await readDetails(client, [id]))).flat();
}

/** Details of tractors by the identifier that was given, without those that the service leaves out. @throws ServiceError */
export async function listTractorDetails(
	client: ServiceClient,
	tractorIds: Iterable<string>,
): Promise<Map<string, IDataObject>> {
	const ids = [...new Set(tractorIds)];
	const groups: string[][] = [];
	for (let at = 0; at < ids.length; at += MAX_TRACTORS)
		groups.push(ids.slice(at, at + MAX_TRACTORS));
	const ofGroup = async (group: string[]) => await readDetails(client, group);
	const records = (await mapConcurrent(groups, ofGroup)).flat();
	const byId = new Map(records.map((record) => [toId(identifierOf(record, 'tractor')), record]));
	const details = ids.map((id) => [id, byId.get(toId(id))] as const);
	return new Map(details.filter((entry): entry is [string, IDataObject] => entry[1] !== undefined));
}

/** Tractors with their details beside what they have themselves. @throws ServiceError */
export async function withDetails(
	client: ServiceClient,
	tractors: readonly IDataObject[],
): Promise<IDataObject[]> {
	const details = await listTractorDetails(client, tractors.map(tractorIdOf).filter(Boolean));
	return tractors.map((tractor) => ({ ...details.get(tractorIdOf(tractor)), ...tractor }));
}

/**
 * Creates a booking (interface, "Create booking").
 *
 * @param advice what to do about a refusal
 * @param isWanted see {@link ServiceRequest}
 * @returns the response: `bookingID`, `clusterID` and whatever else the service adds
 * @throws ServiceError; if its `outcomeUnknown` is true, the booking may exist
 */
export async function createBooking(
	client: ServiceClient,
	request: Readonly<Record<string, unknown>>,
	advice: Pick<Endpoint, 'refusedFix' | 'notFoundFix'>,
	isWanted?: () => boolean,
): Promise<IDataObject> {
	const endpoint = {
		...advice,
		name: 'create',
		perMinute: CREATIONS_PER_MINUTE,
		purpose: 'create the booking',
		notFound: 'Unknown tractor or service type (status 404)',
	};
	const path = '/booking-services/booking-agent/service-booking/';
	return await client.send({ endpoint, path, body: request, isWanted }, (body) => {
		const record = recordIn(body);
		const bookingID = record && identifierOf(record, 'booking');
		const isNumber = typeof toId(bookingID) === 'number' && Number(bookingID) > 0;
		if (isNumber) return { ...record, bookingID };
		const said = errorMessageFrom(body);
		throw unexpectedResponse('new booking with a bookingID', 'unreadable', said);
	});
}

/** The record that is asked for. @throws ServiceError (`unreadable`) if the body has none, or another one */
async function readRecord(
	client: ServiceClient,
	kind: 'booking' | 'tractor',
	id: string,
	{ path, ...request }: ServiceRequest,
): Promise<IDataObject> {
	return await client.send({ ...request, path: `${path}/${encodeURIComponent(id)}` }, (body) => {
		const record = recordIn(body);
		const shown = record && toId(identifierOf(record, kind));
		if (!record || shown === undefined) throw unexpectedResponse(kind, 'unreadable', errorIn(body));
		if (shown === toId(id)) return record;
		const message = `The service sent another ${kind} when asked to ${request.endpoint.purpose}`;
		throw new ServiceError('unreadable', message, { description: TRY_LATER });
	});
}

/** One booking by `bookingID` (interface, "Poll a booking by identifier"). */
export async function getBooking(
	client: ServiceClient,
	bookingId: string,
	purpose = `read booking ${bookingId}`,
): Promise<IDataObject> {
	const notFound = `Booking ${bookingId} is unknown, or belongs to another organisation`;
	const notFoundFix = 'Check the Booking ID, and that the credential is that of your organisation.';
	const endpoint = { name: 'booking', purpose, scope: READ_BOOKINGS, notFound, notFoundFix };
	const path = '/booking-services/partner/booking';
	return await readRecord(client, 'booking', bookingId, { endpoint, path });
}

/** One tractor of the catalogue (interface, "Retrieve a tractor (v1)"). */
export async function getCatalogueTractor(
	client: ServiceClient,
	tractorId: string,
): Promise<IDataObject> {
	const purpose = `read tractor ${tractorId} from the catalogue`;
	const notFound = `Tractor ${tractorId} is not in the catalogue`;
	const notFoundFix = 'Check the tractor ID.';
	const endpoint = { name: 'catalogueTractor', purpose, notFound, notFoundFix };
	return await readRecord(client, 'tractor', tractorId, { endpoint, path: '/v1/tractors' });
}

/** A list whose pages are asked for by number, or by what `next` of the page before says. */
function numberedList(
	client: ServiceClient,
	endpoint: Endpoint & { name: ListName },
	list: Pick<PagedList, 'keyOf' | 'isChained'>,
	requestFor: (
		page: number,
		size: number,
		next?: IDataObject,
	) => Pick<ServiceRequest, 'path' | 'query'>,
): PagedList {
	const { name: what } = endpoint;
	const queries = new Map<number, IDataObject | undefined>();
	return {
		...list,
		what,
		shape: client.account.lists[what],
		async fetchPage(number, size, signal) {
			const request = { endpoint, ...requestFor(number, size, queries.get(number)), signal };
			const page = await client.send(request, (body) => unwrapPage(body, what));
			queries.set(number + 1, page.nextQuery);
			return page;
		},
	};
}

/** The organisation's bookings (interface, "List bookings"). */
export function bookingsList(client: ServiceClient): PagedList {
	return numberedList(
		client,
		{ name: 'bookings', purpose: 'list bookings', scope: READ_BOOKINGS },
		{ keyOf: bookingIdOf },
		(page, size) => ({ path: `/booking-services/partner/booking/${page}/${size}` }),
	);
}

/** The contracts, in the documented scheme (interface, "Pagination of list endpoints"). */
export function contractsList(client: ServiceClient): PagedList {
	return numberedList(
		client,
		{ name: 'contracts', purpose: 'list contracts' },
		// Which field identifies a contract is not shown: equal records are one.
		{ keyOf: () => undefined },
		(page, limit) => ({ path: '/payg/lms/contracts', query: { page, limit } }),
	);
}

/**
 * The tractor catalogue (interface, "List tractors (v1)"). The name of its page parameter is not documented: a page is
 * asked for by the query of `next`, else by `page` as in other lists.
 */
export function catalogueList(client: ServiceClient): PagedList {
	return numberedList(
		client,
		{ name: 'tractors', purpose: 'list the tractor catalogue' },
		{ keyOf: (tractor) => identifierOf(tractor, 'tractor'), isChained: true },
		(page, limit, next = { page }) => ({ path: '/v1/tractors', query: { limit, ...next } }),
	);
}
