import { keyOfBooking, type BookingKey } from '../../../../api/records';
import { ServiceError } from '../../../../api/errors';
import { groupBy } from '../../../../utils/groupBy';
import { inTurns } from '../../../../utils/turns';
import { asShownBy, jobOfRow } from '../job';
import type { RowMemory } from '../memory/memory';
import type { FinishedRow, ParsedRow, RequestedRow, Row } from '../row';
import {
	candidatesByItem,
	compareWith,
	type Candidate,
	type CandidatesOf,
	type Listed,
} from './candidates';
import type { Bookings } from './bookings';
import { withStatuses } from './statuses';

/** A row with its request: one that is open, or one that names its booking. */
export type JudgedRow = ParsedRow | (FinishedRow & RequestedRow);

/** The bookings of a finished row: its own, or those that it may be. */
function bookingsOf(row: Row): BookingKey[] {
	if (row.kind !== 'finished') return [];
	const own = row.booking && keyOfBooking(row.booking);
	const possible = row.question?.bookings.map(({ bookingID }) => bookingID) ?? [];
	return own === undefined ? possible : [own, ...possible];
}

/** What is known of the rows of a sheet, and what the rules have decided so far. */
export class Evidence {
	/** The bookings that rows have: each is that of one row. */
	readonly bookingHasRow = new Set<BookingKey>();

	private readonly verdicts = new Map<number, FinishedRow>();

	private readonly ofKey: ReadonlyMap<string, JudgedRow[]>;

	/**
	 * @param rows in the order in which they are judged
	 * @param candidatesOf the bookings that may be that of a row, which does not deny them
	 * @param namedOf the bookings that rows name, by item
	 */
	constructor(
		private readonly rows: readonly JudgedRow[],
		readonly memory: RowMemory,
		readonly bookings: Bookings,
		readonly candidatesOf: CandidatesOf,
		private readonly namedOf: ReadonlyMap<number, Candidate>,
	) {
		this.ofKey = groupBy(rows, ({ key }) => key);
	}

	/** The booking that a row names. */
	namedBy({ itemIndex }: Row): Candidate | undefined {
		return this.namedOf.get(itemIndex);
	}

	/** Whether n8n made a booking for the service, the area and the plot of a row. */
	bookedFor(row: RequestedRow, { key, job, isSame }: Candidate): Candidate['bookedFor'] {
		const { memory } = this;
		if (memory.isOwn(asShownBy(row, job), key)) return 'same';
		// The owner may have changed what the booking shows since.
		return isSame &&
			row.rowId === undefined &&
			memory.isTaken(key) &&
			!memory.knows(memory.facts.takenByRowId(key))
			? 'other'
			: undefined;
	}

	decide({ itemIndex }: Row, verdict: FinishedRow | undefined): void {
		if (verdict) this.verdicts.set(itemIndex, verdict);
	}

	/** A row as it was decided, or as it came. */
	outcomeOf(row: Row): Row {
		return this.verdicts.get(row.itemIndex) ?? row;
	}

	/** The rows that name their bookings. */
	get named() {
		return this.rows.filter((row) => row.kind === 'finished');
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
			return outcome.kind === 'finished' && outcome.result === 'already booked' && !outcome.earlier;
		});
	}

	/** The row with the key of a row that is judged before it, and that no booking tells from it. */
	earlierOfKey(row: ParsedRow): JudgedRow | undefined {
		for (const other of this.ofKey.get(row.key) ?? []) {
			if (other === row) break;
			if (!this.isOtherJob(row, other) && !this.isOtherJob(other, row)) return other;
		}
		return undefined;
	}

	/** Whether a row denies a booking that another one with its key names, or has by that key. */
	private isOtherJob(row: JudgedRow, other: JudgedRow): boolean {
		const denied = row.denied.filter((key) => !other.denied.includes(key));
		return denied.some((key) => bookingsOf(other).includes(key) || this.memory.isOwn(other, key));
	}

	/** Whether a row denies the booking of another row. */
	deniesBookingOf(row: RequestedRow, other: Row): boolean {
		return bookingsOf(this.outcomeOf(other)).some((key) => row.denied.includes(key));
	}
}

/** The bookings that earlier runs asked about, by their keys: all but those that are unknown by now. */
async function openQuestions(rows: readonly JudgedRow[], bookings: Bookings) {
	const keys = new Set(
		rows.flatMap(({ kind, possibleBefore = [], denied }) =>
			kind === 'parsed' ? possibleBefore.filter((key) => !denied.includes(key)) : [],
		),
	);
	/** What could not be read stays open all the same. */
	const unread = (key: BookingKey): Listed => ({
		key,
		booking: { bookingID: key },
		job: {},
		status: undefined,
	});
	if (!bookings.areCompared) return new Map([...keys].map((key) => [key, unread(key)] as const));
	const found = await bookings.named(keys);
	return new Map(
		[...found].map(([key, one]) => [key, one instanceof ServiceError ? unread(key) : one] as const),
	);
}

/**
 * Looks up what the list has, and what n8n remembers, of rows.
 *
 * @throws ServiceError if the list cannot be read
 * @throws MemoryError
 */
export async function gatherEvidence(
	rows: readonly JudgedRow[],
	bookings: Bookings,
	memory: RowMemory,
): Promise<Evidence> {
	const listed = await bookings.candidatesFor(rows);
	const asked = await openQuestions(rows, bookings);
	const namedOf = new Map<number, Candidate>();
	const found = await inTurns(rows, (row): [number, Candidate[]] => {
		const questions = (row.possibleBefore ?? []).flatMap((key) => asked.get(key) ?? []);
		const job = jobOfRow(row);
		const named =
			row.kind === 'finished' && row.booking ? bookings.asListed(row.booking) : undefined;
		if (named) namedOf.set(row.itemIndex, compareWith(job, named));
		const open = questions.map((one) => ({ ...compareWith(job, one), isOpenQuestion: true }));
		const others = listed(row).filter(({ key }) => !open.some((one) => one.key === key));
		const all = [...others, ...open].filter(({ key }) => !row.denied.includes(key));
		return [row.itemIndex, all];
	});
	const before = candidatesByItem(found);
	await memory.lookBooked(rows, (row) => [
		...before(row).map(({ key }) => key),
		...bookingsOf(row),
		...row.denied,
	]);
	const several = await inTurns(rows, (row) => {
		const owns = before(row).filter(({ key }) => memory.isOwn(row, key));
		return owns.length > 1 ? owns.map(({ key }) => [row, key] as const) : [];
	});
	await memory.lookWhich(several.flat());
	// What is not its own may be the row as it was before it was edited.
	const others = await inTurns(rows, (row) => {
		const named = namedOf.get(row.itemIndex);
		return [...before(row), ...(named ? [named] : [])]
			.filter(({ key }) => memory.isTaken(key) && !memory.isOwn(row, key))
			.map(({ key, job }) => [asShownBy(row, job), key] as const);
	});
	await memory.lookOwn(others.flat());
	// The most certain first: a row that names its booking, one with an answer, one that is typed as it was booked.
	const rankOf = (row: JudgedRow) =>
		[
			row.kind === 'finished',
			row.denied.length > 0,
			memory.knows(memory.facts.bookedAsTyped(row)),
			true,
		].indexOf(true);
	const ranks = await inTurns(rows, rankOf);
	const ordered = [0, 1, 2, 3].flatMap((rank) => rows.filter((_, at) => ranks[at] === rank));
	// It matters only of rows that n8n does not know as booked, and that may have a booking.
	const mayBeSent = ordered.filter((row) => {
		const isAlike = before(row).some(({ different }) => different.length === 0);
		const mayBeOwn = isAlike || row.denied.length > 0 || !bookings.areCompared;
		return !memory.knows(memory.facts.booked(row)) && mayBeOwn;
	});
	await memory.lookSent(mayBeSent);
	const candidatesOf = await withStatuses(rows, before, bookings, memory);
	return new Evidence(ordered, memory, bookings, candidatesOf, namedOf);
}
