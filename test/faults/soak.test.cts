import '../support/shortPauses.cts';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { POLL_POLICY } from '../../nodes/TractorBooking/api/client';
import { Random } from '../../sandbox/random.cts';
import { credentialsOf, perform } from '../support/action.cts';
import { dayFromNow, farmers, fromFarmers } from '../support/bookings.cts';
import { trigger } from '../support/engine.cts';
import { simulateDate } from '../support/virtualClock.cts';
import { skipped } from '../support/waits.cts';
import { bookedTwice } from './judge.cts';
import type { Exchange, Strike, World } from './service.cts';
import { always, doneThenCut, doneThenReset, faultyServiceForTests, reset } from './service.cts';

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

/** In which code is compiled and caches are filled. */
const WARM_UP_DAYS = 8;

const service = faultyServiceForTests(200);

beforeAll(() => {
	POLL_POLICY.timeoutMs = 200;
	// So is the node's own clock, see `poll()`.
	simulateDate();
});
afterAll(() => jest.useRealTimers());

/** What may go wrong with a request. */
const STRIKES: readonly Strike[] = [
	reset,
	always({ status: 500, body: { error: 'it is odd' } }),
	always({ status: 401, body: { detail: 'No.' } }),
	always({ status: 429, headers: { 'Retry-After': '0' } }),
	always({ body: '' }),
	doneThenCut,
	doneThenReset,
	// Servers close what hangs after a while.
	({ socket }) => void socket.setTimeout(400, () => socket.destroy()),
];

/** From one status to the next, until completed. */
const NEXT_STATUS: Record<number, number> = { 0: 1, 1: 2, 2: 6, 6: 3 };

/** What one day ends with: objects, lists and functions among them, and what keeps a process alive. */
interface Day {
	objects: number;
	/** Timers and sockets. */
	resources: number;
}

const resources = () => process.getActiveResourcesInfo().length;

/** @param idle resources that are there while nothing runs */
async function measure(idle: number): Promise<Day> {
	// What hangs ends after a while, unless it is never let go.
	for (let wait = 0; wait < 100 && resources() > idle; wait++)
		await new Promise((resolve) => setTimeout(resolve, 100));
	collectGarbage();
	collectGarbage();
	return { objects: queryObjects(Object, { format: 'count' }), resources: resources() };
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
 * By how many objects a day ends with more than the one before, for each poll: the median, since what is loaded once, such
 * as a part of a library at the first fault of its kind, shows on one day, and a leak on all.
 */
function growthOf(days: readonly Day[]): number {
	const daily = days.slice(1).map(({ objects }, at) => objects - (days[at]?.objects ?? NaN));
	const sorted = daily.sort((a, b) => a - b);
	return (sorted[Math.floor(sorted.length / 2)] ?? NaN) / STEPS_A_DAY;
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

		const growth = growthOf(days.slice(WARM_UP_DAYS));
		process.stdout.write(
			`${DAYS * STEPS_A_DAY} polls (${weeks.failedPolls} failed), ${weeks.rows} rows (${weeks.booked} booked), ` +
				`objects: ${days.map(({ objects }) => objects).join(' ')}; for each poll ${growth.toFixed(3)}\n`,
		);
		// Each completion is emitted once, whatever went wrong.
		expect([...weeks.emitted].sort()).toEqual([...weeks.completed].sort());
		expect(weeks.failedPolls).toBeGreaterThan(0);
		expect(weeks.booked).toBeGreaterThan(weeks.rows / 2);
		expect(growth).toBeLessThanOrEqual(MAX_OBJECTS_A_POLL);
		expect(Math.max(...days.map((day) => day.resources))).toBeLessThanOrEqual(idle);
	},
	WEEKS * 1_200_000,
);
