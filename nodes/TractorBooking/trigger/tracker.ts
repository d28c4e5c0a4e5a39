import type { IDataObject } from 'n8n-workflow';

import type { BookingId } from '../api/records';
import { DAY_MS } from '../parse/dates';
import { groupBy } from '../utils/groupBy';
import { createdAtMs, identified, localDay, updatedAtMs, type Identified } from './bookings';
import { eventsBefore, type Watch } from './events';
import type { Settings } from './settings';
import type { Emitted, Latest, NewEvent, State } from './state';

const HOUR_MS = 3_600_000;

/** This many bookings in a round whose date does not show whether they are new count as old. */
const MAX_UNSURE = 100;

/** How many bookings have their last change remembered, for an hour: servers lag for minutes. */
const MAX_LATEST = 500;

/** How many events are remembered, for a day, to be emitted again after a restart of n8n. */
const MAX_EMITTED = 5_000;

/**
 * An event comes again so long after it was emitted at the earliest, however often n8n restarts: two executions with one
 * event that run at once would each find that its message was not sent.
 */
const MIN_BETWEEN_MS = 180_000;

function keyOf({ key, event, id }: Emitted): string {
	return JSON.stringify([key, event, id]);
}

/** Collects the records of one poll, then compares them with the state and updates it. Knows nothing of pages. */
export class Tracker {
	/** Number of records that are not {@link identified}. */
	unreadable = 0;

	/** Bookings that lack what an event depends on in a readable form. */
	readonly unjudged: BookingId[] = [];

	/** Number of bookings that are noted although they may be new, because they are too many. */
	tooManyUnsure = 0;

	/** The latest record of each booking, in the order in which they were met. */
	readonly met = new Map<BookingId, Identified>();

	readonly today: number;

	private readonly watches: ReadonlyArray<Watch & { sinceDay: number }>;

	private readonly latest: Map<BookingId, Latest>;

	/** The events that may have to be emitted again, and those that are by this poll. */
	private readonly recent: Emitted[];
	private readonly repeats: ReadonlySet<Emitted>;

	/** @param owed keys of the events that this process has to emit again; undefined at its first poll: all */
	constructor(
		private readonly state: State,
		private readonly settings: Settings,
		private readonly nowMs: number,
		private readonly owed: ReadonlySet<string> = new Set(
			state.emitted.filter(({ atMs }) => nowMs - atMs < DAY_MS).map(keyOf),
		),
	) {
		this.today = localDay(nowMs, settings.timezone);
		this.watches = settings.watches.map((watch) => {
			const sinceDay = localDay(state.events[watch.event] ?? nowMs, settings.timezone);
			return { ...watch, sinceDay };
		});
		const lasting = state.latest.filter(([, , atMs]) => nowMs - atMs < HOUR_MS);
		this.latest = new Map(lasting.map((entry) => [entry[0], entry]));
		const emitted = settings.repeatsAfterRestart ? state.emitted : [];
		const isOwed = (one: Emitted) => owed.has(keyOf(one));
		this.recent = emitted.filter((one) => isOwed(one) || nowMs - one.atMs < DAY_MS);
		const isDue = (one: Emitted) => isOwed(one) && nowMs - one.atMs >= MIN_BETWEEN_MS;
		this.repeats = new Set(this.recent.filter(isDue));
	}

	/** The bookings with events that are to be emitted again. */
	get toRepeat(): BookingId[] {
		return [...this.repeats].map(({ key }) => key);
	}

	/** Keys of the events that this process has to emit again after this poll. */
	get stillOwed(): ReadonlySet<string> {
		return new Set(this.kept.map(keyOf).filter((key) => this.owed.has(key)));
	}

	/** Those that were to be emitted again have been if their booking was met. */
	private get kept(): Emitted[] {
		return this.recent.filter((one) => !(this.repeats.has(one) && this.met.has(one.key)));
	}

	/** Collects records. Of two records of one booking, the later one counts: servers that lag may show old ones for a while. */
	observe(bookings: readonly IDataObject[]): void {
		for (const booking of bookings) {
			const one = identified(booking);
			if (!one) this.unreadable += 1;
			else if (!this.isOutdated(one)) this.met.set(one.bookingId, one);
		}
	}

	private isOutdated({ bookingId, booking }: Identified): boolean {
		const met = this.met.get(bookingId);
		const latest = this.latest.get(bookingId);
		if (!met && !latest) return false;
		const metMs = (met && updatedAtMs(met.booking)) ?? 0;
		const [, latestMs = 0] = latest ?? [];
		return (updatedAtMs(booking) ?? Infinity) < Math.max(latestMs, metMs);
	}

	/**
	 * The events, and those to be emitted again.
	 *
	 * @param moreMayFollow whether the first scan, or what is after the last known page, goes on where this poll ended
	 * @param endMs when the events are emitted
	 */
	judge(moreMayFollow: boolean, endMs: number): NewEvent[] {
		const { state, met } = this;
		this.tooManyUnsure = this.countUnsure(moreMayFollow);
		const repeats = groupBy(this.repeats, ({ key }) => key);
		const changes: NewEvent[] = [];
		for (const one of met.values()) {
			changes.push(...this.compare(one));
			for (const emitted of repeats.get(one.bookingId) ?? [])
				changes.push(...this.repeat(emitted, one));
		}
		state.emitted = this.emittedAfter(changes, endMs);
		state.latest = [...this.latest.values()].slice(-MAX_LATEST);
		return changes;
	}

	/**
	 * Bookings that were never seen, and whose `createdAt` does not say whether they were made since the trigger
	 * began, are new as long as a round shows few: many were hidden from the first scan by a wrong response. If more may
	 * follow, this poll cannot tell how many.
	 */
	private countUnsure(moreMayFollow: boolean): number {
		const { bookings, progress, unsureInRound = 0 } = this.state;
		const isUnsure = ({ bookingId, booking }: Identified) =>
			!bookings.has(bookingId) && this.wasMadeBefore(booking) === undefined;
		const count = [...this.met.values()].filter(isUnsure).length;
		const inRound = unsureInRound + count;
		// Without a round, this poll has ended one.
		this.state.unsureInRound = (progress.round && inRound) || undefined;
		if (this.beginsFirstScan) return 0;
		return moreMayFollow || inRound >= MAX_UNSURE || count > bookings.size ? count : 0;
	}

	/** Whether this poll begins a first scan, which takes all that it meets for old. */
	private get beginsFirstScan(): boolean {
		return this.state.firstScanStartedAt === this.nowMs;
	}

	/** Whether a booking was made before the trigger began; undefined if that is not sure. */
	private wasMadeBefore(booking: IDataObject): boolean | undefined {
		const { firstScanStartedAt } = this.state;
		const createdMs = createdAtMs(booking, this.settings.timezone);
		if (createdMs > firstScanStartedAt) return false;
		return createdMs < firstScanStartedAt - DAY_MS ? true : undefined;
	}

	/** Whether a booking that was never seen counts as one that was there when the trigger began. */
	private isBeforeTrigger(booking: IDataObject): boolean {
		return this.beginsFirstScan || (this.wasMadeBefore(booking) ?? this.tooManyUnsure > 0);
	}

	/** The events of a booking; from now on, the state knows of them. */
	private compare({ bookingId, booking, status }: Identified): NewEvent[] {
		const { state, nowMs, today } = this;
		const known = state.bookings.get(bookingId);
		const { changes: count = 0, firedOnce = [] } = known ?? {};
		const previous = known?.status;
		const isChanged = status !== previous;
		const watches = this.watches.filter((watch) => {
			if (watch.isOnce && firedOnce.includes(watch.event)) return false;
			const match = watch.match({ booking, status, previous, today, sinceDay: watch.sinceDay });
			if (match === 'unreadable') this.unjudged.push(bookingId);
			return match === true;
		});
		if (known && !isChanged && watches.length === 0) return [];
		// An event counts, emitted or not, so that no other event gets its ID.
		const changes = count + (isChanged && watches.length > 0 ? 1 : 0);
		const once = watches.flatMap(({ event, isOnce }) => (isOnce ? [event] : []));
		const marks = new Set([...firedOnce, ...once, ...eventsBefore(status)]);
		state.bookings.set(bookingId, { status, changes, firedOnce: [...marks].sort() });
		if (!known && this.isBeforeTrigger(booking)) return [];
		const changedMs = isChanged ? updatedAtMs(booking) : undefined;
		if (changedMs !== undefined) this.latest.set(bookingId, [bookingId, changedMs, nowMs]);
		return watches.map((watch) => {
			const id = watch.id(status, this.changeId(changes));
			return { key: bookingId, booking, event: watch.event, id, previous };
		});
	}

	/** The ID of a booking's latest change: of those that were events. After another first scan, counting starts again. */
	private changeId(changes: number): string {
		const { epoch } = this.state;
		return epoch > 0 ? `${epoch}.${changes}` : String(changes);
	}

	/** An event to be emitted again after a restart, with its original ID; none if it is no longer true. */
	private repeat(emitted: Emitted, { bookingId, booking, status }: Identified): NewEvent[] {
		const { event, id, previous } = emitted;
		const { changes = 0 } = this.state.bookings.get(bookingId) ?? {};
		const seen = { booking, status, previous, today: this.today, sinceDay: 0 };
		const isTrue = this.settings.watches.some(
			(watch) =>
				watch.event === event &&
				watch.id(status, this.changeId(changes)) === id &&
				watch.match(seen) === true,
		);
		return isTrue ? [{ key: bookingId, booking, event, id, previous, isRepeat: true }] : [];
	}

	/** The last events after this poll. */
	private emittedAfter(changes: readonly NewEvent[], atMs: number): Emitted[] {
		if (!this.settings.repeatsAfterRestart) return [];
		const emitted = changes.map(({ key, event, id, previous }) => {
			return { key, event, id, previous, atMs };
		});
		return [...this.kept, ...emitted].slice(-MAX_EMITTED);
	}
}
