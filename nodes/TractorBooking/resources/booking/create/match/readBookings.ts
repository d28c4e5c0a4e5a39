import type { IDataObject } from 'n8n-workflow';

import { now } from '../../../../api/waits';
import type { ServiceClient } from '../../../../api/client';
import { getBooking } from '../../../../api/endpoints';
import { settle, ServiceError } from '../../../../api/errors';
import type { BookingKey } from '../../../../api/records';
import { identifierOf, keyOfBooking } from '../../../../api/records';
import { bookingsList } from '../../../../api/pages/fetch';
import { collect } from '../../../../api/pages/collect';
import type { ListPage } from '../../../../api/pages/iterate';
import { iterate } from '../../../../api/pages/iterate';
import { mapConcurrent } from '../../../../utils/mapConcurrent';
import { labelsOf } from '../fields';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { DAY_MS } from '../../../../parse/dates';
import { bookingIndexOf, normalizeRecord, type BookingIndex, type ListShape } from './bookingIndex';

/** After this many milliseconds, the whole list is read again: changes of old bookings show only then. */
const MAX_AGE_MS = DAY_MS;

/** Up to this many bookings are read one by one; for more, the list takes fewer requests. */
const MAX_BY_ID = 20;

const idOf = (record?: IDataObject) => Number(record && identifierOf(record, 'booking'));

const isAscending = (ids: readonly number[]) =>
	ids.every((id, at) => at === 0 || id >= (ids[at - 1] ?? NaN));

/** Which bookings come first, by their IDs; undefined if nothing tells. */
function listOrderOf(ids: number[]): ListShape['order'] {
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
): Promise<void> {
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
	const ids = await inTurns(records, idOf);
	const order = lastPage > firstPage ? listOrderOf(ids) : undefined;
	const shown = new Set(await inTurns(records, keyOfBooking));
	index.keepOnly((key) => shown.has(key));
	await inTurns(records, (record) => index.add(record));
	const [newest, countExcess] = [newestOf(records, order), total - index.newestPlace];
	index.shape = { order, firstPage, lastPage, newest, countExcess, readAt };
}

/**
 * Reads the list from its newest end up to a page on which all is known; of one that begins with the oldest, from its last
 * page but one to its end.
 *
 * @returns whether that shows what is new: else only the whole list does, since it does not come in the order that it had,
 * a booking is gone from its end, or it counts more than came
 * @throws ServiceError
 */
async function readEnd(client: ServiceClient, index: BookingIndex): Promise<boolean> {
	const { shape } = index;
	if (!shape?.order || now() - shape.readAt > MAX_AGE_MS) return false;
	const { order, countExcess, firstPage, lastPage } = shape;
	const end =
		order === 'newest'
			? { from: firstPage, before: 0 }
			: { from: Math.max(lastPage - 1, firstPage) };
	const records: IDataObject[] = [];
	let isMet = false;
	let total = NaN;
	for await (const page of iterate(bookingsList(client), end)) {
		total = page.count ?? total;
		if (page.records.length === 0) continue;
		isMet ||= page.records.every((one) => index.has(keyOfBooking(one)));
		for (const record of page.records) {
			index.add(record);
			records.push(record);
		}
		if (order === 'newest' && isMet) break;
		shape.lastPage = Math.max(page.number, shape.lastPage);
	}
	const newest = newestOf(records, order);
	const isInOrder = records.length === 1 || listOrderOf(records.map(idOf)) === order;
	if (!isMet || !isInOrder || newest < shape.newest) return false;
	if (total - index.newestPlace > countExcess) return false;
	shape.newest = newest;
	shape.countExcess = Math.min(countExcess, total - index.newestPlace);
	return true;
}

/**
 * Reads the newest end of the list (interface, "List bookings"), or all of it if that does not tell what is new.
 *
 * @param warn receives what does not keep the list from being read
 * @returns the index of the client's key
 * @throws ServiceError
 */
export async function readList(
	client: ServiceClient,
	warn?: (text: string) => void,
): Promise<BookingIndex> {
	const index = bookingIndexOf(client);
	if (!(await readEnd(client, index))) await readAll(client, index, warn);
	return index;
}

/** The same error; if the bookings cannot be read at all, it says why that matters. */
function unreadable(error: ServiceError): ServiceError {
	const { kind, description = '' } = error;
	if (kind !== 'notAllowed' && kind !== 'unreadable' && kind !== 'notFound') return error;
	const why = 'Without the list of bookings, the node cannot tell which rows are booked already.';
	const first =
		'If your organisation has no bookings yet, run one row with If Already Booked set to Create Anyway.';
	const parts = [description, why, ...(kind === 'notFound' ? [first] : [])];
	return error.withDescription(parts.join(' ').trim());
}

/** @throws ServiceError (`unreadable`) if there are bookings, and none shows what rows are compared by */
function requireComparable(index: BookingIndex, timezone: string): void {
	const missing = [
		...(index.shows((job) => Boolean(job.farmerName ?? job.farmerPhone), timezone)
			? []
			: ['farmerName', 'farmerPhone']),
		...(index.shows((job) => job.serviceDate?.length === 1, timezone) ? [] : ['serviceDate']),
	];
	if (missing.length === 0) return;
	throw new ServiceError(
		'unreadable',
		`The service returns its bookings without a readable ${labelsOf(missing)}`,
		{
			description:
				'Rows already booked cannot be recognised. If the dates are times, set the timezone of the farms in the settings of the workflow. Else run only rows that are not booked yet, with If Already Booked set to Create Anyway.',
		},
	);
}

/**
 * Reads the bookings with which rows are compared, see {@link readList}.
 *
 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
 * @throws ServiceError if the list cannot be read, or shows nothing that rows can be compared by
 */
export async function readBookings(
	client: ServiceClient,
	timezone: string,
	warn: (text: string) => void,
): Promise<BookingIndex> {
	const read = await settle(readList(client, warn));
	if (read instanceof ServiceError) throw unreadable(read);
	requireComparable(read, timezone);
	return read;
}

/**
 * Fetches the bookings that rows name: one by one, or from the list if that takes fewer requests.
 *
 * @param read the bookings, if they were read
 * @returns each booking, or why it could not be read; none for one that is unknown
 * @throws ServiceError if the list cannot be read
 */
export async function fetchNamed(
	client: ServiceClient,
	keys: ReadonlySet<BookingKey>,
	read?: BookingIndex,
): Promise<Map<BookingKey, IDataObject | ServiceError>> {
	const areMany = keys.size > MAX_BY_ID;
	const index = areMany ? (read ?? (await readList(client))) : read;
	const fetched = new Map<BookingKey, IDataObject | ServiceError>();
	await mapConcurrent([...keys], async (key) => {
		const listed = index?.get(key);
		const booking = areMany && listed ? listed : await settle(getBooking(client, asText(key)));
		if (!(booking instanceof ServiceError)) fetched.set(key, normalizeRecord(booking, key));
		else if (booking.kind !== 'notFound') fetched.set(key, booking);
		// One wrong response must not make a booking unknown.
		else if (listed) fetched.set(key, listed);
	});
	return fetched;
}
