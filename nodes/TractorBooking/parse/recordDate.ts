import { calendarDay } from './calendar';
import type { ParseResult } from './issue';
import type { DateRules } from './dates';
import { parseDate } from './dates';
import { parseInstant } from './instants';
import { cleanText } from '../utils/text';

const SINCE_1970 = /^\d{10}(?:\d{3})?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/**
 * Parses the day, `YYYY-MM-DD`, in a date field of a booking record. The interface does not show its format ("Booking
 * record"), so a date in any written form, an instant, seconds or milliseconds since 1970, and `YYYYMMDD` are accepted.
 */
export function parseRecordDate(value: unknown, rules: DateRules): ParseResult<string> {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
	const digits = cleanText(text);
	const [, year, month, day] = COMPACT.exec(digits) ?? [];
	if (day !== undefined) return calendarDay(Number(year), Number(month), Number(day));
	if (!SINCE_1970.test(digits)) return parseDate(value, rules);
	const instant = parseInstant(digits, rules.timezone);
	return instant.ok ? parseDate(new Date(instant.value), rules) : instant;
}

/** Parses the dates of many records, each different value once: many bookings share a day. */
export function recordDateParser(rules: DateRules): (value: unknown) => ParseResult<string> {
	const known = new Map<unknown, ParseResult<string>>();
	return (value) => {
		let parsed = known.get(value);
		if (!parsed) known.set(value, (parsed = parseRecordDate(value, rules)));
		return parsed;
	};
}
