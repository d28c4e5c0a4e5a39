import type { IDataObject } from 'n8n-workflow';

import { createdAtMs } from '../../nodes/TractorBooking/trigger/bookings';
import { BookingList } from './bookingList.cts';
import { Watcher, type Chosen } from './polling.cts';

const OLD = '2026-01-10T08:00:00Z';
const MINUTE_MS = 60_000;

/** A trigger for a list whose pages are given as they are; `show` polls once after they have changed. */
function watching(chosen: Chosen = {}) {
	const list = new BookingList();
	const use = (...pages: IDataObject[][]) => {
		list.fault = (page) => (page === 0 ? 'absent' : { records: pages[page - 1] ?? [] });
	};
	const watcher = new Watcher(list, chosen);
	const show = async (...pages: IDataObject[][]) => {
		use(...pages);
		return await watcher.changes();
	};
	return { watcher, use, show };
}

function record(bookingID: unknown, bookingStatus: unknown, updatedAt = OLD): IDataObject {
	return { bookingID, bookingStatus, createdAt: OLD, updatedAt } as IDataObject;
}

const [newer, older] = ['2026-02-01T11:00:00Z', '2026-02-01T10:00:00Z'];
const ofOne = [record(1, 3, newer), record(1, 6, older)] as const;

it.each([
	['the newer one first', ofOne],
	['the older one first', [...ofOne].reverse()],
])(
	'records of one booking on two pages count as the newer one (%s)',
	async (_name, [first = {}, second = {}]) => {
		const { show } = watching();
		const [two, three] = [record(2, 0), record(3, 0)];
		await show([two, record(1, 6), three]);
		expect(await show([two, first], [second, three])).toEqual(['1: 6 > 3']);
		expect(await show([two, first], [second, three])).toEqual([]);
	},
);

it('records of one booking that are older than the last change are ignored for an hour: servers lag', async () => {
	const { watcher, show } = watching();
	await show([record(1, 6)]);
	const after = record(1, 3, '2026-02-01T12:10:00Z');
	const before = record(1, 6, '2026-02-01T12:05:00Z');
	const events: string[] = [];
	for (const row of [after, before, before, after, before, after]) {
		watcher.nowMs += MINUTE_MS;
		events.push(...(await show([row])));
	}
	expect(events).toEqual(['1: 6 > 3']);
	watcher.nowMs += 60 * MINUTE_MS;
	expect(await show([before])).toEqual(['1: 3 > 6']);
});

it.each([
	['no ID', { bookingStatus: 6 }],
	['a word for a status', record(7, 'Terminé')],
])('leaves out a record with %s, with a warning', async (_name, poison) => {
	const { watcher, show } = watching();
	await show([record(2, 6), poison, record(1, 6)]);
	expect(watcher.warnings).toEqual([expect.stringContaining('1 bookings are left out')]);
	expect(await show([record(2, 3), poison, record(1, 3)])).toEqual(['2: 6 > 3', '1: 6 > 3']);
	expect(watcher.text.length).toBeLessThan(1_000);
});

type Shape = (id: number, status: number) => IDataObject;
const rows = (shape: Shape, status: number) => [shape(2, status), shape(1, 0)];

it.each<[string, Shape]>([
	['renamed', (bookingID, status) => ({ bookingID, status, createdAt: OLD })],
	['without an ID', (_id, bookingStatus) => ({ bookingStatus, createdAt: OLD })],
	['a word', (id, status) => record(id, status === 3 ? 'Terminé' : 'Nouveau')],
])(
	'a list of which no record can be used fails the poll, and loses nothing: %s',
	async (_name, shape) => {
		const { watcher, use, show } = watching();
		use(rows(shape, 0));
		const failure = {
			kind: 'unreadable',
			message: expect.stringContaining('None of the bookings that were read (2)'),
		};
		await expect(watcher.poll()).rejects.toMatchObject(failure);
		expect(watcher.text).toBe('');

		expect(await show(rows(record, 0))).toEqual([]);
		use(rows(shape, 3));
		await expect(watcher.poll()).rejects.toMatchObject(failure);
		expect(await show(rows(record, 3))).toEqual(['2: 0 > 3']);
	},
);

it('a poll in which nothing happens does not store the state again', async () => {
	const { watcher, show } = watching();
	await show([record(1, 6)]);
	const { memory } = watcher.kept;
	watcher.nowMs += MINUTE_MS;
	expect(await show([record(1, 6)])).toEqual([]);
	expect(watcher.kept.memory).toBe(memory);
});

it.each([
	['a day', '2026-02-01'],
	['local, west of UTC, without an offset', '2026-02-01T05:00:00'],
])('emits a booking whose createdAt is before the first scan: %s', async (_name, createdAt) => {
	const known = [record(1, 6), record(2, 6)];
	const { show } = watching();
	await show(known);
	const made = { bookingID: 3, bookingStatus: 0, createdAt };
	expect(await show([made, ...known])).toEqual(['3: null > 0']);
});

it.each([
	['2026-02-01T12:00:00', 'Africa/Lagos', 11],
	['2026-02-01T12:00:00', 'America/New_York', 12],
	['2026-02-01T12:00:00Z', 'Africa/Lagos', 12],
])('a createdAt of %s is as early as it may be in %s', (createdAt, timezone, hour) => {
	expect(createdAtMs({ createdAt }, timezone)).toBe(Date.UTC(2026, 1, 1, hour));
});

it.each([
	['may be day/month or month/day', '05/02/2026'],
	['is no date', 'soon'],
	['is not there', undefined],
])('warns of open bookings whose service date %s', async (_name, date) => {
	const list = new BookingList();
	for (const [id, serviceDate, status] of [
		[1, '2026-02-01', 6],
		[2, date, 6],
		[3, date, 6],
		[4, date, 3],
	] as const) {
		if (serviceDate !== undefined) list.serviceDates.set(id, serviceDate);
		list.set(id, status, 'end', undefined, OLD);
	}
	const watcher = new Watcher(list, { watch: { event: 'bookingOverdue', overdueDays: 2 } });
	await watcher.poll();
	expect(watcher.warnings).toEqual([
		expect.stringMatching(/serviceDate of 2 open bookings.*booking 2/),
	]);
	const events: unknown[][] = [];
	for (let day = 0; day < 3; day++) {
		watcher.nowMs += 1_440 * MINUTE_MS;
		events.push((await watcher.poll()).map(({ bookingID }) => bookingID));
	}
	expect(events).toEqual([[], [1], []]);
});
