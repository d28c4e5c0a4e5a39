import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../api/errors';
import type { BookingKey } from '../../api/identifiers';
import type { Page } from '../../api/pages/unwrap';
import { exactKeyOf } from '../bookings';
import type { Progress, Round } from './progress';
import type { Pages, Reader } from './reader';

/** Lists of up to so many pages are read whole by every poll; of longer ones, so many pages, unless more are due. */
const PAGES_PER_POLL = 20;

/** Of these, pages that showed bookings that may still change have at least so many. */
const MIN_AGAIN = 4;

/** Of these, the round over the whole list has at least so many: the list may be in no order. */
const MIN_ROUND = 5;

/** A round is through a list, however long, within a day; an hour is left for polls that fail. */
const ROUND_MS = 23 * 3_600_000;

/** Rounds after which the first scan ends although a page failed in each of them. */
const MAX_FIRST_ROUNDS = 3;

/** Sizes to try if a larger one is refused: default page sizes are between 10 and 25 (interface, "Pagination"). */
const SMALLER_SIZES = [25, 10];

/** What the scan asks about the records that it reads. */
export interface View {
	/** Whether a record shows a booking or a status that is not known. */
	isNews: (booking: IDataObject) => boolean;
	/** Whether a booking was not seen before this poll. */
	isUnseen: (booking: IDataObject) => boolean;
	/** Whether a booking may still change. */
	isOpen: (booking: IDataObject) => boolean;
}

/** What came in place of the records of a page: nothing, those of other pages, no such page, a failure. */
type NoRecords = 'empty' | 'repeated' | 'unknown' | 'failed';

/** One poll's reading of the list. A page that is not there, or fails, is met again in a later poll. */
class ListScan {
	/** What this poll has read, by the number of the page. */
	private readonly read = new Map<number, Page | NoRecords>();

	/** The bookings on these pages. */
	private readonly met = new Set<BookingKey | undefined>();

	/** The pages that the next poll is to read, as far as this one knows by now. */
	private readonly again = new Set<number>();

	/** By how many pages new bookings have moved the others on. */
	private shift = 0;

	constructor(
		private readonly reader: Reader,
		private readonly progress: Progress,
		private readonly wishedSize: number,
		private readonly view: View,
	) {}

	/** A short list is read whole. Of a long one, the part that the budget did not reach is the next poll's first. */
	async *pages(): Pages {
		const { progress, reader } = this;
		const { isKnown, first, last, part, round } = progress;
		const isLong = isKnown && last - first >= PAGES_PER_POLL;
		const least = isKnown ? 2 * PAGES_PER_POLL : Infinity;
		const parts = [() => this.round(isLong ? this.due() : least)];
		if (isLong) parts.unshift(() => this.repeated());
		// A poll that read nothing but pages that fail would store nothing, and the next one would begin with them.
		if (isLong || round) parts.unshift(() => this.newest());
		for (let turn = 0; turn < parts.length && !reader.isSpent; turn++) {
			const index = (part + turn) % parts.length;
			yield* parts[index]?.() ?? [];
			progress.part = reader.isSpent ? index + 1 : 0;
		}
		// The list may begin or end elsewhere by now.
		if (round && !reader.hasList && !reader.isSpent) {
			progress.round = undefined;
			this.read.clear();
			yield* this.round(least);
		}
		const pages = new Set([...this.again, ...this.waiting()]);
		progress.again = [...pages].filter((page) => page <= progress.last + 1);
	}

	/** The end of the list where most services show new bookings, until a page shows nothing new. */
	private async *newest(): Pages {
		const { first, size } = this.progress;
		const { isNews, isUnseen } = this.view;
		for (let number = first as number; ; number++) {
			const page = await this.ask(number, size);
			if (!isPage(page)) return;
			this.shift += page.records.filter(isUnseen).length / size;
			// Page 0 may be the last page once more.
			const isKnown = number > 0 && !page.records.some(isNews);
			yield page.records;
			if (isKnown) return;
		}
	}

	/** The other end of the list, and the pages that the last poll left to this one, as many as a poll has room for. */
	private async *repeated(): Pages {
		const { progress, reader } = this;
		const { last, size, againFrom } = progress;
		for (let number = last; ; number++) {
			const page = await this.ask(number, size);
			if (isPage(page)) yield page.records;
			if (!isPage(page) || this.isLast(page, number, size)) break;
		}
		const pages = this.waiting().sort((a, b) => a - b);
		const later = pages.filter((page) => page >= againFrom);
		progress.againFrom = 0;
		let room = Math.max(MIN_AGAIN, PAGES_PER_POLL - reader.sent - this.due());
		for (const number of [...later, ...pages.filter((page) => page < againFrom)]) {
			if (room-- <= 0 || reader.isSpent) {
				progress.againFrom = number;
				return;
			}
			const page = await this.ask(number, size);
			if (isPage(page)) yield page.records;
		}
		reader.forgive((page) => page > progress.last);
	}

	/** Goes on with the round over the whole list, or begins one. */
	private async *round(pages: number): Pages {
		const { progress, reader } = this;
		if (!progress.round) yield* this.begin();
		const { round } = progress;
		if (!round) return;
		const atLeast = Math.max(pages, PAGES_PER_POLL - reader.sent);
		for (let left = atLeast; left > 0; round.next++) {
			const number = round.next;
			const isRead = this.read.has(number);
			const page = this.read.get(number) ?? (await this.ask(number, round.size));
			if (page === 'spent') return;
			left -= isRead ? 0 : 1;
			if (isPage(page)) {
				round.last = number;
				round.failing = 0;
				round.isPromised = page.hasNext ?? this.isCountedAfter(page, number, round);
				if (!isRead) yield page.records;
				if (page.hasNext === false && !this.isCountedAfter(page, number, round)) {
					this.finish(round, true);
					return;
				}
			} else if (page !== 'failed' || this.isAfterEnd(round)) {
				this.finish(round, page === 'repeated' || round.isPromised !== true);
				return;
			} else {
				round.hasFailed = true;
				round.failing += 1;
				if (round.failing > 1 && number > progress.last) {
					this.finish(round, false);
					return;
				}
			}
		}
	}

	/** Begins a round: finds out which size the service accepts and gives, and whether there is a page 0. */
	private async *begin(): Pages {
		const { progress, reader, wishedSize } = this;
		const { maxSize = wishedSize } = progress;
		const largest = Math.min(maxSize, wishedSize);
		for (const size of [largest, ...SMALLER_SIZES.filter((smaller) => smaller < largest)]) {
			const one = await this.ask(1, size);
			if (one === 'spent') return;
			if (isPage(one)) yield one.records;
			const isFirst = isPage(one) && one.hasPrevious === false;
			let zero = isFirst ? 'unknown' : await this.ask(0, size);
			// One failure must not hide a page 0 from the first scan.
			if (zero === 'failed' && !progress.isKnown) zero = await this.ask(0, size);
			if (zero === 'spent') return;
			const isZero = isPage(zero) && !isSame(one, zero);
			if (isPage(zero)) yield zero.records;
			// Services stumble over a negative offset with a 500.
			const isUnclear = zero === 'failed' && reader.failures.at(-1)?.error.status !== 500;
			if (one !== 'failed') reader.forgive((page) => page === 0);
			if (one === 'unknown' && zero !== 'empty' && !isZero) continue;
			if (size < largest) progress.maxSize = size;
			const given = [one, isZero ? zero : one].filter(isPage).map(({ records }) => records.length);
			this.use({
				startedAt: reader.now,
				next: 1,
				// If the service gives less, asking for what it gives keeps the pages seamless.
				size: Math.max(...given, 0) || size,
				first: isZero ? 0 : 1,
				last: 0,
				isPromised: undefined,
				hasFailed: isUnclear,
				failing: 0,
			});
			return;
		}
	}

	/** Goes on with a new round. With pages of another size, nothing is known of them. */
	private use(round: Round): void {
		const { progress, read } = this;
		// The first page is the same one in any size; page 1 after a page 0 is not.
		const one = round.first === 1 ? read.get(1) : undefined;
		read.delete(1);
		if (round.size !== progress.size) {
			progress.again = [];
			this.again.clear();
			read.clear();
		}
		if (one) read.set(1, one);
		progress.size = round.size;
		progress.first = round.first;
		progress.round = round;
	}

	/** Ends the round. */
	private finish({ first, last, isPromised, hasFailed }: Round, isWhole: boolean): void {
		const { progress, reader } = this;
		const isCertain = isWhole && !hasFailed;
		progress.round = undefined;
		progress.rounds += 1;
		// An empty list may be a fault, and shows nothing of the list.
		if (last >= first) {
			const isShorter = isCertain || !progress.isKnown;
			progress.last = isShorter ? last : Math.max(progress.last, last);
			if (isPromised !== true) reader.forgive((page) => page > last);
		}
		progress.isKnown ||= isCertain || progress.rounds >= MAX_FIRST_ROUNDS;
	}

	/** Asks for a page, and notes what it shows. */
	private async ask(number: number, size: number): Promise<Page | NoRecords | 'spent'> {
		const { reader } = this;
		if (reader.isSpent) return 'spent';
		const page = await reader.page(number, size);
		if (page !== undefined && page === reader.end) return 'spent';
		const outcome = this.judge(number, page);
		this.note(number, outcome);
		this.read.set(number, outcome);
		return outcome;
	}

	private judge(number: number, page: Page | ServiceError | undefined): Page | NoRecords {
		if (page instanceof ServiceError) return 'failed';
		if (!page) return 'unknown';
		if (page.records.length === 0) return 'empty';
		const isPastEnd = number > Math.max(this.progress.last, 1);
		const isMet = (booking: IDataObject) => this.met.has(exactKeyOf(booking));
		return isPastEnd && page.records.every(isMet) ? 'repeated' : page;
	}

	private note(number: number, outcome: Page | NoRecords): void {
		const { progress, again, met } = this;
		const { isOpen, isUnseen } = this.view;
		if (!isPage(outcome)) {
			// One wrong response must not hide a page.
			const isWrong = outcome === 'failed' || number <= progress.last;
			if (isWrong && number > 0) again.add(number);
			return;
		}
		const { records } = outcome;
		again.delete(number);
		if (records.some(isOpen)) again.add(number);
		// A poll that ends here goes on there.
		if (progress.isKnown && records.every(isUnseen) && !this.read.has(number + 1))
			again.add(number + 1);
		for (const booking of records) met.add(exactKeyOf(booking));
		progress.last = Math.max(progress.last, number);
	}

	/** The pages that the last poll left to this one, where they are by now. */
	private waiting(): number[] {
		const { progress, shift } = this;
		const moved = progress.again.flatMap((page) => [
			page + Math.floor(shift),
			page + Math.ceil(shift),
		]);
		return [...new Set(moved)].filter((page) => !this.read.has(page));
	}

	/** How many pages of the round are due, so that it is through the list within a day. */
	private due(): number {
		const { round, last } = this.progress;
		if (!round) return MIN_ROUND;
		const share = (this.reader.now - round.startedAt) / ROUND_MS;
		return Math.max(MIN_ROUND, Math.ceil(last * share) - round.next + 1);
	}

	/** Whether the service counts more bookings than there are up to a page. */
	private isCountedAfter(
		{ count }: Page,
		number: number,
		{ first, size }: Pick<Round, 'first' | 'size'>,
	): boolean | undefined {
		return count === undefined ? undefined : count > (number - first + 1) * size;
	}

	/** Whether nothing follows a page, as far as it says so. */
	private isLast(page: Page, number: number, size: number): boolean {
		const { first } = this.progress;
		const isMore = page.hasNext ?? this.isCountedAfter(page, number, { first, size });
		return !(isMore ?? page.records.length >= size);
	}

	/** Whether a round has met all that the service counts: some services fail at any page after that. */
	private isAfterEnd({ isPromised, hasFailed }: Round): boolean {
		return isPromised === false && !hasFailed;
	}
}

function isPage(outcome: Page | string): outcome is Page {
	return typeof outcome !== 'string';
}

/** Whether page 0 shows nothing but page 1. */
function isSame(one: Page | string, zero: Page): boolean {
	const keys = isPage(one) ? new Set(one.records.map(exactKeyOf)) : new Set();
	return zero.records.every((booking) => keys.has(exactKeyOf(booking)));
}

/** Reads what a poll has to read of the list, as far as its budget reaches. */
export function scanList(reader: Reader, progress: Progress, pageSize: number, view: View): Pages {
	return new ListScan(reader, progress, pageSize, view).pages();
}
