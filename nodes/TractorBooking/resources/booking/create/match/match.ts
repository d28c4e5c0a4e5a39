import type { RowMemory } from '../memory/memory';
import { isOpen, type Row } from '../row/row';
import type { Bookings } from './bookings';
import { gatherEvidence } from './evidence';
import {
	bookedBefore,
	deniesItself,
	pastOrFarAway,
	lookalikes,
	namingBooking,
	sameKey,
} from './rules';

/**
 * Second stage: finds the rows that are booked already, and those that may be, by the rules of
 * docs/developers/spreadsheets-internals.md. Only then is a service date in the past an issue, or a place far from the others.
 *
 * @returns the rows in the same order; those that have a result stay as they are
 * @throws ServiceError if the list cannot be read, or n8n's memory
 */
export async function matchRows(
	rows: readonly Row[],
	bookings: Bookings,
	memory: RowMemory,
): Promise<Row[]> {
	const open = rows.filter(isOpen);
	if (open.length > 0) await bookings.compare();
	const evidence = await gatherEvidence(open, bookings, memory);
	await evidence.judge(namingBooking);
	await evidence.judge(sameKey);
	await evidence.judge(bookedBefore);
	const alike = await evidence.findAlike();
	await evidence.judge((row) => lookalikes(row, evidence, alike.get(row)));
	await evidence.judge((row) => deniesItself(row, evidence));
	await evidence.judge(pastOrFarAway);
	return rows.map((row) => evidence.outcomeOf(row));
}
