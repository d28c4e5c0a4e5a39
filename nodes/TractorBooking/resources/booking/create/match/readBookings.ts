import type { IDataObject } from 'n8n-workflow';

import { now } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import { getBooking } from '../../../../api/endpoints';
import { settle, ServiceError } from '../../../../api/errors';
import type { BookingKey } from '../../../../api/identifiers';
import { identifierOf, keyOfBooking } from '../../../../api/identifiers';
import { collect } from '../../../../api/pages/collect';
import { bookingsList } from '../../../../api/pages/fetch';
import type { ListPage } from '../../../../api/pages/iterate';
import { readNewest } from '../../../../api/pages/newest';
import { mapConcurrent } from '../../../../utils/mapConcurrent';
import { asText } from '../../../../utils/text';
import { DAY_MS } from '../../../../utils/time';
import type { BookingIndex, ListShape } from './bookingIndex';
import { bookingIndexOf, normalizeRecord } from './bookingIndex';

/** After this many milliseconds, the whole list is read again: changes of old bookings show only then. */
const MAX_AGE_MS = DAY_MS;

/** Up to this many known bookings are read again one by one; for more, the list takes fewer requests. */
const MAX_BY_ID = 20;

const idOf = (record?: IDataObject) => Number(record && identifierOf(record, 'booking'));

const isAscending = (ids: readonly number[]) =>
	ids.every((id, at) => at === 0 || id >= (ids[at - 1] ?? NaN));

/** Which bookings come first, by their IDs; undefined if nothing tells. */
function listOrderOf(records: readonly IDataObject[]): ListShape['order'] {
	const ids = records.map(idOf);
	if (ids[0] === ids.at(-1)) return undefined;
	if (isAscending(ids)) return 'oldest';
	return isAscending(ids.reverse()) ? 'newest' : undefined;
}

/** The ID at the newest end of a list. */
function newestOf(records: readonly IDataObject[], order: ListShape['order']): number {
	return idOf(records.at(order === 'newest' ? 0 : -1));
}

/** Reads all bookings (interface, "List bookings"), and learns in which order they come. @throws ServiceError */
async function readAll(
	client: ServiceClient,
	index: BookingIndex,
	warn?: (text: string) => void,
): Promise<IDataObject[]> {
	const readAt = now();
	let firstPage = 1;
	let lastPage = 0;
	let total = NaN;
	const onPage = ({ number, records: { length }, count }: ListPage) => {
		total = count ?? total;
		if (length === 0) return;
		firstPage = Math.min(firstPage, number);
		lastPage = Math.max(lastPage, number);
	};
	let records: IDataObject[] = [];
	// One wrong response must not make all bookings unknown.
	for (let reading = 0; reading < 2 && records.length === 0; reading++)
		records = await collect(bookingsList(client), { warn, onPage });
	// Two bookings of one page are in some order by chance.
	const order = lastPage > firstPage ? listOrderOf(records) : undefined;
	for (const record of order === 'newest' ? records.toReversed() : records) index.add(record);
	const [newest, surplus] = [newestOf(records, order), total - index.listed];
	index.shape = { order, firstPage, lastPage, newest, surplus, readAt };
	return records;
}

/**
 * Reads the list from its newest end until a page is wholly known.
 *
 * @param stale known bookings to look for, all but {@link MAX_BY_ID} of them; those found are taken out
 * @returns the records, each once; undefined if only the whole list tells what is new: it does not come in the order that
 * it had, a booking is gone from its end, or it counts more than came
 * @throws ServiceError
 */
async function readEnd(
	client: ServiceClient,
	index: BookingIndex,
	stale: Set<BookingKey>,
): Promise<IDataObject[] | undefined> {
	const { shape } = index;
	if (!shape?.order || now() - shape.readAt > MAX_AGE_MS) return undefined;
	const { order, surplus } = shape;
	const pages: ListPage[] = [];
	let isMet = false;
	const isEnough = (page: ListPage) => {
		const keys = page.records.map(keyOfBooking);
		isMet ||= keys.length > 0 && keys.every((key) => index.isListed(key));
		pages.push(page);
		for (const key of keys) if (key !== undefined) stale.delete(key);
		for (const record of page.records) index.add(record);
		// One by one, those that are left would take no more requests than were sent.
		return isMet && stale.size <= Math.max(MAX_BY_ID, pages.length);
	};
	let total = NaN;
	for await (const page of readNewest(bookingsList(client), { ...shape, order }, isEnough)) {
		total = page.count ?? total;
		if (order === 'oldest' && page.records.length > 0)
			shape.lastPage = Math.max(page.number, shape.lastPage);
	}
	pages.sort((a, b) => a.number - b.number);
	// A booking comes twice if others are made meanwhile.
	const met = pages.flatMap(({ records }) =>
		records.map((one) => [keyOfBooking(one), one] as const),
	);
	const records = [...new Map(met).values()];
	const newest = newestOf(records, order);
	const isInOrder = records.length === 1 || listOrderOf(records) === order;
	if (!isMet || !isInOrder || newest < shape.newest) return undefined;
	if (total - index.listed > surplus) return undefined;
	shape.newest = newest;
	shape.surplus = Math.min(surplus, total - index.listed);
	return records;
}

/** Which bookings are fetched. */
interface Wanted {
	/** The bookings by what is known of the list; asked again once the list was read. */
	find: () => ReadonlySet<BookingKey>;
	/** Whether the list is read to know them; else it is read only if that takes fewer requests. */
	isListNeeded: boolean;
	/** Whether all of the list is read, and not only its newest end. */
	isWhole?: boolean;
	/** Receives what does not keep the list from being read. */
	warn?: (text: string) => void;
}

/**
 * Reads the newest end of the list, or all of it if that does not tell what is new, or all is wanted.
 *
 * @param stale see {@link readEnd}
 * @throws ServiceError
 */
export async function readList(
	client: ServiceClient,
	{ isWhole, warn }: Pick<Wanted, 'isWhole' | 'warn'> = {},
	stale = new Set<BookingKey>(),
): Promise<IDataObject[]> {
	const index = bookingIndexOf(client);
	const end = isWhole ? undefined : await readEnd(client, index, stale);
	const records = end ?? (await readAll(client, index, warn));
	index.trim();
	return records;
}

/**
 * Fetches bookings as they are now: the first time from the whole list (interface, "List bookings"), then from its
 * newest end, and by ID if the process knows that they exist.
 *
 * @returns the bookings that are wanted, each or why it could not be read, and those without an identifier
 * @throws ServiceError if the list cannot be read
 */
export async function fetchBookings(
	client: ServiceClient,
	options: Wanted,
): Promise<Map<BookingKey | IDataObject, IDataObject | ServiceError>> {
	const index = bookingIndexOf(client);
	const stale = new Set(options.find());
	const isListRead = options.isListNeeded || stale.size > MAX_BY_ID;
	const read = isListRead ? await readList(client, options, stale) : [];
	const wanted = options.find();
	const fetched = new Map<BookingKey | IDataObject, IDataObject | ServiceError>();
	for (const record of read) {
		const key = keyOfBooking(record);
		if (key === undefined || wanted.has(key)) fetched.set(key ?? record, normalizeRecord(record));
	}
	const gone: BookingKey[] = [];
	const others = [...wanted].filter((key) => !fetched.has(key));
	await mapConcurrent(others, async (key) => {
		const booking = await settle(getBooking(client, asText(key)));
		if (!(booking instanceof ServiceError)) fetched.set(key, normalizeRecord(booking, key));
		// The service may not know yet what was made lately.
		else if (index.isYoung(key)) fetched.set(key, { bookingID: key });
		else if (booking.kind !== 'notFound') fetched.set(key, booking);
		else if (index.isKnown(key)) gone.push(key);
	});
	// One wrong response must not make a booking unknown: the list may still show it.
	if (gone.length > 0 && !options.isWhole)
		return await fetchBookings(client, { ...options, isListNeeded: true, isWhole: true });
	for (const key of gone) index.forget(key);
	return fetched;
}
