import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../nodes/TractorBooking/watch/entries';
import type { Settings } from '../../nodes/TractorBooking/watch/settings';
import type { TestStatus, World } from './world';

const COMPLETED: readonly unknown[] = [3];
const COMPLETED_OR_MARKED: readonly unknown[] = [3, 20];

interface Event {
	bookingID: BookingKey;
	bookingStatus: TestStatus;
	previousStatus: TestStatus | null;
	eventId: string;
}

/** The list at a moment at which a trigger must know all of it. */
interface Rest {
	tick: number;
	statuses: ReadonlyMap<BookingKey, TestStatus>;
	/** Bookings that exist but were not in the list. */
	absent: ReadonlySet<BookingKey>;
}

/**
 * The oracle: what a trigger that started from a certain memory has told, and has to tell. A copy goes
 * with every memory, so that after a crash the ledger of the memory that comes back is gone on with.
 */
export class Ledger {
	private constructor(
		private readonly world: World,
		private readonly settings: Settings,
		/** Tick at which the first poll with these settings began. */
		private readonly since: number,
		private readonly ids: ReadonlySet<string>,
		private readonly events: readonly Event[],
		/** The last moment of rest; undefined as long as a baseline may be going on. */
		private readonly rest?: Rest,
	) {}

	/** The ledger of a trigger that was never polled. */
	static begin(world: World, settings: Settings): Ledger {
		return new Ledger(world, { ...settings, watched: '' }, 0, new Set(), []);
	}

	/**
	 * The ledger for a poll with these settings. Where they are other ones, a new baseline is due: what was
	 * before it need not be told, but no id may be given again.
	 */
	under(settings: Settings): Ledger {
		const { account, watched } = this.settings;
		if (settings.account === account && settings.watched === watched) return this;
		return new Ledger(this.world, settings, this.world.tick, this.ids, []);
	}

	/**
	 * Takes in what a poll told.
	 *
	 * @param from tick at which the poll began
	 * @throws an error if an event is invented, or has the id of another one
	 */
	add(told: IDataObject[], from: number): Ledger {
		const ids = new Set(this.ids);
		const events = [...this.events];
		for (const event of told as unknown as Event[]) {
			if (ids.has(event.eventId)) throw new Error(`${event.eventId} is told twice`);
			ids.add(event.eventId);
			this.checkTruth(event, events, from);
			this.checkFilter(event);
			events.push(event);
		}
		return new Ledger(this.world, this.settings, this.since, ids, events, this.rest);
	}

	/**
	 * A moment at which the trigger has seen the whole list as it is now.
	 *
	 * @throws an error if it has not told what it had to since the last such moment
	 */
	atRest(): Ledger {
		const { world } = this;
		if (this.rest) for (const key of world.keys()) this.checkComplete(key, this.rest);
		const statuses = new Map(world.keys().map((key) => [key, world.statusOf(key)]));
		const absent = new Set([...world.everyKey()].filter((key) => !statuses.has(key)));
		return new Ledger(world, this.settings, this.since, this.ids, [], {
			tick: world.tick,
			statuses,
			absent,
		});
	}

	private checkTruth(event: Event, before: readonly Event[], from: number): void {
		const { bookingID: key, bookingStatus, previousStatus } = event;
		const now = this.world.tick;
		const text = `${JSON.stringify(key)}: ${previousStatus} > ${bookingStatus}`;
		if (!this.world.statusesSince(key, from).includes(bookingStatus)) {
			throw new Error(`${text} is invented: the booking does not have the new status`);
		}
		if (!this.rest && this.world.isCalmSince(this.since)) this.checkBaseline(event);
		if (previousStatus === null) {
			const wasKnown =
				this.rest?.statuses.has(key) || before.some(({ bookingID }) => bookingID === key);
			if (wasKnown) throw new Error(`${text} takes a known booking for a new one`);
			return;
		}
		if (previousStatus === bookingStatus || !this.world.had(key, previousStatus, now)) {
			throw new Error(`${text} is invented: the booking never had the previous status`);
		}
		if (!this.tellsAll()) return;
		// All changes are told: each goes on from where the one before ended.
		const last = before.findLast(({ bookingID }) => bookingID === key)?.bookingStatus;
		const known = last ?? this.rest?.statuses.get(key);
		if (known !== undefined && known !== previousStatus) {
			throw new Error(`${text} does not go on from ${known}`);
		}
	}

	/** What was before the first poll with these settings is no change. */
	private checkBaseline({ bookingID: key, previousStatus, eventId }: Event): void {
		const since = this.world.statusesSince(key, this.since);
		const existed = this.world.existedAt(key, this.since);
		const isOld = previousStatus === null ? existed : !since.includes(previousStatus);
		if (isOld) throw new Error(`${eventId} is older than the baseline`);
	}

	private tellsAll(): boolean {
		const { watch } = this.settings;
		return watch.event === 'bookingStatusChanged' && watch.to.size + watch.from.size === 0;
	}

	private checkFilter({ bookingStatus, previousStatus, eventId }: Event): void {
		const { watch } = this.settings;
		const passes =
			watch.event === 'newBooking'
				? previousStatus === null
				: watch.event === 'bookingCompleted'
					? (watch.ownersMark ? COMPLETED_OR_MARKED : COMPLETED).includes(bookingStatus)
					: (watch.to.size === 0 || watch.to.has(bookingStatus)) &&
						(watch.from.size === 0 || watch.from.has(previousStatus ?? undefined));
		if (!passes) throw new Error(`${eventId} is not watched`);
	}

	private checkComplete(key: BookingKey, rest: Rest): void {
		const { world, settings } = this;
		const { watch, chosen } = settings;
		if (rest.absent.has(key) || (chosen && !chosen.includes(key))) return;
		const was = rest.statuses.get(key);
		const is = world.statusOf(key);
		const told = this.events.filter(({ bookingID }) => bookingID === key);
		const since = world.statusesSince(key, rest.tick);
		const mustBeTold = {
			newBooking: was === undefined,
			bookingCompleted:
				watch.event === 'bookingCompleted' && watch.ownersMark
					? !world.had(key, 3, rest.tick) &&
						!world.had(key, 20, rest.tick) &&
						COMPLETED_OR_MARKED.includes(is)
					: was !== 3 && is === 3,
			bookingStatusChanged:
				watch.event === 'bookingStatusChanged' && watch.to.size > 0
					? // With a filter, only a single step is sure to pass it.
						since.length === (was === undefined ? 1 : 2) &&
						watch.to.has(is) &&
						(watch.from.size === 0 || watch.from.has(was))
					: was !== is,
		}[watch.event];
		const isTold =
			watch.event === 'newBooking'
				? told.length === 1
				: watch.event === 'bookingCompleted' && watch.ownersMark
					? told.length === 1
					: told.at(-1)?.bookingStatus === is ||
						told.some(({ bookingStatus }) => bookingStatus === is);
		const endsElsewhere = this.tellsAll() && told.length > 0 && told.at(-1)?.bookingStatus !== is;
		if (endsElsewhere || (mustBeTold && !isTold)) {
			throw new Error(`${JSON.stringify(key)}: ${was} > ${is} was not told (${since.join(' > ')})`);
		}
	}
}
