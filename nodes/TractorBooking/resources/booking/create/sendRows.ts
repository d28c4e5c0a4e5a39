import { pause } from '../../../api/abort';
import type { ServiceClient } from '../../../api/client';
import { createBooking } from '../../../api/endpoints';
import { settle, ServiceError } from '../../../api/errors';
import type { ReadyRow } from './chooseTractors';
import { ExistingBookings } from './existingBookings';
import { findExisting, named } from './findExisting';
import type { KnownBookings } from './knownBookings';
import { keyOfBooking } from './knownBookings';
import { matchRows, wholeKey } from './match';
import { requestKey } from './matchKey';
import { readAll, readEnd } from './readBookings';
import type { FinishedRow } from './report';
import type { Sending } from './sendBooking';
import type { SentRow } from './sendRow';
import { inDoubt, leftOut, reasonToEnd, sendRow } from './sendRow';

/** A row of which all is known, or that is to be sent. */
export type CheckedRow = Exclude<FinishedRow, SentRow>;

/** Rows that are under way at most. */
const MAX_UNDER_WAY = 4;

/** Creations are limited to 50 a minute (interface, "Limits"): if answers come faster, one at a time is fast enough. */
const INTERVAL_MS = 60_000 / 50;

/** Answers in a row that must be slow before several rows are sent at a time. */
const MIN_ANSWERS = 5;

/** The newest end of the list is read again after so many milliseconds, or bookings: after one, two, four and so on. */
const LOOK_MS = 3_000;
const MAX_BURST = 5;

/** A list without an order that has more pages is not read again while rows are sent. */
const MAX_PAGES_TO_LOOK = 10;

/** How long to leave it to another run that books the same rows: random, so that two runs do not go on in step. */
const MIN_YIELD_MS = 5_000;
const MAX_YIELD_MS = 15_000;

/** What sending works with. */
export interface SendOptions {
	client: ServiceClient;
	known: KnownBookings;
	/** IANA name of the workflow's timezone. */
	timezone: string;
	/** Where in `known` the bookings end with which the rows were compared; undefined if they were not compared. */
	comparedTo?: number;
	/** Whether the others are sent after a row that failed. */
	continues: boolean;
	warn: (text: string) => void;
}

/** Sends the rows that are ready, as many at a time as the limit of the service can use. */
class RowSender {
	/** By item; a hole for each row that was not sent. */
	readonly finished: Array<FinishedRow | undefined>;

	/** The rows that are to be sent. */
	private readonly rows: readonly ReadyRow[];

	/** Those of which no request was sent, or none that the rate limit let through. */
	private readonly waiting: Set<ReadyRow>;

	/** The match keys of the rows that are being worked on. */
	private readonly keys = new Set<string>();

	/** Rows that were sent, in the order of their results. */
	private readonly sent: SentRow[] = [];

	/** Why the other rows are left out. */
	private reason?: string;

	private isOver = false;

	/** How long the last answers took, in milliseconds. */
	private answers: number[] = [];

	/** Where in `known` the bookings end with which the waiting rows were compared. */
	private comparedTo: number;

	private sinceLook = 0;

	/** How many bookings may be sent until the next look. */
	private burst = 1;

	private look?: Promise<void>;

	constructor(
		rows: readonly CheckedRow[],
		private readonly options: SendOptions,
	) {
		const isToSend = (row: CheckedRow): row is ReadyRow =>
			row.kind === 'ready' && !row.settings.validateOnly;
		this.rows = rows.filter(isToSend);
		this.waiting = new Set(this.rows);
		this.finished = rows.map((row) => (isToSend(row) ? undefined : row));
		this.comparedTo = options.comparedTo ?? 0;
	}

	async run(): Promise<void> {
		const running = new Set<Promise<void>>();
		const queue = [...this.rows];
		for (;;) {
			const mayStart = !this.isOver && running.size < this.concurrency;
			const index = mayStart ? queue.findIndex((row) => !this.keys.has(keyOf(row))) : -1;
			const [row] = index < 0 ? [] : queue.splice(index, 1);
			if (row && this.waiting.has(row)) {
				const work: Promise<void> = this.work(row).finally(() => running.delete(work));
				running.add(work);
			} else if (!row && running.size === 0) {
				return;
			} else if (!row) {
				await Promise.race(running);
			}
		}
	}

	private get concurrency(): number {
		// One slow answer does not make a slow service.
		const fastest = this.answers.length < MIN_ANSWERS ? 0 : Math.min(...this.answers);
		return Math.min(Math.max(1, Math.ceil(fastest / INTERVAL_MS)), MAX_UNDER_WAY);
	}

	private async work(row: ReadyRow): Promise<void> {
		const key = keyOf(row);
		this.keys.add(key);
		const done = this.reason ? leftOut(row, this.reason) : await this.send(row);
		this.keys.delete(key);
		// Another run may have booked it meanwhile.
		if (this.finished[row.itemIndex] === undefined) this.finish(row, done);
	}

	private finish(row: ReadyRow, done: FinishedRow): void {
		this.waiting.delete(row);
		this.finished[row.itemIndex] = done;
		if (done.kind === 'sent') {
			this.sent.push(done);
			this.reason ??= reasonToEnd(this.sent);
		}
		const hasFailed =
			done.kind === 'sent' ? done.sent.result !== 'created' : done.kind === 'rejected';
		if (hasFailed && !this.options.continues) this.isOver = true;
	}

	private async send(row: ReadyRow): Promise<SentRow> {
		const { client, known, timezone, comparedTo } = this.options;
		const { request, settings } = row;
		const isCompared = comparedTo !== undefined && settings.ifAlreadyBooked !== 'create';
		const doubtSince = isCompared ? known.unknownSince(wholeKey(row)) : undefined;
		if (doubtSince !== undefined) return inDoubt(row, doubtSince, timezone);

		let attempts = 0;
		let sentAt: number | undefined;
		/** Where in `known` the bookings end that were there before. */
		let place = 0;
		const isWanted = async () => {
			const isStillWanted = await this.isStillWanted(row);
			if (isStillWanted && attempts === 1) {
				place = known.listed;
				sentAt = Date.now();
			}
			return isStillWanted;
		};
		const sending: Sending = {
			request,
			matchFields: settings.matchFields,
			send: async () => {
				attempts += 1;
				let since = performance.now();
				const answer = createBooking(client, request, async () => {
					const isStillWanted = await isWanted();
					since = performance.now();
					return isStillWanted;
				});
				return await answer.finally(() => {
					this.answers = [...this.answers.slice(1 - MIN_ANSWERS), performance.now() - since];
				});
			},
			search: async () => {
				if (comparedTo === undefined)
					return await findExisting(client, known, [row], timezone, { withoutMade: true });
				if (!(await readEnd(client, known))) await readAll(client, known);
				return this.existing(place);
			},
			findsNewOnly: comparedTo !== undefined,
			showsNewBookings: () => known.showsNewBookings,
			signal: client.signal,
		};
		const done = await sendRow(row, sending);
		const { sent } = done;
		if (sent.result === 'created') {
			const key = keyOfBooking(sent.booking);
			if (key !== undefined) known.remember(key, request);
		}
		if (sent.result === 'unknown' && sentAt !== undefined)
			known.rememberUnknown(wholeKey(row), sentAt);
		return done;
	}

	/** The bookings that appeared since a place in `known`, and that this process did not make. */
	private existing(place: number): ExistingBookings {
		const { known, timezone } = this.options;
		const records = known.arrivedSince(place).map((record) => named(record));
		return new ExistingBookings(records, timezone, known.samples);
	}

	/** Whether a row is to be sent now: asked again each time that the rate limit made it wait. */
	private async isStillWanted(row: ReadyRow): Promise<boolean> {
		this.waiting.add(row);
		await this.lookForOthers();
		this.waiting.delete(row);
		if (this.finished[row.itemIndex] !== undefined || this.isOver) return false;
		this.sinceLook += 1;
		return true;
	}

	/** Looks whether another process books the same rows, if the last look is some time ago. */
	private async lookForOthers(): Promise<void> {
		if (this.options.comparedTo === undefined) return;
		this.look ??= this.lookNow().finally(() => (this.look = undefined));
		await this.look;
	}

	private async lookNow(): Promise<void> {
		const { client, known, warn } = this.options;
		const { order, firstPage = 1, lastPage = 1 } = known.shape ?? {};
		const isFresh = Math.abs(Date.now() - known.endReadAt) < LOOK_MS;
		if (isFresh && this.sinceLook < this.burst) return;
		if (!order && lastPage - firstPage >= MAX_PAGES_TO_LOOK) return;
		while (!client.signal?.aborted) {
			this.sinceLook = 0;
			this.burst = Math.min(2 * this.burst, MAX_BURST);
			const isOther = await settle(this.takeArrivals());
			if (isOther instanceof ServiceError) {
				// The rows were compared once; that others book them meanwhile is rare.
				known.endReadAt = Date.now();
				warn(`Whether another run books the same rows could not be seen: ${isOther.message}`);
				return;
			}
			if (!isOther) return;
			this.burst = 1;
			const ms = MIN_YIELD_MS + Math.random() * (MAX_YIELD_MS - MIN_YIELD_MS);
			await pause(ms, client.signal);
		}
	}

	/**
	 * Compares the waiting rows with the bookings that appeared; whether one of them is booked.
	 *
	 * @throws ServiceError
	 */
	private async takeArrivals(): Promise<boolean> {
		const { client, known, timezone } = this.options;
		if (!(await readEnd(client, known, { isQuick: true }))) await readAll(client, known);
		const arrived = this.existing(this.comparedTo);
		this.comparedTo = known.listed;
		// Those of other jobs would only raise doubts, such as whether one of them was moved.
		const equal = this.rows.flatMap(({ request, settings: { matchFields } }) => [
			...arrived.matching(request, matchFields),
			...arrived.possibleMatches(request, matchFields).map(({ booking }) => booking),
		]);
		if (equal.length === 0) return false;
		const existing = new ExistingBookings([...new Set(equal)], timezone, known.samples);
		let isOne = false;
		// What appeared may be the booking of a row that is under way, or that was booked twice.
		for (const [index, found] of matchRows(this.rows, existing, []).entries()) {
			const row = this.rows[index];
			if (!row) continue;
			if (!this.waiting.has(row)) {
				// A booking of a row that this run has booked itself tells of another run in step with it.
				const done = this.finished[row.itemIndex];
				const isBooked = done?.kind === 'sent' && done.sent.result === 'created';
				isOne ||= isBooked && found.kind === 'alreadyBooked';
				continue;
			}
			if (found.kind !== 'alreadyBooked' && found.kind !== 'rejected') continue;
			const reason = (text: string) => `another run booked it meanwhile: ${text}`;
			this.finish(
				row,
				found.kind === 'rejected' ? found : { ...found, reason: reason(found.reason) },
			);
			isOne = true;
		}
		return isOne;
	}
}

/** Rows of one key are sent one after the other, so that a lost booking can be told from that of another row. */
function keyOf({ request, settings, itemIndex }: ReadyRow): string {
	return requestKey(request, settings.matchFields)?.text ?? String(itemIndex);
}

/**
 * Sends the rows that are ready.
 *
 * @param rows all rows, in the order of the input
 * @returns what became of each row, by item; a hole for each that was not sent, since the node stops after a failure
 */
export async function sendRows(
	rows: readonly CheckedRow[],
	options: SendOptions,
): Promise<Array<FinishedRow | undefined>> {
	const sender = new RowSender(rows, options);
	await sender.run();
	return sender.finished;
}
