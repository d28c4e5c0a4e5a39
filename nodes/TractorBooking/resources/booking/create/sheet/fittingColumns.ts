import { implausibleAreaIssue, parseLandArea } from '../../../../parse/areaUnits';
import { parsePosition } from '../../../../parse/coordinates';
import { parseDate } from '../../../../parse/dates';
import { ordersOf } from '../../../../parse/serviceDates';
import { isBlank, parseName, unusableCellIssue } from '../../../../parse/text';
import { wordsOf } from '../../../../utils/text';
import {
	COLUMN_FIELDS,
	fieldOf,
	headingsOf,
	parseField,
	type ColumnField,
	type NeededField,
	type Rules,
} from '../fields';
import { questionIn, saysWhose } from './columns';
import type { OtherColumn } from './problems';

export const isUsable = (cell: unknown) => !isBlank(cell) && !unusableCellIssue(cell);

/** The days that a cell may mean. */
const daysOf = (cell: unknown, rules: Rules): string[] =>
	ordersOf(cell, rules).flatMap((dateOrder) => {
		const day = parseDate(cell, { ...rules, dateOrder });
		return day.ok ? day.value : [];
	});

/** Longest number of a service or a tractor, and shortest of a phone without a country code: others are less likely. */
const [MOST_DIGITS, PHONE_DIGITS] = [6, 9];

const YES_OR_NO = /^(?:yes|no|oui|non|true|false)$/i;

/** How well a cell fits a field, from 0 to 1. */
function fitOf(field: NeededField, cell: string, rules: Rules): number {
	if (!isUsable(cell)) return 0;
	if (field === 'coordinates') return Number(parsePosition(cell).ok);
	const days = daysOf(cell, rules);
	if (field === 'serviceDate')
		return days.length === 0 ? 0 : days.some((day) => day >= rules.today) ? 1 : 0.5;
	if (field === 'landArea') {
		const area = parseLandArea(cell);
		return Number(area.ok && !implausibleAreaIssue(area.value.value, area.value.areaType ?? 'ha'));
	}
	// A date or a place is a text, and digits.
	if (days.length > 0 || parsePosition(cell).ok) return 0;
	const isWord = parseName(cell).ok && /\p{L}/u.test(cell) && !YES_OR_NO.test(cell);
	if (field === 'serviceType' && isWord) return 1;
	if (!parseField(field, cell, rules).ok) return 0;
	const digits = cell.replace(/\D/g, '').length;
	if (field === 'tractorId' || field === 'serviceType') return Number(digits <= MOST_DIGITS);
	if (field === 'farmerPhone') return cell.startsWith('+') || digits >= PHONE_DIGITS ? 1 : 0.5;
	return Number(field === 'areaType' || field === 'gender' || isWord);
}

/** Whether the cells of a column number its rows: five areas are not 1, 2, 3, 4, 5. */
const isCounter = ([first, ...others]: OtherColumn['values']) =>
	others.length > 3 &&
	/^\d{1,4}$/.test(first?.value ?? '') &&
	others.every(({ value }, at) => value === `${Number(first?.value) + at + 1}`);

/** Whether a heading has all words of one of the field, or is its last word: `Date` of `Preferred Date`. */
export function isLike(column: string, field: ColumnField): boolean {
	const words = wordsOf(questionIn(column));
	return [...headingsOf(field), fieldOf(field).label].map(wordsOf).some((known) => {
		const isLast = words.length > 0 && words.join(' ') === known.slice(-words.length).join(' ');
		return isLast || known.every((word) => words.includes(word));
	});
}

/** What is likelier to hold a field, by its heading: the farmer's phone, a phone, anything, the name of a village. */
function likenessOf(column: string, field: NeededField): number {
	if (isLike(column, field)) return saysWhose(field, column) ? 2 : 1;
	return COLUMN_FIELDS.some((other) => isLike(column, other)) ? -1 : 0;
}

/** The columns whose cells fit a field, half of them at least: the likeliest first, by heading, then by cells. */
export function fittingColumns(
	field: NeededField,
	columns: readonly OtherColumn[],
	rules: Rules,
): OtherColumn[] {
	const judged = columns.map((one) => {
		const rows = one.values.reduce((sum, { count }) => sum + count, 0);
		const fits = one.values.map(({ value, count }) => count * fitOf(field, value, rules));
		const fit = isCounter(one.values) ? 0 : fits.reduce((sum, each) => sum + each, 0) / rows;
		// Names and phones differ, and services repeat.
		const spread = (field === 'serviceType' ? -1 : 1) * (one.values.length / rows);
		return { one, fit, rank: [likenessOf(one.column, field), fit, spread] as const };
	});
	return judged
		.filter(({ fit }) => fit >= 0.5)
		.sort(({ rank: a }, { rank: b }) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2])
		.map(({ one }) => one);
}
