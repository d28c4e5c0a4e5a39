import { isFromDateCell, parseDate, type DateRules } from '../../../parse/dates';
import { invalid, ok, type ParseResult } from '../../../parse/issue';
import { daysOfInstant } from '../../../parse/recordDate';

/** How to read the service date of a row. */
export interface ServiceDateRules extends DateRules {
	/** Whether the spreadsheet has probably exchanged day and month of its dates; see `ExchangedDates`. */
	isExchanged?: boolean;
}

/** Parses a service date, `YYYY-MM-DD`; one that may be of another day is an issue that names both. */
export function parseServiceDate(value: unknown, rules: ServiceDateRules): ParseResult<string> {
	const date = parseDate(value, rules);
	if (!date.ok) return date;
	const [, other] = daysOfInstant(value, rules.timezone) ?? [];
	if (other !== undefined)
		return invalid(
			`is ${date.value} in ${rules.timezone}, or ${other} in another timezone`,
			'set the timezone of the workflow in its settings, or write it as YYYY-MM-DD',
		);
	const [year, month, day] = date.value.split('-');
	if (!rules.isExchanged || !isFromDateCell(value) || month === day) return ok(date.value);
	return invalid(
		`is ${date.value}, or ${year}-${day}-${month} if the spreadsheet exchanged day and month, as the dates that it left as text suggest`,
		'write it as text, as YYYY-MM-DD',
	);
}
