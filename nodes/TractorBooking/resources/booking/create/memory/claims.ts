import { monotonicNow, pause } from '../../../../api/waits';
import { groupBy } from '../../../../utils/groupBy';
import type { RequestedRow } from '../row/row';
import type { Facts } from './facts';
import { MemoryError, type Store } from './store';
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
	requestBefore: number;
}

/** The slot of now; that of the clock which is furthest ahead. */
const slotNow = () => Math.floor(Date.now() / SLOT_MS);
const slotAhead = () => Math.floor((Date.now() + MAX_CLOCK_ERROR_MS) / SLOT_MS);

/** When a claim that is seen now has ended at the latest, in milliseconds since 1970. */
const latestEnd = () => (slotAhead() + 2) * SLOT_MS;

/** By account: when the claims of a process, and those of others that it has met, have ended, by their rows. */
const claimEnds = new WeakMap<object, Map<string, number>>();

/** Which run may send which rows, in the workflow's row of n8n's store. */
export class Claims {
	/** What this run has recorded of the rows that it has claimed, by their keys: removed for a row that is not sent. */
	private readonly claims = new Map<string, string[]>();

	/** When claims have ended. */
	private readonly ends: Map<string, number>;

	/** @param account of the API key @param store the workflow's row */
	constructor(
		account: object,
		private readonly store: Store,
		private readonly facts: Facts,
	) {
		this.ends = claimEnds.get(account) ?? new Map<string, number>();
		claimEnds.set(account, this.ends);
		for (const [head, end] of this.ends) if (end <= Date.now()) this.ends.delete(head);
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
		const { facts, store } = this;
		const held: Row[] = [];
		const ours = new Set<string>();
		let own = [...rows];
		/** Leaves rows to another run. */
		const leave = (others: readonly Row[]) => {
			for (const row of others) if (!this.endOf(row)) this.ends.set(facts.headOf(row), latestEnd());
			held.push(...others);
			own = own.filter((row) => !held.includes(row));
		};
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			await store.repaired();
			const [begun, slot, mark] = [monotonicNow(), slotNow(), facts.mark()];
			const entries = own.flatMap((row) => [
				facts.claimed(row, slot),
				facts.sent(row)[0],
				facts.sentOfFarmerDay(row),
			]);
			const known = await store.record([...entries, mark]);
			leave(own.filter((row) => known.has(facts.claimed(row, slot))));
			if (own.length === 0) return { own, held, requestBefore: 0 };
			if (store.isShared) {
				// Only n8n tells whether it still has the mark.
				store.forget([mark]);
				await pause(OVERWRITE_CHECK_MS, undefined);
				await store.repaired();
			}
			// Another run may have sent these since the list was read: its claim has ended, or a slow call has overwritten it.
			const isInDoubt = (row: Row) => store.wasSlow || known.has(facts.sent(row)[0]);
			const listed = await listedOf(own.filter(isInDoubt)).catch(async (thrown: unknown) => {
				await store.remove([mark, ...entries].filter((entry) => !known.has(entry)));
				throw thrown;
			});
			const checkedAt = monotonicNow();
			const requestBefore = Date.now() + REQUEST_WINDOW_MS;
			const last = slotAhead() + 1;
			const nextClaims = (row: Row) => [slot + 1, last].map((at) => facts.claimed(row, at));
			const next = [
				...own.flatMap((row) => [...nextClaims(row), facts.sent(row)[1]]),
				...this.severalOf(own, known),
			];
			const checked = await store.record([mark, ...next]);
			for (const entry of next) if (!checked.has(entry)) ours.add(entry);
			const isNextSlot = slotAhead() > slot;
			// Another worker has written over it, or may have claimed the next slot unseen: what n8n knows now is the other's.
			if (!checked.has(mark) || (isNextSlot && store.wasSlowSince(checkedAt))) {
				store.forget([...entries, ...next]);
				continue;
			}
			leave(listed);
			const isOthers = (entry: string) => checked.has(entry) && !ours.has(entry);
			// Where the next slot has begun elsewhere, another run may have claimed it as its own. After a slow call, only the next
			// slot tells the claim of another run from this one.
			if (isNextSlot || store.wasSlowSince(begun))
				leave(own.filter((row) => nextClaims(row).some(isOthers)));
			for (const row of own) {
				const slots = [facts.claimed(row, slot), ...nextClaims(row)];
				// What an earlier run has sent stays sent.
				const sent = isOthers(facts.sent(row)[1]) ? [] : facts.sent(row);
				const farmerDay = facts.sentOfFarmerDay(row);
				const ofFarmerDay = known.has(farmerDay) ? [] : [farmerDay];
				this.claims.set(facts.headOf(row), [...slots, ...sent, ...ofFarmerDay]);
				this.ends.set(facts.headOf(row), (last + 1) * SLOT_MS);
			}
			return { own, held, requestBefore };
		}
		throw new MemoryError('it is too slow, or other runs write to it all the time');
	}

	/** That several rows of a farmer and day were sent, of rows of which that is so. @param known what n8n had before */
	private severalOf(rows: readonly RequestedRow[], known: ReadonlySet<string>): string[] {
		const { sent, sentOfFarmerDay, severalOfFarmerDay } = this.facts;
		const ofFarmerDay = groupBy(rows, sentOfFarmerDay);
		const isOneMore = (row: RequestedRow) =>
			// The booking that it denies may be of its farmer and day.
			row.denied.length > 0 ||
			(ofFarmerDay.get(sentOfFarmerDay(row)) ?? []).length > 1 ||
			(known.has(sentOfFarmerDay(row)) && !known.has(sent(row)[0]));
		return rows.filter(isOneMore).flatMap(severalOfFarmerDay);
	}

	/** Gives up rows that are certainly not booked by this run. @throws MemoryError */
	async release(rows: readonly RequestedRow[]): Promise<void> {
		const heads = rows.map(this.facts.headOf);
		const entries = heads.flatMap((head) => this.claims.get(head) ?? []);
		for (const head of heads) {
			this.claims.delete(head);
			this.ends.delete(head);
		}
		await this.store.remove(entries);
	}

	/** When the claim of a row has ended, in milliseconds since 1970; undefined if the process knows of none. */
	endOf(row: RequestedRow): number | undefined {
		const end = this.ends.get(this.facts.headOf(row)) ?? 0;
		return end > Date.now() ? end : undefined;
	}

	/** Records the claims of rows that may be booked once more: a slow worker may have overwritten them. @throws MemoryError */
	async renew(rows: readonly RequestedRow[]): Promise<void> {
		const claims = rows.flatMap((row) => [
			...(this.claims.get(this.facts.headOf(row)) ?? []),
			...this.facts.severalOfFarmerDay(row).filter((entry) => this.store.has(entry)),
		]);
		await this.store.record(claims);
	}
}
