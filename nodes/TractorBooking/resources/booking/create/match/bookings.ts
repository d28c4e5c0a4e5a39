import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { bookingsList, getBooking } from '../../../../api/endpoints';
import { settle, ServiceError } from '../../../../api/errors';
import { collect } from '../../../../api/pages/collect';
import type { BookingId } from '../../../../api/records';
import { phoneTail } from '../../../../parse/phones';
import { mapConcurrent } from '../../../../utils/mapConcurrent';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { farmerOf, jobOfBooking, jobOfRow, marksOf, type Job } from '../row/job';
import type { RequestedRow } from '../row/row';
import { failureOf, NOTICES } from '../say/failures';
import { bookingIndexOf, type BookingIndex, type View } from './bookingIndex';
import {
	candidateOf,
	candidatesByItem,
	mayBeAsked,
	type Candidate,
	type CandidatesOf,
	type Listed,
} from '../row/candidates';
import { readAll, readList } from './readList';
import type { SentLately } from './sentLately';

/** How many bookings of the list a run reads one by one. */
const MAX_BY_ID = 50;

/** An agent's phone may have thousands of bookings. */
const MAX_CANDIDATES = 20;

/** What a job shows, in one text. */
const shownText = ({ farmerName, farmerPhone = '', serviceDate }: Job) =>
	JSON.stringify([farmerName, phoneTail(farmerPhone), serviceDate]);

const showsFarmer = ({ farmerName, farmerPhone }: Job) => (farmerName ?? farmerPhone) !== undefined;

const showsDay = ({ serviceDate }: Job) => serviceDate?.length === 1;

/** The bookings of the organisation, as one run sees them: in the list of the service, and in what the process knows of it. */
export class Bookings {
	private readonly index: BookingIndex;

	private readonly view: View;

	/** One by one, by their IDs. */
	private readsLeft = MAX_BY_ID;

	/** The newest place in the list when the rows were compared with it; undefined if they are not. */
	private comparedUpTo?: number;

	/** What has to be said of the list with which the rows were compared. */
	readonly notices: string[] = [];

	/**
	 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
	 * @param areCompared whether rows are compared with them; if not, none is looked up
	 */
	constructor(
		private readonly client: ServiceClient,
		timezone: string,
		readonly areCompared: boolean,
	) {
		this.index = bookingIndexOf(client);
		this.view = { timezone, run: ++this.index.runs };
	}

	/** What the list may not show yet. */
	get sentLately(): SentLately {
		return this.index.sentLately;
	}

	/** A booking as it was last listed. */
	listed(id: BookingId): Listed | undefined {
		return this.index.get(id, this.view);
	}

	/** Whether a booking was in the list when the rows were compared with it. */
	wasListed(id: BookingId): boolean {
		return this.comparedUpTo !== undefined && this.index.has(id, this.comparedUpTo);
	}

	/**
	 * Reads the bookings with which rows are compared.
	 *
	 * @throws ServiceError if the list cannot be read, or shows nothing that rows can be compared by
	 */
	async compare(): Promise<void> {
		if (!this.areCompared) {
			const page = await settle(collect(bookingsList(this.client), { limit: 1 }));
			const isComparable = (record: IDataObject) => {
				const job = jobOfBooking(record, this.view.timezone);
				return showsFarmer(job) && showsDay(job);
			};
			if (!(page instanceof ServiceError) && page.every(isComparable))
				this.notices.push(NOTICES.listReadable);
			return;
		}
		const failure = await settle(this.read());
		if (failure instanceof ServiceError) throw failureOf.unreadableList(failure);
		this.requireComparable();
		const { size, whole, arrivals } = this.index;
		this.comparedUpTo = arrivals;
		const { countExcess = 0 } = whole ?? {};
		if (countExcess > 0) this.notices.push(NOTICES.listIncomplete(size + countExcess, size));
	}

	private async read(): Promise<void> {
		await readList(this.client, this.index, this.view);
	}

	/** The bookings that may be those of rows, which do not deny them; none if they are not compared. @param all the rows of the sheet */
	async candidatesFor(
		rows: readonly RequestedRow[],
		all: readonly RequestedRow[],
	): Promise<CandidatesOf> {
		return this.comparedUpTo === undefined ? () => [] : await this.find(rows, all);
	}

	/** Reads the list again, for the bookings that have appeared since the rows were compared. @throws ServiceError */
	async arrivedFor(rows: readonly RequestedRow[]): Promise<CandidatesOf> {
		const { comparedUpTo } = this;
		if (comparedUpTo === undefined || rows.length === 0) return () => [];
		await this.read();
		return await this.find(rows, rows, comparedUpTo);
	}

	private async find(
		rows: readonly RequestedRow[],
		all: readonly RequestedRow[],
		after?: number,
	): Promise<CandidatesOf> {
		const { index, view } = this;
		const ofRows = new Set(await inTurns(all, (row) => shownText(jobOfRow(row))));
		const wantedOf = ({ request }: RequestedRow) => marksOf(farmerOf(request));
		const wanted = new Set((await inTurns(rows, wantedOf)).flat());
		const byFarmer = await index.find(wanted, view, after);
		const found = await inTurns(rows, (row) => {
			const job = jobOfRow(row);
			const ofFarmer = wantedOf(row).flatMap((mark) => byFarmer.get(mark) ?? []);
			const near = new Set(ofFarmer.map(({ listed }) => listed));
			// If there are too many, those go that are over, or shown by another row: they are least likely the row before an edit.
			const rankOf = (one: Candidate) =>
				4 * one.different.length +
				2 * Number(!mayBeAsked(one, row)) +
				Number(ofRows.has(shownText(one.job)));
			const ranked = [...near]
				.filter(({ id }) => !row.denied.includes(id))
				.flatMap((listed) => candidateOf(job, listed))
				.map((one) => ({ one, rank: rankOf(one) }))
				.sort((a, b) => a.rank - b.rank);
			return [row.itemIndex, ranked.slice(0, MAX_CANDIDATES).map(({ one }) => one)] as const;
		});
		return candidatesByItem(found);
	}

	/**
	 * The bookings that rows name: from the list if this run has read it, else one by one, as far as requests reach.
	 *
	 * @returns each booking, or why it could not be read; none for one that is unknown
	 * @throws ServiceError if the list cannot be read
	 */
	async byId(ids: ReadonlySet<BookingId>): Promise<Map<BookingId, Listed | ServiceError>> {
		if (!this.areCompared) return new Map();
		const isRead = this.comparedUpTo !== undefined || ids.size > this.readsLeft;
		if (isRead && this.comparedUpTo === undefined) await this.read();
		const read = await mapConcurrent([...ids], async (id) => {
			const listed = isRead ? this.listed(id) : undefined;
			if (listed && (this.wasRead(id) || this.readsLeft <= 0)) return listed;
			const booking = await this.readById(id);
			if (!booking || booking instanceof ServiceError) return booking;
			const job = jobOfBooking(booking, this.view.timezone);
			return { id, booking, job, status: booking.bookingStatus };
		});
		await this.lookInList([...ids].filter((_, at) => read[at] === undefined));
		const listed = (id: BookingId) => (isRead || this.wasRead(id) ? this.listed(id) : undefined);
		const found = [...ids].map((id, at) => [id, read[at] ?? listed(id)] as const);
		return new Map(found.flatMap(([id, one]) => (one ? [[id, one] as const] : [])));
	}

	/** Reads the statuses of bookings of the list that this run has not read, as far as its requests reach. */
	async readStatuses(ids: Iterable<BookingId>): Promise<void> {
		const unread = [...new Set(ids)].filter((id) => !this.wasRead(id));
		const some = unread.slice(0, Math.max(this.readsLeft, 0));
		const read = await mapConcurrent(some, async (id) => await this.readById(id));
		await this.lookInList(some.filter((_, at) => read[at] === undefined));
	}

	/** Reads the list, for bookings that are unknown by their IDs: one wrong response does not make a booking unknown. */
	private async lookInList(ids: readonly BookingId[]): Promise<void> {
		const { client, index, view } = this;
		if (ids.length === 0) return;
		// Only the whole list shows that one which it had is gone.
		const isGone = ids.some((id) => index.has(id));
		const failure = await settle(isGone ? readAll(client, index, view) : this.read());
		if (!failure) index.keepOnly((id) => this.wasRead(id) || !ids.includes(id));
	}

	/** Whether this run has read a booking. */
	private wasRead(id: BookingId): boolean {
		return this.index.wasRead(id, this.view.run);
	}

	/** @returns the record of a booking, or why it could not be read; undefined if its ID is unknown */
	private async readById(id: BookingId): Promise<IDataObject | ServiceError | undefined> {
		this.readsLeft -= 1;
		const booking = await settle(getBooking(this.client, asText(id)));
		if (booking instanceof ServiceError) return booking.kind === 'notFound' ? undefined : booking;
		this.index.update(id, booking, this.view.run);
		return { ...booking, bookingID: id };
	}

	/** @throws ServiceError (`unreadable`) if there are bookings, and none shows what rows are compared by */
	private requireComparable(): void {
		const { index } = this;
		const { timezone } = this.view;
		const missing = [
			...(index.haveIds ? [] : ['bookingID']),
			...(index.shows(showsFarmer, timezone) ? [] : ['farmerName', 'farmerPhone']),
			...(index.shows(showsDay, timezone) ? [] : ['serviceDate']),
		];
		if (missing.length > 0) throw failureOf.incomparableList(missing);
	}
}
