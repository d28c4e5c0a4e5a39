import fc from 'fast-check';

import { Deduplicator } from '../../../nodes/TractorBooking/api/pages/deduplicator';

const key = fc.oneof(
	fc.integer({ min: -70, max: 200 }),
	fc.maxSafeInteger(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.string({ minLength: 1 }),
);

it('each record is new once, whatever its identifier is', () => {
	fc.assert(
		fc.property(fc.array(fc.array(key)), (pages) => {
			const seen = new Deduplicator(({ id }) => id);
			const met = new Set<string | number>();
			for (const page of pages) {
				const expected = page.filter((id) => {
					// Fractions are compared as text.
					const name = Number.isSafeInteger(id) ? Number(id) : String(id);
					return met.size < met.add(name).size;
				});
				const fresh = seen.filterNew(page.map((id) => ({ id })));
				expect(fresh.map(({ id }) => id)).toEqual(expected);
			}
		}),
	);
});
