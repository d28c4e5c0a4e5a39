import type { IDataObject } from 'n8n-workflow';

import { pause, untilAborted } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import { createBooking } from '../../../../api/endpoints';
import { isTransient, ServiceError } from '../../../../api/errors';
import { keyOfBooking } from '../../../../api/identifiers';
import { existingBookings } from '../match/existingBookings';
import type { KnownBookings, LostRow } from '../match/knownBookings';
import { knownBookingsOf } from '../match/knownBookings';
import { findLost } from '../match/lostRows';
import { ListRefresher } from './listRefresher';
import { matchRows } from '../match/match';
import { readList } from '../match/readBookings';
import type { CheckedRow, FinishedRow, ReadyRow } from '../row';
import { finished, isCompared, isFailure } from '../row';
import { matchKey } from '../match/rowKey';
import { asUnknown, notSent, MAX_EQUAL_FAILURES, reasonToEnd } from './sendRow';

/** Rows that are under way at most. */
const MAX_UNDER_WAY = 4;

/**
 * A row is sent once the one before it has its response, at the latest so many milliseconds after it: creations are limited
 * to 50 a minute (interface, "Limits"), and faster, they would be refused.
 */
const INTERVAL_MS = 60_000 / 50;

/** Delays before each search for the bookings of lost responses: the service may make or list them late. */
const SEARCH_DELAYS_MS = [1_000, 3_000, 6_000, 20_000];

/** What sending works with. */
export interface SendOptions {
	client: ServiceClient;
	/** IANA name of the workflow's timezone. */
	timezone: string;
	/** How many bookings were listed when the rows were compared with them, see `KnownBookings`. */
	comparedTo: number;
	/** Whether the others are sent after a row that failed. */
	continues: boolean;
	warn: (text: string) => void;
}

/** The result of a row that is only to be checked; undefined for one that is to be sent. */
const onlyChecked = (row: ReadyRow): FinishedRow | undefined =>
	row.settings.dryRun ? finished(row, { result: 'would create' }) : undefined;

/** Sends the rows that are ready, as many at a time as the limit of the service can use. */
class RowSender {
	/** By item; a hole for each row that was not sent. */
	readonly finished: Array<FinishedRow | undefined>;

	/** The rows that are to be sent. */
	private readonly rows: readonly ReadyRow[];

	/** Those of which no request was sent, or none that the rate limit let through. */
	private readonly waiting: Set<ReadyRow>;

	/** In the order of their results. */
	private readonly done: FinishedRow[] = [];

	/** The rows whose bookings are searched for: what came instead of a response, and why none is found yet. */
	private readonly lost = new Map<ReadyRow, { failure: ServiceError; why: string }>();

	/** Why the other rows are left out. */
	private reason?: string;

	private isOver = false;

	/** How many bookings were listed when the rows were last compared. */
	private comparedTo: number;

	private readonly known: KnownBookings;

	private readonly refresher: ListRefresher;

	constructor(
		rows: readonly CheckedRow[],
		private readonly options: SendOptions,
	) {
		this.rows = rows
			.filter((row) => row.kind === 'ready')
			.filter(({ settings }) => !settings.dryRun);
		this.waiting = new Set(this.rows);
		this.finished = rows.map((row) => (row.kind === 'ready' ? onlyChecked(row) : row));
		this.comparedTo = options.comparedTo;
		this.known = knownBookingsOf(options.client);
		this.refresher = new ListRefresher(
			options.client,
			async () => await this.matchNew(true),
			options.warn,
		);
	}

	async run(): Promise<void> {
		const running = new Map<ReadyRow, Promise<void>>();
		const queue = [...this.rows];
		// A service that sends no response gets no more rows before it is seen what became of these.
		const maxLost = this.options.continues ? MAX_EQUAL_FAILURES : 1;
		for (;;) {
			const isHeld = this.isOver || this.lost.size >= maxLost || running.size >= MAX_UNDER_WAY;
			// Rows of one key go one after the other, so that a lost booking can be told from that of another row.
			const keys = new Set([...running.keys()].map(matchKey));
			const index = isHeld ? -1 : queue.findIndex((row) => !keys.has(matchKey(row)));
			const [row] = index < 0 ? [] : queue.splice(index, 1);
			if (row) {
				const responded = new AbortController();
				const work = this.work(row).finally(() => {
					running.delete(row);
					responded.abort();
				});
				running.set(row, work);
				await untilAborted(responded.signal, INTERVAL_MS);
			} else if (running.size > 0) {
				await Promise.race(running.values());
			} else if (this.lost.size > 0) {
				await this.searchLost();
			} else {
				return;
			}
		}
	}

	private async work(row: ReadyRow): Promise<void> {
		if (!this.waiting.has(row)) return;
		const done = this.reason ? notSent(row, this.reason) : await this.send(row);
		// Another run may have booked it meanwhile.
		if (done && this.finished[row.itemIndex] === undefined) this.finish(row, done);
	}

	private finish(row: ReadyRow, done: FinishedRow): void {
		this.waiting.delete(row);
		this.lost.delete(row);
		this.finished[row.itemIndex] = done;
		this.done.push(done);
		this.reason ??= reasonToEnd(this.done);
		if (isFailure(done) && !this.options.continues) this.isOver = true;
	}

	/**
	 * Sends a row once, and never again: no response does not mean that it was not booked, and the interface has no key by
	 * which the service could recognise a repeated request.
	 *
	 * @returns undefined if the response was lost, and the booking is to be searched for
	 */
	private async send(row: ReadyRow): Promise<FinishedRow | undefined> {
		const { known } = this;
		let sent: LostRow | undefined;
		let listed = 0;
		const response = await createBooking(this.options.client, row.request, async () => {
			const isStillWanted = await this.isStillWanted(row);
			({ listed } = known);
			// Else nothing tells which bookings were there before.
			const place = isCompared(row) ? listed : undefined;
			sent = isStillWanted ? { row, sentAt: Date.now(), place } : undefined;
			return isStillWanted;
		})
			.then((booking) => this.remember(row, booking, listed))
			.catch((thrown: unknown) => this.failureOf(thrown));
		if (!(response instanceof ServiceError)) {
			return finished(row, { result: 'created', booking: response });
		}
		if (!sent || !response.outcomeUnknown) {
			const isUnsent = response.kind === 'stopped' || response.outcomeUnknown;
			return finished(row, { result: isUnsent ? 'not sent' : 'failed', failure: response });
		}
		known.lose(sent);
		if (sent.place === undefined)
			return asUnknown(row, response, 'the row was not compared with the bookings before');
		this.lost.set(row, { failure: response, why: 'the list of bookings does not show it yet' });
		return undefined;
	}

	/**
	 * Remembers the booking of a row.
	 *
	 * @param listed how many bookings were listed when it was sent
	 * @throws ServiceError if it is an older one: then nothing tells whether this row was booked
	 */
	private remember(row: ReadyRow, booking: IDataObject, listed: number): IDataObject {
		const key = keyOfBooking(booking);
		if (this.known.isKnown(key, listed))
			throw new ServiceError(
				'unreadable',
				`The service answered with booking ${key}, which was there before`,
			);
		if (key !== undefined) this.known.remember(key, row.request);
		return booking;
	}

	/** What was thrown while a row was sent; after what is no failure of the service, no other row is sent. */
	private failureOf(thrown: unknown): ServiceError {
		if (thrown instanceof ServiceError) return thrown;
		const text = `unexpected failure: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
		this.reason ??= `of an ${text}`;
		return new ServiceError('unreadable', `There was an ${text}`, {
			description: 'Run the rows again; if it stays, report it.',
		});
	}

	/** Whether a row is to be sent now: asked again each time that the rate limit made it wait. */
	private async isStillWanted(row: ReadyRow): Promise<boolean> {
		this.waiting.add(row);
		if (this.rows.some(isCompared)) await this.refresher.beforeRow();
		this.waiting.delete(row);
		if (this.finished[row.itemIndex] !== undefined || this.isOver) return false;
		this.refresher.countSent();
		return true;
	}

	/** Searches for the bookings of lost responses; afterwards, the outcome of the others is unknown. */
	private async searchLost(): Promise<void> {
		let unread: ServiceError | undefined;
		for (const ms of SEARCH_DELAYS_MS) {
			if (this.lost.size === 0) return;
			await pause(ms, this.options.client.signal);
			unread = await this.matchNew(false).then(
				() => undefined,
				(thrown: unknown) => this.failureOf(thrown),
			);
			if (unread && !isTransient(unread)) break;
		}
		for (const [row, { failure, why }] of this.lost)
			this.finish(row, asUnknown(row, failure, unread?.message ?? why));
	}

	/**
	 * Assigns the bookings that have appeared to rows whose responses were lost, and to rows that another run books, too.
	 *
	 * @param isQuick see `EndOptions`
	 * @returns whether another run books the same rows
	 * @throws ServiceError
	 */
	private async matchNew(isQuick: boolean): Promise<boolean> {
		const { client, timezone } = this.options;
		const { known, rows } = this;
		await readList(client, known, { isQuick });
		this.resolveLost();
		const arrived = known.arrivedSince(this.comparedTo);
		this.comparedTo = known.listed;
		if (arrived.length === 0) return false;
		let isOther = false;
		const existing = existingBookings(arrived, known.format.in(timezone));
		for (const [index, found] of matchRows(rows, existing).entries()) {
			const row = rows[index];
			if (!row || found.kind !== 'finished' || found.earlier) continue;
			if (this.waiting.has(row)) {
				const reason = `another run booked it meanwhile: ${found.reason}`;
				this.finish(row, found.failure ? found : { ...found, reason });
				isOther = true;
			} else if (this.finished[row.itemIndex]?.booking) {
				// A booking of a row that this run has booked itself tells of another run in step with it.
				isOther = true;
			}
		}
		return isOther;
	}

	private resolveLost(): void {
		for (const { row, booking, doubt } of findLost(this.known, this.options.timezone)) {
			const lost = this.lost.get(row);
			if (doubt) {
				if (lost) lost.why = doubt;
				continue;
			}
			this.known.resolveLost(row, booking);
			const reason = 'the response was lost; found among the bookings';
			if (lost) this.finish(row, finished(row, { result: 'created', booking, reason }));
		}
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
