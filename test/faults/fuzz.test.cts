import '../support/shortPauses.cts';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { farmers, fromFarmers, sheetRows } from '../support/bookings.cts';
import { bookedTwice, misreported, offencesOfRun, runToEnd } from './judge.cts';
import { action, PLACEMENTS, type Placement } from './placements.cts';
import type { EndpointName, Strike, World } from './service.cts';
import {
	doneThen502,
	doneThenCut,
	doneThenReset,
	faultyServiceForTests,
	reset,
	respond,
} from './service.cts';

/** Runs of each of the two properties; `npm run test:long` has 2,000 in all. */
const RUNS = Math.ceil(Number(process.env.FC_RUNS ?? 90) / 2);

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

/** Every text in a value, as it is. */
function textsIn(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	return Object.entries(value)
		.map(([name, inner]) => `${name} ${textsIn(inner)}`)
		.join(' ');
}

/**
 * Runs a placement against a service that strikes at each request, and fails if a rule is broken.
 *
 * @param given what a person typed, which a message may quote
 * @param untrue the endpoints that answered with something else than what is so
 */
async function check(
	placement: Pick<Placement, 'run'>,
	{ strike, given }: { strike?: Strike; given?: string },
	untrue: ReadonlySet<EndpointName> = new Set(),
): Promise<{ world: World; made: IDataObject[]; shown: unknown[] }> {
	const world = service.open();
	if (strike) world.fault = { strike, strikes: () => true };
	const before = world.bookings.length;
	const outcome = await runToEnd(placement, { world });
	expect(offencesOfRun(world, outcome, given)).toEqual([]);
	expect(service.strayed()).toEqual([]);
	const { shown } = outcome;
	const made = world.bookings.slice(before);
	// A list that lacks existing bookings cannot show what is booked.
	if (!untrue.has('bookings')) {
		if (strike) expect(bookedTwice(world)).toEqual([]);
		// If the node stops, its message says what was booked.
		if (!untrue.has('create') && shown.length > 0) expect(misreported(made, shown)).toEqual([]);
	}
	return { world, made, shown };
}

/** What holds for whatever is drawn. @param afterwards looks at all runs */
function holds<Drawn>(
	name: string,
	property: fc.IAsyncProperty<Drawn>,
	{ examples = [], afterwards }: { examples?: Drawn[]; afterwards?: () => void } = {},
): void {
	const run = async () => await fc.assert(property, { numRuns: RUNS, examples });
	it(name, async () => await run().then(afterwards), TIMEOUT_MS);
}

const findNearby = action('tractor:findNearby', () => true, 0, {
	fields: { latitude: '10.5', longitude: '7.4' },
});

const replies = fc.array(reply, { minLength: 1, maxLength: 8 });

holds(
	'any sequence of answers gives a result or a clear message, and books no row twice',
	fc.asyncProperty(fc.constantFrom(...PLACEMENTS), replies, async ({ run }, hows) => {
		const untrue = new Set<EndpointName>();
		const strike: Strike = (exchange) => {
			const how = hows[(exchange.strike - 1) % hows.length] ?? 'well';
			if (typeof how === 'string') return REPLIES[how](exchange);
			untrue.add(exchange.request.endpoint);
			respond(exchange.socket, how);
		};
		const { world } = await check({ run }, { strike }, untrue);
		const is429 = hows.some((how) => typeof how === 'object' && how.status === 429);
		// No row is sent twice.
		if (!is429) expect(new Set(world.posts).size).toBe(world.posts.length);
	}),
	{
		// Found by longer runs.
		examples: [
			[findNearby, [{ status: 200, body: { status: { toString: 0 }, '': [] } }]],
			[findNearby, [{ status: 200, body: [{ error: '' }] }]],
		],
	},
);

/** A cell as people and programs write it. */
const cell = fc.oneof(
	scalar,
	json,
	fc.constantFrom(
		...['31/12/2026', '2026-12-31', 46_387, '46387', '1.250,5', '+2348031234567', '0803 123 4567'],
		...['Ploughing', '2 ha', '3 acres', 'female', '10.5, 7.4', '10°30′N', '201', 201.0, '201, 202'],
	),
	fc.integer({ min: 201, max: 203 }),
	fc
		.date({ noInvalidDate: true, min: new Date('2026-01-01'), max: new Date('2030-01-01') })
		.map((date) => date.toISOString()),
);

const headings = [
	...['Tractor ID', 'Service Type', 'Service Date', 'Farmer Phone', 'Farmer Name', 'Land Area'],
	...['Latitude', 'Longitude', 'Location', 'Note', 'Crop', 'Crops', 'Booking ID', 'Status'],
	...['Unit', 'Gender', 'row_number'],
];

/** Rows that are right but for some cells. */
function rowsOf(right: readonly IDataObject[], names: readonly string[]) {
	const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, text);
	const changes = fc.array(fc.tuple(name, cell), { maxLength: 5 }).map(Object.fromEntries<unknown>);
	const row = fc
		.tuple(fc.constantFrom(...right), changes)
		.map(([fields, changed]) => ({ ...fields, ...changed }) as IDataObject);
	return fc.array(row, { maxLength: 6 });
}

const operationAndRows = fc.oneof(
	fc.tuple(
		fc.constant('booking:create' as const),
		rowsOf(farmers(8), ['tractor', 'service', 'date', 'phone', 'name']),
	),
	fc.tuple(
		fc.constant('booking:createFromSpreadsheet' as const),
		rowsOf(sheetRows(8, { Latitude: 10.5, Longitude: 7.4 }), headings),
	),
);

let booked = 0;

holds(
	'any items are booked as the interface wants it, or refused',
	fc.asyncProperty(
		operationAndRows,
		fc.constantFrom('id', 'nearest', 'idOrNearest'),
		fc.constantFrom('none', 'NG', 'KE'),
		async ([operation, rows], tractorSelection, phoneCountry) => {
			const fields = operation === 'booking:create' ? fromFarmers : {};
			const options = { otherColumns: 'ignore' };
			const run = action(operation, () => true, 0, {
				fields: { ...fields, tractorSelection, phoneCountry, options },
				rows,
				onError: 'continueErrorOutput',
			});
			const { world, made, shown } = await check(run, { given: textsIn(rows) });
			booked += made.length;
			// Each row has its item, whatever becomes of it, and is sent once at most.
			expect(shown).toHaveLength(rows.length);
			expect(world.posts).toHaveLength(made.length);
		},
	),
	// Not all is refused.
	{ afterwards: () => expect(booked).toBeGreaterThan(RUNS / 2) },
);
