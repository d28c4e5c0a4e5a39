import { monotonicNow, pause } from '../../../../api/waits';
import type { OpenRow } from '../row/row';
import { notRemembered } from '../row/sentences';
import type { Facts } from './facts';
import type { Store } from './store';
import { MAX_CLOCK_ERROR_MS, OVERWRITE_CHECK_MS, REQUEST_WINDOW_MS, SLOT_MS } from './timing';

/** How often a claim is tried that other workers overwrite. */
const MAX_ATTEMPTS = 10;

/** What came of a claim. */
export interface Claimed {
	/** The rows that may be sent. */
	own: OpenRow[];
	/** Those that another run has claimed, or whose bookings have just appeared. */
	held: OpenRow[];
	/** Those of `own` that an earlier run has sent. */
	sentBefore: OpenRow[];
	/** When the last of them may be requested, in milliseconds since 1970: a process that was stopped notices it by this clock alone. */
	requestBefore: number;
}

/** The slot of now; that of the clock which is furthest ahead. */
const slotNow = () => Math.floor(Date.now() / SLOT_MS);
const slotAhead = () => Math.floor((Date.now() + MAX_CLOCK_ERROR_MS) / SLOT_MS);

/** A claim as it was recorded. */
type Recorded = Awaited<ReturnType<Claims['record']>>;

/** Which run may send which rows, in the workflow's row of n8n's store. */
export class Claims {
	/** What this run has recorded of the rows that it has claimed, by their keys: removed for a row that is not sent. */
	private readonly claims = new Map<string, string[]>();

	/** @param store the workflow's row */
	constructor(
		private readonly store: Store,
		private readonly facts: Facts,
	) {}

	/**
	 * Claims rows that are about to be sent, records that they are, and checks that no other worker has overwritten that: a
	 * second later, or a minute after a slow call.
	 *
	 * @param listedOf those of some rows whose bookings are in the list by now
	 * @throws ServiceError, and whatever `listedOf` throws
	 */
	async claim(
		rows: readonly OpenRow[],
		listedOf: (rows: readonly OpenRow[]) => Promise<readonly OpenRow[]>,
	): Promise<Claimed> {
		const held: OpenRow[] = [];
		const ours = new Set<string>();
		let own = [...rows];
		const leave = (others: readonly OpenRow[]) => {
			held.push(...others);
			own = own.filter((row) => !others.includes(row));
		};
		for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
			const claim = await this.record(own);
			leave(own.filter((row) => claim.known.has(this.facts.claimed(row, claim.slot))));
			if (own.length === 0) return { own, held, sentBefore: [], requestBefore: 0 };
			const checked = this.untilOverwritten(claim).then(async () => {
				return await listedOf(own.filter((row) => this.isInDoubt(row, claim)));
			});
			const listed = await checked.catch(async (thrown: unknown) => {
				await this.store.remove(claim.entries.filter((entry) => !claim.known.has(entry)));
				throw thrown;
			});
			const requestBefore = Date.now() + REQUEST_WINDOW_MS;
			const check = await this.check(own, claim, ours);
			if (check === 'overwritten') continue;
			leave(listed);
			leave(own.filter(check.isOthers));
			own.forEach(check.keep);
			return { own, held, sentBefore: own.filter(check.wasSent), requestBefore };
		}
		throw notRemembered();
	}

	/** What is recorded of a row when it is claimed. */
	private entriesOf(row: OpenRow, slot: number): string[] {
		return [this.facts.claimed(row, slot), this.facts.sent(row)[0]];
	}

	/** Records that rows are claimed for the slot of now, and are about to be sent. */
	private async record(rows: readonly OpenRow[]) {
		const { facts, store } = this;
		await store.repaired();
		const [slot, mark] = [slotNow(), facts.mark()];
		const entries = [...rows.flatMap((row) => this.entriesOf(row, slot)), mark];
		/** What n8n had before. */
		const known = await store.record(entries);
		return { slot, mark, entries, known };
	}

	/** Waits until whatever may have overwritten a claim has done so. */
	private async untilOverwritten({ mark }: Recorded): Promise<void> {
		const { store } = this;
		if (!store.isShared) return;
		// Only n8n tells whether it still has the mark.
		store.forget([mark]);
		await pause(OVERWRITE_CHECK_MS, undefined);
		await store.repaired();
	}

	/** Whether another run may have sent a row since the list was read: its claim has ended, or a slow call has overwritten it. */
	private isInDoubt(row: OpenRow, { known }: Recorded): boolean {
		return this.store.wasSlow || known.has(this.facts.sent(row)[0]);
	}

	/**
	 * Looks up whether n8n has kept a claim, and claims the next slots.
	 *
	 * @param ours what was recorded so far, also in an attempt that was overwritten: it is of no other run
	 */
	private async check(
		rows: readonly OpenRow[],
		{ slot, mark, entries, known }: Recorded,
		ours: Set<string>,
	) {
		const { facts, store } = this;
		const checkedAt = monotonicNow();
		const nextClaims = (row: OpenRow) =>
			[slot + 1, slotAhead() + 1].map((at) => facts.claimed(row, at));
		const nextEntriesOf = (row: OpenRow) => [...nextClaims(row), facts.sent(row)[1]];
		const next = rows.flatMap(nextEntriesOf);
		const checked = await store.record([mark, ...next]);
		for (const entry of next) if (!checked.has(entry)) ours.add(entry);
		const isForeign = (entry: string) => checked.has(entry) && !ours.has(entry);
		const isNextSlot = slotAhead() > slot;
		// Another worker may have claimed the next slot unseen.
		const isLate = isNextSlot && store.wasSlowSince(checkedAt);
		if (!checked.has(mark) || isLate) {
			// What n8n knows now is the other's.
			store.forget(entries);
			return 'overwritten';
		}
		// Where the next slot has begun elsewhere, another run may have claimed it as its own. After a slow call, only the next
		// slot tells the claim of another run from this one.
		const nextTells = isNextSlot || store.wasSlow;
		return {
			isOthers: (row: OpenRow) => nextTells && nextClaims(row).some(isForeign),
			wasSent: (row: OpenRow) => isForeign(facts.sent(row)[1]),
			/** Lets this run know what it has recorded of a row. */
			keep: (row: OpenRow) => {
				// What an earlier run has sent stays sent.
				const first = this.entriesOf(row, slot).filter((entry) => !known.has(entry));
				const second = nextEntriesOf(row).filter((entry) => !isForeign(entry));
				this.claims.set(facts.headOf(row), [...first, ...second]);
			},
		};
	}

	/** Gives up rows that are certainly not booked by this run. @throws ServiceError */
	async release(rows: readonly OpenRow[]): Promise<void> {
		const heads = rows.map(this.facts.headOf);
		const entries = heads.flatMap((head) => this.claims.get(head) ?? []);
		for (const head of heads) this.claims.delete(head);
		await this.store.remove(entries);
	}

	/** Whether the process knows that a row is claimed. */
	isClaimed(row: OpenRow): boolean {
		return this.store.has(this.facts.claimed(row, slotNow()));
	}

	/** Records the claims of rows that may be booked once more: a slow worker may have overwritten them. @throws ServiceError */
	async renew(rows: readonly OpenRow[]): Promise<void> {
		const heads = rows.map(this.facts.headOf);
		await this.store.record(heads.flatMap((head) => this.claims.get(head) ?? []));
	}
}
