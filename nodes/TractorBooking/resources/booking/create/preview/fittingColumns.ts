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

/** Whether a cell is hardly anything else than a field; a day has to be one to come. */
function tells(sheet: OpenSheet, field: ColumnField, cell: string): boolean {
	const { rules } = sheet.settings;
	const isToCome = () =>
		ordersOf(cell, rules).some((dateOrder) => {
			const day = parseDate(cell, { ...rules, dateOrder });
			return day.ok && day.value > rules.today;
		});
	return kindOf(sheet, cell) === field && (field !== 'serviceDate' || isToCome());
}

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

/**
 * How likely a column holds a field: its heading is like that of the field and says whose it is, its cells are hardly anything
 * else, its heading is like that of the field, and like that of no other one. Each says more than all after it.
 */
function rankOf(sheet: OpenSheet, { column, values }: OtherColumn, field: ColumnField): number {
	const own = [field, ...partsOf(field)];
	const isLikeOne = (fields: ColumnField[]) => fields.some((one) => isLike(sheet, column, one));
	const like = isLikeOne(own);
	const isOther = isLikeOne(COLUMN_FIELDS.filter((one) => !own.includes(one)));
	const isTold = areMost(values, (value) => tells(sheet, field, value));
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

/** The first of the columns that may hold a field, if it is likelier to than all others. */
export function likeliest(sheet: OpenSheet, field: ColumnField): OtherColumn | undefined {
	const [first, ...others] = columnsFor(sheet, field);
	if (first === undefined || first.rank <= 0) return undefined;
	// A group, a father or an agent has a name, too.
	const isMore = (one: typeof first) => field !== 'farmerName' || first.distinct > one.distinct;
	return others.every((one) => first.rank > one.rank && isMore(one)) ? first : undefined;
}

/** The columns of the parts of a field, if there is one for each: two latitudes are those of two places. */
export function partColumns(sheet: OpenSheet, field: ColumnField): Array<[ColumnField, string]> {
	const parts = partsOf(field);
	const found = parts.flatMap((part): Array<[ColumnField, string]> => {
		const own = columnsFor(sheet, part).filter(({ rank }) => rank > 0);
		return own.length === 1 ? own.map(({ column }) => [part, column]) : [];
	});
	const columns = new Set(found.map(([, column]) => column));
	return parts.length > 1 && columns.size === parts.length ? found : [];
}
