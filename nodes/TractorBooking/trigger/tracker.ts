import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import { areDatesWorthless, isOld, sinceByDates, wasMadeBefore } from './age';
import { changedAt, exactKeyOf, localDay, toStatus } from './bookings';
import type { Sighting, Verdict } from './events';
import { wouldMatch } from './events';
import type { BookingState } from './memory';
import { NO_EVENTS, recordOccurrence } from './memory';
import { RecentBookings } from './recent';
import type { Settings } from './settings';
import type { State } from './state';
import type { Change } from './toEvent';

/** A poll ends after the page with which it reaches this number of records that may be events. */
const MAX_NEWS = 1_000;

/** Among the events that a booking had: nobody could say so far whether it had the one that is watched. */
const UNJUDGED = '?';

/** What is known of a booking that was not seen before. */
const UNSEEN: Omit<BookingState, 'status'> = { ...NO_EVENTS, had: [UNJUDGED] };

/** Whether of two records of one booking the second one is older. */
function isOlder(booking: IDataObject, than: IDataObject): boolean {
	const { ms = Infinity } = changedAt(booking) ?? {};
	return ms < (changedAt(than)?.ms ?? 0);
}

/** Collects the records of one poll, then compares them with the state and updates it. Knows nothing of pages. */
export class Tracker {
	/** Number of records that have no `bookingID`, or a value that cannot be kept. */
	unreadable = 0;

	/** Bookings of which what the event depends on cannot be read. */
	readonly unjudged: Array<[BookingKey, IDataObject]> = [];

	/** The records of this poll, of each booking the latest. */
	private readonly met = new Map<BookingKey, IDataObject>();

	private readonly recent: RecentBookings;

	/** Whether the first scan was over before this poll. */
	private readonly wasSwept: boolean;

	/**
	 * Days in the workflow's timezone: of the poll, and those up to which bookings were not asked for the event: known
	 * ones until it was chosen, those that were not judged before until the first scan, too.
	 */
	private days = { today: 0, knownSince: 0, unseenSince: 0 };

	/** Records that show something new, other than those that a first scan only notes. */
	private news = 0;

	/** @param isFirstSinceStart whether this is the first poll since n8n started */
	constructor(
		private readonly state: State,
		private readonly settings: Settings,
		private readonly nowMs: number,
		isFirstSinceStart: boolean,
	) {
		this.wasSwept = state.progress.isSwept;
		this.recent = new RecentBookings(state.recent, settings, nowMs, isFirstSinceStart);
	}

	/** The bookings whose events are to be emitted again, and that were not met so far. */
	dueKeys(): BookingKey[] {
		return this.recent.dueKeys.filter((key) => !this.met.has(key));
	}

	/** Whether there may be so many events that the rest is left to the next poll. */
	get isFull(): boolean {
		return this.news >= MAX_NEWS;
	}

	/** Whether the bookings of this poll, if there were any, had no status. */
	get isStatusless(): boolean {
		const records = [...this.met.values()];
		return (
			records.length > 0 && records.every(({ bookingStatus }) => toStatus(bookingStatus) === null)
		);
	}

	/** The records of this poll whose bookings are not known. */
	get newcomers(): IDataObject[] {
		const { memory } = this.state;
		return [...this.met].filter(([key]) => !memory.get(key)).map(([, booking]) => booking);
	}

	/** Whether a record shows a booking or a status that is not known. */
	readonly isNews = (booking: IDataObject): boolean => {
		const key = exactKeyOf(booking);
		const status = toStatus(booking.bookingStatus);
		if (key === undefined || status === undefined) return false;
		const met = this.met.get(key);
		const known = met ? toStatus(met.bookingStatus) : this.state.memory.get(key)?.status;
		return known === undefined || (status !== null && status !== known);
	};

	/** Collects records. */
	observe(bookings: IDataObject[]): void {
		const isNoted = !this.wasSwept && !this.settings.emitExisting;
		for (const booking of bookings) {
			const key = exactKeyOf(booking);
			if (key === undefined || toStatus(booking.bookingStatus) === undefined) {
				this.unreadable += 1;
				continue;
			}
			const met = this.met.get(key);
			// The list may have moved: of two records of one booking the newer one counts.
			if (met && isOlder(booking, met)) continue;
			if (!isNoted && this.isNews(booking)) this.news += 1;
			this.met.set(key, booking);
		}
	}

	/**
	 * Compares the records with the state: the events, and those to be emitted again, in the order of the records.
	 *
	 * @param aheadMs how far the service's clock is ahead of this machine's
	 */
	judge(aheadMs: number): Change[] {
		const { settings, state, recent, newcomers } = this;
		if (!this.wasSwept) {
			state.areDatesWorthless ??= areDatesWorthless(newcomers, state);
			state.since = sinceByDates(newcomers, state, this.nowMs + aheadMs);
		}
		const { eventSince = 0, since = 0 } = state;
		const { timezone, watch, repeatsAfterRestart } = settings;
		this.days = {
			today: localDay(this.nowMs, timezone),
			knownSince: localDay(eventSince, timezone),
			unseenSince: localDay(Math.max(eventSince, since), timezone),
		};
		watch.learn?.([...this.met.values()]);
		const changes: Change[] = [];
		for (const [key, booking] of this.met) {
			const change = this.compare(key, booking) ?? this.repeat(key, booking);
			if (change) changes.push(change);
			const isRepeatable = change !== undefined && repeatsAfterRestart;
			const id = isRepeatable ? watch.id(change.status, change.round) : undefined;
			recent.noteEvent(key, id, change?.previous);
		}
		state.recent = recent.toStored();
		return changes;
	}

	/** Compares a record with what is known of its booking, and stores what follows from it. */
	private compare(key: BookingKey, booking: IDataObject): Change | undefined {
		const { watch, emitExisting } = this.settings;
		const { isForeign } = this.state;
		const sighting = this.sight(key, booking);
		const { status, previous, isChanged } = sighting;
		if (isChanged && !sighting.isOld) this.recent.noteChange(key, booking, status);
		const verdict = watch.match(sighting);
		if (verdict === 'unreadable') this.unjudged.push([key, booking]);
		const { round } = this.keep(key, sighting, verdict);
		const isEmitted = verdict === true || (verdict === 'old' && emitExisting);
		if (!isEmitted || isForeign) return undefined;
		return { key, booking, status, previous, round, isRepeat: false };
	}

	/** What a record shows, beside what is known of its booking. */
	private sight(key: BookingKey, booking: IDataObject): Sighting {
		const { state, wasSwept } = this;
		const { today, knownSince, unseenSince } = this.days;
		const known = state.memory.get(key);
		const shown = toStatus(booking.bookingStatus) ?? null;
		// A record without a status keeps the known one.
		const isKept = known && (shown === null || this.recent.isDoubtful(key, booking, shown));
		const status = isKept ? known.status : shown;
		const previous = known?.status ?? undefined;
		const isChanged = status !== known?.status && !this.recent.isNewestAgain(key, booking, status);
		// What showed no status so far is seen for the first time, as far as its status goes.
		const isFirst = isChanged && previous === undefined;
		const isBefore =
			state.isForeign === true || (isFirst && isOld(booking, state, wasSwept, known !== undefined));
		const { had } = known ?? UNSEEN;
		return {
			booking,
			status,
			previous,
			isChanged,
			isNew: !known && (isBefore || !wasMadeBefore(booking, state, wasSwept)),
			isOld: isBefore,
			had,
			today,
			sinceDay: had.includes(UNJUDGED) ? unseenSince : knownSince,
		};
	}

	/** Stores what is known of a booking from now on. */
	private keep(
		key: BookingKey,
		{ status, isChanged, had }: Sighting,
		verdict: Verdict,
	): BookingState {
		const { memory } = this.state;
		const { once } = this.settings.watch;
		const known = memory.get(key);
		const { round, statuses } = known ?? UNSEEN;
		const isEvent = verdict === true || verdict === 'old';
		const marks = new Set(had);
		marks.delete(UNJUDGED);
		if (verdict === 'unreadable') marks.add(UNJUDGED);
		if (isEvent && once) marks.add(once);
		const before = { round, statuses, status, had: [...marks] };
		// An event is recorded, emitted or not, so that no other event gets its id.
		const next = isEvent && isChanged ? { ...before, ...recordOccurrence(before, status) } : before;
		if (status !== known?.status || String(next.had) !== String(had)) memory.set(key, next);
		return next;
	}

	/** An event to be emitted again after a restart, with its original id; undefined if it is no longer true. */
	private repeat(key: BookingKey, booking: IDataObject): Change | undefined {
		const { id, previous } = this.recent.due(key) ?? {};
		if (id === undefined) return undefined;
		const { status = null, round = 1 } = this.state.memory.get(key) ?? {};
		const { watch } = this.settings;
		const isTrue = wouldMatch(watch, { booking, status, previous, today: this.days.today });
		if (!isTrue || watch.id(status, round) !== id) return undefined;
		return { key, booking, status, previous, round, isRepeat: true };
	}
}
