import type { IDataObject } from 'n8n-workflow';

import { ServiceError, settle } from '../../nodes/TractorBooking/api/errors';
import type { BookingKey } from '../../nodes/TractorBooking/api/identifiers';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import type { PollLocks } from '../../nodes/TractorBooking/trigger/scheduledPoll';
import { pollScheduled } from '../../nodes/TractorBooking/trigger/scheduledPoll';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

const SERVER = new ServiceError('server', 'Failed', { status: 500 });
const BROKEN = new ServiceError('interrupted', 'The connection broke');

/** A list that fails at some pages and bookings. */
function failingAt(
	list: BookingList,
	at: (page: number, isThere: boolean) => ServiceError | undefined,
	atBooking: (key: BookingKey) => ServiceError | undefined = () => undefined,
): Source {
	return {
		readPage: async (page, size) => {
			const found = await list.readPage(page, size);
			const failure = at(page, (found?.records.length ?? 0) > 0);
			if (failure) throw failure;
			return found;
		},
		readBooking: async (key) => {
			const found = await list.readBooking(key);
			const failure = atBooking(key);
			if (failure) throw failure;
			return found;
		},
	};
}

/** A trigger of a published workflow in one process; a failed poll gives its error. */
function published(
	source: Source,
	pageSize: number,
	{ chosen, now }: { chosen?: number[]; now?: () => number } = {},
) {
	const turns: PollLocks = new Map();
	const kept: IDataObject = {};
	const warnings: string[] = [];
	const logger = { debug: () => undefined, warn: (text: string) => void warnings.push(text) };
	const poll = async () => {
		const start = Date.parse('2026-02-01T12:00:00Z');
		const budget = {
			until: now ? now() + 28_800 : Infinity,
			deadline: Infinity,
			requests: 500,
			now: now ?? (() => start),
		};
		const polled = {
			id: 'trigger',
			staticData: kept,
			source,
			settings: settings({ pageSize, chosen }),
			budget,
			logger,
		};
		return await pollScheduled(turns, polled).then(
			(found) => brief(found ?? []),
			(error: unknown) => error,
		);
	};
	return { poll, warnings };
}

function rising(count: number): number[] {
	return Array.from({ length: count }, (_, at) => at + 1);
}

describe('a service that fails at every page beyond the end', () => {
	const failures = [
		SERVER,
		new ServiceError('unreadable', 'Not a list'),
		new ServiceError('notJson', 'Not JSON', { status: 200 }),
		new ServiceError('notAllowed', 'Not allowed', { status: 403 }),
	];
	describe.each(['newest', 'oldest'] as const)('the %s first', (order) => {
		it.each(failures)('shows where its list ends ($kind)', async (failure) => {
			for (const count of [2, 9, 10, 45]) {
				const list = new BookingList({ says: 'nothing' });
				list.fill(order === 'oldest' ? rising(count) : rising(count).reverse(), () => 6);
				const source = failingAt(list, (page, isThere) =>
					page > 0 && !isThere ? failure : undefined,
				);
				const watcher = new Watcher(source, settings({ pageSize: 3 }));
				for (let polls = 0; polls < 16; polls++) expect(await watcher.poll()).toEqual([]);
				list.set(1, 3);
				list.set(count + 1, 0, order === 'oldest' ? 'end' : 'front');
				const emitted: string[] = [];
				for (let polls = 0; polls < 8; polls++) emitted.push(...brief(await watcher.poll()));
				expect(new Set(emitted)).toEqual(new Set(['1: 6 > 3', `${count + 1}: null > 0`]));
				expect(emitted).toHaveLength(2);
			}
		});
	});

	it('makes the trigger forget nothing, since a page in the middle may fail as well', async () => {
		const list = new BookingList({ says: 'nothing' });
		list.fill([4, 3, 2, 1], () => 6);
		let fails = false;
		const source = failingAt(list, (page, isThere) =>
			page > 0 && (!isThere || (fails && page > 1)) ? SERVER : undefined,
		);
		const watcher = new Watcher(source, settings({ pageSize: 2 }));
		for (let polls = 0; polls < 3; polls++) await watcher.poll();
		fails = true;
		for (let polls = 0; polls < 120; polls++) expect(await watcher.poll()).toEqual([]);
		fails = false;
		list.set(1, 3);
		expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
	});
});

describe.each(['nothing', 'more', 'count'] as const)(
	'a page in the middle that fails, of a list that says %s',
	(says) => {
		it('is left out, with one warning, and neither the pages before nor those behind it wait', async () => {
			const list = new BookingList({ says });
			list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
			let fails = false;
			const source = failingAt(list, (page) => (fails && page === 2 ? SERVER : undefined));
			const { poll, warnings } = published(source, 3);
			expect(await poll()).toEqual([]);
			fails = true;
			for (const to of [7, 3, 2]) {
				const was = list.get(9) as number;
				for (const key of [9, 6, 1]) list.set(key, to);
				expect(await poll()).toEqual([`9: ${was} > ${to}`, `1: ${was} > ${to}`]);
			}
			expect(warnings).toEqual([expect.stringContaining('page 2')]);
			fails = false;
			expect(await poll()).toEqual(['6: 6 > 2']);
		});

		it('hides nothing from the first scan that would count as new later', async () => {
			const list = new BookingList({ says });
			list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 3);
			let fails = true;
			const source = failingAt(list, (page) => (fails && page === 2 ? SERVER : undefined));
			const watcher = new Watcher(source, settings({ pageSize: 3 }));
			for (let polls = 0; polls < 5; polls++) expect(await watcher.poll()).toEqual([]);
			fails = false;
			for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
			list.set(6, 7);
			expect(brief(await watcher.poll())).toEqual(['6: 3 > 7']);
		});
	},
);

it('fails no poll if a service fails behind the end of a list that it counts', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill(rising(60).reverse(), () => 3);
	const failing = failingAt(list, (_page, isThere) => (isThere ? undefined : SERVER));
	const source: Source = {
		...failing,
		readPage: async (page, size) => {
			const found = await failing.readPage(page, size);
			return found && { ...found, count: list.order.length };
		},
	};
	const { poll, warnings } = published(source, 3);
	for (let polls = 0; polls < 20; polls++) expect(await poll()).toEqual([]);
	expect(warnings).toEqual([]);
});

it('comes to the end of the first scan of a long list of which one request in fifty fails', async () => {
	const list = new BookingList();
	list.fill(rising(3_000), () => 6);
	let requests = 0;
	const source = failingAt(list, () => (++requests % 53 === 0 ? BROKEN : undefined));
	const { poll } = published(source, 10);
	for (let polls = 0; polls < 14; polls++) await poll();
	list.set(3_000, 3);
	const emitted: unknown[] = [];
	for (let polls = 0; polls < 14; polls++) emitted.push(await poll());
	expect(emitted.flat()).toContain('3000: 6 > 3');
});

it.each([
	['more', SERVER],
	['nothing', BROKEN],
] as const)('does not treat what was behind failing pages as new (%s)', async (says, failure) => {
	const list = new BookingList({ says });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	let fails = true;
	const source = failingAt(list, (page) => (fails && page > 1 ? failure : undefined));
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	for (let polls = 0; polls < 5; polls++) expect(await watcher.poll()).toEqual([]);
	fails = false;
	for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
	list.set(1, 3);
	expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
});

it('fails every poll as long as nothing can be read at all, in the middle of a sweep, too', async () => {
	const list = new BookingList();
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	let fails = (page: number): boolean => page === 3;
	const { poll } = published(
		failingAt(list, (page) => (fails(page) ? SERVER : undefined)),
		3,
	);
	expect(await poll()).toEqual([]);
	fails = () => true;
	for (let polls = 0; polls < 4; polls++) expect(await poll()).toBe(SERVER);
});

describe('the guess that there is a page 0', () => {
	it.each([SERVER, BROKEN, new ServiceError('unreadable', 'No list')])(
		'keeps nothing from being emitted where it fails ($kind)',
		async (failure) => {
			const list = new BookingList({ says: 'nothing' });
			list.fill([5, 4, 3, 2, 1], () => 6);
			const { poll } = published(
				failingAt(list, (page) => (page === 0 ? failure : undefined)),
				2,
			);
			for (let polls = 0; polls < 6; polls++) await poll();
			for (const key of [1, 5]) list.set(key, 3);
			expect(await poll()).toEqual(['5: 6 > 3', '1: 6 > 3']);
		},
	);

	/** A list whose pages count from 0. */
	function fromZero(list: BookingList, outside?: ServiceError): Source {
		return {
			...list,
			readPage: async (page, size) => {
				const found = await list.readPage(page + 1, size);
				if (outside && page > 0 && !found?.records.length) throw outside;
				return found;
			},
		};
	}

	it.each([undefined, new ServiceError('notFound', 'No page', { status: 404 })])(
		'is made again as long as there is no booking (page 1: %p)',
		async (outside) => {
			const list = new BookingList({ says: 'nothing' });
			const watcher = new Watcher(fromZero(list, outside), settings({ pageSize: 3 }));
			for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
			list.set(1, 6);
			expect(brief(await watcher.poll())).toEqual(['1: null > 6']);
			for (let key = 2; key < 8; key++) list.set(key, 6);
			expect(await watcher.poll()).toHaveLength(6);
		},
	);

	it('does not treat an empty page 0 as the first one, as long as there is no booking', async () => {
		const list = new BookingList({ says: 'nothing' });
		const source: Source = {
			...list,
			readPage: async (page, size) => {
				if (page === 0) return { records: [] };
				if (page === 1 && list.order.length === 0) {
					throw new ServiceError('notFound', 'No page', { status: 404 });
				}
				return await list.readPage(page, size);
			},
		};
		const watcher = new Watcher(source, settings({ pageSize: 3 }));
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
		list.set(1, 6);
		expect(brief(await watcher.poll())).toEqual(['1: null > 6']);
	});

	it.each([0, 1])(
		'decides nothing while page 1 fails like those beyond the end (pages from %d)',
		async (firstPage) => {
			const list = new BookingList({ says: 'nothing' });
			list.fill(rising(9).reverse(), () => 3);
			let fails = true;
			const source: Source = {
				...list,
				readPage: async (page, size) => {
					// Where pages count from 1, this service gives page 1 for page 0, too.
					const found = await list.readPage(firstPage === 0 ? page + 1 : page || 1, size);
					if (!found?.records.length || (fails && page === 1)) throw SERVER;
					return found;
				},
			};
			const watcher = new Watcher(source, settings({ pageSize: 3 }));
			expect(await watcher.poll()).toEqual([]);
			fails = false;
			for (let polls = 0; polls < 12; polls++) expect(await watcher.poll()).toEqual([]);
			list.set(1, 7);
			expect(brief(await watcher.poll())).toEqual(['1: 3 > 7']);
		},
	);

	it.each<[string, ServiceError, ConstructorParameters<typeof BookingList>[0]]>([
		['500, count', SERVER, {}],
		['500, no count', SERVER, { says: 'nothing' }],
		['404, count', new ServiceError('notFound', 'No page', { status: 404 }), {}],
		[
			'404, no count',
			new ServiceError('notFound', 'No page', { status: 404 }),
			{ says: 'nothing' },
		],
	])('is dropped where page 0 is page 1, and page 1 fails (%s)', async (_, failure, says) => {
		const twice = (polls: number, page: number) => page === 1 && (polls === 3 || polls === 6);
		let random = 1;
		const often = (polls: number) => {
			random = (random * 48_271) % 2_147_483_647;
			return polls > 2 && polls < 40 && random % 10 < 4;
		};
		for (const pageSize of [2, 4, 20]) {
			for (const fails of [twice, often]) {
				const list = new BookingList(says);
				list.fill(rising(50).reverse(), () => 6);
				let polls = 0;
				const source: Source = {
					...list,
					readPage: async (page, size) => {
						if (fails(polls, page)) throw failure;
						return await list.readPage(page || 1, size);
					},
				};
				const { poll } = published(source, pageSize);
				for (; polls < 50; polls++) await settle(poll());
				for (let key = 1; key <= 50; key++) list.set(key, 3);
				const events: unknown[] = [];
				for (; polls < 62; polls++) events.push(...[await poll()].flat());
				expect(new Set(events).size).toBe(50);
				expect(events).toHaveLength(50);
			}
		}
	});

	it('keeps no first scan of an empty list from ending where it fails', async () => {
		const list = new BookingList({ says: 'nothing' });
		const { poll } = published(
			failingAt(list, (page) => (page === 0 ? BROKEN : undefined)),
			2,
		);
		for (let polls = 0; polls < 6; polls++) await poll();
		const emitted: unknown[] = [];
		for (const key of [1, 2]) {
			list.set(key, 6);
			for (let polls = 0; polls < 2; polls++) emitted.push(await poll());
		}
		const events = emitted.filter((some) => some !== BROKEN).flat();
		expect(events).toEqual(['1: null > 6', '2: null > 6']);
	});

	it.each([
		new ServiceError('notAllowed', 'Not allowed', { status: 401 }),
		new ServiceError('notJson', 'Not JSON', { status: 200 }),
		new ServiceError('notJson', 'Cut off', { status: 200 }),
		SERVER,
	])('hides no page 0 for good by failing twice ($message)', async (failure) => {
		const list = new BookingList({ says: 'nothing' });
		list.fill(rising(60).reverse(), () => 6);
		const source = fromZero(list);
		let failures = 2;
		const watcher = new Watcher(
			{
				...source,
				readPage: async (page, size) => {
					if (page === 0 && failures-- > 0) throw failure;
					return await source.readPage(page, size);
				},
			},
			settings({ pageSize: 3 }),
		);
		for (let polls = 0; polls < 12; polls++) expect(await watcher.poll()).toEqual([]);
		list.set(60, 3);
		expect(brief(await watcher.poll())).toEqual(['60: 6 > 3']);
	});

	it.each([400, 404, 422])(
		'finds a list that has page 0 only if the response to page 1 is %d',
		async (status) => {
			const list = new BookingList({ says: 'count' });
			list.fill([2, 1], () => 6);
			const outside = new ServiceError('status', 'No page', { status });
			const watcher = new Watcher(fromZero(list, outside), settings());
			expect(await watcher.poll()).toEqual([]);
			list.set(1, 3);
			expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
		},
	);

	it('is made a second time where it fails once', async () => {
		const list = new BookingList({ says: 'nothing' });
		list.fill([7, 6, 5, 4, 3, 2, 1], () => 6);
		const source = fromZero(list);
		let failed = false;
		const watcher = new Watcher(
			{
				...source,
				readPage: async (page, size) => {
					if (page > 0 || failed) return await source.readPage(page, size);
					failed = true;
					throw SERVER;
				},
			},
			settings({ pageSize: 3 }),
		);
		expect(await watcher.poll()).toEqual([]);
		list.set(7, 3);
		expect(brief(await watcher.poll())).toEqual(['7: 6 > 3']);
	});
});

it.each([
	new ServiceError('notAllowed', 'Not allowed', { status: 403 }),
	new ServiceError('unreadable', 'Not a list'),
	SERVER,
])('reads the other moving bookings where a page of them fails ($kind)', async (failure) => {
	const list = new BookingList();
	list.fill(rising(60).reverse(), (key) => (Number(key) > 50 ? 6 : 3));
	let fails = false;
	const source = failingAt(list, (page) => (fails && page === 2 ? failure : undefined));
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	await watcher.poll();
	fails = true;
	for (const to of [7, 3]) {
		const was = list.get(51) as number;
		list.set(51, to);
		expect(brief(await watcher.poll())).toEqual([`51: ${was} > ${to}`]);
	}
});

it.each([undefined, { records: [] }])(
	'does not end a first scan by pages that were there and are %p for a while',
	async (none) => {
		const list = new BookingList({ says: 'nothing' });
		list.fill(rising(12).reverse(), () => 3);
		let isGone = false;
		const source: Source = {
			...list,
			readPage: async (page, size) => {
				if (!isGone) return await list.readPage(page, size);
				if (page === 1) throw new ServiceError('notFound', 'Nothing here', { status: 404 });
				return none;
			},
		};
		const watcher = new Watcher(source, settings({ pageSize: 3 }));
		await watcher.poll(3);
		isGone = true;
		// Nothing can be read: either poll may fail.
		for (let polls = 0; polls < 2; polls++)
			expect(await watcher.poll().catch(() => [])).toEqual([]);
		isGone = false;
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
	},
);

it('goes on where a list whose pages count from 0 has shrunk to one page in the middle of a round', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill(rising(9).reverse(), () => 6);
	const source: Source = {
		...list,
		readPage: async (page, size) => {
			const found = await list.readPage(page + 1, size);
			if (found?.records.length) return found;
			if (page === 1) throw new ServiceError('notFound', 'No page', { status: 404 });
			return undefined;
		},
	};
	const watcher = new Watcher(source, settings({ pageSize: 3 }));
	await watcher.poll();
	await watcher.poll(2);
	for (const key of rising(7)) list.delete(key);
	expect(await watcher.poll()).toEqual([]);
	list.set(9, 3);
	expect(brief(await watcher.poll())).toEqual(['9: 6 > 3']);
});

it('reads the chosen bookings behind one that needs the whole time of a poll', async () => {
	const list = new BookingList();
	list.fill([1, 2, 3], () => 6);
	let nowMs = Date.parse('2026-02-01T12:00:00Z');
	const source: Source = {
		...list,
		readBooking: async (key) => {
			if (key !== 1) return await list.readBooking(key);
			nowMs += 30_000;
			throw BROKEN;
		},
	};
	const { poll } = published(source, 3, { chosen: [1, 2, 3], now: () => nowMs });
	for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
	for (const key of [2, 3]) list.set(key, 3);
	const emitted = [await poll(), await poll(), await poll()].filter((some) => some !== BROKEN);
	expect(emitted.flat()).toEqual(['2: 6 > 3', '3: 6 > 3']);
});

it('fails every second poll at least where no chosen booking can be read in time', async () => {
	let nowMs = Date.parse('2026-02-01T12:00:00Z');
	const list = new BookingList();
	const source: Source = {
		...list,
		readBooking: async () => {
			nowMs += 30_000;
			throw BROKEN;
		},
	};
	const { poll } = published(source, 3, { chosen: [1, 2, 3], now: () => nowMs });
	for (let polls = 0; polls < 4; polls++) expect([await poll(), await poll()]).toContain(BROKEN);
});

describe('a booking in the middle of a long list is met again in the next round', () => {
	const PAGE = 151;

	it.each<[string, (records: IDataObject[]) => IDataObject[] | undefined]>([
		['its page was empty for a round', () => []],
		['its page was not there for a round', () => undefined],
		[
			'its page failed for a round',
			() => {
				throw SERVER;
			},
		],
	])('if %s', async (_how, respond) => {
		const list = new BookingList();
		list.fill(rising(900).reverse(), (key) => (Number(key) === 450 ? 6 : 3));
		let isWrong = false;
		const source: Source = {
			...list,
			readPage: async (page, size) => {
				const found = await list.readPage(page, size);
				if (!isWrong || page !== PAGE || !found) return found;
				const records = respond(found.records);
				return records && { ...found, records };
			},
		};
		const watcher = new Watcher(source, settings({ pageSize: 3 }));
		await watcher.poll();
		isWrong = true;
		list.set(450, 7);
		for (let polls = 0; polls < 30; polls++) expect(await watcher.poll()).toEqual([]);
		isWrong = false;
		const emitted: string[] = [];
		for (let polls = 0; polls < 30; polls++) emitted.push(...brief(await watcher.poll()));
		expect(emitted).toEqual(['450: 6 > 7']);
	});
});

describe('a connection that is refused, or a rate limit,', () => {
	const ends = [
		new ServiceError('unreachable', 'No connection'),
		new ServiceError('rateLimited', 'Too many requests', { status: 429 }),
	];

	it.each(ends)(
		'ends a poll in the middle with what it has, and says so once ($kind)',
		async (end) => {
			const list = new BookingList();
			list.fill(rising(9).reverse(), () => 6);
			let fails = false;
			const { poll, warnings } = published(
				failingAt(list, (page) => (fails && page > 1 ? end : undefined)),
				3,
			);
			await poll();
			fails = true;
			for (const key of [9, 1]) list.set(key, 3);
			expect(await poll()).toEqual(['9: 6 > 3']);
			fails = false;
			expect(await poll()).toEqual(['1: 6 > 3']);
			expect(warnings).toEqual([`${end.message}. The next poll goes on from there.`]);
		},
	);

	it.each(ends)('fails a poll that can read nothing ($kind)', async (end) => {
		const list = new BookingList();
		list.fill(rising(9).reverse(), () => 6);
		let fails = false;
		const { poll } = published(
			failingAt(list, () => (fails ? end : undefined)),
			3,
		);
		await poll();
		fails = true;
		expect(await poll()).toBe(end);
	});
});

it('fails a first scan without a connection, so that nobody believes that the workflow works', async () => {
	const list = new BookingList();
	const end = new ServiceError('unreachable', 'No connection');
	const { poll } = published(
		failingAt(list, () => end),
		3,
	);
	expect(await poll()).toBe(end);
});

it('reads what it can where a poll stopped before pages that fail for good', async () => {
	const list = new BookingList();
	list.fill(rising(12).reverse(), () => 6);
	let limited = false;
	let fails = false;
	const limit = new ServiceError('rateLimited', 'Too many requests', { status: 429 });
	const source = failingAt(list, (page) => {
		if (limited && page === 3) return limit;
		return fails && page > 2 ? SERVER : undefined;
	});
	const { poll } = published(source, 3);
	expect(await poll()).toEqual([]);
	limited = true;
	expect(await poll()).toEqual([]);
	[limited, fails] = [false, true];
	const emitted: unknown[] = [];
	list.set(12, 3);
	list.set(8, 3);
	for (let polls = 0; polls < 3; polls++) emitted.push(await poll());
	expect(emitted.flat().sort()).toEqual(['12: 6 > 3', '8: 6 > 3']);
});
