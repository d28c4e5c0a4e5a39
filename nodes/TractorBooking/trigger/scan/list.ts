import type { IDataObject } from 'n8n-workflow';

import { openList, type ListMemory, type PagedList } from '../../api/pages/fetch';
import { iterate, Reading, type ListPage, type ReadOptions } from '../../api/pages/iterate';
import type { Page } from '../../api/pages/unwrap';
import { storedKeyOf } from '../bookings';
import { endsPoll, type Pages, type Reader } from './reader';

/** Every poll reads lists of up to this many pages as a whole. */
const MAX_WHOLE = 30;

/** For longer ones, a poll makes this many requests; at least 5 of them go on with the round. */
const REQUESTS_PER_POLL = 40;

/** Pages that a poll reads from either end at most. */
const MAX_AT_END = 10;

/** The first scan ends with the first round in which no page failed, and after so many at the latest. */
const MAX_FIRST_ROUNDS = 20;

/** One reading of the whole list, page by page; it may take several polls. */
interface Round {
	/** The page to read next. */
	next: number;
	/** The last page of this round that showed bookings; the one before the first page if none did. */
	last: number;
	/** Whether the last page that was read is said to be followed by another one. */
	moreExpected: boolean;
	/** Whether a page failed, or one that was promised was not there. */
	hasFailed: boolean;
}

/** How far the reading of the bookings has come, and what was learned about the list. Kept between polls. */
export interface Progress {
	/** Rounds that the first scan may still take; 0 once it has ended. */
	firstRounds: number;
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

export function newProgress(): Progress {
	return { firstRounds: MAX_FIRST_ROUNDS, memory: {}, first: 1, last: 0, size: 0, longest: 0 };
}

/** Whether the first scan has ended: what there was is known. */
export function isKnown({ firstRounds }: Progress): boolean {
	return firstRounds === 0;
}

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

/** One poll's reading of the list. Pages are not read again: a booking that moved is met in the next round. */
export class ListScan {
	/** The list; a page that this poll has read is not asked for again. */
	private readonly list: PagedList;

	/** The pages with records that this poll has read, by their number. */
	private pages = new Map<number, Page>();

	/** Records that came and were not handed on yet. */
	private arrived: IDataObject[][] = [];

	/** @param asker without it, a long list is read as a whole, too */
	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
		private readonly asker?: Asker,
	) {
		const { memory, round, first } = progress;
		this.list = {
			what: 'bookings',
			memory: round ? { ...memory, first } : memory,
			keyOf: storedKeyOf,
			fetchPage: async (number, size) => this.pages.get(number) ?? (await this.fetch(number, size)),
		};
	}

	/**
	 * Opens the list and goes on with the round over it, as far as the budget reaches; of a long one, only so far, and in
	 * turns with its ends and open bookings. Where it stopped is in `progress`.
	 */
	async *read(): Pages {
		const { progress, asker } = this;
		yield* this.open();
		const { first, last } = progress;
		const round = this.goRound();
		if (!asker || !isKnown(progress) || last - first < MAX_WHOLE) return yield* round;
		const front = this.readPages({ from: first }, whileLively(asker));
		const back = this.readPages({ from: last, downTo: first }, whileLively(asker));
		const beyond = this.readPages({ from: last + 1 }, () => true);
		const open = this.askInTurn(asker);
		// The round comes first: it must go on even if a rate limit leaves two or three requests.
		yield* this.take([round, open, front, beyond, open, open, back, open]);
	}

	/** Takes turns of about one request, so that whatever ends the poll early cuts all in proportion. */
	private async *take(turns: readonly Pages[]): Pages {
		let queue = turns;
		for (let [turn] = queue; turn && this.reader.sent < REQUESTS_PER_POLL; [turn] = queue) {
			const taken = turn;
			const { done, value } = await taken.next();
			if (value) yield value;
			queue = done ? queue.filter((other) => other !== taken) : [...queue.slice(1), taken];
		}
	}

	private async *askInTurn(asker: Asker): Pages {
		const { first, last } = this.progress;
		while (await asker.ask(last - first + 1)) yield [];
	}

	/** Finds out where the list begins and how large its pages are. Begins a round, unless one goes on. */
	private async *open(): Pages {
		const { progress, reader, list, pages } = this;
		const { round } = progress;
		const opened = await openList(list, round ? progress.size : this.wishedSize);
		const { number, size: asked, result } = opened;
		yield this.arrived.splice(0).flat();
		if ('error' in result && !reader.hasList) reader.note(number, result.error);
		if (result.kind === 'unknown' || ('error' in result && endsPoll(result.error))) return;
		if (round && asked === progress.size) return;
		const hasFailed = result.kind === 'failed';
		const first = hasFailed ? (list.memory.first ?? (pages.has(0) ? 0 : 1)) : number;
		// If the service gives less, asking for what it gives keeps the pages seamless. The first page may be shorter for once.
		const size = Math.min(progress.longest || asked, asked);
		const page = pages.get(first);
		if (size !== asked) this.pages = new Map(page && [[first, page]]);
		const begun = { next: first, last: first - 1, moreExpected: false, hasFailed };
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
			// What is counted and was not there may be page 0.
			if (reading.lacking > 0) memory.first = undefined;
			progress.round = undefined;
			progress.firstRounds = round.hasFailed ? Math.max(firstRounds - 1, 0) : 0;
			// The list may have become shorter. If it shows nothing at all, that may be a fault.
			if (!round.hasFailed && round.last >= first) progress.last = round.last;
			return false;
		});
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
			if (error && endsPoll(error)) return;
			// Some services fail at any page that they do not have.
			const mayBeThere = !isLast && (number <= progress.last || reading.moreExpected);
			if (error && (mayBeThere || !reader.hasList)) reader.note(number, error);
			if (records.length > 0) progress.last = Math.max(progress.last, number);
			const isEnough = !goesOn(page, reading);
			// Whatever a page shows is noted by now: the poll may end here.
			yield this.arrived.splice(0).flat();
			if (isEnough) return;
		}
	}

	private async fetch(number: number, size: number): Promise<Page | undefined> {
		const page = await this.reader.page(number, size);
		if (!page || page.records.length === 0) return page;
		this.progress.longest = Math.max(this.progress.longest, page.records.length);
		this.arrived.push(page.records);
		this.pages.set(number, page);
		return page;
	}
}

/** Goes on while pages show something new or open, for so many pages. Behind the last one there may be less, if the list has become shorter. */
function whileLively(asker: Asker): (page: ListPage) => boolean {
	let left = MAX_AT_END;
	return ({ records }) => --left > 0 && (records.length === 0 || asker.isLively(records));
}
