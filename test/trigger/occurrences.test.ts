import fc from 'fast-check';

import type { Occurrences } from '../../nodes/TractorBooking/trigger/memory';
import { NO_EVENTS, recordOccurrence } from '../../nodes/TractorBooking/trigger/memory';

it('gives no two events of a booking the same status and round, however often it changes', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(0, 3, 6, 7, 20, 'odd', null)), (statuses) => {
			let rounds: Occurrences = NO_EVENTS;
			const ids = statuses.map((status) => {
				rounds = recordOccurrence(rounds, status);
				return `${status}:${rounds.round}`;
			});
			expect(new Set(ids).size).toBe(ids.length);
		}),
	);
});

it('stays in the first round as long as no status comes up again', () => {
	let rounds: Occurrences = NO_EVENTS;
	for (const status of [0, 1, 2, 6, 7, 20, 3]) rounds = recordOccurrence(rounds, status);
	expect(rounds).toMatchObject({ round: 1 });
	expect(recordOccurrence(rounds, 6)).toEqual({ round: 2, statuses: [6] });
});
