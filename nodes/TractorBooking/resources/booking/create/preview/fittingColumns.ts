import { findService } from '../../../../api/services';
import { areaUnitOf, implausibleAreaIssue, parseLandArea } from '../../../../parse/areaUnits';
import { parsePosition } from '../../../../parse/coordinates';
import { parseDate } from '../../../../parse/dates';
import { parseFarmerPhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isUsable, parseName, parseText } from '../../../../parse/text';
import { isTick, wordsOf } from '../../../../utils/text';
import { COLUMN_FIELDS, fieldOf, headingsOf, partsOf, type ColumnField } from '../row/fields';
import { saysWhose } from '../sheet/headings';
import type { OtherColumn } from '../sheet/problems';
import { isDecision } from '../sheet/readerColumns';
import type { OpenSheet } from '../sheet/rows';

/** What a cell is that is hardly anything else: a place, a day, an area with its unit, a phone, a service of some tractors. */
function kindOf({ settings, services }: OpenSheet, cell: string): ColumnField | undefined {
	if (parsePosition(cell).ok) return 'coordinates';
	if (ordersOf(cell, settings.rules).length > 0) return 'serviceDate';
	const area = parseLandArea(cell);
	if (area.ok && area.value.areaType !== undefined) return 'landArea';
	if (parseFarmerPhone(cell).ok) return 'farmerPhone';
	return findService(services, { name: cell }) && 'serviceType';
}

function fits(sheet: OpenSheet, field: ColumnField, cell: string): boolean {
	// An e-mail address is in no field.
	if (!isUsable(cell) || cell.includes('@')) return false;
	const kind = kindOf(sheet, cell);
	if (kind !== undefined || field === 'coordinates') return kind === field;
	const { parse = parseText } = fieldOf(field);
	// A number may be anything.
	if (parse === parseText || field === 'serviceType') return parseName(cell).ok;
	const value = parse(cell, sheet.settings.rules);
	return value.ok && (field !== 'landArea' || !implausibleAreaIssue(Number(value.value), 'ha'));
}

/** Whether a cell is a day to come. */
const isToCome = (cell: string, { rules }: OpenSheet['settings']) =>
	ordersOf(cell, rules).some((dateOrder) => {
		const day = parseDate(cell, { ...rules, dateOrder });
		return day.ok && day.value > rules.today;
	});

/** Whether half of the cells, at least, are such. */
function areMost(values: OtherColumn['values'], isSuch: (cell: string) => boolean): boolean {
	const sum = values.reduce((sum, { value, count }) => sum + (isSuch(value) ? count : -count), 0);
	return sum >= 0;
}

/** Whether a heading has all words of one of the field, or is its last word: `Date` of `Preferred Date`. Areas have units. */
export function isLike({ columns }: OpenSheet, column: string, field: ColumnField): boolean {
	const words = wordsOf(columns.questionIn(column));
	if (field === 'landArea' && words.some(areaUnitOf)) return true;
	return [...headingsOf(field), fieldOf(field).label].map(wordsOf).some((known) => {
		const isLast = words.length > 0 && words.join(' ') === known.slice(-words.length).join(' ');
		return isLast || known.every((word) => words.includes(word));
	});
}

const CROPS: ColumnField[] = ['crop', 'crops', 'custom_crop'];

/** The fields whose headings may be those of a field: its parts, too. */
export const alike = (field: ColumnField): ColumnField[] =>
	CROPS.includes(field) ? CROPS : [field, ...partsOf(field)];

/**
 * How likely a column holds a field: its heading is like that of the field and says whose it is, its cells are hardly anything
 * else, its heading is like that of the field, and like that of no other one. Each says more than all after it.
 */
function rankOf(sheet: OpenSheet, { column, values }: OtherColumn, field: ColumnField): number {
	const own = alike(field);
	const isLikeOne = (fields: ColumnField[]) => fields.some((one) => isLike(sheet, column, one));
	const like = isLikeOne(own);
	const isOther = isLikeOne(COLUMN_FIELDS.filter((one) => !own.includes(one)));
	const isTold = areMost(values, (value) =>
		field === 'serviceDate' ? isToCome(value, sheet.settings) : kindOf(sheet, value) === field,
	);
	const whose = like && saysWhose(field, column) === true;
	return 8 * Number(whose) + 4 * Number(isTold) + 2 * Number(like) - Number(isOther);
}

/** The columns that may hold a field, of those that hold none, even ignored: half of their cells fit it. The likeliest is the first. */
export function columnsFor(sheet: OpenSheet, field: ColumnField) {
	const { columns, filled } = sheet;
	// A place in degrees may be under a heading for a place in words.
	const inWords = field === 'coordinates' ? (columns.columns.get('farmLocation') ?? []) : [];
	const names = [...columns.unread, ...inWords];
	return filled
		.filter(
			({ column, values, distinct }) =>
				names.includes(column) &&
				!isDecision(column) &&
				(field !== 'tractorId' || saysWhose(field, columns.questionIn(column))) &&
				// Ticks are no numbers.
				!(distinct === 2 && values.every(({ value }) => isTick(value))) &&
				areMost(values, (value) => fits(sheet, field, value)),
		)
		.map((one) => ({ ...one, rank: rankOf(sheet, one, field) }))
		.sort((a, b) => b.rank - a.rank || b.distinct - a.distinct);
}

/** Whether the first of some columns is likelier to hold a field than all others. */
export function isLikeliest(
	field: ColumnField,
	[first, ...others]: ReturnType<typeof columnsFor>,
): boolean {
	if (first === undefined || first.rank <= 0) return false;
	// A group, a father or an agent has a name, too.
	const isMore = (one: typeof first) => field !== 'farmerName' || first.distinct > one.distinct;
	return others.every((one) => first.rank > one.rank && isMore(one));
}
