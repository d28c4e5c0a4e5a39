import { median, sum } from 'simple-statistics';
import { COMPLETED, DECLINED } from '../nodes/TractorBooking/api/status';
import { startSandbox } from '../sandbox/index.cts';
import { hash } from '../sandbox/random.cts';
import { measureInTurn, type Bench, type Installation } from './bench.cts';
import { ContenderProcess } from './contenderProcess.cts';
import { CONTENDERS } from './subject/contenders.cts';
import { combine, tableOf, type Sample } from './table.cts';
import { LATENCY_MS } from './works.cts';

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

const UNDER_WAY = [0, 1, 2, 6];

/** Status of a booking by its place in the list, the oldest first. */
function statusAt(index: number, firstMoving: number): number {
	if (index >= firstMoving) return UNDER_WAY[index % UNDER_WAY.length] ?? 0;
	return hash(index, 1) % 100 < 85 ? COMPLETED : DECLINED;
}

/** The first scan; of each poll after it, what it cost and which bookings it emitted. */
type Watched = Record<'first' | 'costs' | 'emitted', Sample[]>;

/** Watches so many bookings: the first scan, then one poll after each change. */
async function watch(installation: Installation, bookings: number, name: string): Promise<Watched> {
	const sandbox = await startSandbox({ bookings: 0, otherBookings: 0, latencyMs: LATENCY_MS });
	const { store, requests, hooks } = sandbox;
	const watcher = new ContenderProcess(installation, sandbox, 'polls', name);
	const poll = async () => {
		const run = await watcher.run([{}]);
		if (run.error !== undefined) throw new Error(`${name}: ${run.error}`);
		return run;
	};
	try {
		const firstMoving = bookings - Math.min(MOVING, bookings / 2);
		const firstId = store.bookings.addMany(bookings, {
			status: (index) => statusAt(index, firstMoving),
		});
		let isListRead = false;
		hooks.beforeListPage = ({ offset, size }) => {
			isListRead ||= offset + size >= bookings;
		};
		const scan: Sample[] = [];
		do {
			const { seconds, ids } = await poll();
			scan.push({ 'first scan, seconds': seconds, 'old bookings emitted': ids.length });
		} while (!isListRead);

		const [costs, emitted]: [Sample[], Sample[]] = [[], []];
		for (let count = 0; count < POLLS; count++) {
			const completed = new Set<number>();
			for (let index = firstMoving + count; index < bookings; index += COMPLETED_ONE_IN) {
				completed.add(store.bookings.advance(firstId + index, COMPLETED).bookingID);
			}
			store.bookings.addMany(ADDITIONS, { status: 0 });
			requests.clear();
			const { seconds, cpuMs, bytesKept, ids } = await poll();
			costs.push({
				'a poll, seconds': seconds,
				requests: requests.find().length,
				'CPU ms': cpuMs,
				'bytes kept': bytesKept,
			});
			const found = new Set(ids.filter((id) => completed.has(id))).size;
			emitted.push({
				changes: completed.size,
				'changes emitted': found,
				'others emitted': ids.length - found,
			});
		}
		return { first: [combine(scan, sum)], costs, emitted };
	} finally {
		watcher.stop();
		await sandbox.close();
	}
}

/** Measures the watchers on growing lists. */
export async function measurePolls(bench: Bench): Promise<string[]> {
	const rows = [];
	const names = Object.keys(CONTENDERS.polls);
	for (const size of SIZES) {
		const bookings = size * bench.scale;
		const measured = await measureInTurn(
			{ ...bench, note: (text) => bench.note(`${bookings} bookings, ${text}`) },
			size > MAX_SIZE_OF_OTHERS ? names.slice(0, 1) : names,
			// The long lists take minutes, and vary little.
			size >= MAX_SIZE_OF_OTHERS ? 1 : 3,
			async (name) => await watch(bench.installation, bookings, name),
		);
		for (const [name, rounds] of measured) {
			const all = (kind: keyof Watched) => rounds.flatMap((round) => round[kind]);
			rows.push({
				bookings,
				'': name,
				...combine(all('first'), median),
				...combine(all('costs'), median),
				...combine(all('emitted'), sum),
			});
		}
	}
	return [
		'## Polls',
		`The ${MOVING} newest bookings are still under way, all others completed or declined; the list is sorted newest first, 100 a page. Before each poll after the first scan, one in ${COMPLETED_ONE_IN} of those under way is completed and ${ADDITIONS} bookings made.`,
		tableOf(rows),
		"CPU is that of the process that polls. Bytes kept are the static data, or for Remove Duplicates the history in n8n's table `processed_data`.",
	];
}
