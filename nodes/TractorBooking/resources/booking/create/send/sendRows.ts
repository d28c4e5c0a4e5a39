import type { IDataObject } from 'n8n-workflow';

import { pause, untilAborted } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import { createBooking } from '../../../../api/endpoints';
import { isTransient, ServiceError } from '../../../../api/errors';
import { keyOfBooking } from '../../../../api/identifiers';
import { asText } from '../../../../utils/text';
import { BURST, type Claims } from '../claims/claims';
import type { BookedRows } from '../claims/bookedRows';
import { bookingIndexOf, type BookingIndex } from '../match/bookingIndex';
import { ExistingBookings } from '../match/existingBookings';
import { doubtOf } from '../match/match';
import { candidatesFor, pairRows } from '../match/pairs';
import { readList } from '../match/readBookings';
import { matchKey } from '../match/typedRow';
import type { CheckedRow, FinishedRow, ReadyRow } from '../row';
import { finished, isCompared, isFailure } from '../row';

/** Failures with the same error after which a service that has accepted no row is not asked again. */
const MAX_EQUAL_FAILURES = 5;

/** Rows that are under way at most. */
const MAX_UNDER_WAY = 4;

/** The next rows are claimed once only this many claimed ones are left, which are sent meanwhile. */
const CLAIM_AHEAD = 2;

/**
 * A row is sent once the one before it has its response, at the latest this many milliseconds after it: creations are limited
 * to 50 a minute (interface, "Limits"), and faster, they would be refused.
 */
const INTERVAL_MS = 60_000 / 50;

/** Delays before each search for bookings that the list does not show yet: the service may make or list them late. */
const SEARCH_DELAYS_MS = [1_000, 3_000, 6_000, 20_000];

const TOO_LATE = 'n8n was stopped for so long that another run may have booked it';

const textOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** A row whose booking is searched for. */
interface Missing {
	/** How many bookings were listed before it was sent. */
	listedBefore: number;
	/** What came in place of a response; undefined if another run has claimed the row. */
	failure?: ServiceError;
	/** When the claim of another run ends, in milliseconds since 1970. */
	claimedUntil?: number;
	/** Why its booking is not found yet. */
	why: string;
}

/** The row as one whose response was lost. @param why it could not be found out whether it was booked */
function asUnknown(row: ReadyRow, lost: ServiceError, why: string): FinishedRow {
	const message = `It is unknown whether this row was booked: ${lost.message}`;
	const failure = new ServiceError(lost.kind, message, {
		status: lost.status,
		description: `It could not be found out: ${why}. Run the rows again after 20 minutes, as they are, with If Already Booked set to Skip: by then the list of bookings shows it, or it was not booked. Or look the booking up with Booking > Get Many first.`,
	});
	return finished(row, { result: 'unknown', failure });
}

/** The row as one that is not sent. */
function notSent(row: ReadyRow, why: string): FinishedRow {
	const failure = new ServiceError('stopped', `Not sent, because ${why}`, {
		description: 'Run the rows again once this is fixed.',
	});
	return finished(row, { result: 'not sent', failure });
}

/** Why the rows after these are not to be sent; undefined if they are to be sent. @param rows those that were sent */
function reasonToEnd(rows: readonly FinishedRow[]): string | undefined {
	const last = rows.at(-1);
	if (!(last?.failure instanceof ServiceError)) return undefined;
	const { kind, message } = last.failure;
	if (kind === 'notAllowed') return `the service refused row ${last.sheetRow}: ${message}`;
	const failures = rows.slice(-MAX_EQUAL_FAILURES);
	const isSystematic =
		failures.length === MAX_EQUAL_FAILURES &&
		failures.every(({ failure }) => failure?.message === message) &&
		rows.every(({ result }) => result !== 'created');
	return isSystematic
		? `the previous ${MAX_EQUAL_FAILURES} rows failed with the same error: ${message}`
		: undefined;
}

/** What sending works with. */
export interface SendOptions {
	client: ServiceClient;
	claims: Claims;
	bookedRows: BookedRows;
	/** IANA name of the workflow's timezone. */
	timezone: string;
	/** How many bookings were listed when the rows were compared with them, see `BookingIndex`. */
	comparedTo: number;
	/** Whether the others are sent after a row that failed. */
	continues: boolean;
	warn: (text: string) => void;
}

/** Sends the rows that are ready, as many at a time as the limit of the service can use. */
class RowSender {
	/** By item; a hole for each row that was not sent. */
	readonly finished: Array<FinishedRow | undefined>;

	/** The rows that are to be sent. */
	private readonly ready: readonly ReadyRow[];

	/** Those of them that were not begun. */
	private queue: readonly ReadyRow[];

	private claiming?: Promise<void>;

	/** In the order of their results. */
	private readonly done: FinishedRow[] = [];

	private readonly missing = new Map<ReadyRow, Missing>();

	/** Why the other rows are left out. */
	private reason?: string;

	private isOver = false;

	private readonly index: BookingIndex;

	constructor(
		rows: readonly CheckedRow[],
		private readonly options: SendOptions,
	) {
		this.ready = rows
			.filter((row) => row.kind === 'ready')
			.filter(({ settings }) => !settings.dryRun);
		this.queue = this.ready;
		this.finished = rows.map((row) => {
			const { dryRun, ifPossibleDuplicate } = row.settings;
			if (row.kind === 'ready')
				return dryRun ? finished(row, { result: 'would create' }) : undefined;
			// What was skipped on suspicion is not booked for certain, and what was typed may be over the row of another job.
			if (row.rowId && row.booking && ifPossibleDuplicate !== 'skip' && !dryRun)
				options.bookedRows.note(row, row.booking);
			return row;
		});
		this.index = bookingIndexOf(options.client);
	}

	async run(): Promise<void> {
		const running = new Map<ReadyRow, Promise<void>>();
		for (;;) {
			await this.renewClaims();
			const row = this.isHeld(running.size) ? undefined : await this.nextRow([...running.keys()]);
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
			} else if (this.missing.size > 0) {
				await this.search();
			} else {
				break;
			}
		}
		await this.claiming;
		const isUnsent = ({ itemIndex }: ReadyRow) =>
			!['created', 'unknown'].includes(this.finished[itemIndex]?.result ?? '');
		await this.giveBack(this.ready.filter(isUnsent));
		await this.recordBooked();
	}

	private async recordBooked(): Promise<void> {
		await this.options.bookedRows
			.record()
			.catch(this.warnThat('The Row IDs of this run may not be remembered'));
	}

	private async renewClaims(): Promise<void> {
		await this.options.claims.renew().catch((thrown: unknown) => void this.failureOf(thrown));
	}

	private async giveBack(rows: readonly ReadyRow[]): Promise<void> {
		await this.options.claims
			.giveBack(rows)
			.catch(this.warnThat('Some rows stay unknown for up to 20 minutes'));
	}

	private readonly warnThat = (text: string) => (thrown: unknown) =>
		this.options.warn(`${text}: ${textOf(thrown)}`);

	/** Whether no row is to be sent now. */
	private isHeld(underWay: number): boolean {
		const lost = [...this.missing.values()].filter(({ failure }) => failure).length;
		// A service that sends no response gets no more rows before it is seen what became of these.
		const maxLost = this.options.continues ? MAX_EQUAL_FAILURES : 1;
		return this.isOver || lost >= maxLost || underWay >= MAX_UNDER_WAY;
	}

	/** Takes the next row out of the queue, once it is claimed; undefined if there is none to be sent now. */
	private async nextRow(running: readonly ReadyRow[]): Promise<ReadyRow | undefined> {
		// Rows of one key go one after the other, so that a lost booking can be told from that of another row.
		const keys = new Set(running.map(matchKey));
		for (;;) {
			const at = this.queue.findIndex((row) => !keys.has(matchKey(row)));
			const row = this.queue[at];
			if (!row) return undefined;
			if (this.needsClaim(row)) {
				await this.claimFrom(at);
				continue;
			}
			this.queue = this.queue.filter((other) => other !== row);
			const next = this.queue.findIndex((other) => this.needsClaim(other));
			const claimed = this.queue.filter((other) => this.options.claims.holds(other)).length;
			if (next >= 0 && claimed <= CLAIM_AHEAD) void this.claimFrom(next);
			return row;
		}
	}

	private needsClaim(row: ReadyRow): boolean {
		const { claims } = this.options;
		const isEnding = this.reason !== undefined || this.isOver;
		return !isEnding && claims.covers(row) && !claims.holds(row);
	}

	/** Claims the next rows of the queue, unless some are being claimed. @param at the place of the first one */
	private async claimFrom(at: number): Promise<void> {
		const next = this.queue.slice(at, at + BURST).filter((row) => this.needsClaim(row));
		this.claiming ??= this.claim(next).finally(() => (this.claiming = undefined));
		await this.claiming;
	}

	/** Claims rows; those that another run has claimed are searched for in the end. */
	private async claim(rows: readonly ReadyRow[]): Promise<void> {
		const { claims, bookedRows } = this.options;
		try {
			await bookedRows.record();
			const taken = await claims.take(rows);
			this.queue = this.queue.filter((row) => !taken.has(row));
			for (const [row, claimedUntil] of taken)
				this.missing.set(row, { listedBefore: this.options.comparedTo, claimedUntil, why: '' });
		} catch (thrown) {
			this.reason ??= textOf(thrown);
		}
	}

	private async work(row: ReadyRow): Promise<void> {
		const done = this.reason ? notSent(row, this.reason) : await this.send(row);
		if (!done) return;
		if (done.result !== 'created' && done.result !== 'unknown') await this.giveBack([row]);
		this.finish(row, done);
	}

	private finish(row: ReadyRow, done: FinishedRow): void {
		this.missing.delete(row);
		if (done.booking) this.options.bookedRows.note(row, done.booking);
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
		const { client, claims } = this.options;
		let isSent = false;
		let listedBefore = 0;
		const response = await createBooking(client, row.request, async () => {
			// Asked again each time that the rate limit made it wait.
			listedBefore = this.index.listed;
			if (claims.hasEnded(row)) this.reason ??= TOO_LATE;
			isSent = !this.isOver && this.reason === undefined;
			return await Promise.resolve(isSent);
		})
			.then((booking) => this.remember(row, booking, listedBefore))
			.catch((thrown: unknown) => this.failureOf(thrown));
		if (!(response instanceof ServiceError))
			return finished(row, { result: 'created', booking: response });
		if (!isSent && this.reason) return notSent(row, this.reason);
		if (!isSent || !response.outcomeUnknown) {
			const isUnsent = response.kind === 'stopped' || response.outcomeUnknown;
			return finished(row, { result: isUnsent ? 'not sent' : 'failed', failure: response });
		}
		if (!isCompared(row))
			return asUnknown(row, response, 'the row was not compared with the bookings before');
		const why = 'the list of bookings does not show it yet';
		this.missing.set(row, { listedBefore, failure: response, why });
		await claims.noteLost().catch((thrown: unknown) => void this.failureOf(thrown));
		return undefined;
	}

	/**
	 * Remembers the booking of a row.
	 *
	 * @param listedBefore how many bookings were listed when it was sent
	 * @throws ServiceError if it is an older one: then nothing tells whether this row was booked
	 */
	private remember(row: ReadyRow, booking: IDataObject, listedBefore: number): IDataObject {
		const key = keyOfBooking(booking);
		if (this.index.isKnown(key, listedBefore))
			throw new ServiceError(
				'unreadable',
				`The service answered with booking ${key}, which was there before. If it does so each time, it makes no second booking of this kind: change the row or remove it, or ask the operator of the service`,
			);
		if (key !== undefined) this.index.remember(key, row);
		return booking;
	}

	/** What was thrown while a row was sent, as a failure. After an unexpected one, no other row is sent. */
	private failureOf(thrown: unknown): ServiceError {
		if (thrown instanceof ServiceError) return thrown;
		const text = `unexpected failure: ${textOf(thrown)}`;
		this.reason ??= `of an ${text}`;
		return new ServiceError('unreadable', `There was an ${text}`, {
			description: 'Run the rows again; if it persists, report it.',
		});
	}

	/** Rules 10 and 11: searches for the bookings of lost responses and of rows that another run claimed; then the others are unknown. */
	private async search(): Promise<void> {
		let unread: ServiceError | undefined;
		for (const ms of SEARCH_DELAYS_MS) {
			if (this.missing.size === 0) return;
			await pause(ms, this.options.client.signal);
			await this.renewClaims();
			const before = this.missing.size;
			unread = await this.findMissing().then(
				() => undefined,
				(thrown: unknown) => this.failureOf(thrown),
			);
			if (this.missing.size < before) await this.recordBooked();
			if (unread && !isTransient(unread)) break;
		}
		for (const [row, { failure, claimedUntil = 0, why }] of this.missing) {
			const unknown = failure
				? asUnknown(row, failure, unread?.message ?? why)
				: this.options.claims.asSentBefore(row, claimedUntil);
			this.finish(row, unknown);
		}
	}

	/** Finishes the rows whose bookings have appeared in the list (interface, "List bookings"). @throws ServiceError */
	private async findMissing(): Promise<void> {
		const { client, timezone, comparedTo } = this.options;
		await readList(client);
		const arrived = this.index.arrivedSince(comparedTo);
		const existing = new ExistingBookings(client, arrived, timezone);
		const isOlder = (booking: IDataObject, { listedBefore }: Missing) =>
			this.index.isKnown(keyOfBooking(booking), listedBefore);
		// What another run has noted decides about the rows that it has claimed.
		const claimed = [...this.missing].filter(([, { failure }]) => !failure).map(([row]) => row);
		const noted = await this.options.bookedRows.again(claimed);
		const candidates = [...this.missing].flatMap(([row, missing]) =>
			candidatesFor(
				row,
				existing,
				missing.failure ? { isNew: true } : noted.beforehandOf(row),
			).filter(({ booking }) => !isOlder(booking, missing)),
		);
		const pairs = pairRows(candidates);
		for (const [row, missing] of this.missing) {
			const pair = pairs.get(row);
			// Meanwhile another row may have turned out to have it.
			if (!pair || isOlder(pair.booking, missing)) continue;
			const { booking } = pair;
			const doubt = doubtOf(pair);
			if (doubt) {
				missing.why = `booking ${asText(booking.bookingID)} may be the one, but ${doubt}`;
				continue;
			}
			const key = keyOfBooking(booking);
			if (key !== undefined) this.index.remember(key, row);
			const [result, reason] = missing.failure
				? (['created', 'the response was lost; found among the bookings'] as const)
				: (['already booked', 'another run booked it meanwhile'] as const);
			this.finish(row, finished(row, { result, booking, reason }));
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
