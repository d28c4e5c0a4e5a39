import type { IDataObject } from 'n8n-workflow';

import { statusLabel, withStatusLabel } from '../api/status';
import type { BookingKey, Status } from './bookings';
import {
	activityOf,
	bookingKey,
	changedAt,
	createdAt,
	DAY_MS,
	dayOf,
	isFinal,
	localDay,
	mayMove,
	toStatus,
} from './bookings';
import type { Watch } from './events';
import type { BookingState } from './memory';
import { NO_EVENTS, recordOccurrence } from './occurrences';
import type { Settings } from './settings';
import type { Emitted, Recent, State } from './state';
import { fingerprint } from './state';

/** Bookings of which the tracker remembers when they changed last. */
const MAX_RECENT = 500;

/** Events of polls within this time before a restart of n8n are emitted again, as soon as their bookings are met. */
const REPEATED_MS = 15 * 60_000;

/** How far the service's clock is believed to be ahead of this machine's. */
const MAX_CLOCK_AHEAD_MS = DAY_MS / 2;

/** Share of the first page that was changed after the first scan had begun from which on dates are worthless. */
const WORTHLESS_SHARE = 0.9;

/** Records from which on that is judged: a single one may really have been changed. */
const MIN_DATED = 5;

/** Among the events that a booking had: nobody could say so far whether it had the one that is watched. */
const UNJUDGED = '?';

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

/** A booking as this poll met it. */
interface Met {
	booking: IDataObject;
	/** What was known of it before the poll. */
	before: BookingState | undefined;
	change?: Change;
}

/** Whether of two records of one booking the second one is older. */
function isOlder(booking: IDataObject, than: IDataObject): boolean {
	const [ms, thanMs] = [changedAt(booking)?.ms, changedAt(than)?.ms];
	return ms !== undefined && thanMs !== undefined && ms < thanMs;
}

/** Compares the records of one poll with the state, and keeps the state up to date. Knows nothing of pages. */
export class Tracker {
	/** Number of records that have no `bookingID`, or a value that cannot be kept. */
	unreadable = 0;

	/** Whether no record so far had a status; undefined as long as there was none. */
	isStatusless?: boolean;

	/** Bookings of which what the event depends on cannot be read. */
	readonly unjudged = new Map<BookingKey, IDataObject>();

	/** Number of events so far. */
	eventCount = 0;

	private readonly met = new Map<BookingKey, Met>();

	private readonly recent: Map<BookingKey, Recent>;

	private readonly doubtedBefore: ReadonlyMap<BookingKey, Status | undefined>;

	/** Days in the workflow's timezone: of the poll, and those up to which bookings are not asked for an event. */
	private readonly today: number;

	private readonly knownSince: number;

	private unseenSince?: number;

	/** @param isFirstSinceStart whether this is the first poll since n8n started */
	constructor(
		private readonly state: State,
		private readonly settings: Settings,
		private readonly nowMs: number,
		isFirstSinceStart: boolean,
	) {
		const { recent, eventSince } = state;
		this.today = localDay(nowMs, settings.timezone);
		// A known booking was asked before, unless another event was watched.
		this.knownSince = eventSince === undefined ? 0 : localDay(eventSince, settings.timezone);
		this.doubtedBefore = new Map(recent.map(({ key, doubted }) => [key, doubted]));
		const kept = recent.map(({ emitted, ...entry }) => ({
			...entry,
			emitted: this.repeatable(emitted, isFirstSinceStart),
		}));
		this.recent = new Map(kept.map((entry) => [entry.key, entry]));
	}

	/** The bookings whose events are to be emitted again. */
	dueKeys(): BookingKey[] {
		return [...this.recent.values()].flatMap(({ key, emitted }) => (emitted?.isDue ? [key] : []));
	}

	/** Whether this poll met a booking. */
	readonly isMet = (key: BookingKey): boolean => this.met.has(key);

	/** Whether a record shows a booking or a status that is not known. */
	readonly isNews = (booking: IDataObject): boolean => {
		const key = bookingKey(booking);
		const known = key === undefined ? undefined : this.state.memory.get(key);
		const status = toStatus(booking.bookingStatus);
		return key !== undefined && (!known || (status !== null && status !== known.status));
	};

	/** Takes the service's time for the beginning of the first scan if there was none yet; HTTP dates have seconds. */
	begin(serviceNowMs: number): number {
		const beganMs = Math.min(serviceNowMs, this.nowMs + MAX_CLOCK_AHEAD_MS);
		return (this.state.since ??= Math.ceil((beganMs + 1) / 1_000) * 1_000);
	}

	/** Compares records with what is known, at a time of the service. */
	observe(bookings: IDataObject[], serviceNowMs: number): void {
		const since = this.begin(serviceNowMs);
		this.unseenSince ??= Math.max(localDay(since, this.settings.timezone), this.knownSince);
		const { areDatesWorthless, progress } = this.state;
		if (areDatesWorthless === undefined && !progress.isSwept && bookings.length >= MIN_DATED) {
			const late = bookings.filter((booking) => (changedAt(booking)?.ms ?? 0) > since);
			this.state.areDatesWorthless = late.length >= WORTHLESS_SHARE * bookings.length;
		}
		for (const booking of bookings) {
			const key = bookingKey(booking);
			const shown = toStatus(booking.bookingStatus);
			if (key === undefined || shown === undefined) {
				this.unreadable += 1;
				continue;
			}
			this.isStatusless = (this.isStatusless ?? true) && shown === null;
			const met = this.met.get(key);
			// The list may have moved: of two records of one booking the newer one counts.
			if (met && isOlder(booking, met.booking)) continue;
			if (met?.change) this.eventCount -= 1;
			const before = met ? met.before : this.state.memory.get(key);
			const change = this.judge(key, booking, shown, before);
			if (change) this.eventCount += 1;
			this.met.set(key, { booking, before, change });
		}
	}

	/** The events of the poll, and those to be emitted again, in the order of the records. */
	takeChanges(): Change[] {
		const changes: Change[] = [];
		// What came after them may show how they are to be read.
		for (const [key, booking] of this.unjudged) {
			const before = this.met.get(key)?.before;
			const change = this.judge(key, booking, toStatus(booking.bookingStatus) ?? null, before);
			this.met.set(key, { booking, before, change });
		}
		for (const [key, { booking, change }] of this.met) {
			const emitted = change ?? this.repeat(key, booking);
			if (emitted) changes.push(emitted);
			this.note(key, emitted);
		}
		const oldest = this.recent.size - MAX_RECENT;
		this.state.recent = [...this.recent.values()].filter(
			({ emitted }, at) => emitted ?? at >= oldest,
		);
		return changes;
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
		const isNew = previous === undefined;
		const seen = { booking, status, previous, isChanged: true, isNew, isOld: false, had: [] };
		const isTrue = watch.match({ ...seen, today: this.today, sinceDay: 0 }) === true;
		if (!isTrue || watch.id(status, round) !== id) return undefined;
		return { key, booking, status, previous, round, isRepeat: true };
	}

	/** Notes what becomes of a booking that was met: an event that is emitted now, or none that is due any more. */
	private note(key: BookingKey, change: Change | undefined): void {
		const { changedMs, doubted, emitted } = this.recent.get(key) ?? {};
		if (change && this.settings.repeatsAfterRestart) {
			const id = this.settings.watch.id(change.status, change.round);
			const event = { id, previous: change.previous, atMs: this.nowMs };
			this.recent.set(key, { key, changedMs, doubted, emitted: event });
		} else if (emitted?.isDue) this.recent.set(key, { key, changedMs, doubted });
	}

	/** Compares a record with what was known before the poll, and stores what follows from it. */
	private judge(
		key: BookingKey,
		booking: IDataObject,
		shown: Status,
		before: BookingState | undefined,
	): Change | undefined {
		// A record without a status keeps the known one.
		const isKept = before && (shown === null || this.isDoubtful(key, booking, shown, before));
		const status = isKept ? before.status : shown;
		const isChanged = before?.status !== status;
		// What showed no status so far is seen for the first time, as far as its status goes.
		const isFirst = isChanged && (before === undefined || before.status === null);
		const isOld = isFirst ? this.isOld(booking, before !== undefined) : this.isForeign;
		if (isChanged && !isOld) this.remember(key, booking);
		const previous = isChanged ? (before?.status ?? undefined) : status;
		const had = before?.had ?? [];
		const { watch, emitExisting } = this.settings;
		const isNew = before === undefined && (isOld || !this.wasMadeBefore(booking));
		const isKnown = before && !had.includes(UNJUDGED);
		const sinceDay = isKnown ? this.knownSince : (this.unseenSince ?? this.today);
		const seen = { booking, status, previous, isChanged, isNew, isOld, had };
		const judged = watch.match({ ...seen, today: this.today, sinceDay });
		if (judged === 'unreadable') this.unjudged.set(key, booking);
		else this.unjudged.delete(key);
		const verdict = judged !== 'unreadable' && judged;
		// An event is recorded, emitted or not, so that no other event gets its id.
		const known = before ?? NO_EVENTS;
		const isRecorded = verdict !== false && isChanged;
		const { round, statuses } = isRecorded ? recordOccurrence(known, status) : known;
		const { once } = watch;
		const isFirstTime = verdict !== false && once !== undefined && !had.includes(once);
		const mark = isFirstTime ? [once] : [];
		if (judged === 'unreadable') mark.push(UNJUDGED);
		const hadNow = had.filter((name) => name !== UNJUDGED).concat(mark);
		const active = this.activeDay(booking, status, isChanged ? undefined : before?.active, isOld);
		const { memory } = this.state;
		const isSame = !isChanged && String(hadNow) === String(had) && active === before?.active;
		if (!isSame || memory.get(key) !== before)
			memory.set(key, { status, round, statuses, active, had: hadNow });
		const isEmitted = verdict === true || (verdict === 'old' && emitExisting);
		return isEmitted && !this.isForeign
			? { key, booking, status, previous, round, isRepeat: false }
			: undefined;
	}

	/**
	 * Day of last activity, or 0 if the booking is final or idle.
	 *
	 * @param before what was known of it; undefined for a change, which is activity, too
	 */
	private activeDay(
		booking: IDataObject,
		status: Status,
		before: number | undefined,
		isOld: boolean,
	) {
		if (isFinal(status)) return 0;
		const shown = activityOf(booking);
		const today = dayOf(this.nowMs);
		// An old booking may have been idle for long, so the day of the poll counts only if the record has no date.
		const day = Math.max(shown, before ?? (isOld && shown > 0 ? 0 : today));
		return mayMove(day, today) ? day : 0;
	}

	/** Whether everything counts as old, since it belongs to another organisation than before. */
	private get isForeign(): boolean {
		return this.state.isForeign === true;
	}

	/**
	 * Whether a booking that was not seen before is an old one. As long as the first sweep goes on, it is, unless it
	 * was changed since the first scan began; afterwards, only if it was last changed more than a day before.
	 *
	 * @param isKnown whether it was seen, but without a status
	 */
	private isOld(booking: IDataObject, isKnown: boolean): boolean {
		const { progress, since = 0, areDatesWorthless } = this.state;
		const changed = areDatesWorthless ? undefined : changedAt(booking);
		if (this.isForeign) return true;
		if (!progress.isSwept) return !(changed?.isExact && changed.ms > since);
		return changed ? changed.ms < since - DAY_MS : isKnown;
	}

	/** Whether a booking was made before the trigger began, although it has changed since. */
	private wasMadeBefore(booking: IDataObject): boolean {
		const { progress, since = 0, areDatesWorthless } = this.state;
		const created = areDatesWorthless ? undefined : createdAt(booking);
		return created !== undefined && created.ms < since - (progress.isSwept ? DAY_MS : 0);
	}

	/** Whether a record is older than the last one seen: it is believed if the next poll shows it again. */
	private isDoubtful(
		key: BookingKey,
		booking: IDataObject,
		status: Status,
		before: BookingState,
	): boolean {
		const changed = this.recent.get(key);
		if (changed?.changedMs === undefined) return false;
		changed.doubted = undefined;
		const ms = changedAt(booking)?.ms ?? Infinity;
		if (status === before.status || ms >= changed.changedMs) return false;
		if (this.doubtedBefore.get(key) === status) return false;
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
