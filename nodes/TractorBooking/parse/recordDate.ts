import { DATE_ORDERS, parseDate, parseDateText, type DateRules } from './dates';
import { DAY_MS, dateMs, offsetMs, parseInstant } from './instants';
import type { ParseResult } from './issue';
import { memoize } from '../utils/memoize';
import { cleanText } from '../utils/text';

/** The instant that a value is, in milliseconds since 1970; undefined for a written day and anything else. */
function instantOf(value: unknown, { timezone, dateOrder }: DateRules): number | undefined {
	if (typeof value === 'object' && value !== null) return dateMs(value);
	const text = typeof value === 'number' || typeof value === 'string' ? cleanText(`${value}`) : '';
	if (/^\d{10}(?:\d{3})?$/.test(text)) {
		const instant = parseInstant(text, timezone);
		return instant.ok ? instant.value : undefined;
	}
	// A day alone, as most services write it, is not an instant.
	const written = text.length > 10 ? parseDateText(text, dateOrder) : undefined;
	return written?.ok ? written.value.instant : undefined;
}

/**
 * Parses the day, `YYYY-MM-DD`, in a date field of a booking record. The interface does not show its format ("Booking
 * record"), so a date in any written form, an instant, and seconds or milliseconds since 1970 are accepted.
 */
export function parseRecordDate(value: unknown, rules: DateRules): ParseResult<string> {
	const instant = instantOf(value, rules);
	if (instant !== undefined) return parseDate(new Date(instant), rules);
	return parseDate(value, rules);
}

/** Parses the dates of many records, each different value once: many bookings share a day. */
export function recordDateParser(rules: DateRules): (value: unknown) => ParseResult<string> {
	return memoize((value) => parseRecordDate(value, rules));
}

/** A midnight this close to an instant may be the one that was meant: those of Africa and South Asia are 17:00 to 01:00 in UTC. */
const NEAR_UTC_MIDNIGHT_MS = 7 * 3_600_000;

/**
 * The days, `YYYY-MM-DD`, that an instant may mean, the one in the workflow's timezone first: two if the day depends on
 * the timezone. Undefined for a written day and anything else.
 */
export function daysOfInstant(value: unknown, timezone: string): string[] | undefined {
	const instant = instantOf(value, { timezone });
	if (instant === undefined) return undefined;
	const clock = instant + offsetMs(timezone, instant);
	const midnight = Math.round(instant / DAY_MS) * DAY_MS;
	const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	// At midnight in UTC or in the workflow's timezone a day begins, whatever it is elsewhere.
	if (clock % DAY_MS === 0) return [dayOf(clock)];
	if (instant === midnight) return [dayOf(instant)];
	const isNear = Math.abs(instant - midnight) <= NEAR_UTC_MIDNIGHT_MS;
	return [...new Set([clock, instant, ...(isNear ? [midnight] : [])].map(dayOf))];
}

/**
 * The days, `YYYY-MM-DD`, that a date field of a booking record may mean: none if it cannot be read, two if its day
 * depends on the timezone, or on the order of day and month.
 */
export function recordDays(value: unknown, timezone: string): string[] {
	const days = daysOfInstant(value, timezone);
	if (days) return days;
	const readings = DATE_ORDERS.map((dateOrder) => parseRecordDate(value, { timezone, dateOrder }));
	return [...new Set(readings.flatMap((reading) => (reading.ok ? [reading.value] : [])))];
}
