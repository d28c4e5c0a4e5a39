import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors';
import type { BookingKey } from '../api/records';
import { isFinal } from '../api/status';
import { identified } from './bookings';
import type { Pages, Reader } from './scan/reader';
import type { State } from './state';
import type { Tracker } from './tracker';

/** With more open bookings on a page, it costs less to read the next page than to ask for each of them. */
const MANY_OPEN = 3;

/**
 * Asks for the bookings that may still change by their IDs, in turn: a round over a long list shows them late
 * (interface, "Poll a booking by identifier").
 */
export class OpenBookings {
	/** Why this poll could not ask for more of them. */
	failure?: ServiceError;

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

	async *read(): Pages {
		const { state, tracker, reader } = this;
		for (const key of this.inTurn()) {
			if (tracker.met.has(key)) continue;
			if (reader.isSpent) return;
			const booking = await reader.booking(key);
			if (booking === reader.end) return;
			state.turn = key;
			const known = state.memory.get(key);
			if (!(booking instanceof ServiceError)) yield [booking];
			else if (known && booking.kind === 'notFound') {
				// Until the list shows it again.
				state.memory.set(key, { ...known, isGone: true });
				yield [];
			} else {
				this.failure = booking;
				return;
			}
		}
	}

	/**
	 * The bookings whose events are to be emitted again, then the open ones, beginning after the one that was asked for
	 * last. None of the open ones if a round has fewer pages than they are: it shows them earlier.
	 */
	private inTurn(): BookingKey[] {
		const { memory, turn, progress } = this.state;
		const due = this.tracker.due.filter((key) => !memory.get(key)?.isGone);
		const open: BookingKey[] = [];
		for (const [key, { status, isGone }] of memory) {
			if (isFinal(status) || isGone) continue;
			if (open.length > progress.last - progress.first) return due;
			open.push(key);
		}
		// As texts: any order will do that is the same at each poll.
		open.sort();
		const after = open.findIndex((key) => String(key) > String(turn));
		const next = Math.max(after, 0);
		return [...due, ...open.slice(next), ...open.slice(0, next)];
	}
}
