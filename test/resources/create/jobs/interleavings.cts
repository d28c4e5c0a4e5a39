import type { IDataObject } from 'n8n-workflow';

import { EXECUTION_POLICY } from '../../../../nodes/TractorBooking/api/client';
import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { Random } from '../../../../sandbox/random.cts';
import { bookSheet, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import { LateService, type Fate } from '../../../support/lateService.cts';
import { load } from '../../../support/loads.cts';
import { virtualClockForTests, wait } from '../../../support/virtualClock.cts';
import { Worker } from '../../../support/worker.cts';

const between = (random: Random, least: number, most: number) =>
	least + random.next() * (most - least);

const MINUTE_MS = 60_000;

const SEED = Number(process.env.FC_SEED ?? 1);

const roundsOr = (some: number) => Number(process.env.ROUNDS ?? load(10_000, some));

/** Rounds are played until their limit, however slow the machine is. */
const LIMIT_MS = 3 * 3_600_000;

const QUICK_ANSWER_MS = 400;

/** How many uses of n8n's store of 100 take 1 to 3.5 s to write. */
const SLOW_WRITES = 12;

const AGAIN_AT = [15 * MINUTE_MS, 30 * MINUTE_MS];

/** A run of the sheet by a process of its own. Times in milliseconds. */
interface Run {
	startsAt: number;
	dryRun?: boolean;
	/** Whether each row comes in an execution of its own, as from Loop Over Items. */
	isOneByOne?: boolean;
	/** The request or use of n8n's store at which its process dies, see `Worker`. */
	diesAt?: number;
}

/** Runs of one sheet beside each other, and what comes after them. Times in milliseconds. */
interface Round {
	rows: number;
	/** Whether each farmer has two rows of one day, with another area each. */
	hasTwoFields: boolean;
	hasRowIds: boolean;
	/** Whether every third farmer has a booking that n8n does not know, which some runs say that his rows are not. */
	hasAnswers?: boolean;
	listedAfter: number;
	runs: Run[];
	/** How long n8n's store, and the service, take each time. */
	random: Random;
	/** How many requests of 100 get no answer, booked or not, as long as the first runs last. */
	lost: number;
	/** How long an answer to a request to book takes at most: as long as the first runs last, up to the node's timeout. */
	answersWithin: number;
}

interface Outcome {
	doubled: number;
	/** Said to be booked by the last run, and never booked. */
	swallowed: number;
}

/** Two or three processes, one of which may die. @param withPreview whether a Dry Run goes beside them */
function roundOf(seed: number, withPreview: boolean): Round {
	const random = new Random(seed);
	const apart = random.pick([0, 200, 1_000, 5_000, between(random, 0, 8_000)]);
	const diesAt = random.next() < 0.25 ? Math.ceil(between(random, 0, 60)) : Infinity;
	const runs: Run[] = [{ startsAt: 0, diesAt }, { startsAt: apart }];
	if (random.next() < 0.5) runs.push({ startsAt: between(random, 0, 15_000) });
	if (random.next() < 0.3) for (const run of runs) run.isOneByOne = true;
	if (withPreview) runs.push({ startsAt: between(random, 0, 10_000), dryRun: true });
	return {
		rows: random.pick([3, 3, 6, 6, 17]),
		hasTwoFields: seed % 2 === 0,
		hasRowIds: random.next() < 0.4,
		listedAfter: random.pick([0, 2_000, 5_000, 10_000]),
		runs,
		random,
		lost: random.pick([0, 0, 20]),
		answersWithin: random.next() < 0.3 ? EXECUTION_POLICY.timeoutMs : QUICK_ANSWER_MS,
	};
}

const answersOf = (booking: number) => ['', `not ${booking}`, 'not 4000', `not 4000, ${booking}`];

/** The rows of every third farmer, each with a booking that has all that the list shows of it. */
function lookalikesOf(
	rows: readonly IDataObject[],
	service: LateService,
): Map<IDataObject, number> {
	const names = [...new Set(rows.map(({ Name }) => Name))].filter((_, at) => at % 3 === 0);
	const ofName = new Map(
		names.map((farmerName) => {
			const { Phone: farmerPhone, 'Service Date': serviceDate } =
				rows.find(({ Name }) => Name === farmerName) ?? {};
			const { bookingID } = service.add({ farmerName, farmerPhone, serviceDate }, 0);
			return [farmerName, bookingID] as const;
		}),
	);
	return new Map(
		rows.flatMap((row) => {
			const booking = ofName.get(row.Name);
			return booking === undefined ? [] : [[row, booking] as const];
		}),
	);
}

const sheetOf = ({ rows, hasTwoFields, hasRowIds }: Round) =>
	Array.from({ length: rows }, (_, at): IDataObject => {
		const farmer = hasTwoFields ? Math.floor(at / 2) : at;
		return {
			...(hasRowIds && { No: `R-${at + 1}` }),
			Name: `Farmer ${farmer + 1}`,
			Phone: `+2348031234${500 + farmer}`,
			'Service Date': `2026-03-${10 + (farmer % 3)}`,
			Service: 3,
			Tractor: 201,
			'Area (ha)': 1 + at,
		};
	});

/** Runs the sheet. @returns the result of each row, by its area; undefined if the process dies */
async function work(
	worker: Worker,
	rows: IDataObject[],
	{ hasRowIds }: Round,
	{ dryRun = false, isOneByOne = false }: Partial<Run> = {},
) {
	const options = hasRowIds ? { rowIdColumn: 'No' } : {};
	const results = new Map<unknown, string>();
	for (const part of isOneByOne ? rows.map((row) => [row]) : [rows]) {
		const fields = { dryRun, options };
		const running = outcomeOf(bookSheet, worker.service, part, fields, worker.settings);
		const done = await Promise.race([running, worker.death]);
		if (!done) return undefined;
		if (done.error) throw done.error;
		for (const json of done.records) results.set(json['Area (ha)'], asText(json.result));
	}
	return results;
}

async function playRound(round: Round): Promise<Outcome> {
	const { random, hasAnswers } = round;
	processedData.clear();
	processedData.beforeRead = async () => await wait(between(random, 2, 20));
	processedData.beforeWrite = async () =>
		await wait(
			random.next() * 100 < SLOW_WRITES ? between(random, 1_000, 3_500) : between(random, 10, 200),
		);
	processedData.afterWrite = async () => await wait(between(random, 0, 10));
	const service = new LateService();
	service.listedAfterMs = round.listedAfter;
	service.beforePage = async () => await wait(between(random, 20, 200));
	let { lost, answersWithin } = round;
	service.fate = async (): Promise<Fate> => {
		await wait(between(random, 50, answersWithin));
		return random.next() * 100 < lost ? random.pick<Fate>(['lost', 'dropped', '500']) : 'booked';
	};
	const rows = sheetOf(round);
	const lookalikes = hasAnswers ? lookalikesOf(rows, service) : new Map<IDataObject, number>();
	const answered = (choose: (answers: string[]) => string) =>
		rows.map((row) => {
			const booking = lookalikes.get(row);
			return booking === undefined ? row : { ...row, 'Booking ID': choose(answersOf(booking)) };
		});

	await Promise.all(
		round.runs.map(async (run) => {
			const { startsAt, diesAt = Infinity } = run;
			await wait(startsAt);
			const worker = Object.assign(new Worker(service), { diesAt });
			await work(worker, answered(random.pick.bind(random)), round, run);
		}),
	);
	lost = 0;
	answersWithin = QUICK_ANSWER_MS;
	let last: Awaited<ReturnType<typeof work>>;
	let now = 0;
	for (const startsAt of AGAIN_AT) {
		await wait(startsAt - now);
		now = startsAt;
		last = await work(
			new Worker(service),
			answered((all) => asText(all.at(-1))),
			round,
		);
	}
	const said = rows.map(({ 'Area (ha)': area }) => last?.get(area));
	const isSaid = said.map((result) => result === 'created' || result === 'already booked');
	const booked = rows.map(
		({ 'Area (ha)': area }) => service.bookings.filter(({ landArea }) => landArea === area).length,
	);
	return {
		doubled: booked.filter((count) => count > 1).length,
		swallowed: booked.filter((count, at) => count === 0 && isSaid[at]).length,
	};
}

/** Plays rounds. @returns the names of those that have rows of each outcome */
async function playAll(
	rounds: ReadonlyArray<[name: string, round: Round]>,
	clock: ReturnType<typeof virtualClockForTests>,
) {
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

const roundsOf = (count: number, withPreview: boolean) =>
	Array.from({ length: count }, (_, at): [string, Round] => {
		const seed = SEED * 1_000_000 + at;
		return [`seed ${seed}`, roundOf(seed, withPreview)];
	});

/** What meets in rounds: more of each round, how many runs at most, and whether one is a Dry Run. */
type Kind = [
	what: string,
	more: Partial<Round>,
	most: number,
	withPreview: boolean,
	/** How many rounds are played without full loads. */
	some: number,
	/** In which share of them a row may be booked twice. */
	share: number,
];

export function testRounds(kinds: Kind[]): void {
	const clock = virtualClockForTests();
	it.each(kinds)(
		'a slow store, and %s: no row is swallowed, and none twice, but in few rounds of more than two',
		async (_what, more, most, withPreview, some, share) => {
			const rounds = roundsOf(roundsOr(some), withPreview);
			for (const [, round] of rounds)
				Object.assign(round, { ...more, runs: round.runs.slice(0, most) });
			const { doubled, swallowed } = await playAll(rounds, clock);
			expect(swallowed).toEqual([]);
			expect(doubled.length).toBeLessThanOrEqual(Math.ceil(rounds.length * share));
		},
		LIMIT_MS,
	);
}
