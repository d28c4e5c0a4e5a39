import type { IDataObject } from 'n8n-workflow';

import { InvalidInputError } from '../../../../parse/issue';
import { asText } from '../../../../utils/text';
import { groupBy } from '../../../../utils/groupBy';
import { farmerOf } from '../match/likeness';
import { repeatedRows } from '../match/typedRow';
import type { FinishedRow, OpenRow, Row, SheetRow } from '../row';
import { rejectedFor, rowsIn } from '../row';
import type { ClaimStore } from './claimStore';

function notLookedUp(thrown: unknown): InvalidInputError {
	const text = thrown instanceof Error ? thrown.message : String(thrown);
	const problem = `cannot be looked up in n8n's database: ${text}`;
	const fix =
		'run the node again; if it persists, check the database of n8n, or empty Options > Row ID';
	return new InvalidInputError([{ field: 'Row ID', value: undefined, problem, fix }]);
}

const confirmed = (entry: string) => `${entry} of a Row ID`;

/** A row with a request: its Row ID is of its farmer. */
type Requested = Pick<OpenRow, 'request' | 'rowId'>;

/**
 * The Row IDs of rows that were booked, in n8n's memory of the node. Of each it has the ID, the ID with the farmer's name
 * and with the phone, and the booking: so an ID that is used again for somebody else is told apart, and a booking of one ID
 * is not taken for that of another.
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
	 * @throws InvalidInputError if n8n's memory cannot be read
	 */
	static async read(
		store: ClaimStore,
		baseUrl: string,
		rows: readonly Row[],
		bookings: readonly IDataObject[],
	): Promise<RowIds> {
		const none = new RowIds(store, baseUrl);
		const open = rows.filter((row) => row.kind !== 'finished').filter(({ rowId }) => rowId);
		if (open.length === 0) return none;
		try {
			const heads = [
				...open.flatMap((row) => none.entriesOf(row).slice(0, 1)),
				...bookings.map((booking) => none.entryOfBooking(booking)),
			];
			const known = await store.recorded(heads);
			// Looking up writes. Who dies meanwhile leaves an ID or a booking alone, which says nothing without these.
			const details = [
				...open.flatMap((row) => {
					const [id = '', ...ofFarmer] = none.entriesOf(row);
					return known.has(id) ? ofFarmer : [];
				}),
				...bookings
					.map((booking) => none.entryOfBooking(booking))
					.flatMap((entry) => (known.has(entry) ? [confirmed(entry)] : [])),
			];
			const certain = await store.recorded(details);
			return new RowIds(store, baseUrl, new Set([...known, ...certain]));
		} catch (thrown) {
			throw notLookedUp(thrown);
		}
	}

	/** Whether a row was booked: it is never sent again. */
	isBooked(row: Requested): boolean {
		const [id = '', ...ofFarmer] = this.entriesOf(row);
		return this.recorded.has(id) && ofFarmer.some((entry) => this.recorded.has(entry));
	}

	/** Whether a booking is known to be that of a Row ID. */
	hasRowId(booking: IDataObject): boolean {
		return this.recorded.has(confirmed(this.entryOfBooking(booking)));
	}

	/** The row as one whose Row ID is that of another one: undefined if it is its own. */
	reject(rows: readonly OpenRow[]): (row: OpenRow) => FinishedRow | undefined {
		const ofId = groupBy(
			rows.filter(({ rowId }) => rowId),
			({ rowId }) => rowId,
		);
		const repeated = repeatedRows(rows);
		const fix = 'give each request a Row ID of its own, which no other sheet has';
		return (row) => {
			const [ofAnyone] = this.entriesOf(row);
			if (!ofAnyone) return undefined;
			const same = [repeated.get(row)?.earlier, row];
			const other = ofId
				.get(row.rowId)
				?.find((one) => !same.includes(one) && repeated.get(one)?.earlier !== row);
			if (other) return rejectedFor(row, 'Row ID', row.rowId, `is in ${rowsIn([other])}, too`, fix);
			if (!this.recorded.has(ofAnyone) || this.isBooked(row)) return undefined;
			const problem = 'was booked for another farmer, or n8n stopped while it was looked up';
			return rejectedFor(row, 'Row ID', row.rowId, problem, fix);
		};
	}

	/** Notes a row that is booked; it is recorded with the next ones. */
	note(row: SheetRow & Partial<Requested>, booking: IDataObject): void {
		const { request, rowId } = row;
		if (!request || !rowId) return;
		const entry = this.entryOfBooking(booking);
		this.entries.push(...this.entriesOf({ request, rowId }), entry, confirmed(entry));
	}

	/** Records what was noted in this run, also what was before: runs side by side overwrite each other. */
	async record(): Promise<void> {
		await this.store.record(this.entries);
	}

	/** The Row ID, and the Row ID with each of name and phone; nothing if the row has none. */
	private entriesOf({ request, rowId }: Requested): string[] {
		if (!rowId) return [];
		const { farmerName, farmerPhone } = farmerOf({ ...request });
		const id = `${this.baseUrl} row ID ${JSON.stringify(rowId)}`;
		const farmer = [farmerName && `name ${farmerName}`, farmerPhone && `phone ${farmerPhone}`];
		const known = farmer.filter((value) => value !== undefined);
		return [id, ...(known.length > 0 ? known : ['of no one']).map((value) => `${id} ${value}`)];
	}

	private entryOfBooking({ bookingID }: IDataObject): string {
		return `${this.baseUrl} booking ${asText(bookingID)}`;
	}
}
