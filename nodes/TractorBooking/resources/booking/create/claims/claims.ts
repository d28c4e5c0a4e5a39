import type { ServiceClient } from '../../../../api/client';
import { ServiceError } from '../../../../api/errors';
import { labelOf } from '../fields';
import { farmerOf } from '../match/likeness';
import { contentKey } from '../match/typedRow';
import type { CheckedRow, FinishedRow, ReadyRow } from '../row';
import { isCompared, rejected } from '../row';
import { claimEnd, type ClaimStore } from './claimStore';

/** Rows that are claimed together: each time takes n8n three writes, and a second. */
export const BURST = 5;

/** Claimed while any row of the node is in doubt, so that pairs are only looked up then. */
const ANY_LOST = 'lost';

/** A row is not sent any more so long before its claim ends: the longest timeout of a request. In milliseconds. */
const MARGIN_MS = 60_000;

/** Two of name, phone and day: a row that was edited keeps two of them. */
const PAIRS = [
	['farmerName', 'farmerPhone'],
	['farmerName', 'serviceDate'],
	['farmerPhone', 'serviceDate'],
] as const;

/** A row that another run has claimed, or that may be a row whose response was lost. */
export interface ClaimedRow {
	/** When the claim ends, in milliseconds since 1970. */
	endsAt: number;
}

/**
 * Claims rows before they are sent, so that no other run of the node sends them as well: in another worker, or after a
 * restart, while the list does not show yet what was booked.
 */
export class Claims {
	/** The claims of this run, by row. */
	private readonly own = new Map<ReadyRow, string[]>();

	/** When these end, in milliseconds since 1970. */
	private readonly endsOf = new WeakMap<ReadyRow, number>();

	/**
	 * @param timezone IANA name, for the times in messages
	 * @param versionOf what tells a row that is booked again from the same row before: its bookings that do not count
	 */
	constructor(
		private readonly store: ClaimStore,
		private readonly client: Pick<ServiceClient, 'baseUrl'>,
		private readonly timezone: string,
		private readonly versionOf: (row: ReadyRow) => string,
	) {}

	/** Whether a row is claimed before it is sent: with Create Anyway, its Row ID alone. */
	covers(row: ReadyRow): boolean {
		return isCompared(row) || row.rowId !== undefined;
	}

	/**
	 * Claims rows that are about to be sent.
	 *
	 * @returns the rows that were claimed before
	 * @throws MemoryError
	 */
	async take(rows: readonly ReadyRow[]): Promise<Map<ReadyRow, ClaimedRow>> {
		const names = new Map(rows.map((row) => [row, this.namesOf(row)]));
		const held = await this.store.take([...names.values()].flat());
		const claimed = new Map<ReadyRow, ClaimedRow>();
		const partly: string[] = [];
		for (const [row, own] of names) {
			const ends = own.flatMap((name) => held.get(name) ?? []);
			if (ends.length === 0) {
				this.own.set(row, own);
				this.endsOf.set(row, claimEnd());
			} else {
				claimed.set(row, { endsAt: Math.max(...ends) });
				partly.push(...own.filter((name) => !held.has(name)));
			}
		}
		if (partly.length > 0) await this.store.giveBack(partly);
		return claimed;
	}

	/** Gives back the claims of rows of which it is certain that they are not booked. */
	async giveBack(rows: readonly ReadyRow[]): Promise<void> {
		const names = rows.flatMap((row) => this.own.get(row) ?? []);
		for (const row of rows) this.own.delete(row);
		await this.store.giveBack(names);
	}

	/** Whether the claim of a row has ended, or nearly so, since the process stood still. */
	hasEnded(row: ReadyRow): boolean {
		return this.covers(row) && Date.now() > (this.endsOf.get(row) ?? 0) - MARGIN_MS;
	}

	/** Claims what a row keeps if it is edited, since its response was lost. */
	async claimLost(row: ReadyRow): Promise<void> {
		await this.store.take([ANY_LOST, ...this.pairsOf(row)]);
	}

	/** Gives back what was claimed of a row whose response was lost, since its booking was found. */
	async releaseLost(row: ReadyRow): Promise<void> {
		await this.store.giveBack(this.pairsOf(row));
	}

	/** Rejects the rows whose response was lost lately, and those that may be such a row, edited since. */
	async rejectLost(rows: readonly CheckedRow[]): Promise<CheckedRow[]> {
		await this.store.removeEnded();
		const ready = rows.filter((row) => row.kind === 'ready').filter(isCompared);
		if (ready.length === 0 || (await this.store.look([ANY_LOST])).size === 0) return [...rows];
		const held = await this.store.look(
			ready.flatMap((row) => [...this.namesOf(row), ...this.pairsOf(row)]),
		);
		const isHeld = (name: string) => held.has(name);
		const isLost = (row: ReadyRow) =>
			this.namesOf(row).some(isHeld) && this.pairsOf(row).every(isHeld);
		// A pair of a row that is in the sheet says nothing about another job of the farmer.
		const explained = new Set(ready.filter(isLost).flatMap((row) => this.pairsOf(row)));
		return rows.map((row) => {
			if (row.kind !== 'ready' || !isCompared(row)) return row;
			const pairs = this.pairsOf(row).filter(isHeld);
			const own = isLost(row) ? pairs : pairs.filter((pair) => !explained.has(pair));
			if (own.length === 0) return row;
			const endsAt = Math.max(...own.map((pair) => held.get(pair) ?? 0));
			return this.asSentBefore(row, { endsAt });
		});
	}

	/** The row as one that was sent before, and may be booked. */
	asSentBefore(row: ReadyRow, { endsAt }: ClaimedRow): FinishedRow {
		const clock = new Intl.DateTimeFormat('en-GB', {
			timeStyle: 'short',
			timeZone: this.timezone,
		});
		const failure = new ServiceError(
			'interrupted',
			`This row, or one like it, was sent a few minutes ago, and it is unknown whether it was booked until ${clock.format(endsAt)}`,
			{
				description: `Run the row again after ${clock.format(endsAt)}, as it is: then the list of bookings decides.`,
			},
		);
		return rejected(row, failure, 'unknown');
	}

	private namesOf(row: ReadyRow): string[] {
		const { baseUrl } = this.client;
		const content = `${baseUrl} row ${contentKey(row)} ${this.versionOf(row)}`;
		const id = `${baseUrl} row ID ${row.rowId}`;
		return [...(isCompared(row) ? [content] : []), ...(row.rowId === undefined ? [] : [id])];
	}

	private pairsOf({ request }: ReadyRow): string[] {
		const job = { ...farmerOf(request), serviceDate: request.serviceDate };
		return PAIRS.flatMap((fields) => {
			const values = fields.map((field) => job[field]);
			const isWhole = values.every((value) => value !== undefined);
			const labels = fields.map(labelOf).join();
			return isWhole ? [`${this.client.baseUrl} ${labels} ${JSON.stringify(values)}`] : [];
		});
	}
}
