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
import { asText, cleanText, isEmpty } from '../../../utils/text';
import { getOptions, getParameter } from '../../operation';
import { COLUMN_FIELDS, CORE_FIELDS, type ColumnField, type Rules } from './fields';
import type { ColumnMapping } from './sheetColumns';

/** How the tractor of a row is chosen. */
export type TractorSelection = 'id' | 'idOrNearest' | 'nearest';

/** The settings of Booking > Create that hold for all rows of a run. */
export interface RunSettings {
	tractorSelection: TractorSelection;
	/** In the unit of the service; undefined for no limit. */
	maximumDistance?: number;
	/** Rows of the sheet that one tractor may have on one day; undefined for no limit. */
	maximumRows?: number;
	/** Whether a tractor that names no services may be taken for a row with the number of one. */
	acceptUnknownServices: boolean;
	/** What columns hold, if not what their names say. */
	columnMapping: ColumnMapping;
	/** Core fields that the sheet is said not to have. */
	notInSheet: ReadonlySet<ColumnField>;
	/** What to do if columns that have cells hold no field, and are not in `ignoredColumns`. */
	otherColumns: 'stop' | 'ignoreListed' | 'ignore';
	/** The headings that are ignored one by one, as clean text. */
	ignoredColumns: readonly string[];
	/** The unit of areas that have no other. */
	areaUnit?: AreaType;
	/** The column that holds a number of its own for each request, if the sheet has one. */
	rowIdColumn?: string;
	dryRun: boolean;
	rules: Rules;
}

/** The settings that may differ from row to row, by an expression: a person's answers go through one run. */
interface RowSettings {
	ifAlreadyBooked: 'skip' | 'create';
	/** What a person says of a row that may be booked already. */
	ifPossibleDuplicate: 'ask' | 'sameJob' | 'anotherJob';
}

/** The settings of one row. */
export type CreateSettings = RunSettings & RowSettings;

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

/** The settings on the panel; all others are options. */
const ON_THE_PANEL = ['tractorSelection', 'phoneCountry', 'dateOrder', 'dryRun'] as const;

/** The values of all settings for one item: expressions are resolved. */
const valuesFor = (
	context: IExecuteFunctions,
	itemIndex: number,
): Readonly<Record<string, unknown>> => ({
	...getOptions(context, itemIndex),
	...Object.fromEntries(ON_THE_PANEL.map((name) => [name, getParameter(context, name, itemIndex)])),
});

/** Reads settings, for which an expression may have returned anything. One that is not set is the first choice, none, or off. */
class Reader {
	/** What the editor calls each setting that was read. */
	readonly labels = new Map<string, string>();

	/** @param place what messages put before the name of a setting: `Row 7: ` */
	constructor(
		private readonly values: Readonly<Record<string, unknown>>,
		private readonly place = '',
	) {}

	private value(label: string, name: string): unknown {
		this.labels.set(name, label);
		return this.values[name];
	}

	private must<T>(label: string, value: unknown, parsed: ParseResult<T>): T {
		return unwrap(parsed, `${this.place}${label}`, value);
	}

	/** @throws InvalidInputError */
	read<T>(label: string, name: string, parse: (value: unknown) => ParseResult<T>): T {
		const value = this.value(label, name);
		return this.must(label, value, parse(value));
	}

	oneOf<T extends string>(label: string, name: string, ...choices: readonly [T, ...T[]]): T {
		const value = this.value(label, name);
		return value === undefined ? choices[0] : this.must(label, value, parseChoice(value, choices));
	}

	/** Any of the choices, in their order. */
	someOf<T extends string>(label: string, name: string, choices: readonly T[]): T[] {
		const listed = [this.value(label, name) ?? []].flat();
		const chosen = listed.map((one) => this.must(label, one, parseChoice(one, choices)));
		return choices.filter((choice) => chosen.includes(choice));
	}

	isOn(label: string, name: string, otherwise?: false): boolean {
		return this.read(label, name, (value) => parseSwitch(value ?? otherwise));
	}

	number(label: string, name: string, parse: (value: unknown) => ParseResult<number>) {
		const value = this.value(label, name);
		return value === undefined ? undefined : this.must(label, value, parse(value));
	}
}

/** @param now the instant of the execution, for dates that must not be in the past */
function runSettings(
	reader: Reader,
	options: Readonly<Record<string, unknown>>,
	timezone: string,
	now: Date,
): RunSettings {
	const separators = ['either', 'comma', 'point'] as const;
	const separator = reader.oneOf('Decimal Separator', 'decimalSeparator', ...separators);
	const tractorSelection = reader.oneOf(
		'Choose Tractor',
		'tractorSelection',
		'id',
		'idOrNearest',
		'nearest',
	);
	return {
		tractorSelection,
		maximumDistance: reader.number(
			'Maximum Distance of the Tractor',
			'maximumDistance',
			parseMaximum,
		),
		maximumRows: reader.number('Bookings per Tractor and Day', 'maximumRows', parseCount),
		acceptUnknownServices: reader.isOn(
			'Accept Tractors That Name No Services',
			'acceptUnknownServices',
			false,
		),
		columnMapping: toColumnMapping(options.columnMapping),
		notInSheet: new Set(
			reader.someOf('Fields Not in the Sheet', 'notInSheet', spareFields(tractorSelection)),
		),
		otherColumns: reader.oneOf('Other Columns', 'otherColumns', 'stop', 'ignoreListed', 'ignore'),
		ignoredColumns: asText(options.ignoredColumns).split('\n').map(cleanText).filter(Boolean),
		areaUnit: reader.oneOf('Area Unit', 'areaUnit', '', 'ac', 'ha') || undefined,
		rowIdColumn: isEmpty(options.rowIdColumn) ? undefined : asText(options.rowIdColumn),
		dryRun: reader.isOn('Dry Run', 'dryRun'),
		rules: {
			timezone,
			today: todayIn(timezone, now),
			dateOrder: reader.oneOf('Date Order', 'dateOrder', 'refuse', 'dayFirst', 'monthFirst'),
			decimalSeparator: separator === 'either' ? undefined : separator,
			defaultCountry: reader.read('Phone Country', 'phoneCountry', parsePhoneCountry),
		},
	};
}

/** The core fields that a sheet need not have: the nearest tractor is chosen by its services. */
export const spareFields = (tractorSelection: TractorSelection): ColumnField[] =>
	CORE_FIELDS.filter((field) => field !== 'serviceType' || tractorSelection === 'id');

const rowSettings = (reader: Reader): RowSettings => ({
	ifAlreadyBooked: reader.oneOf('If Already Booked', 'ifAlreadyBooked', 'skip', 'create'),
	ifPossibleDuplicate: reader.oneOf(
		'If Possible Duplicate',
		'ifPossibleDuplicate',
		'ask',
		'sameJob',
		'anotherJob',
	),
});

/**
 * Reads the settings: those of the run once, the others for each row. They may be expressions.
 *
 * @param now the instant of the execution, for dates that must not be in the past
 * @returns the settings of an item
 * @throws InvalidInputError for a value that the editor does not offer, and if a setting of the run differs from row to row
 */
export function settingsReader(
	context: IExecuteFunctions,
	now: Date,
): (itemIndex: number, rowName: () => string) => CreateSettings {
	const values = valuesFor(context, 0);
	const reader = new Reader(values);
	const run = runSettings(reader, values, context.getTimezone(), now);
	const first: CreateSettings = { ...run, ...rowSettings(reader) };
	const { parameters } = context.getNode();
	const settings = [parameters.options, ...ON_THE_PANEL.map((name) => parameters[name])];
	const hasExpressions = /[:[,]"=/.test(JSON.stringify(settings));
	const known = new Map([[JSON.stringify(rowSettings(reader)), first]]);
	return (itemIndex, rowName) => {
		if (!hasExpressions || itemIndex === 0) return first;
		const { ifAlreadyBooked, ifPossibleDuplicate, ...own } = valuesFor(context, itemIndex);
		const place = `${rowName()}: `;
		const other = Object.keys(own).find(
			(name) => JSON.stringify(own[name]) !== JSON.stringify(values[name]),
		);
		if (other !== undefined) {
			const problem = 'differs from the rows before, but holds for all rows of a run';
			const fix = 'let its expression return the same for all, or run these rows apart';
			const label = reader.labels.get(other) ?? other;
			throw new InvalidInputError([issueAt(place + label, own[other], { problem, fix })]);
		}
		const ofRow = rowSettings(new Reader({ ifAlreadyBooked, ifPossibleDuplicate }, place));
		const key = JSON.stringify(ofRow);
		const same = known.get(key) ?? { ...run, ...ofRow };
		known.set(key, same);
		return same;
	};
}
