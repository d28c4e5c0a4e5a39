import { calendarDay, utcDay } from './calendar';
import type { DateRules } from './dates';
import { parseDate } from './dates';
import type { DateOrder } from './dateText';
import { parseDateText } from './dateText';
import { dateMs, offsetMs, parseInstant } from './instants';
import type { ParseResult } from './issue';
import { memoize } from '../utils/memoizer';
import { cleanText } from '../utils/text';
import { DAY_MS } from '../utils/time';

const SINCE_1970 = /^\d{10}(?:\d{3})?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

const HOUR_MS = 3_600_000;

/** An instant this close to midnight may be of the day beside it, in a timezone near the workflow's. */
const NEAR_MIDNIGHT_MS = 3 * HOUR_MS;

/** How to read the dates of the records of a service. */
export interface RecordDateRules extends DateRules {
	/** Time of day in UTC that nearly all instants have, in milliseconds, see {@link sharedTimeOf}. */
	sharedTime?: number;
}

/** The instant that a value is, in milliseconds since 1970; undefined for a written day and anything else. */
function instantOf(value: unknown, { timezone, dateOrder }: DateRules) {
	if (typeof value === 'object' && value !== null) return dateMs(value);
	const text = typeof value === 'number' || typeof value === 'string' ? cleanText(`${value}`) : '';
	if (SINCE_1970.test(text)) {
		const instant = parseInstant(text, timezone);
		return instant.ok ? instant.value : undefined;
	}
	// A day alone, as most services write it, is no instant.
	if (text.length <= 10) return undefined;
	const written = parseDateText(text, dateOrder);
	if (!written.ok || written.value.utcTime === undefined) return undefined;
	return Date.parse(`${written.value.day}T${written.value.utcTime}Z`);
}

/** Share of instants with one time of day from which on that may be midnight in the service's timezone. */
const MIDNIGHTS_SHARE = 0.75;

/**
 * The time of day in UTC, in milliseconds, that nearly all instants among the values share, if it can be midnight in
 * some timezone.
 */
export function sharedTimeOf(values: Iterable<unknown>, rules: DateRules): number | undefined {
	const counts = new Map<number, number>();
	let total = 0;
	for (const value of values) {
		const instant = instantOf(value, rules);
		if (instant === undefined) continue;
		total += 1;
		counts.set(instant % DAY_MS, (counts.get(instant % DAY_MS) ?? 0) + 1);
	}
	// Offsets of timezones are multiples of 15 minutes.
	const isShared = ([time, count]: [number, number]) =>
		count >= MIDNIGHTS_SHARE * total && time % (HOUR_MS / 4) === 0;
	return [...counts].find(isShared)?.[0];
}

/**
 * Whether it is midnight in a timezone from Cape Verde (UTC-1) to Mauritius (UTC+4). Midnights elsewhere are hours at
 * which tractors work in Africa.
 */
function isAfricanMidnight(instant: number): boolean {
	const hour = (instant % DAY_MS) / HOUR_MS;
	return Number.isInteger(hour) && (hour <= 1 || hour >= 20);
}

/** Whether a day begins at an instant: in UTC, in the workflow's timezone, or in that of the service. */
function isMidnight(instant: number, { timezone, sharedTime }: RecordDateRules): boolean {
	const time = instant % DAY_MS;
	const isServices = time === sharedTime && isAfricanMidnight(instant);
	return time === 0 || isServices || (instant + offsetMs(timezone, instant)) % DAY_MS === 0;
}

/** The day that begins at an instant, if one does, in milliseconds since 1970 in UTC. */
function dayFrom(instant: number, { timezone }: DateRules): number {
	const clock = instant + offsetMs(timezone, instant);
	const time = instant % DAY_MS;
	// Up to noon, it is midnight west of Greenwich, on the same day as in UTC; else east of it.
	const elsewhere = time <= DAY_MS / 2 ? instant - time : instant - time + DAY_MS;
	return clock % DAY_MS === 0 ? clock : elsewhere;
}

/**
 * Parses the day, `YYYY-MM-DD`, in a date field of a booking record. The interface does not show its format ("Booking
 * record"), so a date in any written form, an instant, seconds or milliseconds since 1970, and `YYYYMMDD` are accepted.
 */
export function parseRecordDate(value: unknown, rules: RecordDateRules): ParseResult<string> {
	const instant = instantOf(value, rules);
	if (instant !== undefined)
		return isMidnight(instant, rules)
			? utcDay(dayFrom(instant, rules))
			: parseDate(new Date(instant), rules);
	const text = typeof value === 'number' || typeof value === 'string' ? `${value}` : '';
	const [, year, month, day] = COMPACT.exec(cleanText(text)) ?? [];
	if (day !== undefined) return calendarDay(Number(year), Number(month), Number(day));
	return parseDate(value, rules);
}

/** Another day that an instant may mean. */
export interface OtherDay {
	/** `YYYY-MM-DD` */
	day: string;
	/** Whether it is as likely as the day in the workflow's timezone. */
	isLikely: boolean;
}

/**
 * The other day that an instant may mean: the day beside its own, if it is within three hours of midnight in the
 * workflow's timezone; else the day that begins then in an African timezone; else, less likely, the one that begins
 * then anywhere, if nearly all instants share the time. Undefined if there is none, or its day is certain.
 */
export function otherDayOf(value: unknown, rules: RecordDateRules): OtherDay | undefined {
	const instant = instantOf(value, rules);
	if (instant === undefined || isMidnight(instant, rules)) return undefined;
	const clock = instant + offsetMs(rules.timezone, instant);
	const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	const begun = dayFrom(instant, rules);
	const likely = [clock - NEAR_MIDNIGHT_MS, clock + NEAR_MIDNIGHT_MS];
	if (isAfricanMidnight(instant)) likely.push(begun);
	const isOther = (ms: number) => dayAt(ms) !== dayAt(clock);
	const other = likely.find(isOther);
	if (other !== undefined) return { day: dayAt(other), isLikely: true };
	const isShared = instant % DAY_MS === rules.sharedTime && isOther(begun);
	return isShared ? { day: dayAt(begun), isLikely: false } : undefined;
}

const ORDERS: readonly DateOrder[] = ['dayFirst', 'monthFirst'];

/**
 * The order of day and month in the dates of a service. If some are ambiguous (03/04/2026), it is the one with which all
 * of them can be read.
 */
export function dateOrderOf(dates: ReadonlySet<unknown>, timezone: string): DateOrder {
	const readsAll = (dateOrder: DateOrder) =>
		[...dates].every((value) => parseRecordDate(value, { timezone, dateOrder }).ok);
	const orders = readsAll('refuse') ? [] : ORDERS.filter(readsAll);
	return (orders.length === 1 && orders[0]) || 'refuse';
}

/** Parses the dates of many records, each different value once: many bookings share a day. */
export function recordDateParser(rules: RecordDateRules): (value: unknown) => ParseResult<string> {
	return memoize((value) => parseRecordDate(value, rules));
}

/** A midnight this close to an instant may be the one that a service meant: those of Africa are 20:00 to 01:00 in UTC. */
const NEAR_UTC_MIDNIGHT_MS = 4 * HOUR_MS;

/**
 * The days, `YYYY-MM-DD`, that a date field of a booking record may mean: none if it cannot be read, two if it is an
 * instant of which the day depends on the timezone, or a date of which the order of day and month is not known. The
 * interface does not show its format ("Booking record"), so a date in any written form, an instant, seconds or
 * milliseconds since 1970, and `YYYYMMDD` are read.
 */
export function recordDays(value: unknown, timezone: string): string[] {
	const instant = instantOf(value, { timezone });
	if (instant === undefined) return writtenDays(value, timezone);
	const clock = instant + offsetMs(timezone, instant);
	const midnight = Math.round(instant / DAY_MS) * DAY_MS;
	const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	// At midnight in UTC or in the workflow's timezone a day begins, whatever it is elsewhere.
	if (instant === midnight || clock % DAY_MS === 0)
		return [dayOf(clock % DAY_MS === 0 ? clock : instant)];
	const isNear = Math.abs(instant - midnight) <= NEAR_UTC_MIDNIGHT_MS;
	return [...new Set([dayOf(clock), ...(isNear ? [dayOf(midnight)] : [])])];
}

function writtenDays(value: unknown, timezone: string): string[] {
	const text = typeof value === 'number' || typeof value === 'string' ? cleanText(`${value}`) : '';
	const [, year, month, day] = COMPACT.exec(text) ?? [];
	const readings =
		day === undefined
			? ORDERS.map((dateOrder) => parseDate(value, { timezone, dateOrder }))
			: [calendarDay(Number(year), Number(month), Number(day))];
	return [...new Set(readings.flatMap((reading) => (reading.ok ? [reading.value] : [])))];
}
