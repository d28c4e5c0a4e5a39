import type { BookingKey } from '../api/identifiers';
import type { Status } from './bookings';

/** What the trigger remembers of a booking. */
export interface BookingState {
	readonly status: Status;
	/** Number of its changes that were events; part of the IDs of events, so that none is given twice. */
	readonly changes: number;
	/** Events that it had, and that a booking has once in its life. */
	readonly had: readonly string[];
}

/** The state of an unseen booking. */
export const UNSEEN: BookingState = { status: null, changes: 0, had: [] };

/**
 * Bookings in one state, as they are stored. IDs that are whole numbers are text such as `1042,3,2x7`: 1042, then the
 * one 3 later, then 7 in a row, the first of them 2 later.
 */
type Row = [
	status: Status,
	changes: number,
	had: readonly string[],
	ids: string,
	names: BookingKey[],
];

/** The stored form of a memory. */
export type StoredBookings = Row[];

/** Ascending whole numbers as runs of neighbours. */
function encode(ids: Float64Array): string {
	const runs: string[] = [];
	let previous = 0;
	for (let at = 0; at < ids.length;) {
		const first = ids[at] ?? 0;
		let length = 1;
		while (ids[at + length] === first + length) length += 1;
		runs.push(length > 1 ? `${first - previous}x${length}` : `${first - previous}`);
		previous = first + length - 1;
		at += length;
	}
	return runs.join();
}

/** The numbers that `encode` wrote. */
function* decode(text: string): Generator<number, void, undefined> {
	let id = 0;
	for (const run of text === '' ? [] : text.split(',')) {
		const [gap, length = 1] = run.split('x').map(Number);
		id += gap ?? 0;
		for (let left = length; left > 0; left--) yield left > 1 ? id++ : id;
	}
}

/** The last seen state of each booking. Nothing is forgotten, so that a booking that comes back is not new. */
export class Memory {
	private readonly states: BookingState[] = [];

	private readonly indexes = new Map<string, number>();

	/** Of each booking, the index of its state: a million bookings share some dozen states. */
	private readonly bookings = new Map<BookingKey, number>();

	/** Restores what `toStored` made. */
	static from(rows: StoredBookings): Memory {
		const memory = new Memory();
		for (const [status, changes, had, ids, names] of rows) {
			const index = memory.indexOf({ status, changes, had });
			for (const id of decode(ids)) memory.bookings.set(id, index);
			for (const name of names) memory.bookings.set(name, index);
		}
		return memory;
	}

	get(key: BookingKey): BookingState | undefined {
		return this.states[this.bookings.get(key) ?? -1];
	}

	set(key: BookingKey, state: BookingState): void {
		this.bookings.set(key, this.indexOf(state));
	}

	/** Number of bookings. */
	get size(): number {
		return this.bookings.size;
	}

	/** The bookings with the highest IDs, which are the least likely to be archived; IDs in text come last. */
	newest(count: number): BookingKey[] {
		const rank = (key: BookingKey) => (typeof key === 'number' ? key : -1);
		let newest: BookingKey[] = [];
		for (const key of this.bookings.keys()) {
			const lowest = newest.at(count - 1);
			if (lowest !== undefined && rank(key) < rank(lowest)) continue;
			newest = [key, ...newest].sort((a, b) => rank(b) - rank(a)).slice(0, count);
		}
		return newest;
	}

	/** Converts the memory to its stored form. */
	toStored(): StoredBookings {
		const keys: Array<{ ids: number[]; names: BookingKey[] }> = [];
		for (const [key, index] of this.bookings) {
			const { ids, names } = (keys[index] ??= { ids: [], names: [] });
			if (typeof key === 'number') ids.push(key);
			else names.push(key);
		}
		return this.states.flatMap(({ status, changes, had }, index): StoredBookings => {
			const { ids, names } = keys[index] ?? { ids: [], names: [] };
			const isUsed = ids.length + names.length > 0;
			return isUsed ? [[status, changes, had, encode(Float64Array.from(ids).sort()), names]] : [];
		});
	}

	/** Index of a state in the table; equal states have the same index. */
	private indexOf({ status, changes, had }: BookingState): number {
		const text = JSON.stringify([status, changes, had]);
		const known = this.indexes.get(text);
		if (known !== undefined) return known;
		this.indexes.set(text, this.states.length);
		return this.states.push({ status, changes, had }) - 1;
	}
}
