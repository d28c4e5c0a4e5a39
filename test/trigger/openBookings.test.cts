import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { BookingKey } from '../../nodes/TractorBooking/api/records';
import { listOf, unknown, type BookingList } from './bookingList.cts';
import { published } from './polling.cts';

const SERVER = new ServiceError('server', 'Booking 1042 failed', { status: 500 });

/** A list of 100 pages of 10, in which every twentieth booking is open, and what it is asked for by ID. */
async function watched(open = 20) {
	const list = listOf(1_000, (id) => (id % open === 0 ? 6 : 3));
	const asked: BookingKey[] = [];
	const watcher = await published(list, { pageSize: 10 }, 2);
	list.failure = (key) => void asked.push(key);
	/** What the next poll asks for by ID. */
	const askedNext = async () => {
		asked.length = 0;
		await watcher.poll();
		return [...asked];
	};
	return { list, watcher, asked, askedNext };
}

/** Lets a request for a booking fail, and no other one. */
function fail(list: BookingList, failure: (key: BookingKey) => ServiceError | undefined): void {
	const { failure: before } = list;
	list.failure = (key) => {
		before(key);
		return failure(key);
	};
}

it('tells completions anywhere in a long list within two polls, each once', async () => {
	const { list, watcher } = await watched();
	const { requests } = list;
	const open = list.order.filter((id) => list.get(id) === 6);
	for (const id of open) list.set(id, 3);
	const events = await watcher.changesOf(2);
	expect(events.sort()).toEqual(open.map((id) => `${id}: 6 > 3`).sort());
	expect(await watcher.changesOf(20)).toEqual([]);
	expect(list.requests - requests).toBeLessThanOrEqual(22 * 40);
});

it('asks for all in turn, whatever completes meanwhile, and goes on with the round', async () => {
	const { list, watcher, asked } = await watched();
	const counts = new Map<BookingKey, number>();
	for (let poll = 0; poll < 20; poll++) {
		asked.length = 0;
		await watcher.poll(12);
		for (const key of asked) counts.set(key, (counts.get(key) ?? 0) + 1);
		// The one that was asked for last.
		list.set(asked.at(-1) ?? 0, 3);
	}
	const often = [...counts.values()].filter((count) => count > 2);
	expect(often.length).toBeGreaterThan(20);
	expect(Math.max(...counts.values()) - Math.min(...often)).toBeLessThanOrEqual(2);
	list.set(511, 7);
	expect(await watcher.changesOf(110, 12)).toContain('511: 3 > 7');
});

it('asks once for bookings that the service does not know by their IDs, and again when the list shows them', async () => {
	const gone = [480, 500, 520, 540];
	const { list, watcher, askedNext } = await watched();
	const { order } = list;
	list.order = order.filter((id) => !gone.includes(Number(id)));
	fail(list, (key) => (gone.includes(Number(key)) ? unknown(key) : undefined));
	const asked = [...(await askedNext()), ...(await askedNext()), ...(await askedNext())];
	for (const id of gone) expect(asked.filter((key) => key === id)).toHaveLength(1);
	expect(watcher.warnings).toEqual([]);
	list.order = order;
	list.failure = () => undefined;
	await watcher.changesOf(12);
	for (const id of gone) list.set(id, 3);
	expect((await watcher.changesOf(2)).sort()).toEqual(gone.map((id) => `${id}: 6 > 3`));
});

it.each([SERVER, new ServiceError('unreadable', 'The service sent booking 7')])(
	'after a failure, goes on with the pages and warns in the same words ($kind)',
	async (failure) => {
		const { list, watcher, askedNext } = await watched();
		fail(list, () => failure);
		const { requests } = list;
		const warnings = new Set<string>();
		for (let poll = 0; poll < 5; poll++) {
			expect(await askedNext()).toHaveLength(1);
			for (const text of watcher.warnings) warnings.add(text);
		}
		expect(warnings.size).toBe(1);
		expect([...warnings][0]).not.toMatch(/1042|booking 7/);
		expect(list.requests - requests).toBeGreaterThan(150);
	},
);
