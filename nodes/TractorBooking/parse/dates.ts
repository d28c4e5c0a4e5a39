import { DAY_MS, dateMs, offsetMs } from './instants';
import { ok, invalid, type ParseResult } from './issue';
import { memoize } from '../utils/memoize';
import { cleanText, fold } from '../utils/text';

/** How to read `03/04/2026`: not, as 3 April, or as 4 March. */
export type DateOrder = 'refuse' | 'dayFirst' | 'monthFirst';

export const DATE_ORDERS = ['dayFirst', 'monthFirst'] as const satisfies DateOrder[];

export interface DateRules {
	/** The workflow's timezone, an IANA name. */
	timezone: string;
	/** How to read `03/04/2026`; if undefined, since the user cannot set it, it is rejected. */
	dateOrder?: DateOrder;
}

const WRITE_A_DATE = 'write it as YYYY-MM-DD, such as 2026-12-31';

const notADate = () => invalid('is not a date', WRITE_A_DATE);

// Service dates outside these years are typing errors.
const MIN_YEAR = 2000;
const MAX_YEAR = 2099;

/** A calendar day as `YYYY-MM-DD`; `month` counts from 1. Rejects 31 February and years outside 2000–2099. */
function calendarDay(year: number, month: number, day: number): ParseResult<string> {
	if (year < MIN_YEAR || year > MAX_YEAR)
		return invalid(`is not in the years ${MIN_YEAR} to ${MAX_YEAR}`, 'check the year');
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
		? ok(date.toISOString().slice(0, 10))
		: invalid('is not a day of the calendar', WRITE_A_DATE);
}

function utcDay(instantMs: number): ParseResult<string> {
	const date = new Date(instantMs);
	return calendarDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** Excel counts a 29 February 1900 that did not exist: from 1 March 1900 on, its days count from here. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);

/** Half a second, in days. A formula may compute midnight as a moment before it. */
const SERIAL_PRECISION = 0.5 / 86_400;

export function serialOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? cleanText(value) : '';
	return /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

/**
 * Parses a day and returns it as `YYYY-MM-DD` (interface, "Booking create request").
 *
 * - A written date keeps its day, whatever time or offset follows it; so does a DateTime object.
 * - An Excel serial number is its day; its fraction, the time of day, is dropped.
 * - An instant (a JavaScript Date, or text with a time in UTC: `Z`, `+00:00`) becomes its day in the workflow's
 *   timezone.
 * - Midnight in UTC keeps its day in UTC, because spreadsheet readers turn a date into it.
 */
export function parseDate(value: unknown, rules: DateRules): ParseResult<string> {
	const serial = serialOf(value);
	if (serial !== undefined) {
		const day = utcDay(EXCEL_EPOCH + Math.floor(serial + SERIAL_PRECISION) * DAY_MS);
		return day.ok ? day : invalid('is not a date, nor the number of one in Excel', WRITE_A_DATE);
	}
	if (typeof value === 'string') return dayOfText(value, rules);
	return typeof value === 'object' && value !== null ? dayOfObject(value, rules) : notADate();
}

function dayOfText(value: string, { timezone, dateOrder }: DateRules): ParseResult<string> {
	const written = parseDateText(cleanText(value), dateOrder);
	if (!written.ok) return written;
	const { day, instant } = written.value;
	return instant === undefined ? ok(day) : dayOfInstant(instant, timezone);
}

function dayOfObject(value: object, rules: DateRules): ParseResult<string> {
	try {
		const ms = dateMs(value);
		if (ms !== undefined) return dayOfInstant(ms, rules.timezone);
		// luxon's DateTime is recognised by its method: n8n's expressions use another copy of luxon.
		const toDay: unknown = Reflect.get(value, 'toISODate');
		const text: unknown = typeof toDay === 'function' ? toDay.call(value) : undefined;
		return typeof text === 'string' ? dayOfText(text, rules) : notADate();
	} catch {
		return notADate(); // a method of the object threw
	}
}

/** @throws RangeError if the timezone or the instant is not valid */
function dayOfInstant(instantMs: number, timezone: string): ParseResult<string> {
	const isUtcMidnight = instantMs % DAY_MS === 0;
	return utcDay(isUtcMidnight ? instantMs : instantMs + offsetMs(timezone, instantMs));
}

/** The order in the format of a date, in English or French: `dd/mm/yyyy`, `JJ-MM-AAAA`; undefined for other texts. */
export function orderInFormat(text: string): DateOrder | undefined {
	const format = text.trim();
	if (/^[dj]{1,2}\W?m{1,3}\W?[ya]{2,4}$/i.test(format)) return 'dayFirst';
	if (/^m{1,3}\W?[dj]{1,2}\W?[ya]{2,4}$/i.test(format)) return 'monthFirst';
	return /^[ya]{4}\W?m{1,3}\W?[dj]{1,2}$/i.test(format) ? 'refuse' : undefined;
}

/** A day, `YYYY-MM-DD`; with its milliseconds since 1970 if the text has a time in UTC. */
type WrittenDate = { day: string; instant?: number };

const TIME =
	/(?:T|,? )(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;

const FIRST_WORD = /^(\p{L}{3,9})(?:\.?,? |[.,])(\S.*)$/u;

/**
 * Parses clean text as a date, with or without a weekday before it and a time after it. A year of two digits is one of
 * this century, if the order is set or the month is a name.
 */
export function parseDateText(text: string, order?: DateOrder): ParseResult<WrittenDate> {
	const [time = '', hours = '0', minutes = '00', seconds = '00', zone] = TIME.exec(text) ?? [];
	const date = text.slice(0, text.length - time.length);
	if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return notADate();
	const parseDay = (some: string) => parseNumeric(some, order) ?? parseNamed(some);
	// "Mar 1, 2026" is in March.
	const whole = parseDay(date);
	const [, word = '', rest = ''] = FIRST_WORD.exec(date) ?? [];
	const weekday = indexOf('weekday', fold(word));
	const day = whole ?? (weekday === undefined ? undefined : parseDay(rest)) ?? notADate();
	if (!day.ok) return day;
	if (!whole && new Date(day.value).getUTCDay() !== weekday)
		return invalid(`has a weekday that does not match ${day.value}`, 'correct one of them');
	if (!/^(?:z|utc|gmt|[+-]00(?::?00)?)$/i.test(zone ?? '')) return ok({ day: day.value });
	const clock = `${hours.padStart(2, '0')}:${minutes}:${seconds}`;
	return ok({ day: day.value, instant: Date.parse(`${day.value}T${clock}Z`) });
}

const fullYear = (year: string) => (year.length === 2 ? 2000 : 0) + Number(year);

/** Parses `2026-12-01` and `01/12/2026`, also with dots; undefined for other texts. */
function parseNumeric(text: string, order?: DateOrder): ParseResult<string> | undefined {
	const match = /^(\d{4}|\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{1,2})$/.exec(text);
	if (!match) return undefined;
	const [, first = '', , second = '', third = ''] = match;
	const [one, two] = [Number(first), Number(second)];
	if (first.length === 4) return calendarDay(one, two, Number(third));
	const fix = `${order ? 'set Date Order, or ' : ''}write it as YYYY-MM-DD`;
	const isSet = order !== undefined && order !== 'refuse';
	if (third.length === 1 || (third.length === 2 && !isSet))
		return invalid('has a year of two digits, so its order is not certain', fix);
	if (!isSet && one <= 12 && two <= 12 && one !== two)
		return invalid('may be day/month or month/day', fix);
	const isDayFirst = isSet ? order === 'dayFirst' : one > 12;
	const [day, month] = isDayFirst ? [one, two] : [two, one];
	return calendarDay(fullYear(third), month, day);
}

/** The languages of months and weekdays: Swahili too, as sheets of Tanzania have its months in every row. */
const LANGUAGES = ['en', 'fr', 'sw'];

/** The names of all months, or of the weekdays from Sunday on, in each language, folded. */
const namesOf = memoize((part: 'month' | 'weekday') => {
	const formats = LANGUAGES.map(
		(language) => new Intl.DateTimeFormat(language, { [part]: 'long', timeZone: 'UTC' }),
	);
	// 2023 began on a Sunday.
	return Array.from({ length: part === 'month' ? 12 : 7 }, (_, at) => {
		const day = part === 'month' ? Date.UTC(2023, at) : Date.UTC(2023, 0, at + 1);
		return formats.map((format) => fold(format.format(day)));
	});
});

/** The month or weekday, from 0 on, that a folded word means: its name, or the start of that name alone. */
function indexOf(part: 'month' | 'weekday', word: string): number | undefined {
	const isMeant = (names: string[]) => names.some((name) => name.startsWith(word));
	const [at, other] = namesOf(part).flatMap((names, index) => (isMeant(names) ? index : []));
	return word.length < 3 || other !== undefined ? undefined : at;
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
		const at = indexOf('month', month);
		if (at !== undefined) return calendarDay(fullYear(year), at + 1, Number(day));
	}
	return undefined;
}

/** Today's date, `YYYY-MM-DD`, in a timezone. @throws RangeError if the timezone is not an IANA name */
export function todayIn(timezone: string, now: Date): string {
	return new Date(now.getTime() + offsetMs(timezone, now.getTime())).toISOString().slice(0, 10);
}
