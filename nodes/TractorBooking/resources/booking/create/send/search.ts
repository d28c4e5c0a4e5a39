import { pause } from '../../../../api/waits';
import type { ServiceClient } from '../../../../api/client';
import { isTransient, ServiceError } from '../../../../api/errors';
import type { Bookings } from '../match/bookings';
import { pairUnambiguous, type Candidate } from '../match/candidates';
import { alreadyBooked, withNote } from '../match/verdicts';
import type { RowMemory } from '../memory/memory';
import { SEARCH_DELAYS_MS } from '../memory/timing';
import { finished, type FinishedRow, type ReadyRow } from '../row';
import { asUnknown, type WhyUnconfirmed } from './unsent';

interface Tools {
	client: ServiceClient;
	bookings: Bookings;
	memory: RowMemory;
}

/** What the sender does with what comes of a search. */
interface Sender {
	finish: (row: ReadyRow, done: FinishedRow) => void;
	/** What was thrown as a failure of the service; after an unexpected one, no other row is sent. */
	failureOf: (thrown: unknown) => ServiceError;
}

/** The rows that may be booked: their bookings are searched for in the list. */
export class Unconfirmed {
	private readonly rows = new Map<ReadyRow, WhyUnconfirmed>();

	/** When the claims of all rows that are unknown have ended, in milliseconds since 1970. */
	end = 0;

	constructor(
		private readonly tools: Tools,
		private readonly sender: Sender,
	) {}

	add(row: ReadyRow, why: WhyUnconfirmed): void {
		this.rows.set(row, why);
	}

	has(row: ReadyRow): boolean {
		return this.rows.has(row);
	}

	/** Takes a row out. @returns whether this run has sent it */
	take(row: ReadyRow): boolean {
		const why = this.rows.get(row);
		this.rows.delete(row);
		return why instanceof ServiceError;
	}

	/** How many responses were lost. */
	get lost(): number {
		return [...this.rows.values()].filter((why) => why instanceof ServiceError).length;
	}

	/**
	 * Searches for the bookings of the rows; then the others are unknown, but for those that a claim has added meanwhile.
	 *
	 * @returns whether any was found
	 */
	async search(): Promise<boolean> {
		const { client, memory } = this.tools;
		const sought = [...this.rows.keys()];
		const isLeft = (row: ReadyRow) => this.rows.has(row);
		let unread: ServiceError | undefined;
		for (const ms of SEARCH_DELAYS_MS) {
			if (!sought.some(isLeft) || !client.hasTimeFor(ms)) break;
			await pause(ms, client.signal);
			unread = await this.find().then(
				() => undefined,
				(thrown: unknown) => this.sender.failureOf(thrown),
			);
			if (unread && !isTransient(unread)) break;
		}
		const left = sought.filter(isLeft);
		for (const row of left) {
			const end = memory.claims.endOf(row) ?? Date.now();
			this.end = Math.max(this.end, end);
			this.sender.finish(row, asUnknown(row, end, { why: this.rows.get(row), unread }));
		}
		return left.length < sought.length;
	}

	/**
	 * The bookings that have appeared in the list since a row was sent, and may be its own. If the list was not read before,
	 * nothing tells which have.
	 *
	 * @throws ServiceError
	 */
	async arrivedFor(rows: readonly ReadyRow[]): Promise<(row: ReadyRow) => Candidate[]> {
		const { bookings, memory } = this.tools;
		const candidatesOf = await bookings.arrivedFor(rows);
		const mayFit = (row: ReadyRow, { key, different }: Candidate) =>
			different.length === 0 && !row.denied.includes(key) && !memory.hasMade(key);
		return (row) => candidatesOf(row).filter((one) => mayFit(row, one));
	}

	/** Finishes the rows whose bookings have appeared in the list. @throws ServiceError */
	private async find(): Promise<void> {
		const rows = [...this.rows.keys()];
		const fits = await this.arrivedFor(rows);
		const { memory } = this.tools;
		// Another run may have made them meanwhile, for these rows or for others.
		await memory.lookAgain(rows, (row) => fits(row).map(({ key }) => key));
		const single = rows.filter((row) => !memory.hasSentSibling(row));
		const freeFor = (row: ReadyRow) =>
			fits(row).filter(({ key, isSame }) => isSame && memory.mayBeOf(row, key));
		for (const [row, own] of pairUnambiguous(single, freeFor)) {
			const note = 'the response was lost; found among the bookings by farmer and day';
			const done =
				this.rows.get(row) instanceof ServiceError
					? finished(withNote(row, note), { result: 'created', booking: own.booking })
					: alreadyBooked(row, 'it was booked meanwhile', { own });
			this.sender.finish(row, done);
		}
	}
}
