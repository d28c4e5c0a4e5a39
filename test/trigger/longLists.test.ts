import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { Page } from '../../nodes/TractorBooking/api/pages/unwrap';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

const TODAY = '2026-02-01T08:00:00Z';

/** Ids from 1 to `count`; the `moving` newest ones are in progress, the others completed. */
function longList(count: number, moving: number, order: 'newest' | 'oldest'): BookingList {
	const rising = Array.from({ length: count }, (_, at) => at + 1);
	const list = new BookingList();
	list.fill(order === 'oldest' ? rising : rising.reverse(), (id) =>
		Number(id) > count - moving ? 6 : 3,
	);
	return list;
}

/** Requests of one poll, and what it emitted. */
async function cost(
	list: BookingList,
	watcher: Watcher,
): Promise<{ requests: number; emitted: string[] }> {
	const before = list.requests;
	const emitted = brief(await watcher.poll());
	return { requests: list.requests - before, emitted };
}

describe.each(['newest', 'oldest'] as const)('a long list, the %s first', (order) => {
	const place = order === 'newest' ? 'front' : 'end';
	const count = 12_000;
	const list = longList(count, 500, order);
	const watcher = new Watcher(list, settings());

	it('is read whole once', async () => {
		expect((await cost(list, watcher)).emitted).toEqual([]);
		// One more asks for a page 0.
		expect(list.requests).toBe(count / 100 + 1);
	});

	it('costs a few requests a poll from then on', async () => {
		for (let polls = 0; polls < 5; polls++) {
			const { requests, emitted } = await cost(list, watcher);
			expect(emitted).toEqual([]);
			expect(requests).toBeLessThanOrEqual(20);
		}
	});

	it('shows changes of moving bookings and new bookings at the next poll', async () => {
		for (let poll = 0; poll < 20; poll++) {
			const moving = count - 499 + poll * 20;
			list.set(moving, 3, place, TODAY);
			for (let fresh = 1; fresh <= 7; fresh++) list.set(count + poll * 7 + fresh, 0, place, TODAY);
			const { requests, emitted } = await cost(list, watcher);
			expect(emitted).toHaveLength(8);
			expect(emitted).toContain(`${moving}: 6 > 3`);
			expect(requests).toBeLessThanOrEqual(20);
		}
	});

	it('shows far more new bookings than fit on a page, also when the budget ends in the middle', async () => {
		const first = count + 10_000;
		for (let fresh = 0; fresh < 1_000; fresh++) list.set(first + fresh, 0, place, TODAY);
		const emitted = new Set<string>();
		for (let polls = 0; polls < 32; polls++)
			for (const event of brief(await watcher.poll(6))) emitted.add(event);
		expect(emitted.size).toBe(1_000);
	});

	it('finds moving bookings behind thousands of deleted ones', async () => {
		const gone = new Set(
			list.order.slice(list.order.length / 2 - 1_500, list.order.length / 2 + 1_500),
		);
		list.order = list.order.filter((id) => !gone.has(id));
		const old = 1_234;
		const late = count - 2_123;
		for (const id of [old, late]) list.set(id, 6, place, TODAY);
		// Settled bookings that move again are found by the rolling sweep.
		const emitted: string[] = [];
		for (let polls = 0; polls < 160 && emitted.length < 2; polls++)
			emitted.push(...brief(await watcher.poll()));
		expect(emitted.sort()).toEqual([`${old}: 3 > 6`, `${late}: 3 > 6`].sort());
	});
});

it('shows moving bookings of the newest pages although many new ones have moved them on', async () => {
	const list = longList(600, 45, 'newest');
	const watcher = new Watcher(list, settings({ pageSize: 10 }));
	await watcher.poll();
	for (let fresh = 601; fresh <= 636; fresh++) list.set(fresh, 3, 'front', TODAY);
	for (const id of [560, 575]) list.set(id, 7);
	expect(brief(await watcher.poll())).toEqual(expect.arrayContaining(['560: 6 > 7', '575: 6 > 7']));
});

it.each(['newest', 'oldest'] as const)(
	'shows moving bookings of the newest pages right after a first scan of several polls (the %s first)',
	async (order) => {
		const list = longList(600, 50, order);
		const watcher = new Watcher(list, settings({ pageSize: 10 }));
		for (let polls = 0; polls < 5; polls++) expect(await watcher.poll(16)).toEqual([]);
		for (const id of [555, 570, 595]) list.set(id, 7);
		expect(await watcher.poll()).toHaveLength(3);
	},
);

it.each([11, 20, 30])('reads a list of %d pages whole at every poll', async (pages) => {
	const list = longList(pages * 10, 0, 'newest');
	const watcher = new Watcher(list, settings({ pageSize: 10 }));
	await watcher.poll();
	for (const id of [1, pages * 5, pages * 10]) list.set(id, 7);
	expect(await watcher.poll()).toHaveLength(3);
});

it('sees that a list has become short although the service repeats its last page for ever', async () => {
	const list = new BookingList({ says: 'nothing', beyondEnd: 'again' });
	list.fill(
		Array.from({ length: 400 }, (_, at) => 400 - at),
		() => 6,
	);
	const watcher = new Watcher(list, settings({ pageSize: 10 }));
	for (let polls = 0; polls < 3; polls++) await watcher.poll();
	list.order = list.order.slice(-150);
	for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
	for (const id of [20, 75, 150]) list.set(id, 7);
	expect(await watcher.poll()).toHaveLength(3);
});

describe('after an outage, shows moving bookings within five polls', () => {
	type Outage = Page | undefined | ServiceError;
	const outages: Array<[string, Outage]> = [
		['500', new ServiceError('server', 'Out of order', { status: 500 })],
		['no such page', undefined],
		['an empty list', { records: [], count: 0, hasNext: false }],
	];

	it.each(
		outages.flatMap(([name, outage]) =>
			[0, 1].map((good): [string, number, Outage] => [name, good, outage]),
		),
	)('of %s behind %d good pages', async (_name, good, outage) => {
		const list = longList(600, 100, 'newest');
		const readPage = async (page: number, size: number) => {
			if (!isOut || requests++ < good) return await list.readPage(page, size);
			if (outage instanceof ServiceError) throw outage;
			return outage;
		};
		let [isOut, requests] = [false, 0];
		const watcher = new Watcher(
			{ readPage, readBooking: list.readBooking },
			settings({ pageSize: 10 }),
		);
		// The outage comes in the middle of a sweep, behind ten pages.
		for (let polls = 0; polls < 6; polls++) await watcher.poll();
		isOut = true;
		for (let polls = 0; polls < 10; polls++) {
			requests = 0;
			await watcher.poll().catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
		}
		isOut = false;
		for (const id of [510, 590]) list.set(id, 7);
		const emitted: string[] = [];
		// All pages that failed have their turn first.
		for (let polls = 0; polls < 5; polls++) emitted.push(...brief(await watcher.poll()));
		expect(emitted.sort()).toEqual(['510: 6 > 7', '590: 6 > 7']);
	});
});

it.each(['empty', 'absent'] as const)(
	'shows a moving booking that a new one has moved to a new last page (%s beyond it)',
	async (beyondEnd) => {
		const list = new BookingList({ beyondEnd });
		list.fill(
			Array.from({ length: 200 }, (_, at) => 200 - at),
			(id) => (id === 1 ? 6 : 3),
		);
		const watcher = new Watcher(list, settings({ pageSize: 10 }));
		for (let polls = 0; polls < 3; polls++) await watcher.poll();
		for (let fresh = 201; fresh < 225; fresh++) {
			list.set(fresh, 3, 'front', TODAY);
			list.set(1, Number(fresh) % 2 === 0 ? 6 : 7);
			expect(brief(await watcher.poll())).toHaveLength(2);
		}
	},
);

it('shows new bookings at once at the end of a list that says nothing', async () => {
	const list = new BookingList({ says: 'nothing' });
	const rising = Array.from({ length: 150 }, (_, at) => at + 1);
	list.fill(rising, () => 3);
	const watcher = new Watcher(list, settings({ pageSize: 10 }));
	for (let polls = 0; polls < 3; polls++) await watcher.poll();
	for (let fresh = 151; fresh < 175; fresh++) {
		list.set(fresh, 3, 'end', TODAY);
		expect(brief(await watcher.poll())).toEqual([`${fresh}: null > 3`]);
	}
});

it.each([2, 3, 8, 12, 13, 14, 60])(
	'meets every booking in turn, whatever both ends leave of %d requests',
	async (requests) => {
		const list = new BookingList();
		const falling = Array.from({ length: 600 }, (_, at) => 600 - at);
		list.fill(falling, (id) => (Number(id) % 10 === 0 ? 6 : 3));
		const watcher = new Watcher(list, settings({ pageSize: 10 }));
		await watcher.poll();
		for (const id of [300, 311]) list.set(id, 7);
		const emitted: string[] = [];
		for (let polls = 0; polls < 120 && emitted.length < 2; polls++)
			emitted.push(...brief(await watcher.poll(requests)));
		expect(emitted.sort()).toEqual(['300: 6 > 7', '311: 3 > 7']);
	},
);

describe('a sweep over a long list', () => {
	const HOUR_MS = 3_600_000;

	/** Polls so often with some requests, and gives after how long a change of an idle booking came out, and the warnings until three days later. */
	async function hoursUntilSeen(everyHours: number, requests: number) {
		const list = new BookingList();
		const falling = Array.from({ length: 6_000 }, (_, at) => 6_000 - at);
		list.fill(falling, () => 3);
		const watcher = new Watcher(list, settings({ pageSize: 10 }));
		await watcher.poll();
		const warnings: string[] = [];
		let hours = 0;
		const poll = async () => {
			watcher.nowMs += everyHours * HOUR_MS;
			const found = await watcher.pollOnce(requests);
			watcher.memory = found.memory ?? watcher.memory;
			warnings.push(...found.warnings);
			return found.events.length;
		};
		for (let polls = 0; polls < 3; polls++) await poll();
		list.set(1_000, 7);
		for (hours = everyHours; (await poll()) === 0; hours += everyHours);
		for (let later = 0; later < 3 * 24; later += everyHours) await poll();
		return { hours, warnings };
	}

	it.each([0.25, 1, 6])(
		'is done within a day, if the trigger polls every %d hours',
		async (every) => {
			const { hours, warnings } = await hoursUntilSeen(every, Infinity);
			expect(hours).toBeLessThanOrEqual(25);
			expect(warnings).toEqual([]);
		},
	);

	it('that lasts a day already says so before it is over', async () => {
		const list = new BookingList();
		list.fill(
			Array.from({ length: 6_000 }, (_, at) => 6_000 - at),
			() => 3,
		);
		const watcher = new Watcher(list, settings({ pageSize: 10 }));
		const warnings: string[] = [];
		await watcher.poll();
		for (let polls = 0; polls < 6; polls++) {
			watcher.nowMs += 6 * HOUR_MS;
			const found = await watcher.pollOnce(20);
			watcher.memory = found.memory;
			warnings.push(...found.warnings);
		}
		// Each poll reads fewer than 20 of 600 pages.
		expect(warnings).toEqual([expect.stringContaining('more than a day')]);
	});

	it('says so if the budget does not reach for that', async () => {
		const { hours, warnings } = await hoursUntilSeen(6, 20);
		expect(hours).toBeGreaterThan(25);
		expect(warnings.length).toBeGreaterThan(0);
		expect(new Set(warnings)).toEqual(new Set([expect.stringContaining('more than a day')]));
	});
});
