import { COUNTRY_CHOICES } from '../../../../methods/fields';
import { parseLandArea } from '../../../../parse/areaUnits';
import { parsePosition, type Position } from '../../../../parse/coordinates';
import { parseDate, type DateOrder } from '../../../../parse/dates';
import { parseFarmerPhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isBlank, isUsable } from '../../../../parse/text';
import { asText, cleanText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { isLongPast } from '../row/candidates';
import { OPTIONAL_FIELDS, parseField, type ColumnField } from '../row/fields';
import type { RawBooking } from '../sheet/columns';
import type { OpenSheet } from '../sheet/rows';
import { NONE_OF_THESE, type Answer } from './answer';
import { columnAnswers, columnQuestions } from './columnQuestions';
import { isLike } from './fittingColumns';
import { likelyCountries } from './likelyCountries';
import type { Question } from './questions';

const COUNTRIES = COUNTRY_CHOICES.map(([text, value]): Answer => ({ text, value }));

/** So many rows are enough to show what is likely. */
export const SOME_ROWS = 50;

const UNITS: Answer[] = [
	{ text: 'Hectares', value: 'ha' },
	{ text: 'Acres', value: 'ac' },
	{ text: NONE_OF_THESE, value: '' },
];

/** The cells of a field in the rows that are requests. */
async function cellsOf(
	{ rows }: OpenSheet,
	field: ColumnField,
	isOpen: (cell: unknown, raw: RawBooking) => boolean = () => true,
): Promise<unknown[]> {
	const cells = await inTurns(rows, ({ raw, isRequest }) => {
		const cell = raw[field];
		return isRequest && isUsable(cell) && isOpen(cell, raw) ? [cell] : [];
	});
	return cells.flat();
}

/** A question about a cell, if there is one. */
function cellQuestion(
	{ columns }: OpenSheet,
	about: Question['about'],
	field: ColumnField,
	cell: unknown,
	answers: Pick<Question, 'answers' | 'suggested' | 'isSure' | 'says'>,
): Question[] {
	const column = columns.headings.get(field) ?? '';
	return cell === undefined ? [] : [{ about, column, value: cleanText(cell), ...answers }];
}

const formatDay = (day: string) =>
	new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));

/** In which order the dates are: likely the one in which more are ahead, for sure if all are long past in the other. */
async function dateQuestion(sheet: OpenSheet): Promise<Question[]> {
	const { rules } = sheet.settings;
	if ((sheet.columns.dateOrder ?? rules.dateOrder) !== 'refuse') return [];
	const all = await cellsOf(sheet, 'serviceDate', (cell) => ordersOf(cell, rules).length > 0);
	const open = all.filter((cell) => !parseDate(cell, rules).ok);
	// One that has two readings is the better example.
	const example = open.find((cell) => ordersOf(cell, rules).length > 1) ?? open[0];
	const dayIn = (cell: unknown, dateOrder: DateOrder) => {
		const day = parseDate(cell, { ...rules, dateOrder });
		return day.ok ? day.value : '';
	};
	const isOfAll = (order: DateOrder) => all.every((cell) => dayIn(cell, order) !== '');
	const orders = ordersOf(example, rules);
	// Whatever is answered, dates that contradict each other are issues of their rows.
	if (!orders.some(isOfAll)) return [];
	const aheadIn = (order?: DateOrder) =>
		order === undefined ? 0 : all.filter((cell) => dayIn(cell, order) >= rules.today).length;
	const [likely, other] = orders.toSorted((a, b) => aheadIn(b) - aheadIn(a));
	const answers = orders.map((order): Answer => ({
		text: `${formatDay(dayIn(example, order))} (the ${order.replace('First', '')} first)`,
		value: order,
	}));
	answers.push({ text: NONE_OF_THESE, value: 'refuse' });
	const suggested = aheadIn(likely) > aheadIn(other) ? likely : undefined;
	// Days that have just passed are those of a late list.
	const isSure =
		aheadIn(likely) === all.length &&
		all.every((cell) => isLongPast(dayIn(cell, other ?? 'refuse'), rules.today));
	return cellQuestion(sheet, 'dateOrder', 'serviceDate', example, { answers, suggested, isSure });
}

async function unitQuestion(sheet: OpenSheet): Promise<Question[]> {
	if (sheet.settings.areaUnit || sheet.columns.areaUnit) return [];
	const unitOf = (cell: unknown) => {
		const area = parseLandArea(cell);
		return area.ok ? area.value.areaType : undefined;
	};
	const cells = await cellsOf(
		sheet,
		'landArea',
		(cell, { areaType }) => isBlank(areaType) && parseLandArea(cell).ok && !unitOf(cell),
	);
	const named = [
		...new Set((await cellsOf(sheet, 'landArea')).flatMap((cell) => unitOf(cell) ?? [])),
	];
	const ofColumns = sheet.columns.columns.has('areaType') ? [] : columnAnswers(sheet, 'areaType');
	// A column with nothing but units is that of the unit.
	const isSure = ofColumns.length === 1;
	const says = named.length > 0 ? named : undefined;
	const rest = { answers: [...ofColumns, ...UNITS], suggested: ofColumns[0]?.value, isSure, says };
	return cellQuestion(sheet, 'areaUnit', 'landArea', cells[0], rest);
}

async function placesIn({ rows }: OpenSheet): Promise<Position[]> {
	const places = await inTurns(rows, ({ raw: { coordinates, latitude, longitude } }) =>
		parsePosition(isBlank(coordinates) ? [latitude, longitude].map(asText).join(' ') : coordinates),
	);
	return places.flatMap((place) => (place.ok ? place.value : []));
}

/** The tractors that rows without a place name: those of another country are other ones. */
async function tractorsIn(sheet: OpenSheet): Promise<string[]> {
	const hasPlace = ({ latitude, coordinates }: RawBooking) =>
		!isBlank(latitude) || !isBlank(coordinates);
	const ids = await cellsOf(sheet, 'tractorId', (_cell, raw) => !hasPlace(raw));
	return [...new Set(ids.map((id) => `tractor ${cleanText(id)}`))];
}

const phoneIn = (cell: unknown): string => {
	const phone = parseFarmerPhone(cell);
	return phone.ok ? phone.value : '';
};

/** From which country phones without its code are: first those that the sheet suggests. */
async function countryQuestion(sheet: OpenSheet): Promise<Question[]> {
	if (sheet.settings.rules.defaultCountry) return [];
	const local = await cellsOf(sheet, 'farmerPhone', (cell) => /^\d/.test(phoneIn(cell)));
	if (local.length === 0) return [];
	const some = (await cellsOf(sheet, 'farmerPhone')).slice(0, SOME_ROWS).map(phoneIn);
	const withCode = some.filter((phone) => phone.startsWith('+'));
	const places = await placesIn(sheet);
	const { likely, isSure } = likelyCountries(local.slice(0, SOME_ROWS), withCode, places);
	const rank = ({ value }: Answer) => Number(!likely.some((code) => code === value));
	const answers = [...COUNTRIES].sort((a, b) => rank(a) - rank(b));
	const suggested = likely.length === 1 ? likely[0] : undefined;
	// The farms of one list lie within some hundred kilometres, most often.
	const around = places.map(
		({ latitude, longitude }) => `a place near ${latitude.toFixed(0)}, ${longitude.toFixed(0)}`,
	);
	const where = suggested === undefined ? [...new Set(around)] : likely;
	const tractors = await tractorsIn(sheet);
	const says = [...where, ...tractors];
	const rest = { answers, suggested, isSure: isSure && tractors.length === 0, says };
	return cellQuestion(sheet, 'phoneCountry', 'farmerPhone', local[0], rest);
}

/** The columns of optional fields, by their headings or by what these are like, of which no cell can be sent. */
export function unsendableColumns(sheet: OpenSheet): string[] {
	const { columns, filled, settings } = sheet;
	return OPTIONAL_FIELDS.flatMap((field) => {
		const like = columns.unread.filter((name) => isLike(sheet, name, field));
		const names = [columns.headings.get(field), ...like];
		const isSendable = (cell: string) => parseField(field, cell, settings.rules).ok;
		return filled
			.filter(({ column }) => names.includes(column))
			.filter(({ values }) => !values.some(({ value }) => isSendable(value)))
			.map(({ column }) => column);
	});
}

/** What a sheet leaves open: which column holds a field, and how to read its cells. */
export async function questionsOf(sheet: OpenSheet): Promise<Question[]> {
	const known = sheet.likely?.open ?? sheet;
	const ofCells = [
		...(await dateQuestion(known)),
		...(await unitQuestion(known)),
		...(await countryQuestion(known)),
	].map((one) => {
		// Of a column that is only likely, nothing is sure.
		const isLikely = sheet.columns.unread.includes(one.column);
		return isLikely ? { ...one, column: '', isSure: false } : one;
	});
	return [...columnQuestions(sheet), ...ofCells];
}
