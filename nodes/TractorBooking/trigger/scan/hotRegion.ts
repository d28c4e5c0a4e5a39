import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../api/errors';
import type { BookingKey } from '../bookings';
import type { ScanPage } from './budgetedReader';
import { CUT, isAnswer } from './budgetedReader';
import { pagesFrom } from './pages';
import type { Scan } from './sweep';
import { areAlike, isBeyondEnd, keysOf, sweepOn } from './sweep';

/** Lists of up to so many pages are simply read whole at every poll. */
const MAX_PAGES_READ_WHOLE = 10;

/** Pages of the rolling sweep that every poll reads at least. */
const MIN_SLICE_PAGES = 4;

/** Polls within which the rolling sweep is through a list, however long: a day at one poll a minute. */
const POLLS_A_SWEEP = 1_440;

/** Pages on which one booking is looked for before it is read by its id. */
const TRIES = 2;

/** What the reading of the live region works with. */
export interface LiveScan extends Scan {
	/** Day of the poll, counted from 1970. */
	today: number;
}

/** Whether the live region can be told from the rest: a long list, read whole before, sorted by id. */
function hasLiveRegion({ progress }: LiveScan): boolean {
	return !progress.baseline && progress.order !== 'none' && progress.pages > MAX_PAGES_READ_WHOLE;
}

/**
 * The part of a sorted list where something happens: its end with the newest bookings, and the pages of
 * those that still move. Where a booking lies follows from how many remembered ids come before it.
 */
class HotRegion {
	private readonly met = new Set<BookingKey>();

	/** Those of them that were not known before. */
	private readonly fresh = new Set<BookingKey>();

	/** The bookings on each page that was read. */
	private readonly pagesRead = new Map<number, BookingKey[]>();

	/** By how many places the bookings lie further back than the memory says, where it was last looked. */
	private drift = 0;

	constructor(private readonly scan: LiveScan) {}

	/** Notes which bookings this poll has met; to be called for every page. */
	noteMet(items: IDataObject[]): void {
		for (const key of keysOf({ items })) this.met.add(key);
	}

	/** Reads the end of the list where new bookings appear, up to the ones known before. */
	async readNewest(): Promise<typeof CUT | undefined> {
		const { progress, memory } = this.scan;
		const newestKnown = memory.highestId;
		return progress.order === 'newestFirst'
			? await this.readNewestFirst(newestKnown)
			: await this.readOldestFirst(newestKnown);
	}

	/** Reads the pages of the bookings that still move, or the bookings themselves where they cannot be found. */
	async readMoving(): Promise<typeof CUT | undefined> {
		const { memory, progress, today } = this.scan;
		const rising = memory.movingIds(today).sort((a, b) => a - b);
		for (const id of progress.order === 'newestFirst' ? rising.reverse() : rising) {
			for (let tries = 0; tries < TRIES && !this.met.has(id); tries++) {
				const number = this.pageOf(id);
				if (this.pagesRead.has(number)) break;
				if ((await this.read(number)) === CUT) return CUT;
			}
			if (!this.met.has(id) && (await this.readById(id)) === CUT) return CUT;
		}
		return undefined;
	}

	/** Newest first: from the first page on. What a spent budget leaves unread is read at the next poll. */
	private async readNewestFirst(newestKnown: number): Promise<typeof CUT | undefined> {
		const { progress } = this.scan;
		const gap = progress.gap;
		const isKnown = (id: number) => !this.fresh.has(id);
		const stoppedAt = await this.readUntil(progress.firstPage, isKnown);
		if (stoppedAt !== undefined) {
			progress.gap = { page: stoppedAt, downTo: gap?.downTo ?? newestKnown };
			return CUT;
		}
		if (!gap) return undefined;
		const from = Math.max(gap.page - 1, progress.firstPage);
		const stillAt = await this.readUntil(from, (id) => id <= gap.downTo);
		progress.gap = stillAt === undefined ? undefined : { ...gap, page: stillAt };
		return stillAt === undefined ? undefined : CUT;
	}

	/**
	 * Reads pages until one whose lowest id is an end, or until the list ends.
	 *
	 * @returns the page that the budget left unread, if it was spent
	 */
	private async readUntil(
		from: number,
		isEnd: (lowestId: number) => boolean,
	): Promise<number | undefined> {
		let number = from;
		for await (const page of pagesFrom(from, async (at) => await this.read(at))) {
			if (page === CUT) return number;
			const lowest = lowestId(page);
			if (lowest !== Infinity && isEnd(lowest)) return undefined;
			number += 1;
		}
		return undefined;
	}

	/** Oldest first: from the page on that was last, or one before it if so many bookings were deleted. */
	private async readOldestFirst(newestKnown: number): Promise<typeof CUT | undefined> {
		const { progress } = this.scan;
		const { firstPage } = progress;
		const start = firstPage + progress.pages - 1;
		for await (const page of pagesFrom(start, async (at) => await this.read(at))) {
			if (page === CUT) return CUT;
			let earlier: ScanPage | undefined = page;
			for (let number = start - 1; page.number === start && number >= firstPage; number--) {
				if (earlier && lowestId(earlier) <= newestKnown) break;
				const answer = await this.read(number);
				if (answer === CUT) return CUT;
				earlier = answer;
			}
			if (page.items.length > 0) progress.pages = page.number - firstPage + 1;
		}
		return undefined;
	}

	private async readById(id: number): Promise<typeof CUT | undefined> {
		const { memory, reader, visit } = this.scan;
		const booking = await reader.booking(id);
		if (booking === CUT) return CUT;
		const isFailure = booking instanceof ServiceError;
		if (isFailure && !isAnswer(booking)) throw booking;
		const known = memory.get(id);
		// One that the service does not give, in whatever words, is left to the sweep; a fault of it may pass.
		if (!isFailure) visit([booking]);
		else if (known && booking.kind !== 'server') memory.set(id, { ...known, active: 0 });
		return undefined;
	}

	private async read(number: number): Promise<ScanPage | undefined | typeof CUT> {
		const { memory, reader, progress, visit } = this.scan;
		const { firstPage, pageSize } = progress;
		const answer = await reader.page(number, pageSize);
		if (answer === CUT) return CUT;
		const isFailure = answer instanceof ServiceError;
		if (isFailure && !(await isBeyondEnd(this.scan, answer, firstPage, pageSize))) throw answer;
		const page = isFailure ? undefined : answer;
		const keys = keysOf(page);
		this.pagesRead.set(number, keys);
		// Some services repeat the last page instead of saying that there is none.
		const isRepeated = keys.length > 0 && areAlike(keys, this.pagesRead.get(number - 1));
		if (!page || isRepeated) return undefined;
		for (const key of keys) if (!memory.get(key)) this.fresh.add(key);
		visit(page.items);
		const first = keys.find((key) => typeof key === 'number');
		if (first !== undefined) {
			const place = (number - firstPage) * pageSize;
			this.drift = place - this.placeOf(first);
		}
		return page;
	}

	/** Place of a remembered booking in the list, counted from 0, if none before it was deleted. */
	private placeOf(id: number): number {
		const { memory, progress } = this.scan;
		const lower = memory.countBelow(id);
		return progress.order === 'oldestFirst' ? lower : memory.idCount - 1 - lower;
	}

	private pageOf(id: number): number {
		const { firstPage, pageSize } = this.scan.progress;
		const place = Math.max(0, this.placeOf(id) + this.drift);
		return firstPage + Math.floor(place / pageSize);
	}
}

/** The lowest whole-number id on a page; `Infinity` if there is none. */
function lowestId(page: ScanPage): number {
	return keysOf(page).reduce<number>(
		(lowest, key) => (typeof key === 'number' && key < lowest ? key : lowest),
		Infinity,
	);
}

/**
 * Reads what a poll has to read of the list. A short or unsorted list is swept whole. Of a long sorted one,
 * every poll reads the live region, and the next slice of a rolling sweep over all of it.
 *
 * @throws ServiceError
 */
export async function scanBookings(scan: LiveScan): Promise<void> {
	if (!hasLiveRegion(scan)) {
		await sweepOn(scan);
		return;
	}
	const { progress } = scan;
	const visit: Scan['visit'] = (items) => {
		region.noteMet(items);
		scan.visit(items);
	};
	const region = new HotRegion({ ...scan, visit });
	const pages = Math.max(MIN_SLICE_PAGES, Math.ceil(progress.pages / POLLS_A_SWEEP));
	const slice = async () => await sweepOn({ ...scan, visit }, pages);

	if ((await region.readNewest()) === CUT) return;
	// Where the budget ends before the slice, the next poll reads the slice before the moving bookings.
	const sliceFirst = progress.sliceIsDue;
	progress.sliceIsDue = false;
	if (sliceFirst) await slice();
	if ((await region.readMoving()) === CUT) progress.sliceIsDue = !sliceFirst;
	else if (!sliceFirst) await slice();
}
