import { bookingIdOf, type BookingId } from '../../../../api/records';
import { groupBy } from '../../../../utils/groupBy';
import { inTurns } from '../../../../utils/turns';
import type { RowMemory } from '../memory/memory';
import { asShownBy, compareJobs, keyOf } from '../row/job';
import { differencesOf } from '../row/typed';
import type { OpenRow, Row } from '../row/row';
import type { Bookings } from './bookings';
import {
	compareWith,
	fits,
	idOnly,
	isOfFarmer,
	mayBeAsked,
	showsAll,
	type Candidate,
	type CandidatesOf,
} from '../row/candidates';
import { alikeRows } from './repeats';

/** The most bookings that a person is asked about for a row, beside those of which an earlier run has asked. */
const MAX_ASKED = 20;

/** Judges a row; undefined if the rule says nothing of it. */
export type Rule = (row: OpenRow, evidence: Evidence) => Row | undefined;

/** What is known of the rows of a sheet, and what the rules have decided so far. */
export class Evidence {
	private readonly verdicts = new Map<Row, Row>();

	/** The bookings that rows have by now: each is that of one row. */
	private readonly rowOfBooking = new Map<BookingId, Row>();

	/** The bookings that rows name, where nothing is wrong with that. */
	readonly named = new Set<BookingId>();

	private readonly ofKey: ReadonlyMap<string, readonly Row[]>;

	/** The rows that name a booking, if not all of these have the same cells. */
	readonly unlike: ReadonlyMap<BookingId | undefined, readonly Row[]>;

	/**
	 * @param rows in the order in which they are judged
	 * @param candidates the bookings that a row may be, without those that it denies; for one that names a booking, that alone
	 */
	constructor(
		private readonly rows: readonly OpenRow[],
		readonly memory: RowMemory,
		readonly bookings: Bookings,
		private readonly candidates: CandidatesOf,
	) {
		this.ofKey = groupBy(rows, keyOf);
		this.unlike = unlikeRows(rows);
	}

	/** Asks a rule about the rows that none has decided yet. */
	async judge(rule: Rule): Promise<void> {
		await inTurns(this.open, (row) => {
			const verdict = rule(row, this);
			if (verdict) this.decide(row, verdict);
		});
	}

	private decide(row: Row, verdict: Row): void {
		this.verdicts.set(row, verdict);
		const id = verdict.booking && bookingIdOf(verdict.booking);
		const own = this.candidatesFor(row).find((one) => one.id === id);
		const isNaming = row.bookingID !== undefined;
		if (own && isNaming) this.named.add(own.id);
		if (own && (!isNaming || this.isPlausible(row, own))) this.rowOfBooking.set(own.id, row);
	}

	/** False if the ID seems to be in the wrong row: the booking does not show its farmer, or another day, or n8n booked the row as another. */
	private isPlausible(row: Row, own: Candidate): boolean {
		const { memory } = this;
		const isBookedAsOther = memory.knows(memory.facts.booked(row)) && !memory.isOwn(row, own.id);
		return fits(own) && isOfFarmer(own) && !isBookedAsOther;
	}

	/** A row as it was decided, or as it came. */
	outcomeOf(row: Row): Row {
		return this.verdicts.get(row) ?? row;
	}

	candidatesFor(row: Row): readonly Candidate[] {
		return this.candidates.get(row) ?? [];
	}

	private get open(): OpenRow[] {
		return this.rows.filter((row) => !this.verdicts.has(row));
	}

	/** The bookings of a row by its key: those that no other row of the sheet has, if there are any. */
	ownOf(row: Row): readonly Candidate[] {
		const all = this.candidatesFor(row).filter(({ id }) => this.memory.isOwn(row, id));
		const free = all.filter(({ id }) => !this.rowOfBooking.has(id));
		return free.length > 0 ? free : all;
	}

	/** Whether n8n made a booking for the service, the area and the plot of a row. */
	bookedFor(row: Row, one: Candidate): Candidate['bookedFor'] {
		const { memory } = this;
		const { id, job } = one;
		if (memory.isOwn(asShownBy(row, job), id)) return 'same';
		// The owner may have changed what the booking shows since.
		return showsAll(one) && memory.knows(memory.facts.takenByJob(id)) ? 'other' : undefined;
	}

	/** Finds the rows that may be another one: of two, the one that is decided is not asked about, wherever it is in the sheet. */
	async findAlike(): Promise<Map<Row, Row>> {
		// Else each of two equal rows would be said to repeat the other.
		const decided = this.rows.filter((row) => this.verdicts.has(row) && !this.earlierOfKey(row));
		return await alikeRows([...decided, ...this.open], (row, other) =>
			this.areOtherJobs(row, other),
		);
	}

	/**
	 * The bookings that a row is asked about, unless another row has them: like it, or asked about by an earlier run.
	 *
	 * @param earlier the row of the sheet that it may be: its booking is asked about by that
	 */
	nearTo(row: Row, earlier?: Row): Candidate[] {
		const { memory, bookings } = this;
		const { facts, knows } = memory;
		const isUnknownJob = row.rowId !== undefined && !knows(facts.bookedJob(row));
		const isAsked = ({ id }: Candidate) => row.possibleBefore.includes(id);
		const isOfOtherRowId = ({ id }: Candidate) =>
			isUnknownJob && knows(facts.takenByRowId(id)) && !memory.isOwn(row, id);
		const isNear = (one: Candidate) =>
			isAsked(one) || (!isOfOtherRowId(one) && mayBeAsked(one, row));
		// What is gone may be late, and is asked about until the row denies a booking.
		const isGone = ({ id }: Candidate) => row.denied.length > 0 && bookings.gone.has(id);
		// An open question is answered by nothing but a cell: the Booking ID, or plots of both rows.
		const isOfOther = (one: Candidate) => {
			const other = this.rowOfBooking.get(one.id);
			return (
				other &&
				(other === earlier ||
					!isAsked(one) ||
					compareJobs(row.job, other.job, ['plot']).different.length > 0)
			);
		};
		return this.candidatesFor(row)
			.filter((one) => !isOfOther(one) && !isGone(one))
			.map((one) => ({ ...one, bookedFor: this.bookedFor(row, one) }))
			.filter(isNear)
			.filter((one, at) => at < MAX_ASKED || isAsked(one));
	}

	/** The row with the key of a row that is judged before it, and that no booking tells from it. */
	earlierOfKey(row: Row): Row | undefined {
		for (const other of this.ofKey.get(keyOf(row)) ?? []) {
			if (other === row) break;
			if (!this.areOtherJobs(row, other)) return other;
		}
		return undefined;
	}

	/** Whether one of two rows denies a booking that the other one has, or that n8n knows by its key. */
	areOtherJobs(one: Row, other: Row): boolean {
		const denies = ({ denied }: Row, of: Row) => {
			const own = bookingIdOf(this.verdicts.get(of)?.booking ?? {});
			return denied
				.filter((id) => !of.denied.includes(id))
				.some((id) => id === own || this.memory.isOwn(of, id));
		};
		return denies(one, other) || denies(other, one);
	}
}

/** The rows that name each booking, where these rows differ. */
function unlikeRows(rows: readonly Row[]): Map<BookingId | undefined, Row[]> {
	const areAlike = ([first, ...others]: readonly Row[]) =>
		others.every((one) => first && differencesOf(first, one).length === 0);
	const ofBooking = groupBy(rows, ({ bookingID }) => bookingID);
	return new Map([...ofBooking].filter(([, some]) => !areAlike(some)));
}

/**
 * Looks up what the list has, and what n8n remembers, of rows.
 *
 * @throws ServiceError if the list cannot be read, or n8n's memory
 */
export async function gatherEvidence(
	all: readonly OpenRow[],
	bookings: Bookings,
	memory: RowMemory,
): Promise<Evidence> {
	const naming = all.filter(({ bookingID }) => bookingID !== undefined);
	const unnamed = all.filter(({ bookingID }) => bookingID === undefined);
	// The most certain first: a row that names its booking, then one with an answer.
	const rows = [
		...naming,
		...unnamed.filter(({ denied }) => denied.length > 0),
		...unnamed.filter(({ denied }) => denied.length === 0),
	];
	const listed = await bookings.candidatesFor(unnamed, all);
	const listedFor = (row: Row) => listed.get(row) ?? [];
	const askedOf = ({ bookingID, possibleBefore, denied }: Row) =>
		bookingID === undefined ? possibleBefore.filter((id) => !denied.includes(id)) : [];
	const idsOf = (row: Row) => [
		...new Set([row.bookingID ?? [], listedFor(row).map(({ id }) => id), askedOf(row)].flat()),
	];
	const { facts } = memory;
	const booked = await inTurns(rows, (row) => [
		...facts.ofRow(row),
		...[...idsOf(row), ...row.denied].flatMap((id) => facts.ofBooking(row, id)),
	]);
	await memory.look(booked.flat());
	const isBooked = (row: Row) => memory.knows(facts.bookedAsAnswered(row));
	// The status of yesterday may be wrong: first of what is denied, then of what may be asked about, what is named, and what
	// rows have.
	const named = [...naming.flatMap(idsOf), ...unnamed.flatMap(askedOf)];
	const denied = unnamed.flatMap((row) => (isBooked(row) ? [] : row.denied));
	const near = await inTurns(unnamed, (row) =>
		isBooked(row) ? [] : listedFor(row).filter((one) => mayBeAsked(one, row)),
	);
	const own = unnamed.flatMap((row) => idsOf(row).filter((id) => memory.isOwn(row, id)));
	await bookings.readById([...denied, ...near.flat().map(({ id }) => id), ...named, ...own]);
	const found = all.map((row) => {
		const asked = askedOf(row);
		const some = idsOf(row).flatMap((id) => {
			// A question about what could not be read stays open all the same.
			const isOpen = asked.includes(id) && (!bookings.areCompared || bookings.failures.has(id));
			const one = bookings.get(id) ?? (isOpen ? idOnly(id) : undefined);
			return one ? compareWith(row.job, one) : [];
		});
		return [row, some] as const;
	});
	const candidates = new Map<Row, Candidate[]>(found);
	// What is not its own may be the row as it was before it was edited.
	const others = rows.flatMap((row) =>
		(candidates.get(row) ?? [])
			.filter(({ id }) => memory.isTaken(id) && !memory.isOwn(row, id))
			.map(({ id, job }) => facts.own(asShownBy(row, job), id)),
	);
	await memory.look(others);
	return new Evidence(rows, memory, bookings, candidates);
}
