import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors';
import type { BookingKey } from '../api/records';
import { isFinal } from '../api/status';
import { identified } from './bookings';
import type { Reader } from './scan/reader';
import type { State } from './state';
import type { Tracker } from './tracker';

/** With more open bookings on a page, it costs less to read the next page than to ask for each of them. */
const MANY_OPEN = 3;

/**
 * Asks for the bookings that may still change by their IDs, in turn: a round over a long list shows them late
 * (interface, "Poll a booking by identifier"). Knows no page.
 */
export class OpenBookings {
	/** Why this poll could not ask for more of them. */
	failure?: ServiceError;

	/** The IDs that are to be asked for, the next one last. */
	private waiting?: BookingKey[];

	constructor(
		private readonly state: State,
		private readonly tracker: Tracker,
		private readonly reader: Reader,
	) {}

	/** Whether the page after one with these bookings is to be read at once. */
	isLively(bookings: readonly IDataObject[]): boolean {
		const shown = bookings.flatMap((booking) => identified(booking) ?? []);
		const isNews = shown.some(({ key, status }) => this.state.memory.get(key)?.status !== status);
		return isNews || shown.filter(({ status }) => !isFinal(status)).length > MANY_OPEN;
	}

	/** Asks for the next booking of a list with so many pages. @returns false if no more is to be asked for */
	async ask(pages: number): Promise<boolean> {
		const { state, tracker, reader } = this;
		this.waiting ??= this.inTurn(pages).reverse();
		let key = this.waiting.pop();
		while (key !== undefined && tracker.met.has(key)) key = this.waiting.pop();
		if (key === undefined || reader.isSpent) return false;
		const booking = await reader.booking(key);
		if (booking === reader.end) return false;
		state.turn = key;
		const known = state.memory.get(key);
		if (!(booking instanceof ServiceError)) tracker.observe([booking]);
		// Until the list shows it again.
		else if (known && booking.kind === 'notFound')
			state.memory.set(key, { ...known, isGone: true });
		else {
			this.failure = booking;
			return false;
		}
		return true;
	}

	/**
	 * The bookings whose events are to be emitted again, then the open ones, beginning after the one that was asked for
	 * last. If a round has fewer pages to read, it shows the open ones earlier.
	 */
	private inTurn(pages: number): BookingKey[] {
		const { memory, turn } = this.state;
		const due = this.tracker.due.filter((key) => !memory.get(key)?.isGone);
		const open: BookingKey[] = [];
		for (const [key, { status, isGone }] of memory) {
			if (isFinal(status) || isGone) continue;
			if (open.length === pages) return due;
			open.push(key);
		}
		// As texts: any order will do that is the same at each poll.
		open.sort();
		const after = open.findIndex((key) => String(key) > String(turn));
		const next = Math.max(after, 0);
		return [...due, ...open.slice(next), ...open.slice(0, next)];
	}
}
