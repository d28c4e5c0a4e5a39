import { parseLandArea } from '../../../parse/areaUnits';
import { parsePosition } from '../../../parse/coordinates';
import { parseDate, serialOf } from '../../../parse/dates';
import { InvalidInputError } from '../../../parse/issue';
import { PHONE_COUNTRIES } from '../../../parse/phoneCountryList';
import { parseFarmerPhone } from '../../../parse/phones';
import { ordersOf } from '../../../parse/serviceDates';
import { isBlank, parseName, unusableCellIssue } from '../../../parse/text';
import { groupBy } from '../../../utils/groupBy';
import { memoize } from '../../../utils/memoize';
import { asText, cleanText } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import {
	OPTIONAL_FIELDS,
	labelOf,
	parseField,
	partsOf,
	type BookingField,
	type ColumnField,
	type NeededField,
	type Rules,
} from './fields';
import type { CheckedRow } from './row';
import type { CreateSettings } from './settings';
import { cellOf, type RawBooking, type SheetColumns } from './sheetColumns';
import { columnText, hasRequestCells, type SheetCells, type SheetFindings } from './sheetProblems';

interface Answer {
	text: string;
	/** What to set: of a service, what to write into its cells instead; of a column, what it holds. */
	value: string | Partial<Record<ColumnField, string>>;
}

/** Something that the cells of a column leave open, and that a person can say once for all its rows. */
export interface Question {
	/** The setting that answers it; `serviceType` if cells name a service that no tractor offers. */
	about:
		'areaUnit' | 'columnMapping' | 'dateOrder' | 'ignoredColumns' | 'phoneCountry' | 'serviceType';
	/** The field that no column holds, or several do; `coordinates` stand for a tractor, too. */
	field?: string;
	/** Empty if no column is known to hold the field, but the cells of one may. */
	column: string;
	/** A cell that leaves it open, if the column is known, or if it is a date; of `columnMapping` the label of the field. */
	value: string;
	rows: number;
	answers: Answer[];
}

/** Rows may differ: then each is corrected in the sheet. */
const NO_SUCH_ROW = 'None of these: do not book these rows';

const COUNTRIES: Answer[] = [
	...PHONE_COUNTRIES.map(({ code, name, callingCode }) => ({
		text: `${name} (+${callingCode})`,
		value: code,
	})),
	{ text: 'None: leave them as typed', value: 'none' },
];

const UNITS: Answer[] = [
	{ text: 'Hectares', value: 'ha' },
	{ text: 'Acres', value: 'ac' },
	{ text: NO_SUCH_ROW, value: '' },
];

function readingsOf(cell: unknown, rules: Rules): Answer[] {
	const readings = ordersOf(cell, rules).map((dateOrder) => {
		const date = parseDate(cell, { ...rules, dateOrder });
		const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
		const day = date.ok ? format.format(Date.parse(date.value)) : '';
		return { text: `${day} (the ${dateOrder.replace('First', '')} first)`, value: dateOrder };
	});
	return [...readings, { text: NO_SUCH_ROW, value: 'refuse' }];
}

/** Whether a cell can be read as a field, so that its column may hold it. */
function canBe(field: NeededField, cell: unknown, rules: Rules): boolean {
	if (isBlank(cell) || unusableCellIssue(cell)) return false;
	if (field === 'coordinates') return parsePosition(cell).ok;
	if (field === 'serviceDate') return ordersOf(cell, rules).length > 0;
	if (field === 'serviceType' && parseName(cell).ok) return true;
	const isDegrees = field === 'latitude' || field === 'longitude';
	return parseField(field, cell, rules).ok && (!isDegrees || /\d[.,]\d\d/.test(asText(cell)));
}

/** Which columns may hold a field that no column is known to hold, as answers with some of their values. */
function columnAnswers(
	rows: readonly SheetCells[],
	{ columns, unread }: SheetColumns,
	filled: SheetFindings['filled'],
	{ rules, tractorSelection }: CreateSettings,
) {
	/** The columns that hold no field, even ignored, and have a cell that can be read as this one. */
	const columnsFor = memoize(async (field: NeededField) => {
		const isPlace = ['coordinates', ...partsOf('coordinates')].includes(field);
		// A place in degrees may be under a heading for a place in words.
		const names = [...unread, ...((isPlace && columns.get('farmLocation')) || [])];
		const found = new Set<string>();
		await inTurns(rows, ({ json }) => {
			for (const name of names)
				if (!found.has(name) && canBe(field, cellOf(json, name), rules)) found.add(name);
		});
		return names.filter((name) => found.has(name));
	});
	const textOf = (field: ColumnField, name: string) => {
		const { values = [], distinct = 0 } = filled.find(({ column }) => column === name) ?? {};
		const shown = values.slice(0, 3).map(({ value, count }) => {
			// The number of a day in Excel says nothing to a person.
			const isNumber = field === 'serviceDate' && serialOf(value) !== undefined;
			const date = isNumber ? parseDate(value, rules) : undefined;
			return { value: date?.ok ? date.value : value, count };
		});
		return columnText({ column: name, values: shown, distinct });
	};
	const answer = (...holds: Array<[ColumnField, string]>): Answer => {
		const isLabelled = holds.length > 1 || holds[0]?.[0] === 'tractorId';
		const texts = holds.map(
			([field, name]) => (isLabelled ? `${labelOf(field)}: ` : '') + textOf(field, name),
		);
		return { text: texts.join(', '), value: Object.fromEntries(holds) };
	};
	const answersFor = async (field: NeededField): Promise<Answer[]> => {
		const whole = (await columnsFor(field)).map((name) => answer([field, name]));
		if (field !== 'coordinates') return whole;
		const longitudes = await columnsFor('longitude');
		const pairs = (await columnsFor('latitude')).flatMap((latitude) =>
			longitudes
				.filter((longitude) => longitude !== latitude)
				.map((longitude) => answer(['latitude', latitude], ['longitude', longitude])),
		);
		const isEither = tractorSelection === 'idOrNearest';
		return [...whole, ...pairs, ...(isEither ? await answersFor('tractorId') : [])];
	};
	return { columnsFor, answer, answersFor };
}

/** What a sheet leaves open: which column holds a field, and how to read its cells. */
export async function questionsOf(
	rows: readonly SheetCells[],
	sheet: SheetColumns,
	{ lacking, filled }: Pick<SheetFindings, 'filled' | 'lacking'>,
	settings: CreateSettings,
): Promise<Question[]> {
	const { columns, headings, doubled, areaUnit, dateOrder } = sheet;
	const { rules } = settings;
	const { columnsFor, answer, answersFor } = columnAnswers(rows, sheet, filled, settings);
	const questions: Question[] = [];

	const askColumn = (field: ColumnField, answers: Answer[]) => {
		const of = { field, column: '', value: labelOf(field), rows: 0 };
		questions.push({ about: 'columnMapping', ...of, answers });
	};
	for (const field of lacking)
		askColumn(field, [...(await answersFor(field)), { text: 'Not in this sheet', value: '' }]);
	for (const { field } of doubled) {
		const own = (columns.get(field) ?? []).map((name) => answer([field, name]));
		const parts = partsOf(field).flatMap((part): Array<[ColumnField, string]> => {
			const [name] = columns.get(part) ?? [];
			return name === undefined ? [] : [[part, name]];
		});
		askColumn(field, parts.length > 0 ? [...own, answer(...parts)] : own);
	}

	/** Asks about the cells of a field that leave something open, or those of all columns that may hold it. */
	const ask = async (
		about: Question['about'],
		field: BookingField,
		isOpen: (cell: unknown, raw: RawBooking) => boolean,
		answersTo: (cell: unknown) => Answer[],
	) => {
		const column = headings.get(field) ?? '';
		const unsure = lacking.includes(field) ? await columnsFor(field) : [];
		const names = column ? [column] : unsure;
		const leftOpen = new Set<string>();
		const found = await inTurns(rows, ({ json, raw }) => {
			// While columns are lacking, nothing tells that a row is no request.
			if (lacking.length === 0 && !hasRequestCells(raw)) return [];
			const open = names.filter((name) => {
				const cell = cellOf(json, name);
				return !isBlank(cell) && !unusableCellIssue(cell) && isOpen(cell, raw);
			});
			for (const name of open) leftOpen.add(name);
			const cells = open.slice(0, 1).map((name) => cellOf(json, name));
			return cells.map((cell) => ({ cell, answers: answersTo(cell) }));
		});
		// The more answers there are, the better the example.
		const open = found.flat().sort((a, b) => b.answers.length - a.answers.length);
		const [example] = open;
		const isDate = about === 'dateOrder';
		// A column with units or country codes is likelier to be it.
		if (!example || !(isDate || names.every((name) => leftOpen.has(name)))) return;
		// Many a number may be an area or a phone.
		const value = column || isDate ? cleanText(asText(example.cell)) : '';
		questions.push({ about, column, value, rows: open.length, answers: example.answers });
	};
	if ((dateOrder ?? rules.dateOrder) === 'refuse')
		await ask(
			'dateOrder',
			'serviceDate',
			(cell) => ordersOf(cell, rules).length > 0 && !parseDate(cell, rules).ok,
			(cell) => readingsOf(cell, rules),
		);
	if (!areaUnit && !settings.areaUnit) {
		const columnsOfUnits = columns.has('areaType') ? [] : await answersFor('areaType');
		await ask(
			'areaUnit',
			'landArea',
			(cell, { areaType }) => {
				const area = parseLandArea(cell);
				return isBlank(areaType) && area.ok && !area.value.areaType;
			},
			() => [...columnsOfUnits, ...UNITS],
		);
	}
	if (!rules.defaultCountry)
		await ask(
			'phoneCountry',
			'farmerPhone',
			(cell) => {
				const phone = parseFarmerPhone(cell);
				return phone.ok && !phone.value.startsWith('+');
			},
			() => COUNTRIES,
		);
	for (const field of OPTIONAL_FIELDS.filter((name) => columns.has(name)))
		await ask(
			'ignoredColumns',
			field,
			(cell) => !parseField(field, cell, rules).ok,
			() => [
				{ text: 'Leave the column out', value: headings.get(field) ?? '' },
				{ text: 'Do not book these rows', value: '' },
			],
		);
	return questions;
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
