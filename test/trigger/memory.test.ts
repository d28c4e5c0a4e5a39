import fc from 'fast-check';

import { load } from '../support/loads';
import type { BookingKey } from '../../nodes/TractorBooking/api/identifiers';
import type {
	BookingState,
	StoredBookings,
	Occurrences,
} from '../../nodes/TractorBooking/trigger/memory';
import { Memory, NO_EVENTS, recordOccurrence } from '../../nodes/TractorBooking/trigger/memory';
import { decode, encode } from '../../nodes/TractorBooking/utils/varint';
import type { State } from '../../nodes/TractorBooking/trigger/state';
import { loadState, toStored } from '../../nodes/TractorBooking/trigger/state';
import { settings } from './polling';

const entry: fc.Arbitrary<BookingState> = fc.record({
	status: fc.oneof(fc.nat(30), fc.string(), fc.constant(null)),
	round: fc.integer({ min: 1, max: 9 }),
	statuses: fc.array(fc.nat(30)),
	had: fc.subarray(['completed', 'overdue']),
});

const key: fc.Arbitrary<BookingKey> = fc.oneof(
	fc.nat(200),
	fc.maxSafeNat(),
	fc.string({ minLength: 1 }).filter((text) => !/^\d+$/.test(text)),
	fc.constantFrom('__proto__', 'constructor', 'toString', '"', '\\'),
);

function again(memory: Memory): Memory {
	return Memory.from(JSON.parse(JSON.stringify(memory.toStored())) as StoredBookings);
}

it('writes numbers as text that JSON does not escape, and reads them again', () => {
	const number = fc.oneof(fc.nat(200), fc.nat(10_000), fc.maxSafeNat());
	fc.assert(
		fc.property(fc.array(number), (numbers) => {
			const text = encode(numbers);
			expect(JSON.stringify(text)).toHaveLength(text.length + 2);
			expect([...decode(text)]).toEqual(numbers);
		}),
	);
});

describe('the memory', () => {
	it('knows after it was stored what it knew before, for any key', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(key, entry)),
				fc.array(fc.tuple(key, entry)),
				(first, later) => {
					const known = new Map<BookingKey, BookingState>();
					let memory = new Memory();
					for (const some of [first, later]) {
						for (const [name, what] of some) {
							known.set(name, what);
							memory.set(name, what);
						}
						memory = again(memory);
					}
					expect(memory.size).toBe(known.size);
					for (const [name, what] of known) expect(memory.get(name)).toEqual(what);
				},
			),
		);
	});

	it('gives three bookings that lie far from each other', () => {
		const memory = new Memory();
		for (const id of [7, 3, 'a', 5, 4]) memory.set(id, { status: 3, ...NO_EVENTS, had: [] });
		expect(memory.sample()).toEqual([7, 'a', 4]);
	});
});

/** Numbers that look random and are the same each time. */
function randomNumbers(): () => number {
	let x = 1;
	return () => {
		x ^= x << 13;
		x ^= x >>> 17;
		x ^= x << 5;
		return x >>> 0;
	};
}

const COUNT = load(1_000_000);

describe(`${COUNT} bookings with dense ids take at most 2.5 bytes each`, () => {
	const STATUSES = [0, 1, 2, 3, 4, 5, 6, 7, 10, 20];
	const had: string[] = [];
	const random = randomNumbers();
	const oneOf = <T>(values: readonly T[]) => values[random() % values.length] as T;
	const fresh = () => loadState(undefined, settings().identity, 0).state;
	const bytesEach = (state: State) => JSON.stringify(toStored(state)).length / COUNT;

	it('when they are seen for the first time, in any status', () => {
		const state = fresh();
		const met = STATUSES.map((status) => ({ status, ...NO_EVENTS, had }));
		for (let id = 1; id <= COUNT; id++) state.memory.set(id, oneOf(met));
		expect(state.memory.size).toBe(COUNT);
		expect(bytesEach(state)).toBeLessThan(2.5);
	});

	it('and after 8 and after 20 changes of each to a random status, all of them emitted', () => {
		const state = fresh();
		// Each different entry once, and which one follows from it, so that millions of changes take a second.
		const entries: BookingState[] = [];
		const numbers = new Map<string, number>();
		const following: number[][] = [];
		const indexOf = (status: number, occurrences: Occurrences) => {
			const entry = { status, ...occurrences, had };
			const text = JSON.stringify(entry);
			const number = numbers.get(text) ?? entries.push(entry) - 1;
			numbers.set(text, number);
			return number;
		};
		const after = (number: number, status: number) => {
			const before = entries[number] as BookingState;
			const known = (following[number] ??= []);
			return (known[status] ??=
				before.status === status ? number : indexOf(status, recordOccurrence(before, status)));
		};
		const start = indexOf(0, recordOccurrence(NO_EVENTS, 0));
		const bookings = new Uint32Array(COUNT).fill(start);
		for (let change = 1; change <= 20; change++) {
			bookings.forEach((number, at) => (bookings[at] = after(number, oneOf(STATUSES))));
			if (change !== 8 && change !== 20) continue;
			bookings.forEach((number, at) => state.memory.set(at, entries[number] as BookingState));
			expect(bytesEach(state)).toBeLessThan(2.5);
		}
	});
});
