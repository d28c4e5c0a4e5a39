import { calendarDay, dayPartsIn, notADate, parseExcelSerial, type ExcelEpoch } from './calendar';
import { ok, type ParseResult } from './issue';
import { orderOf, parseDateText, type DateOrder } from './dateText';
import { dateMs } from './instants';
import { cleanText } from '../utils/text';

/** How to read the dates of a sheet. */
export interface DateRules {
	/** The workflow's timezone, an IANA name. */
	timezone: string;
	/** How to read `03/04/2026`; if undefined, since the user cannot set it, it is rejected. */
	dateOrder?: DateOrder;
	/** The epoch of Excel serial numbers; default `1900`. */
	excelEpoch?: ExcelEpoch;
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
	const written = parseDateText(text, rules.dateOrder);
	if (!written.ok) return written;
	const { day, utcTime } = written.value;
	if (utcTime === undefined) return ok(day);
	return dayOfInstant(new Date(`${day}T${utcTime}Z`), rules.timezone);
}

function dayOfObject(value: object, rules: DateRules): ParseResult<string> {
	try {
		const ms = dateMs(value);
		if (ms !== undefined) return dayOfInstant(new Date(ms), rules.timezone);
		// luxon's DateTime is recognised by its methods: n8n's expressions use another copy of luxon.
		for (const method of ['toISODate', 'toISO'] as const) {
			const format: unknown = Reflect.get(value, method);
			if (typeof format !== 'function') continue;
			const text: unknown = format.call(value);
			return typeof text === 'string' ? dayOfText(text, rules) : notADate();
		}
		return notADate();
	} catch {
		return notADate(); // a method of the object threw
	}
}

function dayOfInstant(instant: Date, timezone: string): ParseResult<string> {
	// Years BC would be formatted without their era, as if AD. The year of an invalid Date is NaN.
	if (!(instant.getUTCFullYear() > 0)) return notADate();
	const isUtcMidnight = instant.getTime() % 86_400_000 === 0;
	return calendarDay(...dayPartsIn(isUtcMidnight ? 'UTC' : timezone, instant));
}

/** Rows that must agree before the order of day and month is taken from them. */
const MIN_AGREEING = 5;

/** The order of day and month of a sheet, and the number of its dates that have only this order. */
export interface InferredOrder {
	order: 'dayFirst' | 'monthFirst';
	dates: number;
}

/** The order that at least five dates of a sheet have, and none contradicts; undefined if there is none. */
export function inferDateOrder(values: readonly unknown[]): InferredOrder | undefined {
	const orders = values.flatMap((value) =>
		typeof value === 'string' && value.length < 100 ? (orderOf(cleanText(value)) ?? []) : [],
	);
	const [order] = orders;
	const isAgreed = orders.length >= MIN_AGREEING && orders.every((other) => other === order);
	return order && isAgreed ? { order, dates: orders.length } : undefined;
}

/**
 * Today's date, `YYYY-MM-DD`, in a timezone.
 * @throws RangeError if the timezone is not an IANA name
 */
export function todayIn(timezone: string, now: Date): string {
	const [year, month, day] = dayPartsIn(timezone, now);
	const two = (part: number) => String(part).padStart(2, '0');
	return `${year}-${two(month)}-${two(day)}`;
}

/** Whether a day is before today; both as `YYYY-MM-DD`. */
export function isPast(date: string, today: string): boolean {
	return date < today;
}
