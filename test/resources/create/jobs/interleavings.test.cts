import { CHUNK } from '../../../../nodes/TractorBooking/resources/booking/create/memory/timing';
import { load } from '../../../support/loads.cts';
import { virtualClockForTests } from '../../../support/virtualClock.cts';
import { playRound, roundOf, type Outcome, type Round } from './interleavings.cts';

const SEED = Number(process.env.FC_SEED ?? 1);

const roundsOr = (some: number) => Number(process.env.ROUNDS ?? load(10_000, some));

/** Rounds are played until their limit, however slow the machine is. */
const LIMIT_MS = 3 * 3_600_000;

const clock = virtualClockForTests();

/** Plays rounds. @returns the names of those that have rows of each outcome */
async function playAll(rounds: ReadonlyArray<[name: string, round: Round]>) {
	const played: Record<keyof Outcome, string[]> = { doubled: [], swallowed: [] };
	for (const [name, round] of rounds) {
		clock.reset();
		for (const [outcome, rows] of Object.entries(await playRound(round)))
			if (rows > 0) played[outcome as keyof Outcome].push(name);
	}
	// What was played can be played again.
	const counts = Object.entries(played).map(
		([outcome, names]) => `${outcome} in ${names.length} (${names.slice(0, 5).join(', ')})`,
	);
	if (process.env.LOADS)
		console.log(`FC_SEED=${SEED}, of ${rounds.length} rounds: ${counts.join('; ')}`);
	return played;
}

/** So many rounds, each by its seed. */
const roundsOf = (count: number, withPreview: boolean) =>
	Array.from({ length: count }, (_, at): [string, Round] => {
		const seed = SEED * 1_000_000 + at;
		return [`seed ${seed}`, roundOf(seed, withPreview)];
	});

/** Of how many rounds some may have rows twice where more than two runs meet. */
const FEW = 1 / 50;

// A slow worker may erase what a run that has ended recorded; then a third one that starts while the list is late books it.
it.each([
	['two workers', {}, 2, false, 10, 0],
	['two workers, with several chunks', { rows: 2 * CHUNK + 3 }, 2, false, 2, 0],
	['two workers and a third run', {}, 3, false, 5, FEW],
	['a third run and a Dry Run', {}, 4, true, 5, FEW],
	['two workers, with answers in a third of the rows', { hasAnswers: true }, 2, false, 5, 0],
	['a third run and a Dry Run, with these', { hasAnswers: true }, 4, true, 5, FEW],
])(
	'a slow store, and %s: no row is swallowed, and none twice, but in few rounds of more than two',
	async (_what, more, most, withPreview, some, share) => {
		const rounds = roundsOf(roundsOr(some), withPreview);
		for (const [, round] of rounds)
			Object.assign(round, { ...more, runs: round.runs.slice(0, most) });
		const { doubled, swallowed } = await playAll(rounds);
		expect(swallowed).toEqual([]);
		expect(doubled.length).toBeLessThanOrEqual(Math.ceil(rounds.length * share));
	},
	LIMIT_MS,
);
