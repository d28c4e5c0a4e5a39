import type { Fault, Sandbox, SandboxOptions, Settings } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import type { OperationName } from '../../support/action';
import { fieldOf, perform, stopOf } from '../../support/action';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual('../../support/shortPauses'),
);

type Envelope = Settings['bookingsEnvelope'];

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 130, contracts: 45, tractors: 60, maxPageSize: 20 });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

/** The bookings as the sandbox lists them: the newest first. */
const bookings = () => sandbox.store.bookings.ids('A').reverse();
const contracts = () => sandbox.store.contracts.map(({ contract_id: id }) => id);
const tractors = () => [...sandbox.store.tractors.keys()];

/** One of the three lists: how it is asked for, and what it holds. */
const lists = {
	bookings: { operation: 'booking:getAll', key: 'bookingID', all: bookings },
	contracts: { operation: 'contract:getAll', key: 'contract_id', all: contracts },
	tractors: { operation: 'catalogue:getAll', key: 'tractor_id', all: tractors },
} as const satisfies Record<string, { operation: OperationName; key: string; all: () => number[] }>;

type List = keyof typeof lists;

function use(settings: SandboxOptions): void {
	Object.assign(sandbox.settings, settings);
}

/** Reads a list; the ids of what came, and why the node stopped if it did. */
async function read(list: List, limit?: number, filters = {}) {
	const { operation, key } = lists[list];
	const parameters = limit === undefined ? { returnAll: true } : { returnAll: false, limit };
	const result = await perform(sandbox, operation, { ...parameters, filters });
	return {
		ids: fieldOf(result.items, key).map(Number),
		result,
		requests: sandbox.requests.count(list),
	};
}

/** A Return All that brings everything, once, in order. */
async function expectAll(list: List): Promise<void> {
	const { ids, result } = await read(list);
	expect(result.error).toBeUndefined();
	expect(ids).toEqual(lists[list].all());
}

/** A Return All that cannot know that it has everything, and says so instead of returning a part. */
async function expectRefusal(list: List): Promise<void> {
	const { ids, result } = await read(list);
	expect(ids).toEqual([]);
	expect(stopOf(result)).toMatchObject({
		message: expect.stringMatching(
			`The list of ${list} cannot be read to its end: after \\d+`,
		) as unknown,
		description: expect.stringContaining('no record is missing unnoticed') as unknown,
		itemIndex: 0,
	});
}

const ENVELOPES: Envelope[] = [
	'array',
	'documented',
	'data',
	'dataPagination',
	'dataEnvelope',
	'dataNext',
	'dataCursor',
];
const ENDINGS: Array<Settings['beyondEnd']> = ['empty', 'notFound', 'repeatLast', 'repeatFirst'];

/** Envelopes that promise more but do not say how much: with them a repeating service never comes to an end. */
const PROMISES_WITHOUT_COUNT: Envelope[] = ['dataNext', 'dataCursor'];

function isKnowable(envelope: Envelope, beyondEnd: Settings['beyondEnd']): boolean {
	return !PROMISES_WITHOUT_COUNT.includes(envelope) || !beyondEnd.startsWith('repeat');
}

describe.each(['bookings', 'contracts'] as const)('the list of %s', (list) => {
	const all = ENVELOPES.flatMap((envelope) =>
		ENDINGS.flatMap((beyondEnd) =>
			([1, 0] as const).map((firstPage) => ({ envelope, beyondEnd, firstPage })),
		),
	);
	// Both lists are read by the same code; of the second one, a third is tried: each envelope, ending and first page.
	const shapes = list === 'bookings' ? all : all.filter((_, at) => at % 3 === 0);

	it.each(shapes)(
		'as $envelope, with $beyondEnd beyond its end and pages from $firstPage',
		async ({ envelope, beyondEnd, firstPage }) => {
			use({ [`${list}Envelope`]: envelope, beyondEnd, firstPage });
			await (isKnowable(envelope, beyondEnd) ? expectAll(list) : expectRefusal(list));
			// One request a page, and a few to find the end and the beginning.
			const pages = Math.ceil(lists[list].all().length / 20);
			expect(sandbox.requests.count(list)).toBeLessThanOrEqual(pages + 3);
		},
	);

	it.each(ENVELOPES)('as %s that is empty', async (envelope) => {
		const empty = await startSandbox({ bookings: 0, contracts: 0, [`${list}Envelope`]: envelope });
		const { items, error } = await perform(empty, lists[list].operation, { returnAll: true });
		await empty.close();
		expect({ items, error }).toEqual({ items: [], error: undefined });
	});

	it.each(['array', 'documented'] as const)('as %s with one page, numbered 0', async (envelope) => {
		use({ [`${list}Envelope`]: envelope, beyondEnd: 'notFound', firstPage: 0, maxPageSize: 500 });
		await expectAll(list);
	});
});

describe('an empty page of a list that says twice that it has more', () => {
	const body = { count: 130, next: '/more', previous: '/less', results: [] };
	const fault: Fault = { kind: 'status', status: 200, body };
	const match = { path: /\/booking\/4\// };

	it('is not taken for the end', async () => {
		sandbox.faults.add({ match, fault });
		await expectRefusal('bookings');
	});

	it('once only, loses nothing', async () => {
		sandbox.faults.add({ match, times: 1, fault });
		await expectAll('bookings');
	});
});

describe('page 0', () => {
	const match = { path: '/booking-services/partner/booking/0/' };
	const failing = (status: number): Fault => ({ kind: 'status', status });

	it('at which the service always stumbles is asked for twice, without a pause', async () => {
		use({ bookingsEnvelope: 'array' });
		const zero = sandbox.faults.add({ match, fault: failing(500) });
		await expectAll('bookings');
		expect(zero.hits).toBe(2);
	});

	it('that cannot be given for now fails the list, which may begin there', async () => {
		use({ bookingsEnvelope: 'array' });
		sandbox.faults.add({ match, fault: failing(503) });
		const { ids, result } = await read('bookings');
		expect(ids).toEqual([]);
		expect(stopOf(result).message).toContain('503');
	});

	it.each([
		['array', 500],
		['array', 503],
		['documented', 500],
		['documented', 503],
	] as const)(
		'that exists is not hidden by a glitch, as %s, status %i',
		async (envelope, status) => {
			use({ bookingsEnvelope: envelope, firstPage: 0 });
			sandbox.faults.add({ match, times: 1, fault: failing(status) });
			await expectAll('bookings');
		},
	);
});

describe('the catalogue', () => {
	type Paging = Settings['cataloguePaging'];

	/** Envelopes that say how to get the next page. */
	const TELLS_HOW: Record<Paging, Envelope[]> = {
		page: ENVELOPES,
		offset: ENVELOPES,
		cursor: ['documented', 'dataEnvelope', 'dataNext', 'dataCursor'],
		limitOnly: ENVELOPES,
		none: [],
	};
	const shapes = (['page', 'offset', 'cursor', 'limitOnly'] as const).flatMap((cataloguePaging) =>
		TELLS_HOW[cataloguePaging].flatMap((catalogueEnvelope) =>
			// All that there is in one page: whatever comes behind it is the same.
			(cataloguePaging === 'limitOnly' ? ENDINGS.slice(0, 2) : ENDINGS).flatMap((beyondEnd) =>
				(cataloguePaging === 'page' ? ([1, 0] as const) : ([1] as const)).map((firstPage) => ({
					cataloguePaging,
					catalogueEnvelope,
					beyondEnd,
					firstPage,
				})),
			),
		),
	);

	it.each(shapes)(
		'paged by $cataloguePaging, as $catalogueEnvelope, with $beyondEnd beyond its end, from page $firstPage',
		async (shape) => {
			const maxPageSize = shape.cataloguePaging === 'limitOnly' ? 1_000 : 25;
			use({ ...shape, maxPageSize });
			const knowable = isKnowable(shape.catalogueEnvelope, shape.beyondEnd);
			await (knowable ? expectAll('tractors') : expectRefusal('tractors'));
			expect(sandbox.requests.count('tractors')).toBeLessThanOrEqual(8);
		},
	);

	it.each(['documented', 'dataPagination', 'dataEnvelope', 'dataNext', 'dataCursor'] as const)(
		'that has more, as %s, but gives only its first page is refused',
		async (catalogueEnvelope) => {
			use({ cataloguePaging: 'none', catalogueEnvelope });
			await expectRefusal('tractors');
		},
	);

	describe('of which one page is all that ever comes, without a word on more,', () => {
		/** @param refuses the first request that gets the status instead of the page */
		const giveOnly = (catalogueDefaultPageSize: number, refuses?: number, status = 400) => {
			use({ cataloguePaging: 'none', catalogueEnvelope: 'data', catalogueDefaultPageSize });
			if (refuses === undefined) return;
			const fault = { kind: 'status', status } as const;
			sandbox.faults.add({ match: { endpoint: 'tractors' }, skip: refuses - 1, fault });
		};

		it.each([
			[10, undefined],
			[20, undefined],
			[25, undefined],
			[50, undefined],
			[25, 2],
		])('may have more if it has %i tractors, and is refused', async (length, refuses) => {
			giveOnly(length, refuses);
			const { result } = await read('tractors');
			expect(stopOf(result)).toMatchObject({
				message: `The catalogue cannot be read to its end: the service sent ${length} tractors, which may be one page of several, and does not show how to get more`,
				description: expect.stringContaining(`set Limit to ${length} instead`) as unknown,
			});
			sandbox.faults.clear();
			const limited = await read('tractors', length);
			expect(limited.ids).toEqual(tractors().slice(0, length));
		});

		it('may have more if it has as many as were asked for', async () => {
			giveOnly(33);
			const options = { options: { pageSize: 33 } };
			const result = await perform(sandbox, 'catalogue:getAll', { returnAll: true, ...options });
			expect(stopOf(result).message).toContain('the service sent 33 tractors');
		});

		it.each([
			[7, undefined],
			[24, undefined],
			[40, undefined],
			// To the question for page 1 came the first page, to that for page 2 there is none.
			[25, 3],
		])('is whole with %i tractors', async (length, refuses) => {
			giveOnly(length, refuses, 404);
			const { ids, result } = await read('tractors');
			expect(result.error).toBeUndefined();
			expect(ids).toEqual(tractors().slice(0, length));
		});
	});

	it('whose service refuses the wished page size is asked without one', async () => {
		const refusal = { kind: 'status', status: 400, body: { error: 'limit is too large' } } as const;
		sandbox.faults.add({ match: { endpoint: 'tractors' }, times: 1, fault: refusal });
		await expectAll('tractors');
		expect(sandbox.requests.find({ endpoint: 'tractors' })[1]?.query).toEqual({});
	});
});

describe('a list that a service writes in another way', () => {
	const all = [{ bookingID: 3 }, { bookingID: 2 }, { bookingID: 1 }];

	/** Answers with three bookings, one a page, and then in some other way. */
	async function readFrom(wrap: (items: object[]) => unknown, end?: Fault) {
		const pageOf = (page: number) => `/booking-services/partner/booking/${page}/100`;
		const ended = end ?? { kind: 'status', status: 200, body: wrap([]) };
		sandbox.faults.add({ match: { path: pageOf(0) }, fault: { kind: 'status', status: 404 } });
		for (const [index, item] of all.entries()) {
			const fault: Fault = { kind: 'status', status: 200, body: wrap([item]) };
			sandbox.faults.add({ match: { path: pageOf(index + 1) }, fault });
		}
		sandbox.faults.add({ match: { endpoint: 'bookings' }, fault: ended });
		return await read('bookings');
	}

	const keys = ['result', 'rows', 'list', 'payload', 'response'];

	it.each(keys)('under "%s" is read', async (key) => {
		const { ids, result } = await readFrom((items) => ({ ok: true, [key]: items }));
		expect(result.error).toBeUndefined();
		expect(ids).toEqual([3, 2, 1]);
	});

	it.each<[string, Fault]>([
		['null', { kind: 'status', status: 200, body: 'null' }],
		['data that is null', { kind: 'status', status: 200, body: { data: null } }],
		['results that are null', { kind: 'status', status: 200, body: { results: null, next: null } }],
		['no content', { kind: 'empty', status: 204 }],
		['status 422', { kind: 'status', status: 422, body: { detail: 'no such page' } }],
		['status 416', { kind: 'status', status: 416, body: { detail: 'no such page' } }],
	])('ends with %s', async (_what, end) => {
		const { ids, result } = await readFrom((items) => ({ data: items }), end);
		expect(result.error).toBeUndefined();
		expect(ids).toEqual([3, 2, 1]);
	});
});

describe('a limit', () => {
	it.each([
		{ list: 'bookings', limit: 7, maxPageSize: 100, most: 1 },
		{ list: 'bookings', limit: 20, maxPageSize: 20, most: 1 },
		{ list: 'bookings', limit: 45, maxPageSize: 20, most: 3 },
		{ list: 'bookings', limit: 1_000, maxPageSize: 100, most: 2 },
		{ list: 'contracts', limit: 1, maxPageSize: 100, most: 1 },
		{ list: 'contracts', limit: 44, maxPageSize: 10, most: 5 },
		{ list: 'tractors', limit: 25, maxPageSize: 100, most: 1 },
		{ list: 'tractors', limit: 50, maxPageSize: 25, most: 3 },
	] as const)(
		'of $limit $list, at most $maxPageSize a page, takes $most requests',
		async (given) => {
			use({ maxPageSize: given.maxPageSize });
			const { ids, requests } = await read(given.list, given.limit);
			expect(ids).toEqual(lists[given.list].all().slice(0, given.limit));
			expect(requests).toBeLessThanOrEqual(given.most);
		},
	);

	it.each(ENVELOPES)(
		'takes the first records also where pages count from 0, as %s',
		async (envelope) => {
			use({ bookingsEnvelope: envelope, firstPage: 0 });
			expect((await read('bookings', 5)).ids).toEqual(bookings().slice(0, 5));
		},
	);

	it('counts wanted records only', async () => {
		for (const id of bookings().slice(-3)) sandbox.store.advance(id, 42);
		const { ids } = await read('bookings', 2, { status: [42] });
		expect(ids).toEqual(bookings().slice(-3, -1));
	});

	it('stops a list that never ends', async () => {
		use({ bookingsEnvelope: 'array', beyondEnd: 'neverEnds' });
		const { ids, requests } = await read('bookings', 150);
		expect(ids).toHaveLength(150);
		expect(requests).toBeLessThanOrEqual(9);
	});

	it.each(['many', -3, 0, 2.5])('of %p is refused', async (limit) => {
		const { error, items } = await perform(sandbox, 'booking:getAll', {
			limit: `={{ ${JSON.stringify(limit)} }}`,
		});
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^Limit: .* is not a whole number above zero/);
		expect(sandbox.requests.count('bookings')).toBe(0);
	});
});

describe('a count', () => {
	it.each([
		['is too high', 5_000],
		['is zero', 0],
		['is one too low', 129],
	])('that %s does not matter', async (_what, reportedCount) => {
		use({ reportedCount });
		await expectAll('bookings');
	});

	it('of the records on each page does not matter', async () => {
		use({ reportedCount: 5, maxPageSize: 5 });
		await expectAll('bookings');
	});

	it('of the records on each page does not matter where nothing else tells that there is more', async () => {
		use({ reportedCount: 5, maxPageSize: 5, bookingsEnvelope: 'dataPagination' });
		await expectAll('bookings');
		sandbox.reset();
		use({ reportedCount: 20, catalogueEnvelope: 'dataPagination' });
		await expectAll('tractors');
	});

	it('that is too high, from a service that knows no further page, is not believed to be met', async () => {
		use({ reportedCount: 200, bookingsEnvelope: 'dataPagination', beyondEnd: 'notFound' });
		await expectRefusal('bookings');
	});
});

describe('a list that changes while it is read', () => {
	/** Lets something happen before the page at an offset is served, once. */
	function meanwhile(offset: number, happen: () => void): void {
		let done = false;
		sandbox.hooks.beforeListPage = (event) => {
			if (done || event.offset !== offset) return;
			done = true;
			happen();
		};
	}

	it.each(ENVELOPES)('by new bookings in front, as %s, gives each once', async (envelope) => {
		use({ bookingsEnvelope: envelope });
		const before = bookings();
		meanwhile(40, () => sandbox.store.addBookings(3));
		const { ids } = await read('bookings');
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(before));
	});

	it.each(['documented', 'dataPagination', 'dataEnvelope'] as const)(
		'by deletions, as %s, misses none of the others',
		async (envelope) => {
			use({ bookingsEnvelope: envelope });
			const [first = 0, second = 0] = bookings();
			const kept = bookings().slice(2);
			meanwhile(20, () => [first, second].forEach((id) => sandbox.store.bookings.delete(id)));
			expect((await read('bookings')).ids).toEqual(expect.arrayContaining(kept));
		},
	);

	it.each(ENVELOPES)('by updates, ordered by them, as %s, misses none', async (envelope) => {
		use({ bookingsEnvelope: envelope, bookingsOrder: 'updated' });
		const last = sandbox.store.bookings.page('A', 'updated', 129, 1)[0]?.bookingID ?? 0;
		meanwhile(60, () => sandbox.store.advance(last, 7));
		const { ids } = await read('bookings');
		expect([...ids].sort()).toEqual(bookings().sort());
	});

	it('without ever standing still is refused rather than cut short', async () => {
		use({ bookingsOrder: 'random' });
		// So many that not even luck brings all of them.
		sandbox.store.addBookings(600);
		const { result } = await read('bookings');
		expect(stopOf(result).message).toMatch(
			/cannot be read to its end: after \d+ of 730, it kept changing/,
		);
	});
});

describe('requests for pages', () => {
	it('several are under way at once, where the service says how many there are', async () => {
		use({ latencyMs: 20 });
		await expectAll('bookings');
		expect(sandbox.requests.peakInFlight).toBeGreaterThan(3);
		expect(sandbox.requests.peakInFlight).toBeLessThanOrEqual(8);
	});

	it('items that ask for the same list share them', async () => {
		const { items } = await perform(
			sandbox,
			'contract:getAll',
			{ returnAll: true },
			{ rows: [{}, {}] },
		);
		expect(fieldOf(items, 'contract_id')).toEqual([...contracts(), ...contracts()]);
		expect(sandbox.requests.count('contracts')).toBe(3);
	});

	it('that fail in the middle fail the whole, or are tried again', async () => {
		const broken = { kind: 'status', status: 403 } as const;
		sandbox.faults.add({ match: { path: /\/booking\/3\// }, fault: broken });
		const { result, ids } = await read('bookings');
		expect(ids).toEqual([]);
		expect(stopOf(result)).toMatchObject({ httpCode: '403', itemIndex: 0 });
	});
});
