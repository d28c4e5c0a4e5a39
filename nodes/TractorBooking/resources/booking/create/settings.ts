import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { parseAreaUnit, type AreaType } from '../../../parse/areaUnits';
import { todayIn } from '../../../parse/dates';
import { InvalidInputError, issueAt } from '../../../parse/issue';
import { statusCode } from '../../../api/status';
import { asText, isEmpty } from '../../../utils/text';
import { getOptions, getParameter } from '../../operation';
import type { MatchField } from './match/likeness';
import { MATCH_FIELDS } from './match/likeness';
import { COLUMN_FIELDS, CORE_FIELDS, type ColumnField, type Rules } from './fields';
import type { ColumnMapping } from './sheetColumns';

/** How the tractor of a row is chosen. */
export type TractorSelection = 'id' | 'idOrNearest' | 'nearest';

/** The settings of Booking > Create for one row. */
export interface CreateSettings {
	tractorSelection: TractorSelection;
	ifAlreadyBooked: 'skip' | 'create' | 'fail';
	/** What to do with a row that equals a booking in the match fields, but differs in name or service. */
	ifPossibleDuplicate: 'review' | 'book' | 'skip';
	matchFields: MatchField[];
	/** Codes of the statuses in which a booking does not count as one. */
	ignoredStatuses: ReadonlySet<unknown>;
	/** In the unit of the service; undefined for no limit. */
	maximumDistance?: number;
	distributeRows: boolean;
	/** Rows of the sheet that one tractor may have on one day; undefined for no limit. */
	maximumRows?: number;
	/** Whether a tractor that names no services may be taken for a row with the number of one. */
	acceptUnknownServices: boolean;
	/** What columns hold, if not what their names say. */
	columnMapping: ColumnMapping;
	/** Core fields that the sheet is said not to have. */
	notInSheet: ReadonlySet<ColumnField>;
	/** What to do if columns that have cells hold no field. */
	otherColumns: 'stop' | 'ignore';
	/** The unit of areas that have no other. */
	areaUnit?: AreaType;
	/** The column that holds a number of its own for each request, if the sheet has one. */
	rowIdColumn?: string;
	dryRun: boolean;
	rules: Rules;
}

/** A heading: the editor writes `['Area [ha]']` if a column with brackets in its heading is dragged. */
const headingOf = (value: unknown) => asText(value).replace(/^\['(.*)'\]$/s, '$1');

/** @throws InvalidInputError if a column is mapped to two fields */
function toColumnMapping(collection: unknown): ColumnMapping {
	const { columns = [] } = (collection ?? {}) as { columns?: IDataObject[] };
	const entries = columns.flatMap(({ column, field }) => {
		const known = field === 'ignore' ? field : COLUMN_FIELDS.find((name) => name === field);
		return known && !isEmpty(column) ? [[headingOf(column), known] as const] : [];
	});
	const mapping = new Map(entries);
	const twice = entries.find(([column, field]) => mapping.get(column) !== field);
	if (!twice) return mapping;
	const [column] = twice;
	const why = { problem: 'is mapped to two fields', fix: 'leave one of the two' };
	throw new InvalidInputError([issueAt('Column Mapping', column, why)]);
}

/** The choice that a value is; the first one for any other value. */
function oneOf<T extends string | undefined>(value: unknown, ...choices: readonly [T, ...T[]]): T {
	return choices.find((choice) => choice === value) ?? choices[0];
}

/**
 * Gets the settings for one input item; options may be expressions.
 *
 * @param now the instant of the execution, for dates that must not be in the past
 */
export function getCreateSettings(
	context: IExecuteFunctions,
	itemIndex: number,
	now: Date,
): CreateSettings {
	const timezone = context.getTimezone();
	const selection = getParameter(context, 'tractorSelection', itemIndex);
	const phoneCountry = asText(getParameter(context, 'phoneCountry', itemIndex));
	const options = getOptions(context, itemIndex);
	const dateOrder = getParameter(context, 'dateOrder', itemIndex);
	const wanted = Array.isArray(options.matchFields) ? options.matchFields.map(String) : [];
	const absent = Array.isArray(options.notInSheet) ? options.notInSheet.map(String) : [];
	const areaUnit = parseAreaUnit(options.areaUnit);
	const unbooked: unknown[] = Array.isArray(options.ignoredStatuses) ? options.ignoredStatuses : [];
	const matchFields = MATCH_FIELDS.filter((field) => wanted.includes(field));
	return {
		tractorSelection: oneOf(selection, 'id', 'idOrNearest', 'nearest'),
		ifAlreadyBooked: oneOf(options.ifAlreadyBooked, 'skip', 'create', 'fail'),
		ifPossibleDuplicate: oneOf(options.ifPossibleDuplicate, 'review', 'book', 'skip'),
		matchFields: matchFields.length > 0 ? matchFields : ['farmerPhone', 'serviceDate'],
		ignoredStatuses: new Set(unbooked.map(statusCode)),
		maximumDistance:
			options.maximumDistance === undefined ? undefined : Number(options.maximumDistance),
		distributeRows: options.distributeRows === true,
		maximumRows: Number(options.maximumRows) >= 1 ? Number(options.maximumRows) : undefined,
		acceptUnknownServices: options.acceptUnknownServices === true,
		columnMapping: toColumnMapping(options.columnMapping),
		notInSheet: new Set(CORE_FIELDS.filter((field) => absent.includes(field))),
		otherColumns: oneOf(options.otherColumns, 'stop', 'ignore'),
		areaUnit: areaUnit.ok ? areaUnit.value : undefined,
		rowIdColumn: isEmpty(options.rowIdColumn) ? undefined : headingOf(options.rowIdColumn),
		dryRun: getParameter(context, 'dryRun', itemIndex) === true,
		rules: {
			timezone,
			today: todayIn(timezone, now),
			dateOrder: oneOf(dateOrder, 'refuse', 'dayFirst', 'monthFirst'),
			decimalSeparator: oneOf(options.decimalSeparator, undefined, 'comma', 'point'),
			defaultCountry: phoneCountry === 'none' || phoneCountry === '' ? undefined : phoneCountry,
		},
	};
}
