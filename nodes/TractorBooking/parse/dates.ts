import { ok, type ParseResult } from './issue';
import { invalid } from './sentences';
import { memoize } from '../utils/memoize';
import { asText, cleanText, fold, isTimeHeading } from '../utils/text';

export const DAY_MS = 86_400_000;

/** How to read `03/04/2026`: not, as 3 April, or as 4 March. */
export type DateOrder = 'refuse' | 'dayFirst' | 'monthFirst';

export const DATE_ORDERS = ['dayFirst', 'monthFirst'] as const satisfies DateOrder[];

export interface DateRules {
	/** The workflow's timezone, an IANA name. */
	timezone: string;
	/** How to read `03/04/2026`; if undefined, since the user cannot set it, it is rejected. */
	dateOrder?: DateOrder;
}

/** The clock of a timezone, made once: making it takes fifty times as long as reading it. */
const clockIn = memoize(
	(timeZone: string) =>
		new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

/** Offset of a timezone (an IANA name, else a RangeError) from UTC at an instant, in milliseconds; positive east of Greenwich. */
export function offsetMs(timezone: string, instantMs: number): number {
	const clock = clockIn(timezone).format(instantMs);
	return Date.parse(`${clock.replace(' ', 'T')}Z`) - Math.floor(instantMs / 1_000) * 1_000;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export function todayIn(timezone: string, now: Date): string {
	return dayOf(now.getTime() + offsetMs(timezone, now.getTime()));
}

/** Excel counts a 29 February 1900 that did not exist: from 1 March 1900 on, its days count from here. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);

export function serialOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? cleanText(value) : '';
	return /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

/** A date as it is shown to a person: a number by its day, as spreadsheets show it, and a text that is a number with its day. */
export function shownDate(cell: unknown): unknown {
	const day = parseDays(serialOf(cell), { timezone: 'UTC' });
	if (!day.ok) return cell;
	return typeof cell === 'number' ? day.value[0] : `${asText(cell)} (${day.value[0]})`;
}

/** A cell as it is shown to a person: under a heading that says so, Excel's number of a moment is its day and time. */
export function shownTime(heading: string, cell: string): string {
	const serial = isTimeHeading(heading) ? serialOf(cell) : undefined;
	if (serial === undefined || !parseDays(serial, { timezone: 'UTC' }).ok) return cell;
	const ms = EXCEL_EPOCH + Math.round(serial * 86_400) * 1_000;
	const [day = '', time = ''] = new Date(ms).toISOString().split(/T|\./);
	return time === '00:00:00' ? day : `${day} ${time}`;
}

/** The text of a cell. A Date and luxon's DateTime are what JSON makes of them: n8n's expressions give those of another realm. */
const textOf = (value: unknown): string =>
	cleanText(typeof value === 'string' ? value : asText(value).replace(/^"|"$/g, ''));

/**
 * Parses a day as `YYYY-MM-DD` (interface, "Booking create request"): the days that it may mean, the one in the
 * workflow's timezone first.
 *
 * - A written date is its day, whatever time or offset follows it.
 * - An Excel serial number is its day; its fraction, the time of day, is dropped.
 * - A time in UTC (`Z`, `+00:00`, a Date) is its day in the workflow's timezone, and the day that it is elsewhere. At
 *   midnight in UTC or in the workflow's timezone, it is the day that begins: spreadsheet readers turn a date into it.
 */
export function parseDays(value: unknown, rules: DateRules): ParseResult<[string, ...string[]]> {
	const serial = serialOf(value);
	if (serial !== undefined) {
		// A formula may compute midnight as a moment before it.
		const ms = EXCEL_EPOCH + Math.floor(serial + 0.5 / 86_400) * DAY_MS;
		return ms >= Date.UTC(2000, 0) && ms < Date.UTC(2100, 0)
			? ok([dayOf(ms)])
			: invalid('dateNumber');
	}
	const written = parseWritten(textOf(value), rules.dateOrder);
	if (!written.ok) return written;
	const { day, time, zone = '' } = written.value;
	const isUtc = /^(?:z|utc|gmt|[+-]00(?::?00)?)$/i.test(zone);
	const days = isUtc ? daysOf(Date.parse(`${day}T${time}Z`), rules.timezone) : [day];
	const [first = '', ...others] = days;
	// Service dates outside these years are typing errors.
	return /^20/.test(first) ? ok([first, ...others]) : invalid('century');
}

/** A midnight this close to an instant may be the one that was meant: those of Africa and South Asia are 17:00 to 01:00 in UTC. */
const NEAR_UTC_MIDNIGHT_MS = 7 * 3_600_000;

function daysOf(instant: number, timezone: string): string[] {
	const clock = instant + offsetMs(timezone, instant);
	const midnight = Math.round(instant / DAY_MS) * DAY_MS;
	if (instant === midnight) return [dayOf(instant)];
	if (clock % DAY_MS === 0) return [dayOf(clock)];
	const isNear = Math.abs(instant - midnight) <= NEAR_UTC_MIDNIGHT_MS;
	return [...new Set([clock, instant, ...(isNear ? [midnight] : [])].map(dayOf))];
}

/** Parses the day, `YYYY-MM-DD`, that a value means, or means in the workflow's timezone. */
export function parseDate(value: unknown, rules: DateRules): ParseResult<string> {
	const days = parseDays(value, rules);
	return days.ok ? ok(days.value[0]) : days;
}

/** Parses the dates of many records, each different value once: many bookings share a day. */
export const dateParser = (rules: DateRules): ((value: unknown) => ParseResult<string>) =>
	memoize((value) => parseDate(value, rules));

/**
 * The days that the date of a booking record may mean, whose format the interface does not show ("Booking record"): none if
 * it cannot be read, two if its day depends on the timezone, or on the order of day and month.
 */
export function recordDays(value: unknown, timezone: string): string[] {
	const readings = DATE_ORDERS.map((dateOrder) => parseDays(value, { timezone, dateOrder }));
	return [...new Set(readings.flatMap((reading) => (reading.ok ? reading.value : [])))];
}

/**
 * Parses an instant, as milliseconds since 1970: a date with a time, a DateTime or Date, seconds or milliseconds since 1970.
 *
 * @param timezone IANA name; used if a text has no offset
 */
export function parseInstant(value: unknown, timezone: string): ParseResult<number> {
	const ms = instantMs(value, timezone);
	return Number.isFinite(ms) ? ok(ms) : invalid('instant');
}

function instantMs(value: unknown, timezone: string): number {
	// 10^11 seconds is the year 5138, 10^11 milliseconds is 1973.
	if (typeof value === 'number') return value < 1e11 ? value * 1_000 : value;
	const text = textOf(value);
	if (/^\d{10}(?:\d{3})?$/.test(text)) return instantMs(Number(text), timezone);
	const written = parseWritten(text);
	if (!written.ok) return NaN;
	const { day, time, zone } = written.value;
	const offset = zone?.replace(/[a-z]+/i, 'Z').replace(/^([+-]\d\d)$/, '$1:00');
	const clockMs = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
	if (offset !== undefined || Number.isNaN(clockMs)) return clockMs;
	// The offset at the guess differs if the clocks changed in between.
	const guess = clockMs - offsetMs(timezone, clockMs);
	return clockMs - offsetMs(timezone, guess);
}

const [D, M, Y] = ['(?:[dj]{1,2}|day|jour)', '(?:m{1,3}|month|mois)', '(?:[ya]{1,4}|year|annee)'];

// Without a sign in between, an acronym at the end of a heading would be one: `MDA`.
const FORMATS: ReadonlyArray<[order: DateOrder, format: RegExp]> = (
	[
		['dayFirst', [D, M, Y]],
		['monthFirst', [M, D, Y]],
		// Years of two digits would be read as days.
		['refuse', ['(?:[ya]{4}|year|annee)', M, D]],
	] as const
).map(([order, parts]) => [order, new RegExp(`^${parts.join('\\W+')}(?: h.*)?$`)]);

/** The order in the format of a date, in English or French: `dd/mm/yyyy`, `JJ-MM-AAAA`; undefined for other texts. */
export const orderInFormat = (text: string): DateOrder | undefined =>
	FORMATS.find(([, format]) => format.test(fold(text).trim()))?.[0];

/** A day, `YYYY-MM-DD`; its time, `HH:MM:SS` or more exact, and the zone that is written after it. */
type Written = { day: string; time: string; zone?: string };

const TIME =
	/(?:T|,? )(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(?: ?([AP])M)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;

const WEEKDAY = /^(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs?|ur)?(?:day)?[.,]* /i;

/**
 * Parses clean text as a date, with or without an English weekday before it and a time after it. A year of two digits is
 * one of this century, if the order is set or the month is a name.
 */
function parseWritten(text: string, order?: DateOrder): ParseResult<Written> {
	const [end = '', clock = '0', minutes = '00', seconds = '00', half, zone] = TIME.exec(text) ?? [];
	if (Number(clock) > (half ? 12 : 23) || Number(minutes) > 59 || parseInt(seconds) > 59)
		return invalid('date');
	const hours = half ? (Number(clock) % 12) + (/p/i.test(half) ? 12 : 0) : clock;
	const [start = '', weekday = ''] = WEEKDAY.exec(text) ?? [];
	const date = text.slice(start.length, text.length - end.length);
	const day = parseNumeric(date, order) ?? parseNamed(date) ?? invalid('date');
	if (!day.ok) return day;
	if (!fold(new Date(day.value).toUTCString()).startsWith(fold(weekday)))
		return invalid('weekday', day.value);
	const time = `${String(hours).padStart(2, '0')}:${minutes}:${seconds.replace(',', '.')}`;
	return ok({ day: day.value, time, zone });
}

/** A calendar day as `YYYY-MM-DD`; `month` counts from 1. Rejects 31 February. */
function calendarDay(year: string, month: number, day: number): ParseResult<string> {
	const date = new Date(Date.UTC(Number(year) + (year.length === 2 ? 2000 : 0), month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
		? ok(dayOf(date.getTime()))
		: invalid('noSuchDay');
}

/** Parses `2026-12-01` and `01/12/2026`, also with dots; undefined for other texts. */
function parseNumeric(text: string, order?: DateOrder): ParseResult<string> | undefined {
	const match = /^(\d{4}|\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{1,2})$/.exec(text);
	if (!match) return undefined;
	const [, first = '', , second = '', third = ''] = match;
	const [one, two] = [Number(first), Number(second)];
	if (first.length === 4) return calendarDay(first, two, Number(third));
	const setting = order && 'set Date Order';
	const isSet = order !== undefined && order !== 'refuse';
	if (third.length === 1) return invalid('date');
	if (third.length === 2 && !isSet) return invalid('twoDigitYear', setting);
	if (!isSet && one <= 12 && two <= 12 && one !== two) return invalid('dateOrder', setting);
	const isDayFirst = isSet ? order === 'dayFirst' : one > 12;
	const [day, month] = isDayFirst ? [one, two] : [two, one];
	return calendarDay(third, month, day);
}

/** Names of months, folded: in Swahili too, as sheets of Tanzania have them in every row. */
const monthNames = memoize((month: number) =>
	['en', 'fr', 'sw'].map((language) =>
		fold(new Date(2023, month - 1).toLocaleString(language, { month: 'long' })),
	),
);

/** The month, from 1 on, that a folded word means: its name, or the start of that name alone. */
function monthOf(word: string): number | undefined {
	const [month, other] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter((at) =>
		monthNames(at).some((name) => name.startsWith(word)),
	);
	return word.length < 3 || other !== undefined ? undefined : month;
}

const NAMED: readonly RegExp[] = [
	/^(?<day>\d{1,2})(?: (?:st|nd|rd|th|er))?(?: of)? (?<month>[a-z]+) (?<year>\d{4}|\d{2})$/,
	/^(?<month>[a-z]+) (?<day>\d{1,2})(?: (?:st|nd|rd|th))? (?<year>\d{4}|\d{2})$/,
	/^(?<year>\d{4}) (?<month>[a-z]+) (?<day>\d{1,2})$/,
];

/** Parses `1 Dec 2026`, `December 1st, 2026` and `2026-Dec-01`; undefined for other texts. */
function parseNamed(written: string): ParseResult<string> | undefined {
	const text = fold(written)
		.replace(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)|[-/.,'’ ]+/g, ' ')
		.trim();
	for (const pattern of NAMED) {
		const { day = '', month = '', year = '' } = pattern.exec(text)?.groups ?? {};
		const number = monthOf(month);
		if (number !== undefined) return calendarDay(year, number, Number(day));
	}
	return undefined;
}
