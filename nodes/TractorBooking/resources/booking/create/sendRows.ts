import { pause } from '../../../api/abort';
import { createBooking } from '../../../api/endpoints';
import type { ReadyRow } from './chooseTractors';
import { ExistingBookings } from './existingBookings';
import { named } from './findExisting';
import { keyOfBooking } from './knownBookings';
import type { Surroundings } from './otherRuns';
import { OtherRuns } from './otherRuns';
import type { Pair } from './pairs';
import { candidatesFor, hasKey } from './pairs';
import { readAll, readEnd } from './readBookings';
import type { FinishedRow } from './report';
import { matchKey, wholeKey } from './rowKey';
import type { SentRow } from './sendRow';
import { inDoubt, leftOut, reasonToEnd, sendRow } from './sendRow';

/** A row of which all is known, or that is to be sent. */
export type CheckedRow = Exclude<FinishedRow, SentRow>;

/** Rows that are under way at most. */
const MAX_UNDER_WAY = 4;

/** Creations are limited to 50 a minute (interface, "Limits"): if answers come faster, one at a time is fast enough. */
const INTERVAL_MS = 60_000 / 50;

/** Answers in a row of which all but one must be slow before several rows are sent at a time. */
const MIN_ANSWERS = 5;

/** What sending works with. */
export interface SendOptions extends Surroundings {
	/** Whether the others are sent after a row that failed. */
	continues: boolean;
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

	private readonly others: OtherRuns;

	constructor(
		rows: readonly CheckedRow[],
		private readonly options: SendOptions,
	) {
		const isToSend = (row: CheckedRow): row is ReadyRow =>
			row.kind === 'ready' && !row.settings.validateOnly;
		this.rows = rows.filter(isToSend);
		this.waiting = new Set(this.rows);
		this.finished = rows.map((row) => (isToSend(row) ? undefined : row));
		const resultOf = ({ itemIndex }: ReadyRow) => this.finished[itemIndex];
		const isBooked = (done?: FinishedRow) =>
			done?.kind === 'sent' && done.sent.result === 'created';
		this.others = new OtherRuns(
			{
				all: this.rows,
				isWaiting: (row) => this.waiting.has(row),
				isBooked: (row) => isBooked(resultOf(row)),
				take: (row, found) => this.finish(row, found),
			},
			options,
		);
	}

	async run(): Promise<void> {
		const running = new Set<Promise<void>>();
		const queue = [...this.rows];
		for (;;) {
			const atOnce = this.isSlow ? MAX_UNDER_WAY : 1;
			const mayStart = !this.isOver && running.size < atOnce;
			// Rows of one key go one after the other, so that a lost booking can be told from that of another row.
			const isFree = (row: ReadyRow) => !this.keys.has(matchKey(row).text);
			const index = mayStart ? queue.findIndex(isFree) : -1;
			const [row] = index < 0 ? [] : queue.splice(index, 1);
			if (row && this.waiting.has(row)) {
				const work: Promise<void> = this.work(row).finally(() => running.delete(work));
				running.add(work);
				// Faster than the limit, they would be refused, and the service would be probed one by one.
				if (this.isSlow && !this.reason) await pause(INTERVAL_MS, this.options.client.signal);
			} else if (!row && running.size === 0) {
				return;
			} else if (!row) {
				await Promise.race(running);
			}
		}
	}

	/** Whether answers take longer than the limit leaves between two rows: all of the last ones but one. */
	private get isSlow(): boolean {
		const fast = this.answers.filter((ms) => ms <= INTERVAL_MS);
		return this.answers.length === MIN_ANSWERS && fast.length <= 1;
	}

	private async work(row: ReadyRow): Promise<void> {
		const { text } = matchKey(row);
		this.keys.add(text);
		const done = this.reason ? leftOut(row, this.reason) : await this.send(row);
		this.keys.delete(text);
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
		const isCompared =
			comparedTo !== undefined && settings.ifAlreadyBooked !== 'create' && hasKey(row);
		const doubtSince = isCompared ? known.unknownSince(wholeKey(row)) : undefined;
		if (doubtSince !== undefined) return inDoubt(row, doubtSince, timezone);

		let attempts = 0;
		let sentAt: number | undefined;
		/** Where in `known` the bookings end that were there before. */
		let place = 0;
		const send = async () => {
			attempts += 1;
			let since = performance.now();
			const answer = createBooking(client, request, async () => {
				const isStillWanted = await this.isStillWanted(row);
				since = performance.now();
				if (isStillWanted && attempts === 1) [place, sentAt] = [known.listed, Date.now()];
				return isStillWanted;
			});
			return await answer.finally(() => {
				this.answers = [...this.answers.slice(1 - MIN_ANSWERS), performance.now() - since];
			});
		};
		const search = async (): Promise<Pair[]> => {
			if (!(await readEnd(client, known))) await readAll(client, known);
			const arrived = known.arrivedSince(place).map((record) => named(record));
			return candidatesFor(row, new ExistingBookings(arrived, known.format.in(timezone)));
		};
		const done = await sendRow(row, {
			send,
			search: isCompared ? search : undefined,
			isContended: () => known.isContended(matchKey(row)),
			showsNewBookings: () => known.showsNewBookings,
			signal: client.signal,
		});
		const { sent } = done;
		if (sent.result === 'created') {
			const key = keyOfBooking(sent.booking);
			if (key !== undefined) known.remember(key, request);
		}
		if (sent.result === 'unknown' && sentAt !== undefined)
			known.rememberUnknown(wholeKey(row), matchKey(row), sentAt);
		return done;
	}

	/** Whether a row is to be sent now: asked again each time that the rate limit made it wait. */
	private async isStillWanted(row: ReadyRow): Promise<boolean> {
		this.waiting.add(row);
		await this.others.look();
		this.waiting.delete(row);
		if (this.finished[row.itemIndex] !== undefined || this.isOver) return false;
		this.others.count();
		return true;
	}
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
