import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../api/identifiers';
import type { Status } from './bookings';
import type { StoredBookings } from './memory';
import { Memory } from './memory';
import type { Progress } from './scan/progress';
import { newProgress } from './scan/progress';

/** Version of the stored form. A version of this node that changes the form reads the forms that were released. */
const FORM = 1;

/** The settings that decide whether a stored state can be continued. */
export interface Identity {
	/** Fingerprint of credential and base URL: the bookings belong to it. */
	account: string;
	/** Fingerprint of the key: another one may be that of another organisation. */
	key: string;
	/** Fingerprint of the specific IDs; empty for all bookings. */
	scope: string;
	/** The values of the field Trigger On. */
	events: readonly string[];
}

/** A booking whose status changed lately: when, by the service's and by this machine's clock, in milliseconds. */
export type Latest = [key: BookingKey, changedMs: number, atMs: number];

/** An event that was emitted lately. n8n does not resume a workflow after a crash: it may not have reached its end. */
export interface Emitted {
	key: BookingKey;
	event: string;
	/** The event's part of its ID. */
	id: string;
	/** The status before; undefined if the booking was seen for the first time. */
	previous?: Status;
	/** Instant of the poll, in milliseconds. */
	atMs: number;
	/** Whether n8n was restarted since: the event is emitted again as soon as the booking is seen. */
	isDue?: boolean;
}

/** Everything that the trigger stores between polls. The names are keys of the stored JSON. */
export interface State extends Omit<Identity, 'events'> {
	/** How often a first scan has replaced all that was known; part of event IDs, so that they stay unique. */
	epoch: number;
	/** When the first scan began, in milliseconds. */
	since: number;
	/** When each event was chosen, in milliseconds. */
	events: Record<string, number>;
	/**
	 * For each event that was chosen later than the others, the number of rounds after which all bookings were read since:
	 * before that, the statuses may be older than the choice, since n8n stores the state at events only.
	 */
	settling: Record<string, number>;
	progress: Progress;
	/** The bookings that changed last, the latest last. */
	latest: Latest[];
	/** The events that were emitted last, the latest last. */
	emitted: Emitted[];
	memory: Memory;
}

type StoredState = Omit<State, 'memory'> & { bookings: StoredBookings };

/** A short fingerprint of a text, in hexadecimal digits. */
export function fingerprint(text: string, digits: number): string {
	return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

/** The state as n8n stores it: as text, since n8n wraps objects in observers, however many there are. */
export function toText({ memory, ...rest }: State): string {
	return JSON.stringify({ form: FORM, ...rest, bookings: memory.toStored() });
}

/** A state in which nothing is known. */
export function newState({ events, ...identity }: Identity, epoch: number, nowMs: number): State {
	return {
		...identity,
		epoch,
		since: nowMs,
		events: Object.fromEntries(events.map((event) => [event, nowMs])),
		settling: {},
		progress: newProgress(),
		latest: [],
		emitted: [],
		memory: new Memory(),
	};
}

function fromText(text: unknown): State | undefined {
	try {
		const { form, bookings, ...rest } = JSON.parse(String(text)) as StoredState & { form: number };
		return form === FORM ? { ...rest, memory: Memory.from(bookings) } : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Loads the state, or begins a new one and says why an existing one cannot be continued. Known bookings stay
 * known whatever events or specific IDs are chosen; a newly chosen event counts from now on, and so do bookings that were
 * never seen if the specific IDs have changed.
 *
 * @param nowMs instant of the poll; the new epoch if the stored state, and so its epoch, is unreadable
 */
export function loadState(
	stored: IDataObject | undefined,
	identity: Identity,
	nowMs: number,
): { state: State; reason?: string } {
	if (!stored) return { state: newState(identity, 0, nowMs) };
	const state = fromText(stored.text);
	if (!state) {
		const reason = 'The stored state is damaged, or was written by another version of this node';
		return { state: newState(identity, nowMs, nowMs), reason };
	}
	const { account, scope, events } = identity;
	if (state.account !== account) {
		const reason = 'The credential or its base URL was changed';
		return { state: newState(identity, state.epoch + 1, nowMs), reason };
	}
	if (state.scope !== scope) beginAgain(state, nowMs);
	const added = events.filter((event) => state.events[event] === undefined);
	if (added.length > 0) state.progress.round = undefined;
	const settling: State['settling'] = {};
	const chosen: State['events'] = {};
	for (const event of events) {
		chosen[event] = state.events[event] ?? nowMs;
		const rounds = added.includes(event) ? state.progress.rounds + 1 : state.settling[event];
		if (rounds !== undefined && (rounds > state.progress.rounds || chosen[event] === nowMs))
			settling[event] = rounds;
	}
	return { state: { ...state, scope, events: chosen, settling } };
}

/** Lets the first scan begin once more, for bookings that were never seen; the known ones stay known. */
export function beginAgain(state: State, nowMs: number): void {
	state.progress = newProgress();
	state.since = nowMs;
}
