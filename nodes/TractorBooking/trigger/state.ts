import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { COMPLETED, TO_COMPLETED } from '../api/status';
import type { BookingKey, Status } from './bookings';
import type { StoredBookings, StoredState } from './memory';
import { Memory } from './memory';
import type { EmittedBatch, EmittedChange } from './replay';
import type { Progress } from './scan/progress';
import { newProgress } from './scan/progress';

/** Version of the stored form. Earlier ones are converted; a later one cannot be read. */
const FORM = 3;

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
	/** Fingerprint of the event's own settings. */
	filters: string;
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
	/** `updatedAt` of the bookings that changed last, in milliseconds, the latest last. */
	updated: Array<[key: BookingKey, updatedMs: number]>;
	/** Statuses that records showed which were older than the last seen one. */
	doubted: Array<[key: BookingKey, status: Status]>;
	/** The changes that recent polls emitted, oldest first. */
	told: EmittedBatch[];
	/** Events to emit again after a restart, whose bookings have not been seen since. */
	again: EmittedChange[];
	/** When each warning was last given, in milliseconds. */
	warned: Record<string, number>;
	memory: Memory;
}

/** Why an existing state is not gone on with as it is. */
export type NewStart = 'account' | 'unreadable' | 'newer';

type StoredText = Omit<State, 'memory'> & Omit<StoredBookings, 'packed'>;

/** A short fingerprint of a text, in hexadecimal digits. */
export function fingerprint(text: string, digits: number): string {
	return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function checksumOf(text: string, packed: string): string {
	return fingerprint(`${text}\n${packed}`, 16);
}

/**
 * Converts the state to its form in n8n's static data: a few texts with a checksum. Texts, because n8n may reorder keys
 * and wraps nested objects in observers.
 */
export function toStored({ memory, ...rest }: State): IDataObject {
	const { packed, ...bookings } = memory.toStored();
	const text = JSON.stringify({ ...rest, ...bookings } satisfies StoredText);
	return { form: FORM, text, packed, checksum: checksumOf(text, packed) };
}

function newState(identity: Identity, epoch: number): State {
	return {
		...identity,
		epoch,
		progress: newProgress(),
		updated: [],
		doubted: [],
		told: [],
		again: [],
		warned: {},
		memory: new Memory(),
	};
}

/** Form 2: of versions that ended the first scan by its sweeps, and knew no dates. */
interface Form2 extends Omit<StoredBookings, 'rows'> {
	account: string;
	epoch: number;
	progress: { baseline: boolean };
	told: EmittedBatch[];
	again: EmittedChange[];
	rows: Array<[Status, number, Status[], number?, ...unknown[]]>;
}

function fromForm2(stored: Form2, identity: Identity): State | undefined {
	const { account, epoch, told, again, progress } = stored;
	const rows = stored.rows.map(([status, round, statuses, active = 0]): StoredState => {
		const isCompleted = [COMPLETED, TO_COMPLETED].some((code) => statuses.includes(code));
		return [status, round, statuses, active, isCompleted ? ['completed'] : []];
	});
	const memory = Memory.from({ ...stored, rows });
	const state = { ...newState({ ...identity, account }, epoch), told, again };
	// Without an instant of the first scan, whatever is not known is new.
	const since = progress.baseline ? undefined : 0;
	state.progress.isSwept = !progress.baseline;
	return memory && { ...state, since, memory };
}

function fromStored(stored: unknown, identity: Identity): State | undefined {
	if (typeof stored !== 'object' || stored === null) return undefined;
	const { form, text, packed, checksum } = stored as IDataObject;
	if (typeof text !== 'string' || typeof packed !== 'string') return undefined;
	if (checksum !== checksumOf(text, packed)) return undefined;
	// The checksum proves that `toStored` wrote this.
	const parsed: unknown = JSON.parse(text);
	if (form === 2) return fromForm2({ ...(parsed as Form2), packed }, identity);
	if (form !== FORM) return undefined;
	const { rows, count, names, namesRows, ...rest } = parsed as StoredText;
	const memory = Memory.from({ rows, count, packed, names, namesRows });
	return memory && { ...rest, memory };
}

/**
 * Loads the state, or begins a new one and says why. Other filters change nothing. With another event the
 * known bookings are kept; with other specific ids, too, and for those never seen the trigger begins anew.
 *
 * @param nowMs instant of the poll; the new epoch if the stored state, and so its epoch, is unreadable
 */
export function loadState(
	stored: unknown,
	identity: Identity,
	nowMs: number,
): { state: State; reason?: NewStart } {
	if (stored === undefined || stored === null) return { state: newState(identity, 0) };
	const state = fromStored(stored, identity);
	if (!state) {
		const isNewer = Number((stored as IDataObject).form) > FORM;
		return { state: newState(identity, nowMs), reason: isNewer ? 'newer' : 'unreadable' };
	}
	const { account, scope, event, filters } = identity;
	if (state.account !== account) {
		return { state: newState(identity, state.epoch + 1), reason: 'account' };
	}
	if (state.event !== event) state.eventSince = nowMs;
	if (state.scope !== scope) {
		state.progress = newProgress();
		state.since = undefined;
		state.eventSince = undefined;
	}
	// What other settings emitted is none of these.
	const isSame = state.scope === scope && state.event === event && state.filters === filters;
	const emitted = isSame ? {} : { told: [], again: [] };
	return { state: { ...state, ...emitted, scope, event, filters } };
}
