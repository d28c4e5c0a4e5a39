import type { IDataObject } from 'n8n-workflow';

import { hasFailed, isUnknown, openList, SHORT_LIST_PAGES } from '../../api/pages/fetch';
import type { Page, PagedList } from '../../api/pages/fetch';
import { iterate, Reading, type ListPage, type ReadOptions } from '../../api/pages/iterate';
import { bookingIdOf } from '../../api/records';
import type { OpenBookings } from '../openBookings';
import { isFirstScanOver, MAX_FIRST_ROUNDS, type Progress } from '../state';
import { endsPoll, type Pages, type Reader } from './reader';

/** Of a longer list, a poll makes this many requests. */
const REQUESTS_PER_POLL = 40;

/** Pages with changes that a poll reads from either end at most. */
const MAX_NEWS = 10;

/** One poll's reading of the list. Pages are not read again: a booking that moved is met in the next round. */
export class ListScan {
	/** Whether this poll met pages after the last one that was known, and not the end of the list. */
	isCutShort = false;

	/** How many bookings the service counts, and did not list in the round that this poll ended. */
	lacking = 0;

	/** The list; a page that this poll has read is not asked for again. */
	private readonly list: PagedList;

	/** Those with records that this poll has read. */
	private pages = new Map<number, Page>();

	/** Records that came and were not handed on yet. */
	private arrived: IDataObject[][] = [];

	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
		private readonly openBookings: OpenBookings,
	) {
		this.list = {
			what: 'bookings',
			// Where a round began proves nothing: its first page may have failed.
			shape: progress.memory,
			keyOf: bookingIdOf,
			fetchPage: async (number, size) => this.pages.get(number) ?? (await this.fetch(number, size)),
		};
	}

	/**
	 * Opens the list and goes on with the round over it, as far as the budget reaches; then reads open bookings that it did
	 * not show. Over a long list, it takes turns with its ends and open bookings. Where it stopped is in `progress`.
	 */
	async *read(): Pages {
		const { progress, openBookings } = this;
		yield* this.open();
		const { first, last } = progress;
		const round = this.goRound();
		const open = openBookings.read();
		if (!isFirstScanOver(progress) || last - first < SHORT_LIST_PAGES) {
			yield* round;
			return yield* this.alternate([open]);
		}
		const beyond = this.readPages({ from: last + 1 }, () => true);
		const crowded = this.readCrowded();
		// The round comes first: it must go on even if a rate limit leaves two or three requests.
		const { value } = await round.next();
		if (value) yield value;
		yield* this.readNews({ from: first });
		yield* this.readNews({ from: last, downTo: first });
		const each = [beyond, crowded, open];
		yield* this.alternate([round, open, ...each, ...each, ...each]);
	}

	/** Reads the pages at one end that show changes. */
	private readNews(options: ReadOptions): Pages {
		let left = MAX_NEWS;
		// An empty page does not end it: the list may have become shorter.
		return this.readPages(
			options,
			({ records }) => --left > 0 && (records.length === 0 || this.openBookings.areNews(records)),
		);
	}

	/** Reads the pages with many open bookings again, those that were read longest ago first, and such pages after them. */
	private async *readCrowded(): Pages {
		const { progress, pages } = this;
		const isCrowded = ({ number, error }: ListPage) =>
			!error && progress.crowdedPages?.at(-1) === number;
		for (const page of progress.crowdedPages ?? [])
			// The list may have become shorter.
			if (page <= progress.last && !pages.has(page))
				yield* this.readPages({ from: page }, isCrowded);
	}

	/** Takes turns of about one request, so that whatever ends the poll early cuts all in proportion. */
	private async *alternate(turns: readonly Pages[]): Pages {
		const queue = [...turns];
		for (const turn of queue) {
			if (this.reader.sent >= REQUESTS_PER_POLL) return;
			const { done, value } = await turn.next();
			if (value) yield value;
			if (!done) queue.push(turn);
		}
	}

	/** Finds out where the list begins and how large its pages are. Begins a round, unless one goes on. */
	private async *open(): Pages {
		const { progress, reader, list, pages } = this;
		const { round } = progress;
		const opened = await openList(list, round ? progress.size : this.wishedSize);
		const { number, size: asked, page: shown } = opened;
		yield this.arrived.splice(0).flat();
		if (shown.error) {
			if (endsPoll(shown.error)) return;
			reader.failed ??= { page: number, error: shown.error };
		}
		if (isUnknown(shown) || (round && asked === progress.size)) return;
		const isFaulty = hasFailed(shown);
		const first = isFaulty ? (list.shape.first ?? (pages.has(0) ? 0 : 1)) : number;
		// If the service gives less, asking for what it gives keeps the pages seamless. The first page may be shorter for once.
		const size = Math.min(progress.longest || asked, asked);
		const page = pages.get(first);
		// A service may give less than it did.
		progress.longest = page?.records.length ?? 0;
		if (size !== asked) this.pages = new Map(page && [[first, page]]);
		// A page 0 that failed may be there: the first scan goes round once more.
		const mayBeZero = number === 1 && list.shape.first === undefined && shown.records.length > 0;
		const isUnsure = mayBeZero && progress.firstRounds === MAX_FIRST_ROUNDS;
		const hasGap = isFaulty || isUnsure;
		const begun = { next: first, last: first - 1, moreExpected: false, hasFailed: hasGap };
		Object.assign(progress, { first, size, round: begun });
	}

	/** Goes on with the round. It passes over a page that fails; the next round meets it again. */
	private async *goRound(): Pages {
		const { progress } = this;
		const { round, memory, first, size, firstRounds } = progress;
		if (!round) return;
		const { next: from, moreExpected } = round;
		const options = { from, before: (from - first) * size, moreExpected };
		yield* this.readPages(options, ({ number, records, isLast, error }, reading) => {
			round.next = number + 1;
			if (records.length > 0) round.last = number;
			round.moreExpected = reading.moreExpected;
			// Some services fail at every page after the last one.
			const isOver = isLast || (error && number > Math.max(progress.last, round.last + 1));
			round.hasFailed ||= isOver ? reading.moreExpected : error !== undefined;
			if (!isOver) return true;
			this.lacking = reading.lacking;
			// What is counted and was not there may be page 0.
			if (this.lacking > 0) memory.first = undefined;
			progress.round = undefined;
			progress.firstRounds = round.hasFailed ? Math.max(firstRounds - 1, 0) : 0;
			// The list may have become shorter. If it shows nothing at all, that may be a fault.
			if (!round.hasFailed && round.last >= first) progress.last = round.last;
			return false;
		});
	}

	/** @param goesOn asked after each page whether another one is to be read */
	private async *readPages(
		wanted: ReadOptions,
		goesOn: (page: ListPage, reading: Reading) => boolean,
	): Pages {
		const { reader, progress, list } = this;
		const options = { ...wanted, size: progress.size, passesOver: true };
		const reading = new Reading(list, options);
		for await (const page of iterate(list, options, reading)) {
			const { number, records, isLast, error } = page;
			if (error && endsPoll(error)) return;
			// Some services fail at any page that they do not have.
			const mayBeThere = !isLast && (number <= progress.last || reading.moreExpected);
			if (error && mayBeThere) reader.failed ??= { page: number, error };
			const hasRecords = records.length > 0;
			const others = (progress.crowdedPages ?? []).filter(
				(one) => one !== number || hasFailed(page),
			);
			progress.crowdedPages = this.openBookings.areCrowded(records) ? [...others, number] : others;
			// For a page after its end, a service may fail.
			if (number > progress.last || reading.end) this.isCutShort = hasRecords && !reading.end;
			if (hasRecords) progress.last = Math.max(progress.last, number);
			const isEnough = !goesOn(page, reading);
			// Whatever a page shows is noted by now: the poll may end here.
			yield this.arrived.splice(0).flat();
			if (isEnough) return;
		}
	}

	private async fetch(number: number, size: number): Promise<Page> {
		const page = await this.reader.page(number, size);
		if (page.records.length === 0) return page;
		this.progress.longest = Math.max(this.progress.longest, page.records.length);
		this.arrived.push(page.records);
		this.pages.set(number, page);
		return page;
	}
}
