import type { IDataObject } from 'n8n-workflow';

import { ServiceError, type ServiceErrorKind } from '../api/errors';
import type { BookingId } from '../api/records';
import { isFinal } from '../api/status';
import { identified, serviceDayIn, type Identified } from './bookings';
import type { Pages, Reader } from './scan/reader';
import type { State } from './state';
import type { Tracker } from './tracker';

/** With more open bookings on a page, it costs less to read the page than to ask for each of them. */
const MANY_OPEN = 3;

/** From a day before its service date until two weeks after it, a booking is due: if it is ever completed, then. */
const DUE_DAYS = { before: 1, after: 14 };

/** Due bookings are asked for so many times as often as others. */
const DUE_SHARE = 8;

/** Failures after which other bookings would fail, too, or only after as long. */
const OF_ALL: readonly ServiceErrorKind[] = ['notAllowed', 'timeout'];

interface LastSeen {
	/** The number of the poll that saw the booking, or the last one that asked for it in vain. */
	poll: number;
	/** Its service date, counted in days from 1970; undefined if that cannot be read. */
	day?: number;
	/** How it could not be read; it is asked for once more before others have their turn. */
	failed?: ServiceErrorKind;
}

/** What a process knows of open bookings. A restart only changes the order in which they are asked for. */
export class SeenBookings {
	/** Polls so far. */
	polls = 0;

	readonly last = new Map<BookingId, LastSeen>();
}

/**
 * Asks for the bookings that may still change by their IDs: a round over a long list shows them late (interface, "Poll
 * a booking by identifier").
 */
export class OpenBookings {
	/** Why one of them could not be read. */
	private failed?: ServiceError;

	private isAnswered = false;

	private readonly failures = new Map<BookingId, ServiceErrorKind>();

	constructor(
		private readonly state: State,
		private readonly tracker: Tracker,
		private readonly reader: Reader,
		private readonly seen: SeenBookings,
	) {}

	/** Why this poll could read none of them, if it asked for any. */
	get failure(): ServiceError | undefined {
		return this.isAnswered ? undefined : this.failed;
	}

	/** Whether some of these bookings have another status than was known. */
	areNews(bookings: readonly IDataObject[]): boolean {
		return bookings.some((booking) => this.isNews(identified(booking)));
	}

	/** Whether many of these bookings are open, or were until now. */
	areCrowded(bookings: readonly IDataObject[]): boolean {
		const shown = bookings.map((booking) => identified(booking));
		const open = shown.filter((one) => this.isNews(one) || (one && !isFinal(one.status)));
		return open.length > MANY_OPEN;
	}

	private isNews(shown: Identified | undefined): boolean {
		return shown !== undefined && this.state.bookings.get(shown.bookingId)?.status !== shown.status;
	}

	async *read(): Pages {
		const { tracker, reader, failures } = this;
		for (const id of this.inTurn()) {
			if (tracker.met.has(id)) continue;
			if (reader.isSpent) return;
			const booking = await reader.booking(id);
			if (booking instanceof ServiceError) {
				failures.set(id, booking.kind);
				this.failed ??= booking;
				if (OF_ALL.includes(booking.kind)) return;
				yield [];
			} else {
				this.isAnswered = true;
				yield [booking];
			}
		}
	}

	/** Records what this poll has seen, for the order of the next ones. */
	recordSeen(timezone: string): void {
		const { state, seen, tracker, failures } = this;
		const dayOf = serviceDayIn(timezone);
		for (const [id, { booking, status }] of tracker.met) {
			if (isFinal(status)) seen.last.delete(id);
			else seen.last.set(id, { poll: seen.polls, day: dayOf(booking) });
		}
		for (const [id, failed] of failures) {
			const { failed: before, ...last } = seen.last.get(id) ?? { poll: -Infinity };
			const known = state.bookings.get(id);
			// It is not asked for until the list shows it again.
			if (known && this.isAnswered && failed === 'notFound' && failed === before)
				state.bookings.set(id, { ...known, isGone: true });
			// One that failed for the second time waits like one that was seen.
			seen.last.set(id, before ? { ...last, poll: seen.polls } : { ...last, failed });
		}
		seen.polls += 1;
	}

	/**
	 * The bookings whose events are to be emitted again, then the open ones, the most urgent first. None of the open ones
	 * if a round has fewer pages than they are: it shows them earlier.
	 */
	private inTurn(): BookingId[] {
		const { bookings, progress } = this.state;
		const toRepeat = this.tracker.toRepeat.filter((id) => !bookings.get(id)?.isGone);
		const open: Array<{ id: BookingId; urgency: number }> = [];
		for (const [id, { status, isGone }] of bookings) {
			if (isFinal(status) || isGone) continue;
			if (open.length > progress.last - progress.first) return toRepeat;
			open.push({ id, urgency: this.urgencyOf(id) });
		}
		// Two that were never seen are infinitely urgent.
		open.sort((one, other) => other.urgency - one.urgency || 0);
		return [...toRepeat, ...open.map(({ id }) => id)];
	}

	/** How long ago a booking was seen, in polls; more for a due one, and for one whose service date is not known. */
	private urgencyOf(id: BookingId): number {
		const { today } = this.tracker;
		const { poll = -Infinity, day = today } = this.seen.last.get(id) ?? {};
		const isDue = day <= today + DUE_DAYS.before && day >= today - DUE_DAYS.after;
		return (this.seen.polls - poll) * (isDue ? DUE_SHARE : 1);
	}
}
