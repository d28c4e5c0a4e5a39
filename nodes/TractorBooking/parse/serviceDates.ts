import { DATE_ORDERS, parseDate, parseDays, serialOf, type DateRules } from './dates';
import { listOf, ok, type ParseResult } from './issue';
import { invalid } from './sentences';
import { asText } from '../utils/text';

/** How to read the service date of a row; see {@link SheetDates} for what other rows say of it. */
export interface ServiceDateRules extends DateRules {
	/** Which rows have dates that can be read in one order only, in words. */
	ordersSeen?: string;
	/** Whether these orders are several, or not the one that is set or in the heading. */
	isContradicted?: boolean;
	/** Whether the spreadsheet has probably swapped day and month of its dates. */
	areSwapped?: boolean;
}

/** The orders in which a date can be read. */
export const ordersOf = (value: unknown, rules: DateRules) =>
	DATE_ORDERS.filter((dateOrder) => parseDate(value, { ...rules, dateOrder }).ok);

/** Parses a service date, `YYYY-MM-DD`; one that may be of another day is an issue that names both. */
export function parseServiceDate(value: unknown, rules: ServiceDateRules): ParseResult<string> {
	const { timezone, ordersSeen = '', isContradicted, areSwapped } = rules;
	const days = parseDays(value, rules);
	if (!days.ok) {
		// No Date Order fixes a sheet whose dates contradict each other, or the heading.
		const least = isContradicted ? 1 : 2;
		const isMixed = ordersSeen && ordersOf(value, rules).length >= least;
		return isMixed ? invalid('mixedOrders', ordersSeen) : days;
	}
	const [date, other] = days.value;
	// No other time is midnight where the farms are.
	const isFullHour = /[T ]\d+:00(?::00)?(?!:?\d)/.test(asText(value));
	if (other !== undefined) return invalid('otherTimezone', date, timezone, other, isFullHour);
	const [year, month, day] = date.split('-');
	if (!areSwapped || !isFromDateCell(value) || month === day) return ok(date);
	return invalid('swapped', `${year}-${day}-${month}`, ordersSeen);
}

/** Whether a cell is what readers of spreadsheets make of a date: a serial number, a Date, or midnight in ISO text. */
const isFromDateCell = (value: unknown): boolean =>
	typeof value === 'object' ||
	serialOf(value) !== undefined ||
	/^\d{4}-\d\d-\d\d[T ]00:00/.test(asText(value));

/** What the service dates of a sheet say of each other. */
export class SheetDates {
	/** The names of the rows whose text can be read in one order only, by that order. */
	private readonly rows = { dayFirst: [] as string[], monthFirst: [] as string[] };

	private hasLateDay = false;

	constructor(private readonly given: DateRules) {}

	add(value: unknown, nameOfRow: () => string): void {
		if (isFromDateCell(value)) {
			const day = this.hasLateDay ? undefined : parseDate(value, this.given);
			if (day?.ok && Number(day.value.slice(-2)) > 12) this.hasLateDay = true;
		} else if (typeof value === 'string' && value.length < 100) {
			const [order, other] = ordersOf(value, this.given);
			if (order && !other) this.rows[order].push(nameOfRow());
		}
	}

	/**
	 * How to read them. An order that a date contradicts may be wrong for all. Excel that reads the month first leaves
	 * `13/01/2027` as text, and makes 1 May of `05/01/2027`: it has probably done so if some dates are texts, all of one
	 * order, and none that it took for a date has a day above 12.
	 */
	get rules(): Omit<ServiceDateRules, 'timezone'> {
		const { dateOrder = 'refuse' } = this.given;
		const seen = DATE_ORDERS.filter((order) => this.rows[order].length > 0);
		const inWords = seen.map(
			(order) =>
				`the ${order === 'dayFirst' ? 'day' : 'month'} is first in ${listOf(this.rows[order])}`,
		);
		const isAsSeen = seen.every((order) => order === dateOrder);
		return {
			dateOrder: isAsSeen ? dateOrder : 'refuse',
			ordersSeen: inWords.join(', and '),
			isContradicted: seen.length > 1 || (!isAsSeen && dateOrder !== 'refuse'),
			areSwapped: !this.hasLateDay && seen.length === 1,
		};
	}
}
