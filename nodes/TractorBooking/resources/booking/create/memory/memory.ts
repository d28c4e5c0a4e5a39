import { randomUUID } from 'node:crypto';

import { now, pause } from '../../../../api/waits';
import type { BookingKey } from '../../../../api/records';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { farmerOf, jobKey } from '../job';
import type { OpenRow, SheetRow } from '../row';
import { MemoryError, overwriteCheck, type Store } from './store';

/** A claim is of the ten minutes in which it is made and of the next ten: it holds for 10 to 20 minutes. */
const SLOT_MS = 600_000;

/** By how many milliseconds the clocks of two workers may differ. */
const MAX_CLOCK_ERROR_MS = 10_000;

/** How often a claim is made that another worker overwrites. */
const MAX_ATTEMPTS = 10;

/** What n8n remembers a row by. */
export type Keyed = SheetRow &
	Pick<OpenRow, 'request' | 'serviceName' | 'wantsNearest' | 'key' | 'nth'>;

/** What came of a claim. */
export interface Claimed<Row> {
	/** The rows that may be sent. */
	own: Row[];
	/** Those that another run has claimed. */
	held: Row[];
	/** Those of its own that were sent before: by a run whose claim has ended, perhaps only since the list was read. */
	sentBefore: Row[];
}

/** The slot of now; with a margin, that of a moment later. */
const slotNow = (marginMs = 0) => Math.floor((Date.now() + marginMs) / SLOT_MS);

/** When a claim that is seen now has ended at the latest, in milliseconds since 1970. */
export const claimEnd = () => (slotNow() + 2) * SLOT_MS;

/** How a row was typed, beside its job: the tractor and the place, as far as they are given. */
function typedAs({ request, wantsNearest }: Keyed): string {
	const { tractorId, latitude, longitude } = request;
	const place = [latitude, longitude].map((degrees) => degrees?.toFixed(3));
	return JSON.stringify([wantsNearest ? undefined : tractorId, ...place]);
}

/**
 * What n8n remembers of rows, by their keys: which were sent, which were booked, and with which booking.
 *
 * Entries that decide something come as a chain, and each is asked for only if the one before it is there: what another
 * run only looks up is the first of its chain, and says nothing.
 */
export class Memory {
	/** What was found so far. */
	private readonly known = new Set<string>();

	/** What is to be recorded with the next entries. */
	private noted: string[] = [];

	/** As `now()` gives it. */
	private readonly startedAt = now();

	/** The claims of this run by the keys of their rows: their slots, and what is to be removed for a row that is not sent. */
	private readonly claims = new Map<string, { slot: number; entries: string[] }>();

	/** @param baseUrl with which each entry begins: staging is not production */
	constructor(
		private readonly store: Store,
		private readonly baseUrl: string,
	) {}

	/**
	 * Looks up rows.
	 *
	 * @param bookingsOf the bookings that may be that of a row
	 * @param isListed whether the list has one with the name, the phone and the day of a row
	 * @throws MemoryError
	 */
	async look<Row extends Keyed>(
		rows: readonly Row[],
		bookingsOf: (row: Row) => readonly BookingKey[],
		isListed: (row: Row) => boolean,
	): Promise<void> {
		const chains = await inTurns(rows, (row) => this.chainsOf(row, bookingsOf(row), isListed(row)));
		await this.find(chains.flat());
	}

	/** Looks up whether bookings are those of some row by now. @throws MemoryError */
	async lookForTaken(bookings: readonly BookingKey[]): Promise<void> {
		await this.find(bookings.map((key) => [this.taken(key)]));
	}

	/** Whether a row that may be listed was sent, or was about to be. */
	wasSent(row: Keyed): boolean {
		return this.knows(this.sent(this.headOf(row)));
	}

	/** Whether a row was booked, or a person has said so. */
	isBooked(row: Keyed): boolean {
		return this.knows(this.sure(this.headOf(row)));
	}

	/** Whether a row with the same job, tractor and place was booked, by whatever key. */
	isTypedAsBooked(row: Keyed): boolean {
		return this.knows(this.typed(row));
	}

	/** Whether a Row ID that was booked was that of the farmer and the day of the row. */
	isOfSameJob(row: Keyed): boolean {
		return this.farmersOf(row).some((entry) => this.knows(entry));
	}

	/** Whether the farmer of a row is named as it was booked: a Row ID may have got another one. */
	isOfSameFarmer(row: Keyed): boolean {
		return this.farmersOf(row).every((entry) => this.knows(entry));
	}

	/** Whether a booking is that of a row. */
	isOwn(row: Keyed, key: BookingKey): boolean {
		return this.isBooked(row) && this.knows(this.own(row, key));
	}

	/** Whether a booking is that of some row. */
	isTaken(key: BookingKey): boolean {
		return this.knows(this.taken(key));
	}

	/** Whether this process has made a booking, or found it to be that of a row. */
	hasMade(key: BookingKey): boolean {
		return this.store.has(this.taken(key));
	}

	/**
	 * Claims rows that are about to be sent, and records that they are. Whatever may have overwritten that has shown
	 * itself by the time it is checked: a second later, or half a minute after a slow call.
	 *
	 * @throws MemoryError
	 */
	async claim<Row extends Keyed>(rows: readonly Row[]): Promise<Claimed<Row>> {
		const held: Row[] = [];
		const sentBefore: Row[] = [];
		const ours = new Set<string>();
		let own = [...rows];
		for (let attempt = 1; own.length > 0; attempt++) {
			if (attempt > MAX_ATTEMPTS)
				throw new MemoryError('it is too slow, or other runs write to it all the time');
			await this.store.settled();
			const slot = slotNow();
			const mark = `${this.baseUrl} mark ${randomUUID()}`;
			const entries = own.flatMap((row) => [this.claimed(row, slot), this.headOf(row)]);
			const take = (isOthers: (entry: string) => boolean, of: number) => {
				held.push(...own.filter((row) => isOthers(this.claimed(row, of))));
				own = own.filter((row) => !held.includes(row));
			};
			const known = await this.store.record([...entries, mark]);
			take((entry) => known.has(entry), slot);
			if (own.length === 0) break;
			if (this.store.isShared) {
				// Only n8n tells whether it still has the mark.
				this.store.forget([mark]);
				await pause(overwriteCheck.delayMs, undefined);
				await this.store.settled();
			}
			const next = own.flatMap((row) => [this.claimed(row, slot + 1), this.sent(this.headOf(row))]);
			const checked = await this.store.record([mark, ...next]);
			for (const entry of next) if (!checked.has(entry)) ours.add(entry);
			if (!checked.has(mark)) {
				// Another worker has written over it: what n8n knows now is the other's.
				this.store.forget([...entries, ...next]);
				continue;
			}
			const isOthers = (entry: string) => checked.has(entry) && !ours.has(entry);
			// Where the next slot has begun elsewhere, another run may have claimed it as its own.
			if (slotNow(MAX_CLOCK_ERROR_MS) > slot) take(isOthers, slot + 1);
			sentBefore.push(...own.filter((row) => isOthers(this.sent(this.headOf(row)))));
			for (const row of own) {
				const slots = [this.claimed(row, slot), this.claimed(row, slot + 1)];
				const head = this.headOf(row);
				// What an earlier run has sent stays sent.
				const sent = sentBefore.includes(row) ? [] : [this.sent(head), head];
				this.claims.set(head, { slot, entries: [...slots, ...sent] });
			}
			break;
		}
		return { own, held, sentBefore };
	}

	/** Whether n8n's store was so slow during this run that other runs may have come and gone unseen. */
	get wasSlow(): boolean {
		return this.store.wasSlowSince(this.startedAt);
	}

	/** Gives up rows that are certainly not booked by this run. @throws MemoryError */
	async release(rows: readonly Keyed[]): Promise<void> {
		// Once a claim has ended, what is recorded may be another run's.
		const entries = rows.map(this.headOf).flatMap((head) => {
			const { slot = -Infinity, entries: own = [] } = this.claims.get(head) ?? {};
			this.claims.delete(head);
			return slotNow() > slot + 1 ? [] : own;
		});
		if (entries.length > 0) await this.store.remove(entries);
	}

	/** Notes that a row is booked, or that a person has said so; this process knows it at once. @param key its booking, if it is known */
	noteBooked(row: Keyed, key: BookingKey | undefined): void {
		const head = this.headOf(row);
		const ofBooking = key === undefined ? [] : [this.own(row, key), this.taken(key)];
		const ofId = row.rowId === undefined ? [] : [...this.farmersOf(row), this.headOfJob(row)];
		const entries = [
			head,
			this.booked(head),
			this.sure(head),
			this.typed(row),
			...ofBooking,
			...ofId,
		];
		this.store.remember(entries);
		this.noted.push(...entries);
	}

	/** Records what was noted, and the claims of rows once more: a slow worker may have overwritten them. @throws MemoryError */
	async record(rows: readonly Keyed[] = []): Promise<void> {
		const claims = rows.flatMap((row) => this.claims.get(this.headOf(row))?.entries ?? []);
		await this.store.record([...claims, ...this.noted]);
		this.noted = [];
	}

	private knows(entry: string): boolean {
		return this.known.has(entry);
	}

	private async find(chains: readonly string[][]): Promise<void> {
		let left = chains;
		for (let at = 0; left.length > 0; at++) {
			const entries = left.flatMap((chain) => chain.slice(at, at + 1));
			for (const entry of await this.store.look(entries)) this.known.add(entry);
			left = left.filter((chain) => this.known.has(chain[at] ?? ''));
		}
	}

	/** What is asked for of a row. */
	private chainsOf(row: Keyed, bookings: readonly BookingKey[], isListed: boolean): string[][] {
		const head = this.headOf(row);
		return [
			[head, this.booked(head), this.sure(head)],
			...(isListed ? [[head, this.sent(head)]] : []),
			[this.headOfJob(row), this.typed(row)],
			...bookings.flatMap((key) => [[head, this.own(row, key)], [this.taken(key)]]),
			...this.farmersOf(row).map((entry) => [head, entry]),
		];
	}

	/** The first of several rows with one key has the key alone. */
	private readonly headOf = ({ key, nth = 1 }: Keyed) =>
		`${this.baseUrl} ${key}${nth > 1 ? ` #${nth}` : ''}`;
	private readonly headOfJob = (row: Keyed) =>
		`${this.baseUrl} ${row.rowId === undefined ? row.key : jobKey(row)}`;
	private readonly sent = (head: string) => `${head} sent`;
	private readonly booked = (head: string) => `${head} booked`;
	private readonly sure = (head: string) => `${head} booked for sure`;
	private readonly claimed = (row: Keyed, slot: number) => `${this.headOf(row)} claim ${slot}`;
	private readonly own = (row: Keyed, key: BookingKey) => `${this.headOf(row)} is ${key}`;
	private readonly taken = (key: BookingKey) => `${this.baseUrl} taken ${key}`;

	/** Rows of one job may be booked with several tractors, at several places, and by several keys. */
	private typed(row: Keyed): string {
		return `${this.headOfJob(row)} typed ${typedAs(row)}`;
	}

	/** A Row ID with the day, and the phone or the name of its farmer: either may be corrected. */
	private farmersOf(row: Keyed): string[] {
		if (row.rowId === undefined) return [];
		const { farmerName, farmerPhone } = farmerOf(row.request);
		const day = asText(row.request.serviceDate);
		const of = (what: string, value: string | undefined) =>
			value === undefined ? [] : [`${this.headOf(row)} of ${what} ${value} on ${day}`];
		const entries = [...of('phone', farmerPhone), ...of('name', farmerName)];
		return entries.length > 0 ? entries : [`${this.headOf(row)} on ${day}`];
	}
}
