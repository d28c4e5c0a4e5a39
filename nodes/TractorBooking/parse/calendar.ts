import { ok, invalid, type ParseResult } from './issue';
import { DAY_MS } from '../utils/time';

const WRITE_A_DATE = 'write it as YYYY-MM-DD, such as 2026-12-31';

/** The issue of a value that is not a date. */
export const notADate = () => invalid('is not a date', WRITE_A_DATE);

// Service dates outside these years are typing errors.
const MIN_YEAR = 2000;
const MAX_YEAR = 2099;

/** A calendar day as `YYYY-MM-DD`; `month` counts from 1. Rejects 31 February and years outside 2000–2099. */
export function calendarDay(year: number, month: number, day: number): ParseResult<string> {
	if (year < MIN_YEAR || year > MAX_YEAR) {
		return invalid(`is not in the years ${MIN_YEAR} to ${MAX_YEAR}`, 'check the year');
	}
	const date = new Date(Date.UTC(year, month - 1, day));
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
		return invalid('is not a day of the calendar', WRITE_A_DATE);
	}
	return ok(date.toISOString().slice(0, 10));
}

/** The calendar day in UTC of an instant in milliseconds since 1970, see {@link calendarDay}. */
export function utcDay(instantMs: number): ParseResult<string> {
	const date = new Date(instantMs);
	return calendarDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/**
 * The day of an Excel serial number; its fraction, the time of day, is dropped.
 * Excel counts a 29 February 1900 that did not exist, so its days count from 30 December 1899, which is right from
 * 1 March 1900 on. In files that count from 1904 (some Macs), days are four years later, so that here they are past.
 */
export function parseExcelSerial(serial: number): ParseResult<string> {
	const day = utcDay(Date.UTC(1899, 11, 30) + Math.floor(serial) * DAY_MS);
	return day.ok ? day : invalid('is not a date, nor the number of one in Excel', WRITE_A_DATE);
}
