import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { StoredBookings } from './memory';
import { Memory } from './memory';
import type { Progress } from './scan/progress';
import { newBaseline } from './scan/progress';
import type { EmittedBatch, EmittedChange } from './replay';

/** Form of the stored memory. A memory of another form is not read. */
const FORM = 2;

/** Everything that the trigger keeps between polls. */
export interface State {
	/** Fingerprint of the account that the bookings belong to. */
	account: string;
	/** Fingerprint of what is watched there. */
	watched: string;
	/** How often the account was changed. Keeps event ids apart that would else be given twice. */
	epoch: number;
	progress: Progress;
	/** What the polls of the last minutes told, the oldest first. */
	told: EmittedBatch[];
	/** Events that are to be told again, since n8n was restarted, and whose bookings were not met since. */
	again: EmittedChange[];
	memory: Memory;
}

/** Why a state starts with a new baseline. */
export type BaselineReason = 'first' | 'account' | 'watched' | 'unreadable';

type StoredText = Omit<State, 'memory'> & Omit<StoredBookings, 'packed'>;

/** A short fingerprint of a text, in hexadecimal digits. */
export function fingerprint(text: string, digits: number): string {
	return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function checksumOf(text: string, packed: string): string {
	return fingerprint(`${text}\n${packed}`, 16);
}

/**
 * The state as it goes into n8n's static data: a few texts, so that neither the order of keys nor n8n's
 * observing of nested objects matters, with a checksum over them.
 */
export function toStored({ memory, ...rest }: State): IDataObject {
	const { packed, ...bookings } = memory.toStored();
	const text = JSON.stringify({ ...rest, ...bookings } satisfies StoredText);
	return { form: FORM, text, packed, checksum: checksumOf(text, packed) };
}

function fromStored(stored: unknown): State | undefined {
	if (typeof stored !== 'object' || stored === null) return undefined;
	const { form, text, packed, checksum } = stored as IDataObject;
	if (form !== FORM || typeof text !== 'string' || typeof packed !== 'string') return undefined;
	if (checksum !== checksumOf(text, packed)) return undefined;
	// The checksum says that this is what `toStored` wrote.
	const { account, watched, epoch, progress, told, again, ...bookings } = JSON.parse(
		text,
	) as StoredText;
	const memory = Memory.from({ ...bookings, packed });
	return memory && { account, watched, epoch, progress, told, again, memory };
}

/**
 * The state to go on with, and why it begins with a baseline if it does. A changed filter keeps what is
 * known of the bookings, so that event ids go on counting; another account starts with nothing.
 *
 * @param nowMs instant of the poll: the epoch after a memory that cannot be read, whose own is lost
 */
export function loadState(
	stored: unknown,
	account: string,
	watched: string,
	nowMs: number,
): { state: State; reason?: BaselineReason } {
	const fresh = { account, watched, progress: newBaseline(), told: [], again: [] };
	if (stored === undefined || stored === null) {
		return { state: { ...fresh, epoch: 0, memory: Memory.empty() }, reason: 'first' };
	}
	const state = fromStored(stored);
	if (!state) {
		return { state: { ...fresh, epoch: nowMs, memory: Memory.empty() }, reason: 'unreadable' };
	}
	if (state.account !== account) {
		const epoch = state.epoch + 1;
		return { state: { ...fresh, epoch, memory: Memory.empty() }, reason: 'account' };
	}
	if (state.watched !== watched) {
		state.memory.becomeStale();
		return { state: { ...state, ...fresh }, reason: 'watched' };
	}
	return { state };
}
