/** A way in which people write a date in a sheet. */
export interface DateStyle {
	/** @param day midnight in UTC, which is what the Excel library writes as a plain date */
	write: (day: Date) => Date | number | string;
	/** The days that can be written so and mean what the row needs; default any. */
	fits?: (day: Date) => boolean;
}

const dayMs = 86_400_000;
/** Days from Excel's day 0 to the first of January 1970. */
const epochSerial = 25_569;

const two = (part: number) => String(part).padStart(2, '0');
const slashes = (day: Date) =>
	`${two(day.getUTCDate())}/${two(day.getUTCMonth() + 1)}/${day.getUTCFullYear()}`;
const serial = (day: Date) => day.getTime() / dayMs + epochSerial;

/** The day in words, in parts as `en-GB` orders them. */
function words(day: Date, options: Intl.DateTimeFormatOptions): string {
	return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(day);
}

/** Whether the number of the day cannot be that of a month. */
const isLateInMonth = (day: Date) => day.getUTCDate() > 12;

export const dateStyles = {
	/** A cell with a real date, the default. */
	excel: { write: (day) => day },
	/** A real date with a time of the day. */
	excelWithTime: { write: (day) => new Date(day.getTime() + dayMs * 0.375) },
	/** `46359`: a date whose cell lost its format. */
	serial: { write: serial },
	serialAsText: { write: (day) => String(serial(day)) },
	/** `2026-12-03` */
	iso: { write: (day) => day.toISOString().slice(0, 10) },
	/** `3 Dec 2026` */
	monthName: { write: (day) => words(day, { day: 'numeric', month: 'short', year: 'numeric' }) },
	/** `Thursday, 3 December 2026` */
	weekday: {
		write: (day) =>
			`${words(day, { weekday: 'long' })}, ${words(day, { day: 'numeric', month: 'long', year: 'numeric' })}`,
	},
	/** `17/12/2026`: only one of the two can be the month. */
	slashes: { write: slashes, fits: isLateInMonth },
	/** `17.12.2026` */
	dots: { write: (day) => slashes(day).replaceAll('/', '.'), fits: isLateInMonth },
	/** `03/12/2026`, which is the third of December here and the twelfth of March elsewhere. */
	ambiguous: {
		write: slashes,
		fits: (day) => !isLateInMonth(day) && day.getUTCDate() !== day.getUTCMonth() + 1,
	},
	/** `17/12/26` */
	shortYear: { write: (day) => slashes(day).replace(/\d\d(?=\d\d$)/, ''), fits: isLateInMonth },
} satisfies Record<string, DateStyle>;

/**
 * The first day that a style can write, from so many days after today on.
 * @param now a moment of today in this machine's timezone
 * @returns midnight in UTC of that day
 */
export function dayAfter(now: Date, days: number, style: DateStyle = dateStyles.excel): Date {
	const first = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + days);
	for (let time = first; ; time += dayMs) {
		const day = new Date(time);
		if (style.fits?.(day) ?? true) return day;
	}
}
