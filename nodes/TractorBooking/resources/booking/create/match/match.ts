import { inTurns } from '../../../../utils/turns';
import type { RowMemory } from '../memory/memory';
import { rejected, type NamingRow, type Row } from '../row/row';
import { pairUnambiguous } from '../row/candidates';
import type { Bookings } from './bookings';
import { gatherEvidence, type Evidence } from './evidence';
import {
	bookedBefore,
	deniesItself,
	foundInList,
	lookalikes,
	lostFor,
	namingBooking,
	rowIdOfOtherJob,
	sameKey,
	type Rule,
} from './rules';
import { requireFarmer } from './verdicts';

/** Asks a rule about all rows that are open. */
async function apply(rule: Rule, evidence: Evidence): Promise<void> {
	await inTurns(evidence.open, (row) => evidence.decide(row, rule(row, evidence)));
}

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
	if (rows.some(({ kind }) => kind === 'parsed')) await bookings.compare();
	const withFarmer = rows.map((row) => (row.kind === 'parsed' ? requireFarmer(row) : row));
	const judged = withFarmer.filter((row) => row.kind === 'parsed' || row.kind === 'naming');
	const evidence = await gatherEvidence(judged, bookings, memory);
	const withoutNaming = await inTurns(withFarmer, (row) =>
		row.kind === 'naming' ? evidence.decide(row, namingBooking(row, evidence)) : row,
	);
	await apply(sameKey, evidence);
	await apply(rowIdOfOtherJob, evidence);
	await apply(bookedBefore, evidence);
	// A booking that is that of two rows is neither's.
	for (const [row, found] of pairUnambiguous(evidence.open, (one) => lostFor(one, evidence)))
		evidence.decide(row, foundInList(row, found, evidence));
	await apply(await lookalikes(evidence), evidence);
	await apply(deniesItself, evidence);
	await apply((row) => (row.pastDate ? rejected(row, [row.pastDate]) : undefined), evidence);
	return bookings.requireWhole(withoutNaming.map((row) => evidence.outcomeOf(row)));
}
