import { randomUUID } from 'node:crypto';

import { monotonicNow, pause } from '../../../../api/waits';
import type { ServiceClient } from '../../../../api/client';
import type { BookingKey } from '../../../../api/records';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { denialOf } from '../bookingAnswer';
import { farmerOf, jobKey, otherCellsText } from '../job';
import type { RequestedRow } from '../row';
import { type Helpers, MemoryError, Store } from './store';
import { MAX_CLOCK_ERROR_MS, OVERWRITE_CHECK_MS, REQUEST_WINDOW_MS, SLOT_MS } from './timing';

/** How often a claim is tried that other workers overwrite. */
const MAX_ATTEMPTS = 10;

/** What came of a claim. */
export interface Claimed<Row> {
	/** The rows that may be sent. */
	own: Row[];
	/** Those that another run has claimed, or booked. */
	held: Row[];
	/** When the last of them may be requested, in milliseconds since 1970: a process that was stopped notices it by this clock alone. */
	until: number;
}

/** The slot of now; that of the clock which is furthest ahead. */
const slotNow = () => Math.floor(Date.now() / SLOT_MS);
const slotAhead = () => Math.floor((Date.now() + MAX_CLOCK_ERROR_MS) / SLOT_MS);

/** When a claim that is seen now has ended at the latest, in milliseconds since 1970. */
const latestEnd = () => (slotAhead() + 2) * SLOT_MS;

/** By what stands for a key: when the claims of a process, and those of others that it has met, have ended, by their rows. */
const claimEnds = new WeakMap<object, Map<string, number>>();

/**
 * Entries of which only the last says something, and each is asked for only if the one before it is there: what another
 * run only looks up is the first one.
 */
type Chain = readonly string[];

const pair = (entry: string): readonly [string, string] => [entry, `${entry} for sure`];

const lastOf = (chain: Chain): string => chain.at(-1) ?? '';

/** What n8n remembers of rows, by their keys: which were sent, which were booked, and with which booking. */
export class RowMemory {
	/** What was found so far. */
	private readonly known = new Set<string>();

	/** What is to be recorded with the next entries. */
	private noted: string[] = [];

	/** What this run has recorded of the rows that it has claimed, by their keys: removed for a row that is not sent. */
	private readonly claims = new Map<string, string[]>();

	/** When claims have ended. */
	private readonly ends: Map<string, number>;

	/** Which rows were booked, in the node's row of n8n's store. */
	private readonly bookings: Store;

	/**
	 * Which rows are claimed and were sent, in the workflow's row: a run that only looks up whether rows were booked, such as a
	 * Dry Run, cannot overwrite it.
	 */
	private readonly sendings: Store;

	/** Each entry begins with it: staging is not production. */
	private readonly baseUrl: string;

	/** @param helpers undefined if n8n has no store: then the process alone remembers */
	constructor({ account, baseUrl }: ServiceClient, helpers: Helpers | undefined) {
		this.baseUrl = baseUrl;
		this.bookings = new Store(account, 'node', helpers);
		this.sendings = new Store(account, 'workflow', helpers);
		this.ends = claimEnds.get(account) ?? new Map<string, number>();
		claimEnds.set(account, this.ends);
		for (const [head, end] of this.ends) if (end <= Date.now()) this.ends.delete(head);
	}

	/**
	 * Looks up which rows were booked.
	 *
	 * @param bookingsOf the bookings that may be that of a row
	 * @throws MemoryError
	 */
	async lookBooked<Row extends RequestedRow>(
		rows: readonly Row[],
		bookingsOf: (row: Row) => readonly BookingKey[],
	): Promise<void> {
		const chains = await inTurns(rows, (row) => [
			this.booked(row),
			this.typed(row),
			...this.farmers(row),
			...(row.denied.length > 0 ? [this.answered(row)] : []),
			...row.denied.map((key) => this.found(row, key)),
			...bookingsOf(row).flatMap((key) => this.ofBooking(row, key)),
		]);
		await this.find(this.bookings, chains.flat());
	}

	/** Looks up whether bookings are those of rows. @throws MemoryError */
	async lookOwn(pairs: ReadonlyArray<readonly [RequestedRow, BookingKey]>): Promise<void> {
		await this.find(
			this.bookings,
			pairs.map(([row, key]) => this.own(row, key)),
		);
	}

	/** Looks up which of several bookings of their keys are those of rows. @throws MemoryError */
	async lookWhich(pairs: ReadonlyArray<readonly [RequestedRow, BookingKey]>): Promise<void> {
		const chains = pairs.flatMap(([row, key]) => [this.byAnswer(row, key), this.byCells(row, key)]);
		await this.find(this.bookings, chains);
	}

	/** Looks up which rows were sent, and whether others of their farmer and day were. @throws MemoryError */
	async lookSent(rows: readonly RequestedRow[]): Promise<void> {
		await this.find(this.sendings, [...rows.map(this.sent), ...rows.map(this.several)]);
	}

	/**
	 * Looks up whether bookings are those of rows, or of others, by now. What was booked is not looked up again: beside slow
	 * removals, that leaves entries that say too much.
	 *
	 * @throws MemoryError
	 */
	async lookAgain<Row extends RequestedRow>(
		rows: readonly Row[],
		bookingsOf: (row: Row) => readonly BookingKey[],
	): Promise<void> {
		const chains = rows.flatMap((row) =>
			bookingsOf(row).flatMap((key) => this.ofBooking(row, key)),
		);
		await this.find(this.bookings, chains);
		const listed = rows.filter((row) => bookingsOf(row).length > 0);
		await this.find(this.sendings, listed.map(this.several));
	}

	/** Whether a row was sent, or was about to be. */
	wasSent(row: RequestedRow): boolean {
		return this.knows(this.sent(row));
	}

	/** Whether another row of its farmer and day was sent, too: nothing in the list tells the bookings of the two apart. */
	isOneOfSeveral(row: RequestedRow): boolean {
		const several = this.several(row);
		return this.knows(several) || this.sendings.has(lastOf(several));
	}

	/** Whether a row with the key of this one was booked. */
	isBooked(row: RequestedRow): boolean {
		return this.knows(this.booked(row));
	}

	/** Whether a row with the key of this one was booked that was said not to be the same bookings. */
	isBookedAsAnswered(row: RequestedRow): boolean {
		return this.knows(this.answered(row));
	}

	/** Whether a row with the same job and the same other cells was booked, by whatever key. */
	isTypedAsBooked(row: RequestedRow): boolean {
		return this.knows(this.typed(row));
	}

	/** Whether a row with the same job was booked, by whatever key and with whatever other cells. */
	isOfBookedJob(row: RequestedRow): boolean {
		return this.knows(pair(this.headOfJob(row)));
	}

	/** Whether a Row ID that was booked was that of the farmer and the day of the row. */
	isOfSameJob(row: RequestedRow): boolean {
		return this.farmers(row).some((chain) => this.knows(chain));
	}

	/** Whether a Row ID was booked with the name and the phone of the row; true without one. */
	isOfSameFarmer(row: RequestedRow): boolean {
		return this.farmers(row).every((chain) => this.knows(chain));
	}

	/** Whether a booking is that of a row. */
	isOwn(row: RequestedRow, key: BookingKey): boolean {
		return this.knows(this.own(row, key));
	}

	/** Whether a booking of the key of a row was made for a row that denied another one. */
	isByAnswer(row: RequestedRow, key: BookingKey): boolean {
		return this.knows(this.byAnswer(row, key));
	}

	/** Whether such a booking was made for a row with the cells of this one. */
	isByCells(row: RequestedRow, key: BookingKey): boolean {
		return this.knows(this.byCells(row, key));
	}

	/** Whether the booking of a row was found in the list, which does not show all of its job. */
	isOnlyFound(row: RequestedRow, key: BookingKey): boolean {
		return this.knows(this.found(row, key));
	}

	/** Whether a booking is that of some row with a Row ID. */
	isTakenByRowId(key: BookingKey): boolean {
		return this.knows(this.taken(key, true));
	}

	/** Whether a booking is that of some row. */
	isTaken(key: BookingKey): boolean {
		return this.takenBy(key).some((chain) => this.knows(chain));
	}

	/** Whether a booking may be that of a row: it is its own, or no row's. */
	mayBeOf(row: RequestedRow, key: BookingKey): boolean {
		return this.isOwn(row, key) || !this.isTaken(key);
	}

	/** Whether this process has made a booking, or found it to be that of a row. */
	hasMade(key: BookingKey): boolean {
		return this.takenBy(key).some((chain) => this.bookings.has(lastOf(chain)));
	}

	/**
	 * Claims rows that are about to be sent, and records that they are. Whatever may have overwritten that has shown
	 * itself by the time it is checked: a second later, or a minute after a slow call.
	 *
	 * @param listedOf those of some rows whose bookings are in the list by now
	 * @throws MemoryError, and whatever `listedOf` throws
	 */
	async claim<Row extends RequestedRow>(
		rows: readonly Row[],
		listedOf: (rows: readonly Row[]) => Promise<readonly Row[]>,
	): Promise<Claimed<Row>> {
		const held: Row[] = [];
		let until = 0;
		const ours = new Set<string>();
		let own = [...rows];
		for (let attempt = 1; own.length > 0; attempt++) {
			if (attempt > MAX_ATTEMPTS)
				throw new MemoryError('it is too slow, or other runs write to it all the time');
			await this.sendings.settled();
			const begun = monotonicNow();
			const slot = slotNow();
			const mark = `${this.baseUrl} mark ${randomUUID()}`;
			const entries = own.flatMap((row) => [
				this.claimed(row, slot),
				this.sent(row)[0],
				this.work(row),
			]);
			/** Leaves rows to another run. */
			const leave = (others: readonly Row[]) => {
				for (const row of others)
					if (!this.claimEnd(row)) this.ends.set(this.headOf(row), latestEnd());
				held.push(...others);
				own = own.filter((row) => !held.includes(row));
			};
			const known = await this.sendings.record([...entries, mark]);
			leave(own.filter((row) => known.has(this.claimed(row, slot))));
			if (own.length === 0) break;
			if (this.sendings.isShared) {
				// Only n8n tells whether it still has the mark.
				this.sendings.forget([mark]);
				await pause(OVERWRITE_CHECK_MS, undefined);
				await this.sendings.settled();
			}
			// Another run may have sent these since the list was read: its claim has ended, or a slow call has overwritten it.
			const isInDoubt = (row: Row) => this.sendings.wasSlow || known.has(this.sent(row)[0]);
			const listed = await listedOf(own.filter(isInDoubt)).catch(async (thrown: unknown) => {
				await this.sendings.remove([mark, ...entries].filter((entry) => !known.has(entry)));
				throw thrown;
			});
			const ofWork = groupBy(own, this.work);
			const isOneMore = (row: Row) =>
				row.denied.length > 0 ||
				(ofWork.get(this.work(row)) ?? []).length > 1 ||
				(known.has(this.work(row)) && !known.has(this.sent(row)[0]));
			const checkedAt = monotonicNow();
			until = Date.now() + REQUEST_WINDOW_MS;
			const last = slotAhead() + 1;
			const nextClaims = (row: Row) => [this.claimed(row, slot + 1), this.claimed(row, last)];
			const next = own.flatMap((row) => [
				...nextClaims(row),
				this.sent(row)[1],
				...(isOneMore(row) ? this.several(row) : []),
			]);
			const checked = await this.sendings.record([mark, ...next]);
			for (const entry of next) if (!checked.has(entry)) ours.add(entry);
			const isNextSlot = slotAhead() > slot;
			// Another worker has written over it, or may have claimed the next slot unseen: what n8n knows now is the other's.
			if (!checked.has(mark) || (isNextSlot && this.sendings.wasSlowSince(checkedAt))) {
				this.sendings.forget([...entries, ...next]);
				continue;
			}
			leave(listed);
			const isOthers = (entry: string) => checked.has(entry) && !ours.has(entry);
			// Where the next slot has begun elsewhere, another run may have claimed it as its own. After a slow call, only the next
			// slot tells the claim of another run from this one.
			if (isNextSlot || this.sendings.wasSlowSince(begun))
				leave(own.filter((row) => nextClaims(row).some(isOthers)));
			for (const row of own) {
				const slots = [this.claimed(row, slot), ...nextClaims(row)];
				// What an earlier run has sent stays sent.
				const sent = isOthers(this.sent(row)[1]) ? [] : this.sent(row);
				const work = known.has(this.work(row)) ? [] : [this.work(row)];
				this.claims.set(this.headOf(row), [...slots, ...sent, ...work]);
				this.ends.set(this.headOf(row), (last + 1) * SLOT_MS);
			}
			break;
		}
		return { own, held, until };
	}

	/** Gives up rows that are certainly not booked by this run. @throws MemoryError */
	async release(rows: readonly RequestedRow[]): Promise<void> {
		const heads = rows.map(this.headOf);
		const entries = heads.flatMap((head) => this.claims.get(head) ?? []);
		for (const head of heads) {
			this.claims.delete(head);
			this.ends.delete(head);
		}
		await this.sendings.remove(entries);
	}

	/** When the claim of a row has ended, in milliseconds since 1970; undefined if the process knows of none. */
	claimEnd(row: RequestedRow): number | undefined {
		const end = this.ends.get(this.headOf(row)) ?? 0;
		return end > Date.now() ? end : undefined;
	}

	/**
	 * Notes that a row is booked; this process knows it at once.
	 *
	 * @param key its booking, if it is known
	 * @param isFound whether that was only found in the list
	 */
	noteBooked(row: RequestedRow, key: BookingKey | undefined, isFound = false): void {
		const chains = [this.booked(row), this.typed(row), ...this.farmers(row)];
		if (key !== undefined) chains.push(isFound ? this.found(row, key) : this.own(row, key));
		if (row.denied.length > 0) {
			chains.push(this.answered(row));
			// Its key may have several bookings: then its cells tell which one is its own.
			if (key !== undefined) chains.push(this.byAnswer(row, key), this.byCells(row, key));
		}
		const entries = chains.flat();
		this.bookings.remember(entries);
		this.noted.push(...entries);
	}

	/** Records the claims of rows that may be booked once more: a slow worker may have overwritten them. @throws MemoryError */
	async renew(rows: readonly RequestedRow[]): Promise<void> {
		const claims = rows.flatMap((row) => [
			...(this.claims.get(this.headOf(row)) ?? []),
			...this.several(row).filter((entry) => this.sendings.has(entry)),
		]);
		await this.sendings.record(claims);
	}

	/** Records what was noted. @throws MemoryError */
	async record(): Promise<void> {
		await this.bookings.record(this.noted);
		this.noted = [];
	}

	private knows(chain: Chain): boolean {
		return this.known.has(lastOf(chain));
	}

	private async find(store: Store, chains: readonly Chain[]): Promise<void> {
		let left = chains;
		for (let at = 0; left.length > 0; at++) {
			const entries = left.flatMap((chain) => chain.slice(at, at + 1));
			for (const entry of await store.look(entries)) this.known.add(entry);
			left = left.filter((chain) => this.known.has(chain[at] ?? ''));
		}
	}

	private readonly headOf = ({ key }: RequestedRow) => `${this.baseUrl} ${key}`;
	private readonly headOfJob = (row: RequestedRow) =>
		`${this.baseUrl} ${row.rowId === undefined ? row.key : jobKey(row)}`;
	private readonly claimed = (row: RequestedRow, slot: number) =>
		`${this.headOf(row)} claim ${slot}`;
	private readonly sent = (row: RequestedRow) => pair(`${this.headOf(row)} sent`);
	/** The farmer and the day of a row: all that the list shows of it. */
	private readonly work = ({ request }: RequestedRow) =>
		`${this.baseUrl} ${JSON.stringify([farmerOf(request), request.serviceDate])} sent`;
	private readonly several = (row: RequestedRow) => pair(`${this.work(row)} for several`);
	private readonly booked = (row: RequestedRow): Chain => [
		this.headOf(row),
		...pair(`${this.headOf(row)} booked`),
	];
	/** The key with what the row is not. */
	private readonly answered = (row: RequestedRow): Chain => [
		...this.booked(row),
		...pair(`${this.headOf(row)} ${denialOf(row.denied)}`),
	];
	/** Rows of one job may be booked with other cells, and by several keys. */
	private readonly typed = (row: RequestedRow): Chain => [
		...pair(this.headOfJob(row)),
		...pair(`${this.headOfJob(row)} typed ${otherCellsText(row)}`),
	];
	/** By a Row ID, or by a job. */
	private readonly taken = (key: BookingKey, byRowId: boolean) =>
		pair(`${this.baseUrl} taken ${byRowId ? 'by Row ID ' : ''}${key}`);
	private readonly takenBy = (key: BookingKey) => [this.taken(key, true), this.taken(key, false)];
	/** All that tells whose booking it is: what is the row's own begins with whether a key of its kind has it. */
	private readonly ofBooking = (row: RequestedRow, key: BookingKey): Chain[] => [
		this.own(row, key),
		this.taken(key, row.rowId === undefined),
	];
	private readonly own = (row: RequestedRow, key: BookingKey): Chain => [
		...this.taken(key, row.rowId !== undefined),
		...pair(`${this.headOf(row)} is ${key}`),
	];
	private readonly byAnswer = (row: RequestedRow, key: BookingKey): Chain => [
		...this.own(row, key),
		...pair(`${this.headOf(row)} answered ${key}`),
	];
	private readonly byCells = (row: RequestedRow, key: BookingKey): Chain => [
		...this.own(row, key),
		...pair(`${this.headOf(row)} typed ${jobKey(row)} ${otherCellsText(row)} is ${key}`),
	];
	private readonly found = (row: RequestedRow, key: BookingKey): Chain => [
		...this.own(row, key),
		...pair(`${this.headOf(row)} found ${key}`),
	];

	/** A Row ID with the day, and the phone or the name of its farmer: either may be corrected. */
	private farmers(row: RequestedRow): Chain[] {
		if (row.rowId === undefined) return [];
		const { farmerName, farmerPhone } = farmerOf(row.request);
		const day = asText(row.request.serviceDate);
		const of = (what: string, value: string | undefined) =>
			value === undefined ? [] : [`of ${what} ${value} on ${day}`];
		const known = [...of('phone', farmerPhone), ...of('name', farmerName)];
		const head = this.headOf(row);
		return (known.length > 0 ? known : [`on ${day}`]).map((text) => [
			head,
			...pair(`${head} ${text}`),
		]);
	}
}
