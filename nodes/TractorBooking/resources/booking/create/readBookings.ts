import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { bookingKeyOf, bookingsList } from '../../../api/lists';
import { collectList } from '../../../api/pages/collect';
import { isCounted } from '../../../api/pages/count';
import { readPages } from '../../../api/pages/pages';
import { asText } from '../../../utils/text';
import type { BookingKey, KnownBookings, ListShape } from './knownBookings';
import { keyOfBooking } from './knownBookings';

/** After so many milliseconds the list is read as a whole again: what changed in old bookings shows only then. */
const MAX_AGE_MS = 86_400_000;

/** Whether numbers go down or up all the way. */
function directionOf(values: readonly number[]): ListShape['order'] {
	const goes = (isInOrder: (before: number, after: number) => boolean) =>
		values.every((value, index) => index === 0 || isInOrder(values[index - 1] ?? NaN, value));
	if (values[0] === values.at(-1)) return undefined;
	if (goes((before, after) => before >= after)) return 'newest';
	return goes((before, after) => before <= after) ? 'oldest' : undefined;
}

/** In which order records are, by their IDs, else by `createdAt`; undefined if nothing tells. */
function orderOf(records: readonly IDataObject[]): ListShape['order'] {
	return (
		directionOf(records.map((record) => Number(bookingKeyOf(record)))) ??
		directionOf(records.map(({ createdAt }) => Date.parse(asText(createdAt))))
	);
}

/** Up to so many known bookings are read again one by one; for more, the list takes fewer requests. */
export const MAX_BY_ID = 20;

/** How far to read from the newest end of the list. */
interface EndOptions {
	/** Known bookings that are to be met, but for {@link MAX_BY_ID}. */
	stale?: Set<BookingKey>;
	/** Whether a page of which the last booking is known will do, instead of one that is known as a whole. */
	isQuick?: boolean;
}

/**
 * Reads all bookings (interface, "List bookings"), and learns in which order they come.
 *
 * @throws ServiceError
 */
export async function readAll(
	client: ServiceClient,
	known: KnownBookings,
	warn?: (text: string) => void,
): Promise<IDataObject[]> {
	const readAt = Date.now();
	const numbers: number[] = [];
	let total: number | undefined;
	const records = await collectList(bookingsList(client), {
		warn,
		onPage: (page) => {
			if (page.items.length > 0) numbers.push(page.number);
			if (isCounted(page)) total = page.total;
		},
	});
	const [firstPage = 1] = numbers;
	const lastPage = numbers.reduce((a, b) => Math.max(a, b), firstPage);
	// Two bookings of one page are in some order by chance.
	const order = lastPage > firstPage ? orderOf(records) : undefined;
	for (const record of order === 'newest' ? records.toReversed() : records) known.add(record);
	const surplus = total === undefined ? undefined : total - known.listed;
	known.shape = { order, firstPage, lastPage, surplus, readAt };
	known.endReadAt = readAt;
	known.trim();
	return records;
}

/**
 * Reads the list from its newest end until a page is known.
 *
 * @param options.stale what was met is taken out of it
 * @returns the records; undefined if the list does not come in an order, or not in the one that it had: then only the
 * whole list tells what is new
 * @throws ServiceError
 */
export async function readEnd(
	client: ServiceClient,
	known: KnownBookings,
	{ stale = new Set(), isQuick = false }: EndOptions = {},
): Promise<IDataObject[] | undefined> {
	const { shape } = known;
	if (!shape?.order || Date.now() - shape.readAt > MAX_AGE_MS) return undefined;
	const { order, firstPage, lastPage, surplus } = shape;
	const isNewest = order === 'newest';
	const from = isNewest ? firstPage : Math.max(lastPage - 1, firstPage);
	// A booking comes twice if others are made meanwhile.
	const met = new Map<BookingKey, IDataObject>();
	const readAt = Date.now();
	let total: number | undefined;
	let isMet = false;
	let pages = 0;
	const ahead = isNewest && stale.size > MAX_BY_ID ? 'some' : undefined;
	for await (const page of readPages(bookingsList(client), { from, ahead })) {
		const { items } = page;
		const isKnown = (record: IDataObject = {}) => known.isListed(keyOfBooking(record));
		isMet ||= items.length > 0 && (isQuick ? isKnown(items.at(-1)) : items.every(isKnown));
		if (!isNewest && items.length > 0) shape.lastPage = page.number;
		if (isCounted(page)) total ??= page.total;
		if (!isNewest && !isMet) return undefined;
		pages += 1;
		for (const record of items) {
			const key = keyOfBooking(record);
			known.add(record);
			if (key === undefined) continue;
			met.set(key, record);
			stale.delete(key);
		}
		// One by one, those that are left would take no more requests than were sent.
		if (isNewest && isMet && stale.size <= Math.max(MAX_BY_ID, pages)) break;
	}
	known.endReadAt = readAt;
	known.trim();
	const records = [...met.values()];
	if (!isMet || (records.length > 1 && orderOf(records) !== order)) return undefined;
	if (isQuick || total === undefined || surplus === undefined) return records;
	// More than that are there now: some came in a place that was not read.
	if (total - known.listed > surplus) return undefined;
	shape.surplus = Math.min(surplus, total - known.listed);
	return records;
}
