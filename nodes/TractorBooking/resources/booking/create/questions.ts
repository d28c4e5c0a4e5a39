import { implausibleArea, parseLandArea } from '../../../parse/areaUnits';
import { DATE_ORDERS, parseDate } from '../../../parse/dates';
import { InvalidInputError } from '../../../parse/issue';
import { PHONE_COUNTRIES } from '../../../parse/phoneCountryList';
import { parseFarmerPhone } from '../../../parse/phones';
import { isBlank, unusable } from '../../../parse/text';
import { groupBy } from '../../../utils/groupBy';
import { asText, cleanText } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import { OPTIONAL_FIELDS, labelOf, parseField, partsOf, type ColumnField } from './fields';
import type { CheckedRow } from './row';
import type { RunSettings } from './settings';
import { cellOf, type RawBooking, type SheetColumns } from './sheetColumns';
import { columnText, isRequest, type OtherColumn, type SheetCells } from './sheetProblems';

/** What may be answered to a question. */
interface Answer {
	/** For a person. */
	text: string;
	/** What to set: of a service, what to write into its cells instead. */
	value: string;
}

/** Something that the cells of a column leave open, and that a person can say once for all its rows. */
export interface Question {
	/** The setting that answers it; `serviceType` if cells name a service that no tractor offers. */
	about:
		'areaUnit' | 'columnMapping' | 'dateOrder' | 'ignoredColumns' | 'phoneCountry' | 'serviceType';
	/** The field that no column holds, or several do; of a tractor or a place, any of them. */
	field?: string;
	/** Empty if no column is known to hold the field, but the cells of one may. */
	column: string;
	/** A cell that leaves it open, if the column is known, or if it is a date; of `columnMapping` the label of the field. */
	value: string;
	/** How many rows have such a cell. */
	rows: number;
	answers: Answer[];
}

const dayText = (ms: number) =>
	new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(ms);

/** Rows may differ: then each is corrected in the sheet. */
const NO_SUCH_ROW = 'None of these: book no such row';

const COUNTRIES: readonly Answer[] = [
	...PHONE_COUNTRIES.map(({ code, name, callingCode }) => ({
		text: `${name} (+${callingCode})`,
		value: code,
	})),
	{ text: 'None: leave them as typed', value: 'none' },
];

const UNITS: readonly Answer[] = [
	{ text: 'Hectares', value: 'ha' },
	{ text: 'Acres', value: 'ac' },
	{ text: NO_SUCH_ROW, value: '' },
];

/** What a setting would answer. */
interface Asked {
	about: Question['about'];
	field: ColumnField;
	/** Whether a cell may be of the field, if no column is known to hold it. */
	fits?: (cell: unknown) => boolean;
	/** Whether a cell leaves it open. */
	isOpen: (cell: unknown, raw: RawBooking) => boolean;
	answers: (cell: unknown) => readonly Answer[];
}

/** What the cells of the columns leave open, one question for each setting that would answer it. */
export async function questionsOf(
	rows: readonly SheetCells[],
	{ columns, others, headings, areaUnit, dateOrder }: SheetColumns,
	settings: RunSettings,
): Promise<Question[]> {
	const { rules, notInSheet } = settings;
	const readings = (cell: unknown) =>
		DATE_ORDERS.flatMap((order): Answer[] => {
			const date = parseDate(cell, { ...rules, dateOrder: order });
			const first = order === 'dayFirst' ? 'the day first' : 'the month first';
			if (!date.ok) return [];
			return [{ text: `${dayText(Date.parse(date.value))} (${first})`, value: order }];
		});
	const isFilled = (cell: unknown) => !isBlank(cell) && !unusable(cell);
	const ask = async ({ about, field, fits, isOpen, answers }: Asked): Promise<Question[]> => {
		const column = headings.get(field);
		if (column === undefined && notInSheet.has(field)) return [];
		// Any column whose cells all fit may turn out to hold the field.
		const possible = new Set(column === undefined && fits ? others : []);
		if (possible.size > 0)
			await inTurns(rows, ({ json }) => {
				for (const name of possible) {
					const cell = cellOf(json, name);
					if (isFilled(cell) && !fits?.(cell)) possible.delete(name);
				}
			});
		const asking = column === undefined ? rows : rows.filter(({ raw }) => isRequest(raw));
		const open = await inTurns(asking, ({ raw, json }) => {
			const cells =
				column === undefined ? [...possible].map((name) => cellOf(json, name)) : [raw[field]];
			return cells
				.filter((cell) => isFilled(cell) && isOpen(cell, raw))
				.map((cell) => ({ cell, choices: answers(cell) }));
		});
		// The more answers there are, the better the example.
		const [example] = open.flat().sort((a, b) => b.choices.length - a.choices.length);
		if (!example) return [];
		// Many a number may be an area or a phone.
		const isShown = column !== undefined || about === 'dateOrder';
		const value = isShown ? cleanText(asText(example.cell)) : '';
		const count = open.filter(({ length }) => length > 0).length;
		return [{ about, column: column ?? '', value, rows: count, answers: [...example.choices] }];
	};

	const asked: Asked[] = [];
	const isDate = (cell: unknown) => parseDate(cell, rules).ok || readings(cell).length > 0;
	if ((dateOrder ?? rules.dateOrder ?? 'refuse') === 'refuse')
		asked.push({
			about: 'dateOrder',
			field: 'serviceDate',
			fits: isDate,
			isOpen: (cell) => isDate(cell) && !parseDate(cell, rules).ok,
			answers: (cell) => [...readings(cell), { text: NO_SUCH_ROW, value: 'refuse' }],
		});
	const areaIn = (cell: unknown) => {
		const area = parseLandArea(cell, rules.decimalSeparator);
		return area.ok ? area.value : undefined;
	};
	if (!areaUnit && !settings.areaUnit)
		asked.push({
			about: 'areaUnit',
			field: 'landArea',
			fits: (cell) => !implausibleArea(areaIn(cell)?.value ?? Infinity, 'ha'),
			isOpen: (cell, { areaType }) =>
				isBlank(areaType) && areaIn(cell) !== undefined && !areaIn(cell)?.areaType,
			answers: () => UNITS,
		});
	if (!rules.defaultCountry)
		asked.push({
			about: 'phoneCountry',
			field: 'farmerPhone',
			fits: (cell) => parseFarmerPhone(cell).ok && !isDate(cell),
			isOpen: (cell, { phoneCountry }) => {
				const phone = parseFarmerPhone(cell);
				return isBlank(phoneCountry) && phone.ok && !phone.value.startsWith('+');
			},
			answers: () => COUNTRIES,
		});
	for (const field of OPTIONAL_FIELDS.filter((name) => columns.has(name)))
		asked.push({
			about: 'ignoredColumns',
			field,
			isOpen: (cell) => !parseField(field, cell, rules).ok,
			answers: () => [
				{ text: 'Leave the column out', value: headings.get(field) ?? '' },
				{ text: 'Book no such row', value: '' },
			],
		});
	const questions: Question[] = [];
	for (const one of asked) questions.push(...(await ask(one)));
	return questions;
}

/**
 * Which column holds a field: one that no column holds, or one that several do.
 *
 * @param filled what is in the columns
 */
export function columnQuestions(
	{ doubled, others }: SheetColumns,
	lacking: readonly ColumnField[],
	filled: readonly OtherColumn[],
): Question[] {
	const ask = (field: ColumnField, columns: readonly string[], more: Answer[]): Question => ({
		about: 'columnMapping',
		field,
		column: '',
		value: labelOf(field),
		rows: 0,
		answers: [
			...columns
				.flatMap((name) => filled.find(({ column }) => column === name) ?? [])
				.map((one): Answer => ({ text: columnText(one), value: one.column })),
			...more,
		],
	});
	// A place may be in one column or in two.
	const fields = lacking.flatMap((field) =>
		field === 'coordinates' ? [field, ...partsOf(field)] : [field],
	);
	return [
		...fields.map((field) => ask(field, others, [{ text: 'Not in this sheet', value: '' }])),
		...doubled.map(({ field, columns }) => ask(field, columns, [])),
	];
}

/** The words for services that no row gets, each with what the tractors of its rows offer. */
export function serviceQuestions(rows: readonly CheckedRow[]): Question[] {
	const wordOf = (cell: unknown) => cleanText(asText(cell));
	const known = new Set(
		rows.flatMap(({ request = {}, serviceName }) =>
			request.serviceType === undefined ? [] : wordOf(serviceName),
		),
	);
	const open = rows.flatMap((row) => {
		const { failure } = row.kind === 'finished' ? row : {};
		const issues = failure instanceof InvalidInputError ? failure.issues : [];
		return issues.flatMap(({ column = '', value, choices = [] }) =>
			choices.length > 0 && !known.has(wordOf(value))
				? [{ column, value: wordOf(value), choices }]
				: [],
		);
	});
	return [...groupBy(open, ({ value }) => value)].map(([value, some]): Question => {
		const choices = [...new Set(some.flatMap(({ choices }) => choices))].sort();
		return {
			about: 'serviceType',
			column: some[0]?.column ?? '',
			value,
			rows: some.length,
			answers: [
				...choices.map((choice) => ({ text: choice, value: choice })),
				{ text: NO_SUCH_ROW, value: '' },
			],
		};
	});
}
