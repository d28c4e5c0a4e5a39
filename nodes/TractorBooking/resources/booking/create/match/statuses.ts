import { inTurns } from '../../../../utils/turns';
import { jobOfRow } from '../row/job';
import type { RowMemory } from '../memory/memory';
import type { ParsedRow } from '../row/row';
import { compareWith, mayBeAsked, type Candidate, type CandidatesOf } from '../row/candidates';
import type { Bookings } from './bookings';

/**
 * Reads the statuses of bookings, since that of yesterday may be wrong: first of those that a person may be asked about, then
 * of those that rows have.
 *
 * @returns the same bookings as they are now, as far as the requests of a run reach
 */
export async function withStatuses(
	rows: readonly ParsedRow[],
	candidatesOf: CandidatesOf,
	bookings: Bookings,
	memory: RowMemory,
): Promise<Array<readonly [itemIndex: number, candidates: readonly Candidate[]]>> {
	const asked = await inTurns(rows, (row) =>
		memory.knows(memory.facts.booked(row))
			? []
			: candidatesOf(row).filter((one) => mayBeAsked(one, row)),
	);
	const own = await inTurns(rows, (row) =>
		[...candidatesOf(row).map(({ id }) => id), ...row.denied].filter((id) => memory.isOwn(row, id)),
	);
	await bookings.readStatuses([...asked.flat().map(({ id }) => id), ...own.flat()]);
	return await inTurns(rows, (row) => {
		const job = jobOfRow(row);
		const candidates = candidatesOf(row).flatMap((one) => {
			const listed = bookings.listed(one.id);
			if (listed) return [{ ...one, ...compareWith(job, listed) }];
			// The list has it no longer.
			return one.isUnlisted || one.isOpenQuestion ? [one] : [];
		});
		return [row.itemIndex, candidates] as const;
	});
}
