import type { IDataObject } from 'n8n-workflow';

import type { BookingId } from '../../nodes/TractorBooking/api/records';
import type { EventName } from '../../nodes/TractorBooking/trigger/events';
import type { TestSettings, Watched } from './polling.cts';
import type { World } from './world.cts';

const DECLINED = 4;
const COMPLETED: readonly unknown[] = [3];
const COMPLETED_OR_MARKED: readonly unknown[] = [3, 20];

export interface Event {
	bookingID: BookingId;
	bookingStatus: number;
	previousStatus: number | null;
	event: EventName;
	eventId: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The events that a booking has once, by the status that shows that it had them. */
const ENDINGS: ReadonlyMap<unknown, EventName> = new Map([
	[3, 'bookingCompleted'],
	[DECLINED, 'bookingDeclined'],
]);

const FINAL: readonly unknown[] = [3, 4];

/** An event, when it was emitted, and what was watched; without that it may be emitted again, and need not. */
export interface EmittedBatch {
	event: Event;
	tick: number;
	atMs: number;
	watched?: readonly Watched[];
	/** Whether the process that may emit it again is the second one, which takes part in no rest. */
	isOfOther?: boolean;
}

/** The list at a moment at which a trigger must know all of it. */
interface Rest {
	tick: number;
	atMs: number;
	statuses: ReadonlyMap<BookingId, number>;
	absent: ReadonlySet<BookingId>;
}

interface Entries {
	readonly world: World;
	readonly settings: TestSettings;
	/** Tick at which the first poll with these settings began. */
	readonly since: number;
	readonly ids: ReadonlySet<string>;
	readonly events: readonly Event[];
	/** The last moment of rest; undefined as long as a first scan may be going on. */
	readonly rest?: Rest;
	/** What has to be emitted again after a restart: of each booking, the last event of each kind. */
	readonly owed: ReadonlyMap<string, EmittedBatch>;
	readonly latest: EmittedBatch[];
	/** What bookings cannot have any more: the events of the status that they had at a rest, whatever was chosen. */
	readonly ended: ReadonlySet<string>;
	/** Whether a booking may count as completed since it was "to completed" under former settings. */
	readonly countedMarked?: boolean;
}

/** What a trigger has emitted, and has to emit. A copy goes with every memory, also with one that a crash brings back. */
export class Ledger {
	private constructor(private readonly at: Entries) {}

	static begin(world: World, settings: TestSettings): Ledger {
		return new Ledger({
			world,
			settings: { ...settings, identity: { ...settings.identity, account: '' } },
			since: 0,
			ids: new Set(),
			events: [],
			owed: new Map(),
			latest: [],
			ended: new Set(),
		});
	}

	get latest(): EmittedBatch[] {
		return this.at.latest;
	}

	get owed(): readonly EmittedBatch[] {
		return [...this.at.owed.values()];
	}

	private with(changes: Partial<Entries>): Ledger {
		return new Ledger({ ...this.at, latest: [], ...changes });
	}

	/** For a poll with these settings. No ID may be given again; what has to be emitted counts from the next rest. */
	under(settings: TestSettings): Ledger {
		const { world } = this.at;
		const { account, key } = this.at.settings.identity;
		const next = settings.identity;
		const isSameAccount = next.account === account;
		const isSame = isSameAccount && next.key === key;
		if (isSame && areSame(settings.watched, this.at.settings.watched)) return this;
		const since = isSameAccount ? this.at.since : world.tick;
		const countedMarked =
			this.at.countedMarked ||
			this.at.settings.watched.some(
				({ event, treatToCompletedAsCompleted: isMarkIn }) =>
					event === 'bookingCompleted' && isMarkIn,
			);
		const owed = new Map(this.repeatsUnder(settings) ? this.at.owed : []);
		// With the former settings they may have come to nothing.
		for (const [booking, some] of owed) owed.set(booking, { ...some, watched: undefined });
		const ended = new Set(isSameAccount ? this.at.ended : []);
		return this.with({ settings, since, events: [], rest: undefined, owed, ended, countedMarked });
	}

	repeatsUnder({ identity }: TestSettings): boolean {
		return identity.account === this.at.settings.identity.account;
	}

	owing(emitted: readonly EmittedBatch[]): Ledger {
		return this.with({ owed: new Map(emitted.map((one) => [kindOf(one.event), one])) });
	}

	/** @param from tick at which the poll began @throws if an event is invented, or has the ID of another one */
	add(emitted: IDataObject[], from: number): Ledger {
		const ids = new Set(this.at.ids);
		const events = [...this.at.events];
		const owed = new Map(this.at.owed);
		for (const event of emitted as unknown as Event[]) {
			const { eventId } = event;
			const due = owed.get(kindOf(event));
			owed.delete(kindOf(event));
			this.checkVisible(event, from);
			if (!this.passesFilter(event)) throw new Error(`${eventId} is not watched`);
			if (ids.has(eventId)) {
				if (due?.event.eventId !== eventId) throw new Error(`${eventId} is emitted twice`);
				this.checkRepeat(event, due);
				continue;
			}
			if (this.at.ended.has(kindOf(event))) throw new Error(`${eventId} comes again in a life`);
			ids.add(eventId);
			this.checkTruth(event, events);
			events.push(event);
		}
		const { tick } = this.at.world;
		const { watched } = this.at.settings;
		const atMs = this.at.world.nowMs;
		const latest = (emitted as unknown as Event[]).map((event) => ({ event, tick, atMs, watched }));
		return this.with({ ids, events, owed, latest });
	}

	/** The trigger has seen the whole list as it is now. @throws if it has not emitted what it had to since the last rest */
	atRest(): Ledger {
		const { world } = this.at;
		if (this.at.rest) for (const key of world.keys()) this.checkComplete(key, this.at.rest);
		for (const emitted of this.at.owed.values()) this.checkRepeated(emitted);
		const statuses = new Map(world.keys().map((key) => [key, world.statusOf(key)]));
		const absent = new Set([...world.everyKey()].filter((key) => !statuses.has(key)));
		const owed = new Map(
			[...this.at.owed].filter(
				([, one]) => one.isOfOther || this.isHeld(one) || !this.isRead(one.event.bookingID),
			),
		);
		const rest = { tick: world.tick, atMs: world.nowMs, statuses, absent };
		const endings = [...statuses].flatMap(([bookingID, status]) => {
			const event = ENDINGS.get(status);
			return event ? [kindOf({ bookingID, event })] : [];
		});
		const ended = new Set([...this.at.ended, ...endings]);
		return this.with({ events: [], rest, owed, ended });
	}

	/** Whether an event may be too young to come again: three minutes, and polls take up to half a one. */
	private isHeld({ atMs }: EmittedBatch): boolean {
		return this.at.world.nowMs - atMs < 4 * MINUTE_MS;
	}

	private isRead(key: BookingId): boolean {
		return this.at.world.keys().includes(key);
	}

	private checkVisible(
		{ bookingID: key, bookingStatus, previousStatus }: Event,
		from: number,
	): void {
		if (this.at.world.statusesSince(key, from).includes(bookingStatus)) return;
		const text = `${JSON.stringify(key)}: ${previousStatus} > ${bookingStatus}`;
		throw new Error(`${text} is invented: the booking does not have the new status`);
	}

	private checkRepeat(event: Event, { event: emitted, atMs }: EmittedBatch): void {
		if (this.at.world.nowMs - atMs < 3 * MINUTE_MS)
			throw new Error(`${event.eventId} comes too early`);
		const isSame = isOnce(event) || event.bookingStatus === emitted.bookingStatus;
		if (isSame && event.previousStatus === emitted.previousStatus) return;
		throw new Error(`${event.eventId} is emitted again as something else`);
	}

	/** Once the whole list was seen: what is still true, and still watched, is emitted again after a restart. */
	private checkRepeated(emitted: EmittedBatch): void {
		const { event, tick, watched } = emitted;
		if (this.isHeld(emitted)) return;
		const key = event.bookingID;
		const since = this.at.world.statusesSince(key, tick);
		const isTrue = since.length === 1 && since[0] === event.bookingStatus;
		const isOwed = isTrue && watched && areSame(watched, this.at.settings.watched);
		if (this.isRead(key) && isOwed) throw new Error(`${event.eventId} is not emitted again`);
	}

	private checkTruth(event: Event, before: readonly Event[]): void {
		const { bookingID: key, bookingStatus, previousStatus } = event;
		const earlier = before.filter((other) => kindOf(other) === kindOf(event));
		const now = this.at.world.tick;
		const text = `${JSON.stringify(key)}: ${previousStatus} > ${bookingStatus}`;
		const isFirstScan = !this.at.rest && this.at.world.isCalmSince(this.at.since);
		if (isFirstScan) this.checkBaseline(event);
		if (previousStatus === null) {
			const wasKnown = this.at.rest?.statuses.has(key) || earlier.length > 0;
			if (wasKnown) throw new Error(`${text} treats a known booking as a new one`);
			return;
		}
		const isSame = previousStatus === bookingStatus && event.event !== 'bookingOverdue';
		if (isSame || !this.at.world.had(key, previousStatus, now))
			throw new Error(`${text} is invented: the booking never had the previous status`);
		if (!this.emitsAll(event.event)) return;
		// All changes are emitted: each goes on from where the one before ended.
		const last = earlier.at(-1)?.bookingStatus;
		const known = last ?? this.at.rest?.statuses.get(key);
		if (known !== undefined && known !== previousStatus)
			throw new Error(`${text} does not go on from ${known}`);
	}

	/** What was before the first poll with these settings is no change. */
	private checkBaseline({ bookingID: key, previousStatus, event, eventId }: Event): void {
		// A booking may become overdue while the first scan goes on, without a change.
		const isByDay = event === 'bookingOverdue';
		if (isByDay && !this.isOverdue(key, this.at.world.msAt(this.at.since))) return;
		const since = this.at.world.statusesSince(key, this.at.since);
		const existed = this.at.world.existedAt(key, this.at.since);
		const isEarlier = !since.includes(previousStatus ?? NaN);
		const isOld = previousStatus === null ? existed : isEarlier;
		if (isOld) throw new Error(`${eventId} is older than the baseline`);
	}

	private watchOf(event: EventName): Watched | undefined {
		return this.at.settings.watched.find((watch) => watch.event === event);
	}

	private emitsAll(event: EventName): boolean {
		const watch = this.watchOf(event);
		return watch?.event === 'bookingStatusChanged' && !watch.to && !watch.from;
	}

	private passesFilter({ bookingID, bookingStatus, previousStatus, event }: Event): boolean {
		const watch = this.watchOf(event);
		if (!watch) return false;
		const { from, to } = watch;
		switch (watch.event) {
			case 'newBooking':
				return previousStatus === null;
			case 'bookingDeclined':
				return bookingStatus === DECLINED;
			case 'bookingCompleted':
				return completedOf(watch).includes(bookingStatus);
			case 'bookingStatusChanged':
				return (
					(!to || to.includes(bookingStatus)) &&
					(!from || (previousStatus !== null && from.includes(previousStatus)))
				);
			case 'bookingOverdue':
				return isOpen(bookingStatus, watch) && this.isOverdue(bookingID);
		}
	}

	/** Whether a booking has changed since a rest in a way that must have been emitted. */
	private mustBeEmitted(key: BookingId, watch: Watched, { statuses, tick, atMs }: Rest): boolean {
		const { world } = this.at;
		const was = statuses.get(key);
		const is = world.statusOf(key);
		switch (watch.event) {
			case 'newBooking':
				return was === undefined;
			case 'bookingDeclined':
				return is === DECLINED && !world.had(key, DECLINED, tick);
			case 'bookingCompleted': {
				const completed = completedOf(watch);
				const counted = this.at.countedMarked ? COMPLETED_OR_MARKED : completed;
				return completed.includes(is) && !counted.some((some) => world.had(key, some, tick));
			}
			case 'bookingStatusChanged': {
				if (!watch.to) return was !== is;
				// With a filter, only a single step is sure to pass it.
				const isOneStep = world.statusesSince(key, tick).length === (was === undefined ? 1 : 2);
				const isFrom = !watch.from || (was !== undefined && watch.from.includes(was));
				return isOneStep && isFrom && watch.to.includes(is);
			}
			case 'bookingOverdue':
				// What was overdue then was emitted then, or is older than the trigger.
				return isOpen(is, watch) && this.isOverdue(key) && !this.isOverdue(key, atMs);
		}
	}

	private isOverdue(key: BookingId, atMs = this.at.world.nowMs): boolean {
		const { overdueDays = Infinity } = this.watchOf('bookingOverdue') ?? {};
		return Math.floor(atMs / DAY_MS) >= this.at.world.serviceDay(key) + overdueDays;
	}

	private checkComplete(key: BookingId, rest: Rest): void {
		const { world, settings } = this.at;
		if (rest.absent.has(key)) return;
		const was = rest.statuses.get(key);
		const is = world.statusOf(key);
		for (const watch of settings.watched) {
			const emitted = this.at.events
				.filter(({ bookingID, event }) => bookingID === key && event === watch.event)
				.map(({ bookingStatus }) => bookingStatus);
			const isEmitted = isOnce(watch) ? emitted.length === 1 : emitted.includes(is);
			const endsElsewhere =
				this.emitsAll(watch.event) && emitted.length > 0 && emitted.at(-1) !== is;
			if (!endsElsewhere && (isEmitted || !this.mustBeEmitted(key, watch, rest))) continue;
			const since = world.statusesSince(key, rest.tick).join(' > ');
			const what = `${watch.event} of ${JSON.stringify(key)}`;
			throw new Error(`${what}, ${was} > ${is}, was not emitted (${since})`);
		}
	}
}

function completedOf({ treatToCompletedAsCompleted: isMarkIn }: Watched): readonly unknown[] {
	return isMarkIn ? COMPLETED_OR_MARKED : COMPLETED;
}

function kindOf({ bookingID, event }: Pick<Event, 'bookingID' | 'event'>): string {
	return JSON.stringify([bookingID, event]);
}

const ONCE: Record<EventName, boolean> = {
	bookingCompleted: true,
	bookingDeclined: true,
	bookingOverdue: true,
	bookingStatusChanged: false,
	newBooking: true,
};

export const isOnce = ({ event }: { event: EventName }): boolean => ONCE[event];

function areSame(some: readonly Watched[], others: readonly Watched[]): boolean {
	return some.length === others.length && some.every((watch, at) => watch === others[at]);
}

function isOpen(status: number, watch: Watched): boolean {
	return !FINAL.includes(status) && !completedOf(watch).includes(status);
}
