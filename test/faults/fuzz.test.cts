import '../support/shortPauses.cts';
import fc from 'fast-check';

import { bookedTwice, misreported, offencesOfRun, runToEnd } from './judge.cts';
import { action, PLACEMENTS } from './placements.cts';
import type { EndpointName, Strike } from './service.cts';
import {
	doneThen502,
	doneThenCut,
	doneThenReset,
	faultyServiceForTests,
	reset,
	respond,
} from './service.cts';

/** `npm run test:long` has 2,000. */
const RUNS = Number(process.env.FC_RUNS ?? 90);

/** Half an hour for each 1,000 runs: longer means that they never end. */
const TIMEOUT_MS = 60_000 + RUNS * 1_800;

const service = faultyServiceForTests(200);

const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.string({ maxLength: 20 }),
	fc.constantFrom('__proto__', 'constructor', '2026-02-30', '7001', ' ', '-0', '1e999', '\uD83D'),
);

const scalar = fc.oneof(
	text,
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, 0, -1, 7001, 2 ** 53),
);

/** Names that mean something to the node, and others. */
const key = fc.oneof(
	fc.constantFrom(
		...['results', 'data', 'items', 'bookings', 'count', 'next', 'previous', 'error', 'success'],
		...['bookingID', 'bookingStatus', 'farmerPhone', 'serviceDate', 'farmerName', 'clusterID'],
		...['TractorID', 'tractor_id', 'contract_id', 'services', 'id', 'name', 'distance', 'message'],
		...['detail', '__proto__', 'constructor', 'toString', 'status', 'errors', 'pagination', 'meta'],
	),
	text,
);

/** Any JSON, with a liking for what looks like an answer; `__proto__` is a name like any other, as `JSON.parse` has it. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
	json: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		scalar,
		fc.array(tie('json'), { maxLength: 4 }),
		fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map(Object.fromEntries<unknown>),
	),
}));

const status = fc.oneof(
	{ weight: 5, arbitrary: fc.constant(200) },
	{ weight: 2, arbitrary: fc.constantFrom(201, 204, 302, 400, 401, 404, 409, 429, 500, 502, 503) },
	{ weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
);

/** Ways in which a request is answered, by words that a failure can be repeated from. */
const REPLIES = {
	well: ({ socket, healthy }) => respond(socket, healthy()),
	reset,
	doneThenReset,
	doneThenCut,
	doneThen502,
} satisfies Record<string, Strike>;

/** One of these ways, or any JSON with any status. */
type Reply = keyof typeof REPLIES | { status: number; body: unknown };

const reply: fc.Arbitrary<Reply> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant('well' as const) },
	{ weight: 2, arbitrary: fc.record({ status, body: json }) },
	{
		weight: 3,
		arbitrary: fc.constantFrom('reset', 'doneThenReset', 'doneThenCut', 'doneThen502'),
	},
);

const findNearby = action('tractor:findNearby', () => true, 0, {
	fields: { latitude: '10.5', longitude: '7.4' },
});

const replies = fc.array(reply, { minLength: 1, maxLength: 8 });

it(
	'any sequence of answers gives a result or a clear message, and books no row twice',
	async () => {
		const property = fc.asyncProperty(
			fc.constantFrom(...PLACEMENTS),
			replies,
			async (placement, hows) => {
				const world = service.open();
				/** The endpoints that answered with something else than what is so. */
				const untrue = new Set<EndpointName>();
				const strike: Strike = (exchange) => {
					const how = hows[(exchange.strike - 1) % hows.length] ?? 'well';
					if (typeof how === 'string') return REPLIES[how](exchange);
					untrue.add(exchange.request.endpoint);
					respond(exchange.socket, how);
				};
				world.fault = { strike, strikes: () => true };
				const before = world.bookings.length;
				const outcome = await runToEnd(placement, { world });
				expect(offencesOfRun(world, outcome)).toEqual([]);
				expect(service.strayed()).toEqual([]);
				// No row is sent twice.
				const is429 = hows.some((how) => typeof how === 'object' && how.status === 429);
				if (!is429) expect(new Set(world.posts).size).toBe(world.posts.length);
				// A list that lacks existing bookings cannot show what is booked.
				if (untrue.has('bookings')) return;
				expect(bookedTwice(world)).toEqual([]);
				const { shown } = outcome;
				// If the node stops, its message says what was booked.
				if (!untrue.has('create') && shown.length > 0)
					expect(misreported(world.bookings.slice(before), shown)).toEqual([]);
			},
		);
		await fc.assert(property, {
			numRuns: RUNS,
			// Found by longer runs.
			examples: [
				[findNearby, [{ status: 200, body: { status: { toString: 0 }, '': [] } }]],
				[findNearby, [{ status: 200, body: [{ error: '' }] }]],
			],
		});
	},
	TIMEOUT_MS,
);
