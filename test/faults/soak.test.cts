import '../support/shortPauses.cts';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';

import { POLL_POLICY } from '../../nodes/TractorBooking/api/client';
import { Random } from '../../sandbox/random.cts';
import { credentialsOf, perform } from '../support/action.cts';
import { dayFromNow, farmers, fromFarmers } from '../support/bookings.cts';
import { trigger } from '../support/engine.cts';
import { simulateDate } from '../support/virtualClock.cts';
import { skipped } from '../support/waits.cts';
import type { Strike } from './service.cts';
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

const random = new Random(Number(process.env.FC_SEED ?? 1));
const resources = () => process.getActiveResourcesInfo().length;

/** What happens at a service: a trigger polls it, its bookings go on, and a node books. */
function workAt(world: ReturnType<typeof service.open>) {
	const credentials = credentialsOf({ baseUrl: world.url });
	const parameters = { events: ['bookingCompleted'] };
	const polled = trigger({ workflowId: 'soak', parameters, credentials });
	let rows = 0;
	return {
		/** How many completions it was told of. */
		told: 0,
		async poll(): Promise<void> {
			jest.setSystemTime(Date.now() + STEP_MS);
			skipped.ms += STEP_MS;
			const items = await polled.poll().catch(() => null);
			this.told += items?.length ?? 0;
			// The test's own notes do not count.
			world.requests.length = 0;
		},
		/** At every second step, a booking goes on by one status. */
		change(): void {
			const { bookings } = world;
			const isOver = ({ bookingStatus }: IDataObject) => bookingStatus === 3;
			const open = bookings.filter((booking) => !isOver(booking));
			const booking = open[random.integer(2 * open.length)];
			if (booking) booking.bookingStatus = NEXT_STATUS[booking.bookingStatus as number];
			if (bookings.length > LISTED) bookings.splice(bookings.findIndex(isOver), 1);
		},
		async book(): Promise<void> {
			const sheet = farmers(ROWS, { date: dayFromNow(1) }).map((farmer) => {
				rows += 1;
				return { ...farmer, phone: `+234803${1_000_000 + rows}`, name: `Farmer No ${rows}` };
			});
			const fields = { ...fromFarmers, options: { timeout: 1 } };
			const settings = { rows: sheet, onError: 'continueErrorOutput' } as const;
			await perform(world, 'booking:create', fields, settings);
		},
	};
}

/** What a day ends with: objects, lists and functions among them, and what keeps a process alive, timers and sockets. */
async function measure(idle: number) {
	// What hangs ends after a while, unless it is never let go.
	for (let wait = 0; wait < 100 && resources() > idle; wait++)
		await new Promise((resolve) => setTimeout(resolve, 100));
	collectGarbage();
	collectGarbage();
	return { objects: queryObjects(Object, { format: 'count' }), resources: resources() };
}

it(
	`${WEEKS} weeks of polls and creations under faults hold no more at their end than at their beginning`,
	async () => {
		const world = service.open();
		const work = workAt(world);
		await work.poll();
		// The timer of the wait itself is one.
		const idle = resources() + 1;
		const strike: Strike = (exchange) => STRIKES[random.integer(STRIKES.length)]?.(exchange);
		world.fault = { strike, strikes: () => random.integer(ONE_FAULT_IN) === 0 };
		const days: Array<Awaited<ReturnType<typeof measure>>> = [];
		while (days.length < DAYS) {
			for (let step = 1; step <= STEPS_A_DAY; step++) {
				work.change();
				if (step % (STEPS_A_DAY / CREATIONS_A_DAY) === 0) await work.book();
				await work.poll();
			}
			days.push(await measure(idle));
		}
		// The median: what is loaded once, such as a part of a library at the first fault of its kind, shows on one day, and a
		// leak on all.
		const daily = days
			.slice(WARM_UP_DAYS)
			.map(({ objects }, at) => objects - (days[WARM_UP_DAYS + at - 1]?.objects ?? NaN));
		const growth = daily.sort((a, b) => a - b)[Math.floor(daily.length / 2)] ?? NaN;
		process.stdout.write(`objects: ${days.map(({ objects }) => objects).join(' ')}\n`);
		expect(work.told).toBeGreaterThan(DAYS);
		expect(world.bookings.length).toBeGreaterThanOrEqual(LISTED);
		expect(growth / STEPS_A_DAY).toBeLessThanOrEqual(MAX_OBJECTS_A_POLL);
		expect(Math.max(...days.map((day) => day.resources))).toBeLessThanOrEqual(idle);
	},
	WEEKS * 1_200_000,
);
