import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors';
import type { ListAnswer } from './envelope';
import { notAList } from './envelope';
import { Deduplicator } from './deduplicator';
import { SharedTexts } from '../sharedTexts';

/** Pages after which a list is taken for one that never ends, or twice those that it says it has, if more. */
const MOST_PAGES = 10_000;

/** Records from which on a list is so long that its memory counts for more than some time. */
const LONG_LIST = 10_000;

/** How the reading of a list came to its end. */
type Ending = 'open' | 'limit' | 'end' | 'noPage' | 'repeats' | 'endless';

const WHY: Readonly<Partial<Record<Ending, string>>> = {
	end: 'it kept changing while it was read',
	noPage: 'the service knew no further page',
	repeats: 'the service repeated what it had sent before',
	endless: 'the service kept sending more without end',
};

/** What is read, and which of it is wanted. */
export interface ListOfRecords {
	/** The records, for messages, e.g. `bookings`. */
	what: string;
	/** Identifier of a record; undefined where it has none. */
	keyOf: (record: IDataObject) => unknown;
	/** Filter on our side, since the interface documents none; a limit counts wanted records only. */
	isWanted?: (record: IDataObject) => boolean;
}

/**
 * The records of a list while its pages arrive: each once, at most `limit` (`Infinity` for all),
 * and when to stop asking.
 * A list ends with an answer that says so, an empty page, or a page that brings nothing new; where that
 * comes too early, `finish` fails.
 */
export class ListSoFar {
	private readonly seen: Deduplicator;

	private readonly texts = new SharedTexts();

	private readonly records: IDataObject[] = [];

	private received = 0;

	/** The lowest count that the service gave: records that are added while the list is read are not missed. */
	private total?: number;

	private saidMore = false;

	/** Whether an answer held the list itself, be it empty, and not null in its place. */
	private isShown = false;

	private ending: Ending = 'open';

	/** Passes over the list that were begun. */
	private passes = 1;

	/** What the present pass has met; the first pass needs no account of its own. */
	private seenInPass?: Deduplicator;

	private pages = 0;

	/** Whether records moved to other pages during the present pass, as far as its answers show it. */
	private moved = false;

	/** Records that no pass before the present one brought. */
	private freshInPass = 0;

	constructor(
		private readonly list: ListOfRecords,
		private readonly limit: number,
	) {
		this.seen = new Deduplicator(list.keyOf);
	}

	/** Number of different records received so far, wanted or not. */
	get length(): number {
		return this.received;
	}

	/** Whether the service said that the list is longer than what came, and more of it is wanted. */
	get lacksSome(): boolean {
		return this.records.length < this.limit && this.received < (this.total ?? 0);
	}

	/**
	 * Whether a record may have slipped past between two pages, so that another pass can bring it.
	 * A count that a second pass does not come closer to is wrong, and is left at that.
	 */
	get mayHaveMissedSome(): boolean {
		const isComplete = this.ending === 'limit' || this.ending === 'endless';
		const isHopeless = this.passes > 1 && this.freshInPass === 0;
		if (isComplete || isHopeless || !this.seen.hasKeysOnly) return false;
		return this.lacksSome || this.moved;
	}

	/**
	 * Takes an answer in and tells whether to ask for another one.
	 *
	 * @param answer undefined where the service has no such page
	 */
	add(answer: ListAnswer | undefined): boolean {
		if (answer === undefined) {
			this.ending = 'noPage';
			return false;
		}
		this.isShown ||= !answer.isMissing;
		const fresh = this.take(answer);
		const freshInPass = (this.seenInPass?.filterNew(answer.items) ?? fresh).length;
		for (const record of this.wantedOf(fresh)) this.records.push(record);
		this.pages += 1;
		this.saidMore = answer.hasMore ?? false;
		this.count(answer);
		if (freshInPass > 0 && freshInPass < answer.items.length && this.total === undefined) {
			this.moved = true;
		}
		this.ending = this.endingAfter(answer, freshInPass);
		return this.ending === 'open';
	}

	/** Takes in an answer whose records belong in front of the others. */
	addInFront(answer: ListAnswer | undefined): void {
		if (!answer) return;
		this.isShown ||= !answer.isMissing;
		this.records.unshift(...this.wantedOf(this.take(answer)));
	}

	/** Begins another pass over the list. */
	startOver(): void {
		this.passes += 1;
		this.seenInPass = new Deduplicator(this.list.keyOf);
		this.pages = 0;
		this.moved = false;
		this.freshInPass = 0;
	}

	/**
	 * The records, at most `limit`.
	 *
	 * @throws ServiceError (`unreadable`) when the list goes on for ever, stops short of what the service
	 * said it has without an answer that ends it, changes too fast to be read, or may be hidden behind null
	 */
	finish(): IDataObject[] {
		if (this.received === 0 && !this.isShown) throw notAList(this.list.what);
		const cutShort = this.ending === 'noPage' || this.ending === 'repeats';
		const restless = this.passes > 1 && this.freshInPass > 0 && this.lacksSome;
		if (this.ending === 'endless' || restless || (cutShort && this.moreWasPromised)) {
			const of = this.total === undefined ? '' : ` of ${this.total}`;
			throw new ServiceError(
				'unreadable',
				`The list of ${this.list.what} cannot be read to its end: after ${this.length}${of}, ${WHY[this.ending]}`,
				{
					description:
						'Nothing is returned, so that no record is missing unnoticed. Turn off Return All and set a Limit to work with the first records, and tell the operator of the service.',
				},
			);
		}
		if (this.records.length > this.limit) this.records.length = this.limit;
		return this.records;
	}

	/** The records that were not there before. */
	private take(answer: ListAnswer): IDataObject[] {
		const fresh = this.seen.filterNew(answer.items);
		this.received += fresh.length;
		this.freshInPass += fresh.length;
		return fresh;
	}

	private wantedOf(records: IDataObject[]): IDataObject[] {
		const wanted = this.list.isWanted ? records.filter(this.list.isWanted) : records;
		if (this.length > LONG_LIST) wanted.forEach((record) => this.texts.shareIn(record));
		return wanted;
	}

	private count({ total, items, hasMore }: ListAnswer): void {
		// Some services give the number of records on the page instead of the one of the list.
		if (total === undefined || (hasMore === true && total <= items.length)) return;
		if (total === items.length && this.received > total) {
			this.total = undefined;
			return;
		}
		if (this.total !== undefined && total < this.total) this.moved = true;
		this.total = Math.min(total, this.total ?? Infinity);
	}

	private get moreWasPromised(): boolean {
		return this.total === undefined ? this.saidMore : this.lacksSome;
	}

	private endingAfter(answer: ListAnswer, fresh: number): Ending {
		if (this.records.length >= this.limit) return 'limit';
		if (answer.hasMore === false) return 'end';
		const { length } = answer.items;
		// An empty page ends a list, but not one that says twice, by its count and by `next`, that there is more.
		if (length === 0) return answer.hasMore && this.lacksSome ? 'noPage' : 'end';
		if (fresh === 0) return 'repeats';
		// Twice, since a list may grow and shift while it is read.
		const mostPages = Math.max(MOST_PAGES, (2 * (this.total ?? 0)) / length);
		return this.pages >= mostPages ? 'endless' : 'open';
	}
}
