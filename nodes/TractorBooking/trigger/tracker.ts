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
	mayMove,
	toStatus,
} from './bookings';
import type { Sighting, Watch } from './events';
import { localDay } from './events';
import type { BookingState } from './memory';
import { NO_EVENTS, recordOccurrence } from './occurrences';
import type { ReplayQueue } from './replay';
import type { State } from './state';
import { fingerprint } from './state';

/** Bookings of which the tracker remembers when they changed last. */
const MAX_UPDATED = 500;

/** How far the service's clock is believed to be ahead of this machine's. */
const MAX_CLOCK_AHEAD_MS = DAY_MS / 2;

/** Share of the first page that was changed after the first scan had begun from which on dates are worthless. */
const WORTHLESS_SHARE = 0.9;

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

/** How changes are judged. */
export interface Rules {
	watch: Watch;
	/** Whether a booking that is recorded without being new is emitted if it matches. */
	emitExisting: boolean;
	/** The workflow's timezone, an IANA name. */
	timezone: string;
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

/** Day of last activity, or 0 if the booking is final or idle. A change is activity, too. */
function activeDay(booking: IDataObject, status: Status, changedOn: number, today: number): number {
	if (isFinal(status)) return 0;
	const day = Math.max(activityOf(booking), changedOn);
	return mayMove(day, today) ? day : 0;
}

/** Compares the records of one poll with the state, and keeps the state up to date. Knows nothing of pages. */
export class Tracker {
	/** Number of records that have no `bookingID`, or a value that cannot be kept. */
	unreadable = 0;

	/** Number of events so far. */
	eventCount = 0;

	private readonly met = new Map<BookingKey, Met>();

	private readonly updated: Map<BookingKey, number>;

	private readonly doubtedBefore: ReadonlyMap<BookingKey, Status>;

	private readonly doubted = new Map<BookingKey, Status>();

	private readonly today: number;

	private readonly localToday: number;

	/** Day on which the trigger began, or its event was chosen, in the workflow's timezone; slow to find out. */
	private localSince?: number;

	constructor(
		private readonly state: State,
		private readonly rules: Rules,
		private readonly replays: ReplayQueue,
		private readonly nowMs: number,
	) {
		this.today = dayOf(nowMs);
		this.localToday = localDay(nowMs, rules.timezone);
		this.updated = new Map(state.updated);
		this.doubtedBefore = new Map(state.doubted);
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
		this.localSince ??= localDay(this.state.eventSince ?? since, this.rules.timezone);
		if (this.state.areDatesWorthless === undefined && bookings.length > 0) {
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
			const met = this.met.get(key);
			// The list may have moved: of two records of one booking the newer one counts.
			if (met && isOlder(booking, met.booking)) continue;
			if (met?.change) this.eventCount -= 1;
			const before = met ? met.before : this.state.memory.get(key);
			const change = this.judge(key, booking, shown, before, met !== undefined);
			if (change) this.eventCount += 1;
			this.met.set(key, { booking, before, change });
		}
	}

	/** The events of the poll, and those to be emitted again, in the order of the records. */
	takeChanges(): Change[] {
		const changes: Change[] = [];
		for (const [key, { booking, change }] of this.met) {
			const again = this.replays.has(key) ? this.replay(key, booking) : undefined;
			const emitted = change ?? again;
			if (emitted) changes.push(emitted);
		}
		this.state.updated = [...this.updated].slice(-MAX_UPDATED);
		this.state.doubted = [...this.doubted];
		return changes;
	}

	/** Rebuilds an event for replay after a restart, with its original id. */
	private replay(key: BookingKey, booking: IDataObject): Change | undefined {
		const { status = null, occurrences = NO_EVENTS } = this.state.memory.get(key) ?? {};
		const replay = this.replays.claim(this.rules.watch, key, status);
		return replay && { key, booking, status, ...replay, round: occurrences.round, isRepeat: true };
	}

	private judge(
		key: BookingKey,
		booking: IDataObject,
		shown: Status,
		before: BookingState | undefined,
		isAgain: boolean,
	): Change | undefined {
		const { memory } = this.state;
		// A record without a status keeps the known one.
		const status = shown ?? before?.status ?? null;
		const isChanged = before === undefined || before.status !== status;
		if (before && (!isChanged || this.isDoubtful(key, booking, status))) {
			if (isAgain) memory.set(key, before);
			return this.refresh(key, booking, before);
		}
		// What showed no status so far is seen for the first time, as far as its status goes.
		const isFirst = before === undefined || before.status === null;
		const isOld = isFirst ? this.isOld(booking, before !== undefined) : this.isForeign;
		// The booking may be older than today, so the day of the poll counts only if the record has no date.
		const changedOn = isOld && activityOf(booking) > 0 ? 0 : this.today;
		const after: BookingState = {
			status,
			occurrences: before?.occurrences ?? NO_EVENTS,
			active: activeDay(booking, status, changedOn, this.today),
			had: before?.had ?? [],
		};
		if (!isOld) this.remember(key, booking);
		return this.settle(key, booking, after, { before, isChanged, isOld });
	}

	/** A booking with its known status: newer activity counts, and events that do not need a change may be due. */
	private refresh(key: BookingKey, booking: IDataObject, before: BookingState): Change | undefined {
		const active = activeDay(booking, before.status, 0, this.today);
		const after = active > before.active ? { ...before, active } : before;
		return this.settle(key, booking, after, { before, isChanged: false, isOld: this.isForeign });
	}

	/** Stores the new state of a booking, and what follows from it. */
	private settle(
		key: BookingKey,
		booking: IDataObject,
		after: BookingState,
		{ before, isChanged, isOld }: { before?: BookingState; isChanged: boolean; isOld: boolean },
	): Change | undefined {
		const { watch, emitExisting } = this.rules;
		const { status, had } = after;
		const previous = before && (isChanged ? (before.status ?? undefined) : before.status);
		const sighting: Sighting = {
			key,
			booking,
			status,
			previous,
			isChanged,
			isNew: before === undefined && (isOld || !this.wasMadeBefore(booking)),
			had,
			today: this.localToday,
			sinceDay: this.localSince ?? this.localToday,
		};
		const verdict = watch.match(sighting);
		let { occurrences } = after;
		if (verdict === false) {
			if (after !== before) this.state.memory.set(key, after);
			return undefined;
		}
		// An event is recorded, emitted or not, so that no other event gets its id.
		if (isChanged) occurrences = recordOccurrence(occurrences, status);
		const { once } = watch;
		const hadNow = once !== undefined && !had.includes(once) ? [...had, once] : had;
		this.state.memory.set(key, { ...after, occurrences, had: hadNow });
		const isEmitted = emitExisting || (verdict !== 'old' && !isOld);
		if (!isEmitted) return undefined;
		return { key, booking, status, previous, round: occurrences.round, isRepeat: false };
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
	private isDoubtful(key: BookingKey, booking: IDataObject, status: Status): boolean {
		const seenMs = this.updated.get(key);
		const ms = changedAt(booking)?.ms;
		if (seenMs === undefined || ms === undefined || ms >= seenMs) return false;
		if (this.doubtedBefore.get(key) === status) return false;
		this.doubted.set(key, status);
		return true;
	}

	private remember(key: BookingKey, booking: IDataObject): void {
		const ms = changedAt(booking)?.ms;
		this.updated.delete(key);
		if (ms !== undefined) this.updated.set(key, ms);
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
