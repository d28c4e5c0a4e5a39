import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { getBooking } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import { asText } from '../../../utils/text';
import { ExistingBookings } from './existingBookings';
import type { BookingKey, KnownBookings } from './knownBookings';
import { keyOfBooking, knownBookingsOf, named, Sought } from './knownBookings';
import type { OpenRow } from './pairs';
import { MAX_BY_ID, readAll, readEnd } from './readBookings';

/** A booking as it is now; undefined if there is none any more. */
async function fetchOne(
	client: ServiceClient,
	known: KnownBookings,
	key: BookingKey,
): Promise<IDataObject | ServiceError | undefined> {
	const record = await settle(getBooking(client, asText(key)));
	if (!(record instanceof ServiceError)) return named(record, key);
	// The service may not know yet what was made lately.
	if (known.isYoung(key)) return { bookingID: key };
	if (record.kind !== 'notFound') return record;
	known.forget(key);
	return undefined;
}

/** Which bookings are fetched. */
interface Wanted {
	/** The bookings by what is known of the list; asked again once the list was read. */
	find: () => ReadonlySet<BookingKey>;
	/** Whether the list is read to know them; else it is read only if that takes fewer requests. */
	isListNeeded: boolean;
	/** Is told what does not keep the list from being read. */
	warn?: (text: string) => void;
}

/**
 * Fetches bookings as they are now: the first time from the whole list (interface, "List bookings"), then from its
 * newest end, and by ID where the process knows that they exist.
 *
 * @returns the bookings that are wanted, each or why it could not be read, and those without an identifier
 * @throws ServiceError if the list cannot be read
 */
export async function fetchBookings(
	client: ServiceClient,
	{ find, isListNeeded, warn }: Wanted,
): Promise<Map<BookingKey | IDataObject, IDataObject | ServiceError>> {
	const known = knownBookingsOf(client);
	const stale = new Set(find());
	const isListRead = isListNeeded || stale.size > MAX_BY_ID;
	const end = isListRead ? await readEnd(client, known, { stale }) : [];
	const read = end ?? (await readAll(client, known, warn));
	const wanted = find();
	const fetched = new Map<BookingKey | IDataObject, IDataObject | ServiceError>();
	for (const record of read) {
		const key = keyOfBooking(record);
		if (key === undefined || wanted.has(key)) fetched.set(key ?? record, named(record));
	}
	const missing = [...wanted].filter((key) => !fetched.has(key));
	const others = await mapConcurrent(missing, async (key) => ({
		key,
		booking: await fetchOne(client, known, key),
	}));
	for (const { key, booking } of others) if (booking) fetched.set(key, booking);
	return fetched;
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
	const sought = new Sought(rows);
	const find = () => known.find(sought);
	const fetched = await fetchBookings(client, { find, isListNeeded: true, warn });
	const bookings = [...fetched.values()].map((booking) => {
		if (booking instanceof ServiceError) throw booking;
		return known.complete(booking);
	});
	const requestOf = (booking: IDataObject) => known.requestOf(keyOfBooking(booking));
	return new ExistingBookings(bookings, known.format.in(timezone), requestOf);
}
