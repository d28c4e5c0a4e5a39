import { quantile } from 'simple-statistics';
import { COMPLETED, DECLINED, isFinal } from '../nodes/TractorBooking/api/status';
import { ServiceError } from '../nodes/TractorBooking/api/errors';
import type { Source } from '../nodes/TractorBooking/trigger/scan/reader';
import { DAY_MS } from '../nodes/TractorBooking/parse/dates';
import { Random, SEED } from '../sandbox/random.cts';
import { BookingList } from '../test/trigger/bookingList.cts';
import { START, Watcher } from '../test/trigger/polling.cts';
import type { Note } from '../tools/progress.cts';
import { tableOf } from './table.cts';

const HOUR_MS = DAY_MS / 24;
const MINUTE_MS = HOUR_MS / 60;
const POLLS_A_DAY = 24 * 60;

/** Bookings at the beginning, and how many are made each day. */
const BOOKINGS = 60_000;
const A_DAY = 300;

/** So many old ones are open for ever. */
const FORGOTTEN = 500;

const PAGE_SIZE = 25;

/** In one poll of so many, requests fail from some request on. */
const FAILS_ONE_IN = 5;

const FAILURES = [
	new ServiceError('unreachable', 'No connection'),
	new ServiceError('rateLimited', 'Too many requests', { status: 429 }),
	new ServiceError('server', 'The service failed', { status: 500 }),
	new ServiceError('timeout', 'No answer in time'),
];

/** Polls after which a change that was not told counts as missed. */
const MISSED_AFTER = 1_000;

type Order = 'newest' | 'oldest' | 'random';

interface Booking {
	id: number;
	madeMs: number;
	serviceDate: string;
	/** When it is completed or declined. */
	endMs: number;
	end: number;
}

/**
 * A booking and what becomes of it. Its service date is at most six days ahead. 80 % are completed on it, 17 % in the
 * three days after it, and 3 % later; of 20, one is declined before it.
 */
function bookingOf(id: number, madeMs: number, random: Random): Booking {
	const day = Math.floor(madeMs / DAY_MS) + random.integer(7);
	const serviceDate = new Date(day * DAY_MS).toISOString().slice(0, 10);
	const isDeclined = random.integer(20) === 0;
	const chance = random.next();
	const late = chance < 0.8 ? 0 : chance < 0.97 ? 1 + random.integer(3) : 4 + random.integer(10);
	const completedMs = (day + late) * DAY_MS + (7 + 12 * random.next()) * HOUR_MS;
	const declinedMs = madeMs + random.next() * (day * DAY_MS + DAY_MS / 2 - madeMs);
	const endMs = Math.max(isDeclined ? declinedMs : completedMs, madeMs + HOUR_MS);
	return { id, madeMs, serviceDate, endMs, end: isDeclined ? DECLINED : COMPLETED };
}

function bookingsOf(count: number, random: Random): Booking[] {
	const bookings: Booking[] = [];
	for (let id = 1; id <= count; id++)
		bookings.push(bookingOf(id, START + ((id - BOOKINGS) * DAY_MS) / A_DAY, random));
	for (let left = FORGOTTEN; left > 0; left--) {
		const booking = bookings[random.integer(BOOKINGS / 2)];
		if (booking) booking.endMs = Infinity;
	}
	return bookings;
}

/** A service whose list fails from some request on, until it is mended. */
class Service {
	readonly list = new BookingList({ cap: PAGE_SIZE });

	/** Requests until it fails. */
	left = Infinity;

	failure?: ServiceError;

	readonly source: Source = {
		readPage: async (page, size) => {
			this.spend();
			return await this.list.readPage(page, size);
		},
		readBooking: async (key) => {
			this.spend();
			return await this.list.readBooking(key);
		},
	};

	constructor(
		bookings: readonly Booking[],
		private readonly order: Order,
		private readonly random: Random,
	) {
		for (const { id, serviceDate } of bookings) this.list.serviceDates.set(id, serviceDate);
		const ids = Array.from({ length: BOOKINGS }, (_, at) => at + 1);
		if (order !== 'oldest') ids.reverse();
		const places = new Map(ids.map((id) => [id, random.next()]));
		if (order === 'random')
			ids.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
		this.list.fill(ids, (id) => {
			const { endMs = 0, end } = bookings[Number(id) - 1] ?? {};
			return endMs <= START ? end : 6;
		});
	}

	add({ id, madeMs }: Booking): void {
		const made = new Date(madeMs).toISOString();
		const { list, order, random } = this;
		list.set(id, 0, order === 'oldest' ? 'end' : 'front', made, made);
		if (order !== 'random') return;
		list.order.shift();
		list.order.splice(random.integer(list.order.length), 0, id);
	}

	end({ id, endMs, end }: Booking): void {
		this.list.set(id, end, 'front', new Date(endMs).toISOString());
	}

	private spend(): void {
		this.left -= 1;
		if (this.left < 0 && this.failure) throw this.failure;
	}
}

/** Bookings by the poll before which they are made, or end. */
function byPoll(bookings: readonly Booking[], moment: 'madeMs' | 'endMs'): Map<number, Booking[]> {
	const polls = new Map<number, Booking[]>();
	for (const booking of bookings) {
		const poll = Math.ceil((booking[moment] - START) / MINUTE_MS);
		const some = polls.get(poll) ?? [];
		polls.set(poll, some);
		some.push(booking);
	}
	return polls;
}

/**
 * Some days of a large organisation, polled each minute. Polls fail; n8n is killed twice a day and comes back with what it
 * saved last; once, a backup of an hour ago is restored; the clock is wrong for some hours of each day.
 */
async function simulate(order: Order, days: number, note: Note) {
	const random = new Random(SEED);
	const bookings = bookingsOf(BOOKINGS + A_DAY * days, random);
	const service = new Service(bookings, order, random);
	const { list } = service;
	const watcher = new Watcher(service.source, {
		watch: [{ event: 'bookingCompleted' }, { event: 'bookingDeclined' }],
		repeatsAfterRestart: false,
	});
	const made = byPoll(bookings, 'madeMs');
	const ends = byPoll(bookings, 'endMs');
	const polls = days * POLLS_A_DAY;
	const restoredAt = Math.floor(0.6 * days * 24) * 60 + 10;
	/** The poll before which each booking ended, and the one that told it. */
	const ended = new Map<unknown, number>();
	const told = new Map<unknown, number>();
	let [repeated, invented, cpuMs] = [0, 0, 0];
	const start = (state: typeof watcher.kept) => {
		watcher.kept = structuredClone(state);
		watcher.restart();
	};
	await watcher.poll(5_000);
	let saved = structuredClone(watcher.kept);
	let backup = saved;
	const before = list.requests;
	for (let poll = 1; poll <= polls; poll++) {
		const nowMs = START + poll * MINUTE_MS;
		for (const booking of made.get(poll) ?? []) service.add(booking);
		for (const one of ends.get(poll) ?? []) {
			service.end(one);
			ended.set(one.id, poll);
		}
		const fails = random.integer(FAILS_ONE_IN) === 0;
		service.left = fails ? random.integer(40) : Infinity;
		service.failure = random.pick(FAILURES);
		if (poll % (POLLS_A_DAY / 2) === 333) start(saved);
		if (poll === restoredAt) start(backup);
		if (poll % 60 === 0) backup = saved;
		const isMoved = poll % POLLS_A_DAY > 900 && poll % POLLS_A_DAY < 1_100;
		watcher.nowMs = nowMs + (isMoved ? HOUR_MS : 0);
		const { user, system } = process.cpuUsage();
		const events = await watcher.poll(500).catch((error: unknown) => {
			if (error instanceof ServiceError) return [];
			throw error;
		});
		const used = process.cpuUsage({ user, system });
		cpuMs += (used.user + used.system) / 1_000;
		for (const { bookingID, bookingStatus } of events) {
			if (!ended.has(bookingID) || list.get(Number(bookingID)) !== bookingStatus) invented += 1;
			else if (told.has(bookingID)) repeated += 1;
			else told.set(bookingID, poll);
		}
		if (events.length > 0) saved = structuredClone(watcher.kept);
		if (poll % 100 === 0) note(`${order} first, poll ${poll} of ${polls}`);
	}
	const waits = [...told].map(([id, poll]) => poll - (ended.get(id) ?? NaN));
	const missed = [...ended].filter(([id, poll]) => !told.has(id) && poll < polls - MISSED_AFTER);
	return {
		'first in the list': order,
		days,
		events: told.size,
		missed: missed.length,
		invented,
		'once more after the backup': repeated,
		'median, polls': quantile(waits, 0.5),
		'95 %': quantile(waits, 0.95),
		worst: Math.max(...waits),
		'open at the end': list.order.filter((id) => !isFinal(list.get(id))).length,
		'requests a poll': (list.requests - before) / polls,
		'CPU ms': cpuMs / polls,
		bytes: watcher.text.length,
	};
}

/** The order of the list, and for how many days it is polled. */
const WORKS: Array<[Order, number]> = [
	['newest', 7],
	['oldest', 7],
	['random', 2],
];

/** How late events are in a list that is too long to be read at each poll. Needs no n8n. */
export async function measureWeek(scale: number, note: Note): Promise<string[]> {
	const rows: Array<Awaited<ReturnType<typeof simulate>>> = [];
	for (const [order, days] of WORKS)
		rows.push(await simulate(order, Math.ceil(days * scale), note));
	return [
		'## A week',
		`${BOOKINGS} bookings, ${PAGE_SIZE} a page; each day ${A_DAY} are made, and about as many end; ${FORGOTTEN} are open for ever. A poll a minute: one in ${FAILS_ONE_IN} fails at some request, n8n is killed twice a day, a backup of an hour ago is restored, the clock is moved. An event is late by so many polls:`,
		tableOf(rows),
	];
}
