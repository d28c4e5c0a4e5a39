import { DateTime } from 'luxon';

/** A way in which people write a date in a sheet. */
export interface DateStyle {
	/** @param day midnight in UTC, which is what the Excel library writes as a plain date */
	write: (day: Date) => Date | number | string;
	/** The days that can be written so and mean what the row needs; default any. */
	fits?: (day: Date) => boolean;
}

/** Days from Excel's day 0 to the first of January 1970. */
const epochSerial = 25_569;
const dayMs = 86_400_000;

const utc = (day: Date) => DateTime.fromJSDate(day, { zone: 'utc' });

/** A day as Excel's number of it, counted from 1900. */
export const serialOf = (day: Date) => day.getTime() / dayMs + epochSerial;

/** The number of the day cannot be that of a month. */
const isLateInMonth = (day: Date) => utc(day).day > 12;

const text = (format: string, fits?: DateStyle['fits']): DateStyle => ({
	write: (day) => utc(day).toFormat(format),
	fits,
});

export const dateStyles = {
	/** A cell with a real date, the default. */
	excel: { write: (day) => day },
	/** One that shows that Excel has not exchanged day and month. */
	excelLate: { write: (day) => day, fits: isLateInMonth },
	/** A real date with a time of the day. */
	excelWithTime: { write: (day) => utc(day).plus({ hours: 9 }).toJSDate() },
	/** `46359`: a date whose cell lost its format. */
	serial: { write: serialOf },
	serialAsText: { write: (day) => String(serialOf(day)) },
	iso: text('yyyy-MM-dd'),
	/** `3 Dec 2026` */
	monthName: text('d LLL yyyy'),
	/** `Thursday, 3 December 2026` */
	weekday: text('cccc, d LLLL yyyy'),
	slashes: text('dd/MM/yyyy', isLateInMonth),
	dots: text('dd.MM.yyyy', isLateInMonth),
	shortYear: text('dd/MM/yy', isLateInMonth),
	/** `03/12/2026`, which is the third of December here and the twelfth of March elsewhere. */
	// Both days are ahead: else one order is impossible.
	ambiguous: text('dd/MM/yyyy', (day) => !isLateInMonth(day) && utc(day).day > utc(day).month),
} satisfies Record<string, DateStyle>;

/**
 * The first day that a style can write, from so many days after today on.
 * @param now a moment of today in this machine's timezone
 * @returns midnight in UTC of that day
 */
export function dayAfter(now: Date, days: number, style: DateStyle = dateStyles.excel): Date {
	const { year, month, day } = DateTime.fromJSDate(now);
	let date = DateTime.utc(year, month, day).plus({ days });
	while (style.fits?.(date.toJSDate()) === false) date = date.plus({ days: 1 });
	return date.toJSDate();
}
