import { groupBy } from '../../../../utils/groupBy';
import { inTurns } from '../../../../utils/turns';
import {
	differencesIn,
	farmerKeysOf,
	farmerOf,
	jobOfRow,
	likeness,
	SHOWN_FIELDS,
	type Job,
	type Likeness,
} from '../job';
import type { RequestedRow } from '../row';
import type { BookingIndex, Listed } from './bookingIndex';

/** An agent's phone may have thousands of bookings. */
const MAX_CANDIDATES = 20;

/** A booking of the list that may be that of a row: it differs in at most one of name, phone and day. */
export interface Candidate extends Listed {
	alike: Likeness;
	/** The one of name, phone and day in which it differs. */
	change?: (typeof SHOWN_FIELDS)[number];
}

/** Gives the bookings of the list that may be that of a row, with its name, phone and day first. */
export type CandidatesOf = (row: RequestedRow) => readonly Candidate[];

/**
 * Finds the bookings of the list that may be those of rows.
 *
 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
 * @param after the place in the list behind which a booking must have appeared
 */
export async function findCandidates(
	index: BookingIndex | undefined,
	rows: readonly RequestedRow[],
	timezone: string,
	after?: number,
): Promise<CandidatesOf> {
	if (!index) return () => [];
	const keysOf = ({ request }: RequestedRow) => farmerKeysOf(farmerOf(request));
	const keys = new Set((await inTurns(rows, keysOf)).flat());
	const byFarmer = await index.find(keys, timezone, after);
	const found = await inTurns(rows, (row) => {
		const job = jobOfRow(row);
		const near = new Set(keysOf(row).flatMap((key) => byFarmer.get(key) ?? []));
		const candidates = [...near].flatMap((listed) => candidateOf(job, listed));
		candidates.sort((a, b) => Number(a.change !== undefined) - Number(b.change !== undefined));
		return [row.itemIndex, candidates.slice(0, MAX_CANDIDATES)] as const;
	});
	const ofItem = new Map(found);
	return ({ itemIndex }) => ofItem.get(itemIndex) ?? [];
}

/** A booking as one that may be that of a row: what it does not show counts as the same, but a name or a phone must be. */
function candidateOf(job: Job, listed: Listed): Candidate[] {
	const alike = likeness(job, listed.job);
	const [change, ...others] = SHOWN_FIELDS.filter((field) => alike[field] === false);
	const isOfFarmer = alike.farmerName === true || alike.farmerPhone === true;
	return isOfFarmer && others.length === 0 ? [{ ...listed, alike, change }] : [];
}

/** Whether a booking shows the whole job of a row. */
export function isWholeJob({ alike }: Candidate): boolean {
	return Object.values(alike).every((isSame) => isSame === true);
}

/** Whether a booking shows the name, the phone and the day of a row, and nothing else. */
export function isShownSame({ alike }: Candidate): boolean {
	return SHOWN_FIELDS.every((field) => alike[field] === true) && differencesIn(alike).length === 0;
}

/** Gives each row the booking that fits it, where no other booking does, and that one no other row. */
export function pairAll<Row>(
	rows: readonly Row[],
	fitsOf: (row: Row) => readonly Candidate[],
): Map<Row, Candidate> {
	const fitting = rows.map((row) => ({ row, fits: fitsOf(row) }));
	const uses = groupBy(
		fitting.flatMap(({ fits }) => fits),
		({ key }) => key,
	);
	const pairs = new Map<Row, Candidate>();
	for (const { row, fits } of fitting) {
		const [only, ...others] = fits;
		if (only && others.length === 0 && uses.get(only.key)?.length === 1) pairs.set(row, only);
	}
	return pairs;
}
