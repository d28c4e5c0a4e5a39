import type { Status } from './bookings';

/** Max number of statuses in a round after the first; keeps the state small, however often bookings change. */
const MAX_LATER_STATUSES = 3;

/**
 * The events that a booking has had, as far as needed to give no event id twice. Each status has one event per round;
 * a repeated status starts the next round. Most bookings stay in their first.
 */
export interface Occurrences {
	/** Number of the current round, from 1. */
	readonly round: number;
	/** Statuses that had their event in this round, in a fixed order. */
	readonly statuses: readonly Status[];
}

/** The occurrences of a booking without any event. */
export const NO_EVENTS: Occurrences = { round: 1, statuses: [] };

function byText(a: Status, b: Status): number {
	return String(a) < String(b) ? -1 : 1;
}

/** The occurrences after the event of a booking that has entered a status. */
export function recordOccurrence({ round, statuses }: Occurrences, status: Status): Occurrences {
	const isNew = !statuses.includes(status);
	const isRoom = round === 1 || statuses.length < MAX_LATER_STATUSES;
	return isNew && isRoom
		? { round, statuses: [...statuses, status].sort(byText) }
		: { round: round + 1, statuses: [status] };
}
