import type { IDataObject } from 'n8n-workflow';

import { COMPLETED, statusLabel, TO_COMPLETED, withStatusLabel } from '../api/status';
import type { BookingKey, Status } from './bookings';
import type { BookingState } from './bookingState';
import type { Memory } from './memory';
import { activityOf, bookingKey, isFinal, mayMove, toStatus } from './bookings';
import type { Occurrences } from './occurrences';
import { NO_EVENTS, recordOccurrence } from './occurrences';

/** A booking that was met for the first time, or whose status is another than the remembered one. */
export interface Change {
	key: BookingKey;
	booking: IDataObject;
	status: Status;
	/** The remembered status; undefined for a booking that was met for the first time. */
	previous: Status | undefined;
	/** The booking's rounds of events, before and after the event that this change may be. */
	occurrencesBefore: Occurrences;
	occurrences: Occurrences;
	/** Whether a baseline recorded this: it says how things are, not that they changed. */
	baseline: boolean;
}

/** Which changes a node tells about. */
export type Watch =
	| { event: 'newBooking' }
	/** `treatToCompletedAsCompleted`: whether 20 counts as completed, too. A booking then completes once for all. */
	| { event: 'bookingCompleted'; treatToCompletedAsCompleted: boolean }
	/** Empty sets mean any status. `from` may hold undefined for "met for the first time". */
	| {
			event: 'bookingStatusChanged';
			from: ReadonlySet<Status | undefined>;
			to: ReadonlySet<Status>;
	  };

/** Day of the last sign of life to remember: 0 for a booking at rest. A change is a sign, too. */
function activeDay(booking: IDataObject, status: Status, changedOn: number, today: number): number {
	const day = isFinal(status) ? 0 : Math.max(activityOf(booking), changedOn);
	return mayMove(day, today) ? day : 0;
}

/**
 * Compares a record with the memory and records it there; what is told of it is for `noteEvent` to record.
 *
 * @param baseline whether a baseline is being taken: what it meets for the first time is not new
 * @param today day of the poll, counted from 1970
 * @returns what changed; undefined where nothing did, or the record has no `bookingID`
 */
export function observe(
	memory: Memory,
	booking: IDataObject,
	baseline: boolean,
	today: number,
): Change | undefined {
	const key = bookingKey(booking);
	if (key === undefined) return undefined;
	const known = memory.get(key);
	const shown = toStatus(booking.bookingStatus);
	// A record without a status says nothing about it: what is known stays known.
	const status = shown ?? known?.status ?? null;
	const taking = baseline && (known === undefined || known.stale);
	const changed = known?.status !== status;
	if (known && !changed && !taking) {
		refresh(memory, key, known, booking, today);
		return undefined;
	}
	const occurrencesBefore = known?.occurrences ?? NO_EVENTS;
	// What a baseline meets may be old; its day counts only where the record shows none.
	const changedOn = taking && activityOf(booking) > 0 ? 0 : today;
	const active = activeDay(booking, status, changedOn, today);
	memory.set(key, {
		status,
		occurrences: occurrencesBefore,
		active,
		missedSweeps: 0,
		seen: true,
		stale: false,
	});
	const previous = taking ? undefined : known?.status;
	const occurrences = recordOccurrence(occurrencesBefore, status, changed);
	return {
		key,
		booking,
		status,
		previous,
		occurrencesBefore,
		occurrences,
		baseline: taking,
	};
}

/** Notes that a booking is as it was; only its signs of life may be newer. */
function refresh(
	memory: Memory,
	key: BookingKey,
	known: BookingState,
	booking: IDataObject,
	today: number,
): void {
	const active = activeDay(booking, known.status, 0, today);
	// One that is settled and marked all the same was to be found at once after a restart; now it is.
	const isFound = isFinal(known.status) && known.active > 0;
	if (active > known.active || isFound) {
		memory.set(key, { ...known, active, missedSweeps: 0, seen: true, stale: false });
	} else {
		memory.markSeen(key);
	}
}

/** Records that a change is an event, told or not, so that no other one gets its id. */
export function noteEvent(memory: Memory, { key, occurrences, occurrencesBefore }: Change): void {
	const known = memory.get(key);
	if (known && occurrences !== occurrencesBefore) memory.set(key, { ...known, occurrences });
}

function isCompletion(status: Status): boolean {
	return status === COMPLETED || status === TO_COMPLETED;
}

/** Whether a node that watches this tells about the change. */
export function isWatched(watch: Watch, change: Change): boolean {
	const { status, previous, occurrencesBefore, baseline } = change;
	switch (watch.event) {
		case 'newBooking':
			return previous === undefined;
		case 'bookingCompleted':
			if (!watch.treatToCompletedAsCompleted) return status === COMPLETED;
			return isCompletion(status) && (baseline || !occurrencesBefore.statuses.some(isCompletion));
		case 'bookingStatusChanged':
			return (
				(watch.from.size === 0 || watch.from.has(previous)) &&
				(watch.to.size === 0 || watch.to.has(status))
			);
	}
}

/** Whether an event with this status, once told, still says how the booking is. */
export function isStillTrue(watch: Watch, emitted: Status, status: Status): boolean {
	switch (watch.event) {
		case 'newBooking':
			return true;
		case 'bookingCompleted':
			return watch.treatToCompletedAsCompleted ? isCompletion(status) : status === COMPLETED;
		case 'bookingStatusChanged':
			return status === emitted;
	}
}

/** What happened, as part of an event's id; it does not depend on the statuses that were seen before. */
function happening(watch: Watch, { status, occurrences }: Change): string {
	const round = String(occurrences.round);
	switch (watch.event) {
		case 'newBooking':
			return 'new';
		case 'bookingCompleted':
			return `${watch.treatToCompletedAsCompleted ? 'completed-once' : 'completed'}:${round}`;
		case 'bookingStatusChanged':
			return `status-${encodeURIComponent(String(status ?? ''))}:${round}`;
	}
}

/**
 * Identity of an event, e.g. `5d41402a:1042:completed:1`: where the booking lives, the booking, what
 * happened to it, and in which round of its events. It is made of the events alone, not of what polls
 * without an event have seen, whose memory n8n does not save: a change found again after a crash gets the
 * same id, while a booking that enters a status again gets another one.
 *
 * @param scope what tells the same booking id of another service apart
 */
export function eventId(scope: string, watch: Watch, change: Change): string {
	return [scope, encodeURIComponent(String(change.key)), happening(watch, change)].join(':');
}

/** The item that a workflow gets for a change. */
export function toEvent(
	scope: string,
	watch: Watch,
	change: Change,
	detectedAt: string,
): IDataObject {
	const { booking, previous } = change;
	return {
		...withStatusLabel(booking),
		previousStatus: previous ?? null,
		previousStatusLabel: previous === undefined ? null : statusLabel(previous),
		eventId: eventId(scope, watch, change),
		detectedAt,
	};
}
