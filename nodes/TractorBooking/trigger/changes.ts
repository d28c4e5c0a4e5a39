import type { IDataObject } from 'n8n-workflow';

import { COMPLETED, statusLabel, TO_COMPLETED, withStatusLabel } from '../api/status';
import type { BookingKey, Status } from './bookings';
import type { BookingState } from './bookingState';
import type { Memory } from './memory';
import { activityOf, bookingKey, isFinal, mayMove, toStatus } from './bookings';
import type { Occurrences } from './occurrences';
import { NO_EVENTS, recordOccurrence } from './occurrences';

/** A booking that was seen for the first time, or whose status differs from the stored one. */
export interface Change {
	key: BookingKey;
	booking: IDataObject;
	status: Status;
	/** The stored status; undefined for a booking that was seen for the first time. */
	previous: Status | undefined;
	/** The booking's events before and after this change, if the change is an event. */
	occurrencesBefore: Occurrences;
	occurrences: Occurrences;
	/** Whether a baseline recorded this; then it is no change yet. */
	baseline: boolean;
}

/** The changes that a trigger node emits. */
export type Watch =
	| { event: 'newBooking' }
	/** `treatToCompletedAsCompleted`: whether 20 counts as completed, too. Each booking then completes only once. */
	| { event: 'bookingCompleted'; treatToCompletedAsCompleted: boolean }
	/** An empty set means any status. `from` may hold undefined for "seen for the first time". */
	| {
			event: 'bookingStatusChanged';
			from: ReadonlySet<Status | undefined>;
			to: ReadonlySet<Status>;
	  };

/** Day of last activity, or 0 if the booking is final or idle. A change is activity, too. */
function activeDay(booking: IDataObject, status: Status, changedOn: number, today: number): number {
	const day = isFinal(status) ? 0 : Math.max(activityOf(booking), changedOn);
	return mayMove(day, today) ? day : 0;
}

/**
 * Compares a record with the memory and updates the memory; events are recorded by `noteEvent`.
 *
 * @param baseline whether a baseline is running: bookings that it sees for the first time are not new
 * @param today day of the poll, counted from 1970
 * @returns undefined if nothing changed, or if the record has no `bookingID`
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
	// A record without a status keeps the known one.
	const status = shown ?? known?.status ?? null;
	const taking = baseline && (known === undefined || known.stale);
	const changed = known?.status !== status;
	if (known && !changed && !taking) {
		refresh(memory, key, known, booking, today);
		return undefined;
	}
	const occurrencesBefore = known?.occurrences ?? NO_EVENTS;
	// A booking in a baseline may be old, so the day of the poll counts only if the record has no date.
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

/** Marks an unchanged booking as seen, with newer activity if there is any. */
function refresh(
	memory: Memory,
	key: BookingKey,
	known: BookingState,
	booking: IDataObject,
	today: number,
): void {
	const active = activeDay(booking, known.status, 0, today);
	// A final booking is only marked active to be re-read after a restart; clear the mark.
	const isFound = isFinal(known.status) && known.active > 0;
	if (active > known.active || isFound) {
		memory.set(key, { ...known, active, missedSweeps: 0, seen: true, stale: false });
	} else {
		memory.markSeen(key);
	}
}

/** Records a change as an event, emitted or not, so no other event gets its id. */
export function noteEvent(memory: Memory, { key, occurrences, occurrencesBefore }: Change): void {
	const known = memory.get(key);
	if (known && occurrences !== occurrencesBefore) memory.set(key, { ...known, occurrences });
}

function isCompletion(status: Status): boolean {
	return status === COMPLETED || status === TO_COMPLETED;
}

/** Whether the change matches what the node watches. */
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

/** Whether an event that was emitted with this status is still true for the booking. */
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

/** What happened, as part of the event id; independent of previously seen statuses. */
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
 * The id of an event, e.g. `5d41402a:1042:completed:1`: scope, booking, what happened, and the round of its events.
 * It depends on events only, because n8n does not save the state of polls without events: a change found again after
 * a crash gets the same id, and a booking that enters a status again gets another one.
 *
 * @param scope distinguishes equal booking ids of different services
 */
export function eventId(scope: string, watch: Watch, change: Change): string {
	return [scope, encodeURIComponent(String(change.key)), happening(watch, change)].join(':');
}

/** The output item for a change. */
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
