import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { jobOfRow } from '../job';
import type { RowMemory } from '../memory/memory';
import type { NamingRow, ParsedRow } from '../row';
import { candidatesByItem, compareWith, type CandidatesOf } from './candidates';
import type { Bookings } from './bookings';

/**
 * Reads the statuses of bookings, since that of yesterday may be wrong: first of those that a person may be asked about,
 * then of those that rows have, or may have got without an answer.
 *
 * @returns the same bookings as they are now, as far as the requests of a run reach
 */
export async function withStatuses(
	rows: ReadonlyArray<ParsedRow | NamingRow>,
	candidatesOf: CandidatesOf,
	bookings: Bookings,
	memory: RowMemory,
): Promise<CandidatesOf> {
	const asked = await inTurns(rows, (row) => {
		if (row.kind === 'naming' || memory.knows(memory.facts.booked(row))) return [];
		const { today } = row.settings.rules;
		// No one is asked about a booking of another day that is over.
		return candidatesOf(row)
			.filter(
				({ booking, different }) =>
					!different.includes('serviceDate') || asText(booking.serviceDate) >= today,
			)
			.map(({ key }) => key);
	});
	const found = await inTurns(rows, (row) => {
		const isFound = memory.knows(memory.facts.sent(row));
		const own = candidatesOf(row).filter(
			({ key, isSame }) => memory.isOwn(row, key) || (isSame && isFound),
		);
		return [...own.map(({ key }) => key), ...row.denied.filter((key) => memory.isOwn(row, key))];
	});
	const keys = new Set([...asked, ...found].flat());
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
