import fc from 'fast-check';

import type { BookingKey } from '../../nodes/TractorBooking/api/identifiers';
import type { BookingState } from '../../nodes/TractorBooking/trigger/memory';
import { Memory } from '../../nodes/TractorBooking/trigger/memory';
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
			const memory = new Memory();
			for (const [id, some] of entries) memory.set(id, some);
			const text = JSON.stringify(memory.toStored());
			const restored = Memory.from(JSON.parse(text));
			const expected = new Map(entries);
			expect(restored.size).toBe(expected.size);
			for (const [id, some] of expected) expect(restored.get(id)).toEqual(some);
			expect(JSON.stringify(restored.toStored())).toHaveLength(text.length);
		}),
	);
});

it('can be read in the database', () => {
	const memory = new Memory();
	for (const id of [1042, 1045, 1047, 1048, 1049])
		memory.set(id, { status: 3, changes: 1, had: ['completed'] });
	memory.set('b-7', { status: 6, changes: 0, had: [] });
	expect(memory.toStored()).toEqual([
		[3, 1, ['completed'], '1042,3,2x3', []],
		[6, 0, [], '', ['b-7']],
	]);
});

it.each([
	['new', 10_000, () => 3, 100],
	['of two states, at random', 10_000, (at: number) => ((at * 7_919) % 10 < 4 ? 3 : 6), 23_000],
	[
		'of two states, a million',
		load(1_000_000),
		(at: number) => ((at * 7_919) % 10 < 4 ? 3 : 6),
		2_300_000,
	],
])('takes little room: bookings that are %s', (_name, count, statusOf, most) => {
	const memory = new Memory();
	for (let at = 0; at < count; at++)
		memory.set(100_000 + at, { status: statusOf(at), changes: 0, had: [] });
	expect(JSON.stringify(memory.toStored()).length).toBeLessThanOrEqual(most);
});
