import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { AreaType } from '../../../parse/areaUnits';
import { parseChoice, parseSwitch } from '../../../parse/choices';
import { todayIn } from '../../../parse/dates';
import {
	invalid,
	InvalidInputError,
	issueAt,
	ok,
	unwrap,
	type ParseResult,
} from '../../../parse/issue';
import { parseCount, parseMaximum } from '../../../parse/numbers';
import { phoneCountry } from '../../../parse/phoneCountries';
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

/** @throws InvalidInputError if a column is mapped to two fields */
function toColumnMapping(collection: unknown): ColumnMapping {
	const { columns = [] } = (collection ?? {}) as { columns?: IDataObject[] };
	const entries = columns.flatMap(({ column, field }) => {
		const known = field === 'ignore' ? field : COLUMN_FIELDS.find((name) => name === field);
		return known && !isEmpty(column) ? [[asText(column), known] as const] : [];
	});
	const mapping = new Map(entries);
	const twice = entries.find(([column, field]) => mapping.get(column) !== field);
	if (!twice) return mapping;
	const [column] = twice;
	const why = { problem: 'is mapped to two fields', fix: 'remove one of the two' };
	throw new InvalidInputError([issueAt('Column Mapping', column, why)]);
}

/** The code of a country; undefined for none. An empty expression does not mean none: farmers might get no SMS. */
function parsePhoneCountry(value: unknown): ParseResult<string | undefined> {
	if (value === 'none') return ok(undefined);
	const fix = 'choose a country, or let its expression return a code such as KE, or none';
	const country = phoneCountry(asText(value));
	return country ? ok(country.code) : invalid('is not the code of a country', fix);
}

/** Reads settings, for which an expression may have returned anything. One that is not set is the first choice, none, or off. */
class Reader {
	/** @param place what messages put before the name of a setting */
	constructor(private readonly place: string) {}

	/** @throws InvalidInputError */
	read<T>(label: string, value: unknown, parsed: ParseResult<T>): T {
		return unwrap(parsed, `${this.place}${label}`, value);
	}

	oneOf<T extends string>(label: string, value: unknown, ...choices: readonly [T, ...T[]]): T {
		return value === undefined ? choices[0] : this.read(label, value, parseChoice(value, choices));
	}

	/** Any of the choices, in their order. */
	someOf<T extends string>(label: string, value: unknown, choices: readonly T[]): T[] {
		const listed = [value ?? []].flat();
		const chosen = listed.map((one) => this.read(label, one, parseChoice(one, choices)));
		return choices.filter((choice) => chosen.includes(choice));
	}

	isOn(label: string, value: unknown): boolean {
		return this.read(label, value, parseSwitch(value));
	}

	number(label: string, value: unknown, parse: (value: unknown) => ParseResult<number>) {
		return value === undefined ? undefined : this.read(label, value, parse(value));
	}
}

/**
 * Gets the settings for one input item; options may be expressions.
 *
 * @param now the instant of the execution, for dates that must not be in the past
 * @param place what messages put before the name of a setting: `Row 7: `
 * @throws InvalidInputError for a value that the editor does not offer
 */
export function getCreateSettings(
	context: IExecuteFunctions,
	itemIndex: number,
	now: Date,
	place = '',
): CreateSettings {
	const reader = new Reader(place);
	const timezone = context.getTimezone();
	const parameter = (name: string) => getParameter(context, name, itemIndex);
	const options = getOptions(context, itemIndex);
	const country = parameter('phoneCountry');
	const separators = ['either', 'comma', 'point'] as const;
	const separator = reader.oneOf('Decimal Separator', options.decimalSeparator, ...separators);
	const matchFields = reader.someOf('Match Fields', options.matchFields, MATCH_FIELDS);
	return {
		tractorSelection: reader.oneOf(
			'Choose Tractor',
			parameter('tractorSelection'),
			'id',
			'idOrNearest',
			'nearest',
		),
		ifAlreadyBooked: reader.oneOf(
			'If Already Booked',
			options.ifAlreadyBooked,
			'skip',
			'create',
			'fail',
		),
		ifPossibleDuplicate: reader.oneOf(
			'If Possible Duplicate',
			options.ifPossibleDuplicate,
			'review',
			'book',
			'skip',
		),
		matchFields: matchFields.length > 0 ? matchFields : ['farmerPhone', 'serviceDate'],
		ignoredStatuses: new Set([options.ignoredStatuses ?? []].flat().map(statusCode)),
		maximumDistance: reader.number(
			'Maximum Distance of the Tractor',
			options.maximumDistance,
			parseMaximum,
		),
		distributeRows: reader.isOn('Distribute Across Tractors', options.distributeRows ?? false),
		maximumRows: reader.number('Bookings per Tractor and Day', options.maximumRows, parseCount),
		acceptUnknownServices: reader.isOn(
			'Accept Tractors That Name No Services',
			options.acceptUnknownServices ?? false,
		),
		columnMapping: toColumnMapping(options.columnMapping),
		notInSheet: new Set(reader.someOf('Fields Not in the Sheet', options.notInSheet, CORE_FIELDS)),
		otherColumns: reader.oneOf('Other Columns', options.otherColumns, 'stop', 'ignore'),
		areaUnit: reader.oneOf('Area Unit', options.areaUnit, '', 'ac', 'ha') || undefined,
		rowIdColumn: isEmpty(options.rowIdColumn) ? undefined : asText(options.rowIdColumn),
		dryRun: reader.isOn('Dry Run', parameter('dryRun')),
		rules: {
			timezone,
			today: todayIn(timezone, now),
			dateOrder: reader.oneOf(
				'Date Order',
				parameter('dateOrder'),
				'refuse',
				'dayFirst',
				'monthFirst',
			),
			decimalSeparator: separator === 'either' ? undefined : separator,
			defaultCountry: reader.read('Phone Country', country, parsePhoneCountry(country)),
		},
	};
}
