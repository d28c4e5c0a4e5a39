import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { ServiceError, TRY_LATER } from './errors';
import { errorMessageFrom, saysFailure } from './responses';
import type { RecordKind } from './records';
import {
	findRecord,
	identifierOf,
	identifiersOf,
	namedIdentifierOf,
	toKey,
	unexpectedResponse,
} from './records';
import { unwrapPage } from './pages/unwrap';
import type { Endpoint } from './errors';
import { isRecord } from '../utils/record';
import { isEmpty } from '../utils/text';

/** The scope that a key needs to read bookings (interface, "Authentication" 4). */
export const READ_BOOKINGS = 'booking:bookings:read';

/** A part of a path that comes from users, encoded, so that an ID cannot change the URL. */
export function encodeSegment(part: string): string {
	// `encodeURIComponent` throws for a lone surrogate.
	return encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * Tractors near a coordinate, in the order of the service (interface, "Find nearby tractors").
 *
 * @param latitude degrees, −90 to 90
 * @param longitude degrees, −180 to 180
 * @param warn is called if the service says that there are more than it gives
 */
export async function findNearbyTractors(
	client: ServiceClient,
	latitude: number,
	longitude: number,
	warn?: (text: string) => void,
): Promise<IDataObject[]> {
	return await client.send(
		{
			endpoint: {
				name: 'nearby',
				perMinute: 60,
				purpose: 'find tractors near a coordinate',
				notFound:
					'Nothing was found near this coordinate: the service knows no tractor there, or the base URL in the credential is wrong',
				notFoundFix: `Check the coordinate ${latitude}, ${longitude}, then the base URL in the credential.`,
			},
			path: `/booking-services/tractor/nearby/${latitude}/${longitude}/`,
		},
		(body) => {
			const page = unwrapPage(body, 'tractors');
			if (!page) throw unexpectedResponse('tractors', body);
			const { records, hasNext, count = 0 } = page;
			if (hasNext || count > records.length)
				warn?.(`The service has more tractors nearby than the ${records.length} that it gives.`);
			return records;
		},
	);
}

/** Whether an object is a booking record (interface, "Booking record"). */
function isBooking(record: IDataObject): boolean {
	const { bookingStatus = null } = record;
	return bookingStatus !== null || namedIdentifierOf(record, 'booking') !== undefined;
}

/** Whether a value can be a `bookingID` (interface, "Booking create response": integer), or its text. */
function isIdentifier(value: unknown): boolean {
	return typeof value === 'string' ? !isEmpty(value) : Number.isInteger(value) && Number(value) > 0;
}

/**
 * Creates a booking (interface, "Create booking").
 *
 * @param advice what to do if the service refuses it, or does not know what it names
 * @param isWanted asked right before each attempt, see `ServiceRequest`
 * @returns the response: `bookingID`, `clusterID` and whatever else the service adds
 * @throws ServiceError; if its `outcomeUnknown` is true, the booking may exist
 */
export async function createBooking(
	client: ServiceClient,
	request: Readonly<Record<string, unknown>>,
	advice: Pick<Endpoint, 'refusedFix' | 'notFoundFix'>,
	isWanted?: () => Promise<boolean>,
): Promise<IDataObject> {
	return await client.send(
		{
			endpoint: {
				...advice,
				name: 'create',
				perMinute: 50,
				purpose: 'create the booking',
				notFound:
					'The service does not know the tractor or the service of the booking (status 404)',
			},
			path: '/booking-services/booking-agent/service-booking/',
			body: request,
			isWanted,
		},
		(body) => parseCreated(body, advice.refusedFix),
	);
}

function parseCreated(body: unknown, refusedFix?: string): IDataObject {
	const idOf = (record: IDataObject) => namedIdentifierOf(record, 'booking');
	const booking = findRecord(body, (record) => isIdentifier(idOf(record)));
	const isFailure = isRecord(body) && saysFailure(body);
	if (booking && !isFailure) return { ...booking, bookingID: idOf(booking) };
	if (isFailure && !booking) {
		const said = errorMessageFrom(body) || 'it gave no reason';
		throw new ServiceError('validation', `The service refused to create the booking: ${said}`, {
			description: refusedFix,
		});
	}
	throw new ServiceError(
		'unreadable',
		booking
			? 'The service named a bookingID, but said that it failed'
			: 'The service answered with success but named no bookingID',
	);
}

/**
 * The record that was asked for. It may be wrapped in an envelope, or in a list of one.
 *
 * @param isIt whether an object is the record, by a field that every such record has
 * @throws ServiceError (`unreadable`) if there is none, or if it shows another identifier
 */
function parseRecord(
	body: unknown,
	kind: RecordKind,
	id: string,
	isIt: (record: IDataObject) => boolean,
	{ purpose }: Endpoint,
): IDataObject {
	const record = findRecord(body, isIt);
	if (!record) throw unexpectedResponse(kind, body);
	const shown = identifiersOf(record, kind).map(toKey);
	const [other] = shown.filter((key) => key !== undefined);
	if (other === undefined || shown.includes(toKey(id))) return record;
	const message = `The service sent ${kind} ${errorMessageFrom(other)} when asked to ${purpose}`;
	throw new ServiceError('unreadable', message, { description: TRY_LATER });
}

/**
 * One booking by `bookingID` (interface, "Poll a booking by identifier").
 *
 * @param purpose for messages
 */
export async function getBooking(
	client: ServiceClient,
	bookingId: string,
	signal?: AbortSignal,
	purpose = `read booking ${bookingId}`,
): Promise<IDataObject> {
	const endpoint: Endpoint = {
		name: 'booking',
		purpose,
		scope: READ_BOOKINGS,
		notFound: `Booking ${bookingId} is unknown, or belongs to another organisation`,
	};
	const path = `/booking-services/partner/booking/${encodeSegment(bookingId)}`;
	return await client.send({ endpoint, path, signal }, (body) =>
		parseRecord(body, 'booking', bookingId, isBooking, endpoint),
	);
}

/** One tractor of the catalogue (interface, "Retrieve a tractor (v1)"). */
export async function getCatalogueTractor(
	client: ServiceClient,
	tractorId: string,
): Promise<IDataObject> {
	const endpoint: Endpoint = {
		name: 'catalogueTractor',
		purpose: `read tractor ${tractorId} from the catalogue`,
		notFound: `Tractor ${tractorId} is not in the catalogue`,
	};
	const path = `/v1/tractors/${encodeSegment(tractorId)}`;
	const isTractor = (record: IDataObject) => identifierOf(record, 'tractor') !== undefined;
	return await client.send({ endpoint, path }, (body) =>
		parseRecord(body, 'tractor', tractorId, isTractor, endpoint),
	);
}
