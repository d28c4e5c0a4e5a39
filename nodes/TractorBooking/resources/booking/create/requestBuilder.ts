import type { BookingField, BookingRequest } from '../../../api/types';
import type { ColumnField } from '../../../parse/columnNames';
import type { ColumnMatch } from '../../../parse/columns';
import type { DateRules } from '../../../parse/dates';
import { issueAt, type Issue, type ParseResult } from '../../../parse/issue';
import type { DecimalSeparator } from '../../../parse/numbers';
import { isBlank, unusable } from '../../../parse/text';

/** How to parse the cells of a sheet. */
export interface Rules extends DateRules {
	/** `YYYY-MM-DD` in the workflow's timezone; see `todayIn`. */
	today: string;
	/** Needed to parse `1,250` and `1.250`, which are rejected without it. */
	decimalSeparator?: DecimalSeparator;
	/** ISO code of the country that local phone numbers belong to; see `phoneCountries.ts`. */
	defaultCountry?: string;
}

/** The values of one row before they are parsed. */
export type RawBooking = Partial<Record<ColumnField, unknown>>;

/** The columns that the values come from, and what the sheet as a whole says of them. */
export interface RowSource extends Partial<ColumnMatch> {
	/** Whether `areaType` is that of all rows, for cells without a unit of their own. */
	isAreaTypeDefault?: boolean;
	/** Whether the spreadsheet has probably exchanged day and month of its dates; see {@link hasExchanged}. */
	isExchanged?: boolean;
}

/** The request of a row while its cells are parsed, with what there is to say of them. */
export class RequestBuilder {
	readonly request: BookingRequest = {};

	readonly issues: Issue[] = [];

	pastDate?: Issue;

	/** The values of the row before they are parsed, without those that are blank. */
	readonly cells: RawBooking;

	constructor(
		raw: RawBooking,
		readonly rules: Rules,
		readonly source: RowSource,
	) {
		const filled = Object.entries(raw).filter(([, cell]) => !isBlank(cell));
		this.cells = Object.fromEntries(filled);
	}

	/** Adds an issue of a field, and returns it. */
	addIssue(field: ColumnField, problem: string, fix: string, value = this.cells[field]): Issue {
		const issue = issueAt(field, value, { problem, fix }, this.source.columns?.get(field));
		this.issues.push(issue);
		return issue;
	}

	/** Parses a field; undefined if it is blank, or if it has an issue. */
	parse<T>(field: ColumnField, parse: (value: unknown) => ParseResult<T>): T | undefined {
		const cell = this.cells[field];
		if (cell === undefined) return undefined;
		// Excel marks numbers that are text by an apostrophe; so do some files.
		const plain = typeof cell === 'string' ? cell.replace(/^\s*['’](?=[\d+-])/, '') : cell;
		const parsed = unusable(cell) ?? parse(plain);
		if (parsed.ok) return parsed.value;
		this.addIssue(field, parsed.problem, parsed.fix);
		return undefined;
	}

	/** Parses a field into the field of the same name of the request. */
	set<F extends BookingField>(
		field: F,
		parse: (value: unknown) => ParseResult<NonNullable<BookingRequest[F]>>,
	): void {
		const value = this.parse(field, parse);
		if (value !== undefined) this.request[field] = value;
	}
}
