import { calendarDay, dayPartsIn, notADate, parseExcelSerial, type ExcelEpoch } from './calendar';
import { ok, type ParseResult } from './issue';
import { parseDateText, type DateOrder } from './dateText';
import { dateMs } from './instants';
import { cleanText } from '../utils/text';

/** How to read the dates of a sheet. */
export interface DateRules {
	/** The workflow's timezone, an IANA name. */
	timezone: string;
	/** How to read `03/04/2026`; default `refuse`. */
	dateOrder?: DateOrder;
	/** Where Excel serial numbers count from; default `1900`. */
	excelEpoch?: ExcelEpoch;
}

/**
 * Reads a day and returns it as `YYYY-MM-DD` (interface, "Booking create request").
 *
 * A date that was written keeps its day, whatever time or offset stands behind it, and a DateTime object keeps its
 * own. Only an instant, which names no day, is looked up in the workflow's timezone: a JavaScript Date, or text with
 * a time in UTC (`Z`, `+00:00`). Midnight in UTC is no instant but what spreadsheet readers make of a date, and
 * keeps its day too.
 */
export function parseDate(value: unknown, rules: DateRules): ParseResult<string> {
	switch (typeof value) {
		case 'string':
			return dayOfText(value, rules);
		case 'number':
			return Number.isFinite(value) ? parseExcelSerial(value, rules.excelEpoch) : notADate();
		case 'object':
			return value === null ? notADate() : dayOfObject(value, rules);
		default:
			return notADate();
	}
}

function dayOfText(value: string, rules: DateRules): ParseResult<string> {
	const text = cleanText(value);
	if (/^\d{5}(?:[.,]\d+)?$/.test(text)) {
		return parseExcelSerial(Number(text.replace(',', '.')), rules.excelEpoch);
	}
	const written = parseDateText(text, rules.dateOrder ?? 'refuse');
	if (!written.ok) return written;
	const { day, utcTime } = written.value;
	if (utcTime === undefined) return ok(day);
	return dayOfInstant(new Date(`${day}T${utcTime}Z`), rules.timezone);
}

function dayOfObject(value: object, rules: DateRules): ParseResult<string> {
	try {
		const ms = dateMs(value);
		if (ms !== undefined) return dayOfInstant(new Date(ms), rules.timezone);
		// luxon's DateTime, known by its methods: the objects of n8n's expressions come from another copy of luxon.
		for (const method of ['toISODate', 'toISO'] as const) {
			const format: unknown = Reflect.get(value, method);
			if (typeof format !== 'function') continue;
			const text: unknown = format.call(value);
			return typeof text === 'string' ? dayOfText(text, rules) : notADate();
		}
		return notADate();
	} catch {
		return notADate(); // an object whose methods fail is no date
	}
}

function dayOfInstant(instant: Date, timezone: string): ParseResult<string> {
	// Without an era, a year before Christ would look like one of ours. An invalid Date has the year NaN.
	if (!(instant.getUTCFullYear() > 0)) return notADate();
	const isUtcMidnight = instant.getTime() % 86_400_000 === 0;
	return calendarDay(...dayPartsIn(isUtcMidnight ? 'UTC' : timezone, instant));
}

/**
 * Today's date, `YYYY-MM-DD`, in a timezone.
 * @throws RangeError where the timezone is not an IANA name
 */
export function todayIn(timezone: string, now: Date): string {
	const [year, month, day] = dayPartsIn(timezone, now);
	const two = (part: number) => String(part).padStart(2, '0');
	return `${year}-${two(month)}-${two(day)}`;
}

/** Whether a day lies before today; both `YYYY-MM-DD`. Today itself is not past. */
export function isPast(date: string, today: string): boolean {
	return date < today;
}
