import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { callAfter, pause } from '../../../../api/waits';
import { createBooking } from '../../../../api/endpoints';
import { ServiceError, toPlainError } from '../../../../api/errors';
import { MAX_PACED } from '../../../../api/rateLimiter';
import { bookingIdOf, type BookingId } from '../../../../api/records';
import type { Bookings } from '../match/bookings';
import { deniesItself } from '../match/rules';
import { alreadyBooked } from '../match/verdicts';
import type { Claimed } from '../memory/claims';
import type { RowMemory } from '../memory/memory';
import { CHUNK, SEARCH_DELAYS_MS } from '../memory/timing';
import { fits, type Candidate } from '../row/candidates';
import { isFailure, isOpen, type OpenRow, type Row } from '../row/row';
import { failureOf, IF_REFUSED, NOTICES } from '../say/failures';
import { howBooked } from '../say/matches';

/** After this many requests in a row without a response, no other row is sent. */
const MAX_LOST = 5;

interface SendOptions {
	client: ServiceClient;
	bookings: Bookings;
	memory: RowMemory;
	warn: (text: string) => void;
	/** Whether the others are sent after a row that failed. */
	continues: boolean;
}

/** How far the request for a row has come. */
type RequestState = 'not begun' | 'held back' | 'sent';

/** Sends the rows that are ready, chunk after chunk: claim, check, send, record. */
export class RowSender {
	/** What became of rows, by item. */
	private readonly outcomes = new Map<number, Row>();

	/** The bookings that this run has made. */
	private readonly made = new Set<BookingId>();

	/** The rows that are not claimed yet. */
	private queue: OpenRow[];

	/** See {@link Claimed.held}. */
	private held: OpenRow[] = [];

	/** How many requests in a row got no response. */
	private lost = 0;

	/** Why no other row is sent: the failure of those that are left; none if the node stops with that of a row. */
	private stop?: ServiceError | 'at a failure';

	/** @param rows all rows, in the order of the input */
	constructor(
		rows: readonly Row[],
		private readonly options: SendOptions,
	) {
		this.queue = rows.filter(isOpen);
		for (const row of rows) if (!isOpen(row)) this.outcomes.set(row.itemIndex, row);
	}

	/** @returns what became of the rows, in their order; of those that the node did not come to, nothing */
	async run(): Promise<Row[]> {
		while (!this.stop && this.queue.length > 0) await this.sendChunks();
		await this.finishHeld();
		for (const row of this.queue) {
			if (!this.stop || this.stop === 'at a failure') break;
			this.finish(row, { ...row, result: 'not sent', failure: this.stop });
		}
		await this.record();
		return [...this.outcomes.values()].sort((a, b) => a.itemIndex - b.itemIndex);
	}

	/** Finishes the rows that another run has claimed: n8n may know their bookings by now. */
	private async finishHeld(): Promise<void> {
		const { client, memory } = this.options;
		for (const ms of SEARCH_DELAYS_MS) {
			if (this.held.length === 0 || !client.hasTimeFor(ms)) break;
			await pause(ms, client.signal);
			// What cannot be read now may be read the next time.
			const found = await this.warned(NOTICES.notSearched, this.arrivedFor(this.held));
			for (const [row, some] of found ?? []) {
				const [own, ...others] = some.filter(({ id }) => memory.isOwn(row, id));
				if (!own || others.length > 0) continue;
				this.finish(row, alreadyBooked(row, howBooked.before(row, own), { own }));
			}
			this.held = this.having(this.held, 'open');
		}
		for (const row of this.held) this.leaveUnknown(row);
	}

	/** Claims the next rows of the queue. */
	private async claim(): Promise<Claimed> {
		const { memory } = this.options;
		const rows = this.queue.splice(0, CHUNK);
		try {
			const claimed = await memory.claims.claim(rows, async (inDoubt) => {
				const arrived = await this.arrivedFor(inDoubt);
				return [...arrived.keys()];
			});
			this.held.push(...claimed.held);
			for (const row of claimed.sentBefore) {
				const asked = deniesItself(row, this.options, true);
				if (asked) this.finish(row, asked);
			}
			return claimed;
		} catch (thrown) {
			this.stop ??= this.asFailure(thrown);
			await this.release(rows);
			return { own: [], held: [], sentBefore: [], requestBefore: 0 };
		}
	}

	/** The bookings that have appeared since the list was read, and may be those of rows. @throws ServiceError */
	private async arrivedFor(rows: readonly OpenRow[]): Promise<Map<OpenRow, Candidate[]>> {
		const { bookings, memory } = this.options;
		const arrived = await bookings.arrivedFor(rows);
		const fitting = rows.map((row) => [row, (arrived.get(row) ?? []).filter(fits)] as const);
		// Another run may have made them meanwhile, for these rows or for others. What was booked is not looked up again: while
		// removals are slow, two looks may leave all entries of a fact.
		await memory.look(
			fitting.flatMap(([row, some]) => some.flatMap(({ id }) => memory.facts.ofBooking(row, id))),
		);
		const own = fitting.map(
			([row, some]) => [row, some.filter(({ id }) => memory.mayBeOf(row, id))] as const,
		);
		return new Map(own.filter(([, some]) => some.length > 0));
	}

	/**
	 * Claims the next rows of the queue, sends them, and records what came of them. The chunk after them begins with the last
	 * ones, as a response may take minutes. A slow worker does not wait for it either, so rows without one are claimed again
	 * once no other row may be requested.
	 */
	private async sendChunks(): Promise<void> {
		const { own: rows, requestBefore } = await this.claim();
		const stopTimer = callAfter(Math.max(requestBefore - Date.now(), 0), () => {
			void this.renew(this.having(rows, 'open', 'unknown'));
		});
		let next: Promise<void> | undefined;
		const open = this.having(rows, 'open');
		const [firstOfLast] = open.slice(-MAX_PACED);
		const send = async (row: OpenRow) =>
			await this.send(row, () => {
				const maySend = !this.stop && Date.now() < requestBefore;
				if (maySend && row === firstOfLast && this.queue.length > 0) next ??= this.sendChunks();
				return maySend;
			});
		await Promise.all(open.map(send));
		stopTimer();
		const mayBeBooked = new Set(this.having(rows, 'created', 'unknown'));
		await this.release(rows.filter((row) => !mayBeBooked.has(row)));
		await this.renew(this.having(rows, 'unknown'));
		await this.record();
		await next;
	}

	/** Those of some rows that have one of these results by now. */
	private having(rows: readonly OpenRow[], ...results: ReadonlyArray<Row['result']>): OpenRow[] {
		return rows.filter((row) =>
			results.includes(this.outcomes.get(row.itemIndex)?.result ?? 'open'),
		);
	}

	private finish(row: OpenRow, done: Row): void {
		const { memory, bookings } = this.options;
		const id = done.booking && bookingIdOf(done.booking);
		if (done.booking) memory.rememberBooked(row, id);
		if (id !== undefined) bookings.addMade(id, row.request);
		this.outcomes.set(row.itemIndex, done);
		const { failure } = done;
		// If the execution was stopped, or its time is over, no other row gets through.
		if (failure instanceof ServiceError && failure.kind === 'stopped') this.stop ??= failure;
		if (failure instanceof ServiceError && failure.kind === 'notAllowed')
			this.stop ??= failureOf.refused(done, failure);
		if (isFailure(done) && !this.options.continues) this.stop = 'at a failure';
	}

	/** Leaves a row that may be booked. @param request why it got no response; undefined if another run has the row */
	private leaveUnknown(row: OpenRow, request?: ServiceError): void {
		this.finish(row, { ...row, result: 'unknown', failure: failureOf.unknown(row, request) });
	}

	/**
	 * Sends a row once, and never again: no response does not mean that it was not booked, and the interface has no ID by
	 * which the service could recognise a repeated request. One that may not be sent any more stays as it is.
	 */
	private async send(row: OpenRow, maySend: () => boolean): Promise<void> {
		let request = 'not begun' as RequestState;
		const response = await createBooking(this.options.client, row.request, IF_REFUSED, () => {
			// Asked again each time that the rate limit made it wait.
			request = maySend() ? 'sent' : 'held back';
			return request === 'sent';
		})
			.then((booking) => this.requireNew(booking))
			.catch((thrown: unknown) => this.asFailure(thrown));
		if (request === 'held back') return;
		const isLost =
			request === 'sent' && response instanceof ServiceError && response.outcomeUnknown;
		this.lost = isLost ? this.lost + 1 : 0;
		if (this.lost >= MAX_LOST) this.stop ??= failureOf.noResponses();
		if (!(response instanceof ServiceError))
			this.finish(row, { ...row, result: 'created', booking: response });
		else if (isLost) this.leaveUnknown(row, response);
		else {
			const isRefused = response.kind === 'validation' || response.kind === 'notFound';
			this.finish(row, { ...row, result: isRefused ? 'failed' : 'not sent', failure: response });
		}
	}

	/** The booking of a row. @throws ServiceError if it is an older one: then nothing tells whether this row was booked */
	private requireNew(booking: IDataObject): IDataObject {
		const id = bookingIdOf(booking);
		if (id === undefined) return booking;
		// After a restored backup, a service may give new bookings the IDs that were those of others in earlier runs.
		if (this.made.has(id) || this.options.bookings.wasListed(id)) throw failureOf.existing(id);
		this.made.add(id);
		return booking;
	}

	/** What was thrown while a row was sent, as a failure. After an unexpected one, no other row is sent. */
	private asFailure(thrown: unknown): ServiceError {
		if (thrown instanceof ServiceError) return thrown;
		const failure = failureOf.unexpected(thrown);
		this.stop ??= failure;
		return failure;
	}

	/** Gives up rows that were not booked; those that were not sent are in the queue again. */
	private async release(rows: readonly OpenRow[]): Promise<void> {
		await this.warned(NOTICES.notReleased, this.options.memory.claims.release(rows));
		this.queue.unshift(...this.having(rows, 'open'));
	}

	private async renew(rows: readonly OpenRow[]): Promise<void> {
		await this.warned(NOTICES.notSaved, this.options.memory.claims.renew(rows));
	}

	private async record(): Promise<void> {
		await this.warned(NOTICES.notSaved, this.options.memory.record());
	}

	/** Waits for what may fail without a row being lost: n8n's log says why. */
	private async warned<T>(text: string, work: Promise<T>): Promise<T | undefined> {
		return await work.catch((thrown: unknown) => {
			this.options.warn(`${text}: ${toPlainError(thrown).message}`);
			return undefined;
		});
	}
}
