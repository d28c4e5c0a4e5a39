import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { StoredBookings } from './memory';
import { Memory } from './memory';
import type { Progress } from './scan/progress';
import { newBaseline } from './scan/progress';
import type { EmittedBatch, EmittedChange } from './replay';

/** Version of the stored form; other versions are not read. */
const FORM = 2;

/** Everything that the trigger stores between polls. The names are keys of the stored JSON. */
export interface State {
	/** Fingerprint of the account that the bookings belong to. */
	account: string;
	/** Fingerprint of what is watched. */
	watched: string;
	/** How often the account was changed; part of event ids, so they stay unique. */
	epoch: number;
	progress: Progress;
	/** The changes that recent polls emitted, oldest first. */
	told: EmittedBatch[];
	/** Events to emit again after a restart, whose bookings have not been seen since. */
	again: EmittedChange[];
	memory: Memory;
}

/** Why a new baseline starts. */
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
 * Converts the state to its form in n8n's static data: a few texts with a checksum. Texts, because n8n may reorder keys
 * and wraps nested objects in observers.
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
	// The checksum proves that `toStored` wrote this.
	const { account, watched, epoch, progress, told, again, ...bookings } = JSON.parse(
		text,
	) as StoredText;
	const memory = Memory.from({ ...bookings, packed });
	return memory && { account, watched, epoch, progress, told, again, memory };
}

/**
 * Loads the state, or starts a new baseline and says why. If what is watched has changed, the known bookings are kept,
 * so event ids go on counting; another account starts empty.
 *
 * @param nowMs instant of the poll; the new epoch if the stored state, and so its epoch, is unreadable
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
