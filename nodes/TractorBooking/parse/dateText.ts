import { calendarDay, notADate } from './calendar';
import { ok, invalid, type ParseResult } from './issue';
import { fold } from '../utils/text';

/** How to read a date such as `03/04/2026`: reject it, as 3 April, or as 4 March. */
export type DateOrder = 'refuse' | 'dayFirst' | 'monthFirst';

/** Whether an order says how to read a date. */
export const isOrderSet = (order: DateOrder | undefined): boolean =>
	order !== undefined && order !== 'refuse';

const FORMAT =
	/^(?:[dj]{1,2}|m{1,3}|(?:y|a){2,4})(?:[-/. ]?(?:[dj]{1,2}|m{1,3}|(?:y|a){2,4})){2}$/i;

/** Whether a text is the format of a date, in English or French: `dd/mm/yyyy`, `JJ-MM-AAAA`. */
export const isDateFormat = (text: string): boolean => FORMAT.test(text.trim());

/** The order of day and month in the format of a date; undefined if it says none: `YYYY-MM-DD`. */
export function orderInFormat(text: string): DateOrder | undefined {
	const format = isDateFormat(text) ? text.trim().toLowerCase() : '';
	if (/^[dj]+\W?m/.test(format)) return 'dayFirst';
	return /^m+\W?[dj]/.test(format) ? 'monthFirst' : undefined;
}

/** A date as it was written. */
export interface WrittenDate {
	/** `YYYY-MM-DD` */
	day: string;
	/** `HH:mm:ss`; only if the text has a time in UTC. */
	utcTime?: string;
}

/** How the names of the months begin in English, French, Swahili, Hausa and German, without accents. */
const MONTHS: readonly RegExp[] = [
	/^jan/,
	/^fe[bv]|^fab/,
	/^mar|^mach/,
	/^a[pv]r|^afr/,
	/^ma[iy]|^mei/,
	/^jui?n|^yun/,
	/^jui?l|^yul/,
	/^a[ug][ug]|^aout|^ago/,
	/^sep|^satum/,
	/^o[ck]t/,
	/^nov|^nuw/,
	/^d[ei][csz]/,
];

/** How the names of the weekdays begin in English, French, Swahili and Hausa, without accents, from Sunday on. */
const WEEKDAYS: readonly RegExp[] = [
	/^(?:sun|dim|jumapi|lahadi)/,
	/^(?:mon|lun|jumatat|litini)/,
	/^(?:tue|mar(?:di)?$|jumann|talata)/,
	/^(?:wed|mer|jumatan|laraba)/,
	/^(?:thu|jeu|alhamis)/,
	/^(?:fri|ven|ijumaa|jumma)/,
	/^(?:sat(?!um)|sam|jumamo|asabar)/,
];

/** The issue of a date whose order is not certain; `order` is undefined if there is no such setting. */
const uncertain = (problem: string, order: DateOrder | undefined) =>
	invalid(problem, `${order ? 'set Date Order, or ' : ''}write it as YYYY-MM-DD`);

/**
 * Parses clean text as a date, with or without a weekday before or after it and a time after it. A year of two digits is
 * one of this century, if the order is set or the month is a name.
 */
export function parseDateText(text: string, order?: DateOrder): ParseResult<WrittenDate> {
	const time = splitTime(text.replace(/^(?:le|on) /i, ''));
	if (time === undefined) return notADate();
	const parseDay = (date: string) => parseNumeric(date, order) ?? parseNamed(date);
	const { weekday, date } = splitWeekday(time.date);
	// "Mar 1, 2026" is in March.
	const whole = parseDay(time.date);
	const day = whole ?? parseDay(date) ?? notADate();
	if (!day.ok) return day;
	if (!whole && weekday !== undefined && new Date(day.value).getUTCDay() !== weekday) {
		return invalid(`has a weekday that does not match ${day.value}`, 'correct the date');
	}
	return ok({ day: day.value, ...(time.utcTime ? { utcTime: time.utcTime } : {}) });
}

/** Splits the weekday off the start, or the end; it counts from 0, Sunday. */
function splitWeekday(text: string): { weekday?: number; date: string } {
	const first = text.replace(/^(.*\d),? \(?(\p{L}{3,9})\)?$/u, '$2 $1');
	const [, word = '', date = ''] = /^(\p{L}{3,9})(?:\.?,? |[.,])(\S.*)$/u.exec(first) ?? [];
	const weekday = WEEKDAYS.findIndex((names) => names.test(fold(word)));
	return weekday < 0 ? { date: text } : { weekday, date };
}

/** The order of a date that has only one, such as `25/12/2026`; undefined for all others. */
export function orderInText(text: string): Exclude<DateOrder, 'refuse'> | undefined {
	const { date = '' } = splitTime(text) ?? {};
	const match = /^(\d{1,2})([-/.])(\d{1,2})\2(?:\d{4}|\d{2})$/.exec(splitWeekday(date).date);
	const [first, second] = [Number(match?.[1]), Number(match?.[3])];
	if (first > 12 && first <= 31 && second <= 12) return 'dayFirst';
	return second > 12 && second <= 31 && first <= 12 ? 'monthFirst' : undefined;
}

const TIME =
	/(?:T|,? (?:à |at )?)(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:[.,]\d+)?)?|(?=h$| ?[ap]))h?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;

/** What ends a date and says nothing of its day, such as the timezone of JavaScript's texts. */
const END =
	/ GMT(?![+-]0000)[+-]\d{4}(?: \(.*\))?$|(?<=\d{4}),? \(?(?:morning|afternoon|matin|am|pm)\)?$|\.$/i;

/** Splits the time off the end; undefined if the time is not valid (25:00). */
function splitTime(written: string): { date: string; utcTime?: string } | undefined {
	const text = written.replace(/(?<= GMT)[+-]0000(?: \(.*\))?$/, '').replace(END, '');
	const match = TIME.exec(text);
	if (!match) return { date: text };
	const [, hourText, minute = '00', second = '00', half, zone] = match;
	let hour = Number(hourText);
	if (half !== undefined) {
		if (hour < 1 || hour > 12) return undefined;
		hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
	}
	if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
	const date = text.slice(0, match.index);
	const inUtc = zone !== undefined && /^(?:z|utc|gmt|[+-]00(?::?00)?)$/i.test(zone);
	return inUtc
		? { date, utcTime: `${String(hour).padStart(2, '0')}:${minute}:${second}` }
		: { date };
}

/** Parses `2026-12-01` and `01/12/2026`, also with dots; undefined for other texts. */
function parseNumeric(text: string, order?: DateOrder): ParseResult<string> | undefined {
	const match = /^(\d{1,4}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,4})$/.exec(text);
	if (!match) return undefined;
	const [, first = '', , second = '', third = ''] = match;
	if (first.length === 4 && third.length <= 2) {
		return calendarDay(Number(first), Number(second), Number(third));
	}
	if (first.length > 2 || third.length === 3) return undefined;
	const isSet = isOrderSet(order);
	if (third.length === 1 || (third.length === 2 && !isSet))
		return uncertain(
			'has a year of two digits, so that day, month and year are not certain',
			order,
		);
	return parseOrdered(Number(first), Number(second), fullYear(third), order);
}

const fullYear = (year: string) => (year.length === 2 ? 2000 : 0) + Number(year);

function parseOrdered(
	first: number,
	second: number,
	year: number,
	order?: DateOrder,
): ParseResult<string> {
	const isSet = isOrderSet(order);
	if (!isSet && first <= 12 && second <= 12 && first !== second)
		return uncertain('may be day/month or month/day', order);
	const dayFirst = isSet ? order === 'dayFirst' : first > 12;
	const [day, month] = dayFirst ? [first, second] : [second, first];
	if (month > 12 && day <= 12 && isSet) {
		return invalid(
			`is not a date with the ${dayFirst ? 'day' : 'month'} first`,
			'check Date Order, or write it as YYYY-MM-DD',
		);
	}
	return calendarDay(year, month, day);
}

/** Parses `1 Dec 2026`, `December 1st, 2026` and `2026-Dec-01`; undefined for other texts. */
function parseNamed(written: string): ParseResult<string> | undefined {
	const words = fold(written)
		.replace(/[-/.,'’]/g, ' ')
		.replace(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/g, ' ')
		.split(' ')
		.filter((word) => word !== '');
	const text = words.join(' ');
	for (const pattern of NAMED) {
		const { day = '', month = '', year = '' } = pattern.exec(text)?.groups ?? {};
		const at = MONTHS.findIndex((start) => start.test(month));
		if (at >= 0) return calendarDay(fullYear(year), at + 1, Number(day));
	}
	return undefined;
}

const NAMED: readonly RegExp[] = [
	/^(?<day>\d{1,2})(?: (?:st|nd|rd|th|er))?(?: of)? (?<month>[a-z]+) (?<year>\d{4}|\d{2})$/,
	/^(?<month>[a-z]+) (?<day>\d{1,2})(?: (?:st|nd|rd|th))? (?<year>\d{4}|\d{2})$/,
	/^(?<year>\d{4}) (?<month>[a-z]+) (?<day>\d{1,2})$/,
];
