import type { BookingKey } from './bookings';
import type { BookingState, StoredEntry } from './bookingState';
import { StateTable, fromRow } from './bookingState';
import { VarintReader, VarintWriter } from './varint';
import type { Columns } from './bookingCodec';
import { pack, unpack } from './bookingCodec';
import { mayMove } from './bookings';

/** The stored form of a memory: text and plain values only. */
export interface StoredBookings {
	/** The distinct states, most frequent first. */
	rows: StoredEntry[];
	/** Number of bookings in `packed`. */
	count: number;
	/** Bookings whose id is a whole number, with the index of their state in `rows`. */
	packed: string;
	/** The other ids; `namesRows` holds the index of the state of each, as varints. */
	names: string[];
	namesRows: string;
}

/** Entry index of a forgotten booking whose place in the columns is still there. */
const NONE = 0xffffffff;

const NO_COLUMNS: Columns = { ids: new Float64Array(0), entries: new Uint32Array(0) };

/** Index of the first id that is not below `id`, in ascending ids. */
function lowerBound(ids: Float64Array, id: number): number {
	let low = 0;
	let high = ids.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((ids[middle] ?? 0) < id) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Replaces every entry index; bookings that get `NONE` are removed. */
function changeValues<Key>(
	numbers: Map<Key, number>,
	numberAfter: (number: number) => number,
): void {
	for (const [key, number] of numbers) {
		const after = numberAfter(number);
		if (after === NONE) numbers.delete(key);
		else numbers.set(key, after);
	}
}

/**
 * Last seen status per booking. Stored bookings are kept in ascending columns and found by binary search; new ones
 * are kept in maps and merged when the memory is stored again.
 */
export class Memory {
	private readonly addedIds = new Map<number, number>();

	/** Entry indexes of the bookings whose id is not a whole number. */
	private readonly names = new Map<string, number>();

	/** The keys of `addedIds`, ascending; built on demand. */
	private risingAdded?: Float64Array;

	/** Entry index → index of the same entry marked as seen by the running sweep. */
	private readonly seenIndexes: Array<number | undefined> = [];

	private constructor(
		private readonly table: StateTable,
		private readonly columns: Columns,
	) {}

	static empty(): Memory {
		return new Memory(new StateTable(), NO_COLUMNS);
	}

	/** Restores a memory; undefined if the stored form is damaged. */
	static from({ rows, count, packed, names, namesRows }: StoredBookings): Memory | undefined {
		const table = new StateTable();
		for (const row of rows) {
			const entry = fromRow(row);
			if (!entry || table.indexOf(entry) !== table.size - 1) return undefined;
		}
		const columns = unpack(packed, count, table.size);
		if (!columns) return undefined;
		const memory = new Memory(table, columns);
		const reader = new VarintReader(namesRows);
		for (const name of names) {
			const number = reader.read();
			if (!(number < table.size)) return undefined;
			memory.names.set(name, number);
		}
		return reader.atEnd ? memory : undefined;
	}

	/** The stored state of a booking. */
	get(key: BookingKey): BookingState | undefined {
		const number = this.entryIndex(key);
		return number === NONE ? undefined : this.table.at(number);
	}

	set(key: BookingKey, entry: BookingState): void {
		this.setEntryIndex(key, this.table.indexOf(entry));
	}

	/** Marks a booking as seen by the running sweep and unchanged. */
	markSeen(key: BookingKey): void {
		const number = this.entryIndex(key);
		if (number === NONE) return;
		const seen = (this.seenIndexes[number] ??= this.table.indexOf({
			...this.table.at(number),
			missedSweeps: 0,
			seen: true,
			stale: false,
		}));
		if (seen !== number) this.setEntryIndex(key, seen);
	}

	/** Number of bookings. */
	get size(): number {
		let size = this.addedIds.size + this.names.size;
		for (const number of this.columns.entries) if (number !== NONE) size++;
		return size;
	}

	/** The highest id that is a whole number; −1 if there is none. */
	get highestId(): number {
		return Math.max(this.columns.ids.at(-1) ?? -1, this.rising().at(-1) ?? -1);
	}

	/** Number of ids that are whole numbers. */
	get idCount(): number {
		return this.columns.ids.length + this.addedIds.size;
	}

	/** Number of whole-number ids below this one. */
	countBelow(id: number): number {
		return lowerBound(this.columns.ids, id) + lowerBound(this.rising(), id);
	}

	/** Whole-number ids of the bookings that may still change on the day `today`. */
	movingIds(today: number): number[] {
		const { ids, entries } = this.columns;
		const isMoving: Array<boolean | undefined> = [];
		const moves = (number: number) =>
			number !== NONE && (isMoving[number] ??= mayMove(this.table.at(number).active, today));
		const moving = [...ids.filter((_id, at) => moves(entries[at] ?? NONE))];
		for (const [id, number] of this.addedIds) if (moves(number)) moving.push(id);
		return moving;
	}

	/** Marks all bookings as recorded for another configuration. */
	becomeStale(): void {
		this.changeAll((entry) => ({ ...entry, stale: true, seen: false }));
	}

	/**
	 * Ends a sweep over the whole list. Bookings that were not seen in `forgetAfter` consecutive sweeps are forgotten;
	 * with `Infinity`, this sweep is not counted.
	 */
	endSweep(forgetAfter: number): void {
		this.changeAll((entry) => {
			if (entry.seen || forgetAfter === Infinity) return { ...entry, seen: false };
			return entry.missedSweeps + 1 < forgetAfter
				? { ...entry, missedSweeps: entry.missedSweeps + 1 }
				: undefined;
		});
	}

	/** Converts the memory to its stored form. */
	toStored(): StoredBookings {
		const columns = this.allColumns();
		const names = [...this.names.keys()];
		const nameNumbers = [...this.names.values()];
		const { order, places } = this.byFrequency(columns.entries, nameNumbers);

		const namesRows = new VarintWriter();
		for (const number of nameNumbers) namesRows.put(places[number] ?? 0);
		const packed = pack({ ids: columns.ids, entries: columns.entries.map((n) => places[n] ?? 0) });
		return {
			rows: this.table.rows(order),
			count: columns.ids.length,
			packed,
			names,
			namesRows: namesRows.toString(),
		};
	}

	private entryIndex(key: BookingKey): number {
		if (typeof key === 'string') return this.names.get(key) ?? NONE;
		const at = lowerBound(this.columns.ids, key);
		if (this.columns.ids[at] === key) return this.columns.entries[at] ?? NONE;
		return this.addedIds.get(key) ?? NONE;
	}

	private setEntryIndex(key: BookingKey, number: number): void {
		if (typeof key === 'string') {
			this.names.set(key, number);
			return;
		}
		const at = lowerBound(this.columns.ids, key);
		if (this.columns.ids[at] === key) {
			this.columns.entries[at] = number;
			return;
		}
		if (!this.addedIds.has(key)) this.risingAdded = undefined;
		this.addedIds.set(key, number);
	}

	/** The ids in `addedIds`, ascending. */
	private rising(): Float64Array {
		return (this.risingAdded ??= Float64Array.from(this.addedIds.keys()).sort());
	}

	/** Replaces every entry; a booking whose entry becomes undefined is forgotten. */
	private changeAll(change: (entry: BookingState) => BookingState | undefined): void {
		const changed: Array<number | undefined> = [];
		const numberAfter = (number: number) => {
			if (number === NONE) return NONE;
			if (changed[number] === undefined) {
				const entry = change(this.table.at(number));
				changed[number] = entry ? this.table.indexOf(entry) : NONE;
			}
			return changed[number];
		};
		const { entries } = this.columns;
		for (let at = 0; at < entries.length; at++) entries[at] = numberAfter(entries[at] ?? NONE);
		changeValues(this.addedIds, numberAfter);
		changeValues(this.names, numberAfter);
		this.risingAdded = undefined;
	}

	/** All bookings with a whole number as id, ascending, without forgotten ones. */
	private allColumns(): Columns {
		const { ids, entries } = this.columns;
		const fresh = this.rising();
		const merged: Columns = {
			ids: new Float64Array(ids.length + fresh.length),
			entries: new Uint32Array(ids.length + fresh.length),
		};
		let length = 0;
		const push = (id: number, entry: number) => {
			if (entry === NONE) return;
			merged.ids[length] = id;
			merged.entries[length++] = entry;
		};
		let at = 0;
		for (const id of fresh) {
			for (; at < ids.length && (ids[at] ?? 0) < id; at++) push(ids[at] ?? 0, entries[at] ?? NONE);
			push(id, this.addedIds.get(id) ?? NONE);
		}
		for (; at < ids.length; at++) push(ids[at] ?? 0, entries[at] ?? NONE);
		return { ids: merged.ids.subarray(0, length), entries: merged.entries.subarray(0, length) };
	}

	/** The entry indexes in use, most frequent first, and the place of each in that order. */
	private byFrequency(...columns: Array<Uint32Array | number[]>): {
		order: number[];
		places: number[];
	} {
		const counts = new Array<number>(this.table.size).fill(0);
		for (const column of columns)
			for (const number of column) counts[number] = (counts[number] ?? 0) + 1;
		const order = [...counts.keys()]
			.filter((number) => (counts[number] ?? 0) > 0)
			.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
		const places: number[] = [];
		order.forEach((number, place) => {
			places[number] = place;
		});
		return { order, places };
	}
}
