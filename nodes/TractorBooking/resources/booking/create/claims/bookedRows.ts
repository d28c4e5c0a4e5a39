import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../utils/text';
import { groupBy } from '../../../../utils/groupBy';
import { inTurns } from '../../../../utils/turns';
import { farmerOf } from '../match/likeness';
import type { ExistingBookings } from '../match/existingBookings';
import { mayBeSameJob, typedKey } from '../match/typedRow';
import type { FinishedRow, OpenRow, Row, SheetRow } from '../row';
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
		private readonly baseUrl: string,
		private readonly recorded: ReadonlySet<string> = new Set(),
	) {}

	/**
	 * Looks up rows, and which of the bookings are those of Row IDs. Records nothing.
	 *
	 * @param existing undefined if no row is to be compared
	 * @throws MemoryError
	 */
	static async read(
		store: ClaimStore,
		baseUrl: string,
		rows: readonly Row[],
		existing: ExistingBookings | undefined,
	): Promise<BookedRows> {
		const none = new BookedRows(store, baseUrl);
		const looked = await inTurns(rows, (row) => {
			if (row.kind === 'finished') return [];
			const near = [...(existing?.ofFarmer(row) ?? [])];
			// Of a row without bookings nearby, only its Row ID says that it was booked.
			if (row.rowId === undefined && near.length === 0) return [];
			return [{ row, near, head: none.headOf(row) }];
		});
		const open = looked.flat();
		if (open.length === 0) return none;
		const withId = open.filter(({ row }) => row.rowId);
		const bookings = withId.length > 0 ? (existing?.bookings ?? []) : [];
		const others = [
			...withId.map(({ row }) => none.entryOfTwin(row)),
			...bookings.map((booking) => none.entryOfNumbered(booking)),
		];
		const known = await store.recorded([...open.map(({ head }) => head), ...others]);
		// Looking up writes. If n8n dies meanwhile, an entry is left without its confirmation, and says nothing.
		const details = await inTurns(open, ({ row, near, head }) =>
			known.has(head)
				? [
						confirmed(head),
						...none.detailsOf(row),
						...near.map(({ booking }) => none.entryOfOwn(row, booking)),
					]
				: [],
		);
		const confirmations = others.filter((entry) => known.has(entry)).map(confirmed);
		const recorded = await store.recorded([...details.flat(), ...confirmations]);
		return new BookedRows(store, baseUrl, recorded);
	}

	/** Looks up rows again, since another run may have booked them. @throws MemoryError */
	async again(rows: readonly Row[], existing: ExistingBookings): Promise<BookedRows> {
		return await BookedRows.read(this.store, this.baseUrl, rows, existing);
	}

	/** Whether the Row ID of a row was booked for its farmer: it is never sent again. */
	isBooked(row: Requested): boolean {
		if (!row.rowId || !this.isConfirmed(this.headOf(row))) return false;
		return this.entriesOfFarmer(row).some((entry) => this.recorded.has(entry));
	}

	/** Whether the Row ID of a row was booked for its day. */
	isOfDay(row: Requested): boolean {
		return this.recorded.has(this.entryOfDay(row));
	}

	/** Whether a booking is that of a row. */
	isOwn(row: Requested, booking: IDataObject): boolean {
		return this.isConfirmed(this.headOf(row)) && this.recorded.has(this.entryOfOwn(row, booking));
	}

	/** Whether a row that is typed in the same way was booked with another Row ID: a spreadsheet may make 1 of 001. */
	hasTwin(row: Requested): boolean {
		return row.rowId !== undefined && this.isConfirmed(this.entryOfTwin(row));
	}

	/** Whether a booking is known to be that of a Row ID. */
	hasRowId(booking: IDataObject): boolean {
		return this.isConfirmed(this.entryOfNumbered(booking));
	}

	/** Rejects a row whose Row ID is that of another one. @param rows all rows that are open */
	rejectOthers(rows: readonly OpenRow[]): (row: OpenRow) => FinishedRow | undefined {
		const ofId = groupBy(rows, ({ rowId }) => rowId);
		const fix = 'give each request a Row ID of its own, which no other sheet has';
		return (row) => {
			if (!row.rowId) return undefined;
			const other = ofId.get(row.rowId)?.find((one) => one !== row && !mayBeSameJob(one, row));
			if (other) return rejectedFor(row, 'Row ID', row.rowId, `is in ${rowsIn([other])}, too`, fix);
			if (!this.isConfirmed(this.headOf(row)) || this.isBooked(row)) return undefined;
			const problem = 'was booked for another farmer';
			return rejectedFor(row, 'Row ID', row.rowId, problem, fix);
		};
	}

	/** Notes a row that is booked; it is recorded with the next ones. */
	note(row: SheetRow & Partial<Requested>, booking: IDataObject): void {
		if (!row.request) return;
		const booked = { ...row, request: row.request };
		const ofId = row.rowId ? [this.entryOfTwin(booked), this.entryOfNumbered(booking)] : [];
		const entries = [this.headOf(booked), ...ofId];
		this.entries.push(...this.detailsOf(booked), this.entryOfOwn(booked, booking));
		this.entries.push(...entries, ...entries.map(confirmed));
	}

	/** Records what was noted in this run, also what was before: runs side by side overwrite each other. */
	async record(): Promise<void> {
		await this.store.record(this.entries);
	}

	private isConfirmed(entry: string): boolean {
		return this.recorded.has(confirmed(entry));
	}

	/** The entry of a row, with which its others begin. */
	private headOf(row: Requested): string {
		const { rowId } = row;
		const head = rowId ? `row ID ${JSON.stringify(rowId)}` : `job ${typedKey(row)}`;
		return `${this.baseUrl} ${head}`;
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
		return `${this.baseUrl} numbered ${typedKey(row)}`;
	}

	private entryOfOwn(row: Requested, { bookingID }: IDataObject): string {
		return `${this.headOf(row)} booking ${asText(bookingID)}`;
	}

	private entryOfNumbered({ bookingID }: IDataObject): string {
		return `${this.baseUrl} numbered booking ${asText(bookingID)}`;
	}
}
