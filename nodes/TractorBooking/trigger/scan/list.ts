import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../api/identifiers';
import type { PagedList } from '../../api/pages/fetch';
import { openList, readPage } from '../../api/pages/fetch';
import type { Page } from '../../api/pages/unwrap';
import { storedKeyOf } from '../bookings';
import type { Pages, Reader } from './reader';

/** Every poll reads lists of up to this many pages as a whole. */
const MAX_WHOLE = 30;

/** For longer ones, a poll makes this many requests, unless more pages of the round are due. */
const REQUESTS_PER_POLL = 40;

/** About so many of them go on with the round if the others are used up by open bookings. */
const ROUND_PER_POLL = 8;

/** Pages that a poll reads from either end at most. */
const MAX_AT_END = 10;

/** A round is through a list, however long, within a day; an hour is left for polls that fail. */
const ROUND_MS = 23 * 3_600_000;

/** Rounds after which the first scan ends although a page failed in each, and after which gaps count as filled. */
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
	/** Until so many have ended, bookings may appear that no round could read; 0 after one in which nothing failed. */
	gapsUntil: number;
	/** The number of the first and of the last page that is known, and the bookings asked for in a page. */
	first: 0 | 1;
	last: number;
	size: number;
	/** The running round; undefined between two. */
	round?: Round;
}

/** The progress before anything was read. */
export function newProgress(): Progress {
	return { isKnown: false, rounds: 0, gapsUntil: 0, first: 1, last: 0, size: 0 };
}

/** What came of asking for a page: a page with records, none (or an empty one), one that repeats others, or nothing. */
type Outcome = Page | 'none' | 'repeated' | 'failed' | 'spent';

/** Asks for single bookings while pages of a long list are read. It knows the statuses, which the scan does not. */
export interface Asker {
	/** Whether the page after one is to be read at once. */
	isLively(bookings: readonly IDataObject[]): boolean;
	/**
	 * Asks for a booking by its ID.
	 *
	 * @param pages how many the list has
	 * @returns false if there is none to be asked for
	 */
	ask(pages: number): Promise<boolean>;
}

/** One request at most. @returns whether there is more to do */
type Turn = () => Promise<boolean>;

/** How far a poll has read from an end of the list: the next page, the way to go, and how many pages at most. */
interface End {
	next: number;
	step: 1 | -1;
	left: number;
}

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

	/** Where a long list is still to be read from its ends. */
	private ends: End[] = [];

	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
		private readonly asker: Asker | undefined,
	) {
		this.list = {
			what: 'bookings',
			memory: { first: progress.round && progress.first },
			keyOf: storedKeyOf,
			fetchPage: async (number, size) => this.pages.get(number) ?? (await this.fetch(number, size)),
		};
	}

	/** Opens the list and goes on with the round over it; of a long one, only so far, and takes turns. */
	async *read(): Pages {
		const { progress, asker } = this;
		await this.open();
		yield* this.arrived.splice(0);
		const { isKnown, first, last } = progress;
		const round = async () => await this.goRound();
		if (!asker || !isKnown || last - first < MAX_WHOLE) return yield* this.take([round], Infinity);
		this.ends = [
			{ next: first, step: 1, left: MAX_AT_END },
			{ next: last, step: -1, left: MAX_AT_END },
		];
		const end = async () => await this.readEnd(asker);
		const open = async () => await asker.ask(last - first + 1);
		const due = Math.max(this.due(), ROUND_PER_POLL);
		const rounds = Array<Turn>(Math.ceil(due / ROUND_PER_POLL)).fill(round);
		// The round comes first: it must go on even if a rate limit leaves two or three requests.
		const turns = [...rounds, open, end, open, open, end, open];
		yield* this.take(turns, REQUESTS_PER_POLL + due - ROUND_PER_POLL);
	}

	/** Takes turns for so many requests, so that whatever ends the poll early cuts all in proportion. */
	private async *take(turns: readonly Turn[], requests: number): Pages {
		let queue = turns;
		for (let [turn] = queue; turn && this.reader.sent < requests; [turn] = queue) {
			const taken = turn;
			const goesOn = await taken();
			// Whatever a turn notes it has noted by now: the poll may end here.
			yield* this.arrived.splice(0);
			queue = goesOn ? [...queue.slice(1), taken] : queue.filter((other) => other !== taken);
		}
	}

	/** Finds out where the list begins and how large its pages are. Begins a round, unless one goes on. */
	private async open(): Promise<void> {
		const { progress, reader, list } = this;
		const { round } = progress;
		const wished = round ? progress.size : this.wishedSize;
		// Page 1 may say that nothing comes before it, and be wrong: each round asks for page 0.
		const { number, size: asked, result } = await openList(list, wished, undefined, !round);
		// Services fail at a page 0 that they do not have.
		if (!reader.hasList) reader.note(number, result);
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

	/** Reads one more page from an end of the list, and goes on there while pages show something new or open. */
	private async readEnd(asker: Asker): Promise<boolean> {
		const [end, ...waiting] = this.ends;
		if (!end) return false;
		const { next, step, left } = end;
		const page = await this.ask(next);
		const mayGrow = isPage(page) && page.hasNext !== false;
		// Behind the last page there may be less, if the list has become shorter.
		const goesOn = isPage(page) ? asker.isLively(page.records) && (step < 0 || mayGrow) : step < 0;
		this.ends = waiting;
		if (goesOn && left > 1) this.ends.push({ next: next + step, step, left: left - 1 });
		if (step < 0 && left === MAX_AT_END && mayGrow)
			this.ends.push({ next: next + 1, step: 1, left: MAX_AT_END });
		return this.ends.length > 0;
	}

	/** Goes on with the round by a page. It passes over a page that fails; the next round meets it again. */
	private async goRound(): Promise<boolean> {
		const { progress } = this;
		const { round } = progress;
		if (!round) return false;
		const number = round.next;
		const page = await this.ask(number);
		if (page === 'spent') return false;
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
		if (isOver) this.finish(round);
		return !isOver;
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
		if (!hasFailed) progress.gapsUntil = 0;
		else if (!progress.isKnown) progress.gapsUntil = progress.rounds + MAX_FIRST_ROUNDS;
		progress.isKnown ||= !hasFailed || progress.rounds >= MAX_FIRST_ROUNDS;
	}

	/** Asks for a page, unless this poll has read it or may not read any more. */
	private async ask(number: number): Promise<Outcome> {
		const { reader, progress, metOn } = this;
		const { size, last, round } = progress;
		if (reader.isSpent && !this.pages.has(number)) return 'spent';
		const result = await readPage(this.list, number, size);
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

/**
 * Reads what a poll has to read of the list, as far as its budget reaches, and yields page after page. Where it stopped
 * is in `progress`.
 *
 * @param asker without it, a long list is read as a whole, too
 */
export function scanList(
	reader: Reader,
	progress: Progress,
	pageSize: number,
	asker?: Asker,
): Pages {
	return new ListScan(reader, progress, pageSize, asker).read();
}
