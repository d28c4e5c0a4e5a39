import fc from 'fast-check';

import { Deduplicator } from '../../../nodes/TractorBooking/api/pages/list';

const key = fc.oneof(
	fc.integer({ min: -70, max: 200 }),
	fc.maxSafeInteger(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.string().filter((text) => text.trim() !== ''),
);

it('each record is new once, whatever its identifier is', () => {
	fc.assert(
		fc.property(fc.array(fc.array(key)), (pages) => {
			const seen = new Deduplicator(({ id }) => id);
			const met = new Set<string>();
			for (const page of pages) {
				// A number and its text are the same identifier.
				const expected = page.filter((id) => met.size < met.add(String(id).trim()).size);
				const fresh = seen.filterNew(page.map((id) => ({ id })));
				expect(fresh.map(({ id }) => id)).toEqual(expected);
			}
		}),
	);
});
