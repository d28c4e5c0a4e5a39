import type { ServiceClient } from '../../../../api/client';
import { ServiceError } from '../../../../api/errors';
import {
	DISTINCTIVE_FIELDS,
	jobOfRow,
	likeness,
	MATCH_FIELDS,
	typedJobOf,
} from '../match/likeness';
import type { Job, MatchField } from '../match/likeness';
import { contentKey } from '../match/typedRow';
import type { CheckedRow, FinishedRow, ReadyRow } from '../row';
import { isCompared, rejected } from '../row';
import { claimEnd, type ClaimStore } from './claimStore';

/** Rows that are claimed together: each time takes n8n four writes, and a second. */
export const BURST = 5;

/** Claimed while any row of the node is in doubt, so that traits are only looked up then. */
const ANY_LOST = 'lost';

const allButOne = (fields: readonly MatchField[]) =>
	fields.map((left) => fields.filter((field) => field !== left));

/** What an edited row still has in common with itself, as it was sent: two of name, phone and day, or four of all. */
const TRAITS = [...allButOne(DISTINCTIVE_FIELDS), ...allButOne(MATCH_FIELDS)];

const isOfFarmerOrDay = (field: string) =>
	(DISTINCTIVE_FIELDS as readonly string[]).includes(field);

/** Whether a job has what the fields say of the farmer and the day. Service and area may be empty. */
const hasFarmerAndDay = (job: Job, fields: readonly MatchField[]) =>
	fields.every((field) => job[field] !== undefined || !isOfFarmerOrDay(field));

/** This long before its claim ends, a row is no longer sent: the longest timeout of a request. In milliseconds. */
const MARGIN_MS = 60_000;

/**
 * Claims rows before they are sent, so that no other run of the node sends them as well: in another worker, or after a
 * restart, while the list does not show yet what was booked.
 */
export class Claims {
	/** The claims of this run: their names, and when they end, in milliseconds since 1970. */
	private readonly own = new Map<ReadyRow, { names: string[]; endsAt: number }>();

	/** Traits that say nothing about another row: of known bookings, and of rows of the sheet that were sent before. */
	private readonly explained = new Set<string>();

	/**
	 * @param timezone IANA name, for the times in messages
	 * @param known the bookings that exist; they may not show service and area
	 * @param versionOf what tells a row that is booked again from the same row before: its bookings that do not count
	 */
	constructor(
		private readonly store: ClaimStore,
		private readonly client: Pick<ServiceClient, 'baseUrl'>,
		private readonly timezone: string,
		private readonly known: readonly Job[],
		private readonly versionOf: (row: ReadyRow) => string,
	) {}

	/** Whether a row is claimed before it is sent: with Create Anyway, its Row ID alone. */
	covers(row: ReadyRow): boolean {
		return isCompared(row) || row.rowId !== undefined;
	}

	/** Whether this run has claimed a row. */
	holds(row: ReadyRow): boolean {
		return this.own.has(row);
	}

	/**
	 * Claims rows that are about to be sent.
	 *
	 * @returns the rows that another run has claimed, or that may be one that was sent, edited since, with the end of that claim
	 * @throws MemoryError
	 */
	async take(rows: readonly ReadyRow[]): Promise<Map<ReadyRow, number>> {
		const held = await this.store.take(
			rows.flatMap((row) => this.namesOf(row)),
			rows.flatMap((row) => this.traitsOfRow(row)),
		);
		const claimed = new Map<ReadyRow, number>();
		const partly: string[] = [];
		const isHeld = (name: string) => held.has(name);
		this.explain(rows.filter((row) => this.namesOf(row).some(isHeld)));
		for (const row of rows) {
			const names = this.namesOf(row);
			const traits = this.traitsOfRow(row);
			// A Row ID tells a row from all others.
			const others = row.rowId ? [] : this.unexplained(row, isHeld);
			const ends = [...names, ...others].flatMap((name) => held.get(name) ?? []);
			const free = [...names, ...traits].filter((name) => !isHeld(name));
			if (names.some(isHeld) || ends.length > 0) {
				claimed.set(row, Math.max(...ends));
				partly.push(...free);
			} else {
				this.own.set(row, { names: free, endsAt: claimEnd() });
			}
		}
		if (partly.length > 0) await this.release(partly);
		return claimed;
	}

	/** Gives back the claims of rows that are certainly not booked. */
	async giveBack(rows: readonly ReadyRow[]): Promise<void> {
		const names = rows.flatMap((row) => this.own.get(row)?.names ?? []);
		for (const row of rows) this.own.delete(row);
		await this.release(names);
	}

	/** Gives names back, except those that other rows of this run have claimed as well. */
	private async release(names: readonly string[]): Promise<void> {
		const kept = new Set([...this.own.values()].flatMap((own) => own.names));
		await this.store.giveBack(names.filter((name) => !kept.has(name)));
	}

	/** Whether the claim of a row has ended, or nearly: the process may have been stopped for a while. */
	hasEnded(row: ReadyRow): boolean {
		return this.covers(row) && Date.now() > (this.own.get(row)?.endsAt ?? 0) - MARGIN_MS;
	}

	/** Keeps what this run has claimed, while it sends rows. @throws MemoryError */
	async renew(): Promise<void> {
		await this.store.renew();
	}

	/** Notes that a response was lost: until its claim ends, rows are looked up before any is sent. */
	async noteLost(): Promise<void> {
		await this.store.take([ANY_LOST]);
	}

	/** Rejects the rows whose response was lost lately, and those that may be such a row, edited since. */
	async rejectLost(rows: readonly CheckedRow[]): Promise<CheckedRow[]> {
		await this.store.removeEnded();
		const ready = rows.filter((row) => row.kind === 'ready').filter(isCompared);
		if (ready.length === 0 || (await this.store.look([ANY_LOST])).size === 0) return [...rows];
		const held = await this.store.look(
			ready.flatMap((row) => [...this.namesOf(row), ...this.traitsOfRow(row)]),
		);
		const isHeld = (name: string) => held.has(name);
		const isSent = (row: ReadyRow) =>
			this.namesOf(row).some(isHeld) && this.traitsOfRow(row).every(isHeld);
		this.explain(ready.filter(isSent));
		return rows.map((row) => {
			if (row.kind !== 'ready' || !isCompared(row)) return row;
			const own = isSent(row) ? this.traitsOfRow(row) : this.unexplained(row, isHeld);
			if (own.length === 0) return row;
			return this.asSentBefore(row, Math.max(...own.map((trait) => held.get(trait) ?? 0)));
		});
	}

	/** Which of the rows this or another run has claimed lately. */
	async claimed(rows: readonly ReadyRow[]): Promise<Set<ReadyRow>> {
		const held = await this.store.look(rows.flatMap((row) => this.namesOf(row)));
		return new Set(rows.filter((row) => this.namesOf(row).some((name) => held.has(name))));
	}

	/** The row as one that was sent before, and may be booked. @param endsAt the end of the claim */
	asSentBefore(row: ReadyRow, endsAt: number): FinishedRow {
		const { timezone: timeZone } = this;
		const end = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(endsAt);
		const message = `This row, or one like it, was sent a few minutes ago; until ${end}, it is unknown whether it was booked`;
		const description = `Run the row again after ${end}, as it is: then the list of bookings decides.`;
		return rejected(row, new ServiceError('interrupted', message, { description }), 'unknown');
	}

	private namesOf(row: ReadyRow): string[] {
		const names = [
			isCompared(row) && `row ${contentKey(row)} ${this.versionOf(row)}`,
			row.rowId !== undefined && `row ID ${row.rowId}`,
		];
		return names.flatMap((name) => (name === false ? [] : [`${this.client.baseUrl} ${name}`]));
	}

	/** The traits of these rows say nothing about another row. */
	private explain(rows: readonly ReadyRow[]): void {
		for (const trait of rows.flatMap((row) => this.traitsOfRow(row))) this.explained.add(trait);
	}

	private traitsOfRow(row: ReadyRow): string[] {
		return [...this.fieldsOfTraits(row).keys()];
	}

	/** The traits of a row, each with its fields. */
	private fieldsOfTraits(row: ReadyRow): Map<string, readonly MatchField[]> {
		const job = typedJobOf(row);
		const own = TRAITS.filter((fields) => isCompared(row) && hasFarmerAndDay(job, fields));
		return new Map(own.map((fields) => [this.nameOf(fields, job), fields]));
	}

	/** The traits of a row that are held, and that no known booking and no row of the sheet explains. */
	private unexplained(row: ReadyRow, isHeld: (name: string) => boolean): string[] {
		const held = [...this.fieldsOfTraits(row)].filter(
			([name]) => isHeld(name) && !this.explained.has(name),
		);
		if (held.length === 0) return [];
		// A service has a number and a name: a known booking may show either.
		const own = [jobOfRow(row), typedJobOf(row)];
		const alikes = this.known.map((other) => own.map((job) => likeness(job, other)));
		const mayBeOfKnown = (fields: readonly MatchField[]) =>
			alikes.some((both) =>
				both.every((alike) => fields.every((field) => alike[field] ?? !isOfFarmerOrDay(field))),
			);
		return held.filter(([, fields]) => !mayBeOfKnown(fields)).map(([name]) => name);
	}

	private nameOf(fields: readonly MatchField[], job: Job) {
		const values = fields.map((field) => job[field]);
		return `${this.client.baseUrl} ${fields.join()} ${JSON.stringify(values)}`;
	}
}
