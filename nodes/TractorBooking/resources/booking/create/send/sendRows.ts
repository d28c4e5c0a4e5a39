import type { IDataObject } from 'n8n-workflow';

import { callAfter } from '../../../../api/waits';
import { createBooking } from '../../../../api/endpoints';
import { ServiceError } from '../../../../api/errors';
import { MAX_PACED } from '../../../../api/rateLimiter';
import { bookingIdOf } from '../../../../api/records';
import type { Claimed } from '../memory/claims';
import { deniesItself } from '../match/rules';
import { CHUNK } from '../memory/timing';
import { isFailure, type Row } from '../row/row';
import { failureOf, IF_REFUSED, NOTICES } from '../say/failures';
import { arrivedFor, search, warned, type Tools, type WhyUnconfirmed } from './search';

/** After this many rows without a response, the run first finds out what became of them. */
const MAX_LOST = 5;

interface SendOptions extends Tools {
	/** Whether the others are sent after a row that failed. */
	continues: boolean;
}

/** How far the request for a row has come. */
type RequestState = 'not begun' | 'held back' | 'sent';

/** Sends the rows that are ready, chunk after chunk: claim, check, send, record. */
export class RowSender {
	/** What became of rows, by item. */
	private readonly outcomes = new Map<number, Row>();

	/** The rows that are not claimed yet. */
	private queue: Row[];

	/** The rows that may be booked. */
	private readonly unconfirmed = new Map<Row, WhyUnconfirmed>();

	/** Why no other row is sent: the failure of those that are left, unless that of a row says it for all. */
	private stop?: ServiceError | 'at a failure';

	/** @param rows all rows, in the order of the input */
	constructor(
		rows: readonly Row[],
		private readonly options: SendOptions,
	) {
		this.queue = rows.filter(({ result }) => result === 'open');
		for (const row of rows) if (row.result !== 'open') this.outcomes.set(row.itemIndex, row);
	}

	/** @returns what became of the rows, in their order; of those that the node did not come to, nothing */
	async run(): Promise<Row[]> {
		while (!this.stop && this.queue.length > 0) {
			await this.sendChunks();
			if (this.mustSearchFirst && !(await this.findLost())) this.stop ??= failureOf.noResponses();
		}
		await this.findLost();
		for (const row of this.queue) {
			if (!this.stop || this.stop === 'at a failure') break;
			this.finish(row, { ...row, result: 'not sent', failure: this.stop });
		}
		await warned(this.options, NOTICES.notSaved, this.options.memory.record());
		return [...this.outcomes.values()].sort((a, b) => a.itemIndex - b.itemIndex);
	}

	/** Whether so many responses are lost that no row is sent before their bookings have been searched for. */
	private get mustSearchFirst(): boolean {
		const lost = [...this.unconfirmed.values()].filter((why) => why instanceof ServiceError);
		return lost.length >= (this.options.continues ? MAX_LOST : 1);
	}

	/** Searches for the bookings of the rows that may be booked. @returns whether any was found */
	private async findLost(): Promise<boolean> {
		let isFound = false;
		for await (const [row, done] of search(this.unconfirmed, this.options)) {
			isFound ||= done.result !== 'unknown';
			this.finish(row, done);
		}
		return isFound;
	}

	/** Claims the next rows of the queue; those that another run has are searched for in the end. */
	private async claim(): Promise<Claimed> {
		const rows = this.queue.splice(0, CHUNK);
		try {
			const claimed = await this.options.memory.claims.claim(rows, async (inDoubt) => {
				const arrived = await arrivedFor(inDoubt, this.options);
				return [...arrived.keys()];
			});
			for (const row of claimed.held) this.unconfirmed.set(row, 'sent by another run');
			for (const row of claimed.sentBefore) {
				const asked = deniesItself(row, this.options, true);
				if (asked) this.finish(row, asked);
			}
			return claimed;
		} catch (thrown) {
			this.stop ??= this.asFailure(thrown);
			await this.giveBack(rows);
			return { own: [], held: [], sentBefore: [], requestBefore: 0 };
		}
	}

	/**
	 * Claims the next rows of the queue, sends them, and records what came of them. The chunk after them begins with the last
	 * ones, as a response may take minutes. A slow worker does not wait for it either, so rows without one are claimed again
	 * once no other row may be requested.
	 */
	private async sendChunks(): Promise<void> {
		const { own: rows, requestBefore } = await this.claim();
		const stopTimer = callAfter(Math.max(requestBefore - Date.now(), 0), () => {
			void this.renew(rows.filter((row) => !this.outcomes.has(row.itemIndex)));
		});
		let next: Promise<void> | undefined;
		const open = rows.filter((row) => !this.outcomes.has(row.itemIndex));
		const [firstOfLast] = open.slice(-MAX_PACED);
		const send = async (row: Row) =>
			await this.send(row, () => {
				const maySend = !this.stop && !this.mustSearchFirst && Date.now() < requestBefore;
				if (maySend && row === firstOfLast && this.queue.length > 0) next ??= this.sendChunks();
				return maySend;
			});
		await Promise.all(open.map(send));
		stopTimer();
		const isBooked = (row: Row) => this.outcomes.get(row.itemIndex)?.result === 'created';
		await this.giveBack(rows.filter((row) => !isBooked(row) && !this.unconfirmed.has(row)));
		await this.renew(rows.filter((row) => this.unconfirmed.has(row)));
		await warned(this.options, NOTICES.notSaved, this.options.memory.record());
		await next;
	}

	private finish(row: Row, done: Row): void {
		const { memory, bookings } = this.options;
		this.unconfirmed.delete(row);
		const id = done.booking && bookingIdOf(done.booking);
		if (done.booking) memory.rememberBooked(row, id);
		if (id !== undefined) bookings.addMade(id, row.request);
		this.outcomes.set(row.itemIndex, done);
		const { failure } = done;
		if (failure instanceof ServiceError && failure.kind === 'notAllowed')
			this.stop ??= failureOf.refused(done, failure);
		if (isFailure(done) && !this.options.continues) this.stop = 'at a failure';
	}

	/**
	 * Sends a row once, and never again: no response does not mean that it was not booked, and the interface has no ID by
	 * which the service could recognise a repeated request. One that may not be sent any more stays as it is.
	 */
	private async send(row: Row, maySend: () => boolean): Promise<void> {
		let request = 'not begun' as RequestState;
		const answer = await createBooking(this.options.client, row.request, IF_REFUSED, () => {
			// Asked again each time that the rate limit made it wait.
			request = maySend() ? 'sent' : 'held back';
			return request === 'sent';
		})
			.then((booking) => this.requireNew(booking))
			.catch((thrown: unknown) => this.asFailure(thrown));
		if (request === 'held back') return;
		if (!(answer instanceof ServiceError))
			this.finish(row, { ...row, result: 'created', booking: answer });
		else if (request === 'sent' && answer.outcomeUnknown) this.unconfirmed.set(row, answer);
		else {
			const isUnsent = answer.kind === 'stopped' || answer.outcomeUnknown;
			this.finish(row, { ...row, result: isUnsent ? 'not sent' : 'failed', failure: answer });
		}
	}

	/** The booking of a row. @throws ServiceError if it is an older one: then nothing tells whether this row was booked */
	private requireNew(booking: IDataObject): IDataObject {
		const id = bookingIdOf(booking);
		const { bookings, memory } = this.options;
		const isOld = id !== undefined && (memory.hasMade(id) || bookings.wasListed(id));
		if (isOld) throw failureOf.existing(id);
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
	private async giveBack(rows: readonly Row[]): Promise<void> {
		await warned(this.options, NOTICES.notReleased, this.options.memory.claims.release(rows));
		this.queue.unshift(...rows.filter((row) => !this.outcomes.has(row.itemIndex)));
	}

	private async renew(rows: readonly Row[]): Promise<void> {
		await warned(this.options, NOTICES.notSaved, this.options.memory.claims.renew(rows));
	}
}
