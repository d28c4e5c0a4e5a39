import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

it('misses no booking that moved to the page before while the first scan was waiting for the next poll', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	// Page 1, a probe for page 0, and page 2.
	await watcher.poll(3);
	list.delete(9);
	// Number 3, which was the first one of the third page, is now the last one of the second.
	for (let polls = 0; polls < 3; polls++) expect(brief(await watcher.poll())).toEqual([]);
});

it.each(['nothing', 'more', 'count'] as const)(
	'gets through the list also where each poll has one request only, and the list says %s',
	async (says) => {
		const list = new BookingList({ says });
		list.fill([5, 4, 3, 2, 1], () => 6);
		const watcher = new Watcher(list, settings({ pageSize: 2 }));
		for (let polls = 0; polls < 12; polls++) expect(await watcher.poll(1)).toEqual([]);
		list.set(6, 3);
		list.set(1, 3);
		const emitted: string[] = [];
		for (let polls = 0; polls < 8; polls++) emitted.push(...brief(await watcher.poll(1)));
		expect(emitted.sort()).toEqual(['1: 6 > 3', '6: null > 3']);
	},
);

it('reads the list again where a booking slipped past the first scan to a page that it had read', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill([1, 2, 3, 4, 5, 6, 7, 8, 9], () => 6);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	let requests = 0;
	list.beforeRequest = () => {
		requests += 1;
		// After page 1, a probe for page 0, and page 2: the last one moves to the front.
		if (requests === 4) list.order = [9, 1, 2, 3, 4, 5, 6, 7, 8];
	};
	for (let polls = 0; polls < 4; polls++) expect(brief(await watcher.poll())).toEqual([]);
	list.set(9, 3);
	expect(brief(await watcher.poll())).toEqual(['9: 6 > 3']);
});

it('does not treat page 1 as page 0, also where a booking is made while it asks for one', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	const source: Source = {
		...list,
		readPage: async (page, size) => {
			if (page === 0) list.set(10, 6);
			return await list.readPage(Math.max(page, 1), size);
		},
	};
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	for (let polls = 0; polls < 3; polls++) await watcher.poll();
	list.set(1, 3);
	expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
});

it.each([
	['behind the end', [4, 5, 6, 7], 5],
	['in the middle', [3, 4], 4],
])(
	'reads what it can where a poll stopped %s, at pages that only fail',
	async (_where, bad, at) => {
		const list = new BookingList({ says: 'nothing' });
		list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
		let isLimited = false;
		const source: Source = {
			...list,
			readPage: async (page, size) => {
				if (isLimited && page === at) {
					throw new ServiceError('rateLimited', 'Too many', { status: 429 });
				}
				if (bad.includes(page)) throw new ServiceError('server', 'Failed', { status: 500 });
				return await list.readPage(page, size);
			},
		};
		const watcher = new Watcher(source, settings({ pageSize: 3 }));
		await watcher.poll();
		isLimited = true;
		await watcher.poll();
		isLimited = false;
		for (const status of [7, 3]) {
			list.set(9, status);
			expect(brief(await watcher.poll())).toEqual([expect.stringContaining(`> ${status}`)]);
		}
	},
);

it.each([
	['pages count from 0, and a page is cut to 2', { cap: 2 }, 0],
	['pages count from 1, and a page is cut to 2', { cap: 2 }, 1],
] as const)(
	'treats a booking without dates as new that is made after the first poll, where %s',
	async (_what, style, origin) => {
		const list = new BookingList({ says: 'nothing', ...style }, [], '');
		list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
		const source: Source = {
			...list,
			readPage: async (page, size) => await list.readPage(page + 1 - origin, size),
		};
		const watcher = new Watcher(source, settings({ pageSize: 3 }));
		expect(await watcher.poll()).toEqual([]);
		list.set(10, 3, 'front', ' ');
		expect(brief(await watcher.poll())).toEqual(['10: null > 3']);
	},
);

it.each(['count', 'more', 'nothing'] as const)(
	'treats what was behind a page that was not there once as old, where the list says %s',
	async (says) => {
		// Records without readable dates.
		const list = new BookingList({ says }, [], '');
		list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 3);
		let missing = 1;
		const source: Source = {
			...list,
			readPage: async (page, size) =>
				page === 2 && missing-- > 0 ? undefined : await list.readPage(page, size),
		};
		const watcher = new Watcher(source, settings({ pageSize: 3 }));
		await watcher.poll();
		expect(brief(await watcher.poll())).toEqual([]);
		list.set(10, 3);
		expect(brief(await watcher.poll())).toEqual(['10: null > 3']);
	},
);

/** A list whose pages count from 0. */
function fromZero(list: BookingList, hasPage: (page: number) => boolean = () => true): Source {
	return {
		...list,
		readPage: async (page, size) =>
			hasPage(page) ? await list.readPage(page + 1, size) : { records: [] },
	};
}

it('hides no page 0 for good because it was empty once', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	let probes = 0;
	const source = fromZero(list, (page) => page !== 0 || probes++ > 0);
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	for (let polls = 0; polls < 3; polls++) await watcher.poll();
	list.set(9, 3);
	expect(brief(await watcher.poll())).toEqual(['9: 6 > 3']);
});

it.each([
	['the count', { says: 'count' }, undefined],
	['page 1', { says: 'more' }, true],
] as const)(
	'hides no page 0 for good that was empty in five polls, if %s shows that there is one',
	async (_what, style, hasPrevious) => {
		const list = new BookingList(style);
		list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
		let isHidden = true;
		const source = fromZero(list, (page) => page !== 0 || !isHidden);
		const readPage: Source['readPage'] = async (page, size) => {
			const found = await source.readPage(page, size);
			return found && page > 0 ? { ...found, hasPrevious } : found;
		};
		const watcher = new Watcher({ ...source, readPage }, settings({ pageSize: 3 }));
		for (let polls = 0; polls < 5; polls++) await watcher.poll();
		isHidden = false;
		expect(await watcher.poll()).toEqual([]);
		list.set(9, 3);
		expect(brief(await watcher.poll())).toEqual(['9: 6 > 3']);
	},
);

it('hides no page 0 for good that was denied in the first two polls', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	let isHidden = true;
	const source = fromZero(list, (page) => page !== 0 || !isHidden);
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	for (let polls = 0; polls < 2; polls++) await watcher.poll();
	isHidden = false;
	await watcher.poll();
	list.set(9, 3);
	expect(brief(await watcher.poll())).toEqual(['9: 6 > 3']);
});

it('does not take pages to count from 0 because page 1 fails', async () => {
	const list = new BookingList();
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	let isDown = false;
	const source: Source = {
		...list,
		readPage: async (page, size) => {
			if (isDown && page === 1) throw new ServiceError('server', 'Failed', { status: 502 });
			const found = page > 0 ? await list.readPage(page, size) : { records: [] };
			return found && { ...found, hasPrevious: page > 1 };
		},
	};
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	for (isDown of [false, true, false, true, false]) await watcher.poll();
	list.set(9, 3);
	expect(brief(await watcher.poll())).toEqual(['9: 6 > 3']);
});
