import { toKey } from '../api/identifiers';
import type { BookingKey, Status } from './bookings';
import { mayMove } from './bookings';
import type { Columns } from './bookingCodec';
import { pack, unpack } from './bookingCodec';
import type { Occurrences } from './occurrences';
import { VarintReader, VarintWriter } from './varint';

/** What the trigger remembers of a booking. */
export interface BookingState {
	readonly status: Status;
	/** The events of the booking so far; event ids depend on it. */
	readonly occurrences: Occurrences;
	/** Day (since 1970) of the last activity; 0 if the booking is final or idle. */
	readonly active: number;
	/** Events that matter once in a booking's life, and that this one had. */
	readonly had: readonly string[];
}

/** A state as it is stored; `active` and `had` are left out if there is nothing to say. */
export type StoredState = [
	status: Status,
	round: number,
	statuses: readonly Status[],
	active?: number,
	had?: readonly string[],
];

/** The stored form of a memory: text and plain values only. */
export interface StoredBookings {
	/** The distinct states, most frequent first. */
	rows: StoredState[];
	/** Number of bookings in `packed`. */
	count: number;
	/** Bookings whose id is a whole number, with the index of their state in `rows`. */
	packed: string;
	/** The other ids; `namesRows` holds the index of the state of each, as varints. */
	names: string[];
	namesRows: string;
}

function toRow({ status, occurrences, active, had }: BookingState): StoredState {
	const { round, statuses } = occurrences;
	if (had.length > 0) return [status, round, statuses, active, had];
	return active > 0 ? [status, round, statuses, active] : [status, round, statuses];
}

function fromRow([status, round, statuses, active = 0, had = []]: StoredState): BookingState {
	return { status, occurrences: { round, statuses }, active, had };
}

/**
 * Last seen state per booking. A million bookings share a few hundred different states, so each booking is an id and
 * the index of its state in a table. Stored bookings are kept in ascending columns and found by binary search; new
 * ones are kept in maps, and merged when the memory is stored again.
 */
export class Memory {
	private readonly states: BookingState[] = [];

	private readonly indexes = new Map<string, number>();

	private columns: Columns = { ids: new Float64Array(0), entries: new Uint32Array(0) };

	/** State indexes of new bookings whose id is a whole number. */
	private readonly added = new Map<number, number>();

	/** State indexes of the bookings whose id is not a whole number. */
	private readonly names = new Map<string, number>();

	/** Restores a memory; undefined if the stored form is damaged. */
	static from({ rows, count, packed, names, namesRows }: StoredBookings): Memory | undefined {
		const memory = new Memory();
		rows.forEach((row) => memory.indexOf(fromRow(row)));
		const columns = unpack(packed, count, rows.length);
		if (!columns || memory.states.length !== rows.length) return undefined;
		memory.columns = columns;
		const reader = new VarintReader(namesRows);
		for (const name of names) {
			const state = memory.states[reader.read()];
			const key = (/^\d+$/.test(name) && toKey(name)) || name;
			if (!state) return undefined;
			// An earlier form kept `007` as a text.
			if (key === name || !memory.get(key)) memory.set(key, state);
		}
		return reader.atEnd ? memory : undefined;
	}

	get(key: BookingKey): BookingState | undefined {
		if (typeof key === 'string') return this.states[this.names.get(key) ?? -1];
		const at = this.placeOf(key);
		const index = this.columns.ids[at] === key ? this.columns.entries[at] : this.added.get(key);
		return index === undefined ? undefined : this.states[index];
	}

	set(key: BookingKey, state: BookingState): void {
		const index = this.indexOf(state);
		if (typeof key === 'string') {
			this.names.set(key, index);
			return;
		}
		const at = this.placeOf(key);
		if (this.columns.ids[at] === key) this.columns.entries[at] = index;
		else this.added.set(key, index);
	}

	/** Number of bookings. */
	get size(): number {
		return this.columns.ids.length + this.added.size + this.names.size;
	}

	/** The ids that are whole numbers, ascending. */
	ids(): Float64Array {
		this.merge();
		return this.columns.ids;
	}

	/** The bookings that were probably added last: those with the highest ids, or any. */
	newest(count: number): BookingKey[] {
		return [...this.ids().slice(-count).reverse(), ...this.names.keys()].slice(0, count);
	}

	/** Whole-number ids of the bookings that may still change on the day `today`, ascending. */
	movingIds(today: number): number[] {
		this.merge();
		const { ids, entries } = this.columns;
		const isMoving = this.states.map(({ active }) => mayMove(active, today));
		return [...ids.filter((_id, at) => isMoving[entries[at] ?? -1])];
	}

	/** Converts the memory to its stored form. */
	toStored(): StoredBookings {
		this.merge();
		const { ids, entries } = this.columns;
		const counts = new Array<number>(this.states.length).fill(0);
		const count = (index: number) => (counts[index] = (counts[index] ?? 0) + 1);
		entries.forEach(count);
		for (const index of this.names.values()) count(index);
		const order = [...counts.keys()]
			.filter((index) => (counts[index] ?? 0) > 0)
			.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
		const places = new Uint32Array(this.states.length);
		order.forEach((index, place) => (places[index] = place));

		const namesRows = new VarintWriter();
		for (const index of this.names.values()) namesRows.put(places[index] ?? 0);
		return {
			rows: order.flatMap((index) => this.states[index] ?? []).map(toRow),
			count: ids.length,
			packed: pack({ ids, entries: entries.map((index) => places[index] ?? 0) }),
			names: [...this.names.keys()],
			namesRows: namesRows.toString(),
		};
	}

	/** Index of a state in the table; equal states have the same index. */
	private indexOf(state: BookingState): number {
		const text = JSON.stringify(toRow(state));
		const known = this.indexes.get(text);
		if (known !== undefined) return known;
		this.indexes.set(text, this.states.length);
		return this.states.push(state) - 1;
	}

	/** Place of the first id in the columns that is not below this one. */
	private placeOf(id: number): number {
		return lowerBound(this.columns.ids, id);
	}

	/** Moves new bookings into the columns. */
	private merge(): void {
		if (this.added.size === 0) return;
		const { ids, entries } = this.columns;
		const fresh = Float64Array.from(this.added.keys()).sort();
		const length = ids.length + fresh.length;
		const merged = { ids: new Float64Array(length), entries: new Uint32Array(length) };
		for (let to = 0, old = 0, add = 0; to < length; to++) {
			const isOld =
				add === fresh.length || (old < ids.length && (ids[old] ?? 0) < (fresh[add] ?? 0));
			const id = (isOld ? ids[old] : fresh[add]) ?? 0;
			merged.ids[to] = id;
			merged.entries[to] = (isOld ? entries[old] : this.added.get(id)) ?? 0;
			if (isOld) old += 1;
			else add += 1;
		}
		this.columns = merged;
		this.added.clear();
	}
}

/** Index of the first id that is not below `id`, in ascending ids. */
export function lowerBound(ids: Float64Array, id: number): number {
	let low = 0;
	let high = ids.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((ids[middle] ?? 0) < id) low = middle + 1;
		else high = middle;
	}
	return low;
}
