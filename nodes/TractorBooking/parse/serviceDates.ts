import { DATE_ORDERS, parseDate, serialOf, type DateRules } from './dates';
import { dateMs } from './instants';
import { invalid, type ParseResult } from './issue';
import { daysOfInstant, recordDays } from './recordDate';
import { asText } from '../utils/text';

/** How to read the service date of a row, see {@link SheetDates}. */
export interface ServiceDateRules extends DateRules {
	/** The rows, in words, that show that the spreadsheet has probably exchanged day and month of its dates. */
	exchangedBy?: string;
	/** The rows, in words, whose date can be read in the other order only. */
	contradictedBy?: string;
	/** Which rows have dates that can be read in one order only, in words. */
	ordersSeen?: string;
}

/** Parses a service date, `YYYY-MM-DD`; one that may be of another day is an issue that names both. */
export function parseServiceDate(value: unknown, rules: ServiceDateRules): ParseResult<string> {
	const date = parseDate(value, rules);
	if (!date.ok) {
		const isEither = DATE_ORDERS.every((dateOrder) => parseDate(value, { ...rules, dateOrder }).ok);
		return isEither && rules.ordersSeen
			? invalid(date.problem, `${date.fix}; ${rules.ordersSeen}`)
			: date;
	}
	const [, other] = daysOfInstant(value, rules.timezone) ?? [];
	if (other !== undefined)
		return invalid(
			`is ${date.value} in ${rules.timezone}, or ${other} in another timezone`,
			"set the workflow's timezone in its settings, or write it as YYYY-MM-DD",
		);
	const days = rules.contradictedBy ? recordDays(value, rules.timezone) : [];
	const second = days.find((day) => day !== date.value);
	if (second !== undefined)
		return invalid(
			`is ${date.value}, or ${second} if it is written like that of ${rules.contradictedBy}`,
			'correct Date Order, or the dates that do not fit it',
		);
	const [year, month, day] = date.value.split('-');
	if (!rules.exchangedBy || !isFromDateCell(value) || month === day) return date;
	return invalid(
		`is ${date.value}, or ${year}-${day}-${month} if the spreadsheet exchanged day and month: it left other dates as text (${rules.exchangedBy})`,
		'write it as text, as YYYY-MM-DD',
	);
}

/** Whether a cell is what readers of spreadsheets make of a date: a serial number, a Date, or midnight in ISO text. */
function isFromDateCell(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return dateMs(value) !== undefined;
	return serialOf(value) !== undefined || /^\d{4}-\d\d-\d\d[T ]00:00/.test(asText(value));
}

/** What the dates of a sheet say of each other. */
export class SheetDates {
	/** The rows whose text can be read in one order only, by that order. */
	readonly #rows: Record<(typeof DATE_ORDERS)[number], number[]> = { dayFirst: [], monthFirst: [] };

	#hasLateDay = false;

	constructor(private readonly rules: DateRules) {}

	/** Notes the date of a row, which culprits are named by. */
	add(value: unknown, row: number): void {
		if (isFromDateCell(value)) {
			const day = this.#hasLateDay ? undefined : parseDate(value, this.rules);
			if (day?.ok && Number(day.value.slice(-2)) > 12) this.#hasLateDay = true;
		} else if (typeof value === 'string' && value.length < 100) {
			const [order, other] = DATE_ORDERS.filter(
				(dateOrder) => parseDate(value, { ...this.rules, dateOrder }).ok,
			);
			if (order && !other) this.#rows[order].push(row);
		}
	}

	/** The rows whose date can be read in the other order only than the one that is set: that may be wrong for all rows. */
	get orderCulprits(): readonly number[] {
		const { dateOrder } = this.rules;
		if (dateOrder === 'dayFirst') return this.#rows.monthFirst;
		return dateOrder === 'monthFirst' ? this.#rows.dayFirst : [];
	}

	/** The rows whose date can be read in that order only. */
	rowsWith(order: (typeof DATE_ORDERS)[number]): readonly number[] {
		return this.#rows[order];
	}

	/**
	 * The rows whose dates show that the spreadsheet has probably exchanged day and month: Excel that reads the month first
	 * leaves `13/01/2027` as text, and makes 1 May of `05/01/2027`. So some dates are texts, all of one order, and none that
	 * it took for a date has a day above 12. Empty if it probably has not.
	 */
	get exchangeCulprits(): readonly number[] {
		const { dayFirst, monthFirst } = this.#rows;
		const isMixed = dayFirst.length > 0 && monthFirst.length > 0;
		return this.#hasLateDay || isMixed ? [] : [...dayFirst, ...monthFirst];
	}
}
