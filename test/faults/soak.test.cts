import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median } from 'simple-statistics';

import { POLL_POLICY } from '../../nodes/TractorBooking/api/client';
import { Random } from '../../sandbox/random.cts';
import { credentialsOf, perform } from '../support/action.cts';
import { dayFromNow, farmers, fromFarmers } from '../support/bookings.cts';
import { trigger } from '../support/engine.cts';
import { skipped } from '../support/waits.cts';
import { bookedTwice } from './judge.cts';
import type { Exchange, Strike, World } from './service.cts';
import { always, doneThenCut, doneThenReset, faultyServiceForTests, reset } from './service.cts';

jest.mock('../../nodes/TractorBooking/api/waits', () =>
	jest.requireActual<object>('../support/shortPauses.cts'),
);

setFlagsFromString('--expose-gc');

/** Frees at once what nothing holds any more. */
const collectGarbage = runInNewContext('gc') as () => void;

/** Simulated weeks; `SOAK_WEEKS` sets more. In less than one, nothing but the start is seen. */
const WEEKS = Number(process.env.SOAK_WEEKS ?? 2);

/** One poll every five minutes. */
const STEP_MS = 300_000;
const STEPS_A_DAY = 86_400_000 / STEP_MS;
const DAYS = WEEKS * 7;

/** Executions of Booking > Create a day, and the rows of each. */
const CREATIONS_A_DAY = 8;
const ROWS = 3;

/** Bookings that the service lists: it leaves out the oldest completed ones. */
const LISTED = 100;

/** One in so many requests goes wrong. */
const ONE_FAULT_IN = 12;

/** More would be a leak, of one object in ten polls. */
const MAX_OBJECTS_A_POLL = 0.1;

/** For what is no object, such as text. What is compiled and thrown away makes the heap rise and fall by some hundred. */
const MAX_BYTES_A_POLL = 1_000;

/** In which code is compiled and caches are filled. */
const WARM_UP_DAYS = 8;

const service = faultyServiceForTests(200);

beforeAll(() => {
	POLL_POLICY.timeoutMs = 200;
	// The date and the node's own clock are simulated: sockets and timers are real.
	jest.useFakeTimers({
		doNotFake: [
			...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
			...(['clearImmediate', 'nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
		],
	});
});
afterAll(() => jest.useRealTimers());

/** What may go wrong with a request. */
const STRIKES: readonly Strike[] = [
	reset,
	({ socket }) => void socket.end(),
	always({ status: 500, body: { error: 'it is odd' } }),
	always({ status: 502, body: '<html></html>' }),
	always({ status: 401, body: { detail: 'No.' } }),
	always({ status: 429, headers: { 'Retry-After': '0' } }),
	always({ body: '' }),
	doneThenCut,
	doneThenReset,
	// Servers close what hangs after a while.
	({ socket }) => void socket.setTimeout(400, () => socket.destroy()),
	({ socket }) => {
		socket.write('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"results": [');
		socket.setTimeout(400, () => socket.destroy());
	},
];

/** From one status to the next, until completed. */
const NEXT_STATUS: Record<number, number> = { 0: 1, 1: 2, 2: 6, 6: 3 };

/** What one day ends with. */
interface Day {
	/** Objects, lists and functions among them. */
	objects: number;
	/** Bytes. */
	heap: number;
	/** Timers, sockets and other things that keep a process alive. */
	resources: number;
	/** Listeners of the process. */
	listeners: number;
}

const resources = () => process.getActiveResourcesInfo().length;

/** @param idle resources that are there while nothing runs */
async function measure(idle: number): Promise<Day> {
	// What hangs ends after a while, unless it is never let go.
	for (let wait = 0; wait < 100 && resources() > idle; wait++)
		await new Promise((resolve) => setTimeout(resolve, 100));
	collectGarbage();
	collectGarbage();
	const names = process.eventNames();
	return {
		objects: queryObjects(Object, { format: 'count' }),
		heap: process.memoryUsage().heapUsed,
		resources: resources(),
		listeners: names.reduce((sum, name) => sum + process.listenerCount(name), 0),
	};
}

/** A service whose bookings come to their end, and that answers some requests wrongly. */
class Weeks {
	readonly world: World;
	readonly completed: unknown[] = [];
	readonly emitted: unknown[] = [];
	failedPolls = 0;
	rows = 0;
	booked = 0;

	private readonly random = new Random(Number(process.env.FC_SEED ?? 1));

	private readonly polled;

	constructor() {
		this.world = service.open();
		this.polled = trigger({
			workflowId: 'soak',
			parameters: { events: ['bookingCompleted'] },
			credentials: credentialsOf({ baseUrl: this.world.url }),
		});
	}

	setFaults(on: boolean): void {
		const strike = (exchange: Exchange) => STRIKES[this.random.integer(STRIKES.length)]?.(exchange);
		const strikes = () => this.random.integer(ONE_FAULT_IN) === 0;
		this.world.fault = on ? { strike, strikes } : undefined;
	}

	async poll(): Promise<void> {
		jest.setSystemTime(Date.now() + STEP_MS);
		skipped.ms += STEP_MS;
		await this.polled.poll().then(
			(items) => this.emitted.push(...(items ?? []).map(({ json }) => json.bookingID)),
			() => (this.failedPolls += 1),
		);
		// The test's own notes do not count.
		this.world.requests.length = 0;
	}

	/** At every second step, a booking goes on by one status. */
	change(): void {
		const { bookings } = this.world;
		const open = bookings.filter(({ bookingStatus }) => bookingStatus !== 3);
		const booking = open[this.random.integer(2 * open.length)];
		if (!booking) return;
		const next = NEXT_STATUS[booking.bookingStatus as number];
		booking.bookingStatus = next;
		if (next === 3) this.completed.push(booking.bookingID);
		const oldest = bookings.findIndex(({ bookingStatus }) => bookingStatus === 3);
		if (bookings.length > LISTED && bookings[oldest] !== booking) bookings.splice(oldest, 1);
	}

	async book(): Promise<void> {
		const rows = farmers(ROWS, { date: dayFromNow(1) }).map((farmer, index) => ({
			...farmer,
			phone: `+234803${1_000_000 + this.rows + index}`,
			name: `Farmer No ${this.rows + index}`,
		}));
		this.rows += ROWS;
		const before = this.world.bookings.length;
		const fields = { ...fromFarmers, options: { timeout: 1 } };
		await perform(this.world, 'booking:create', fields, { rows, onError: 'continueErrorOutput' });
		this.booked += this.world.bookings.length - before;
		expect(bookedTwice(this.world)).toEqual([]);
	}

	async day(idle: number): Promise<Day> {
		for (let step = 1; step <= STEPS_A_DAY; step++) {
			this.change();
			if (step % (STEPS_A_DAY / CREATIONS_A_DAY) === 0) await this.book();
			await this.poll();
		}
		return await measure(idle);
	}
}

/**
 * By how much a measure grows from one poll to the next: by the median between any two days, by that between neighbouring
 * ones, which a single step on any day leaves as it is, and by its lowest values, which swing less.
 */
function growthOf(measures: readonly number[]): number {
	const perDay = measures.flatMap((measure, day) =>
		measures.slice(day + 1).map((later, days) => (later - measure) / (days + 1)),
	);
	const byNextDay = measures.slice(1).map((later, day) => later - (measures[day] ?? later));
	const half = Math.floor(measures.length / 2);
	const lowest = (some: readonly number[]) => Math.min(...some);
	const byHalves = (lowest(measures.slice(half)) - lowest(measures.slice(0, half))) / half;
	return Math.min(median(perDay), median(byNextDay), byHalves) / STEPS_A_DAY;
}

it(
	`${WEEKS} weeks of polls and creations under faults hold no more at their end than at their beginning`,
	async () => {
		const weeks = new Weeks();
		await weeks.poll();
		// The timer of the wait itself is one.
		const idle = resources() + 1;
		weeks.setFaults(true);
		const days: Day[] = [];
		while (days.length < DAYS) days.push(await weeks.day(idle));
		weeks.setFaults(false);
		for (let poll = 0; poll < STEPS_A_DAY; poll++) await weeks.poll();

		const later = days.slice(WARM_UP_DAYS);
		const objectsAPoll = growthOf(later.map(({ objects }) => objects));
		const bytesAPoll = growthOf(later.map(({ heap }) => heap));
		const heaps = days.map(({ heap }) => (heap / 1024 ** 2).toFixed(1));
		process.stdout.write(
			`${DAYS * STEPS_A_DAY} polls (${weeks.failedPolls} failed), ${weeks.rows} rows (${weeks.booked} booked), ` +
				`${weeks.emitted.length} completions; heap in MB by days: ${heaps.join(' ')}; ` +
				`objects: ${days.map(({ objects }) => objects).join(' ')}; ` +
				`for each poll ${objectsAPoll.toFixed(3)} objects, ${bytesAPoll.toFixed(0)} bytes\n`,
		);
		// Each completion is emitted once, whatever went wrong.
		expect([...weeks.emitted].sort()).toEqual([...weeks.completed].sort());
		expect(weeks.failedPolls).toBeGreaterThan(0);
		expect(weeks.booked).toBeGreaterThan(weeks.rows / 2);
		const left = Math.max(...days.map((day) => day.resources));
		const listeners = new Set(later.map((day) => day.listeners));
		const grown = [
			objectsAPoll > MAX_OBJECTS_A_POLL ? `by ${objectsAPoll.toFixed(2)} objects a poll` : '',
			bytesAPoll > MAX_BYTES_A_POLL ? `the heap by ${bytesAPoll.toFixed(0)} bytes a poll` : '',
			left > idle ? `timers and sockets to ${left} from ${idle}` : '',
			listeners.size > 1 ? `listeners: ${[...listeners].join(', ')}` : '',
		].filter(Boolean);
		expect(grown).toEqual([]);
	},
	WEEKS * 1_200_000,
);
