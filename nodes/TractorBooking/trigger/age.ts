import type { IDataObject } from 'n8n-workflow';

import { DAY_MS } from '../utils/time';
import { changedAt, createdAt } from './bookings';
import type { State } from './state';

/** Share of the bookings that the first scan meets first, changed after it began, from which on dates are worthless. */
const WORTHLESS_SHARE = 0.9;

/** Records from which on that is judged: a single one may really have been changed. */
const MIN_DATED = 5;

/** A date so far ahead of the service's clock lies in the future: a poll takes less. */
const MIN_AHEAD_MS = 2 * 60_000;

/** No timezone is further ahead of UTC. */
const MAX_AHEAD_MS = 14 * 3_600_000;

/**
 * The instant of the first scan as the dates of bookings have it. Some services write their local time as UTC: dates in
 * the future give them away, and what was changed up to the last of these counts as changed before.
 *
 * @param nowMs by the service's clock
 */
export function sinceByDates(
	newcomers: IDataObject[],
	{ since = 0 }: State,
	nowMs: number,
): number {
	const future = newcomers
		.map((booking) => changedAt(booking)?.ms ?? 0)
		.filter((ms) => ms > nowMs + MIN_AHEAD_MS && ms <= nowMs + MAX_AHEAD_MS);
	return future.reduce((latest, ms) => Math.max(latest, ms), since);
}

/**
 * Whether the dates of bookings say nothing: nearly all were changed after the first scan began, which has only just
 * begun. Undefined as long as too few were met.
 *
 * @param newcomers bookings that were not seen before
 */
export function areDatesWorthless(
	newcomers: IDataObject[],
	{ since = 0 }: State,
): boolean | undefined {
	if (newcomers.length < MIN_DATED) return undefined;
	const late = newcomers.filter((booking) => (changedAt(booking)?.ms ?? 0) > since);
	return late.length >= WORTHLESS_SHARE * newcomers.length;
}

/**
 * Whether what a booking shows that was not seen before was so already when the trigger began. Until the first scan has
 * ended it was, unless it was changed since that scan began; afterwards, only if it was last changed more than a day
 * before.
 *
 * @param isKnown whether the booking was seen, but without a status
 */
export function isOld(
	booking: IDataObject,
	{ since = 0, areDatesWorthless: isWorthless }: State,
	wasSwept: boolean,
	isKnown: boolean,
): boolean {
	const changed = isWorthless ? undefined : changedAt(booking);
	if (!wasSwept) return !(changed?.isExact && changed.ms > since);
	return changed ? changed.ms < since - DAY_MS : isKnown;
}

/** Whether a booking was made before the trigger began, although it may have changed since. */
export function wasMadeBefore(
	booking: IDataObject,
	{ since = 0, areDatesWorthless: isWorthless }: State,
	wasSwept: boolean,
): boolean {
	const created = isWorthless ? undefined : createdAt(booking);
	return created !== undefined && created.ms < since - (wasSwept ? DAY_MS : 0);
}
