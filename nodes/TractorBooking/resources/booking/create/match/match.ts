import { inTurns } from '../../../../utils/turns';
import type { RowMemory } from '../memory/memory';
import type { NamingRow, Row } from '../row/row';
import type { Bookings } from './bookings';
import { gatherEvidence } from './evidence';
import {
	bookedBefore,
	deniesItself,
	foundInList,
	isPast,
	lookalikes,
	namingBooking,
	sameKey,
} from './rules';

/**
 * Second stage: finds the rows that are booked already, and those that may be, by the rules of
 * docs/developers/spreadsheets-internals.md. Only then is a service date in the past an issue.
 *
 * @returns one row for each of those given, in the same order; those that are finished as they were
 * @throws ServiceError if the list cannot be read
 * @throws MemoryError
 */
export async function matchRows(
	rows: readonly Row[],
	bookings: Bookings,
	memory: RowMemory,
): Promise<Array<Exclude<Row, NamingRow>>> {
	const judged = rows.filter((row) => row.kind === 'parsed' || row.kind === 'naming');
	if (judged.length > 0) await bookings.compare();
	const evidence = await gatherEvidence(judged, bookings, memory);
	const named = await inTurns(rows, (row) =>
		row.kind === 'naming' ? evidence.decide(row, namingBooking(row, evidence)) : row,
	);
	await evidence.judge(sameKey);
	await evidence.judge(bookedBefore);
	evidence.findLost();
	await evidence.judge(foundInList);
	await evidence.findAlike();
	await evidence.judge(lookalikes);
	await evidence.judge(deniesItself);
	await evidence.judge(isPast);
	return named.map((row) => evidence.outcomeOf(row));
}
