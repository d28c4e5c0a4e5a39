import { startSandbox } from '../sandbox';
import { hash } from '../sandbox/random';
import type { Installation } from './installation';
import { LATENCY_MS } from './loads';
import { measureWatcher } from './measure';
import { median } from './statistics';
import type { PollCost, PollMeasurement, PollPeerName } from './task';

/** What watching so many bookings costs a peer. */
export interface Watching {
	peer: PollPeerName;
	bookings: number;
	first: PollMeasurement['first'];
	/** Medians of all polls after the first scan, and sums of what they told; absent where none was made. */
	steady?: PollCost & { told: number; toldFalsely: number; changes: number };
	bytesKept: number;
	error?: string;
	/** Whether the figures are those of a shorter list, multiplied. */
	isExtrapolated: boolean;
}

/** How peers are called in tables. */
export const WATCHERS: Readonly<Record<PollPeerName, string>> = {
	ours: 'Tractor Booking Trigger',
	mapInStaticData: 'a node with a map in static data',
	removeDuplicates: 'Schedule + HTTP Request + Remove Duplicates',
	removeDuplicatesDefault: 'the same, history size not changed',
};

const SIZES = [1_000, 10_000, 100_000, 1_000_000];

/** The longest list that is measured with peers who read all of it at every poll: longer ones take minutes each. */
const LONGEST_READ_WHOLE = 100_000;

/** Bookings that are not settled, the newest ones. */
const MOVING = 500;

/** Polls after the first scan, and those of a peer that reads the longest list at every one. */
const POLLS = 5;
const LONG_POLLS = 3;

/** One in so many of the moving bookings is completed before each of them. */
const ONE_IN = 25;

/** Bookings that are made before each of them. */
const ADDITIONS = 5;

const COMPLETED = 3;
const DECLINED = 4;
const UNDER_WAY = [0, 1, 2, 6];

/** Status of a booking by its place in the list, the oldest first: settled until the moving ones begin. */
function statusAt(index: number, firstMoving: number): number {
	if (index >= firstMoving) return UNDER_WAY[index % UNDER_WAY.length] ?? 0;
	return hash(index, 1) % 100 < 85 ? COMPLETED : DECLINED;
}

/** What one process measured, and how many changes it might have told after the first scan. */
interface Round extends PollMeasurement {
	changes: number;
}

/** Lets a peer watch a list of its own, and complete bookings in it. */
async function measureOne(
	installation: Installation,
	peer: PollPeerName,
	bookings: number,
	polls: number,
): Promise<Round> {
	const sandbox = await startSandbox({ bookings: 0, otherBookings: 0, latencyMs: LATENCY_MS });
	try {
		const moving = Math.min(MOVING, bookings / 2);
		const status = (index: number) => statusAt(index, bookings - moving);
		const firstMoving = sandbox.store.addBookings(bookings, { status }) + bookings - moving;
		const completions = Array.from({ length: polls }, (_, poll) =>
			Array.from({ length: moving / ONE_IN }, (_, at) => firstMoving + at * ONE_IN + poll),
		);
		const task = { peer, completions, additions: ADDITIONS };
		const measurement = await measureWatcher(installation, sandbox, task);
		const changes = completions.slice(0, measurement.steady.length).flat().length;
		return { ...measurement, changes };
	} finally {
		await sandbox.close();
	}
}

function medians(costs: readonly PollCost[]): PollCost {
	const of = (field: keyof PollCost) => median(costs.map((cost) => cost[field]));
	return { requests: of('requests'), seconds: of('seconds'), cpuSeconds: of('cpuSeconds') };
}

/** Sum of a field. */
function total<Field extends string>(
	records: ReadonlyArray<Readonly<Record<Field, number>>>,
	field: Field,
): number {
	return records.reduce((sum, record) => sum + record[field], 0);
}

/** What several measurements of one peer come to. */
function summed(peer: PollPeerName, bookings: number, measured: readonly Round[]): Watching {
	const firsts = measured.map(({ first }) => first);
	const steady = measured.flatMap((round) => round.steady);
	return {
		peer,
		bookings,
		first: {
			...medians(firsts),
			polls: median(firsts.map(({ polls }) => polls)),
			told: median(firsts.map(({ told }) => told)),
		},
		steady:
			steady.length === 0
				? undefined
				: {
						...medians(steady),
						told: total(steady, 'told'),
						toldFalsely: total(steady, 'toldFalsely'),
						changes: total(measured, 'changes'),
					},
		bytesKept: Math.max(...measured.map(({ bytesKept }) => bytesKept)),
		error: measured.find(({ error }) => error !== undefined)?.error,
		isExtrapolated: false,
	};
}

function multiplied<Cost extends PollCost>(cost: Cost, factor: number): Cost {
	return {
		...cost,
		requests: cost.requests * factor,
		seconds: cost.seconds * factor,
		cpuSeconds: cost.cpuSeconds * factor,
	};
}

/** What a peer that reads the whole list costs with a longer one: every figure grows with the pages. */
function extrapolated(measured: Watching, bookings: number): Watching {
	const factor = bookings / measured.bookings;
	const first = multiplied(measured.first, factor);
	return {
		...measured,
		bookings,
		first: { ...first, told: first.told * factor },
		steady: measured.steady && multiplied(measured.steady, factor),
		bytesKept: measured.bytesKept * factor,
		isExtrapolated: true,
	};
}

/** How the bench runs its polls. */
export interface PollOptions {
	/** How often each of the shorter lists is watched anew. */
	rounds: number;
	/** Of less than 1 for shorter lists. */
	scale: number;
}

/** Measures what it costs to watch lists of growing length. */
export async function measurePolls(
	installation: Installation,
	{ rounds, scale }: PollOptions,
	note: (text: string) => void,
): Promise<Watching[]> {
	const found: Watching[] = [];
	const peers = Object.keys(WATCHERS) as PollPeerName[];
	for (const size of SIZES) {
		const bookings = size * scale;
		const isLong = size >= LONGEST_READ_WHOLE;
		const isMeasured = (peer: PollPeerName) => peer === 'ours' || size <= LONGEST_READ_WHOLE;
		const measured = new Map<PollPeerName, Round[]>(
			peers.filter(isMeasured).map((peer) => [peer, []]),
		);
		for (let round = 1; round <= (isLong ? 1 : rounds); round++) {
			for (const [peer, list] of measured) {
				note(`${bookings} bookings, round ${round}: ${WATCHERS[peer]}`);
				const polls = isLong && peer !== 'ours' ? LONG_POLLS : POLLS;
				list.push(await measureOne(installation, peer, bookings, polls));
			}
		}
		for (const peer of peers) {
			const list = measured.get(peer);
			const shorter = found.filter((other) => other.peer === peer).at(-1);
			if (list) found.push(summed(peer, bookings, list));
			else if (shorter) found.push(extrapolated(shorter, bookings));
		}
	}
	return found;
}
