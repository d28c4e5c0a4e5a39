import type { IDataObject } from 'n8n-workflow';

import { DAY_MS } from '../utils/time';
import type { BookingKey } from '../api/identifiers';
import type { Status } from './bookings';
import { changedAt } from './bookings';
import type { Settings } from './settings';
import type { Emitted, Recent } from './state';

/** Bookings of which is remembered when they changed last. */
const MAX_RECENT = 500;

/** Events of polls within this time before a restart of n8n are emitted again, as soon as their bookings are met. */
const REPEATED_MS = 15 * 60_000;

/** The bookings that changed last: their events may have to be emitted again, and older records of them are doubted. */
export class RecentBookings {
	private readonly entries: Map<BookingKey, Recent>;

	/** @param isFirstSinceStart whether this is the first poll since n8n started */
	constructor(
		stored: Recent[],
		{ repeatsAfterRestart }: Settings,
		private readonly nowMs: number,
		isFirstSinceStart: boolean,
	) {
		const repeatable = (emitted: Emitted | undefined) => {
			if (!emitted || !repeatsAfterRestart) return undefined;
			// Every booking is read within a day.
			const isOver = nowMs - emitted.atMs > (emitted.isDue ? DAY_MS : REPEATED_MS);
			const isDue = emitted.isDue ?? isFirstSinceStart;
			return isOver ? undefined : { ...emitted, isDue: isDue || undefined };
		};
		this.entries = new Map(
			stored.map((entry) => [entry.key, { ...entry, emitted: repeatable(entry.emitted) }]),
		);
	}

	/** The bookings whose events are to be emitted again. */
	get dueKeys(): BookingKey[] {
		return [...this.entries.keys()].filter((key) => this.due(key));
	}

	/** The event of a booking that is to be emitted again. */
	due(key: BookingKey): Emitted | undefined {
		const emitted = this.entries.get(key)?.emitted;
		return emitted?.isDue ? emitted : undefined;
	}

	/**
	 * Notes that an event of a booking is emitted now, or that none is due any more.
	 *
	 * @param id undefined if no event is emitted that may have to be repeated
	 */
	noteEvent(key: BookingKey, id: string | undefined, previous: Status | undefined): void {
		const emitted = id === undefined ? undefined : { id, previous, atMs: this.nowMs };
		if (emitted || this.due(key)) this.entries.set(key, { ...this.entries.get(key), key, emitted });
	}

	/** Notes that a booking has changed; of an older record only that, so that the newest one stays known. */
	noteChange(key: BookingKey, booking: IDataObject, status: Status): void {
		const entry = this.entries.get(key);
		const newest = this.isOlder(key, booking)
			? entry
			: { changedMs: changedAt(booking)?.ms, status };
		// The latest last.
		this.entries.delete(key);
		this.entries.set(key, { ...entry, ...newest, key });
	}

	/** Whether a record is the newest one of its booking once more: what came in between was outdated. */
	isNewestAgain(key: BookingKey, booking: IDataObject, status: Status): boolean {
		const newest = this.entries.get(key);
		if (newest?.changedMs === undefined) return false;
		return newest.changedMs === changedAt(booking)?.ms && newest.status === status;
	}

	/**
	 * Whether a record that shows another status is older than the newest one of its booking that was seen: it is
	 * believed if the next poll shows it again.
	 */
	isDoubtful(key: BookingKey, booking: IDataObject, status: Status): boolean {
		const entry = this.entries.get(key);
		if (!entry) return false;
		const isDoubtful = this.isOlder(key, booking) && status !== entry.doubted;
		entry.doubted = isDoubtful ? status : undefined;
		return isDoubtful;
	}

	private isOlder(key: BookingKey, booking: IDataObject): boolean {
		const { changedMs = 0 } = this.entries.get(key) ?? {};
		return (changedAt(booking)?.ms ?? Infinity) < changedMs;
	}

	/** What the next poll needs of them: the events, and the bookings that changed last. */
	toStored(): Recent[] {
		const oldest = this.entries.size - MAX_RECENT;
		return [...this.entries.values()].filter(({ emitted }, at) => emitted ?? at >= oldest);
	}
}
