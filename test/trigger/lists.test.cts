import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { BookingList, listOf, type ListStyle } from './bookingList.cts';
import { published, Watcher } from './polling.cts';

const error = (kind: ServiceError['kind'], status?: number) =>
	new ServiceError(kind, `The request failed (${kind})`, { status });
const SERVER = error('server', 500);
const BROKEN = error('interrupted');
const MISSING = error('notFound', 404);
const LIMITED = error('rateLimited', 429);

/** On the day of the first scan, so that the date does not say whether a booking is new. */
const TODAY = '2026-02-01T08:00:00Z';
const OLD = '2026-01-15T08:00:00Z';

const EMPTY = { records: [] };

/** What comes in the place of a page, in a poll; undefined if the page does. */
type Fault = (page: number, poll: number, isThere: boolean) => ReturnType<BookingList['fault']>;

const wrongAt =
	(wrongPage: number, response: ReturnType<Fault>, polls = Infinity): Fault =>
	(page, poll) =>
		page === wrongPage && poll <= polls ? response : undefined;

const wrongAfterEnd =
	(response: ServiceError): Fault =>
	(page, _poll, isThere) =>
		page > 0 && !isThere ? response : undefined;

const withoutIds: Fault = (page) =>
	page === 2 || page === 4 ? { records: [{ bookingStatus: 6, page }] } : undefined;
const limited: Fault = (page, poll) => {
	if (poll === 2 && page === 3) return LIMITED;
	return page === 2 && poll < 6 ? SERVER : undefined;
};

const failures = [SERVER, error('unreadable'), error('notJson', 200), error('notAllowed', 403)];
const counted = { says: 'count', first: 0 } as const;

// The random histories have more lists, of every style, but fewer faults.
it.each<[what: string, style: ListStyle, fault?: Fault, count?: number, requests?: number]>([
	...failures.map((wrong): [string, ListStyle, Fault] => [
		`every page after the last fails (${wrong.kind})`,
		{},
		wrongAfterEnd(wrong),
	]),
	...[...failures, BROKEN, MISSING].map((wrong): [string, ListStyle, Fault] => [
		`there is no page 0, which fails (${wrong.kind})`,
		{},
		wrongAt(0, wrong),
	]),
	['page 0 fails in one poll', { first: 0 }, wrongAt(0, SERVER, 1), 60],
	['page 0 fails in two polls', { first: 0, made: OLD }, wrongAt(0, SERVER, 2), 60],
	['page 0 is empty in two polls', { ...counted, made: OLD }, wrongAt(0, EMPTY, 2), 60],
	['page 0 fails in three polls, and is counted', counted, wrongAt(0, SERVER, 3)],
	['all is on page 0, and page 1 fails', { first: 0 }, wrongAfterEnd(SERVER), 2],
	['a promised page fails in nine polls', { says: 'more' }, wrongAt(3, SERVER, 9)],
	['a counted page fails in two polls, and next is null', { says: 'null' }, wrongAt(3, SERVER, 2)],
	['a poll makes as few requests as it can', {}, undefined, 9, 1],
	['it does so, and there is no page 0, which fails in all polls', {}, wrongAt(0, SERVER), 9, 1],
	['the records of two pages have no ID', { made: OLD }, withoutIds, 18],
	['a poll reaches the rate limit in the middle of pages that fail', {}, limited],
])(
	'each change is emitted once, and nothing else, if %s',
	async (_what, style, fault, count = 9, requests = Infinity) => {
		const list = listOf(count, 6, { says: 'nothing', made: TODAY, ...style });
		const watcher = new Watcher(list, { pageSize: 3 });
		let polls = 0;
		list.fault = (page, found) => fault?.(page, polls, !!found?.records.length);
		const poll = async () => {
			polls += 1;
			watcher.nowMs += 30_000;
			// Polls in which nothing can be read fail.
			return await watcher.changes(requests).catch((thrown: unknown) => {
				expect(thrown).toBeInstanceOf(ServiceError);
				return [];
			});
		};
		while (polls < 20) expect(await poll()).toEqual([]);
		for (const key of [1, count]) list.set(key, 3);
		list.set(count + 1, 0);
		const events: string[] = [];
		while (polls < 40) events.push(...(await poll()));
		const expected = ['1: 6 > 3', `${count}: 6 > 3`, `${count + 1}: null > 0`];
		expect(events.sort()).toEqual(expected.sort());
		expect(list.requests).toBeLessThan(1_000);
	},
);

it('a page that fails is left out with one warning, and its open bookings are read by their IDs', async () => {
	const list = listOf(9);
	const watcher = await published(list, { pageSize: 3 });
	list.fault = (page) => (page === 2 ? SERVER : undefined);
	const warnings: string[] = [];
	for (const to of [7, 3]) {
		for (const key of [9, 6, 1]) list.set(key, to);
		expect((await watcher.poll()).map(({ bookingID }) => bookingID)).toEqual([9, 1, 6]);
		warnings.push(...watcher.warnings);
	}
	expect(warnings).toEqual([expect.stringContaining('page 2')]);
});

it('a first page that fails in every poll hides no other page', async () => {
	const list = listOf(9);
	const watcher = await published(list, { pageSize: 3 });
	list.fault = (page) => (page === 1 ? SERVER : undefined);
	list.set(1, 3);
	expect(await watcher.changes()).toEqual(['1: 6 > 3']);
});

it('bookings that are counted and not listed are warned of', async () => {
	const list = listOf(9, 6, { says: 'count', count: 12 });
	const watcher = await published(list, { pageSize: 3 });
	expect(watcher.warnings).toEqual([expect.stringMatching(/^The service counts 3 more bookings/)]);
});

it('a booking that completes during the first scan is told only if the scan had read it before', async () => {
	const list = listOf(9);
	const watcher = new Watcher(list, { pageSize: 3 });
	// Within its only poll, once a page 0, which there is not, was asked for twice, and page 1 was read.
	list.beforeRequest = () => {
		if (list.requests === 4) for (const key of [9, 1]) list.set(key, 3);
	};
	expect(await watcher.changes()).toEqual([]);
	expect(await watcher.changes()).toEqual(['9: 6 > 3']);
});

it('a page that fails ends the poll if nothing else can be read, however far the round is', async () => {
	const list = listOf(9);
	const watcher = new Watcher(list, { pageSize: 3 });
	list.fault = (page) => (page === 3 ? SERVER : undefined);
	expect(await watcher.poll()).toEqual([]);
	list.fault = () => SERVER;
	list.failure = (key) => void expect(key).toBeUndefined();
	for (let polls = 0; polls < 4; polls++) await expect(watcher.poll()).rejects.toBe(SERVER);
});

const ENDS = [error('unreachable'), error('cancelled'), LIMITED];

it.each(ENDS)('a poll that ends early emits what it has ($kind)', async (end) => {
	const list = listOf(9);
	const watcher = await published(list, { pageSize: 3 });
	for (const key of [9, 1]) list.set(key, 3);
	list.fault = (page) => (page > 1 ? end : undefined);
	const { requests } = list;
	expect(await watcher.changes()).toEqual(['9: 6 > 3']);
	// The pages 1 and 2, and none after that.
	expect(list.requests).toBe(requests + 2);
	expect(watcher.warnings).toEqual([expect.stringContaining(end.message)]);
	list.fault = () => undefined;
	expect(await watcher.changes()).toEqual(['1: 6 > 3']);
});
