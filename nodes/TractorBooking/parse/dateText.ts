import { calendarDay, notADate, weekdayOf } from './calendar';
import { ok, invalid, type ParseResult } from './issue';
import { fold } from '../utils/text';

/** How to read a date such as `03/04/2026`: reject it, as 3 April, or as 4 March. */
export type DateOrder = 'refuse' | 'dayFirst' | 'monthFirst';

/** A date as it was written. */
export interface WrittenDate {
	/** `YYYY-MM-DD` */
	day: string;
	/** `HH:mm:ss`; only if the text has a time in UTC. */
	utcTime?: string;
}

/** Full and short names of the months in English, and in French as Excel writes them, without accents. */
const MONTHS: ReadonlyArray<readonly string[]> = [
	['january', 'jan', 'janvier', 'janv'],
	['february', 'feb', 'fevrier', 'fevr'],
	['march', 'mar', 'mars'],
	['april', 'apr', 'avril', 'avr'],
	['may', 'mai'],
	['june', 'jun', 'juin'],
	['july', 'jul', 'juillet', 'juil'],
	['august', 'aug', 'aout'],
	['september', 'sep', 'sept', 'septembre'],
	['october', 'oct', 'octobre'],
	['november', 'nov', 'novembre'],
	['december', 'dec', 'decembre'],
];

const WEEKDAY = /^(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|[a-z]+day)$/;

const shortYear = () =>
	invalid('has a year of two digits', 'write the year with four digits, such as 2026');

/** Parses clean text as a date, with or without a time after it. */
export function parseDateText(text: string, order: DateOrder): ParseResult<WrittenDate> {
	const time = splitTime(text);
	if (time === undefined) return notADate();
	const day = parseNumeric(time.date, order) ?? parseNamed(time.date) ?? notADate();
	if (!day.ok) return day;
	return ok({ day: day.value, ...(time.utcTime ? { utcTime: time.utcTime } : {}) });
}

const TIME =
	/(?:T|,? )(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;

/** Splits the time off the end; undefined if the time is not valid (25:00). */
function splitTime(text: string): { date: string; utcTime?: string } | undefined {
	const match = TIME.exec(text);
	if (!match) return { date: text };
	const [, hourText, minute = '', second = '00', half, zone] = match;
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
function parseNumeric(text: string, order: DateOrder): ParseResult<string> | undefined {
	const match = /^(\d{1,4}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,4})$/.exec(text);
	if (!match) return undefined;
	const [, first = '', , second = '', third = ''] = match;
	if (first.length === 4 && third.length <= 2) {
		return calendarDay(Number(first), Number(second), Number(third));
	}
	if (first.length > 2 || third.length === 3) return undefined;
	if (third.length <= 2) return shortYear();
	return parseOrdered(Number(first), Number(second), Number(third), order);
}

function parseOrdered(
	first: number,
	second: number,
	year: number,
	order: DateOrder,
): ParseResult<string> {
	if (order === 'refuse' && first <= 12 && second <= 12 && first !== second) {
		return invalid(
			'may be day/month or month/day',
			'set the date order (day first or month first), or write it as YYYY-MM-DD',
		);
	}
	const dayFirst = order === 'dayFirst' || (order === 'refuse' && first > 12);
	const [day, month] = dayFirst ? [first, second] : [second, first];
	if (month > 12 && day <= 12 && order !== 'refuse') {
		return invalid(
			`is not a date with the ${dayFirst ? 'day' : 'month'} first`,
			'check the date order that is set, or write it as YYYY-MM-DD',
		);
	}
	return calendarDay(year, month, day);
}

/** Parses `1 Dec 2026`, `Tuesday, December 1st, 2026` and `2026-Dec-01`; undefined for other texts. */
function parseNamed(text: string): ParseResult<string> | undefined {
	const words = fold(text)
		.replace(/[-/.,'’]/g, ' ')
		.replace(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/g, ' ')
		.split(' ')
		.filter((word) => word !== '');
	const weekday = WEEKDAY.test(words[0] ?? '') ? words.shift() : undefined;
	const parts = namedParts(words.join(' '));
	if (!parts) return undefined;
	const month = MONTHS.findIndex((names) => names.includes(parts.month)) + 1;
	if (month === 0) return undefined;
	if (parts.year.length !== 4) return shortYear();

	const day = calendarDay(Number(parts.year), month, Number(parts.day));
	if (day.ok && weekday !== undefined && !weekdayOf(day.value).startsWith(weekday)) {
		return invalid(`has a weekday that does not match ${day.value}`, 'correct the date');
	}
	return day;
}

function namedParts(text: string): { day: string; month: string; year: string } | undefined {
	const dayFirst = /^(\d{1,2})(?: (?:st|nd|rd|th|er))?(?: of)? ([a-z]+) (\d{4}|\d{2})$/.exec(text);
	if (dayFirst) {
		const [, day = '', month = '', year = ''] = dayFirst;
		return { day, month, year };
	}
	const monthFirst = /^([a-z]+) (\d{1,2})(?: (?:st|nd|rd|th))? (\d{4}|\d{2})$/.exec(text);
	if (monthFirst) {
		const [, month = '', day = '', year = ''] = monthFirst;
		return { day, month, year };
	}
	const yearFirst = /^(\d{4}) ([a-z]+) (\d{1,2})$/.exec(text);
	if (yearFirst) {
		const [, year = '', month = '', day = ''] = yearFirst;
		return { day, month, year };
	}
	return undefined;
}
