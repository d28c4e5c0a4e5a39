import type { IDataObject } from 'n8n-workflow';

import { statusLabel, withStatusLabel } from '../api/status';
import type { BookingKey, Status } from './bookings';
import { bookingKey, changedAt, createdAt, DAY_MS, localDay, toStatus } from './bookings';
import type { Watch } from './events';
import { NO_EVENTS, recordOccurrence } from './memory';
import type { Settings } from './settings';
import type { Emitted, Recent, State } from './state';
import { fingerprint } from './state';

/** Bookings of which the tracker remembers when they changed last. */
const MAX_RECENT = 500;

/** Events of polls within this time before a restart of n8n are emitted again, as soon as their bookings are met. */
const REPEATED_MS = 15 * 60_000;

/** Share of the bookings that the first scan meets first, changed after it began, from which on dates are worthless. */
const WORTHLESS_SHARE = 0.9;

/** Records from which on that is judged: a single one may really have been changed. */
const MIN_DATED = 5;

/** A poll ends after the page with which it reaches this number of records that may be events. */
const MAX_NEWS = 1_000;

/** Among the events that a booking had: nobody could say so far whether it had the one that is watched. */
const UNJUDGED = '?';

/** What is known of a booking that was not seen before. */
const UNKNOWN = { ...NO_EVENTS, had: [UNJUDGED] };

/** An event of a booking, to be emitted. */
export interface Change {
	key: BookingKey;
	booking: IDataObject;
	status: Status;
	previous: Status | undefined;
	/** Part of the event's id. */
	round: number;
	isRepeat: boolean;
}

/** Whether of two records of one booking the second one is older. */
function isOlder(booking: IDataObject, than: IDataObject): boolean {
	const { ms = Infinity } = changedAt(booking) ?? {};
	return ms < (changedAt(than)?.ms ?? 0);
}

/** Collects the records of one poll, then compares them with the state and updates it. Knows nothing of pages. */
export class Tracker {
	/** Number of records that have no `bookingID`, or a value that cannot be kept. */
	unreadable = 0;

	/** Number of bookings that were met and not known. */
	newcomers = 0;

	/** Bookings of which what the event depends on cannot be read. */
	readonly unjudged: Array<[BookingKey, IDataObject]> = [];

	/** The records of this poll, of each booking the latest. */
	private readonly met = new Map<BookingKey, IDataObject>();

	private readonly recent: Map<BookingKey, Recent>;

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
		const kept = state.recent.map(({ emitted, ...entry }) => ({
			...entry,
			emitted: this.repeatable(emitted, isFirstSinceStart),
		}));
		this.recent = new Map(kept.map((entry) => [entry.key, entry]));
	}

	/** The bookings whose events are to be emitted again, and that were not met so far. */
	dueKeys(): BookingKey[] {
		const isDue = ({ key, emitted }: Recent) => emitted?.isDue && !this.met.has(key);
		return [...this.recent.values()].filter(isDue).map(({ key }) => key);
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

	/** Whether a record shows a booking or a status that is not known. */
	readonly isNews = (booking: IDataObject): boolean => {
		const key = bookingKey(booking);
		const status = toStatus(booking.bookingStatus);
		if (key === undefined || status === undefined) return false;
		const met = this.met.get(key);
		const known = met ? toStatus(met.bookingStatus) : this.state.memory.get(key)?.status;
		return known === undefined || (status !== null && status !== known);
	};

	/** Takes in records. */
	observe(bookings: IDataObject[]): void {
		const { memory } = this.state;
		const isNoted = !this.wasSwept && !this.settings.emitExisting;
		for (const booking of bookings) {
			const key = bookingKey(booking);
			if (key === undefined || toStatus(booking.bookingStatus) === undefined) {
				this.unreadable += 1;
				continue;
			}
			const met = this.met.get(key);
			// The list may have moved: of two records of one booking the newer one counts.
			if (met && isOlder(booking, met)) continue;
			if (!isNoted && this.isNews(booking)) this.news += 1;
			if (!met && !memory.get(key)) this.newcomers += 1;
			this.met.set(key, booking);
		}
	}

	/** Compares the records with the state: the events, and those to be emitted again, in the order of the records. */
	takeChanges(): Change[] {
		const { settings, state } = this;
		const { eventSince = 0, since = 0 } = state;
		const dayAt = (ms: number) => localDay(ms, settings.timezone);
		this.days = {
			today: dayAt(this.nowMs),
			knownSince: dayAt(eventSince),
			unseenSince: dayAt(Math.max(eventSince, since)),
		};
		settings.watch.learn?.([...this.met.values()]);
		this.judgeDates();
		const changes: Change[] = [];
		for (const [key, booking] of this.met) {
			const change = this.compare(key, booking) ?? this.repeat(key, booking);
			if (change) changes.push(change);
			this.note(key, change);
		}
		const oldest = this.recent.size - MAX_RECENT;
		state.recent = [...this.recent.values()].filter(({ emitted }, at) => emitted ?? at >= oldest);
		return changes;
	}

	/** Dates say nothing if nearly all bookings were changed after the first scan began, which has only just begun. */
	private judgeDates(): void {
		const { state, wasSwept } = this;
		if (state.areDatesWorthless !== undefined || wasSwept || this.newcomers < MIN_DATED) return;
		const { since = 0 } = state;
		const isLate = ([key, booking]: [BookingKey, IDataObject]) =>
			!state.memory.get(key) && (changedAt(booking)?.ms ?? 0) > since;
		const late = [...this.met].filter(isLate).length;
		state.areDatesWorthless = late >= WORTHLESS_SHARE * this.newcomers;
	}

	/** An event of a poll before, if it may be emitted again after a restart, now or later. */
	private repeatable(
		emitted: Emitted | undefined,
		isFirstSinceStart: boolean,
	): Emitted | undefined {
		if (!emitted || !this.settings.repeatsAfterRestart) return undefined;
		const isDue = emitted.isDue ?? isFirstSinceStart;
		// A booking is looked at within a day.
		const isOver = this.nowMs - emitted.atMs > (emitted.isDue ? DAY_MS : REPEATED_MS);
		return isOver ? undefined : { ...emitted, isDue: isDue || undefined };
	}

	/** An event to be emitted again after a restart, with its original id; undefined if it is no longer true. */
	private repeat(key: BookingKey, booking: IDataObject): Change | undefined {
		const { isDue, id, previous } = this.recent.get(key)?.emitted ?? {};
		if (!isDue) return undefined;
		const { status = null, round = 1 } = this.state.memory.get(key) ?? {};
		const { watch } = this.settings;
		const seen = { booking, status, previous, isChanged: true, isNew: true, isOld: false, had: [] };
		const isTrue = watch.match({ ...seen, today: this.days.today, sinceDay: 0 }) === true;
		if (!isTrue || watch.id(status, round) !== id) return undefined;
		return { key, booking, status, previous, round, isRepeat: true };
	}

	/** Notes what becomes of a booking that was met: an event that is emitted now, or none that is due any more. */
	private note(key: BookingKey, change: Change | undefined): void {
		const entry = this.recent.get(key) ?? { key };
		const { watch, repeatsAfterRestart } = this.settings;
		if (change && repeatsAfterRestart) {
			const id = watch.id(change.status, change.round);
			const emitted = { id, previous: change.previous, atMs: this.nowMs };
			this.recent.set(key, { ...entry, emitted });
		} else if (entry.emitted?.isDue) this.recent.set(key, { ...entry, emitted: undefined });
	}

	/** Compares a record with what is known, and stores what follows from it. */
	private compare(key: BookingKey, booking: IDataObject): Change | undefined {
		const { memory, isForeign = false } = this.state;
		const { watch, emitExisting } = this.settings;
		const known = memory.get(key);
		const { had, ...before } = known ?? UNKNOWN;
		const shown = toStatus(booking.bookingStatus) ?? null;
		// A record without a status keeps the known one.
		const isKept = known && (shown === null || this.isDoubtful(key, booking, shown));
		const status = isKept ? known.status : shown;
		const isChanged = status !== known?.status;
		const previous = known?.status ?? undefined;
		// What showed no status so far is seen for the first time, as far as its status goes.
		const isFirst = isChanged && previous === undefined;
		const isOld = isForeign || (isFirst && this.isOld(booking, known !== undefined));
		if (isChanged && !isOld) this.remember(key, booking);
		const isNew = !known && (isOld || !this.wasMadeBefore(booking));
		const { today, knownSince, unseenSince } = this.days;
		const sinceDay = had.includes(UNJUDGED) ? unseenSince : knownSince;
		const seen = { booking, status, previous, isChanged, isNew, isOld, had };
		const verdict = watch.match({ ...seen, today, sinceDay });
		if (verdict === 'unreadable') this.unjudged.push([key, booking]);
		const isEvent = verdict === true || verdict === 'old';
		// An event is recorded, emitted or not, so that no other event gets its id.
		const { round, statuses } = isEvent && isChanged ? recordOccurrence(before, status) : before;
		const marks = new Set(had);
		marks.delete(UNJUDGED);
		if (verdict === 'unreadable') marks.add(UNJUDGED);
		if (isEvent && watch.once) marks.add(watch.once);
		const hadNow = [...marks];
		if (isChanged || String(hadNow) !== String(had))
			memory.set(key, { status, round, statuses, had: hadNow });
		const isEmitted = !isForeign && (verdict === true || (isEvent && emitExisting));
		return isEmitted ? { key, booking, status, previous, round, isRepeat: false } : undefined;
	}

	/**
	 * Whether a booking that was not seen before is an old one. As long as the first sweep goes on, it is, unless it
	 * was changed since the first scan began; afterwards, only if it was last changed more than a day before.
	 *
	 * @param isKnown whether it was seen, but without a status
	 */
	private isOld(booking: IDataObject, isKnown: boolean): boolean {
		const { since = 0, areDatesWorthless } = this.state;
		const changed = areDatesWorthless ? undefined : changedAt(booking);
		if (!this.wasSwept) return !(changed?.isExact && changed.ms > since);
		return changed ? changed.ms < since - DAY_MS : isKnown;
	}

	/** Whether a booking was made before the trigger began, although it has changed since. */
	private wasMadeBefore(booking: IDataObject): boolean {
		const { since = 0, areDatesWorthless } = this.state;
		const created = areDatesWorthless ? undefined : createdAt(booking);
		return created !== undefined && created.ms < since - (this.wasSwept ? DAY_MS : 0);
	}

	/** Whether a record is older than the last one seen: it is believed if the next poll shows it again. */
	private isDoubtful(key: BookingKey, booking: IDataObject, status: Status): boolean {
		const changed = this.recent.get(key);
		if (changed?.changedMs === undefined) return false;
		const { doubted } = changed;
		changed.doubted = undefined;
		const ms = changedAt(booking)?.ms ?? Infinity;
		if (status === doubted || ms >= changed.changedMs) return false;
		changed.doubted = status;
		return true;
	}

	private remember(key: BookingKey, booking: IDataObject): void {
		const emitted = this.recent.get(key)?.emitted;
		// The latest last.
		this.recent.delete(key);
		this.recent.set(key, { key, changedMs: changedAt(booking)?.ms, emitted });
	}
}

/** What makes the ids of one trigger and account differ from those of others. */
export function eventScope({ account, epoch }: Pick<State, 'account' | 'epoch'>): string {
	return fingerprint(`${account}\n${epoch}`, 8);
}

/**
 * The output item of an event. Its id, e.g. `5d41402a:1042:completed:1`, names scope, booking, and what happened how
 * often. It depends on events only, because n8n does not save the state of polls without events: a change found again
 * after a crash gets the same id, and a booking that enters a status again gets another one.
 *
 * @param scope distinguishes equal booking ids of different services
 * @param detectedAt ISO 8601
 */
export function toEvent(
	scope: string,
	watch: Watch,
	{ key, booking, status, previous, round, isRepeat }: Change,
	detectedAt: string,
): IDataObject {
	const event: IDataObject = {
		...withStatusLabel(booking),
		bookingID: booking.bookingID ?? key,
		previousStatus: previous ?? null,
		previousStatusLabel: previous === undefined ? null : statusLabel(previous),
		eventId: [scope, encodeURIComponent(String(key)), watch.id(status, round)].join(':'),
		detectedAt,
	};
	return isRepeat ? { ...event, isRepeat } : event;
}
