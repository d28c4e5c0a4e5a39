import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../utils/text';
import { groupBy } from '../../../../utils/groupBy';
import { farmerOf } from '../match/likeness';
import type { ExistingBookings } from '../match/existingBookings';
import { mayBeSameJob, typedKey } from '../match/typedRow';
import type { FinishedRow, OpenRow, Row, SheetRow } from '../row';
import { rejectedFor, rowsIn } from '../row';
import type { ClaimStore } from './claimStore';

const confirmed = (entry: string) => `${entry} of a Row ID`;

/** A row with a request: its Row ID is of its farmer. */
type Requested = Pick<
	OpenRow,
	'request' | 'rowId' | 'hasIdField' | 'serviceName' | 'serviceNumber' | 'wantsNearest'
>;

const isRemembered = ({ rowId, hasIdField }: Pick<SheetRow, 'rowId' | 'hasIdField'>): boolean =>
	rowId !== undefined || hasIdField === true;

/**
 * The Row IDs of rows that were booked, in n8n's memory of the node. Of each it has the ID, and the ID with the farmer's
 * name, with the phone, with the day and with the booking: so an ID that is used again for another farmer or in another
 * season is told apart. Of a row without one, in a sheet with Booking IDs, it has what was typed: such a sheet may come again
 * before the Booking IDs were written into it.
 */
export class RowIds {
	/** What this run has recorded, or will at the next occasion. */
	private readonly entries: string[] = [];

	private constructor(
		private readonly store: ClaimStore,
		private readonly baseUrl: string,
		private readonly recorded: ReadonlySet<string> = new Set(),
	) {}

	/**
	 * Looks up the Row IDs of rows, and which of the bookings are those of Row IDs. Records nothing.
	 *
	 * @throws MemoryError
	 */
	static async read(
		store: ClaimStore,
		baseUrl: string,
		rows: readonly Row[],
		existing: ExistingBookings | undefined,
	): Promise<RowIds> {
		const none = new RowIds(store, baseUrl);
		const open = rows.filter((row) => row.kind !== 'finished').filter(isRemembered);
		if (open.length === 0) return none;
		const withId = open.filter(({ rowId }) => rowId);
		const ids = withId.flatMap((row) => none.entriesOf(row).slice(0, 1));
		const bookings = withId.length > 0 ? (existing?.bookings ?? []) : [];
		const ofBookings = bookings.map((booking) => none.entryOfBooking(booking));
		const jobs = open.map((row) => none.entryOfJob(row));
		const known = await store.recorded([...ids, ...jobs, ...ofBookings]);
		const ownOf = (row: OpenRow) =>
			[...(existing?.near(row) ?? [])]
				.filter(({ booking }) => known.has(none.entryOfBooking(booking)))
				.map(({ booking }) => none.entryOfOwn(row, booking));
		// Looking up writes. If n8n dies meanwhile, an entry is left without its confirmation, and says nothing.
		const details = [
			...withId.flatMap((row) => {
				const [id = '', ...ofFarmer] = none.entriesOf(row);
				if (!known.has(id)) return [];
				return [confirmed(id), ...ofFarmer, none.entryOfDay(row), ...ownOf(row)];
			}),
			...[...jobs, ...ofBookings].filter((entry) => known.has(entry)).map(confirmed),
		];
		return new RowIds(store, baseUrl, await store.recorded(details));
	}

	/** Whether a row was booked: it is never sent again. */
	isBooked(row: Requested): boolean {
		const [id = '', ...ofFarmer] = this.entriesOf(row);
		return this.isConfirmed(id) && ofFarmer.some((entry) => this.recorded.has(entry));
	}

	/** Whether a Row ID that was booked was so for the day of the row. */
	isOfDay(row: Requested): boolean {
		return this.recorded.has(this.entryOfDay(row));
	}

	/** Whether a booking is that of a row by its Row ID. */
	isOwn(row: Requested, booking: IDataObject): boolean {
		return this.recorded.has(this.entryOfOwn(row, booking));
	}

	/** Whether a row that is typed in the same way was booked, whatever its Row ID. */
	isTyped(row: Requested): boolean {
		return this.isConfirmed(this.entryOfJob(row));
	}

	/** Whether a booking is known to be that of a Row ID. */
	hasRowId(booking: IDataObject): boolean {
		return this.isConfirmed(this.entryOfBooking(booking));
	}

	/** Rejects a row whose Row ID is that of another one. @param rows all rows that are open */
	rejectOthers(rows: readonly OpenRow[]): (row: OpenRow) => FinishedRow | undefined {
		const ofId = groupBy(rows, ({ rowId }) => rowId);
		const fix = 'give each request a Row ID of its own, which no other sheet has';
		return (row) => {
			const [ofAnyone] = this.entriesOf(row);
			if (!ofAnyone) return undefined;
			const other = ofId.get(row.rowId)?.find((one) => one !== row && !mayBeSameJob(one, row));
			if (other) return rejectedFor(row, 'Row ID', row.rowId, `is in ${rowsIn([other])}, too`, fix);
			if (!this.isConfirmed(ofAnyone) || this.isBooked(row)) return undefined;
			const problem = 'was booked for another farmer';
			return rejectedFor(row, 'Row ID', row.rowId, problem, fix);
		};
	}

	/** Notes a row that is booked; it is recorded with the next ones. */
	note(row: SheetRow & Partial<Requested>, booking: IDataObject): void {
		const { request, rowId } = row;
		if (!request || !isRemembered(row)) return;
		const [id, ...ofFarmer] = this.entriesOf({ request, rowId });
		const job = this.entryOfJob({ ...row, request });
		const own = { request, rowId };
		if (id !== undefined)
			this.entries.push(...ofFarmer, this.entryOfDay(own), this.entryOfOwn(own, booking));
		const heads = id === undefined ? [job] : [id, job, this.entryOfBooking(booking)];
		this.entries.push(...heads, ...heads.map(confirmed));
	}

	/** Records what was noted in this run, also what was before: runs side by side overwrite each other. */
	async record(): Promise<void> {
		await this.store.record(this.entries);
	}

	/** The Row ID, and the Row ID with each of name and phone; nothing if the row has none. */
	private entriesOf({ request, rowId }: Requested): string[] {
		if (!rowId) return [];
		const { farmerName, farmerPhone } = farmerOf(request);
		const id = `${this.baseUrl} row ID ${JSON.stringify(rowId)}`;
		const farmer = [farmerName && `name ${farmerName}`, farmerPhone && `phone ${farmerPhone}`];
		const known = farmer.filter((value) => value !== undefined);
		return [id, ...(known.length > 0 ? known : ['of no one']).map((value) => `${id} ${value}`)];
	}

	private entryOfDay({ request, rowId }: Requested): string {
		return `${this.baseUrl} row ID ${JSON.stringify(rowId)} day ${request.serviceDate}`;
	}

	private isConfirmed(entry: string): boolean {
		return this.recorded.has(confirmed(entry));
	}

	/** All that the row holds but its Row ID: a spreadsheet may make 1 of the Row ID 001. */
	private entryOfJob(row: Requested): string {
		return `${this.baseUrl} job ${typedKey(row)}`;
	}

	private entryOfOwn({ rowId }: Pick<Requested, 'rowId'>, { bookingID }: IDataObject): string {
		return `${this.baseUrl} row ID ${JSON.stringify(rowId)} booking ${asText(bookingID)}`;
	}

	private entryOfBooking({ bookingID }: IDataObject): string {
		return `${this.baseUrl} booking ${asText(bookingID)}`;
	}
}
