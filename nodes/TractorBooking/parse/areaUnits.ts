import { ok, invalid, type ParseResult } from './issue';
import { cleanText, fold } from '../utils/text';

/** The units that the service accepts: hectares and acres (interface, "Booking create request"). */
export type AreaType = 'ha' | 'ac';

/** Words in English, French and Swahili (sheets from Tanzania have ekari in every row), folded; some misspellings, too. */
const UNITS: Readonly<Record<AreaType, RegExp>> = {
	ha: /^(?:ha|hecs?|h[ea][ck]t(?:a|[aeo]?re?)?s?)$/,
	ac: /^(?:ac(?:r|er|re)?s?|acreage|eka(?:ri)?)$/,
};

export function areaUnitOf(word: string): AreaType | undefined {
	const plain = fold(word).replace(/[.()]/g, '').trim();
	return (['ha', 'ac'] as const).find((unit) => UNITS[unit].test(plain));
}

export function parseAreaUnit(value: unknown): ParseResult<AreaType> {
	const unit = typeof value === 'string' ? areaUnitOf(value) : undefined;
	if (unit !== undefined) return ok(unit);
	const fix = 'convert the area to ha (hectares) or ac (acres)';
	return invalid('is not a unit that the service accepts', fix);
}

/** Largest area of a farm, in hectares; what is larger is taken for a typing error. */
const MAX_HECTARES = 10_000;
const HECTARES: Readonly<Record<AreaType, number>> = { ha: 1, ac: 0.404_685_642_24 };

export const inHectares = (area: number, unit: AreaType): number => area * HECTARES[unit];

/** The issue of an area that no farm has; undefined for any other. */
export function implausibleAreaIssue(area: number, unit: AreaType) {
	if (inHectares(area, unit) <= MAX_HECTARES) return undefined;
	const problem = `is ${area} ${unit}, more than ${MAX_HECTARES} hectares`;
	return invalid(problem, 'check the decimal separator and the unit');
}

const AREA = /^(\d*)(?:[.,](\d+))? ?([\p{L}(]\D*)?$/u;

/**
 * Parses a land area above zero, and its unit if the cell has one: `2,5`, `2.5 acres`. `1,250` and `1.250` are
 * ambiguous; `0,250` and `1250,125` are not, and neither is a number cell.
 */
export function parseLandArea(value: unknown): ParseResult<{ value: number; areaType?: AreaType }> {
	const isNumber = typeof value === 'number';
	const text = isNumber || typeof value === 'string' ? cleanText(`${value}`) : '';
	const [, whole = '', fraction = '', unit] = AREA.exec(text) ?? [];
	if (!isNumber && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole))
		return invalid(
			'may have decimals or thousands',
			'write it with fewer decimals or without a separator, or make a number of it with an Edit Fields node',
		);
	const area = Number(`${whole}.${fraction}`);
	if (!(area > 0 && area < Infinity))
		return invalid(
			'cannot be read as a number above zero',
			'write a number and its unit alone, such as 2.5 ha',
		);
	if (unit === undefined) return ok({ value: area });
	const areaType = areaUnitOf(unit);
	return areaType
		? ok({ value: area, areaType })
		: invalid(`has "${unit}" after the number`, 'write ha or ac alone; convert other units');
}
