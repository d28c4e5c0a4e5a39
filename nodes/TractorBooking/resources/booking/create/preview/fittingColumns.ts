import { findService } from '../../../../api/services';
import { areaUnitOf, implausibleAreaIssue, parseLandArea } from '../../../../parse/areaUnits';
import { parsePosition } from '../../../../parse/coordinates';
import { parseDate } from '../../../../parse/dates';
import { parseFarmerPhone } from '../../../../parse/phones';
import { ordersOf } from '../../../../parse/serviceDates';
import { isUsable, parseName, parseText } from '../../../../parse/text';
import { isTick, wordsOf } from '../../../../utils/text';
import {
	COLUMN_FIELDS,
	fieldOf,
	headingsOf,
	partsOf,
	type ColumnField,
	type Rules,
} from '../row/fields';
import { saysWhose } from '../sheet/headings';
import type { OtherColumn } from '../sheet/problems';
import { isDecision } from '../sheet/readerColumns';
import type { OpenSheet } from '../sheet/rows';

function fits(field: ColumnField, cell: string, rules: Rules): boolean {
	// An e-mail address is in no field.
	if (!isUsable(cell) || cell.includes('@')) return false;
	const isPlace = parsePosition(cell).ok;
	const isDate = ordersOf(cell, rules).length > 0;
	const isPhone = parseFarmerPhone(cell).ok;
	const area = parseLandArea(cell);
	const hasUnit = area.ok && area.value.areaType !== undefined;
	if (field === 'coordinates') return isPlace;
	if (field === 'serviceDate') return isDate;
	if (field === 'landArea')
		return area.ok && !implausibleAreaIssue(area.value.value, area.value.areaType ?? 'ha');
	// As text or as numbers, these would fit most other fields, too.
	if (isPlace || isDate || hasUnit) return false;
	if (field === 'farmerPhone' || isPhone) return field === 'farmerPhone' && isPhone;
	const isWord = parseName(cell).ok;
	const { parse = parseText } = fieldOf(field);
	// A number may be anything.
	if (parse === parseText || field === 'serviceType') return isWord;
	return parse(cell, rules).ok;
}

/** Whether a cell is hardly anything else: a day to come, an area with its unit, a service of some tractors. */
function tells({ settings, services }: OpenSheet, field: ColumnField, cell: string): boolean {
	const { rules } = settings;
	if (field === 'serviceType') return findService(services, { name: cell }) !== undefined;
	if (field === 'serviceDate')
		return ordersOf(cell, rules).some((dateOrder) => {
			const day = parseDate(cell, { ...rules, dateOrder });
			return day.ok && day.value > rules.today;
		});
	const area = parseLandArea(cell);
	return field === 'landArea' && area.ok && area.value.areaType !== undefined;
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

/** How many rows have these values. */
const rowsWith = (values: OtherColumn['values']) =>
	values.reduce((sum, { count }) => sum + count, 0);

/** Whether half of the cells, at least, are such. */
function areMost(values: OtherColumn['values'], isSuch: (cell: string) => boolean): boolean {
	return 2 * rowsWith(values.filter(({ value }) => isSuch(value))) >= rowsWith(values);
}

/**
 * What is likelier to hold a field, by its heading: the farmer's phone, a phone, anything, the name of a village. Cells
 * that are hardly anything else say more.
 */
function likenessOf(sheet: OpenSheet, { column, values }: OtherColumn, field: ColumnField): number {
	const told = areMost(values, (value) => tells(sheet, field, value)) ? 1.5 : 0;
	const own = [field, ...partsOf(field)];
	const isOther = (one: ColumnField) => !own.includes(one) && isLike(sheet, column, one);
	const other = Number(COLUMN_FIELDS.some(isOther));
	if (!own.some((one) => isLike(sheet, column, one))) return told - other;
	// `Sex of the farmer` is a name less than `Name of the farmer` is.
	return told + (saysWhose(field, column) ? 2 : 1) - other / 4;
}

/**
 * The columns that may hold a field, of those that hold none, even ignored: half of their cells fit it, at least. The likeliest
 * is the first, by heading. It is likely if it is more so than all others, or is the only one with such cells.
 */
export function columnsFor(sheet: OpenSheet, field: ColumnField) {
	const { columns, filled, rows, settings } = sheet;
	const { rules } = settings;
	// A place in degrees may be under a heading for a place in words.
	const inWords = field === 'coordinates' ? (columns.columns.get('farmLocation') ?? []) : [];
	const names = [...columns.unread, ...inWords];
	// What each row has is in no column of remarks.
	const fewest = fieldOf(field).rank === 'core' ? rows.length / 2 : 0;
	const areTold = field === 'farmerPhone' || field === 'serviceDate';
	// Names, phones and areas are many, services few, and are nothing else.
	const isService = field === 'serviceType';
	const isOfEach = fieldOf(field).rank === 'core' && !isService;
	return filled
		.filter(
			({ column, values, distinct }) =>
				names.includes(column) &&
				!isDecision(column) &&
				(distinct > values.length || rowsWith(values) >= fewest) &&
				(field !== 'tractorId' || saysWhose(field, columns.questionIn(column))) &&
				// Ticks are no numbers.
				!(distinct === 2 && values.every(({ value }) => isTick(value))) &&
				areMost(values, (value) => fits(field, value, rules)) &&
				(isService || !areMost(values, (value) => tells(sheet, 'serviceType', value))),
		)
		.map((one) => ({ ...one, likeness: likenessOf(sheet, one, field) }))
		.sort((a, b) => b.likeness - a.likeness || (isOfEach ? b.distinct - a.distinct : 0))
		.map((one, at, all) => ({
			...one,
			isLikely:
				at === 0 &&
				// A group, a father or an agent has a name, too.
				(field !== 'farmerName' ||
					all.every((other, i) => i === 0 || other.distinct < one.distinct)) &&
				((areTold && all.length === 1) || one.likeness > Math.max(all[1]?.likeness ?? 0, 0)),
		}));
}

/** The columns of the parts of a field, if there is one for each: two latitudes are those of two places. */
export function partColumns(sheet: OpenSheet, field: ColumnField): Array<[ColumnField, string]> {
	const parts = partsOf(field);
	const found = parts.flatMap((part): Array<[ColumnField, string]> => {
		const own = columnsFor(sheet, part).filter(({ likeness }) => likeness > 0);
		return own.length === 1 ? own.map(({ column }) => [part, column]) : [];
	});
	const columns = new Set(found.map(([, column]) => column));
	return parts.length > 1 && columns.size === parts.length ? found : [];
}
