import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import type { Status } from './bookings';
import type { StoredBookings } from './memory';
import { Memory } from './memory';
import type { Progress } from './scan/progress';
import { newProgress } from './scan/progress';

/** Version of the stored form; a later version of this node has to read it. Forms before 6 were never released. */
const FORM = 6;

/** What of the settings decides whether a state is gone on with. */
export interface Identity {
	/** Fingerprint of credential and base URL: the bookings belong to it. */
	account: string;
	/** Fingerprint of the key: another one may be that of another organisation. */
	key: string;
	/** Fingerprint of the specific ids; empty for all bookings. */
	scope: string;
	/** The value of the field Trigger On. */
	event: string;
}

/**
 * The last event of a booking. n8n saves the state and starts the workflow in two steps, and does not resume a workflow
 * after a crash, so it may never have reached the workflow, or not its end.
 */
export interface Emitted {
	/** The event's part of its id. */
	id: string;
	/** The status before; undefined if the booking was seen for the first time. */
	previous?: Status;
	/** Instant of the poll, in milliseconds. */
	atMs: number;
	/** Whether n8n was restarted since: the event is emitted again as soon as the booking is seen. */
	isDue?: boolean;
}

/** A booking that changed lately, or had an event. */
export interface Recent {
	key: BookingKey;
	/** The date of its newest record that was seen, in milliseconds. */
	changedMs?: number;
	/** The status of that record. */
	status?: Status;
	/** The status of a record with an earlier date, if the booking was last met with one. */
	doubted?: Status;
	emitted?: Emitted;
}

/** Everything that the trigger stores between polls. The names are keys of the stored JSON. */
export interface State extends Identity {
	/** How often the account was changed; part of event ids, so they stay unique. */
	epoch: number;
	/** Instant of the first scan by the service's clock, in milliseconds; undefined until a response came. */
	since?: number;
	/** When the event was chosen, in milliseconds, if another one was watched before; what it watches for begins then. */
	eventSince?: number;
	/** Whether the dates of records say nothing, because nearly all were changed after the first scan had begun. */
	areDatesWorthless?: boolean;
	/** Whether a new key shows the bookings of another organisation, which are all recorded until a sweep has ended. */
	isForeign?: boolean;
	progress: Progress;
	/** The bookings that changed last, the latest last. */
	recent: Recent[];
	/** When each warning was last given, in milliseconds. */
	warned: Record<string, number>;
	memory: Memory;
}

type StoredText = Omit<State, 'memory'> & { bookings: StoredBookings };

/** A short fingerprint of a text, in hexadecimal digits. */
export function fingerprint(text: string, digits: number): string {
	return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

/**
 * Converts the state to its form in n8n's static data: one text with a checksum. A text, because n8n may reorder keys
 * and wraps nested objects in observers.
 */
export function toStored({ memory, ...rest }: State): IDataObject {
	const text = JSON.stringify({ ...rest, bookings: memory.toStored() } satisfies StoredText);
	return { form: FORM, text, checksum: fingerprint(text, 16) };
}

function newState(identity: Identity, epoch: number): State {
	return {
		...identity,
		epoch,
		progress: newProgress(),
		recent: [],
		warned: {},
		memory: new Memory(),
	};
}

function fromStored({ form, text, checksum }: IDataObject): State | undefined {
	const isWhole = typeof text === 'string' && checksum === fingerprint(text, 16);
	if (!isWhole || form !== FORM) return undefined;
	// The checksum proves that `toStored` wrote this.
	const { bookings, ...rest } = JSON.parse(text) as StoredText;
	return { ...rest, memory: Memory.from(bookings) };
}

/**
 * Loads the state, or begins a new one and says in words why an existing one is not gone on with. With another event
 * the known bookings are kept; with other specific ids, too, and for those never seen the trigger begins anew.
 *
 * @param nowMs instant of the poll; the new epoch if the stored state, and so its epoch, is unreadable
 */
export function loadState(
	stored: IDataObject | undefined,
	identity: Identity,
	nowMs: number,
): { state: State; reason?: string } {
	if (!stored) return { state: newState(identity, 0) };
	const state = fromStored(stored);
	if (!state) {
		const reason = 'The stored state is damaged, or was written by a later version of this node';
		return { state: newState(identity, nowMs), reason };
	}
	const { account, scope, event } = identity;
	if (state.account !== account) {
		const reason = 'The credential or its base URL was changed';
		return { state: newState(identity, state.epoch + 1), reason };
	}
	if (state.event !== event) state.eventSince = nowMs;
	if (state.scope !== scope) beginAnew(state);
	return { state: { ...state, scope, event } };
}

/** Lets the first scan begin once more, for bookings that were never seen; the known ones stay known. */
export function beginAnew(state: State): void {
	state.progress = newProgress();
	state.since = undefined;
	state.areDatesWorthless = undefined;
}
