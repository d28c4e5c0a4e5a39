import type { ServiceClient } from '../../../../api/client';
import type { BookingId } from '../../../../api/records';
import type { Row } from '../row/row';
import { Claims } from './claims';
import { factsOf, proofOf, type Chain, type Facts } from './facts';
import { Store, type Helpers } from './store';

/** What n8n remembers of rows, by their keys: which were sent, which were booked, and with which booking. */
export class RowMemory {
	readonly facts: Facts;

	readonly claims: Claims;

	/** The entries that this run knows. */
	private readonly known = new Set<string>();

	/** What is to be recorded with the next entries. */
	private toRecord: string[] = [];

	/** Whether n8n records what was booked. */
	private isRecording = false;

	/** Which rows were booked, in the node's row of n8n's store. */
	private readonly bookedStore: Store;

	/** @param helpers undefined if n8n has no store: then the process alone remembers */
	constructor(client: ServiceClient, helpers: Helpers | undefined) {
		this.facts = factsOf(client.baseUrl);
		this.bookedStore = new Store(client, 'node', helpers);
		// In a row of its own: a run that only looks up whether rows were booked, such as a Dry Run, cannot overwrite it.
		this.claims = new Claims(new Store(client, 'workflow', helpers), this.facts);
	}

	/** Looks facts of what was booked up. @throws ServiceError */
	async look(chains: readonly Chain[]): Promise<void> {
		let left = chains;
		for (let at = 0; left.length > 0; at++) {
			const entries = left.flatMap((chain) => chain.slice(at, at + 1));
			for (const entry of await this.bookedStore.look(entries)) this.known.add(entry);
			left = left.filter((chain) => this.known.has(chain[at] ?? ''));
		}
	}

	/** Whether this run knows a fact; false if it has not looked it up. */
	readonly knows = (fact: Chain): boolean => this.known.has(proofOf(fact));

	/** Whether a booking is that of a row. */
	isOwn(row: Row, id: BookingId): boolean {
		return this.knows(this.facts.own(row, id));
	}

	/** Whether a booking is that of some row. */
	isTaken(id: BookingId): boolean {
		return this.facts.takenBy(id).some(this.knows);
	}

	/** Whether a booking may be that of a row: it is its own, or no row's. */
	mayBeOf(row: Row, id: BookingId): boolean {
		return this.isOwn(row, id) || !this.isTaken(id);
	}

	/**
	 * Lets the process remember at once that a row is booked, and n8n as soon as it has recorded those before: if the process
	 * dies, little is forgotten.
	 *
	 * @param id its booking, if it is known
	 */
	rememberBooked(row: Row, id: BookingId | undefined): void {
		const own = id === undefined ? [] : this.facts.own(row, id);
		// n8n drops the oldest entries first: once those of the row are gone, none may still say that its booking is taken.
		const entries = [...own, ...this.facts.ofRow(row).flat()];
		this.bookedStore.remember(entries);
		this.toRecord.push(...entries);
		const done = () => (this.isRecording = false);
		// If it fails, the next record says so.
		if (!this.isRecording) this.bookedStore.record(this.toRecord).then(done, done);
		this.isRecording = true;
	}

	/** Records, once more, all that is to be remembered: another worker may have overwritten some of it. @throws ServiceError */
	async record(): Promise<void> {
		const entries = this.toRecord;
		// Others may be added before n8n has recorded these.
		this.toRecord = [];
		await this.bookedStore.record(entries).catch((thrown: unknown) => {
			this.toRecord = [...entries, ...this.toRecord];
			throw thrown;
		});
	}
}
