import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import type { BookingKey } from '../../../../api/identifiers';
import { keyOfBooking } from '../../../../api/identifiers';
import { groupBy } from '../../../../utils/groupBy';
import { inTurns } from '../../../../utils/turns';
import { bookingIndexOf, matcherFor } from '../match/bookingIndex';
import { farmerOf } from '../match/likeness';
import { mayBeSameJob, typedKey } from '../match/typedRow';
import type { FinishedRow, OpenRow, SheetRow } from '../row';
import { rejectedFor, rowsIn } from '../row';
import type { ClaimStore } from './claimStore';

const confirmed = (entry: string) => `${entry} confirmed`;

/** A row with a request: its Row ID is of its farmer. */
type Requested = Pick<
	OpenRow,
	'request' | 'rowId' | 'serviceName' | 'serviceNumber' | 'wantsNearest'
>;

/**
 * The rows that were booked, in n8n's memory of the node: by their Row ID, else by what was typed, each with its booking. Of
 * a Row ID it also has the farmer's name, the phone and the day, so that an ID that is used again for another farmer or in
 * another season is told apart.
 */
export class BookedRows {
	/** What this run has recorded, or will at the next occasion. */
	private readonly entries: string[] = [];

	private constructor(
		private readonly store: ClaimStore,
		private readonly client: ServiceClient,
		private readonly recorded: ReadonlySet<string> = new Set(),
		/** The bookings that are those of the rows, as n8n remembers. */
		readonly ownKeys: ReadonlySet<BookingKey> = new Set(),
	) {}

	/**
	 * Looks up rows, each with the bookings of its farmer in the list, and which of the bookings are those of Row IDs. Records
	 * nothing.
	 *
	 * @throws MemoryError
	 */
	static async read(
		store: ClaimStore,
		client: ServiceClient,
		rows: readonly OpenRow[],
	): Promise<BookedRows> {
		const none = new BookedRows(store, client);
		const index = bookingIndexOf(client);
		const keysOf = index.ofFarmers(rows);
		const open = await inTurns(rows, (row) => ({ row, keys: keysOf(row), head: none.headOf(row) }));
		const withId = rows.filter(({ rowId }) => rowId);
		const nearby = withId.length > 0 ? [...index.find(matcherFor(withId))] : [];
		const others = [
			...withId.map((row) => none.entryOfTwin(row)),
			...nearby.map((key) => none.entryOfNumbered(key)),
		];
		const known = await store.recorded([...open.map(({ head }) => head), ...others]);
		// Looking up writes. If n8n dies meanwhile, an entry is left without its confirmation, and says nothing.
		const details = await inTurns(open, ({ row, keys, head }) =>
			known.has(head)
				? [confirmed(head), ...none.detailsOf(row), ...keys.map((key) => none.entryOfOwn(row, key))]
				: [],
		);
		const confirmations = others.filter((entry) => known.has(entry)).map(confirmed);
		const recorded = await store.recorded([...details.flat(), ...confirmations]);
		const found = new BookedRows(store, client, recorded);
		const own = open.flatMap(({ row, keys }) => keys.filter((key) => found.isOwn(row, key)));
		return new BookedRows(store, client, recorded, new Set(own));
	}

	/** Looks up rows again, since another run may have booked them. @throws MemoryError */
	async again(rows: readonly OpenRow[]): Promise<BookedRows> {
		return await BookedRows.read(this.store, this.client, rows);
	}

	/** Whether a row was booked as it is typed, or its Row ID for any farmer. */
	isKnown(row: Requested): boolean {
		return this.isConfirmed(this.headOf(row));
	}

	/** Whether the Row ID of a row was booked for its farmer: it is never sent again. */
	isBooked(row: Requested): boolean {
		if (!row.rowId || !this.isKnown(row)) return false;
		return this.entriesOfFarmer(row).some((entry) => this.recorded.has(entry));
	}

	/** Whether the Row ID of a row was booked for its day. */
	isOfDay(row: Requested): boolean {
		return this.recorded.has(this.entryOfDay(row));
	}

	/** What n8n remembers of a row and its bookings, see `candidatesFor`. */
	beforehandOf(row: Requested) {
		const isOwn = (booking: IDataObject) => this.isOwn(row, keyOfBooking(booking));
		return { isOwn, isBooked: this.isBooked(row) };
	}

	/** Whether a row that is typed in the same way was booked with another Row ID: the numbers may have moved. */
	hasTwin(row: Requested): boolean {
		return row.rowId !== undefined && this.isConfirmed(this.entryOfTwin(row));
	}

	/** Whether a booking is known to be that of a Row ID. */
	hasRowId(booking: IDataObject): boolean {
		return this.isConfirmed(this.entryOfNumbered(keyOfBooking(booking)));
	}

	/** Rejects a row whose Row ID is that of another one. @param rows all rows that are open */
	rejectOthers(rows: readonly OpenRow[]): (row: OpenRow) => FinishedRow | undefined {
		const ofId = groupBy(rows, ({ rowId }) => rowId);
		const fix = 'give it a Row ID of its own, which no other sheet has';
		return (row) => {
			if (!row.rowId) return undefined;
			const other = ofId.get(row.rowId)?.find((one) => one !== row && !mayBeSameJob(one, row));
			if (other) return rejectedFor(row, 'Row ID', row.rowId, `is in ${rowsIn([other])}, too`, fix);
			if (!this.isKnown(row) || this.isBooked(row)) return undefined;
			const problem = 'was booked for another farmer';
			const either = `if this is another request, ${fix}; if it is the same one, write the name or the phone as it was, or remove the row`;
			return rejectedFor(row, 'Row ID', row.rowId, problem, either);
		};
	}

	/** Notes a row that is booked; it is recorded with the next ones. */
	note(row: SheetRow & Partial<Requested>, booking: IDataObject): void {
		if (!row.request) return;
		const booked = { ...row, request: row.request };
		const key = keyOfBooking(booking);
		const ofId = row.rowId ? [this.entryOfTwin(booked), this.entryOfNumbered(key)] : [];
		const entries = [this.headOf(booked), ...ofId];
		this.entries.push(...this.detailsOf(booked), this.entryOfOwn(booked, key));
		this.entries.push(...entries, ...entries.map(confirmed));
	}

	/** Records what was noted in this run, also what was before: runs side by side overwrite each other. */
	async record(): Promise<void> {
		await this.store.record(this.entries);
	}

	/** Whether a booking is that of a row. */
	private isOwn(row: Requested, key: BookingKey | undefined): boolean {
		return this.isKnown(row) && this.recorded.has(this.entryOfOwn(row, key));
	}

	private isConfirmed(entry: string): boolean {
		return this.recorded.has(confirmed(entry));
	}

	/** The entry of a row, with which its others begin. */
	private headOf(row: Requested): string {
		const { rowId } = row;
		const head = rowId ? `row ID ${JSON.stringify(rowId)}` : `job ${typedKey(row)}`;
		return `${this.client.baseUrl} ${head}`;
	}

	/** What n8n has of a Row ID beside its booking. */
	private detailsOf(row: Requested): string[] {
		return row.rowId ? [...this.entriesOfFarmer(row), this.entryOfDay(row)] : [];
	}

	/** The Row ID with each of name and phone. */
	private entriesOfFarmer(row: Requested): string[] {
		const { farmerName, farmerPhone } = farmerOf(row.request);
		const farmer = [farmerName && `name ${farmerName}`, farmerPhone && `phone ${farmerPhone}`];
		const known = farmer.filter((value) => value !== undefined);
		return (known.length > 0 ? known : ['of no one']).map(
			(value) => `${this.headOf(row)} ${value}`,
		);
	}

	private entryOfDay(row: Requested): string {
		return `${this.headOf(row)} day ${row.request.serviceDate}`;
	}

	private entryOfTwin(row: Requested): string {
		return `${this.client.baseUrl} numbered ${typedKey(row)}`;
	}

	private entryOfOwn(row: Requested, key: BookingKey | undefined): string {
		return `${this.headOf(row)} booking ${key}`;
	}

	private entryOfNumbered(key: BookingKey | undefined): string {
		return `${this.client.baseUrl} numbered booking ${key}`;
	}
}
