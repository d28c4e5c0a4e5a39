import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { bookingsList } from '../../../../api/endpoints';
import { collect } from '../../../../api/pages/collect';
import { iterate, Reading, type ListPage } from '../../../../api/pages/iterate';
import { identifierOf, bookingIdOf } from '../../../../api/records';
import { monotonicNow } from '../../../../api/waits';
import { DAY_MS } from '../../../../parse/dates';
import { inTurns } from '../../../../utils/turns';
import { failureOf } from '../say/failures';
import type { BookingIndex, WholeList } from './bookingIndex';

/** After this many milliseconds, the whole list is read again: changes of old bookings show only then. */
const MAX_AGE_MS = DAY_MS;

const idOf = (record?: IDataObject) => Number(record && identifierOf(record, 'booking'));

const isAscending = (ids: readonly number[]): boolean =>
	ids.every((id, at) => at === 0 || id >= (ids[at - 1] ?? NaN));

function listOrderOf(ids: number[]): WholeList['order'] {
	if (ids[0] === ids.at(-1)) return undefined;
	if (isAscending(ids)) return 'oldest';
	return isAscending(ids.toReversed()) ? 'newest' : undefined;
}

/**
 * Reads all bookings (interface, "List bookings"), and learns in which order they come.
 *
 * @throws ServiceError
 */
export async function readAll(
	client: ServiceClient,
	index: BookingIndex,
	run: number,
): Promise<void> {
	const readAt = monotonicNow();
	const list = bookingsList(client);
	let last = new Reading(list);
	let pages: ListPage[] = [];
	const onPage = (page: ListPage, reading: Reading) => {
		if (reading !== last) pages = [];
		last = reading;
		if (page.records.length > 0) pages.push(page);
	};
	let came = await collect(list, { onPage });
	// One wrong response must not make all bookings unknown.
	if (came.length === 0) came = await collect(list, { onPage });
	const shown = new Set(await inTurns(came, bookingIdOf));
	if (shown.has(undefined)) throw failureOf.incomparableList(['bookingID']);
	// Without a count, a page may have been lost.
	if (last.count !== undefined) index.keepOnly(shown);
	await inTurns(came, (record) => index.add(record, run));
	const inOrder = pages.flatMap(({ records }) => records);
	const [firstPage = 1, lastPage = 0] = [pages[0]?.number, pages.at(-1)?.number];
	const ids = await inTurns(inOrder, idOf);
	const countExcess = (last.count ?? NaN) - index.size;
	// Two bookings of one page are in some order by chance, and only a count shows that one has come elsewhere than at the end.
	const isSure = lastPage > firstPage && last.count !== undefined;
	const order = isSure ? listOrderOf(ids) : undefined;
	const { size, pageLength } = last;
	index.whole = { order, size, pageLength, firstPage, lastPage, run, countExcess, readAt };
}

/**
 * Reads the list from its newest end up to a page on which all is known; of one that begins with the oldest, from its last
 * page but one to its end.
 *
 * @returns whether that shows what is new: else only the whole list does, since it does not come in the order that it had,
 * or counts more than came
 * @throws ServiceError
 */
async function readEnd(client: ServiceClient, index: BookingIndex, run: number): Promise<boolean> {
	const { whole } = index;
	if (!whole?.order || monotonicNow() - whole.readAt > MAX_AGE_MS) return false;
	const { order, size, pageLength, countExcess, firstPage, lastPage } = whole;
	const from = order === 'newest' ? firstPage : Math.max(lastPage - 1, firstPage);
	// What is counted and did not come before is not waited for.
	const end = { size, from, before: (from - firstPage) * pageLength + countExcess };
	const records: IDataObject[] = [];
	let isMet = false;
	let total = NaN;
	for await (const page of iterate(bookingsList(client), end)) {
		total = page.count ?? total;
		if (page.records.length === 0) continue;
		isMet ||= page.records.every((one) => index.has(bookingIdOf(one)));
		for (const record of page.records) {
			index.add(record, run);
			records.push(record);
		}
		if (order === 'newest' && isMet) break;
		whole.lastPage = Math.max(page.number, whole.lastPage);
	}
	const isInOrder = records.length === 1 || listOrderOf(records.map(idOf)) === order;
	if (!isMet || !isInOrder || !(total - index.size <= countExcess)) return false;
	whole.countExcess = Math.min(countExcess, total - index.size);
	return true;
}

/** Reads what is new: at the newest end of the list, or in all of it if the end does not show that. @throws ServiceError */
export async function readNew(
	client: ServiceClient,
	index: BookingIndex,
	run: number,
): Promise<void> {
	if (!(await readEnd(client, index, run))) await readAll(client, index, run);
}
