import { max, sum } from 'simple-statistics';
import { startSandbox } from '../sandbox';
import { hash } from '../sandbox/random';
import type { Note } from '../tools/progress';
import { runTask, type Installation } from './installation';
import { mediansOf } from './medians';
import type { Poll, PollResult, WatcherName } from './task';
import { LATENCY_MS } from './works';

export const WATCHERS: Readonly<Record<WatcherName, string>> = {
	ours: 'Tractor Booking Trigger',
	mapInStaticData: 'a node with a map in static data',
	removeDuplicates: 'Schedule + HTTP Request + Remove Duplicates',
};

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
/** The others read every page at every poll, and a longer list would take them minutes each time. */
const MAX_SIZE_OF_OTHERS = 100_000;
/** The newest bookings, which are still under way. */
const MOVING = 500;
/** Polls after the first scan. */
const POLLS = 5;
/** Before each of them, one in so many of the moving bookings is completed, and so many are added. */
const COMPLETED_ONE_IN = 25;
const ADDITIONS = 5;

const [COMPLETED, DECLINED] = [3, 4];
const UNDER_WAY = [0, 1, 2, 6];

/** Status of a booking by its place in the list, the oldest first. */
function statusAt(index: number, firstMoving: number): number {
	if (index >= firstMoving) return UNDER_WAY[index % UNDER_WAY.length] ?? 0;
	return hash(index, 1) % 100 < 85 ? COMPLETED : DECLINED;
}

async function measure(
	installation: Installation,
	watcher: WatcherName,
	bookings: number,
): Promise<PollResult> {
	const sandbox = await startSandbox({ bookings: 0, otherBookings: 0, latencyMs: LATENCY_MS });
	try {
		const moving = Math.min(MOVING, bookings / 2);
		const status = (index: number) => statusAt(index, bookings - moving);
		const firstMoving = sandbox.store.addBookings(bookings, { status }) + bookings - moving;
		const completions = Array.from({ length: POLLS }, (_, poll) =>
			Array.from(
				{ length: moving / COMPLETED_ONE_IN },
				(__, index) => firstMoving + index * COMPLETED_ONE_IN + poll,
			),
		);
		const task = { watcher, completions, additions: ADDITIONS };
		return (await runTask(installation, sandbox, task)) as PollResult;
	} finally {
		await sandbox.close();
	}
}

/** What it costs a watcher to watch so many bookings. */
export interface Watching {
	watcher: WatcherName;
	bookings: number;
	/** Medians of the rounds: seconds of the first scan, and bookings that it emitted, all of them old. */
	first: Record<'seconds' | 'emitted', number>;
	/** Medians of the polls after the first scan. */
	later: Poll;
	/** All of these polls: the changes, those of them that were emitted, and other or repeated bookings. */
	changes: number;
	changesEmitted: number;
	othersEmitted: number;
	/** The most after any poll. */
	bytesKept: number;
}

function summarize(watcher: WatcherName, bookings: number, rounds: PollResult[]): Watching {
	const firsts = rounds.map(({ first }) => ({
		seconds: sum(first.map(({ seconds }) => seconds)),
		emitted: sum(first.map(({ emitted }) => emitted)),
	}));
	const later = rounds.flatMap((round) => round.later);
	const changesEmitted = sum(later.map((poll) => poll.changesEmitted));
	return {
		watcher,
		bookings,
		first: mediansOf(firsts),
		later: mediansOf(later),
		changes: sum(later.map(({ changes }) => changes)),
		changesEmitted,
		othersEmitted: sum(later.map(({ emitted }) => emitted)) - changesEmitted,
		bytesKept: max(later.map(({ bytesKept }) => bytesKept)),
	};
}

/**
 * Measures the watchers in turn on growing lists.
 * @param scale less than 1 for shorter lists, to try the bench
 */
export async function measurePolls(
	installation: Installation,
	rounds: number,
	scale: number,
	note: Note,
): Promise<Watching[]> {
	const found: Watching[] = [];
	const all = Object.keys(WATCHERS) as WatcherName[];
	for (const size of SIZES) {
		const bookings = size * scale;
		const watchers = size > MAX_SIZE_OF_OTHERS ? all.slice(0, 1) : all;
		const measured = new Map<WatcherName, PollResult[]>(watchers.map((name) => [name, []]));
		// The long lists take minutes, and vary little.
		const times = size >= MAX_SIZE_OF_OTHERS ? 1 : rounds;
		for (let round = 1; round <= times; round++) {
			for (const [watcher, list] of measured) {
				note(`${bookings} bookings, round ${round} of ${times}: ${WATCHERS[watcher]}`);
				list.push(await measure(installation, watcher, bookings));
			}
		}
		found.push(...[...measured].map(([name, list]) => summarize(name, bookings, list)));
	}
	note(`${SIZES.length} lists`);
	return found;
}
