import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { BookingId } from '../../nodes/TractorBooking/api/records';
import { listOf, unknown, type BookingList } from './bookingList.cts';
import { published } from './polling.cts';

const DAY_MS = 86_400_000;

const SERVER = new ServiceError('server', 'Booking 1042 failed', { status: 500 });

/** A list of 100 pages of 10, in which every twentieth booking is open, and what it is asked for by ID. */
async function watched(open = 20) {
	const list = listOf(1_000, (id) => (id % open === 0 ? 6 : 3));
	const asked: BookingId[] = [];
	const watcher = await published(list, { pageSize: 10 }, 2);
	list.failure = (key) => void asked.push(key);
	const askedNext = async () => {
		asked.length = 0;
		await watcher.poll();
		return [...asked];
	};
	return { list, watcher, asked, askedNext };
}

it('asks for open bookings that a short list does not show any more, and not for ever for those that are gone', async () => {
	const list = listOf(30);
	const watcher = await published(list);
	list.order = list.order.filter((id) => Number(id) > 20);
	list.delete(1);
	list.set(2, 3);
	expect(await watcher.changes()).toEqual(['2: 6 > 3']);
	const requests = async () => {
		const { requests: before } = list;
		await watcher.poll();
		return list.requests - before;
	};
	const asked = await requests();
	watcher.nowMs += DAY_MS;
	await watcher.poll();
	expect(await requests()).toBe(asked - 1);
});

function fail(list: BookingList, failure: (key: BookingId) => ServiceError | undefined): void {
	const { failure: before } = list;
	list.failure = (key) => {
		before(key);
		return failure(key);
	};
}

it('asks once in a poll for an open booking whose event comes again', async () => {
	const { list, watcher } = await watched(100);
	const { failure: note } = list;
	list.set(500, 1);
	expect(await watcher.changesOf(14)).toEqual(['500: 6 > 1']);
	watcher.nowMs += 180_000;
	watcher.restart();
	let times = 0;
	fail(list, (key) => (key === 500 && ++times ? SERVER : undefined));
	await watcher.poll();
	expect(times).toBe(1);
	list.failure = note;
	expect(await watcher.changes()).toEqual(['500: 6 > 1']);
});

it('asks for all in turn, whatever completes meanwhile, and goes on with the round', async () => {
	const { list, watcher, asked } = await watched();
	const counts = new Map<BookingId, number>();
	for (let poll = 0; poll < 20; poll++) {
		asked.length = 0;
		await watcher.poll(14);
		for (const key of asked) counts.set(key, (counts.get(key) ?? 0) + 1);
		// The one that was asked for last.
		list.set(asked.at(-1) ?? 0, 3);
	}
	const often = [...counts.values()].filter((count) => count > 2);
	expect(often.length).toBeGreaterThan(20);
	expect(Math.max(...counts.values()) - Math.min(...often)).toBeLessThanOrEqual(2);
	list.set(511, 7);
	expect(await watcher.changesOf(110, 14)).toContain('511: 3 > 7');
});

it('leaves out bookings that the service does not know for a day, until the list shows them again', async () => {
	const gone = [480, 500, 520, 540];
	const { list, watcher, askedNext } = await watched();
	const { order } = list;
	list.order = order.filter((id) => !gone.includes(Number(id)));
	fail(list, (key) => (gone.includes(Number(key)) ? unknown(key) : undefined));
	const asked: BookingId[] = [];
	for (let poll = 0; poll < 12; poll++) {
		if (poll === 6) watcher.nowMs += DAY_MS;
		asked.push(...(await askedNext()));
	}
	for (const id of gone) expect(asked.filter((key) => key === id)).toHaveLength(4);
	expect(watcher.warnings).toEqual([]);
	list.order = order;
	list.failure = () => undefined;
	await watcher.changesOf(12);
	for (const id of gone) list.set(id, 3);
	expect((await watcher.changesOf(2)).sort()).toEqual(gone.map((id) => `${id}: 6 > 3`));
});

it.each([SERVER, new ServiceError('unreadable', 'The service sent booking 7'), unknown(1042)])(
	'goes on with the list if no booking can be read by its ID ($kind)',
	async (failure) => {
		const { list, watcher, askedNext } = await watched();
		const { failure: works } = list;
		fail(list, () => failure);
		const { requests } = list;
		for (let poll = 0; poll < 5; poll++) await askedNext();
		expect(list.requests - requests).toBeGreaterThan(150);

		list.failure = works;
		expect((await askedNext()).length).toBeGreaterThan(20);
		const open = list.order.filter((id) => list.get(id) === 6);
		for (const id of open) list.set(id, 3);
		expect(await watcher.changesOf(2)).toHaveLength(open.length);
	},
);

it.each(['timeout', 'notAllowed'] as const)(
	'asks for no more bookings in a poll once one fails as all would (%s)',
	async (kind) => {
		const { list, askedNext } = await watched();
		fail(list, () => new ServiceError(kind, 'No answer'));
		expect(await askedNext()).toHaveLength(1);
		expect(await askedNext()).toHaveLength(1);
	},
);

it('open bookings that always fail take their turns alone', async () => {
	const list = listOf(6_000, (id) => (id % 20 === 0 ? 6 : 3));
	const watcher = await published(list, { pageSize: 10 }, 3);
	list.failure = (key) => (Number(key) % 200 === 0 ? SERVER : undefined);
	await watcher.changesOf(15);
	expect(watcher.warnings).toEqual([]);
	const open = list.order.filter((id) => list.get(id) === 6 && Number(id) % 200 !== 0);
	for (const id of open) list.set(id, 3);
	// 300 at some 29 a poll.
	expect(await watcher.changesOf(11)).toHaveLength(open.length);
});

it('asks eight times as often for bookings that are due, or whose service date cannot be read', async () => {
	const list = listOf(6_000, (id) => (id % 20 === 0 ? 6 : 3));
	const dates = ['2026-01-17', '2026-01-18', '2026-02-02', '2026-02-03', '05/02/2026', undefined];
	for (const id of list.order) {
		const date = dates[(Number(id) / 20) % dates.length];
		if (date) list.serviceDates.set(id, date);
	}
	const watcher = await published(list, { pageSize: 10 }, 3);
	const counts = new Map<string | undefined, number>();
	list.failure = (key) => {
		const date = list.serviceDates.get(key);
		return void counts.set(date, (counts.get(date) ?? 0) + 1);
	};
	await watcher.changesOf(100);
	const often = ['2026-01-18', '2026-02-02', '05/02/2026', undefined];
	for (const date of often) expect(counts.get(date)).toBeGreaterThan(550);
	for (const date of ['2026-01-17', '2026-02-03']) expect(counts.get(date)).toBeLessThan(150);
});

it.each(['newest', 'oldest'] as const)(
	'reads pages with many open bookings in place of asking for each (the %s first)',
	async (order) => {
		const list = listOf(20_000, (id) => (id > 19_000 && id % 2 === 0 ? 6 : 3), {}, order);
		const watcher = await published(list, { pageSize: 25 }, 3);
		await watcher.changesOf(10);
		for (let id = 19_004; id <= 20_000; id += 4) list.set(id, 3);
		// By their IDs, 500 take 17 polls.
		expect(await watcher.changesOf(4)).toHaveLength(250);
	},
);
