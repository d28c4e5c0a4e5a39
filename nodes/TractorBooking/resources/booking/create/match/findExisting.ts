import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { listTractorDetails } from '../../../../api/details';
import { findNearbyTractors } from '../../../../api/endpoints';
import { settle, ServiceError } from '../../../../api/errors';
import { identifierOf, keyOfBooking } from '../../../../api/identifiers';
import type { OfferedService } from '../../../../api/services';
import { servicesOf } from '../../../../api/services';
import type { BookingRequest } from '../fields';
import { mapConcurrent } from '../../../../utils/mapConcurrent';
import { asText } from '../../../../utils/text';
import { DAY_MS } from '../../../../utils/time';
import { existingBookings, type ExistingBookings } from './existingBookings';
import { knownBookingsOf, soughtBy } from './knownBookings';
import { findLost } from './lostRows';
import { jobOfRow } from './pairs';
import { fetchBookings } from './readBookings';
import type { OpenRow } from '../row';

/** The same error; if the bookings cannot be read at all, it says why that matters. */
function unreadable(error: ServiceError): ServiceError {
	const { kind, description = '' } = error;
	if (kind !== 'notAllowed' && kind !== 'unreadable') return error;
	const advice =
		'Without the list of bookings, the node cannot tell which rows are booked already.';
	return error.withDescription(kind === 'notAllowed' ? `${description} ${advice}`.trim() : advice);
}

/**
 * Fetches the services of tractors, if rows or bookings name theirs in words: those of their tractors, and for each
 * service those near the farm of a row that has no tractor yet. What cannot be fetched is not compared.
 */
async function fetchServices(
	client: ServiceClient,
	rows: readonly OpenRow[],
	existing: ExistingBookings,
): Promise<Map<string, OfferedService[]>> {
	const tractors = new Map<string, IDataObject>();
	const farms = new Map<unknown, BookingRequest>();
	for (const row of rows) {
		const own = jobOfRow(row);
		const near = [...existing.near(own, row.settings.matchFields)].map(({ job }) => job);
		const isNamed = [own, ...near].some(({ serviceType }) => typeof serviceType === 'string');
		const isAlone = rows.length === 1 && near.length === 0;
		if (own.serviceType === undefined || !isNamed || isAlone) continue;
		for (const { tractorId } of [own, ...near])
			if (tractorId !== undefined) tractors.set(asText(tractorId), {});
		if (row.wantsNearest) farms.set(own.serviceType, row.request);
	}
	await mapConcurrent([...farms.values()], async ({ latitude = 0, longitude = 0 }) => {
		const nearby = await settle(findNearbyTractors(client, latitude, longitude));
		for (const tractor of nearby instanceof ServiceError ? [] : nearby)
			tractors.set(asText(identifierOf(tractor, 'tractor')), tractor);
	});
	tractors.delete('');
	const details = await settle(listTractorDetails(client, tractors.keys()));
	const known = details instanceof ServiceError ? undefined : details;
	const services = [...tractors].map(
		([id, tractor]) => [id, servicesOf({ ...tractor, ...known?.get(id) }) ?? []] as const,
	);
	return new Map(services);
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now.
 *
 * @param timezone see `RecordFormat`
 * @param warn receives what does not keep the bookings from being read
 * @throws ServiceError
 */
export async function findExisting(
	client: ServiceClient,
	rows: readonly OpenRow[],
	timezone: string,
	warn: (text: string) => void,
): Promise<ExistingBookings> {
	const known = knownBookingsOf(client);
	const isSought = soughtBy(rows);
	const find = () => known.find(isSought);
	const fetched = await settle(fetchBookings(client, { find, isListNeeded: true, warn }));
	if (fetched instanceof ServiceError) throw unreadable(fetched);
	// Else another row could take the booking of one whose response was lost.
	for (const { row, booking, doubt } of findLost(known, timezone)) {
		const key = keyOfBooking(booking);
		if (key !== undefined && !doubt) known.remember(key, row.request);
	}
	const bookings = [...fetched.values()].map((booking) => {
		if (booking instanceof ServiceError) throw unreadable(booking);
		return known.complete(booking);
	});
	const requestOf = (booking: IDataObject) => known.requestOf(keyOfBooking(booking));
	const lost = known.lostWithin(DAY_MS).map(({ row, place = 0 }) => ({
		row,
		isNew: (booking: IDataObject) => !known.isKnown(keyOfBooking(booking), place),
	}));
	const existing = existingBookings(bookings, known.format.in(timezone), { requestOf, lost });
	const services = await fetchServices(client, rows, existing);
	const different = [...services.values()]
		.flat()
		.map((service) => [`${service.id} ${service.name}`, service] as const);
	return { ...existing, services, anyServices: [...new Map(different).values()] };
}
