import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { ServiceError, TRY_LATER, unlessBooked } from './errors';
import { errorMessageFrom, saysFailure } from './responses';
import type { RecordKind } from './records';
import {
	findRecord,
	identifierOf,
	identifiersOf,
	namedIdentifierOf,
	parseRecord,
	toKey,
	unexpectedResponse,
} from './records';
import { recordsIn, unwrapPage } from './pages/unwrap';
import type { Endpoint } from './errors';
import { isRecord } from '../utils/record';
import { isEmpty } from '../utils/text';

/** The scope that a key needs to read bookings (interface, "Authentication" 4). */
export const READ_BOOKINGS = 'booking:bookings:read';

/** The parts of a path or query that come from users are encoded, so that an ID cannot change the URL. */
function encodeSegment(part: string): string {
	// Half of a character cannot be encoded; with its substitute the service knows no such thing.
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

/**
 * Details of several tractors in one request (interface, "Tractor details": response not shown). One record, an object
 * by identifier, and a list are read.
 *
 * @returns the records by `TractorID`; an identifier without a response is not in the map
 */
export async function getTractorDetails(
	client: ServiceClient,
	tractorIds: readonly string[],
): Promise<Map<string, IDataObject>> {
	return await client.send(
		{
			endpoint: {
				name: 'details',
				perMinute: 60,
				purpose: 'get tractor details',
				notFound: `No tractor is known under ${tractorIds.join(', ')}`,
			},
			// Joined by plain commas, as documented.
			path: `/booking-services/tractor/${tractorIds.map(encodeSegment).join(',')}/detail/`,
		},
		(body) => detailsByAskedId(body, tractorIds),
	);
}

function detailsByAskedId(body: unknown, tractorIds: readonly string[]): Map<string, IDataObject> {
	const asked = new Map(tractorIds.map((id) => [toKey(id), id]));
	const idOf = (record: IDataObject) =>
		identifiersOf(record, 'tractor')
			.map((value) => asked.get(toKey(value)))
			.find((id) => id !== undefined);
	const records = detailRecords(body, (record) => idOf(record) !== undefined);
	return new Map(
		records.flatMap((record) => {
			const id = idOf(record);
			return id === undefined ? [] : [[id, record] as const];
		}),
	);
}

function detailRecords(body: unknown, isAsked: (record: IDataObject) => boolean): IDataObject[] {
	const one = findRecord(body, isAsked);
	if (one) return [one];
	const byId = isRecord(body) && isRecord(body.data) ? body.data : body;
	const entries = isRecord(byId) ? Object.entries(byId) : [];
	const found = entries.flatMap(([TractorID, record]) =>
		isRecord(record) && isAsked({ TractorID }) ? [{ TractorID, ...record }] : [],
	);
	// A service may write null, or nothing, for what it does not know.
	const isNone = body === null || (isRecord(byId) && entries.length === 0);
	const records = found.length > 0 || isNone ? found : recordsIn(body, 'tractors');
	if (!records) throw unexpectedResponse('tractors', body);
	return records;
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

/** What to do about a booking whose values are refused. */
const CORRECT_BOOKING = unlessBooked('correct the values that it names, then run this item again');

/**
 * Creates a booking (interface, "Create booking").
 *
 * @param isWanted asked right before each attempt, see `ServiceRequest`
 * @returns the response: `bookingID`, `clusterID` and whatever else the service adds
 * @throws ServiceError; if its `outcomeUnknown` is true, the booking may exist
 */
export async function createBooking(
	client: ServiceClient,
	request: Readonly<Record<string, unknown>>,
	isWanted?: () => Promise<boolean>,
): Promise<IDataObject> {
	return await client.send(
		{
			endpoint: {
				name: 'create',
				perMinute: 50,
				purpose: 'create the booking',
				refusedFix: CORRECT_BOOKING,
				notFound:
					'The service does not know the tractor or the service of the booking (status 404)',
				// The base URL is right if the list of bookings was read with it.
				notFoundFix:
					'Check the tractor and the service type: Tractor > Find Nearby and Get show which there are. If every row fails, check the base URL in the credential.',
			},
			path: '/booking-services/booking-agent/service-booking/',
			body: request,
			isWanted,
		},
		parseCreated,
	);
}

function parseCreated(body: unknown): IDataObject {
	const idOf = (record: IDataObject) => namedIdentifierOf(record, 'booking');
	const booking = findRecord(body, (record) => isIdentifier(idOf(record)));
	const isFailure = isRecord(body) && saysFailure(body);
	if (booking && !isFailure) return { ...booking, bookingID: idOf(booking) };
	if (!booking && isRecord(body) && (isFailure || (body.error && !findRecord(body, isBooking)))) {
		const said = errorMessageFrom(body) || 'it gave no reason';
		throw new ServiceError('validation', `The service refused to create the booking: ${said}`, {
			description: CORRECT_BOOKING,
		});
	}
	const problem = isFailure
		? 'The service named a bookingID, but said that it failed'
		: 'The service accepted the booking but named no bookingID';
	throw new ServiceError('unreadable', problem, {
		description: 'Look the booking up with Booking > Get Many before you run this item again.',
	});
}

/**
 * The record that was asked for, since it shows its identifier, or none.
 *
 * @throws ServiceError (`unreadable`) if it shows another one
 */
function requireAsked(
	record: IDataObject,
	kind: RecordKind,
	id: string,
	{ purpose }: Endpoint,
): IDataObject {
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
		requireAsked(parseRecord(body, 'booking', isBooking), 'booking', bookingId, endpoint),
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
		requireAsked(parseRecord(body, 'tractor', isTractor), 'tractor', tractorId, endpoint),
	);
}
