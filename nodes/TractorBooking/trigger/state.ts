import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ListShape } from '../api/pages/fetch';
import type { BookingId } from '../api/records';

/** Version of the stored form. A version of this node that changes the form reads the forms that were released. */
const FORM = 1;

/** The first scan ends with the first round in which no page failed, and after so many at the latest. */
export const MAX_FIRST_ROUNDS = 20;

/** One reading of the whole list, page by page; it may take several polls. */
interface Round {
	next: number;
	/** The last page of this round that showed bookings; the one before the first page if none did. */
	last: number;
	/** Whether the last page that was read is said to be followed by another one. */
	moreExpected: boolean;
	/** Whether a page failed, or one that was promised was not there. */
	hasFailed: boolean;
}

/** How far the reading of the bookings has come, and what was learned about the list. */
export interface Progress {
	/** Rounds that the first scan may still take; 0 once it has ended. */
	firstRounds: number;
	/** How the list is paged, as far as that is known. */
	memory: ListShape;
	/** The page with which the last round began. */
	first: 0 | 1;
	/** The last page that is known. */
	last: number;
	/** How many bookings are asked for in a page. */
	size: number;
	/** Bookings on the longest page of the round, or of the last one. */
	longest: number;
	/** The pages with many open bookings, that which was read last as the last one. */
	crowdedPages?: readonly number[];
	/** The running round; undefined between two. */
	round?: Round;
}

export function newProgress(): Progress {
	return { firstRounds: MAX_FIRST_ROUNDS, memory: {}, first: 1, last: 0, size: 0, longest: 0 };
}

/** Whether what there was before is known. */
export const isFirstScanOver = ({ firstRounds }: Progress): boolean => firstRounds === 0;

interface BookingState {
	readonly status: number;
	/** Number of its changes that were events; part of the IDs of events, so that none is given twice. */
	readonly changes: number;
	/** The events that it had, of those that a booking has once in its life. */
	readonly firedOnce: readonly string[];
}

/** Nothing is forgotten, so that a booking that comes back is not new. */
type KnownBookings = Map<BookingId, BookingState>;

/** Bookings in one state. Its IDs: of numbers the lowest, then by how much each other one is higher; then texts. */
type StoredBookings = Array<BookingState & { ids: BookingId[] }>;

/** What decides whether a stored state can be continued. */
export interface Identity {
	/** Fingerprint of credential and base URL. */
	account: string;
	/** Fingerprint of the key: another one may be that of another organisation. */
	key: string;
}

/** A booking whose status changed lately: when, by the service's and by this machine's clock, in milliseconds. */
export type Latest = [id: BookingId, changedMs: number, atMs: number];

interface Change {
	/** The ID of the booking, under the name with which it is stored. */
	key: BookingId;
	event: string;
	/** The event's part of its ID. */
	id: string;
	/** The status before; undefined if the booking was seen for the first time. */
	previous?: number;
}

/** An event to be emitted, or emitted again. */
export interface NewEvent extends Change {
	booking: IDataObject;
	isRepeat?: boolean;
}

/** An event that was emitted lately. n8n does not resume a workflow after a crash: it may not have reached its end. */
export interface Emitted extends Change {
	atMs: number;
}

/** Everything that the trigger stores between polls. The names are keys of the stored JSON. */
export interface State extends Identity {
	/** How often a first scan has replaced all that was known; part of the IDs of changes, so that they stay unique. */
	epoch: number;
	/** When the first scan began, in milliseconds. */
	firstScanStartedAt: number;
	/** When each event was chosen, in milliseconds. */
	events: Record<string, number>;
	progress: Progress;
	/** How many bookings appeared in the running round without a date that says whether they are new. */
	unsureInRound?: number;
	/** The bookings that changed last. */
	latest: Latest[];
	/** The events that were emitted last, the latest last. */
	emitted: Emitted[];
	bookings: KnownBookings;
}

export function fingerprint(text: string, digits: number): string {
	return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function toStored(bookings: KnownBookings): StoredBookings {
	const rows = new Map<BookingState | string, StoredBookings[number]>();
	const rowOf = (state: BookingState) => {
		const text = JSON.stringify(state);
		const row = rows.get(text) ?? { ...state, ids: [] };
		rows.set(text, row).set(state, row);
		return row;
	};
	// By the state itself, too: a million bookings share some dozen of them, and to write each as JSON takes long.
	for (const [id, state] of bookings) (rows.get(state) ?? rowOf(state)).ids.push(id);
	return [...new Set(rows.values())].map((row) => {
		const numbers = Float64Array.from(row.ids.filter((id) => typeof id === 'number')).sort();
		const steps = Array.from(numbers, (id, at) => id - (numbers[at - 1] ?? 0));
		return { ...row, ids: [...steps, ...row.ids.filter((id) => typeof id === 'string')] };
	});
}

function fromStored(rows: StoredBookings): KnownBookings {
	const bookings: KnownBookings = new Map();
	for (const { ids, ...state } of rows) {
		let last = 0;
		for (const id of ids) bookings.set(typeof id === 'number' ? (last += id) : id, state);
	}
	return bookings;
}

/** The state as n8n stores it: as text, since n8n wraps objects in observers, however many there are. */
export function toText({ bookings, ...rest }: State): string {
	return JSON.stringify({ form: FORM, ...rest, bookings: toStored(bookings) });
}

function fromText(text: unknown): State | undefined {
	type Stored = Omit<State, 'bookings'> & { form: number; bookings: StoredBookings };
	try {
		const { form, bookings, ...rest } = JSON.parse(String(text)) as Stored;
		return form === FORM ? { ...rest, bookings: fromStored(bookings) } : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Loads the state, or begins a new one and says why an existing one cannot be continued. Known bookings stay known,
 * whatever events are chosen.
 *
 * @param chosen the events
 * @param nowMs instant of the poll; also the new epoch, if the stored state cannot be read
 */
export function loadState(
	stored: IDataObject | undefined,
	{ account, key }: Identity,
	chosen: readonly string[],
	nowMs: number,
): { state: State; reason?: string } {
	const state = fromText(stored?.text);
	const continued = state?.account === account ? state : undefined;
	const events = Object.fromEntries(
		chosen.map((event) => [event, continued?.events[event] ?? nowMs]),
	);
	if (continued) return { state: { ...continued, events } };
	const begun: State = {
		account,
		key,
		epoch: stored ? (state?.epoch ?? nowMs) + 1 : 0,
		firstScanStartedAt: nowMs,
		events,
		progress: newProgress(),
		latest: [],
		emitted: [],
		bookings: new Map(),
	};
	const reason =
		stored && 'The credential or its base URL was changed, or the stored state cannot be read';
	return { state: begun, reason };
}
