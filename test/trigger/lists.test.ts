import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { ListStyle } from './bookingList';
import { BookingList, listOf } from './bookingList';
import { settings, Watcher } from './polling';

const error = (kind: ServiceError['kind'], status?: number) =>
	new ServiceError(kind, `The request failed (${kind})`, { status });
const SERVER = error('server', 500);
const BROKEN = error('interrupted');
const MISSING = error('notFound', 404);
const LIMITED = error('rateLimited', 429);

const EMPTY = { records: [] };

interface Situation {
	style?: ListStyle;
	/** Number of bookings. */
	count?: number;
	order?: 'newest' | 'oldest';
	/** Requests that a poll may make. */
	requests?: number;
	/** Polls before the bookings change, and within which all changes must come out. */
	before?: number;
	within?: number;
	/** What goes wrong. */
	fault?: (page: number, isThere: boolean, poll: number) => ReturnType<BookingList['fault']>;
}

/** Changes the first and the last booking of a list and adds one: each must be emitted once, and nothing else. */
async function expectEachOnce(situation: Situation): Promise<void> {
	const { style, count = 9, order = 'newest', requests, before = 6, within = 8 } = situation;
	const list = listOf(count, 6, { says: 'nothing', ...style }, order);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	let polls = 0;
	list.fault = (page, found) => situation.fault?.(page, !!found?.records.length, polls);
	const poll = async () => {
		polls += 1;
		watcher.nowMs += 30_000;
		// Polls in which nothing can be read fail.
		return await watcher.changes(requests).catch((thrown: unknown) => {
			expect(thrown).toBeInstanceOf(ServiceError);
			return [];
		});
	};
	while (polls < before) expect(await poll()).toEqual([]);
	for (const key of [1, count]) list.set(key, 3);
	list.set(count + 1, 0, order === 'oldest' ? 'end' : 'front');
	const events: string[] = [];
	while (polls < before + within) events.push(...(await poll()));
	const changes = [...new Set([1, count])].map((key) => `${key}: 6 > 3`);
	expect(events.sort()).toEqual([...changes, `${count + 1}: null > 0`].sort());
}

describe('each change is emitted once, and nothing else', () => {
	const bySays = (['nothing', 'more', 'count'] as const).flatMap((says) =>
		([0, 1] as const).flatMap((first) =>
			(['newest', 'oldest'] as const).map((order): [string, Situation] => [
				`the list says ${says}, begins with page ${first}, shows the ${order} first`,
				{ style: { says, first }, order },
			]),
		),
	);
	const byPrevious = ([0, 1] as const).flatMap((first) =>
		(['more', 'count'] as const).flatMap((says) =>
			[4, 60].map((count): [string, Situation] => [
				`pages of ${count} bookings count from ${first}, previous is always null, the list says ${says}`,
				{ count, style: { says, first, previous: 'null' } },
			]),
		),
	);
	const onlyAt =
		(
			wrong: number,
			response: ReturnType<BookingList['fault']>,
			isWrong: (poll: number) => boolean = () => true,
		) =>
		(page: number, _isThere: boolean, poll: number) =>
			page === wrong && isWrong(poll) ? response : undefined;
	const beyondEnd =
		(response: ServiceError): Situation['fault'] =>
		(page, isThere) =>
			page > 0 && !isThere ? response : undefined;

	const situations: Array<[string, Situation]> = [
		...bySays,
		...byPrevious,
		[
			'pages count from 0, previous is always null, and a page is cut to two records',
			{ count: 7, style: { says: 'count', first: 0, previous: 'null', cap: 2 } },
		],
		...[2, 9, 10, 45].flatMap((count) =>
			[SERVER, error('unreadable'), error('notJson', 200), error('notAllowed', 403)].map(
				(failure): [string, Situation] => [
					`every page after the last of ${count} bookings fails (${failure.kind})`,
					{ count, before: 16, fault: beyondEnd(failure) },
				],
			),
		),
		...[SERVER, BROKEN, error('unreadable'), MISSING].map((failure): [string, Situation] => [
			`there is no page 0, and asking for it fails (${failure.kind})`,
			{ fault: onlyAt(0, failure) },
		]),
		...[400, 404, 422].map((status): [string, Situation] => [
			`all is on page 0, and page 1 answers ${status}`,
			{ count: 2, style: { first: 0 }, fault: beyondEnd(error('status', status)) },
		]),
		...[SERVER, error('notAllowed', 401), error('notJson', 200), EMPTY].map(
			(wrong): [string, Situation] => [
				`page 0 cannot be read in the first two polls (${'kind' in wrong ? wrong.kind : 'empty'})`,
				{ count: 60, style: { first: 0 }, before: 12, fault: onlyAt(0, wrong, (poll) => poll < 3) },
			],
		),
		...[0, 1].map((first): [string, Situation] => [
			`page 1 fails in every second poll, and pages count from ${first}`,
			{ style: { first: first as 0 | 1 }, fault: onlyAt(1, SERVER, (poll) => poll % 2 === 0) },
		]),
		['a page is cut to two records', { style: { cap: 2 } }],
		['a cut page leaves gaps', { style: { cap: 2, capLeavesGaps: true } }],
		...(['absent', 'again'] as const).map((end): [string, Situation] => [
			`a page after the last is ${end}`,
			{ style: { beyondEnd: end } },
		]),
		...[0, 7, 10_000].map((count): [string, Situation] => [
			`the list counts ${count} bookings`,
			{ style: { says: 'count', count } },
		]),
		...(['nothing', 'more', 'count'] as const).map((says): [string, Situation] => [
			`a poll makes as few requests as it can, and the list says ${says}`,
			{ style: { says }, requests: 1, before: 20, within: 20 },
		]),
		['page 2 fails in the first scan', { before: 9, fault: onlyAt(2, SERVER, (poll) => poll < 6) }],
		[
			'all pages but the first fail in the first scan',
			{ before: 9, fault: (page, _, poll) => (page > 1 && poll < 6 ? BROKEN : undefined) },
		],
		[
			'the list is gone after the first poll, for two polls',
			{
				fault: (page, _, poll) =>
					poll > 1 && poll < 4 ? (page === 1 ? MISSING : EMPTY) : undefined,
			},
		],
		[
			'a poll reaches the rate limit in the middle of pages that fail',
			{
				fault: (page, _, poll) =>
					poll === 2 && page === 3 ? LIMITED : page === 2 && poll < 6 ? SERVER : undefined,
			},
		],
	];

	it.each(situations)('%s', async (_name, situation) => await expectEachOnce(situation));

	it('a service gives page 1 for page 0, too, while a booking is made', async () => {
		const list = listOf(9, 6, { says: 'nothing' });
		list.fault = (page) => {
			if (page !== 0) return undefined;
			list.set(10, 6);
			return list.pageAt(0, 3);
		};
		const watcher = new Watcher(list, settings({ pageSize: 3 }));
		expect(await watcher.changesOf(3)).toEqual([]);
		list.set(1, 3);
		expect(await watcher.changes()).toEqual(['1: 6 > 3']);
	});

	it.each([undefined, MISSING])('the list is empty at first (page 1: %p)', async (outside) => {
		for (const first of [0, 1] as const) {
			const list = new BookingList({ says: 'nothing', first });
			list.fault = (page, found) => (page > first && !found?.records.length ? outside : undefined);
			const watcher = new Watcher(list, settings({ pageSize: 3 }));
			const poll = async () => await watcher.changes().catch(() => []);
			for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
			list.set(1, 6);
			expect([...(await poll()), ...(await poll())]).toEqual(['1: null > 6']);
			for (let key = 2; key < 8; key++) list.set(key, 6);
			expect(await poll()).toHaveLength(6);
		}
	});
});

it.each([
	['is there', undefined],
	['is empty at first', EMPTY],
	['fails at first', SERVER],
])('finds a page 0 that page 1 denies: it %s', async (_name, wrong) => {
	const list = listOf(5, 6, { first: 0, previous: 'null' });
	list.fault = (page) => (page === 0 ? wrong : undefined);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	await watcher.poll();
	list.fault = () => undefined;
	if (wrong) await watcher.poll();
	list.set(5, 3);
	expect(await watcher.changes()).toEqual(['5: 6 > 3']);
});

it.each<[ListStyle['previous'], ServiceError]>([
	['missing', error('notAllowed', 401)],
	['true', SERVER],
])('notes the bookings of a page 0 that fails at first (previous: %s)', async (previous, wrong) => {
	// Made on the day of the first scan, so that the date does not say whether they are new.
	const list = new BookingList({ first: 0, previous }, [], '2026-02-01T08:00:00Z');
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 3);
	list.fault = (page) => (page === 0 ? wrong : undefined);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	expect(await watcher.changesOf(3)).toEqual([]);
	list.fault = () => undefined;
	expect(await watcher.changesOf(2)).toEqual([]);
	list.set(9, 7);
	expect(await watcher.changes()).toEqual(['9: 3 > 7']);
});

it.each(['missing', 'null'] as const)(
	'reads pages from 0 that are cut to a quarter and leave gaps (previous: %s)',
	async (previous) => {
		const list = listOf(150, 6, { first: 0, cap: 25, capLeavesGaps: true, previous });
		const watcher = new Watcher(list, settings());
		await watcher.poll();
		for (const key of list.order) list.set(key, 3);
		expect(await watcher.changes()).toHaveLength(150);
	},
);

it.each([error('server', 503), error('unreadable')])(
	'reads pages from 1 that leave gaps although page 0 fails ($kind)',
	async (failure) => {
		const list = listOf(150, 6, { cap: 25, capLeavesGaps: true, previous: 'true' });
		list.fault = (page) => (page === 0 ? failure : undefined);
		const watcher = new Watcher(list, settings());
		await watcher.poll();
		for (const key of list.order) list.set(key, 3);
		expect(await watcher.changes()).toHaveLength(150);
	},
);

describe('a booking that is not shown for a while', () => {
	it.each([
		['is gone', (list: BookingList) => list.delete(2)],
		[
			'is gone, as is the whole list',
			(list: BookingList) => [1, 2, 3].map((key) => list.delete(key)),
		],
		['is on a page that fails', (list: BookingList) => (list.fault = () => SERVER)],
	])('%s: it stays known', async (_name, hide) => {
		const list = listOf(3);
		const watcher = new Watcher(list, settings({ pageSize: 1 }));
		await watcher.poll();
		hide(list);
		for (let polls = 0; polls < 100; polls++) await watcher.poll().catch(() => []);
		list.fault = () => undefined;
		for (const [key, status] of [
			[3, 6],
			[2, 7],
			[1, 6],
		] as const)
			list.set(key, status);
		expect(await watcher.changesOf(3)).toEqual(['2: 6 > 7']);
	});
});

describe('a page that fails', () => {
	it.each(['nothing', 'more', 'count'] as const)(
		'is left out with one warning, and read later (the list says %s)',
		async (says) => {
			const list = listOf(9, 6, { says });
			const watcher = new Watcher(list, settings({ pageSize: 3 }));
			await watcher.poll();
			list.fault = (page) => (page === 2 ? SERVER : undefined);
			const warnings: string[] = [];
			for (const to of [7, 3, 2]) {
				const was = list.get(9) as number;
				for (const key of [9, 6, 1]) list.set(key, to);
				expect(await watcher.changes()).toEqual([`9: ${was} > ${to}`, `1: ${was} > ${to}`]);
				warnings.push(...watcher.warnings);
			}
			expect(warnings).toEqual([expect.stringContaining('page 2')]);
			list.fault = () => undefined;
			expect(await watcher.changes()).toEqual(['6: 6 > 2']);
		},
	);

	it('is no failure after the end of the list', async () => {
		const list = listOf(60, 3, { says: 'nothing' });
		list.fault = (_page, found) =>
			found?.records.length ? { ...found, count: list.order.length } : SERVER;
		const watcher = new Watcher(list, settings({ pageSize: 3 }));
		for (let polls = 0; polls < 20; polls++) {
			expect(await watcher.poll()).toEqual([]);
			expect(watcher.warnings).toEqual([]);
		}
	});

	it('keeps no first scan from ending, if one request in fifty fails', async () => {
		const list = listOf(3_000);
		list.fault = () => (list.requests % 53 === 0 ? BROKEN : undefined);
		const watcher = new Watcher(list, settings({ pageSize: 10 }));
		await watcher.changesOf(14, 500);
		list.set(3_000, 3);
		expect(await watcher.changesOf(14, 500)).toContain('3000: 6 > 3');
	});

	it('fails the poll if nothing else can be read, however far the round is', async () => {
		const list = listOf(9);
		const watcher = new Watcher(list, settings({ pageSize: 3 }));
		list.fault = (page) => (page === 3 ? SERVER : undefined);
		expect(await watcher.poll()).toEqual([]);
		list.fault = () => SERVER;
		for (let polls = 0; polls < 4; polls++) await expect(watcher.poll()).rejects.toBe(SERVER);
	});
});

describe.each([error('unreachable'), LIMITED])('a poll that ends early ($kind)', (end) => {
	it('emits what it has, with a warning, and the next one goes on', async () => {
		const list = listOf(9);
		const watcher = new Watcher(list, settings({ pageSize: 3 }));
		await watcher.poll();
		for (const key of [9, 1]) list.set(key, 3);
		list.fault = (page) => (page > 1 ? end : undefined);
		expect(await watcher.changes()).toEqual(['9: 6 > 3']);
		expect(watcher.warnings).toEqual([expect.stringContaining(end.message)]);
		list.fault = () => undefined;
		expect(await watcher.changes()).toEqual(['1: 6 > 3']);
	});

	it('fails if it has nothing; in a first scan, a rate limit does not', async () => {
		const list = listOf(9);
		const watcher = new Watcher(list, settings({ pageSize: 3 }));
		list.fault = () => end;
		if (end === LIMITED) expect(await watcher.poll()).toEqual([]);
		else await expect(watcher.poll()).rejects.toBe(end);
		list.fault = () => undefined;
		await watcher.poll();
		list.fault = () => end;
		await expect(watcher.poll()).rejects.toBe(end);
	});
});

it.each([
	['is empty', 1, EMPTY],
	['is absent', 1, 'absent' as const],
	['fails', 1, SERVER],
	['fails nine times', 9, SERVER],
])('keeps the first scan going if a page that was promised %s', async (_name, polls, wrong) => {
	// Made on the day of the first scan, so that the date does not say whether they are new.
	const list = new BookingList({ says: 'more' }, [], '2026-02-01T08:00:00Z');
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 3);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	list.fault = (page) => (page === 3 ? wrong : undefined);
	expect(await watcher.changes()).toEqual([]);
	expect(watcher.warnings).toEqual(wrong === SERVER ? [expect.stringContaining('page 3')] : []);
	expect(await watcher.changesOf(polls - 1)).toEqual([]);
	list.fault = () => undefined;
	expect(await watcher.changes()).toEqual([]);
	list.set(1, 7);
	expect(await watcher.changes()).toEqual(['1: 3 > 7']);
});

it('reads on after pages whose records have no ID', async () => {
	const list = listOf(18);
	list.fault = (page, found) =>
		found && (page === 2 || page === 4)
			? { ...found, records: found.records.map((one) => ({ ...one, bookingID: '', page })) }
			: undefined;
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	await watcher.poll();
	list.set(1, 3);
	expect(await watcher.changes()).toEqual(['1: 6 > 3']);
});

it('notes what a booking shows when a first scan of several polls comes to it', async () => {
	const list = listOf(9);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	await watcher.poll(2);
	for (const key of [9, 1]) list.set(key, 3);
	expect(await watcher.changesOf(2)).toEqual(['9: 6 > 3']);
	list.set(1, 7);
	expect(await watcher.changes()).toEqual(['1: 3 > 7']);
});

describe('bookings that move between pages during the first scan', () => {
	it.each<[string, number, (list: BookingList) => void]>([
		['one is deleted', 3, (list) => list.delete(9)],
		['the last one comes first', 4, (list) => void (list.order = [1, 9, 8, 7, 6, 5, 4, 3, 2])],
	])('are no events: %s', async (_name, at, move) => {
		const list = listOf(9, 6, { says: 'nothing' });
		let requests = 0;
		list.beforeRequest = () => {
			if (++requests === at) move(list);
		};
		const watcher = new Watcher(list, settings({ pageSize: 3 }));
		expect(await watcher.changesOf(4)).toEqual([]);
		list.set(1, 3);
		expect(await watcher.changes()).toEqual(['1: 6 > 3']);
	});
});
