import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors';
import type { BookingId } from '../api/records';
import { isFinal } from '../api/status';
import { DAY_MS } from '../parse/dates';
import { identified, serviceDayIn } from './bookings';
import type { Pages, Reader } from './scan/reader';
import type { State } from './state';
import type { Tracker } from './tracker';

/** With more open bookings on a page, it costs less to read the page than to ask for each of them. */
const MANY_OPEN = 3;

/** From a day before its service date until two weeks after it, a booking is due: if it is ever completed, then. */
const DUE_DAYS = { before: 1, after: 14 };

/** Due bookings are asked for so many times as often as others. */
const DUE_SHARE = 8;

interface LastSeen {
	/** When it was seen, or asked for in vain. */
	atMs: number;
	/** Its service date, counted in days from 1970; undefined if that cannot be read. */
	day?: number;
	/** Since when the service has not known it. */
	missingSinceMs?: number;
	/** Whether that is a day ago: it is not asked for until the list shows it again. */
	isGone?: boolean;
}

/** What a process knows of open bookings. To lose it costs requests only. */
export type SeenBookings = Map<BookingId, LastSeen>;

/**
 * Asks for the bookings that may still change by their IDs: a round over a long list shows them late, and a list may
 * show a part of them only (interface, "Poll a booking by identifier").
 */
export class OpenBookings {
	constructor(
		private readonly state: State,
		private readonly tracker: Tracker,
		private readonly reader: Reader,
		private readonly seen: SeenBookings,
		private readonly nowMs: number,
	) {}

	/** Whether some of these bookings have another status than was known. */
	areNews(bookings: readonly IDataObject[]): boolean {
		const { state } = this;
		return bookings.some((booking) => {
			const one = identified(booking);
			return one && state.bookings.get(one.bookingId)?.status !== one.status;
		});
	}

	/** Whether many of these bookings are open. */
	areCrowded(bookings: readonly IDataObject[]): boolean {
		const shown = bookings.map((booking) => identified(booking));
		return shown.filter((one) => one && !isFinal(one.status)).length > MANY_OPEN;
	}

	async *read(): Pages {
		const { tracker, reader, seen, nowMs } = this;
		// A booking may be open, and have several events to be emitted again.
		for (const id of new Set(this.inTurn())) {
			if (tracker.met.has(id)) continue;
			// If no list comes, the poll fails, whatever these are.
			if (reader.isSpent || !reader.hasList) return;
			const last: LastSeen = { ...seen.get(id), atMs: nowMs };
			seen.set(id, last);
			const booking = await reader.booking(id);
			if (booking instanceof ServiceError) {
				// Others would fail, too, or only after as long.
				if (['notAllowed', 'timeout'].includes(booking.kind)) return;
				if (booking.kind === 'notFound') {
					last.missingSinceMs ??= nowMs;
					last.isGone = nowMs - last.missingSinceMs >= DAY_MS;
				}
				yield [];
			} else yield [booking];
		}
	}

	/** Records what this poll has seen, for the order of the next ones. */
	recordSeen(timezone: string): void {
		const { seen, nowMs } = this;
		const dayOf = serviceDayIn(timezone);
		for (const [id, { booking, status }] of this.tracker.met) {
			if (isFinal(status)) seen.delete(id);
			else seen.set(id, { atMs: nowMs, day: dayOf(booking) });
		}
	}

	/**
	 * The bookings whose events are to be emitted again, then the open ones, the most urgent first. None of the open ones
	 * during a round of fewer pages than there are open ones: it shows them earlier.
	 */
	private inTurn(): BookingId[] {
		const { tracker, state, seen } = this;
		const { first, last, round } = state.progress;
		const isThere = (id: BookingId) => !seen.get(id)?.isGone;
		const open: Array<{ id: BookingId; urgency: number }> = [];
		for (const [id, { status }] of state.bookings)
			if (!isFinal(status) && isThere(id)) open.push({ id, urgency: this.urgencyOf(id) });
		const toRepeat = tracker.toRepeat.filter(isThere);
		if (round && open.length > last - first) return toRepeat;
		open.sort((one, other) => other.urgency - one.urgency);
		return [...toRepeat, ...open.map(({ id }) => id)];
	}

	/** How long ago a booking was seen; more for a due one, and for one whose service date is not known. */
	private urgencyOf(id: BookingId): number {
		const { today } = this.tracker;
		const { atMs = 0, day = today } = this.seen.get(id) ?? {};
		const isDue = day <= today + DUE_DAYS.before && day >= today - DUE_DAYS.after;
		return (this.nowMs - atMs) * (isDue ? DUE_SHARE : 1);
	}
}
