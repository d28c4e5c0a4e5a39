import { bookingIdOf, type BookingId } from '../../../../api/records';
import { ServiceError } from '../../../../api/errors';
import { groupBy } from '../../../../utils/groupBy';
import { inTurns } from '../../../../utils/turns';
import { asShownBy, jobOfRow } from '../row/job';
import type { RowMemory } from '../memory/memory';
import type { FinishedRow, NamingRow, ParsedRow, RequestedRow, Row } from '../row/row';
import {
	candidatesByItem,
	compareWith,
	unread,
	type Candidate,
	type CandidatesOf,
	type Listed,
} from '../row/candidates';
import type { Bookings } from './bookings';
import { differencesOf } from '../row/job';
import { withStatuses } from './statuses';

type JudgedRow = ParsedRow | NamingRow;

/** What is known of the rows of a sheet, and what the rules have decided so far. */
export class Evidence {
	/** The bookings that rows have: each is that of one row. */
	readonly bookingHasRow = new Set<BookingId>();

	private readonly verdicts = new Map<number, FinishedRow>();

	private readonly ofKey: ReadonlyMap<string, JudgedRow[]>;

	/**
	 * @param rows in the order in which they are judged
	 * @param candidatesOf the bookings that may be that of a row, which does not deny them
	 * @param byId the bookings that rows name, or that they may be by an earlier run; or why they could not be read
	 * @param unlike the rows that name a booking, if not all of these have the same cells
	 */
	constructor(
		private readonly rows: readonly JudgedRow[],
		readonly memory: RowMemory,
		readonly bookings: Bookings,
		readonly candidatesOf: CandidatesOf,
		readonly byId: ReadonlyMap<BookingId, Listed | ServiceError>,
		readonly unlike: ReadonlyMap<BookingId, readonly NamingRow[]>,
	) {
		this.ofKey = groupBy(rows, ({ key }) => key);
	}

	/** Whether n8n made a booking for the service, the area and the plot of a row. */
	bookedFor(row: RequestedRow, { id, job, isSame }: Candidate): Candidate['bookedFor'] {
		const { memory } = this;
		if (memory.isOwn(asShownBy(row, job), id)) return 'same';
		// The owner may have changed what the booking shows since.
		const isOther = isSame && row.rowId === undefined;
		return isOther && memory.knows(memory.facts.takenByJob(id)) ? 'other' : undefined;
	}

	decide<Verdict extends FinishedRow | undefined>({ itemIndex }: Row, verdict: Verdict): Verdict {
		if (verdict) this.verdicts.set(itemIndex, verdict);
		return verdict;
	}

	/** A row as it was decided, or as it came. */
	outcomeOf<R extends Row>(row: R): R | FinishedRow {
		return this.verdicts.get(row.itemIndex) ?? row;
	}

	/** The rows that no rule has decided yet. */
	get open() {
		return this.rows
			.filter((row) => row.kind === 'parsed')
			.filter(({ itemIndex }) => !this.verdicts.has(itemIndex));
	}

	/** The rows that are booked by now. */
	get booked(): JudgedRow[] {
		return this.rows.filter((row) => {
			const outcome = this.outcomeOf(row);
			return (
				outcome.kind === 'finished' && outcome.result === 'already booked' && !outcome.repeatOf
			);
		});
	}

	/** The row with the key of a row that is judged before it, and that no booking tells from it. */
	earlierOfKey(row: ParsedRow): JudgedRow | undefined {
		for (const other of this.ofKey.get(row.key) ?? []) {
			if (other === row) break;
			// What a row that cannot have its booking has in its cells says nothing.
			const isRefused = other.kind === 'naming' && this.verdicts.get(other.itemIndex)?.failure;
			if (!isRefused && !this.areOtherJobs(row, other)) return other;
		}
		return undefined;
	}

	/** Whether one of two rows denies a booking that the other one has, or may be. */
	areOtherJobs(one: JudgedRow, other: JudgedRow): boolean {
		const denies = ({ denied }: JudgedRow, of: JudgedRow) =>
			denied
				.filter((id) => !of.denied.includes(id))
				.some((id) => this.bookingsOf(of).includes(id) || this.memory.isOwn(of, id));
		return denies(one, other) || denies(other, one);
	}

	/** The bookings that a row has, or may be, as it was decided. */
	private bookingsOf(row: JudgedRow): BookingId[] {
		const { booking, question } = this.verdicts.get(row.itemIndex) ?? {};
		const own = booking && bookingIdOf(booking);
		return [own ?? [], question?.bookings.map(({ bookingID }) => bookingID) ?? []].flat();
	}
}

/** The rows that name each booking, if these are not one that is typed several times. */
function unlikeRows(naming: readonly NamingRow[]): Map<BookingId, NamingRow[]> {
	const areAlike = ([first, ...others]: readonly NamingRow[]) =>
		others.every(
			(one) => first?.isComparable && one.isComparable && differencesOf(first, one).length === 0,
		);
	const ofBooking = groupBy(naming, ({ bookingID }) => bookingID);
	return new Map([...ofBooking].filter(([, rows]) => !areAlike(rows)));
}

/**
 * Looks up what the list has, and what n8n remembers, of rows.
 *
 * @throws ServiceError if the list cannot be read
 * @throws MemoryError
 */
export async function gatherEvidence(
	all: readonly JudgedRow[],
	bookings: Bookings,
	memory: RowMemory,
): Promise<Evidence> {
	const naming = all.filter((row) => row.kind === 'naming');
	const open = all.filter((row) => row.kind === 'parsed');
	// The most certain first: a row that names its booking, then one with an answer.
	const rows = [
		...naming.filter(({ isComparable }) => isComparable),
		...open.filter(({ denied }) => denied.length > 0),
		...open.filter(({ denied }) => denied.length === 0),
	];
	const listed = await bookings.candidatesFor(open);
	const askedOf = ({ possibleBefore = [], denied }: ParsedRow) =>
		possibleBefore.filter((id) => !denied.includes(id));
	const ids = [...naming.map(({ bookingID }) => bookingID), ...open.flatMap(askedOf)];
	const byId = await bookings.byId(new Set(ids));
	const found = await inTurns(rows, (row): [number, Candidate[]] => {
		const job = jobOfRow(row);
		if (row.kind === 'naming') {
			const own = byId.get(row.bookingID);
			return [row.itemIndex, !own || own instanceof ServiceError ? [] : [compareWith(job, own)]];
		}
		const asked = askedOf(row).flatMap((id) => {
			const one = bookings.areCompared ? byId.get(id) : unread(id);
			// What could not be read stays open all the same.
			return one instanceof ServiceError ? unread(id) : (one ?? []);
		});
		const questions = asked.map((one) => ({ ...compareWith(job, one), isOpenQuestion: true }));
		const others = listed(row).filter(({ id }) => ![...row.denied, ...askedOf(row)].includes(id));
		return [row.itemIndex, [...others, ...questions]];
	});
	const before = candidatesByItem(found);
	await memory.lookBooked(rows, (row) => [...before(row).map(({ id }) => id), ...row.denied]);
	// What is not its own may be the row as it was before it was edited.
	const others = await inTurns(rows, (row) =>
		before(row)
			.filter(({ id }) => memory.isTaken(id) && !memory.isOwn(row, id))
			.map(({ id, job }) => [asShownBy(row, job), id] as const),
	);
	await memory.lookOwn(others.flat());
	// It matters only of rows that n8n does not know as booked, and that may have a booking, whatever they deny.
	const mayHaveBooking = (row: ParsedRow) =>
		!bookings.areCompared || listed(row).some(({ different }) => different.length === 0);
	const mayBeSent = open.filter(
		(row) => !memory.knows(memory.facts.booked(row)) && mayHaveBooking(row),
	);
	await memory.lookSent(mayBeSent);
	const candidatesOf = await withStatuses(open, before, bookings, memory);
	return new Evidence(rows, memory, bookings, candidatesOf, byId, unlikeRows(naming));
}
