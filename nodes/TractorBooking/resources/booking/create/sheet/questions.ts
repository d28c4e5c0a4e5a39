import { COUNTRY_CHOICES } from '../../../../methods/fields';
import { parseLandArea } from '../../../../parse/areaUnits';
import { parsePosition } from '../../../../parse/coordinates';
import { parseDate, serialOf } from '../../../../parse/dates';
import { parseFarmerPhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isBlank, parseName, unusableCellIssue } from '../../../../parse/text';
import { groupBy } from '../../../../utils/groupBy';
import { asText, cleanText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import {
	OPTIONAL_FIELDS,
	labelOf,
	parseField,
	type BookingField,
	type ColumnField,
	type NeededField,
	type Rules,
} from '../fields';
import { issuesOf, type CheckedRow } from '../row';
import type { CreateSettings } from '../settings';
import { cellOf } from './cells';
import type { RawBooking, SheetColumns } from './columns';
import { columnText, type SheetCells, type SheetFindings } from './problems';

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

const COUNTRIES = COUNTRY_CHOICES.map(([text, value]): Answer => ({ text, value }));

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

const isUsable = (cell: unknown) => !isBlank(cell) && !unusableCellIssue(cell);

/** Whether a cell can be read as a field, so that its column may hold it. */
function canBe(field: NeededField, cell: unknown, rules: Rules): boolean {
	if (field === 'coordinates') return parsePosition(cell).ok;
	if (field === 'serviceDate') return ordersOf(cell, rules).length > 0;
	return (field === 'serviceType' && parseName(cell).ok) || parseField(field, cell, rules).ok;
}

/** What a sheet leaves open: which column holds a field, and how to read its cells. */
export async function questionsOf(
	rows: readonly SheetCells[],
	{ columns, headings, doubled, unread, areaUnit, dateOrder }: SheetColumns,
	{ lacking, filled }: Pick<SheetFindings, 'filled' | 'lacking'>,
	{ rules, tractorSelection, areaUnit: unitOfAll }: CreateSettings,
): Promise<Question[]> {
	const contentOf = (column: string) =>
		filled.find((one) => one.column === column) ?? { column, values: [], distinct: 0 };
	/** The columns that hold no field, even ignored, and have a value that can be read as this one. */
	const columnsFor = (field: NeededField) => {
		// A place in degrees may be under a heading for a place in words.
		const inWords = field === 'coordinates' ? (columns.get('farmLocation') ?? []) : [];
		return [...unread, ...inWords].filter((name) =>
			contentOf(name).values.some(({ value }) => isUsable(value) && canBe(field, value, rules)),
		);
	};
	/** A column as the one of a field, with some of its values. */
	const answer = (field: ColumnField, column: string): Answer => {
		const { values, distinct } = contentOf(column);
		const shown = values.slice(0, 3).map(({ value, count }) => {
			// The number of a day in Excel says nothing to a person.
			const isNumber = field === 'serviceDate' && serialOf(value) !== undefined;
			const date = isNumber ? parseDate(value, rules) : undefined;
			return { value: date?.ok ? date.value : value, count };
		});
		const label = field === 'tractorId' ? `${labelOf(field)}: ` : '';
		const text = label + columnText({ column, values: shown, distinct });
		return { text, value: { [field]: column } };
	};
	const answersFor = (field: NeededField): Answer[] => {
		const answers = columnsFor(field).map((name) => answer(field, name));
		const isEither = field === 'coordinates' && tractorSelection === 'idOrNearest';
		return isEither ? [...answers, ...answersFor('tractorId')] : answers;
	};
	const ofColumn = (field: ColumnField, answers: Answer[]): Question => {
		const of = { field, column: '', value: labelOf(field), rows: 0 };
		return { about: 'columnMapping', ...of, answers };
	};
	const none = { text: 'Not in this sheet', value: '' };
	const own = (field: ColumnField) => (columns.get(field) ?? []).map((name) => answer(field, name));
	const questions = [
		...lacking.map((field) => ofColumn(field, [...answersFor(field), none])),
		...doubled.map(({ field }) => ofColumn(field, own(field))),
	];

	/** Asks about the cells of a field that leave something open, or those of the columns that may hold it. */
	const ask = async (
		about: Question['about'],
		field: BookingField,
		isOpen: (cell: unknown, raw: RawBooking) => boolean,
		answersTo: (cell: unknown) => Answer[],
	) => {
		const column = headings.get(field) ?? '';
		const unsure = lacking.includes(field) ? columnsFor(field) : [];
		const names = column ? [column] : unsure;
		const found = await inTurns(rows, ({ json, raw, isRequest }) => {
			// While columns are lacking, nothing tells that a row is no request.
			if (lacking.length === 0 && !isRequest) return [];
			const cells = names.map((name) => ({ name, cell: cellOf(json, name) }));
			return cells.filter(({ cell }) => isUsable(cell) && isOpen(cell, raw));
		});
		const open = found.flat();
		const isDate = about === 'dateOrder';
		// A column with units or country codes is likelier to be it. A date is asked about in any.
		if (!isDate && !names.every((name) => open.some((one) => one.name === name))) return;
		// Of dates, one that has two readings is the better example.
		const example = open.find(({ cell }) => isDate && ordersOf(cell, rules).length > 1) ?? open[0];
		if (!example) return;
		// Many a number may be an area or a phone.
		const value = column || isDate ? cleanText(asText(example.cell)) : '';
		const { length } = found.filter((cells) => cells.length > 0);
		questions.push({ about, column, value, rows: length, answers: answersTo(example.cell) });
	};
	if ((dateOrder ?? rules.dateOrder) === 'refuse')
		await ask(
			'dateOrder',
			'serviceDate',
			(cell) => ordersOf(cell, rules).length > 0 && !parseDate(cell, rules).ok,
			(cell) => readingsOf(cell, rules),
		);
	if (!areaUnit && !unitOfAll) {
		const columnsOfUnits = columns.has('areaType') ? [] : answersFor('areaType');
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
	const open = rows
		.flatMap(issuesOf)
		.filter(({ choices = [], value }) => choices.length > 0 && !known.has(wordOf(value)));
	return [...groupBy(open, ({ value }) => wordOf(value))].map(([value, some]): Question => {
		const choices = [...new Set(some.flatMap((issue) => issue.choices ?? []))].sort();
		const answers = choices.map((choice) => ({ text: choice, value: choice }));
		answers.push({ text: NO_SUCH_ROW, value: '' });
		const column = some[0]?.column ?? '';
		return { about: 'serviceType', column, value, rows: some.length, answers };
	});
}
