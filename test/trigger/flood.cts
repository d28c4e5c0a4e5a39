import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { load } from '../support/loads.cts';
import { BookingList } from './bookingList.cts';
import { START, Watcher } from './polling.cts';

const FAILED = new ServiceError('server', 'Failed', { status: 500 });
const MINUTE_MS = 60_000;

function instant(minutes: number): Date {
	return new Date(START + minutes * MINUTE_MS);
}

/** An instant in ISO 8601, in minutes after the first poll. */
const iso = (minutes: number): string => instant(minutes).toISOString();

/** The name of a form in which the times of three hours look as if they were to come. */
export const LOCAL = 'local, as if it were UTC';

/** How a service may write the instant at which a booking was made, in minutes after the first poll. */
export const FORMS: Array<[string, (minutes: number) => unknown]> = [
	['ISO, UTC', iso],
	['ISO, offset', (minutes) => iso(minutes + 180).replace('Z', '+03:00')],
	['ISO, no offset', (minutes) => iso(minutes + 60).slice(0, 19)],
	['seconds', (minutes) => instant(minutes).getTime() / 1_000],
	['milliseconds', (minutes) => instant(minutes).getTime()],
	['HTTP', (minutes) => instant(minutes).toUTCString()],
	['day', (minutes) => iso(minutes).slice(0, 10)],
	[LOCAL, (minutes) => iso(minutes + 180)],
	['unreadable', (minutes) => `${minutes} minutes`],
	['dd/mm/yyyy', (minutes) => iso(minutes).slice(0, 10).split('-').reverse().join('/')],
	['none', () => undefined],
];

/** The forms that no date can be read from, at least on some days. */
export const UNDATED = ['unreadable', 'dd/mm/yyyy', 'none'];

/** A list of completed bookings of which the first scan is not shown all. */
interface Hidden {
	count: number;
	/** Polls until the list is shown as a whole. */
	polls: number;
	hide: (list: BookingList) => void;
	/** How many are told if they have no date: the trigger cannot tell a few from new ones. */
	told?: number;
	/** How many have a local time that is written as one in UTC, and is after the first poll: they seem to be made since. */
	toldIfLocal?: number;
}

/** What hides bookings from a first scan. */
export const HIDDEN: Record<string, Hidden> = {
	'pages over 100 of 353 fail for 12 minutes': {
		count: 3_531,
		polls: 12,
		hide: (list) => (list.fault = (page) => (page > 100 ? FAILED : undefined)),
	},
	'the list ends after 400 of 5,000': {
		count: 5_000,
		polls: 1,
		hide: (list) => (list.order = list.order.slice(0, 400)),
	},
	'the list is empty': {
		count: 2_000,
		polls: 1,
		hide: (list) => (list.order = []),
		toldIfLocal: 2,
	},
	'the list ends after 60 of 110': {
		count: 110,
		polls: 1,
		hide: (list) => (list.order = list.order.slice(0, 60)),
		told: 50,
	},
};

/** Polls of a flood, of which the last ones come to a list with one more new booking each: full loads last over three hours. */
const POLLS = load(200, 80);
export const NEW_ONES = 30;

/**
 * How many of the bookings that a first scan was not shown are told, and how many that were made long after it. One
 * was made every hour, the last one an hour before the first scan.
 *
 * @param form how the service writes `createdAt`, given minutes after the first poll
 * @param polling minutes between two polls, bookings a page, and requests that a poll may make
 */
export async function floodOf(
	{ count, polls, hide }: Hidden,
	form: (minutes: number) => unknown,
	polling: { minutes?: number; cap?: number; requests?: number } = {},
): Promise<{ told: number; toldNew: number; warnings: number }> {
	const { minutes = 1, cap = 10, requests = 500 } = polling;
	const ids = Array.from({ length: count }, (_, at) => count - at);
	const list = new BookingList({ cap });
	list.fill(ids, () => 3);
	hide(list);
	const dated = (record: IDataObject): IDataObject => {
		const hours = count - Number(record.bookingID) + 1;
		const madeAt = hours > 0 ? -60 * hours : minutes * (POLLS - NEW_ONES - hours);
		return { ...record, createdAt: form(madeAt) as string, updatedAt: undefined };
	};
	const source: Source = {
		readBooking: async (key) => dated(await list.readBooking(key)),
		readPage: async (page, size) => {
			const found = await list.readPage(page, size);
			return found && { ...found, records: found.records.map(dated) };
		},
	};
	const watch = { event: 'bookingCompleted' } as const;
	const watcher = new Watcher(source, { watch, repeatsAfterRestart: false });
	let [told, toldNew, warnings] = [0, 0, 0];
	for (let poll = 0; poll < POLLS; poll++) {
		if (poll === polls) {
			list.fault = () => undefined;
			list.order = ids;
		}
		const made = poll - (POLLS - NEW_ONES) + 1;
		if (made > 0) list.set(count + made, 3);
		const events = await watcher.poll(requests);
		const fresh = events.filter(({ bookingID }) => Number(bookingID) > count).length;
		told += events.length - fresh;
		toldNew += fresh;
		warnings += watcher.warnings.some((text) => text.includes('createdAt')) ? 1 : 0;
		watcher.nowMs += minutes * MINUTE_MS;
	}
	return { told, toldNew, warnings };
}
