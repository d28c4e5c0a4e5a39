import type { ServiceClient } from '../../../../api/client';
import { InvalidInputError } from '../../../../parse/issue';
import { groupBy } from '../../../../utils/groupBy';
import { farmerOf } from '../match/likeness';
import type { FinishedRow, Row, SheetRow } from '../row';
import { finished, rejectedFor, rowsIn } from '../row';
import type { ClaimStore } from './claimStore';

/** A row that has a Row ID, with the request if that is valid. */
type RowWithId = Pick<FinishedRow, 'rowId' | 'request'>;

const isOpen = (row: Row) => row.kind !== 'finished' || row.result === 'possible duplicate';

/**
 * The Row IDs that the node has booked at one base URL, in n8n's memory. They are kept until 20,000 newer entries
 * have come, and lost with the node, its workflow or the database.
 */
export class RowIds {
	constructor(
		private readonly store: ClaimStore,
		private readonly client: Pick<ServiceClient, 'baseUrl'>,
	) {}

	/**
	 * Finishes the rows whose Row ID was booked before, whatever else has changed in them, and rejects those that share
	 * their Row ID with another row, or with a farmer of another name and phone. Records nothing.
	 *
	 * @param rows the rows after they were matched
	 * @param given the same rows before, in the same order: with the request also of those that are possible duplicates
	 * @throws InvalidInputError if n8n's memory cannot be read
	 */
	async check(rows: readonly Row[], given: readonly Row[]): Promise<Row[]> {
		const open = new Map(
			given
				.filter(({ rowId }, at) => rowId !== undefined && rows[at] && isOpen(rows[at]))
				.map((row) => [row.itemIndex, row]),
		);
		if (open.size === 0) return [...rows];
		// A row that is typed twice has the Row ID twice.
		const once = rows.filter((row) => row.kind !== 'finished' || !row.earlier);
		const byId = groupBy(once, ({ rowId }) => rowId);
		const booked = await this.recorded([...open.values()].map((row) => this.idOf(row)));
		const known = [...open.values()].filter((row) => booked.has(this.idOf(row)));
		// Looking up writes: whoever dies meanwhile leaves the ID behind, but not its farmer.
		const farmers = await this.recorded(known.flatMap((row) => this.farmersOf(row)));
		return rows.map((row) => {
			const own = open.get(row.itemIndex);
			if (!own) return row;
			const [first, second] = byId.get(row.rowId) ?? [];
			const other = first?.itemIndex === row.itemIndex ? second : first;
			if (other) return notOnlyIts(row, `is in ${rowsIn([other])}, too`);
			if (!booked.has(this.idOf(row))) return row;
			return this.farmersOf(own).some((entry) => farmers.has(entry))
				? asBooked(own)
				: notOnlyIts(row, 'was booked for another farmer, or n8n stopped while it was looked up');
		});
	}

	/**
	 * Records the Row IDs of the rows that are booked, but for those of a Dry Run.
	 *
	 * @throws Error if n8n's memory cannot be written
	 */
	async record(rows: readonly FinishedRow[]): Promise<void> {
		const entries = rows
			.filter(({ rowId, settings }) => rowId !== undefined && !settings.dryRun)
			.filter(({ result }) => result === 'created' || result === 'already booked')
			.flatMap((row) => [this.idOf(row), ...this.farmersOf(row)]);
		if (entries.length > 0) await this.store.record(entries);
	}

	private async recorded(entries: readonly string[]): Promise<Set<string>> {
		return await this.store.recorded(entries).catch((thrown: unknown) => {
			const text = thrown instanceof Error ? thrown.message : String(thrown);
			throw new InvalidInputError([
				{
					field: 'Row ID',
					value: undefined,
					problem: `cannot be looked up in n8n's database: ${text}`,
					fix: 'run the node again; if it persists, check the database of n8n, or empty Options > Row ID',
				},
			]);
		});
	}

	private idOf({ rowId }: Pick<RowWithId, 'rowId'>): string {
		return `${this.client.baseUrl} booked row ID ${JSON.stringify(rowId)}`;
	}

	/** The Row ID with the name of the farmer, and with the phone. */
	private farmersOf(row: RowWithId): string[] {
		const { farmerName, farmerPhone } = farmerOf({ ...row.request });
		const farmers = [
			['name', farmerName],
			['phone', farmerPhone],
		].filter(([, value]) => value !== undefined);
		const known = farmers.length > 0 ? farmers : [['farmer', 'unknown']];
		return known.map((farmer) => `${this.idOf(row)} ${farmer.join(' ')}`);
	}
}

function asBooked(row: Row): FinishedRow {
	const fix = 'to book the row again, give it a new Row ID';
	return row.settings.ifAlreadyBooked === 'fail'
		? rejectedFor(row, 'Row ID', row.rowId, 'was booked before', `remove the row; ${fix}`)
		: finished(row, {
				result: 'already booked',
				reason: `the Row ID ${row.rowId} was booked before; ${fix}`,
			});
}

function notOnlyIts(row: SheetRow, problem: string): FinishedRow {
	const fix = 'give each request a Row ID of its own';
	return rejectedFor(row, 'Row ID', row.rowId, problem, fix);
}
