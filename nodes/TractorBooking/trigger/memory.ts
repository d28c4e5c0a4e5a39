import type { BookingKey } from '../api/identifiers';
import type { Status } from './bookings';
import { decode, encode } from '../utils/varint';

/** Max number of statuses in a round after the first; keeps the state small, however often bookings change. */
const MAX_LATER_STATUSES = 3;

/**
 * The events that a booking has had, as far as needed to give no event id twice. Each status has one event per round;
 * a repeated status starts the next round. Most bookings stay in their first.
 */
export interface Occurrences {
	/** Number of the current round, from 1. */
	readonly round: number;
	/** Statuses that had their event in this round, in a fixed order. */
	readonly statuses: readonly Status[];
}

/** The occurrences of a booking without any event. */
export const NO_EVENTS: Occurrences = { round: 1, statuses: [] };

function byText(a: Status, b: Status): number {
	return String(a) < String(b) ? -1 : 1;
}

/** The occurrences after the event of a booking that has entered a status. */
export function recordOccurrence({ round, statuses }: Occurrences, status: Status): Occurrences {
	const isNew = !statuses.includes(status);
	const isRoom = round === 1 || statuses.length < MAX_LATER_STATUSES;
	return isNew && isRoom
		? { round, statuses: [...statuses, status].sort(byText) }
		: { round: round + 1, statuses: [status] };
}

/** What the trigger remembers of a booking. */
export interface BookingState extends Occurrences {
	readonly status: Status;
	/** Events that matter once in a booking's life, and that this one had; also that one could not be judged so far. */
	readonly had: readonly string[];
}

/** A state as it is stored. */
type Row = [status: Status, round: number, statuses: readonly Status[], had: readonly string[]];

/** The stored form of a memory. */
export interface StoredBookings {
	/** The distinct states, most frequent first. */
	rows: Row[];
	/** Bookings whose ID is a whole number; see `pack`. */
	packed: string;
	/** The others, with the index of their state in `rows`. */
	named: Array<[name: string, row: number]>;
}

function toRow({ status, round, statuses, had }: BookingState): Row {
	return [status, round, statuses, had];
}

/**
 * Bookings as numbers: of each, twice the index of its row, and one more if its id does not follow the one before;
 * then comes the size of the gap.
 */
function* pack(ids: Float64Array, rowOf: (id: number) => number): Generator<number> {
	let expected = 0;
	for (const id of ids) {
		yield 2 * rowOf(id) + (id > expected ? 1 : 0);
		if (id > expected) yield id - expected;
		expected = id + 1;
	}
}

/** The ids, with the indexes of their rows, that `pack` made numbers of. */
function* unpack(numbers: Generator<number, void>): Generator<[id: number, row: number]> {
	let id = 0;
	for (const token of numbers) {
		if (token % 2 === 1) id += numbers.next().value ?? 0;
		yield [id++, token >>> 1];
	}
}

/**
 * Last seen state per booking. A million bookings share a few hundred different states, so each booking is an id and
 * the index of its state in a table.
 */
export class Memory {
	private readonly states: BookingState[] = [];

	private readonly indexes = new Map<string, number>();

	private readonly bookings = new Map<BookingKey, number>();

	/** Restores what `toStored` made. */
	static from({ rows, packed, named }: StoredBookings): Memory {
		const memory = new Memory();
		for (const [status, round, statuses, had] of rows)
			memory.indexOf({ status, round, statuses, had });
		for (const [id, row] of unpack(decode(packed))) memory.bookings.set(id, row);
		for (const [name, row] of named) memory.bookings.set(name, row);
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

	/** Three bookings far from each other, as far as there are any: one or two may be deleted by now. */
	sample(): BookingKey[] {
		const keys = [...this.bookings.keys()];
		const last = keys.length - 1;
		return keys.filter((_, at) => [0, last >> 1, last].includes(at));
	}

	/** Converts the memory to its stored form. */
	toStored(): StoredBookings {
		const counts = this.states.map((state, index) => ({ state, index, count: 0 }));
		for (const index of this.bookings.values()) (counts[index] as { count: number }).count += 1;
		const used = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
		const rows = new Uint32Array(this.states.length);
		used.forEach(({ index }, row) => (rows[index] = row));
		const rowOf = (key: BookingKey) => rows[this.bookings.get(key) ?? 0] ?? 0;
		const keys = [...this.bookings.keys()];
		const ids = Float64Array.from(keys.filter((key) => typeof key === 'number')).sort();
		const names = keys.filter((key) => typeof key === 'string');
		return {
			rows: used.map(({ state }) => toRow(state)),
			packed: encode(pack(ids, rowOf)),
			named: names.map((name) => [name, rowOf(name)]),
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
}
