import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { BookingList, listOf } from './bookingList.cts';
import { published, START, Watcher } from './polling.cts';

const FAILED = new ServiceError('server', 'Failed', { status: 500 });
const MINUTE_MS = 60_000;

const iso = (minutes: number): string => new Date(START + minutes * MINUTE_MS).toISOString();

/** The name of a form in which the times of three hours look as if they were to come. */
const LOCAL = 'local, as if it were UTC';

/** How a service may write the instant at which a booking was made, in minutes after the first poll. */
const FORMS: Record<string, (minutes: number) => string | undefined> = {
	'ISO, UTC': iso,
	[LOCAL]: (minutes) => iso(minutes + 180),
	none: () => undefined,
};

/** A list of completed bookings of which the first scan is not shown all. */
interface Hidden {
	count: number;
	polls: number;
	hide: (list: BookingList) => void;
	/** How many are told if they have no date: the trigger cannot tell a few from new ones. */
	told?: number;
	/** How many have a local time that is written as one in UTC, and is after the first poll: they seem to be made since. */
	toldIfLocal?: number;
}

const HIDDEN: Record<string, Hidden> = {
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

/** Polls of a flood, of which the last ones come to a list with one more new booking each. */
const POLLS = 80;
const NEW_ONES = 30;

/**
 * How many of the bookings that a first scan was not shown are told, and how many that were made long after it. One
 * was made every hour, the last one an hour before the first scan.
 *
 * @param form how the service writes `createdAt`, given minutes after the first poll
 * @param polling bookings a page, and requests that a poll may make
 */
async function floodOf(
	{ count, polls, hide }: Hidden,
	form: (minutes: number) => string | undefined,
	polling: { cap?: number; requests?: number } = {},
): Promise<{ told: number; toldNew: number; warnings: number }> {
	const { cap = 10, requests = 500 } = polling;
	const ids = Array.from({ length: count }, (_, at) => count - at);
	const list = new BookingList({ cap });
	list.fill(ids, () => 3);
	hide(list);
	const dated = (record: IDataObject): IDataObject => {
		const hours = count - Number(record.bookingID) + 1;
		const madeAt = hours > 0 ? -60 * hours : POLLS - NEW_ONES - hours;
		return { ...record, createdAt: form(madeAt), updatedAt: undefined };
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
		watcher.nowMs += MINUTE_MS;
	}
	return { told, toldNew, warnings };
}

const flooded = Object.entries(HIDDEN).flatMap(([name, hidden]) =>
	Object.entries(FORMS).map(([of, form]) => ({ name, hidden, of, form })),
);

it.each(flooded)(
	'a first scan makes no flood of the others if $name (createdAt: $of)',
	async ({ hidden, of, form }) => {
		const { told, toldNew, warnings } = await floodOf(hidden, form);
		const { told: ifUndated = 0, toldIfLocal = 0 } = hidden;
		expect(told).toBe({ none: ifUndated, [LOCAL]: toldIfLocal }[of] ?? 0);
		expect(toldNew).toBe(NEW_ONES);
		if (of === 'none' && !hidden.told) expect(warnings).toBeGreaterThan(0);
	},
);

/** With 8 requests a poll, each shows few of the bookings: they are counted by the round. With 4, the count alone comes too late. */
it.each([
	{ name: 'the list ends after 400 of 5,000', cap: 25, requests: 8 },
	{ name: 'the list is empty', cap: 25, requests: 8 },
	{ name: 'the list is empty', cap: 10, requests: 8 },
	{ name: 'the list is empty', cap: 10, requests: 4, count: 500 },
])('nor do polls of $requests requests of bookings without a date, if $name', async (flood) => {
	const { name, count, ...polling } = flood;
	const hidden = HIDDEN[name];
	if (!hidden) throw new Error(name);
	const list = { ...hidden, count: count ?? hidden.count };
	const { told, toldNew, warnings } = await floodOf(list, () => undefined, polling);
	expect([told, toldNew]).toEqual([0, NEW_ONES]);
	expect(warnings).toBeGreaterThan(0);
});

const UNDATED = { made: 'unknown' };

it('emits 200 new bookings without a date, of which each poll meets two', async () => {
	const list = listOf(500, 6, UNDATED);
	const watcher = await published(list, { watch: { event: 'newBooking' } });
	let told = 0;
	for (let poll = 0; poll < 100; poll++) {
		for (const more of [1, 2]) list.set(500 + 2 * poll + more, 0, 'front', 'unknown', 'unknown');
		watcher.nowMs += MINUTE_MS;
		told += (await watcher.poll()).length;
	}
	expect(told).toBe(200);
});

it('emits new bookings without a date on a new last page, also if the service fails for the page after it', async () => {
	const list = listOf(10, 6, { ...UNDATED, cap: 5, says: 'nothing' });
	const failure = new ServiceError('server', 'Failed', { status: 500 });
	list.fault = (_page, found) => (found?.records.length ? undefined : failure);
	const watcher = await published(list, { watch: { event: 'newBooking' } }, 20);
	list.set(11, 0, 'end', 'unknown', 'unknown');
	expect(await watcher.changes()).toEqual(['11: null > 0']);
});

it('notes 2,000 imported bookings without a date, with a warning, and emits the next one', async () => {
	const list = listOf(500, 6, UNDATED);
	const watcher = await published(list, { watch: { event: 'newBooking' } });
	const add = (id: number) => list.set(id, 0, 'front', 'unknown', 'unknown');
	for (let id = 501; id <= 2_500; id++) add(id);
	expect(await watcher.poll()).toEqual([]);
	expect(watcher.warnings).toEqual([expect.stringMatching(/^2000 bookings appear/)]);
	add(2_501);
	expect(await watcher.changes()).toEqual(['2501: null > 0']);
});
