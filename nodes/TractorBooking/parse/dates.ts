import { notADate, parseExcelSerial, utcDay } from './calendar';
import { ok, type ParseResult } from './issue';
import { orderInText, parseDateText, type DateOrder } from './dateText';
import { dateMs, offsetMs } from './instants';
import { asText, cleanText } from '../utils/text';
import { DAY_MS } from '../utils/time';

/** How to read the dates of a sheet. */
export interface DateRules {
	/** The workflow's timezone, an IANA name. */
	timezone: string;
	/** How to read `03/04/2026`; if undefined, since the user cannot set it, it is rejected. */
	dateOrder?: DateOrder;
}

/**
 * Parses a day and returns it as `YYYY-MM-DD` (interface, "Booking create request").
 *
 * - A written date keeps its day, whatever time or offset follows it; so does a DateTime object.
 * - An instant (a JavaScript Date, or text with a time in UTC: `Z`, `+00:00`) becomes its day in the workflow's
 *   timezone.
 * - Midnight in UTC keeps its day in UTC, because spreadsheet readers turn a date into it.
 */
export function parseDate(value: unknown, rules: DateRules): ParseResult<string> {
	const serial = serialOf(value);
	if (serial !== undefined) return parseExcelSerial(serial);
	if (typeof value === 'string') return dayOfText(value, rules);
	return typeof value === 'object' && value !== null ? dayOfObject(value, rules) : notADate();
}

/** The Excel serial number that a cell is; undefined for any other cell. */
export function serialOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? cleanText(value) : '';
	return /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

function dayOfText(value: string, rules: DateRules): ParseResult<string> {
	const written = parseDateText(cleanText(value), rules.dateOrder);
	if (!written.ok) return written;
	const { day, utcTime } = written.value;
	if (utcTime === undefined) return ok(day);
	return dayOfInstant(Date.parse(`${day}T${utcTime}Z`), rules.timezone);
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

/** Whether a cell is what readers of spreadsheets make of a date: a serial number, a Date, or midnight in ISO text. */
export function isFromDateCell(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return dateMs(value) !== undefined;
	return serialOf(value) !== undefined || /^\d{4}-\d\d-\d\d[T ]00:00/.test(asText(value));
}

/**
 * Whether a spreadsheet has probably exchanged day and month of its dates: Excel that reads the month first leaves
 * `13/01/2027` as text, and makes 1 May of `05/01/2027`. So some dates are texts, all of one order, and none that it took
 * for a date has a day above 12.
 */
export class ExchangedDates {
	readonly #texts = { dayFirst: 0, monthFirst: 0 };

	#hasLateDay = false;

	constructor(private readonly rules: DateRules) {}

	/** Notes a date of the sheet. */
	add(value: unknown): void {
		if (isFromDateCell(value)) {
			const day = this.#hasLateDay ? undefined : parseDate(value, this.rules);
			if (day?.ok && Number(day.value.slice(-2)) > 12) this.#hasLateDay = true;
		} else if (typeof value === 'string' && value.length < 100) {
			const order = orderInText(cleanText(value));
			if (order) this.#texts[order] += 1;
		}
	}

	get areLikely(): boolean {
		const { dayFirst, monthFirst } = this.#texts;
		return dayFirst > 0 !== monthFirst > 0 && !this.#hasLateDay;
	}
}

/**
 * Today's date, `YYYY-MM-DD`, in a timezone.
 * @throws RangeError if the timezone is not an IANA name
 */
export function todayIn(timezone: string, now: Date): string {
	return new Date(now.getTime() + offsetMs(timezone, now.getTime())).toISOString().slice(0, 10);
}

/** Whether a day is before today; both as `YYYY-MM-DD`. */
export function isPast(date: string, today: string): boolean {
	return date < today;
}
