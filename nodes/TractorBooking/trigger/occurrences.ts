import type { Status } from './bookings';

/** Statuses of a round after the first one, at most: keeps the memory small, however often bookings change. */
const MAX_LATER_STATUSES = 3;

/**
 * Which events a booking has had, as far as it takes to give no event id twice. Each status has one event a
 * round; a status that comes up again begins the next round. Most bookings never get to their second one.
 */
export interface Occurrences {
	/** Number of the running round, from 1. */
	readonly round: number;
	/** Statuses that had their event in it, always in the same order. */
	readonly statuses: readonly Status[];
}

/** The rounds of a booking without any event. */
export const NO_EVENTS: Occurrences = { round: 1, statuses: [] };

function byText(a: Status, b: Status): number {
	return String(a) < String(b) ? -1 : 1;
}

/**
 * The rounds after an event.
 *
 * @param entered whether the booking has entered the status just now; if not, the event is the one that the
 * status has had already
 */
export function recordOccurrence(
	occurrences: Occurrences,
	status: Status,
	entered: boolean,
): Occurrences {
	const { round, statuses } = occurrences;
	const isNew = !statuses.includes(status);
	if (!isNew && !entered) return occurrences;
	const isRoom = round === 1 || statuses.length < MAX_LATER_STATUSES;
	return isNew && isRoom
		? { round, statuses: [...statuses, status].sort(byText) }
		: { round: round + 1, statuses: [status] };
}
