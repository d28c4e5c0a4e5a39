import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import { DAY_MS } from '../utils/time';
import { changedAt, dayOf, exactKeyOf, isOpen, localDay, madeAt, toStatus } from './bookings';
import type { Sighting } from './events';
import { wouldMatch } from './events';
import { UNSEEN } from './memory';
import type { Repeats } from './repeats';
import type { View } from './scan/list';
import type { Settings } from './settings';
import type { Emitted, Latest, State } from './state';
import type { Change } from './toEvent';

/** So many bookings may appear in one poll without a date that says whether they are new. */
const MAX_UNSURE = 100;

/** How many bookings have their last change remembered, and for how long: servers lag for minutes. */
const MAX_LATEST = 500;
const LATEST_MS = 3_600_000;

/** Whether the second of two records of one booking is older. */
function isOlder(booking: IDataObject, thanMs = 0): boolean {
	return (changedAt(booking) ?? Infinity) < thanMs;
}

/** Collects the records of one poll, then compares them with the state and updates it. Knows nothing of pages. */
export class Tracker implements View {
	/** Number of records that have no `bookingID`, or a value that cannot be kept. */
	unreadable = 0;

	/** Bookings that lack what an event depends on in a readable form. */
	readonly unjudged: BookingKey[] = [];

	/** Number of bookings that are noted although they may be new, because they are too many. */
	flood = 0;

	/** The latest record of each booking in this poll. */
	private readonly met = new Map<BookingKey, IDataObject>();

	private readonly latest: Map<BookingKey, Latest>;

	/** Whether the first scan was over before this poll. */
	private readonly wasKnown: boolean;

	/** Whether this poll begins the first scan. */
	private readonly isFirstPoll: boolean;

	/** The events of which the statuses may be older than their choice; see `State`. */
	private readonly settling: ReadonlySet<string>;

	constructor(
		private readonly state: State,
		private readonly settings: Settings,
		private readonly repeats: Repeats,
		private readonly nowMs: number,
	) {
		this.wasKnown = state.progress.isKnown;
		this.isFirstPoll = state.since === nowMs;
		const isSettling = (event: string) =>
			state.events[event] === nowMs || (!settings.chosen && state.settling[event] !== undefined);
		this.settling = new Set(this.wasKnown ? Object.keys(state.settling).filter(isSettling) : []);
		const lasting = state.latest.filter(([, , atMs]) => nowMs - atMs < LATEST_MS);
		this.latest = new Map(lasting.map((entry) => [entry[0], entry]));
	}

	/** Whether the bookings of this poll, if there were any, had no status. */
	get isStatusless(): boolean {
		const records = [...this.met.values()];
		return (
			records.length > 0 && records.every(({ bookingStatus }) => toStatus(bookingStatus) === null)
		);
	}

	/** The bookings whose events are to be emitted again, and that were not met so far. */
	dueKeys(): BookingKey[] {
		return this.repeats.dueKeys.filter((key) => !this.met.has(key));
	}

	readonly isNews = (booking: IDataObject): boolean => {
		const key = exactKeyOf(booking);
		const known = key === undefined ? UNSEEN : this.state.memory.get(key);
		const status = toStatus(booking.bookingStatus) ?? null;
		return !known || (status !== null && status !== known.status);
	};

	readonly isOpen = (booking: IDataObject): boolean => isOpen(booking, dayOf(this.nowMs));

	/** Collects records. Of two of one booking the later one counts; servers that lag may show older ones for a while. */
	observe(bookings: IDataObject[]): void {
		for (const booking of bookings) {
			const key = exactKeyOf(booking);
			if (key === undefined || toStatus(booking.bookingStatus) === undefined) {
				this.unreadable += 1;
				continue;
			}
			const met = this.met.get(key);
			const [, latestMs] = this.latest.get(key) ?? [];
			const isOutdated = isOlder(booking, latestMs) || (met && isOlder(booking, changedAt(met)));
			if (!isOutdated) this.met.set(key, booking);
		}
	}

	/** Compares the records with the state: the events, and those to be emitted again, in the order of the records. */
	judge(): Change[] {
		const { state, settings, met, repeats } = this;
		for (const watch of settings.watches) watch.learn?.([...met.values()]);
		this.flood = this.countFlood();
		const changes: Change[] = [];
		for (const [key, booking] of met) {
			const found = this.compare(key, booking);
			const isFound = ({ event }: Emitted) => found.some(({ watch }) => watch.event === event);
			const due = repeats.take(key).filter((emitted) => !isFound(emitted));
			changes.push(...found, ...due.flatMap((emitted) => this.repeat(emitted, booking)));
		}
		repeats.note(changes);
		state.emitted = repeats.toStored();
		state.latest = [...this.latest.values()].slice(-MAX_LATEST);
		return changes;
	}

	/** The known status of a booking; undefined if it has none. */
	private statusOf(key: BookingKey) {
		return this.state.memory.get(key)?.status ?? undefined;
	}

	/**
	 * Bookings that were never seen, and whose `createdAt` does not say whether they were made since the trigger
	 * began, are new as long as they are few. Many of them were hidden from the first scan by a wrong response.
	 */
	private countFlood(): number {
		const { state, met, wasKnown } = this;
		const isUnsure = ([key, booking]: [BookingKey, IDataObject]) =>
			this.statusOf(key) === undefined && this.wasMadeBefore(booking) === undefined;
		const unsure = wasKnown ? [...met].filter(isUnsure).length : 0;
		return unsure > Math.min(state.memory.size, MAX_UNSURE) ? unsure : 0;
	}

	/** Whether a booking was made before the trigger began; undefined if that is not sure. Some dates lack an offset. */
	private wasMadeBefore(booking: IDataObject): boolean | undefined {
		const { since } = this.state;
		const made = madeAt(booking);
		if (made !== undefined && made > since) return false;
		return made !== undefined && made < since - DAY_MS ? true : undefined;
	}

	/** Whether a booking that was never seen counts as one that was there when the trigger began. */
	private isBeforeTrigger(booking: IDataObject): boolean {
		const isBefore = this.wasMadeBefore(booking);
		if (this.wasKnown) return isBefore ?? this.flood > 0;
		return this.isFirstPoll || isBefore !== false;
	}

	/** Whether a change may have come before its event was chosen. */
	private isBeforeChoice(event: string, cameMs = 0): boolean {
		return this.settling.has(event) && cameMs < (this.state.events[event] ?? 0);
	}

	/** The events of a booking. Stores what is known of it from now on. */
	private compare(key: BookingKey, booking: IDataObject): Change[] {
		const { state, settings, nowMs } = this;
		const { timezone, watches, emitExisting } = settings;
		const known = state.memory.get(key);
		const previous = this.statusOf(key);
		// A record without a status keeps the known one.
		const status = toStatus(booking.bookingStatus) ?? previous ?? null;
		const isChanged = status !== null && status !== previous;
		const isBefore = this.isBeforeTrigger(booking);
		const sighting: Omit<Sighting, 'sinceDay'> = {
			booking,
			status,
			previous,
			isChanged,
			isNew: !known,
			isOld: previous === undefined && isBefore,
			had: known?.had ?? [],
			today: localDay(nowMs, timezone),
		};
		const verdicts = watches.map((watch) => {
			const sinceDay = localDay(state.events[watch.event] ?? nowMs, timezone);
			return { watch, verdict: watch.match({ ...sighting, sinceDay }) };
		});
		const isEvent = ({ verdict }: (typeof verdicts)[number]) =>
			verdict === true || verdict === 'old';
		if (verdicts.some(({ verdict }) => verdict === 'unreadable')) this.unjudged.push(key);
		const events = verdicts.filter(isEvent);
		const marks = events.flatMap(({ watch: { once = [] } }) => once);
		// An event counts, emitted or not, so that no other event gets its ID.
		const changes = (known?.changes ?? 0) + (isChanged && events.length > 0 ? 1 : 0);
		const had = [...new Set([...sighting.had, ...marks])].sort();
		if (!known || isChanged || had.length > known.had.length)
			state.memory.set(key, { status, changes, had });
		const changedMs = changedAt(booking);
		const cameMs = previous === undefined ? madeAt(booking) : changedMs;
		if (isChanged && !sighting.isOld && changedMs !== undefined) {
			// The latest last.
			this.latest.delete(key);
			this.latest.set(key, [key, changedMs, nowMs]);
		}
		return events
			.filter(({ verdict }) => verdict === true || emitExisting)
			.filter(({ watch: { event } }) => !isChanged || !this.isBeforeChoice(event, cameMs))
			.map(({ watch }) => {
				const id = watch.id(status, changes);
				return { key, booking, watch, id, previous, isRepeat: false };
			});
	}

	/** An event to be emitted again after a restart, with its original ID; none if it is no longer true. */
	private repeat({ key, event, id, previous }: Emitted, booking: IDataObject): Change[] {
		const { status, changes } = this.state.memory.get(key) ?? UNSEEN;
		const { timezone, watches } = this.settings;
		const today = localDay(this.nowMs, timezone);
		return watches
			.filter((watch) => watch.event === event && watch.id(status, changes) === id)
			.filter((watch) => wouldMatch(watch, { booking, status, previous, today }))
			.map((watch) => ({ key, booking, watch, id, previous, isRepeat: true }));
	}
}
