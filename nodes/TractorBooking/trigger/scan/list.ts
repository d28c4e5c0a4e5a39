import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../api/identifiers';
import type { PagedList } from '../../api/pages/fetch';
import { openList, readPage } from '../../api/pages/fetch';
import type { Page } from '../../api/pages/unwrap';
import { storedKeyOf } from '../bookings';
import type { Pages, Reader } from './reader';

/** Every poll reads lists of up to this many pages as a whole. */
const MAX_WHOLE = 30;

/** Of longer ones, a poll reads this many pages, unless more are due. */
const PAGES_PER_POLL = 20;

/** This many of them at either end, where services show new bookings and most of the open ones. */
const AT_EITHER_END = 5;

/** At least this many of them go on with the round over the whole list. */
const MIN_ROUND = 5;

/** A round is through a list, however long, within a day; an hour is left for polls that fail. */
const ROUND_MS = 23 * 3_600_000;

/** Rounds after which the first scan ends although a page failed in each of them. */
const MAX_FIRST_ROUNDS = 10;

/** One reading of the whole list, page by page; it may take several polls. */
export interface Round {
	/** Instant of its start, in milliseconds. */
	startedAt: number;
	/** The page to read next. */
	next: number;
	/** The last page of this round that showed bookings; the one before the first page if none did. */
	last: number;
	/** Whether the last page that was read is said to be followed by another one. */
	isPromised: boolean;
	/** Whether a page failed, or one that was promised was not there. */
	hasFailed: boolean;
}

/** A round that begins with a page. */
function newRound(startedAt: number, next: number, hasFailed: boolean): Round {
	return { startedAt, next, last: next - 1, isPromised: false, hasFailed };
}

/** How far the reading of the bookings has come, and what was learned about the list. Kept between polls. */
export interface Progress {
	/** Whether the first scan has ended: what there was is known. */
	isKnown: boolean;
	/** Rounds that have ended. */
	rounds: number;
	/** The number of the first and of the last page that is known, and the bookings asked for in a page. */
	first: 0 | 1;
	last: number;
	size: number;
	/** The running round; undefined between two. */
	round?: Round;
}

/** The progress before anything was read. */
export function newProgress(): Progress {
	return { isKnown: false, rounds: 0, first: 1, last: 0, size: 0 };
}

/** What came of asking for a page: a page with records, none (or an empty one), one that repeats others, or nothing. */
type Outcome = Page | 'none' | 'repeated' | 'failed' | 'spent';

/** One poll's reading of the list. Nothing is repaired: what slips through is met in the next round. */
class ListScan {
	/** The list; a page that this poll has read is not asked for again. */
	private readonly list: PagedList;

	/** The pages with records that this poll has read, by their number. */
	private readonly pages = new Map<number, Page>();

	/** Records that came and were not handed on yet. */
	private arrived: IDataObject[][] = [];

	/** The number of the page on which this poll first met a booking. */
	private readonly metOn = new Map<BookingKey, number>();

	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
	) {
		this.list = {
			what: 'bookings',
			memory: { first: progress.round && progress.first },
			keyOf: storedKeyOf,
			fetchPage: async (number, size) => this.pages.get(number) ?? (await this.fetch(number, size)),
		};
	}

	/** Opens the list and goes on with the round over it; of a long one, only so far, and reads both ends. */
	async *read(): Pages {
		const { progress, reader } = this;
		yield* this.open();
		if (!progress.isKnown || progress.last - progress.first < MAX_WHOLE)
			return yield* this.goRound(Infinity);
		yield* this.goRound(Math.max(MIN_ROUND, this.due()));
		yield* this.readEnds();
		yield* this.goRound(PAGES_PER_POLL - reader.sent);
	}

	/** Finds out where the list begins and how large its pages are. Begins a round, unless one goes on. */
	private async *open(): Pages {
		const { progress, reader, list } = this;
		const { round } = progress;
		const wished = round ? progress.size : this.wishedSize;
		// Page 1 may say that nothing comes before it, and be wrong: each round asks for page 0.
		const { number, size: asked, result } = await openList(list, wished, undefined, !round);
		// Services fail at a page 0 that they do not have.
		if (!reader.hasList) reader.note(number, result);
		yield* this.arrived.splice(0);
		if (result.kind === 'unknown' || reader.end) return;
		const one = this.pages.get(1);
		// If page 0 fails, page 1 shows how large pages are that others follow.
		const page = result.kind === 'records' ? result.page : one?.hasNext ? one : undefined;
		if (round && (!page || asked === progress.size)) return;
		const first = result.kind === 'records' && number === 0 ? 0 : 1;
		// If the service gives less, asking for what it gives keeps the pages seamless.
		const size = page?.records.length ?? asked;
		if (page && size !== asked) this.keepOnly(first, page);
		const last = Math.floor((progress.last * progress.size) / size);
		const hasFailed = result.kind === 'failed';
		Object.assign(progress, { first, last, size, round: newRound(reader.now, first, hasFailed) });
	}

	/** Reads both ends of the list, and what has grown after the last page. */
	private async *readEnds(): Pages {
		const { first, last } = this.progress;
		for (let at = 0; at < AT_EITHER_END; at++) yield* this.ask(first + at);
		// The last page may hold a few bookings only.
		for (let number = last - AT_EITHER_END; number <= last + AT_EITHER_END; number++) {
			const page = yield* this.ask(number);
			if (number >= last && (!isPage(page) || page.hasNext === false)) return;
		}
	}

	/** Goes on with the round for some pages. It passes over a page that fails; the next round meets it again. */
	private async *goRound(pages: number): Pages {
		const { progress } = this;
		const { round } = progress;
		for (let left = pages; round && left > 0; left--) {
			const number = round.next;
			const page = yield* this.ask(number);
			if (page === 'spent') return;
			round.next += 1;
			let isOver = true;
			if (isPage(page)) {
				const isCountedAfter = this.isCountedAfter(page, number);
				round.last = number;
				round.isPromised = page.hasNext ?? isCountedAfter;
				isOver = page.hasNext === false && !isCountedAfter;
			} else if (page === 'failed') {
				round.hasFailed = true;
				// Some services fail at every page after the last one.
				isOver = number > Math.max(progress.last, round.last + 1);
			} else if (page === 'none' && round.isPromised) {
				round.hasFailed = true;
			} else if (page === 'repeated' && round.isPromised) {
				// If bookings of page 1 are hidden, page 2 in its size repeats it.
				round.isPromised = false;
				isOver = false;
			}
			if (isOver) return this.finish(round);
		}
	}

	/** How many pages of the round are due, if it is to be over in time. */
	private due(): number {
		const { last, round } = this.progress;
		if (!round) return 0;
		const elapsed = (this.reader.now - round.startedAt) / ROUND_MS;
		return Math.ceil(last * elapsed) - round.next + 1;
	}

	/** Ends the round. */
	private finish({ last, hasFailed }: Round): void {
		const { progress } = this;
		progress.round = undefined;
		progress.rounds += 1;
		// The list may have become shorter. If it shows nothing at all, that may be a fault.
		if (!hasFailed && last >= progress.first) progress.last = last;
		progress.isKnown ||= !hasFailed || progress.rounds >= MAX_FIRST_ROUNDS;
	}

	/** Asks for a page, unless this poll has read it or may not read any more, and hands on its records. */
	private async *ask(number: number): AsyncGenerator<IDataObject[], Outcome, undefined> {
		const { reader, progress, metOn } = this;
		const { size, last, round } = progress;
		if (reader.isSpent && !this.pages.has(number)) return 'spent';
		const result = await readPage(this.list, number, size);
		yield* this.arrived.splice(0);
		if ('error' in result && result.error === reader.end) return 'spent';
		// Some services fail at any page that they do not have.
		const mayBeThere = result.kind === 'failed' && (number <= last || round?.isPromised);
		if (mayBeThere || !reader.hasList) reader.note(number, result);
		if (result.kind === 'failed') return 'failed';
		if (result.kind !== 'records') return 'none';
		const { page } = result;
		const isElsewhere = (booking: IDataObject) => metOn.get(idOf(booking)) !== number;
		if (number > 1 && page.records.every(isElsewhere)) return 'repeated';
		progress.last = Math.max(last, number);
		return page;
	}

	/** Reads a page, and keeps it if it has records. */
	private async fetch(number: number, size: number): Promise<Page | undefined> {
		const page = await this.reader.page(number, size);
		if (!page || page.records.length === 0) return page;
		this.arrived.push(page.records);
		this.keep(number, page);
		return page;
	}

	/** Keeps a page, and where its bookings were met. */
	private keep(number: number, page: Page): void {
		this.pages.set(number, page);
		for (const id of page.records.map(idOf)) if (!this.metOn.has(id)) this.metOn.set(id, number);
	}

	/** Forgets the other pages: asked for in another size, they have other bookings. */
	private keepOnly(number: number, page: Page): void {
		this.pages.clear();
		this.metOn.clear();
		this.keep(number, page);
	}

	/** Whether the service counts more bookings than there are up to a page. */
	private isCountedAfter({ count = 0 }: Page, number: number): boolean {
		const { first, size } = this.progress;
		return count > (number - first + 1) * size;
	}
}

/** What a record is told from others by: without an ID, by all that it holds. */
function idOf(booking: IDataObject): BookingKey {
	return storedKeyOf(booking) ?? JSON.stringify(booking);
}

function isPage(outcome: Outcome): outcome is Page {
	return typeof outcome !== 'string';
}

/** Reads what a poll has to read of the list, as far as its budget reaches. */
export function scanList(reader: Reader, progress: Progress, pageSize: number): Pages {
	return new ListScan(reader, progress, pageSize).read();
}
