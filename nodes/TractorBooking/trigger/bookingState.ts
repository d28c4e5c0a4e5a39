import type { Status } from './bookings';
import type { Occurrences } from './occurrences';

/** What the trigger remembers of a booking. */
export interface BookingState {
	readonly status: Status;
	/** The events of the booking so far; event ids depend on it. */
	readonly occurrences: Occurrences;
	/** Day (since 1970) of the last activity; 0 if the booking is final or idle. */
	readonly active: number;
	/** Number of consecutive complete sweeps without the booking. */
	readonly missedSweeps: number;
	/** Whether the running sweep has seen the booking. */
	readonly seen: boolean;
	/** Whether this was recorded for another configuration and the running baseline has not seen the booking. */
	readonly stale: boolean;
}

/** A state as it is stored; trailing zeros are left out. */
export type StoredEntry = [
	status: Status,
	round: number,
	statuses: readonly Status[],
	...rest: number[],
];

/** Converts a state to its stored form. */
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

/** Converts a stored entry to a state; undefined if it is damaged. */
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
 * The distinct states, each once. A million bookings share a few hundred of them, so each booking is stored as the
 * index of its state.
 */
export class StateTable {
	private readonly entries: BookingState[] = [];

	private readonly indexes = new Map<string, number>();

	get size(): number {
		return this.entries.length;
	}

	/** Index of a state; equal states have the same index. */
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

	/** The stored form of the states at these indexes, in order. */
	rows(numbers: readonly number[]): StoredEntry[] {
		return numbers.map((number) => toRow(this.at(number)));
	}
}
