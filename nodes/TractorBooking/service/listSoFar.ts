import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from './errors';
import type { ListAnswer } from './lists';
import { Seen } from './seen';

/** Pages after which a list that does not tell its length is taken for one that never ends. */
const MOST_PAGES = 2_000;

/** How the reading of a list came to its end. */
type Ending = 'open' | 'limit' | 'end' | 'noPage' | 'repeats' | 'endless';

const WHY: Readonly<Partial<Record<Ending, string>>> = {
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
 * A list ends with an answer that says so, an empty page, or a page that brings nothing new.
 */
export class ListSoFar {
	private readonly seen: Seen;

	private readonly records: IDataObject[] = [];

	private received = 0;

	private total?: number;

	private pages = 0;

	private mostPages = MOST_PAGES;

	private saidMore = false;

	private ending: Ending = 'open';

	constructor(
		private readonly list: ListOfRecords,
		private readonly limit: number,
	) {
		this.seen = new Seen(list.keyOf);
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
	 * Takes an answer in and tells whether to ask for another one.
	 *
	 * @param answer undefined where the service has no such page
	 */
	add(answer: ListAnswer | undefined): boolean {
		if (answer === undefined) {
			this.ending = 'noPage';
			return false;
		}
		const fresh = this.seen.onlyNew(answer.items);
		this.received += fresh.length;
		for (const record of this.wantedOf(fresh)) this.records.push(record);
		this.pages += 1;
		this.saidMore = answer.hasMore ?? false;
		if (answer.total !== undefined) {
			this.total = answer.total;
			// Twice the pages it says it has, since the list may grow and shift while it is read.
			this.mostPages = 10 + 2 * Math.ceil(answer.total / Math.max(answer.items.length, 1));
		}
		this.ending = this.endingAfter(answer, fresh.length);
		return this.ending === 'open';
	}

	/** Takes in an answer whose records belong in front of the others. */
	addInFront(answer: ListAnswer | undefined): void {
		const fresh = this.seen.onlyNew(answer?.items ?? []);
		this.received += fresh.length;
		this.records.unshift(...this.wantedOf(fresh));
	}

	/**
	 * The records, at most `limit`.
	 *
	 * @throws ServiceError (`unreadable`) when the list goes on for ever, or stops short of what the service
	 * said it has without an answer that ends it
	 */
	finish(): IDataObject[] {
		const cutShort = this.ending === 'noPage' || this.ending === 'repeats';
		if (this.ending === 'endless' || (cutShort && this.moreWasPromised)) {
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
		return this.records.slice(0, this.limit);
	}

	private wantedOf(records: IDataObject[]): IDataObject[] {
		return this.list.isWanted ? records.filter(this.list.isWanted) : records;
	}

	private get moreWasPromised(): boolean {
		return this.total === undefined ? this.saidMore : this.lacksSome;
	}

	private endingAfter(answer: ListAnswer, fresh: number): Ending {
		if (this.records.length >= this.limit) return 'limit';
		if (answer.items.length === 0 || answer.hasMore === false) return 'end';
		if (fresh === 0) return 'repeats';
		return this.pages >= this.mostPages ? 'endless' : 'open';
	}
}
