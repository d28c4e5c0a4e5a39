import type { ServiceClient } from '../../../../api/client';
import { getBooking } from '../../../../api/endpoints';
import { settle, ServiceError } from '../../../../api/errors';
import type { BookingId } from '../../../../api/records';
import { phoneTail } from '../../../../parse/phones';
import { groupBy } from '../../../../utils/groupBy';
import { mapConcurrent } from '../../../../utils/mapConcurrent';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { jobOfBooking, lookUpKeysOf, type Job } from '../row/job';
import type { BookingRequest } from '../row/fields';
import type { Row } from '../row/row';
import { failureOf, NOTICES } from '../say/failures';
import { bookingIndexOf, type BookingIndex } from './bookingIndex';
import {
	compareWith,
	mayBeAsked,
	mayBeRow,
	type Candidate,
	type CandidatesOf,
	type Listed,
} from '../row/candidates';
import { readAll, readNew } from './readList';

/** How many of the bookings that are known a run reads by their IDs. */
const MAX_BY_ID = 50;

/** An agent's phone may have thousands of bookings. */
const MAX_CANDIDATES = 100;

/** What a job shows, in one text. */
const shownText = ({ farmerName, farmerPhone = '', serviceDate }: Job) =>
	JSON.stringify([farmerName, phoneTail(farmerPhone), serviceDate]);

/** The bookings of the organisation, as one run sees them: in the list of the service, and in what the process knows of it. */
export class Bookings {
	private readonly index: BookingIndex;

	/** The number of the run. */
	private readonly run: number;

	/** Why bookings could not be read by their IDs. */
	readonly failures = new Map<BookingId, ServiceError>();

	/** The bookings whose IDs are unknown, and that the list does not have. */
	readonly gone = new Set<BookingId>();

	/** What has to be said of the list with which the rows were compared. */
	readonly notices: string[] = [];

	/** The bookings that were in the list when rows were compared with it; undefined if they are not compared. */
	private before?: ReadonlySet<BookingId>;

	/**
	 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
	 * @param areCompared whether rows are compared with them; if not, none is looked up
	 */
	constructor(
		private readonly client: ServiceClient,
		private readonly timezone: string,
		readonly areCompared: boolean,
	) {
		this.index = bookingIndexOf(client);
		this.run = ++this.index.runs;
	}

	/** A booking as it was last read; undefined if it is gone, or was not read. */
	get(id: BookingId): Listed | undefined {
		const { index, timezone } = this;
		const entry = index.get(id);
		if (!entry) return undefined;
		const job = jobOfBooking(entry.farmer, entry.booking, timezone);
		const booking = { ...entry.booking };
		if (!this.wasRead(id)) delete booking.bookingStatus;
		return { id, booking, job };
	}

	/** Whether the list does not have a booking, and this run has not read it. */
	isMissing(id: BookingId): boolean {
		return !this.wasRead(id) && !this.index.has(id);
	}

	/** Whether this run, or a later one, has read a booking. */
	private wasRead(id: BookingId): boolean {
		return (this.index.get(id)?.run ?? 0) >= this.run;
	}

	/** Takes in a booking that this process has made: a list that is late does not show it. */
	addMade(id: BookingId, { tractorId, ...request }: BookingRequest): void {
		const record = { ...request, tractorPairedTo: tractorId };
		if (!this.index.has(id)) this.index.update(id, record, 0);
	}

	/** Whether a booking was in the list when the rows were compared with it. */
	wasListed(id: BookingId): boolean {
		return this.before?.has(id) ?? false;
	}

	/**
	 * Reads the bookings with which rows are compared.
	 *
	 * @throws ServiceError if the list cannot be read, or shows nothing that rows can be compared by
	 */
	async compare(): Promise<void> {
		if (!this.areCompared) return;
		const { index } = this;
		// The service may have moved a booking since; a long list would take too long.
		await this.readList(index.isShort ? readAll : readNew);
		this.requireComparable();
		const { size, whole } = index;
		this.before = new Set(index.shownIds());
		const { countExcess = 0 } = whole ?? {};
		if (countExcess > 0) this.notices.push(NOTICES.listIncomplete(size + countExcess, size));
	}

	private async readList(read: typeof readAll): Promise<void> {
		const failure = await settle(read(this.client, this.index, this.run));
		if (failure instanceof ServiceError) throw failureOf.unreadableList(failure);
	}

	/** Reads the list again, for the bookings that have appeared since the rows were compared. @throws ServiceError */
	async arrivedFor(rows: readonly Row[]): Promise<CandidatesOf> {
		const { before, client, index, run } = this;
		if (before && rows.length > 0) await readNew(client, index, run);
		return await this.candidatesFor(rows, rows, before);
	}

	/**
	 * The bookings that may be those of rows, which do not deny them; none if they are not compared.
	 *
	 * @param all the rows of the sheet
	 * @param before bookings that are not wanted
	 */
	async candidatesFor(
		rows: readonly Row[],
		all: readonly Row[],
		before?: ReadonlySet<BookingId>,
	): Promise<CandidatesOf> {
		if (!this.before || rows.length === 0) return new Map<Row, Candidate[]>();
		const ofRows = new Set(all.map(({ job }) => shownText(job)));
		const byFarmer = await this.findByFarmer(rows, before);
		const found = await inTurns(rows, (row) => {
			const { job } = row;
			const ofFarmer = lookUpKeysOf(job).flatMap((key) => byFarmer.get(key) ?? []);
			const near = new Set(ofFarmer.map(({ listed }) => listed));
			// If there are too many, those that are over, or that another row shows, are left out first: they are least likely
			// to be this row before an edit.
			const rankOf = (one: Candidate) =>
				4 * one.different.length +
				2 * Number(!mayBeAsked(one, row)) +
				Number(ofRows.has(shownText(one.job)));
			const ranked = [...near]
				.filter(({ id }) => !row.denied.includes(id))
				.map((listed) => compareWith(job, listed))
				.filter(mayBeRow)
				.map((one) => ({ one, rank: rankOf(one) }))
				.sort((a, b) => a.rank - b.rank);
			return [row, ranked.slice(0, MAX_CANDIDATES).map(({ one }) => one)] as const;
		});
		return new Map(found);
	}

	/** The bookings of the farmers of rows, by their look-up keys. @param before if given, only other bookings of the list are searched */
	private async findByFarmer(rows: readonly Row[], before?: ReadonlySet<BookingId>) {
		const { index } = this;
		const wanted = new Set(rows.flatMap(({ job }) => lookUpKeysOf(job)));
		const some = before ? index.shownIds().filter((id) => !before.has(id)) : index.ids();
		const found = await inTurns(some, (id) => {
			const keys = lookUpKeysOf(index.get(id)?.farmer ?? {});
			return keys.some((key) => wanted.has(key)) ? (this.get(id) ?? []) : [];
		});
		const all = found
			.flat()
			.flatMap((listed) => lookUpKeysOf(listed.job).map((key) => ({ key, listed })));
		return groupBy(all, ({ key }) => key);
	}

	/**
	 * Reads bookings by their IDs, unless this run has read them: all that are not known, and some of those that are.
	 *
	 * @throws ServiceError if the list has to be read for one of them, and cannot be
	 */
	async readById(ids: Iterable<BookingId>): Promise<void> {
		if (!this.areCompared) return;
		let left = MAX_BY_ID;
		const some = [...new Set(ids)]
			.filter((id) => !this.wasRead(id))
			.filter((id) => !this.get(id) || left-- > 0);
		await mapConcurrent(some, async (id) => await this.readOne(id));
		const { gone, index } = this;
		if (![...gone].some((id) => index.has(id))) return;
		// What is not known by its ID may be listed all the same: the list decides.
		await this.readList(readAll);
		for (const id of gone) {
			if (this.wasRead(id)) gone.delete(id);
			else index.delete(id);
		}
	}

	private async readOne(id: BookingId): Promise<void> {
		const { client, index, run } = this;
		const read = async () => await settle(getBooking(client, asText(id)));
		let booking = await read();
		const isGone = () => booking instanceof ServiceError && booking.kind === 'notFound';
		// One wrong response does not make a booking unknown.
		if (isGone()) booking = await read();
		if (isGone()) this.gone.add(id);
		else if (booking instanceof ServiceError) this.failures.set(id, booking);
		else index.update(id, booking, run);
	}

	/** @throws ServiceError (`unreadable`) if there are bookings, and none shows what rows are compared by */
	private requireComparable(): void {
		const ids = this.index.listedIds();
		const isShown = (holds: (job: Job) => boolean) =>
			ids.length === 0 || ids.some((id) => holds(this.get(id)?.job ?? {}));
		const areFarmers = isShown(({ farmerName, farmerPhone }) => !!(farmerName ?? farmerPhone));
		const areDays = isShown(({ serviceDate }) => serviceDate?.length === 1);
		const missing = [
			...(areFarmers ? [] : ['farmerName', 'farmerPhone']),
			...(areDays ? [] : ['serviceDate']),
		];
		if (missing.length > 0) throw failureOf.incomparableList(missing);
	}
}
