import type { IDataObject } from 'n8n-workflow';

import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import type { Chosen } from './polling';
import { settings, Watcher } from './polling';

const DAY_MS = 86_400_000;

/** When bookings were made, if it matters. */
const created = new Map<number, string>();

/** Bookings by id, with service date and status; the first poll is on 2026-02-01. */
function overdue(
	bookings: Map<number, [serviceDate: string, status: number]>,
	{
		treatToCompletedAsCompleted = false,
		...changes
	}: Chosen & { treatToCompletedAsCompleted?: boolean } = {},
) {
	const source: Source = {
		readPage: async (page, size) => {
			if (page < 1) return undefined;
			const all = [...bookings].map(([bookingID, [serviceDate, bookingStatus]]): IDataObject => ({
				bookingID,
				bookingStatus,
				serviceDate,
				createdAt: created.get(bookingID) ?? '2026-01-10T08:00:00Z',
			}));
			const items = all.slice((page - 1) * size, page * size);
			return { records: items, hasNext: page * size < all.length };
		},
		readBooking: async () => await Promise.reject(new Error('Not needed')),
	};
	const watch = { event: 'bookingOverdue', overdueDays: 2, treatToCompletedAsCompleted } as const;
	const watcher = new Watcher(source, settings({ watch, ...changes }));
	const nextDay = async () => {
		watcher.nowMs += DAY_MS;
		return (await watcher.poll()).map(({ bookingID }) => bookingID);
	};
	return { watcher, nextDay };
}

it('emits a booking once, on the day that comes so many days after its service date', async () => {
	const bookings = new Map([[1, ['2026-02-01', 6]]] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings);
	expect(await watcher.poll()).toEqual([]);
	expect(await nextDay()).toEqual([]);
	expect(await nextDay()).toEqual([1]);
	expect(await nextDay()).toEqual([]);
	// It is moved, and overdue again.
	bookings.set(1, ['2026-02-05', 7]);
	for (let days = 0; days < 4; days++) expect(await nextDay()).toEqual([]);
});

it('is none for a booking that is completed or declined, or overdue at the first scan', async () => {
	const bookings = new Map([
		[1, ['2026-02-01', 3]],
		[2, ['2026-02-01', 4]],
		[3, ['2026-01-30', 6]],
		[4, ['not a date', 6]],
		[5, ['2026-02-01', 20]],
	] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings);
	expect(await watcher.poll()).toEqual([]);
	expect([await nextDay(), await nextDay(), await nextDay()]).toEqual([[], [5], []]);
	bookings.set(3, ['2026-02-05', 6]);
	for (let days = 0; days < 5; days++) expect(await nextDay()).toEqual([]);
});

it('is none at status 20, if that counts as completed', async () => {
	const bookings = new Map([[5, ['2026-02-01', 20]]] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings, { treatToCompletedAsCompleted: true });
	await watcher.poll();
	for (let days = 0; days < 4; days++) expect(await nextDay()).toEqual([]);
});

it('emits only what becomes overdue later if another event was watched before', async () => {
	const bookings = new Map([
		[1, ['2026-02-01', 6]],
		[2, ['2026-02-05', 6]],
	] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings);
	const later = watcher.settings;
	watcher.settings = settings();
	await watcher.poll();
	for (let days = 0; days < 4; days++) expect(await nextDay()).toEqual([]);
	watcher.settings = later;
	expect(await nextDay()).toEqual([]);
	expect([await nextDay(), await nextDay()]).toEqual([[2], []]);
});

it('has an id of its own, and is emitted again after a restart as long as it is true', async () => {
	const bookings = new Map([[1, ['2026-02-01', 6]]] as Array<[number, [string, number]]>);
	const { watcher } = overdue(bookings);
	await watcher.poll();
	watcher.nowMs += 2 * DAY_MS;
	expect(await watcher.poll()).toMatchObject([
		{ eventId: expect.stringMatching(/^[0-9a-f]{8}:1:overdue$/) as string, previousStatus: 6 },
	]);
	expect((await watcher.pollOnce(Infinity, true)).events).toMatchObject([{ isRepeat: true }]);
	bookings.set(1, ['2026-02-01', 3]);
	expect((await watcher.pollOnce(Infinity, true)).events).toEqual([]);
});

it('is one for a booking that is reopened, and for one that is made with a day that is long over', async () => {
	const bookings = new Map([[1, ['2026-01-20', 3]]] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings);
	await watcher.poll();
	bookings.set(1, ['2026-01-20', 7]);
	expect(await nextDay()).toEqual([1]);
	expect(await nextDay()).toEqual([]);
	bookings.set(2, ['2026-01-25', 6]);
	created.set(2, '2026-02-04T08:00:00Z');
	expect(await nextDay()).toEqual([2]);
});

it('is not lost for a known booking if other IDs are chosen', async () => {
	const bookings = new Map([[1, ['2026-02-03', 6]]] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings);
	await watcher.poll();
	watcher.nowMs += 6 * DAY_MS;
	watcher.settings = {
		...watcher.settings,
		identity: { ...watcher.settings.identity, scope: 'other' },
	};
	expect(await nextDay()).toEqual([1]);
});

it('is none for a booking that was overdue before its ID was chosen', async () => {
	const bookings = new Map([[1, ['2026-02-05', 3]]] as Array<[number, [string, number]]>);
	const { watcher, nextDay } = overdue(bookings);
	const later = watcher.settings;
	watcher.settings = settings();
	await watcher.poll();
	watcher.settings = later;
	expect([await nextDay(), await nextDay()].flat()).toEqual([]);
	bookings.set(14, ['2026-02-02', 6]);
	watcher.nowMs += 5 * DAY_MS;
	watcher.settings = { ...later, identity: { ...later.identity, scope: 'other' } };
	expect(await nextDay()).toEqual([]);
});

describe('a service date that cannot be read', () => {
	const open = (dates: string[]) =>
		new Map(dates.map((date, at): [number, [string, number]] => [at + 1, [date, 6]]));

	it.each([
		['may be day/month or month/day', '05/02/2026'],
		['is none', 'soon'],
		['is not there', undefined],
	])('%s, and is warned of, since no event comes of it', async (_name, date) => {
		const bookings = open(['2026-02-01', date as string, date as string]);
		bookings.set(4, [date as string, 3]);
		const { watcher } = overdue(bookings);
		const warning: unknown = expect.stringMatching(/serviceDate of 2 open bookings.*booking 2/);
		const { warnings, memory } = await watcher.pollOnce();
		expect(warnings).toEqual([warning]);
		watcher.memory = memory;
		watcher.nowMs += 3 * DAY_MS;
		const later = await watcher.pollOnce();
		expect(later.events).toMatchObject([{ bookingID: 1 }]);
		expect(later.warnings).toEqual([warning]);
	});

	it('is read in no order if the dates show both', async () => {
		const bookings = open(['28/02/2026', '02/28/2026', '05/02/2026']);
		const { warnings } = await overdue(bookings).watcher.pollOnce();
		expect(warnings).toEqual([expect.stringContaining('booking 3')]);
	});
});
