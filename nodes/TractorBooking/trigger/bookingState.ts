import type { Status } from './bookings';
import type { Occurrences } from './occurrences';

/** What is remembered of a booking. */
export interface BookingState {
	readonly status: Status;
	/** The identity of an event rests on it. */
	readonly occurrences: Occurrences;
	/** Day (since 1970) of the last sign of life of a booking that may still move; 0 where there is none. */
	readonly active: number;
	/** Complete sweeps in a row in which the booking was absent. */
	readonly missedSweeps: number;
	/** Whether the running sweep has met the booking. */
	readonly seen: boolean;
	/** Whether this was recorded for another configuration and the running baseline has not met the booking. */
	readonly stale: boolean;
}

/** An entry as one row of the stored table; what is 0 or false at its end is left out. */
export type StoredEntry = [
	status: Status,
	round: number,
	statuses: readonly Status[],
	...rest: number[],
];

/** The row in which an entry is stored. */
export function toRow({
	status,
	occurrences,
	active,
	missedSweeps,
	seen,
	stale,
}: BookingState): StoredEntry {
	const rest = [active, missedSweeps, Number(seen), Number(stale)];
	while (rest.at(-1) === 0) rest.pop();
	return [status, occurrences.round, occurrences.statuses, ...rest];
}

function isStatus(value: unknown): value is Status {
	return value === null || typeof value === 'string' || typeof value === 'number';
}

/** The entry of a stored row, or undefined if it is none. */
export function fromRow(row: unknown): BookingState | undefined {
	if (!Array.isArray(row)) return undefined;
	const [status, round, statuses, active = 0, missedSweeps = 0, seen = 0, stale = 0] =
		row as unknown[];
	if (!isStatus(status) || typeof round !== 'number') return undefined;
	if (!Array.isArray(statuses) || !statuses.every(isStatus)) return undefined;
	if (typeof active !== 'number' || typeof missedSweeps !== 'number') return undefined;
	return {
		status,
		occurrences: { round, statuses },
		active,
		missedSweeps,
		seen: seen === 1,
		stale: stale === 1,
	};
}

/**
 * The different entries that occur, each once: a million bookings share a few hundred of them, so that a
 * booking is remembered as the number of its entry.
 */
export class StateTable {
	private readonly entries: BookingState[] = [];

	private readonly indexes = new Map<string, number>();

	get size(): number {
		return this.entries.length;
	}

	/** The number of an entry; equal entries have the same one. */
	indexOf(entry: BookingState): number {
		const text = JSON.stringify(toRow(entry));
		const known = this.indexes.get(text);
		if (known !== undefined) return known;
		this.indexes.set(text, this.entries.length);
		return this.entries.push(entry) - 1;
	}

	at(number: number): BookingState {
		const entry = this.entries[number];
		if (!entry) throw new RangeError(`There is no entry ${number}`);
		return entry;
	}

	/** The rows of the entries with these numbers, in their order. */
	rows(numbers: readonly number[]): StoredEntry[] {
		return numbers.map((number) => toRow(this.at(number)));
	}
}
