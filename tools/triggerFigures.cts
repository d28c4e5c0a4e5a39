import type { IDataObject } from 'n8n-workflow';
import { median } from 'simple-statistics';
import type { Source } from '../nodes/TractorBooking/trigger/scan/reader';
import { Random } from '../sandbox/random.cts';
import { BookingList } from '../test/trigger/bookingList.cts';
import { floodOf, FORMS, HIDDEN, NEW_ONES } from '../test/trigger/flood.cts';
import { Watcher } from '../test/trigger/polling.cts';

const SEED = 1;
const MINUTE_MS = 60_000;

/** Bookings that are completed at the same moment, between two polls. */
const COMPLETIONS = 40;

/** Polls after which the others count as never told. */
const MAX_POLLS = 300;

/** Forms of dates with which floods are measured. */
const FLOOD_FORMS = ['none', 'dd/mm/yyyy', 'ISO, UTC'];

type Order = 'newest' | 'oldest' | 'random';

/** Bookings, the largest page, the order of the list, and how many are open, wherever they are in it. */
const LISTS: Array<[bookings: number, pageSize: number, order: Order, open: number]> = [
	[5_000, 25, 'newest', 250],
	[10_000, 10, 'newest', 250],
	[10_000, 25, 'newest', 250],
	[20_000, 10, 'newest', 20],
	[20_000, 10, 'newest', 250],
	[20_000, 10, 'newest', 2_000],
	[20_000, 10, 'newest', 5_000],
	[20_000, 25, 'random', 250],
	[50_000, 25, 'oldest', 250],
	[100_000, 25, 'newest', 500],
	[100_000, 100, 'newest', 500],
];

function shuffled<T>(all: readonly T[], random: Random): T[] {
	const rest = [...all];
	for (let at = rest.length - 1; at > 0; at--) {
		const other = random.integer(at + 1);
		[rest[at], rest[other]] = [rest[other] as T, rest[at] as T];
	}
	return rest;
}

/** A trigger that is polled once a minute, for its first scan until both, list and scan, are at rest. */
async function watch(source: Source, pageSize: number, polls: number): Promise<Watcher> {
	const watcher = new Watcher(source, {
		watch: { event: 'bookingCompleted' },
		pageSize,
		repeatsAfterRestart: false,
	});
	for (let poll = 0; poll < polls; poll++) await pollOf(watcher);
	return watcher;
}

async function pollOf(watcher: Watcher): Promise<IDataObject[]> {
	watcher.nowMs += MINUTE_MS;
	return await watcher.poll(500);
}

/** How many polls completions wait, and what a poll costs. */
async function lateness([count, cap, order, open]: (typeof LISTS)[number]) {
	const random = new Random(SEED);
	const ids = Array.from({ length: count }, (_, at) => (order === 'oldest' ? at + 1 : count - at));
	const opened = shuffled(ids, random).slice(0, open);
	const isOpen = new Set(opened);
	const list = new BookingList({ cap });
	list.fill(order === 'random' ? shuffled(ids, random) : ids, (id) =>
		isOpen.has(Number(id)) ? 6 : 3,
	);
	const watcher = await watch(list, 100, Math.ceil(count / cap / 400) + 2);
	const before = list.requests;
	const state = watcher.text.length;
	const completed = opened.slice(0, COMPLETIONS);
	for (const id of completed) list.set(id, 3, 'front', new Date(watcher.nowMs).toISOString());
	const waits: number[] = [];
	let polls = 0;
	while (waits.length < completed.length && polls < MAX_POLLS) {
		polls += 1;
		const { length } = await pollOf(watcher);
		waits.push(...Array<number>(length).fill(polls));
	}
	const told = waits.length;
	while (waits.length < completed.length) waits.push(Infinity);
	// Further polls, in which nothing happens.
	const requests = (list.requests - before) / polls;
	const some = [count, cap, order, open, Math.round(requests)];
	return [...some, Math.ceil(median(waits)), Math.max(...waits), told, state];
}

function table(head: string[], rows: unknown[][]): string {
	const line = (cells: unknown[]) =>
		`| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-GB') : String(cell))).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** How late long lists make events, and what a first scan that was not shown all bookings tells of old ones. */
async function main(): Promise<void> {
	const late: unknown[][] = [];
	for (const row of LISTS) {
		late.push(await lateness(row));
		console.error(late.at(-1));
	}
	const columns = [
		'bookings',
		'a page',
		'first',
		'open',
		'requests a poll',
		'median',
		'worst',
		'told',
		'state',
	];
	console.log(table(columns, late));
	const floods: unknown[][] = [];
	for (const cap of [10, 25])
		for (const [name, form] of FORMS.filter(([name]) => FLOOD_FORMS.includes(name)))
			for (const minutes of [1, 30, 60, 120]) {
				const told: string[] = [];
				for (const hidden of Object.values(HIDDEN)) {
					const flood = await floodOf(hidden, form, { minutes, cap });
					told.push(`${flood.told}, ${flood.toldNew}`);
				}
				floods.push([cap, name, minutes, ...told]);
				console.error(floods.at(-1));
			}
	const head = ['a page', 'createdAt', 'minutes', ...Object.keys(HIDDEN)];
	console.log(`\nOld bookings told, and new ones of ${NEW_ONES}:\n\n${table(head, floods)}`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
