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
	status: Status;
	previous: Status | undefined;
	/** Part of the event's id. */
	round: number;
	isRepeat: boolean;
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
