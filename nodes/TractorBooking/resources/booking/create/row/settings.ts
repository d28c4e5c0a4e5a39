import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { parseChoice, parseSwitch, valuesOf } from '../../../../parse/choices';
import { todayIn } from '../../../../parse/dates';
import { InvalidInputError, listOf, ok, unwrap, type ParseResult } from '../../../../parse/issue';
import { invalid } from '../../../../parse/sentences';
import { parsePhoneCountry } from '../../../../parse/phones';
import { asText, capitalized, cleanText, isEmpty, wordIn } from '../../../../utils/text';
import { getOptions, getParameter, isTool } from '../../../operation';
import { createFromSpreadsheetFields } from './description';
import { COLUMN_FIELDS, CORE_FIELDS, type ColumnField, type Rules } from './fields';
import { inputRowOf, rowName } from './inputRow';
import { issueOf } from './sentences';

export type CreateSettings = ReturnType<typeof parseSettings>;

/** @throws InvalidInputError if a column is mapped to two fields */
function toColumnMapping(collection: unknown): ReadonlyMap<string, ColumnField | 'ignore'> {
	const { columns = [] } = (collection ?? {}) as { columns?: IDataObject[] };
	const entries = columns.flatMap(({ column, field }) => {
		const known = field === 'ignore' ? field : COLUMN_FIELDS.find((name) => name === field);
		return known && !isEmpty(column) ? [[asText(column), known] as const] : [];
	});
	const mapping = new Map(entries);
	const [column] = entries.find(([name, field]) => mapping.get(name) !== field) ?? [];
	if (column === undefined) return mapping;
	throw new InvalidInputError([
		{ ...issueOf('mappedTwice'), field: 'Column Mapping', value: column },
	]);
}

/** @param unset what holds if nothing is set: an expression that returned null has set something */
const orElse =
	<T>(unset: T, parse: (value: unknown) => ParseResult<T>) =>
	(value: unknown): ParseResult<T> =>
		value === undefined ? ok(unset) : parse(value);

/** @param first what holds if nothing is set */
const oneOf = <T extends string>(first: T, ...others: T[]) =>
	orElse(first, (value) => parseChoice(value, [first, ...others]));

function parseCoreFields(value: unknown): ParseResult<ReadonlySet<ColumnField>> {
	const chosen = valuesOf(value);
	const fields = CORE_FIELDS.filter((field) => chosen.includes(field));
	return fields.length === chosen.length
		? ok(new Set(fields))
		: invalid('choices', listOf(CORE_FIELDS));
}

const ON_THE_PANEL = ['tractorSelection', 'phoneCountry', 'dateOrder', 'dryRun'] as const;

/** What names of services mean, by {@link wordIn}. */
function parseServiceNames(value: unknown): ParseResult<ReadonlyMap<string, string>> {
	const lines = asText(value).split('\n').map(cleanText).filter(Boolean);
	const entries = lines.map((line) => /^(.+) ?= ?([^=]+)$/.exec(line)?.slice(1) ?? []);
	const meanings = new Map(entries.map(([name, meaning = '']) => [wordIn(name), meaning]));
	// A number alone is no name.
	const areNames = [...meanings.values()].every((meaning) => /\p{L}/u.test(meaning));
	return meanings.size === lines.length && areNames ? ok(meanings) : issueOf('noMeaning');
}

type Values = Readonly<Record<string, unknown>>;

const valuesFor = (context: IExecuteFunctions, itemIndex: number): Values => ({
	...getOptions(context, itemIndex),
	...Object.fromEntries(ON_THE_PANEL.map((name) => [name, getParameter(context, name, itemIndex)])),
});

const LABELS = new Map(
	createFromSpreadsheetFields
		.flatMap((property) => [property, ...(property.options ?? [])])
		.flatMap((one) => ('displayName' in one ? [[one.name, one.displayName] as const] : [])),
);

/**
 * The settings, which description.ts explains.
 *
 * @throws InvalidInputError for a value that the editor does not offer: an expression may have returned anything
 */
function parseSettings(context: IExecuteFunctions, values: Values, now: Date) {
	const timezone = context.getTimezone();
	const read = <T>(name: string, parse: (value: unknown) => ParseResult<T>): T =>
		unwrap(parse(values[name]), LABELS.get(name) ?? name, values[name]);
	const rules: Rules = {
		timezone,
		today: todayIn(timezone, now),
		dateOrder: read('dateOrder', oneOf('refuse', 'dayFirst', 'monthFirst')),
		defaultCountry: read('phoneCountry', parsePhoneCountry),
	};
	return {
		tractorSelection: read('tractorSelection', oneOf('id', 'idOrNearest', 'nearest')),
		acceptUnknownServices: read('acceptUnknownServices', orElse(false, parseSwitch)),
		columnMapping: toColumnMapping(values.columnMapping),
		notInSheet: read('notInSheet', parseCoreFields),
		otherColumns: read('otherColumns', oneOf('stop', 'ignore')),
		/** The headings that are ignored one by one, as clean text. */
		ignoredColumns: asText(values.ignoredColumns).split('\n').map(cleanText).filter(Boolean),
		serviceNames: read('serviceNames', parseServiceNames),
		areaUnit: read('areaUnit', oneOf('', 'ac', 'ha')) || undefined,
		rowIdColumn: isEmpty(values.rowIdColumn) ? undefined : asText(values.rowIdColumn),
		dryRun: read('dryRun', parseSwitch),
		isTool: isTool(context),
		rules,
		compareWithBookings: read('compareWithBookings', orElse(true, parseSwitch)),
	};
}

/**
 * Reads the settings of a run.
 *
 * @param now for dates that must not be in the past
 * @returns also what refuses a row that has others (InvalidInputError)
 * @throws InvalidInputError for a value that is none
 */
export function settingsOf(context: IExecuteFunctions, now: Date) {
	const values = valuesFor(context, 0);
	const requireSame = (json: IDataObject, itemIndex: number) => {
		const own = itemIndex === 0 ? values : valuesFor(context, itemIndex);
		const isOther = (name: string) => JSON.stringify(own[name]) !== JSON.stringify(values[name]);
		const other = Object.keys(own).find(isOther);
		if (other === undefined) return;
		const row = capitalized(rowName(inputRowOf(json, itemIndex)));
		const field = `${row}: ${LABELS.get(other)}`;
		throw new InvalidInputError([{ ...issueOf('differs'), field, value: own[other] }]);
	};
	return { settings: parseSettings(context, values, now), requireSame };
}
