import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { getBooking } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import { mapConcurrent } from '../../../utils/mapConcurrent';
import { asText } from '../../../utils/text';
import { ExistingBookings } from './existingBookings';
import type { BookingKey, KnownBookings } from './knownBookings';
import { keyOfBooking, named, Sought } from './knownBookings';
import type { OpenRow } from './pairs';
import { readAll, readEnd } from './readBookings';

/** Known bookings that are read again one by one; more are looked for in the list. */
const MAX_BY_ID = 20;

/** A booking as it is now; undefined if there is none any more. */
async function reread(
	client: ServiceClient,
	known: KnownBookings,
	key: BookingKey,
): Promise<IDataObject | ServiceError | undefined> {
	const record = await settle(getBooking(client, asText(key)));
	if (!(record instanceof ServiceError)) return named(record, key);
	if (known.isYoung(key)) return known.asMade(key);
	if (record.kind !== 'notFound') return record;
	known.forget(key);
	return undefined;
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now: the first time from the
 * whole list (interface, "List bookings"), then from its newest end, and by ID where the process knows that they exist.
 *
 * @param timezone see `RecordFormat`
 * @param warn is told what does not keep the bookings from being read
 * @throws ServiceError
 */
export async function findExisting(
	client: ServiceClient,
	known: KnownBookings,
	rows: readonly OpenRow[],
	timezone: string,
	warn: (text: string) => void,
): Promise<ExistingBookings> {
	const sought = new Sought(rows);
	const stale = known.find(sought);
	const end = sought.isEverything
		? undefined
		: await readEnd(client, known, { stale, enough: MAX_BY_ID });
	const read = end ?? (await readAll(client, known, warn));
	const records = read.filter((record) => known.isSought(record, sought));
	const met = new Set(read.map(keyOfBooking));
	const missing = [...stale].filter((key) => !met.has(key));
	// What a whole list does not show is gone, or not shown yet: only what was made lately may be the latter.
	const isAsked = (key: BookingKey) => end || !known.isListed(key) || known.isYoung(key);
	for (const key of missing) if (!isAsked(key)) known.forget(key);
	const asked = missing.filter(isAsked);
	// So many are those of a list that shows new bookings late.
	const isTaken = (key: BookingKey) => asked.length > MAX_BY_ID && known.isYoung(key);
	const others = await mapConcurrent(asked, async (key) =>
		isTaken(key) ? known.asMade(key) : await reread(client, known, key),
	);
	for (const other of others) {
		if (other instanceof ServiceError) throw other;
		if (other) records.push(other);
	}
	const all = records.map((record) => known.complete(named(record)));
	const requestOf = (booking: IDataObject) => known.requestOf(keyOfBooking(booking));
	return new ExistingBookings(all, known.format.in(timezone), requestOf);
}
