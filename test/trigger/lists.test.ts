import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { before } from '../../nodes/TractorBooking/trigger/poll';
import type { ListStyle } from './bookingList';
import { BookingList, listOf } from './bookingList';
import { published, Watcher } from './polling';

const error = (kind: ServiceError['kind'], status?: number) =>
	new ServiceError(kind, `The request failed (${kind})`, { status });
const SERVER = error('server', 500);
const BROKEN = error('interrupted');
const MISSING = error('notFound', 404);
const LIMITED = error('rateLimited', 429);

/** On the day of the first scan, so that the date does not say whether a booking is new. */
const TODAY = '2026-02-01T08:00:00Z';
const OLD = '2026-01-15T08:00:00Z';

type Response = ReturnType<BookingList['fault']>;

const EMPTY = { records: [] };

interface Situation {
	/** Number of bookings. */
	count?: number;
	order?: 'newest' | 'oldest';
	/** Requests that a poll may make. */
	requests?: number;
	/** Polls before the bookings change, and within which all changes must come out. */
	before?: number;
	within?: number;
	/** What goes wrong. */
	fault?: (page: number, poll: number, isThere: boolean) => Response;
}

/** Changes the first and the last booking of a list and adds one: each must be emitted once, and nothing else. */
async function expectEachOnce(style: ListStyle, situation: Situation): Promise<void> {
	const { count = 9, order = 'newest', requests, before = 6, within = 8 } = situation;
	const list = listOf(count, 6, { says: 'nothing', made: TODAY, ...style }, order);
	const watcher = new Watcher(list, { pageSize: 3 });
	let polls = 0;
	list.fault = (page, found) => situation.fault?.(page, polls, !!found?.records.length);
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

const nameOf = (wrong: ServiceError | typeof EMPTY | 'absent') =>
	wrong instanceof ServiceError ? wrong.kind : wrong === 'absent' ? wrong : 'empty';

/** One page is wrong: in all polls, or in the first ones. */
const wrongAt =
	(wrongPage: number, response: Response, polls = Infinity): Situation['fault'] =>
	(page, poll) =>
		page === wrongPage && poll <= polls ? response : undefined;

const wrongAfterEnd =
	(response: ServiceError): Situation['fault'] =>
	(page, _poll, isThere) =>
		page > 0 && !isThere ? response : undefined;

const FIRST = [0, 1] as const;
const SAYS = ['nothing', 'more', 'count'] as const;
const ORDERS = ['newest', 'oldest'] as const;
const NO_PAGE = [SERVER, error('unreadable'), error('notJson', 200), error('notAllowed', 403)];

/** What a list may be like, and what may go wrong. */
const row = (what: string, style: ListStyle, situation: Situation = {}) =>
	[what, style, situation] as const;

describe('each change is emitted once, and nothing else', () => {
	it.each([
		...SAYS.flatMap((says) =>
			FIRST.flatMap((first) =>
				ORDERS.map((order) =>
					row(
						`it says ${says}, from page ${first}, the ${order} first`,
						{ says, first },
						{ order },
					),
				),
			),
		),
		...SAYS.slice(1).flatMap((says) =>
			FIRST.flatMap((first) =>
				[4, 60].map((count) =>
					row(
						`${count} bookings from page ${first}, previous is always null, it says ${says}`,
						{ says, first, previous: 'null' },
						{ count },
					),
				),
			),
		),
		row(
			'pages count from 0, previous is always null, and a page is cut to two records',
			{ says: 'count', first: 0, previous: 'null', cap: 2 },
			{ count: 7 },
		),
		...[2, 9, 10, 45].flatMap((count) =>
			NO_PAGE.map((failure) =>
				row(
					`every page after the last of ${count} bookings fails (${failure.kind})`,
					{},
					{ count, before: 16, fault: wrongAfterEnd(failure) },
				),
			),
		),
		...[SERVER, BROKEN, error('unreadable'), MISSING].map((failure) =>
			row(`there is no page 0, which fails (${failure.kind})`, {}, { fault: wrongAt(0, failure) }),
		),
		...[400, 404, 422].map((status) =>
			row(
				`all is on page 0, and page 1 answers ${status}`,
				{ first: 0 },
				{ count: 2, fault: wrongAfterEnd(error('status', status)) },
			),
		),
		...[SERVER, error('notAllowed', 401), error('notJson', 200), EMPTY].flatMap((wrong) =>
			(['missing', 'null'] as const).map((previous) =>
				row(
					`page 0 cannot be read in two polls (${nameOf(wrong)}, previous is ${previous})`,
					{ says: previous === 'null' ? 'count' : 'nothing', first: 0, previous, made: OLD },
					{ count: 60, before: 12, fault: wrongAt(0, wrong, 2) },
				),
			),
		),
		...[SERVER, error('notAllowed', 401)].map((wrong) =>
			row(
				`page 0, which page 1 promises, cannot be read in three polls (${wrong.kind})`,
				{ says: 'count', first: 0, previous: 'true' },
				{ fault: wrongAt(0, wrong, 3) },
			),
		),
		...([EMPTY, 'absent', SERVER] as const).map((wrong) =>
			row(
				`a page that was promised cannot be read at first (${nameOf(wrong)})`,
				{ says: 'more' },
				{ fault: wrongAt(3, wrong, 1) },
			),
		),
		row(
			'a page that was promised cannot be read in nine polls',
			{ says: 'more' },
			{ before: 11, fault: wrongAt(3, SERVER, 9) },
		),
		...FIRST.map((first) =>
			row(
				`page 1 fails in every second poll, and pages count from ${first}`,
				{ first },
				{ fault: (page, poll) => (page === 1 && poll % 2 === 0 ? SERVER : undefined) },
			),
		),
		row('a page is cut to two records', { cap: 2 }),
		row('a cut page leaves gaps', { cap: 2, capLeavesGaps: true }),
		row('a page after the last is absent', { beyondEnd: 'absent' }),
		row('a page after the last repeats it', { beyondEnd: 'again' }),
		...[0, 7, 10_000].map((count) => row(`it counts ${count}`, { says: 'count', count })),
		...SAYS.map((says) =>
			row(
				`a poll makes as few requests as it can, and the list says ${says}`,
				{ says },
				{ requests: 1, before: 20, within: 20 },
			),
		),
		row('page 2 fails at first', {}, { before: 9, fault: wrongAt(2, SERVER, 5) }),
		row(
			'all pages but the first fail at first',
			{},
			{ before: 9, fault: (page, poll) => (page > 1 && poll < 6 ? BROKEN : undefined) },
		),
		row(
			'the list is gone after the first poll, for two polls',
			{},
			{
				fault: (page, poll) =>
					poll === 2 || poll === 3 ? (page === 1 ? MISSING : EMPTY) : undefined,
			},
		),
		row(
			'a poll reaches the rate limit in the middle of pages that fail',
			{},
			{
				fault: (page, poll) =>
					poll === 2 && page === 3 ? LIMITED : page === 2 && poll < 6 ? SERVER : undefined,
			},
		),
	])('%s', async (_what, style, situation) => await expectEachOnce(style, situation));

	it('a service gives page 1 for page 0, too, while a booking is made', async () => {
		const list = listOf(9, 6, { says: 'nothing' });
		list.fault = (page) => {
			if (page !== 0) return undefined;
			list.set(10, 6);
			return list.pageAt(0, 3);
		};
		const watcher = new Watcher(list, { pageSize: 3 });
		expect(await watcher.changesOf(3)).toEqual([]);
		list.set(1, 3);
		expect(await watcher.changes()).toEqual(['1: 6 > 3']);
	});

	it.each([undefined, MISSING])('the list is empty at first (page 1: %p)', async (outside) => {
		for (const first of [0, 1] as const) {
			const list = new BookingList({ says: 'nothing', first });
			list.fault = (page, found) => (page > first && !found?.records.length ? outside : undefined);
			const watcher = new Watcher(list, { pageSize: 3 });
			const poll = async () => await watcher.changes().catch(() => []);
			for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
			list.set(1, 6);
			expect([...(await poll()), ...(await poll())]).toEqual(['1: null > 6']);
			for (let key = 2; key < 8; key++) list.set(key, 6);
			expect(await poll()).toHaveLength(6);
		}
	});
});

it.each<[string, ListStyle, Response]>([
	['count from 0', { first: 0 }, undefined],
	['count from 0, which page 1 denies', { first: 0, previous: 'null' }, undefined],
	['count from 1, while page 0 is down', { previous: 'true' }, error('server', 503)],
	['count from 1, while page 0 is unreadable', { previous: 'true' }, error('unreadable')],
])('reads pages that are cut to a quarter, leave gaps, and %s', async (_name, style, pageZero) => {
	const list = listOf(150, 6, { cap: 25, capLeavesGaps: true, ...style });
	list.fault = (page) => (page === 0 ? pageZero : undefined);
	const watcher = await published(list);
	for (const key of list.order) list.set(key, 3);
	expect(await watcher.changes()).toHaveLength(150);
});

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
		const watcher = await published(list, { pageSize: 1 });
		hide(list);
		for (let polls = 0; polls < 100; polls++) await watcher.poll().catch(() => []);
		list.fault = () => undefined;
		for (const key of [3, 2, 1]) list.set(key, key === 2 ? 7 : 6);
		expect(await watcher.changesOf(3)).toEqual(['2: 6 > 7']);
	});
});

describe('a page that fails', () => {
	it.each(['nothing', 'more', 'count'] as const)(
		'is left out with one warning, and read later (the list says %s)',
		async (says) => {
			const list = listOf(9, 6, { says });
			const watcher = await published(list, { pageSize: 3 });
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
		const watcher = new Watcher(list, { pageSize: 3 });
		for (let polls = 0; polls < 20; polls++) {
			expect(await watcher.poll()).toEqual([]);
			expect(watcher.warnings).toEqual([]);
		}
	});

	it('keeps no first scan from ending, if one request in fifty fails', async () => {
		const list = listOf(3_000);
		list.fault = () => (list.requests % 53 === 0 ? BROKEN : undefined);
		const watcher = new Watcher(list, { pageSize: 10 });
		await watcher.changesOf(14, 500);
		list.set(3_000, 3);
		expect(await watcher.changesOf(14, 500)).toContain('3000: 6 > 3');
	});

	it('fails the poll if nothing else can be read, however far the round is', async () => {
		const list = listOf(9);
		const watcher = new Watcher(list, { pageSize: 3 });
		list.fault = (page) => (page === 3 ? SERVER : undefined);
		expect(await watcher.poll()).toEqual([]);
		list.fault = () => SERVER;
		for (let polls = 0; polls < 4; polls++) await expect(watcher.poll()).rejects.toBe(SERVER);
	});
});

describe.each([error('unreachable'), LIMITED])('a poll that ends early ($kind)', (end) => {
	it('emits what it has, with a warning, and the next one goes on', async () => {
		const list = listOf(9);
		const watcher = await published(list, { pageSize: 3 });
		for (const key of [9, 1]) list.set(key, 3);
		list.fault = (page) => (page > 1 ? end : undefined);
		const { requests } = list;
		expect(await watcher.changes()).toEqual(['9: 6 > 3']);
		// The pages 1, 0 and 2, and none after that.
		expect(list.requests).toBe(requests + 3);
		expect(watcher.warnings).toEqual([expect.stringContaining(end.message)]);
		list.fault = () => undefined;
		expect(await watcher.changes()).toEqual(['1: 6 > 3']);
	});

	it('fails if it has nothing; in a first scan, a rate limit does not', async () => {
		const list = listOf(9);
		const watcher = new Watcher(list, { pageSize: 3 });
		list.fault = () => end;
		if (end === LIMITED) expect(await watcher.poll()).toEqual([]);
		else await expect(watcher.poll()).rejects.toBe(end);
		list.fault = () => undefined;
		await watcher.poll();
		list.fault = () => end;
		await expect(watcher.poll()).rejects.toBe(end);
	});
});

it('reads on after pages whose records have no ID', async () => {
	const list = listOf(18);
	list.fault = (page, found) =>
		found && (page === 2 || page === 4)
			? { ...found, records: found.records.map((one) => ({ ...one, bookingID: '', page })) }
			: undefined;
	const watcher = await published(list, { pageSize: 3 });
	list.set(1, 3);
	expect(await watcher.changes()).toEqual(['1: 6 > 3']);
});

it('notes what a booking shows when a first scan of several polls comes to it', async () => {
	const list = listOf(9);
	const watcher = new Watcher(list, { pageSize: 3 });
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
		const watcher = new Watcher(list, { pageSize: 3 });
		expect(await watcher.changesOf(4)).toEqual([]);
		list.set(1, 3);
		expect(await watcher.changes()).toEqual(['1: 6 > 3']);
	});
});

it('gives up a request at the deadline of the poll, and emits what it has', async () => {
	const list = listOf(4);
	const watcher = await published(list, { pageSize: 2 });
	for (const key of [1, 4]) list.set(key, 3);
	const { requests } = list;
	list.beforeRequest = async () => {
		const never = async () => await new Promise<void>(() => undefined);
		if (list.requests === requests + 3) await before(Date.now() + 100, never);
	};
	expect(await watcher.changes()).toEqual(['4: 6 > 3']);
	expect(await watcher.changesOf(2)).toEqual(['1: 6 > 3']);
});
