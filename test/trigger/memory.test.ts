import fc from 'fast-check';

import type { BookingKey } from '../../nodes/TractorBooking/api/identifiers';
import type { BookingState, Memory } from '../../nodes/TractorBooking/trigger/state';
import { fromStored, toStored } from '../../nodes/TractorBooking/trigger/state';
import { load } from '../support/loads';

const state: fc.Arbitrary<BookingState> = fc.record({
	status: fc.constantFrom<BookingState['status']>(0, 3, 6, 'odd', null),
	changes: fc.nat(2),
	had: fc.subarray(['completed', 'overdue']),
});

const key: fc.Arbitrary<BookingKey> = fc.oneof(
	fc.nat(30),
	fc.maxSafeNat(),
	fc.constantFrom('__proto__', '007', 'b-1'),
	fc.string(),
);

it('gives back what was stored, through JSON', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(key, state)), (entries) => {
			const memory: Memory = new Map();
			for (const [id, some] of entries) memory.set(id, some);
			const text = JSON.stringify(toStored(memory));
			const restored = fromStored(JSON.parse(text));
			const expected = new Map(entries);
			expect(restored.size).toBe(expected.size);
			for (const [id, some] of expected) expect(restored.get(id)).toEqual(some);
			expect(JSON.stringify(toStored(restored))).toHaveLength(text.length);
		}),
	);
});

it('can be read in the database', () => {
	const memory: Memory = new Map();
	for (const id of [1042, 1045, 1047, 1048, 1049])
		memory.set(id, { status: 3, changes: 1, had: ['completed'] });
	memory.set('b-7', { status: 6, changes: 0, had: [] });
	expect(toStored(memory)).toEqual([
		{ status: 3, changes: 1, had: ['completed'], ids: [1042, 3, 2, 1, 1], names: [] },
		{ status: 6, changes: 0, had: [], ids: [], names: ['b-7'] },
	]);
});

it.each([
	['new', 10_000, () => 3, 20_100],
	['of two states, at random', 10_000, (at: number) => ((at * 7_919) % 10 < 4 ? 3 : 6), 23_000],
	[
		'of two states, a million',
		load(1_000_000),
		(at: number) => ((at * 7_919) % 10 < 4 ? 3 : 6),
		2_300_000,
	],
])('takes little room: bookings that are %s', (_name, count, statusOf, most) => {
	const memory: Memory = new Map();
	for (let at = 0; at < count; at++)
		memory.set(100_000 + at, { status: statusOf(at), changes: 0, had: [] });
	expect(JSON.stringify(toStored(memory)).length).toBeLessThanOrEqual(most);
});
