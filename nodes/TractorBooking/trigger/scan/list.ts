import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../api/identifiers';
import type { PagedList } from '../../api/pages/fetch';
import { openList, readPage } from '../../api/pages/fetch';
import type { Page } from '../../api/pages/unwrap';
import { storedKeyOf } from '../bookings';
import type { Pages, Reader } from './reader';

/** Lists of up to so many pages are read whole by every poll. */
const MAX_WHOLE = 30;

/** Of longer ones, a poll reads so many pages, unless more are due. */
const PAGES_PER_POLL = 20;

/** Of these, pages at either end that show open bookings, but nothing new. */
const MAX_OPEN_PAGES = 5;

/** Of these, the round over the whole list has at least so many. */
const MIN_ROUND = 5;

/** A round is through a list, however long, within a day; an hour is left for polls that fail. */
const ROUND_MS = 23 * 3_600_000;

/** How often page 0 is asked for at most if page 1 says that nothing comes before it: it may be right. */
const DOUBT_MS = 3_600_000;

/** Rounds after which the first scan ends although a page failed in each of them. */
const MAX_FIRST_ROUNDS = 10;

/** One reading of the whole list, page by page, or of all specific bookings; it may take several polls. */
export interface Round {
	/** Instant of its start, in milliseconds. */
	startedAt: number;
	/** The page to read next, or the place of the specific booking. */
	next: number;
	/** The last page of this round that showed bookings; the one before the first page if none did. */
	last: number;
	/** Whether the last page that was read is said to be followed by another one. */
	isPromised: boolean;
	/** Whether a page or a booking failed, or a page that was promised was not there. */
	hasFailed: boolean;
	/** Whether bookings may be missing before page 1: more are counted, or a later page has nothing before it, either. */
	isDoubtful: boolean;
}

/** A round that begins with a page, or with the specific booking at a place. */
export function newRound(startedAt: number, next: number, hasFailed = false): Round {
	return { startedAt, next, last: next - 1, isPromised: false, hasFailed, isDoubtful: false };
}

/** How far the reading of the bookings has come, and what was learned about the list. Kept between polls. */
export interface Progress {
	/** Whether the first scan has ended: what there was is known. */
	isKnown: boolean;
	/** Rounds that ended during the first scan. */
	rounds: number;
	/** The number of the first and of the last page that is known, and the bookings asked for in a page. */
	first: 0 | 1;
	last: number;
	size: number;
	/** The largest page that the service does not refuse, if it refused one. */
	maxSize?: number;
	/** Page 0, if page 1 says that nothing comes before it: whether it is asked for nevertheless, or was even found. */
	pageZero?: 'doubted' | 'found';
	/** When that was doubted last, in milliseconds. */
	doubtedAt?: number;
	/** Whether the last poll could read nothing of the round, which is then the first thing that this one reads. */
	isRoundDue: boolean;
	/** The running round; undefined between two. */
	round?: Round;
}

/** The progress before anything was read. */
export function newProgress(): Progress {
	return { isKnown: false, rounds: 0, first: 1, last: 0, size: 0, isRoundDue: false };
}

/** What the scan asks about the records that it reads. */
export interface View {
	/** Whether a record shows a booking or a status that is not known. */
	isNews: (booking: IDataObject) => boolean;
	/** Whether a booking may still change. */
	isOpen: (booking: IDataObject) => boolean;
}

/** What came of asking for a page: a page with records, none (or an empty one), one that repeats others, or nothing. */
type Outcome = Page | 'none' | 'repeated' | 'failed' | 'spent';

/** One poll's reading of the list. Nothing is repaired: what slips through is met in the next round. */
class ListScan {
	/** The list; a page that this poll has read is not asked for again. */
	private readonly list: PagedList;

	/** The pages with records that this poll has read, by number and size. */
	private readonly pages = new Map<string, Page>();

	/** Records that came and were not handed on yet. */
	private arrived: IDataObject[][] = [];

	/** The number of the page on which this poll first met a booking. */
	private readonly metOn = new Map<BookingKey | undefined, number>();

	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
		private readonly view: View,
	) {
		this.list = {
			what: 'bookings',
			memory: { size: progress.maxSize },
			keyOf: storedKeyOf,
			fetchPage: async (number, size) =>
				this.pages.get(idOf(number, size)) ?? (await this.fetch(number, size)),
		};
	}

	/** Opens the list, reads both ends of a long one, and goes on with the round over the whole list. */
	async *read(): Pages {
		const { progress, reader } = this;
		// However little a poll may read, the round has its turn in every second one.
		const isRoundFirst = progress.isRoundDue && progress.round !== undefined;
		progress.isRoundDue = false;
		if (isRoundFirst) yield* this.goRound();
		// A poll that reads nothing but pages that fail would change nothing, and the next one would be the same.
		if (reader.end || (reader.isSpent && reader.hasList)) return;
		yield* this.open();
		if (this.isLong) yield* this.readEnds();
		progress.isRoundDue = reader.isSpent && !isRoundFirst;
		if (!isRoundFirst) yield* this.goRound();
		if (progress.pageZero !== 'doubted' || reader.isSpent) return;
		yield* this.open();
		yield* this.goRound();
	}

	private get isLong(): boolean {
		const { isKnown, first, last } = this.progress;
		return isKnown && last - first >= MAX_WHOLE;
	}

	/** Finds out where the list begins and how large its pages are. Begins a round, unless one goes on. */
	private async *open(): Pages {
		const { progress, reader, list } = this;
		const { round } = progress;
		const wished = round ? progress.size : this.wishedSize;
		const isDoubted = progress.pageZero !== undefined;
		const { number, size: asked, result } = await openList(list, wished, undefined, isDoubted);
		// Services fail at a page 0 that they do not have.
		if (!reader.hasList) reader.note(number, result);
		yield* this.arrived.splice(0);
		if (result.kind === 'unknown' || reader.end) return;
		progress.maxSize = list.memory.size;
		const page = result.kind === 'records' ? result.page : undefined;
		const first = page && number === 0 ? 0 : 1;
		if (isDoubted && page && first === 0) progress.pageZero = 'found';
		else if (page && progress.pageZero === 'doubted') progress.pageZero = undefined;
		if (round && (!page || (first >= progress.first && asked === progress.size))) return;
		// If the service gives less, asking for what it gives keeps the pages seamless.
		const size = page?.records.length ?? asked;
		if (size !== asked) this.forgetPages();
		if (page) this.keep(first, size, page);
		const last = Math.floor((progress.last * progress.size) / size);
		const hasFailed = result.kind === 'failed' || reader.failures.length > 0;
		Object.assign(progress, { first, last, size, round: newRound(reader.now, first, hasFailed) });
	}

	/** Reads both ends of the list, where services show new bookings and most of the open ones. */
	private async *readEnds(): Pages {
		const { progress, view } = this;
		yield* this.readInwards(progress.first, 1);
		const { last } = progress;
		for (let number = last; ; number++) {
			const page = yield* this.ask(number);
			if (!isPage(page) || this.isLast(page)) break;
			if (number > last && !page.records.some(view.isNews)) break;
		}
		yield* this.readInwards(last - 1, -1);
	}

	/** Reads on from one end until a page shows nothing new and no open booking. */
	private async *readInwards(from: number, step: 1 | -1): Pages {
		const { isNews, isOpen } = this.view;
		let openPages = 0;
		for (let number = from; number >= this.progress.first; number += step) {
			const page = yield* this.ask(number);
			if (!isPage(page)) return;
			if (page.records.some(isNews)) continue;
			openPages += 1;
			if (!page.records.some(isOpen) || openPages === MAX_OPEN_PAGES) return;
		}
	}

	/** Goes on with the round. It passes over a page that fails; the next round meets it again. */
	private async *goRound(): Pages {
		const { progress } = this;
		const { round } = progress;
		if (!round) return;
		for (let left = this.share(); left > 0; left--) {
			const number = round.next;
			const page = yield* this.ask(number);
			if (page === 'spent') return;
			round.next += 1;
			let isOver = true;
			if (isPage(page)) {
				const isCountedAfter = this.isCountedAfter(page, number);
				round.last = number;
				round.isPromised = page.hasNext ?? isCountedAfter;
				// A page that failed is not missing before page 1.
				const isDenied = number > 1 && page.hasPrevious === false;
				round.isDoubtful = isDenied || this.isCountedAfter(page, Math.max(number, progress.last));
				isOver = page.hasNext === false && !isCountedAfter;
			} else if (page === 'failed') {
				round.hasFailed = true;
				// Some services fail at every page after the last one.
				isOver = number > Math.max(progress.last, round.last + 1);
			} else if (page === 'none' && round.isPromised) {
				round.hasFailed = true;
			}
			if (isOver) return this.finish(round);
		}
	}

	/** How many pages of the round this poll reads. */
	private share(): number {
		const { reader } = this;
		const { last, round } = this.progress;
		if (!this.isLong || !round) return Infinity;
		const elapsed = (reader.now - round.startedAt) / ROUND_MS;
		const due = Math.ceil(last * elapsed) - round.next + 1;
		return Math.max(due, MIN_ROUND, PAGES_PER_POLL - reader.sent);
	}

	/** Ends the round. */
	private finish({ last, hasFailed: hasPageFailed, isDoubtful }: Round): void {
		const { progress, reader } = this;
		const isDue = reader.now - (progress.doubtedAt ?? 0) >= DOUBT_MS;
		const isDoubted = isDoubtful && progress.first === 1 && !progress.pageZero && isDue;
		if (isDoubted) Object.assign(progress, { pageZero: 'doubted', doubtedAt: reader.now });
		const hasFailed = hasPageFailed || isDoubted;
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
		if (reader.isSpent && !this.pages.has(idOf(number, size))) return 'spent';
		const result = await readPage(this.list, number, size);
		yield* this.arrived.splice(0);
		if ('error' in result && result.error === reader.end) return 'spent';
		// Some services fail at any page that they do not have.
		const mayBeThere = number <= last || round?.isPromised || !reader.hasList;
		if (mayBeThere || result.kind !== 'failed') reader.note(number, result);
		if (result.kind === 'failed') return 'failed';
		if (result.kind !== 'records') return 'none';
		const { page } = result;
		const isElsewhere = (booking: IDataObject) => metOn.get(storedKeyOf(booking)) !== number;
		if (number > 1 && page.records.every(isElsewhere)) return 'repeated';
		progress.last = Math.max(last, number);
		return page;
	}

	/** Reads a page, and keeps it if it has records. */
	private async fetch(number: number, size: number): Promise<Page | undefined> {
		const page = await this.reader.page(number, size);
		if (!page || page.records.length === 0) return page;
		this.arrived.push(page.records);
		this.keep(number, size, page);
		return page;
	}

	/** Keeps a page, and where its bookings were met. */
	private keep(number: number, size: number, page: Page): void {
		this.pages.set(idOf(number, size), page);
		for (const key of page.records.map(storedKeyOf))
			if (!this.metOn.has(key)) this.metOn.set(key, number);
	}

	/** Forgets the pages of another size: bookings are on other ones now. */
	private forgetPages(): void {
		this.pages.clear();
		this.metOn.clear();
	}

	/** Whether the service counts more bookings than there are up to a page. */
	private isCountedAfter({ count = 0 }: Page, number: number): boolean {
		const { first, size } = this.progress;
		return count > (number - first + 1) * size;
	}

	/** Whether a page seems to be the last one. */
	private isLast({ hasNext, records }: Page): boolean {
		return !(hasNext ?? records.length >= this.progress.size);
	}
}

function idOf(number: number, size: number): string {
	return `${number}/${size}`;
}

function isPage(outcome: Outcome): outcome is Page {
	return typeof outcome !== 'string';
}

/** Reads what a poll has to read of the list, as far as its budget reaches. */
export function scanList(reader: Reader, progress: Progress, pageSize: number, view: View): Pages {
	return new ListScan(reader, progress, pageSize, view).read();
}
