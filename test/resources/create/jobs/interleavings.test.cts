import { CHUNK } from '../../../../nodes/TractorBooking/resources/booking/create/memory/timing';
import { load } from '../../../support/loads.cts';
import { virtualClockForTests } from '../../../support/virtualClock.cts';
import { playRound, roundOf, type Outcome, type Round } from './interleavings.cts';

const SEED = Number(process.env.FC_SEED ?? 1);

const roundsOr = (some: number) => Number(process.env.ROUNDS ?? load(10_000, some));

/** Rounds are played until their limit, however slow the machine is. */
const LIMIT_MS = 3 * 3_600_000;

const clock = virtualClockForTests();

/** How many rounds have rows of each outcome, and how many rows that are; the first ones by their names. */
interface Tally {
	rounds: Record<keyof Outcome, number>;
	rows: Record<keyof Outcome, number>;
	named: Record<keyof Outcome, string[]>;
}

/** Plays rounds, each by its name. */
async function playAll(rounds: ReadonlyArray<[name: string, round: Round]>): Promise<Tally> {
	const none = { doubled: 0, swallowed: 0, byNeither: 0, byHand: 0 };
	const named = { doubled: [], swallowed: [], byNeither: [], byHand: [] };
	const tally: Tally = { rounds: { ...none }, rows: { ...none }, named };
	for (const [name, round] of rounds) {
		clock.reset();
		const outcome = await playRound(round);
		for (const [key, count] of Object.entries(outcome) as Array<[keyof Outcome, number]>) {
			if (count === 0) continue;
			tally.rows[key] += count;
			tally.rounds[key] += 1;
			if (tally.named[key].length < 5) tally.named[key].push(name);
		}
	}
	const rows = rounds.reduce((sum, [, round]) => sum + round.rows, 0);
	// What was played can be played again.
	if (process.env.LOADS)
		console.log(`FC_SEED=${SEED}, ${rounds.length} rounds, ${rows} rows: ${JSON.stringify(tally)}`);
	return tally;
}

/** So many rounds, each by its seed. */
const roundsOf = (count: number, withPreview: boolean) =>
	Array.from({ length: count }, (_, at): [string, Round] => {
		const seed = SEED * 1_000_000 + at;
		return [`seed ${seed}`, roundOf(seed, withPreview)];
	});

it.each([
	['some rows', {}, 10],
	['several chunks', { rows: 2 * CHUNK + 3 }, 2],
])(
	'two workers with a slow store, %s: no row twice, and none swallowed',
	async (_what, more, some) => {
		const rounds = roundsOf(roundsOr(some), false);
		for (const [, round] of rounds) Object.assign(round, { ...more, runs: round.runs.slice(0, 2) });
		const { named } = await playAll(rounds);
		expect(named).toMatchObject({ doubled: [], swallowed: [] });
	},
	LIMIT_MS,
);

// A slow worker may erase what a run that has ended recorded; then a third one that starts while the list is late books it.
it.each([
	['a third run', false],
	['a Dry Run', true],
])(
	'with %s beside: none swallowed, and rows twice in 2 of 100 rounds at most',
	async (_what, withPreview) => {
		const { rounds, named } = await playAll(roundsOf(roundsOr(5), withPreview));
		expect(named.swallowed).toEqual([]);
		expect(rounds.doubled).toBeLessThanOrEqual(Math.ceil(roundsOr(5) / 50));
	},
	LIMIT_MS,
);

// To find out whether such a row was sent, a run looks where claims are: if that is slow, it may erase those of others.
it.each([
	['two workers', 2, false],
	['a third run and a Dry Run beside', 4, true],
])(
	'answers in a third of the rows, with %s: none swallowed, and rows twice in 2 of 100 rounds at most',
	async (_what, most, withPreview) => {
		const rounds = roundsOf(roundsOr(5), withPreview);
		for (const [, round] of rounds)
			Object.assign(round, { hasAnswers: true, runs: round.runs.slice(0, most) });
		const tally = await playAll(rounds);
		expect(tally.named.swallowed).toEqual([]);
		const limit = most > 2 ? Math.ceil(roundsOr(5) / 50) : 0;
		expect(tally.rounds.doubled).toBeLessThanOrEqual(limit);
	},
	LIMIT_MS,
);
