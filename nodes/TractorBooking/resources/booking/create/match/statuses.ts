import { inTurns } from '../../../../utils/turns';
import { jobOfRow } from '../job';
import type { RowMemory } from '../memory/memory';
import type { RequestedRow } from '../row';
import { candidatesByItem, compareWith, type CandidatesOf } from './candidates';
import type { Bookings } from './bookings';

/**
 * Reads the statuses of the bookings that rows have, or may have got without an answer: that of yesterday may be wrong.
 *
 * @returns the same bookings as they are now, as far as the requests of a run reach
 */
export async function withStatuses(
	rows: readonly RequestedRow[],
	candidatesOf: CandidatesOf,
	bookings: Bookings,
	memory: RowMemory,
): Promise<CandidatesOf> {
	const found = await inTurns(rows, (row) => {
		const isFound = memory.wasSent(row);
		const own = candidatesOf(row).filter(
			({ key, isSame }) => memory.isOwn(row, key) || (isSame && isFound),
		);
		return [...own.map(({ key }) => key), ...row.denied.filter((key) => memory.isOwn(row, key))];
	});
	const keys = new Set(found.flat());
	await bookings.readStatuses(keys);
	const now = await inTurns(rows, (row) => {
		const job = jobOfRow(row);
		const candidates = candidatesOf(row).map((one) => {
			const listed = keys.has(one.key) ? bookings.listed(one.key) : undefined;
			return listed ? { ...one, ...compareWith(job, listed) } : one;
		});
		return [row.itemIndex, candidates] as const;
	});
	return candidatesByItem(now);
}
