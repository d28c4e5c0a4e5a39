import type { IDataObject } from 'n8n-workflow';

import { statusLabel, withStatusLabel } from '../api/status';
import type { BookingKey } from '../api/identifiers';
import type { Status } from './bookings';
import type { Watch } from './events';
import type { State } from './state';
import { fingerprint } from './state';

/** An event of a booking, to be emitted. */
export interface Change {
	key: BookingKey;
	booking: IDataObject;
	watch: Watch;
	/** The event's part of its ID. */
	id: string;
	previous: Status | undefined;
	isRepeat: boolean;
}

/** What makes the IDs of one trigger and account differ from those of others. */
export function eventScope({ account, epoch }: Pick<State, 'account' | 'epoch'>): string {
	return fingerprint(`${account}\n${epoch}`, 8);
}

/**
 * The output item of an event. Its ID, e.g. `5d41402a:1042:completed`, names scope, booking, and what happened. It
 * depends on events only, because n8n does not save the state of polls without events: a change found again after a
 * crash gets the same ID, and a booking that enters a status again gets another one.
 *
 * @param scope distinguishes equal booking IDs of different services
 * @param detectedAt ISO 8601
 */
export function toEvent(
	scope: string,
	{ key, booking, watch, id, previous, isRepeat }: Change,
	detectedAt: string,
): IDataObject {
	const event: IDataObject = {
		...withStatusLabel(booking),
		bookingID: booking.bookingID ?? key,
		previousStatus: previous ?? null,
		previousStatusLabel: previous === undefined ? null : statusLabel(previous),
		event: watch.event,
		eventId: [scope, encodeURIComponent(String(key)), id].join(':'),
		detectedAt,
	};
	return isRepeat ? { ...event, isRepeat } : event;
}
