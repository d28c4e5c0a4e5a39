import type { IDataObject } from 'n8n-workflow';

import type { ListMemory, PagedList } from '../../api/pages/fetch';
import { openList } from '../../api/pages/fetch';
import type { ListPage, ReadOptions } from '../../api/pages/iterate';
import { iterate, Reading } from '../../api/pages/iterate';
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
}

/** A round that begins with a page, or with the specific booking at a place. */
export function newRound(startedAt: number, next: number, hasFailed = false): Round {
	return { startedAt, next, last: next - 1, isPromised: false, hasFailed };
}

/** How far the reading of the bookings has come, and what was learned about the list. Kept between polls. */
export interface Progress {
	/** Whether the first scan has ended: what there was is known. */
	isKnown: boolean;
	/** Rounds that have ended. */
	rounds: number;
	/** Where the list begins, once that is known, and the page size that was accepted. */
	memory: ListMemory;
	/** The number of the first page of a round and of the last one that is known, and the bookings asked for in a page. */
	first: 0 | 1;
	last: number;
	size: number;
	/** Bookings on the longest page so far. */
	longest: number;
	/** The running round; undefined between two. */
	round?: Round;
}

/** The progress before anything was read. */
export function newProgress(): Progress {
	return { isKnown: false, rounds: 0, memory: {}, first: 1, last: 0, size: 0, longest: 0 };
}

/** One poll's reading of the list. Pages are not read again: a booking that moved is met in the next round. */
class ListScan {
	/** The list; a page that this poll has read is not asked for again. */
	private readonly list: PagedList;

	/** The pages with records that this poll has read, by their number. */
	private pages = new Map<number, Page>();

	/** Records that came and were not handed on yet. */
	private arrived: IDataObject[][] = [];

	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
	) {
		const { memory, round, first } = progress;
		this.list = {
			what: 'bookings',
			memory: round ? { ...memory, first } : memory,
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
		const { first, last } = progress;
		for (const end of [{ from: first }, { from: last }, { from: last - 1, downTo: first }]) {
			let left = AT_EITHER_END;
			yield* this.readPages(end, () => --left > 0);
		}
		yield* this.goRound(PAGES_PER_POLL - reader.sent);
	}

	/** Finds out where the list begins and how large its pages are. Begins a round, unless one goes on. */
	private async *open(): Pages {
		const { progress, reader, list, pages } = this;
		const { round } = progress;
		const opened = await openList(list, round ? progress.size : this.wishedSize);
		const { number, size: asked, result } = opened;
		yield this.arrived.splice(0).flat();
		if ('error' in result && !reader.hasList) reader.note(number, result.error);
		if (result.kind === 'unknown' || reader.isStopped) return;
		if (round && asked === progress.size) return;
		const hasFailed = result.kind === 'failed';
		const first = hasFailed ? (list.memory.first ?? (pages.has(0) ? 0 : 1)) : number;
		// If the service gives less, asking for what it gives keeps the pages seamless. The first page may be shorter for once.
		const size = Math.min(progress.longest || asked, asked);
		const page = pages.get(first);
		if (size !== asked) this.pages = new Map(page && [[first, page]]);
		const last = Math.floor((progress.last * progress.size) / size);
		Object.assign(progress, { first, last, size, round: newRound(reader.now, first, hasFailed) });
	}

	/** Goes on with the round for some pages. It passes over a page that fails; the next round meets it again. */
	private async *goRound(pages: number): Pages {
		const { progress } = this;
		const { round, rounds, memory, first, size } = progress;
		if (!round || pages <= 0) return;
		const { next: from, isPromised } = round;
		let left = pages;
		const options = { from, before: (from - first) * size, isPromised };
		yield* this.readPages(options, ({ number, records, isLast, error }, reading) => {
			round.next = number + 1;
			if (records.length > 0) round.last = number;
			const isCountedAfter = (reading.count ?? 0) > (round.last - first + 1) * size;
			round.isPromised = reading.hasNext ?? isCountedAfter;
			const isMissing = isLast ? round.isPromised && reading.end !== 'repeated' : error;
			if (records.length === 0 && isMissing) round.hasFailed = true;
			// Some services fail at every page after the last one.
			const isOver = isLast || (error && number > Math.max(progress.last, round.last + 1));
			if (!isOver) return --left > 0;
			// What is counted and was not there may be page 0.
			if (isCountedAfter) {
				round.hasFailed ||= memory.first === undefined || rounds === 0;
				memory.first = undefined;
			}
			this.finish(round);
			return false;
		});
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

	/**
	 * Reads pages, and hands on the records of one after the other.
	 *
	 * @param goesOn asked after each page whether another one is to be read
	 */
	private async *readPages(
		wanted: ReadOptions,
		goesOn: (page: ListPage, reading: Reading) => boolean,
	): Pages {
		const { reader, progress, list } = this;
		const options = { ...wanted, size: progress.size, passesOver: true };
		const reading = new Reading(list, options);
		for await (const page of iterate(list, options, reading)) {
			const { number, records, isLast, error } = page;
			if (error && reader.isStopped) return;
			// Some services fail at any page that they do not have.
			const mayBeThere = !isLast && (number <= progress.last || reading.isPromised);
			if (error && (mayBeThere || !reader.hasList)) reader.note(number, error);
			if (records.length > 0) progress.last = Math.max(progress.last, number);
			const isEnough = !goesOn(page, reading);
			// Whatever a page shows is noted by now: the poll may end here.
			yield this.arrived.splice(0).flat();
			if (isEnough) return;
		}
	}

	/** Reads a page, and keeps it if it has records. */
	private async fetch(number: number, size: number): Promise<Page | undefined> {
		const page = await this.reader.page(number, size);
		if (!page || page.records.length === 0) return page;
		this.progress.longest = Math.max(this.progress.longest, page.records.length);
		this.arrived.push(page.records);
		this.pages.set(number, page);
		return page;
	}
}

/** Reads what a poll has to read of the list, as far as its budget reaches. */
export function scanList(reader: Reader, progress: Progress, pageSize: number): Pages {
	return new ListScan(reader, progress, pageSize).read();
}
