import fc from 'fast-check';

import { Host, type Course } from './host.cts';
import { ANY_CHANGE, START, type Chosen, type Watched } from './polling.cts';
import { World, type Sorting } from './world.cts';

/** Histories to try; `npm run test:long` tries more. */
const HISTORIES = Number(process.env.HISTORIES ?? 30);

/** When the first bookings were made: an hour, a day or a month before the first poll. */
const BEFORE_MS = [1, 25, 24 * 30].map((hours) => START - hours * 3_600_000);

interface Real {
	world: World;
	host: Host;
}

type Command = fc.AsyncCommand<object, Real>;
type Happening = [name: string, happen: (world: World) => void];

function command(name: string, run: (real: Real) => Promise<void> | void): Command {
	return {
		check: () => true,
		run: async (_model, real) => await run(real),
		toString: () => name,
	};
}

/** Which booking, by its place in the list: mostly the same few, so that much happens to them. */
const choice = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(60) });
const status: fc.Arbitrary<number> = fc.oneof(
	fc.constantFrom(3, 6, 20),
	fc.constantFrom(0, 2, 3, 4, 6, 7, 20),
);

const happenings: Array<fc.Arbitrary<Happening>> = [
	status.map((to): Happening => [`create ${to}`, (world) => world.create(to)]),
	fc
		.tuple(choice, status)
		.map(([at, to]): Happening => [`${at} becomes ${to}`, (world) => world.change(at, to)]),
	choice.map((at): Happening => [`${at} is touched`, (world) => world.touch(at)]),
	choice.map((at): Happening => [`${at} is deleted`, (world) => world.delete(at)]),
	choice.map((at): Happening => [`${at} is hidden`, (world) => world.hide(at)]),
	choice.map((at): Happening => [`turned around at ${at}`, (world) => world.reorder(at)]),
	fc.constant<Happening>(['all are shown', (world) => world.showAll()]),
	fc.nat(9).map((length): Happening => [`cut to ${length}`, (world) => world.cutTo(length)]),
	fc
		.integer({ min: 1, max: 14 })
		.map((page): Happening => [
			`page ${page} fails from now on`,
			(world) => (world.badPage = page),
		]),
	fc
		.constantFrom<'server' | 'notFound'>('server', 'notFound')
		.map((kind): Happening => [
			`single bookings fail (${kind}) from now on`,
			(world) => (world.badBookings = kind),
		]),
];

const happening = fc.oneof(...happenings);

const MARK = { treatToCompletedAsCompleted: true };
const SOME_CHANGES: Watched = { event: 'bookingStatusChanged', from: [6, 7], to: [3, 20] };
const COMPLETED: Watched = { event: 'bookingCompleted' };
const DECLINED: Watched = { event: 'bookingDeclined' };
const NEW: Watched = { event: 'newBooking' };
const OVERDUE: Watched = { event: 'bookingOverdue', overdueDays: 1 };

const WATCHED: Array<Watched | Watched[]> = [
	...[ANY_CHANGE, SOME_CHANGES, COMPLETED, { ...COMPLETED, ...MARK }],
	...[DECLINED, NEW, OVERDUE, { ...OVERDUE, ...MARK }],
	[COMPLETED, ANY_CHANGE],
	[COMPLETED, DECLINED],
	[NEW, { ...COMPLETED, ...MARK }, OVERDUE],
	[{ ...OVERDUE, ...MARK }, SOME_CHANGES],
];

const watched: fc.Arbitrary<Chosen> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant({ watch: ANY_CHANGE }) },
	{ weight: 2, arbitrary: fc.constantFrom(...WATCHED).map((watch) => ({ watch })) },
);

const reconfigurations: fc.Arbitrary<Chosen> = fc.oneof(
	fc.constant({}),
	watched,
	fc.constantFrom('account', 'other').map((account) => ({ account })),
	fc.constantFrom('key', 'next').map((key) => ({ key })),
);

const course: fc.Arbitrary<Course> = fc.record(
	{
		requests: fc.integer({ min: 1, max: 8 }),
		at: fc.nat(12),
		fails: fc.constantFrom('server', 'rateLimited', 'notAllowed', 'notJson', 'timeout'),
		wrong: fc.constantFrom('empty', 'absent'),
		slowMs: fc.constantFrom(300, 4_000, 12_000, 30_000),
		dies: fc.constantFrom(
			'atRequest',
			'beforeKeeping',
			'afterSaving',
			'afterStarting',
			'afterBoth',
		),
	},
	{ requiredKeys: [] },
);

const easyCourse = fc.oneof({ weight: 3, arbitrary: fc.constant<Course>({}) }, course);

/** How two polls meet. A poll that starts late works with a memory that was loaded before the other one. */
const overlap = fc.constantFrom(
	'overlaps in the process',
	'overlaps with a second process',
	'starts late in the process',
	'starts late beside a second process',
);

function nameOf(course: Course): string {
	return `poll ${JSON.stringify(course)}`;
}

const commands = fc.commands<object, Real, false>(
	[
		...happenings.map((some) => some.map((one) => command(one[0], (real) => one[1](real.world)))),
		fc.tuple(choice, fc.array(status, { minLength: 2, maxLength: 5 })).map(([at, statuses]) =>
			command(`${at} becomes ${statuses.join()}, polled each time`, async ({ host, world }) => {
				const key = world.keys()[at];
				for (const to of statuses) {
					world.change(key === undefined ? 0 : world.keys().indexOf(key), to);
					await host.poll();
				}
			}),
		),
		fc.tuple(fc.integer({ min: 4, max: 12 }), status).map(([count, first]) =>
			command(`create ${count} times ${first}`, ({ world }) => {
				for (let at = 0; at < count; at++) world.create(first);
			}),
		),
		fc.constant(command('poll', async ({ host }) => await host.poll())),
		course.map((some) => command(nameOf(some), async ({ host }) => await host.poll(some))),
		// After a failed poll, one that fails in the middle keeps what it has.
		fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 12 }), easyCourse).map(([first, second, some]) =>
			command(`poll fails at ${first}, then at ${second} of ${nameOf(some)}`, async ({ host }) => {
				await host.poll({ at: first, fails: 'server' });
				await host.poll({ ...some, at: second, fails: 'server' });
			}),
		),
		fc.tuple(course, fc.array(happening, { minLength: 1, maxLength: 3 })).map(([some, many]) =>
			command(`${nameOf(some)} while ${many.map(([name]) => name).join(', ')}`, async (real) => {
				const meanwhile = () => many.forEach(([, happen]) => happen(real.world));
				await real.host.poll({ at: 1, ...some, meanwhile });
			}),
		),
		fc
			.tuple(overlap, fc.oneof(fc.nat(2), fc.nat(12)), easyCourse, easyCourse, happening)
			.map(([how, at, outer, inner, one]) =>
				command(`${how} ${at}: ${nameOf(outer)}, ${one[0]}, ${nameOf(inner)}`, async (real) => {
					const { host, world } = real;
					const first = async () => {
						one[1](world);
						if (how.includes('second process')) await host.pollElsewhere(inner);
						else await host.poll(inner);
					};
					const isLate = how.startsWith('starts late');
					const meeting = isLate ? { startsAfter: first } : { at, meanwhile: first };
					await host.poll({ ...outer, ...meeting });
				}),
			),
		easyCourse.map((some) =>
			command(
				`second process: ${nameOf(some)}`,
				async ({ host }) => await host.pollElsewhere(some),
			),
		),
		fc.nat(9).map((back) => command(`crash, ${back} saves back`, ({ host }) => host.crash(back))),
		fc
			.nat(20)
			.map((minutes) => command(`${minutes} minutes pass`, ({ host }) => host.pass(minutes))),
		fc
			.integer({ min: 1, max: 30 })
			.map((hours) => command(`${hours} hours pass`, ({ host }) => host.pass(hours * 60))),
		reconfigurations.map((changes) =>
			command(`republish ${JSON.stringify(changes)}`, ({ host }) => host.republish(changes)),
		),
		fc.constant(command('rest', async ({ host }) => await host.rest())),
		fc.constant(command('rest', async ({ host }) => await host.rest())),
	],
	{ maxCommands: 40, size: 'max' },
);

const worlds = fc.record({
	style: fc.record({
		says: fc.constantFrom<'nothing' | 'more' | 'count'>('nothing', 'more', 'count'),
		beyondEnd: fc.constantFrom<'empty' | 'absent' | 'again'>('empty', 'absent', 'again'),
		cap: fc.constantFrom(undefined, 2),
		capLeavesGaps: fc.boolean(),
		count: fc.constantFrom(undefined, undefined, 0, 1_000),
		first: fc.constantFrom<0 | 1>(1, 1, 1, 0),
	}),
	sorting: fc.constantFrom<Sorting>('newest', 'oldest', 'updated', 'none'),
	bookings: fc.oneof(
		fc.array(status, { maxLength: 4 }),
		fc.array(status, { minLength: 31, maxLength: 100 }),
		// So few are open that they are asked for by their IDs.
		fc.array(fc.constantFrom(3, 3, 3, 3, 4, 6), { minLength: 61, maxLength: 100 }),
	),
	startsAtRest: fc.boolean(),
	// With two, some of the lists are too long to be read whole.
	pageSize: fc.constantFrom(2, 3),
	durable: fc.boolean(),
	age: fc.nat(2),
	repeatsAfterRestart: fc.boolean(),
	watched,
});

it(
	`emits every change, invents none and repeats none (${HISTORIES} histories)`,
	async () => {
		const property = fc.asyncProperty(worlds, commands, async (setup, history) => {
			const world = new World(setup.style, setup.sorting);
			world.nowMs = BEFORE_MS[setup.age] ?? 0;
			for (const some of setup.bookings) world.create(some);
			const { pageSize, repeatsAfterRestart } = setup;
			const kept = { pageSize, repeatsAfterRestart, ...setup.watched };
			const host = new Host(world, kept, setup.durable);
			if (setup.startsAtRest) await host.rest();
			await fc.asyncModelRun(() => ({ model: {}, real: { world, host } }), history);
			await host.rest();
			await host.rest();
		});
		await fc.assert(property, { numRuns: HISTORIES });
	},
	60_000 + HISTORIES * 1_000,
);
