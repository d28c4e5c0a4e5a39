import { implausibleArea, parseAreaUnit, parseLandArea } from '../../../parse/areaUnits';
import { parseCoordinate, parsePosition, type Position } from '../../../parse/coordinates';
import { DATE_ORDERS, parseDate, serialOf } from '../../../parse/dates';
import { InvalidInputError } from '../../../parse/issue';
import { PHONE_COUNTRIES } from '../../../parse/phoneCountryList';
import { parseFarmerPhone } from '../../../parse/phones';
import { isBlank, parseName, unusable } from '../../../parse/text';
import { groupBy } from '../../../utils/groupBy';
import { memoize } from '../../../utils/memoize';
import { asText, cleanText } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import {
	COLUMN_FIELDS,
	OPTIONAL_FIELDS,
	labelOf,
	parseField,
	partsOf,
	type ColumnField,
	type Rules,
} from './fields';
import type { CheckedRow } from './row';
import type { RunSettings } from './settings';
import { cellOf, parseHeading, unitsIn, type RawBooking, type SheetColumns } from './sheetColumns';
import { columnText, isRequest, type SheetCells, type SheetFindings } from './sheetProblems';

/** Which column holds which field. */
type ColumnsOfFields = Partial<Record<ColumnField, string>>;

/** What may be answered to a question. */
interface Answer {
	/** For a person. */
	text: string;
	/** What to set: of a service, what to write into its cells instead; of a column, what it holds. */
	value: string | ColumnsOfFields;
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
	/** How many rows have such a cell. */
	rows: number;
	answers: Answer[];
}

const dayText = (ms: number) =>
	new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(ms);

/** Rows may differ: then each is corrected in the sheet. */
const NO_SUCH_ROW = 'None of these: do not book these rows';

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
	/** Whether a cell leaves it open. */
	isOpen: (cell: unknown, raw: RawBooking, column: string) => boolean;
	answers: (cell: unknown) => readonly Answer[];
}

/** What a cell may be, as far as a reader can tell. */
function cellTests(rules: Rules) {
	const readings = (cell: unknown) =>
		DATE_ORDERS.flatMap((order): Answer[] => {
			const date = parseDate(cell, { ...rules, dateOrder: order });
			const first = order === 'dayFirst' ? 'the day first' : 'the month first';
			if (!date.ok) return [];
			return [{ text: `${dayText(Date.parse(date.value))} (${first})`, value: order }];
		});
	const isDate = (cell: unknown) =>
		DATE_ORDERS.some((dateOrder) => parseDate(cell, { ...rules, dateOrder }).ok);
	const areaIn = (cell: unknown) => {
		const area = parseLandArea(cell, rules.decimalSeparator);
		return area.ok ? area.value : undefined;
	};
	const isDegrees = (cell: unknown, axis: keyof Position) =>
		parseCoordinate(cell, axis).ok && /\d[.,]\d\d/.test(asText(cell));
	const isPhone = (cell: unknown) =>
		parseFarmerPhone(cell).ok && !isDate(cell) && !parsePosition(cell).ok;
	/** Whether a cell may be of a field. */
	const canBe: Partial<Record<ColumnField, (cell: unknown) => boolean>> = {
		farmerName: (cell) => parseName(cell).ok,
		farmerPhone: isPhone,
		serviceType: (cell) =>
			parseName(cell).ok || (parseField('serviceType', cell, rules).ok && !isPhone(cell)),
		serviceDate: isDate,
		landArea: (cell) => !implausibleArea(areaIn(cell)?.value ?? Infinity, 'ha'),
		areaType: (cell) => parseAreaUnit(cell).ok,
		tractorId: (cell) => parseField('tractorId', cell, rules).ok && !isPhone(cell),
		coordinates: (cell) => parsePosition(cell).ok,
		latitude: (cell) => isDegrees(cell, 'latitude'),
		longitude: (cell) => isDegrees(cell, 'longitude'),
	};
	return { canBe, isDate, readings, areaIn };
}

const isFilled = (cell: unknown) => !isBlank(cell) && !unusable(cell);

/** The columns that may hold a field that is asked for. */
class UnreadColumns {
	constructor(
		private readonly rows: readonly SheetCells[],
		/** Those that hold no field. */
		private readonly others: readonly string[],
		/** Those that are read as the place in words: a place in degrees may be under such a heading. */
		private readonly places: readonly string[],
		private readonly filled: SheetFindings['filled'],
		private readonly rules: Rules,
		private readonly canBe: ReturnType<typeof cellTests>['canBe'],
	) {}

	/** Those that may hold a field, since a cell can be read as it; first those whose path ends with its heading. */
	readonly thatMayHold = memoize(async (field: ColumnField) => {
		const isPlace = field === 'coordinates' || partsOf('coordinates').includes(field);
		const names = [...this.others, ...(isPlace ? this.places : [])];
		const found = new Set<string>();
		await inTurns(this.rows, ({ json }) => {
			for (const name of names) {
				const cell = found.has(name) ? undefined : cellOf(json, name);
				if (isFilled(cell) && this.canBe[field]?.(cell)) found.add(name);
			}
		});
		const isNamedSo = (name: string) => parseHeading(name.split(/[/.]/).at(-1) ?? '') === field;
		const all = names.filter((name) => found.has(name));
		return [...all.filter(isNamedSo), ...all.filter((name) => !isNamedSo(name))];
	});

	private textOf(name: string, field: ColumnField): string {
		const { values = [], distinct = 0 } = this.filled.find(({ column }) => column === name) ?? {};
		const shown = values.slice(0, 3).map(({ value, count }) => {
			// The number of a day in Excel says nothing to a person.
			const isNumber = field === 'serviceDate' && serialOf(value) !== undefined;
			const date = isNumber ? parseDate(value, this.rules) : undefined;
			return { value: date?.ok ? date.value : value, count };
		});
		return columnText({ column: name, values: shown, distinct });
	}

	answer(value: ColumnsOfFields): Answer {
		const parts = COLUMN_FIELDS.flatMap((field) => {
			const name = value[field];
			return name === undefined ? [] : { field, text: this.textOf(name, field) };
		});
		const isLabelled = parts.length > 1 || value.tractorId !== undefined;
		const texts = parts.map(({ field, text }) =>
			isLabelled ? `${labelOf(field)}: ${text}` : text,
		);
		return { text: texts.join(', '), value };
	}

	async answersFor(field: ColumnField): Promise<Answer[]> {
		return (await this.thatMayHold(field)).map((name) => this.answer({ [field]: name }));
	}

	/** A place is in one column or in two. */
	async answersForPlace(): Promise<Answer[]> {
		const longitudes = await this.thatMayHold('longitude');
		const pairs = (await this.thatMayHold('latitude')).flatMap((latitude) =>
			longitudes
				.filter((longitude) => longitude !== latitude)
				.map((longitude) => this.answer({ latitude, longitude })),
		);
		return [...(await this.answersFor('coordinates')), ...pairs];
	}
}

/** Which column holds a field: one that no column holds, or one that several do. */
async function columnQuestions(
	unread: UnreadColumns,
	{ columns, doubled }: SheetColumns,
	lacking: readonly ColumnField[],
	{ tractorSelection }: RunSettings,
): Promise<Question[]> {
	const ask = (field: ColumnField, answers: Answer[]): Question => ({
		...{ about: 'columnMapping', field, column: '', value: labelOf(field), rows: 0, answers },
	});
	const questions: Question[] = [];
	for (const field of lacking) {
		const isPlace = field === 'coordinates';
		const isEither = isPlace && tractorSelection === 'idOrNearest';
		questions.push(
			ask(field, [
				...(await (isPlace ? unread.answersForPlace() : unread.answersFor(field))),
				...(isEither ? await unread.answersFor('tractorId') : []),
				{ text: 'Not in this sheet', value: '' },
			]),
		);
	}
	for (const { field } of doubled) {
		const own = columns.get(field) ?? [];
		const parts = partsOf(field).flatMap((part) =>
			(columns.get(part) ?? []).slice(0, 1).map((name) => [part, name] as const),
		);
		const all = own.map((name): ColumnsOfFields => ({ [field]: name }));
		if (parts.length > 0) all.push(Object.fromEntries(parts));
		questions.push(
			ask(
				field,
				all.map((one) => unread.answer(one)),
			),
		);
	}
	return questions;
}

/** What a sheet leaves open: which column holds a field, and how to read its cells. */
export async function questionsOf(
	rows: readonly SheetCells[],
	sheet: SheetColumns,
	{ lacking, filled }: Pick<SheetFindings, 'filled' | 'lacking'>,
	settings: RunSettings,
): Promise<Question[]> {
	const { columns, headings, areaUnit, dateOrder } = sheet;
	const { rules, notInSheet } = settings;
	const { canBe, isDate, readings, areaIn } = cellTests(rules);
	const places = columns.get('farmLocation') ?? [];
	const unread = new UnreadColumns(rows, sheet.others, places, filled, rules, canBe);

	const ask = async ({ about, field, isOpen, answers }: Asked): Promise<Question[]> => {
		const column = headings.get(field);
		if (column === undefined && notInSheet.has(field)) return [];
		const names = column === undefined ? await unread.thatMayHold(field) : [column];
		const asking = column === undefined ? rows : rows.filter(({ raw }) => isRequest(raw));
		const leftOpen = new Set<string>();
		const open = await inTurns(asking, ({ raw, json }) =>
			names.flatMap((name) => {
				const cell = column === undefined ? cellOf(json, name) : raw[field];
				if (!isFilled(cell) || !isOpen(cell, raw, name)) return [];
				leftOpen.add(name);
				return [{ cell, choices: answers(cell) }];
			}),
		);
		// The more answers there are, the better the example.
		const [example] = open.flat().sort((a, b) => b.choices.length - a.choices.length);
		const isOfDates = about === 'dateOrder';
		// Many a number may be an area or a phone: a column with units or country codes is likelier to be it.
		if (!example || (!isOfDates && leftOpen.size < names.length)) return [];
		const isShown = column !== undefined || isOfDates;
		const value = isShown ? cleanText(asText(example.cell)) : '';
		const count = open.filter(({ length }) => length > 0).length;
		return [{ about, column: column ?? '', value, rows: count, answers: [...example.choices] }];
	};

	const asked: Asked[] = [];
	if ((dateOrder ?? rules.dateOrder ?? 'refuse') === 'refuse')
		asked.push({
			about: 'dateOrder',
			field: 'serviceDate',
			isOpen: (cell) => isDate(cell) && !parseDate(cell, rules).ok,
			answers: (cell) => [...readings(cell), { text: NO_SUCH_ROW, value: 'refuse' }],
		});
	if (!areaUnit && !settings.areaUnit) {
		const units = columns.has('areaType') ? [] : await unread.answersFor('areaType');
		asked.push({
			about: 'areaUnit',
			field: 'landArea',
			isOpen: (cell, { areaType }, name) =>
				isBlank(areaType) &&
				unitsIn(name).length === 0 &&
				areaIn(cell) !== undefined &&
				!areaIn(cell)?.areaType,
			answers: () => [...units, ...UNITS],
		});
	}
	if (!rules.defaultCountry)
		asked.push({
			about: 'phoneCountry',
			field: 'farmerPhone',
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
				{ text: 'Do not book these rows', value: '' },
			],
		});
	const questions = await columnQuestions(unread, sheet, lacking, settings);
	for (const one of asked) questions.push(...(await ask(one)));
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
