import { inTurns } from '../../../../utils/turns';
import type { RowMemory } from '../memory/memory';
import { rejected, type MatchedRow, type Row } from '../row';
import { pairUnambiguous } from './candidates';
import type { Bookings } from './bookings';
import { gatherEvidence, type Evidence } from './evidence';
import { alikeRows } from './repeats';
import {
	bookedBefore,
	deniesItself,
	foundInList,
	isMoved,
	looksBooked,
	lostFor,
	namingBooking,
	nearTo,
	sameKey,
	type Rule,
} from './rules';
import { requireFarmer } from './verdicts';

/** Asks a rule about all rows that are open. */
async function apply(rule: Rule, evidence: Evidence): Promise<void> {
	await inTurns(evidence.open, (row) => evidence.decide(row, rule(row, evidence)));
}

/** What each open row may be, by the bookings that look like it and by the other rows of the sheet. */
async function lookalikes(evidence: Evidence): Promise<Rule> {
	const { open, booked } = evidence;
	// Of two that may be one, the booked one is not asked about, wherever it is in the sheet.
	const alike = await alikeRows([...booked, ...open], (row, other) =>
		evidence.areOtherJobs(row, other),
	);
	const near = new Map(await inTurns(open, (row) => [row, nearTo(row, evidence)] as const));
	// The day of a row may have been changed only where another row is booked, or may be, or where n8n has lost its memory.
	const withRowId = open.filter(({ rowId }) => rowId !== undefined);
	const hasForgotten = withRowId.length > 0 && !booked.some(({ rowId }) => rowId !== undefined);
	const mayBeMoved =
		hasForgotten ||
		booked.length > 0 ||
		alike.size > 0 ||
		[...near.values()].flat().some((one) => !isMoved(one));
	return (row) => {
		// So may that of a row which was sent without an answer.
		const sent = evidence.bookings.unansweredLike(row);
		const isAnyDay = mayBeMoved || sent !== undefined;
		const candidates = (near.get(row) ?? []).filter(
			(one) => one.isOpenQuestion === true || isAnyDay || !isMoved(one),
		);
		return looksBooked(row, { candidates, earlier: alike.get(row), sent }, evidence);
	};
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
): Promise<MatchedRow[]> {
	const withFarmer = rows.map((row) => (row.kind === 'parsed' ? requireFarmer(row) : row));
	const judged = withFarmer.filter((row) => row.kind !== 'finished');
	const evidence = await gatherEvidence(judged, bookings, memory);
	const named = await inTurns(withFarmer, (row) =>
		row.kind === 'naming' ? evidence.decide(row, namingBooking(row, evidence)) : row,
	);
	await apply(sameKey, evidence);
	await apply(bookedBefore, evidence);
	// A booking that is that of two rows is neither's.
	for (const [row, found] of pairUnambiguous(evidence.open, (one) => lostFor(one, evidence)))
		evidence.decide(row, foundInList(row, found, evidence));
	await apply(await lookalikes(evidence), evidence);
	await apply(deniesItself, evidence);
	await apply((row) => (row.pastDate ? rejected(row, [row.pastDate]) : undefined), evidence);
	return named.map((row) => evidence.outcomeOf(row));
}
