import { COUNTRY_CHOICES } from '../../../../methods/fields';
import { parseLandArea } from '../../../../parse/areaUnits';
import { parsePosition, type Position } from '../../../../parse/coordinates';
import { parseDate, type DateOrder } from '../../../../parse/dates';
import { parseFarmerPhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isBlank } from '../../../../parse/text';
import { asText, cleanText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { OPTIONAL_FIELDS, parseField, type BookingField } from '../fields';
import { isUsable } from './fittingColumns';
import { cellOf } from './cells';
import { columnAnswers, columnsFor } from './columnQuestions';
import type { RawBooking } from './columns';
import { likelyCountries } from './likelyCountries';
import { NO_SUCH_ROW, type Answer, type OpenSheet, type Question } from './questions';

const COUNTRIES = COUNTRY_CHOICES.map(([text, value]): Answer => ({ text, value }));

const UNITS: Answer[] = [
	{ text: 'Hectares', value: 'ha' },
	{ text: 'Acres', value: 'ac' },
	{ text: NO_SUCH_ROW, value: '' },
];

type OpenCell = { name: string; cell: unknown };

/** The cells of a field, or of the columns that may hold it, that leave something open: those of each row. */
async function openCellsOf(
	{ rows, lacking }: OpenSheet,
	names: readonly string[],
	isOpen: (cell: unknown, raw: RawBooking) => boolean,
): Promise<OpenCell[][]> {
	const found = await inTurns(rows, ({ json, raw, isRequest }) => {
		// While columns are lacking, nothing tells that a row is no request.
		if (lacking.length === 0 && !isRequest) return [];
		const cells = names.map((name) => ({ name, cell: cellOf(json, name) }));
		return cells.filter(({ cell }) => isUsable(cell) && isOpen(cell, raw));
	});
	return found.filter((cells) => cells.length > 0);
}

/** The column of a field, else those that may hold it. */
function namesOf(sheet: OpenSheet, field: BookingField): { column: string; names: string[] } {
	const column = sheet.columns.headings.get(field) ?? '';
	const { lacking } = sheet;
	const unsure = lacking.includes(field) ? columnsFor(sheet, field).map((one) => one.column) : [];
	return { column, names: column ? [column] : unsure };
}

const formatDay = (day: string) =>
	new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));

/** In which order the dates are: not asked if all are in the past in one of the two, and none is in the other. */
export async function dateQuestion(sheet: OpenSheet): Promise<Question[]> {
	const { rules } = sheet.settings;
	if ((sheet.columns.dateOrder ?? rules.dateOrder) !== 'refuse') return [];
	const { column, names } = namesOf(sheet, 'serviceDate');
	const isOpen = (cell: unknown) => ordersOf(cell, rules).length > 0 && !parseDate(cell, rules).ok;
	const rows = await openCellsOf(sheet, names, isOpen);
	const cells = rows.flat().map(({ cell }) => cell);
	// One that has two readings is the better example.
	const example = cells.find((cell) => ordersOf(cell, rules).length > 1) ?? cells[0];
	if (example === undefined) return [];
	const dayIn = (cell: unknown, dateOrder: DateOrder) => {
		const day = parseDate(cell, { ...rules, dateOrder });
		return day.ok ? day.value : '';
	};
	const isAhead = (cell: unknown, order: DateOrder) => dayIn(cell, order) >= rules.today;
	const orders = ordersOf(example, rules);
	const possible = orders.filter((order) => cells.some((cell) => isAhead(cell, order)));
	const [only] = possible;
	const isClear = possible.length === 1 && cells.every((cell) => only && isAhead(cell, only));
	const answers = (isClear ? possible : orders).map((order): Answer => ({
		text: `${formatDay(dayIn(example, order))} (the ${order.replace('First', '')} first)`,
		value: order,
	}));
	if (!isClear) answers.push({ text: NO_SUCH_ROW, value: 'refuse' });
	const value = cleanText(asText(example));
	return [{ about: 'dateOrder', column, value, rows: rows.length, answers }];
}

/**
 * A question about the cells of a field. Of several columns that may hold it, all have to leave it open: one with units or
 * country codes is likelier to be it.
 */
async function cellQuestion(
	sheet: OpenSheet,
	about: 'areaUnit' | 'phoneCountry',
	field: BookingField,
	isOpen: (cell: unknown, raw: RawBooking) => boolean,
	answersTo: (
		cells: readonly unknown[],
		names: readonly string[],
	) => Pick<Question, 'answers' | 'suggested'>,
): Promise<Question[]> {
	const { column, names } = namesOf(sheet, field);
	const rows = await openCellsOf(sheet, names, isOpen);
	const open = rows.flat();
	const isOpenIn = (name: string) => open.some((one) => one.name === name);
	if (open.length === 0 || !names.every(isOpenIn)) return [];
	// Many a number may be an area or a phone.
	const value = column ? cleanText(asText(open[0]?.cell)) : '';
	const cells = open.map(({ cell }) => cell);
	return [{ about, column, value, rows: rows.length, ...answersTo(cells, names) }];
}

export async function unitQuestion(sheet: OpenSheet): Promise<Question[]> {
	if (sheet.columns.areaUnit ?? sheet.settings.areaUnit) return [];
	const ofColumns = sheet.columns.columns.has('areaType') ? [] : columnAnswers(sheet, 'areaType');
	const isOpen = (cell: unknown, { areaType }: RawBooking) => {
		const area = parseLandArea(cell);
		return isBlank(areaType) && area.ok && !area.value.areaType;
	};
	return await cellQuestion(sheet, 'areaUnit', 'landArea', isOpen, () => ({
		answers: [...ofColumns, ...UNITS],
		// Units are seldom anything else.
		suggested: ofColumns[0]?.value,
	}));
}

/** As many rows show what is likely. */
const SOME_ROWS = 50;

function placesIn(sheet: OpenSheet): Position[] {
	const [likely] = sheet.lacking.includes('coordinates') ? columnsFor(sheet, 'coordinates') : [];
	return sheet.rows.slice(0, SOME_ROWS).flatMap(({ json, raw }) => {
		const { latitude, longitude, coordinates = likely && cellOf(json, likely.column) } = raw;
		const place = parsePosition(coordinates ?? `${asText(latitude)} ${asText(longitude)}`);
		return place.ok ? place.value : [];
	});
}

const phonesWithCode = ({ rows }: OpenSheet, names: readonly string[]) =>
	rows.slice(0, SOME_ROWS).flatMap(({ json }) =>
		names.flatMap((name) => {
			const phone = parseFarmerPhone(cellOf(json, name));
			return phone.ok && phone.value.startsWith('+') ? phone.value : [];
		}),
	);

/** From which country phones without its code are: first those that the sheet suggests. */
export async function countryQuestion(sheet: OpenSheet): Promise<Question[]> {
	if (sheet.settings.rules.defaultCountry) return [];
	const isOpen = (cell: unknown) => {
		const phone = parseFarmerPhone(cell);
		return phone.ok && !phone.value.startsWith('+');
	};
	return await cellQuestion(sheet, 'phoneCountry', 'farmerPhone', isOpen, (cells, names) => {
		const likely = likelyCountries(
			cells.slice(0, SOME_ROWS),
			phonesWithCode(sheet, names),
			placesIn(sheet),
		);
		const rank = ({ value }: Answer) => Number(!likely.some((code) => code === value));
		const answers = [...COUNTRIES].sort((a, b) => rank(a) - rank(b));
		return likely.length === 1 ? { answers, suggested: likely[0] } : { answers };
	});
}

/** Optional columns with cells that cannot be sent. If none can, the column is left out without a question. */
export async function unsendableQuestions(sheet: OpenSheet): Promise<Question[]> {
	const { columns, headings } = sheet.columns;
	const { rules } = sheet.settings;
	const fields = OPTIONAL_FIELDS.filter((name) => columns.has(name));
	const questions = fields.map(async (field) => {
		const column = headings.get(field) ?? '';
		const filled = await openCellsOf(sheet, [column], () => true);
		const open = filled.filter(([one]) => !parseField(field, one?.cell, rules).ok);
		const value = cleanText(asText(open[0]?.[0]?.cell));
		const answers = [{ text: 'Leave the column out', value: column }];
		if (open.length < filled.length) answers.push({ text: 'Do not book these rows', value: '' });
		const question = {
			about: 'ignoredColumns',
			column,
			value,
			rows: open.length,
			answers,
		} as const;
		return open.length === 0 ? [] : [question];
	});
	return (await Promise.all(questions)).flat();
}
