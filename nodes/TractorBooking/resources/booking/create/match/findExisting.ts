import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { listTractorDetails } from '../../../../api/details';
import { settle, ServiceError } from '../../../../api/errors';
import type { OfferedService } from '../../../../api/services';
import { servicesOf } from '../../../../api/services';
import { asText } from '../../../../utils/text';
import { existingBookings, type ExistingBookings } from './existingBookings';
import { DAY_MS, keyOfBooking, knownBookingsOf, soughtBy } from './knownBookings';
import { jobOfRow } from './pairs';
import { fetchBookings } from './readBookings';
import type { OpenRow } from '../row';

/** The same error; if the bookings cannot be read at all, it says how to book without them. */
function unreadable(error: ServiceError): ServiceError {
	const { kind, message, status, description = '' } = error;
	if (kind !== 'notAllowed' && kind !== 'unreadable') return error;
	const advice =
		'Without the list of bookings, rows that are booked already cannot be recognised; nothing was sent. To book without that check, set If Already Booked to Create Anyway.';
	return new ServiceError(kind, message, {
		status,
		description: kind === 'notAllowed' ? `${description} ${advice}`.trim() : advice,
	});
}

/**
 * Fetches the services of the tractors of rows and of the bookings that may be theirs, if one of the two names its
 * service. If that fails, names are not compared with numbers.
 */
async function fetchServices(
	client: ServiceClient,
	rows: readonly OpenRow[],
	existing: ExistingBookings,
): Promise<Map<string, OfferedService[]>> {
	const tractors = rows.flatMap((row) => {
		const job = jobOfRow(row);
		if (job.serviceType === undefined) return [];
		return [...existing.near(job, row.settings.matchFields)].flatMap(({ job: other }) => {
			const services = [job.serviceType, other.serviceType];
			const isNamed = services.some((service) => typeof service === 'string');
			return isNamed && other.serviceType !== undefined ? [job.tractorId, other.tractorId] : [];
		});
	});
	const ids = new Set(tractors.filter((id) => id !== undefined).map(asText));
	const details = await settle(listTractorDetails(client, [...ids]));
	if (details instanceof ServiceError) return new Map();
	return new Map([...details].map(([id, record]) => [id, servicesOf(record) ?? []]));
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now.
 *
 * @param timezone see `RecordFormat`
 * @param warn is told what does not keep the bookings from being read
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
	const bookings = [...fetched.values()].map((booking) => {
		if (booking instanceof ServiceError) throw unreadable(booking);
		return known.complete(booking);
	});
	const requestOf = (booking: IDataObject) => known.requestOf(keyOfBooking(booking));
	const lost = known.lostWithin(DAY_MS).map(({ row }) => jobOfRow(row));
	const existing = existingBookings(bookings, known.format.in(timezone), { requestOf, lost });
	return { ...existing, services: await fetchServices(client, rows, existing) };
}
