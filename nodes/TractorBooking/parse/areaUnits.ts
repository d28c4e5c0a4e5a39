import { ok, type ParseResult } from './issue';
import { invalid } from './sentences';
import { cleanText, fold } from '../utils/text';

/** The units that the service accepts: hectares and acres (interface, "Booking create request"). */
export type AreaType = 'ha' | 'ac';

/** Words in English, French and Swahili (sheets from Tanzania have ekari in every row), folded; some misspellings, too. */
const UNITS: Readonly<Record<AreaType, RegExp>> = {
	ha: /^(?:ha|hecs?|h[ea][ck]t(?:a|[aeo]?re?)?s?|hectarage)$/,
	ac: /^(?:ac(?:r|er|re)?s?|acreage|eka(?:ri)?)$/,
};

export function areaUnitOf(word: string): AreaType | undefined {
	const plain = fold(word)
		.replace(/[.():?*]|^(?:in|en) /g, '')
		.trim();
	return (['ha', 'ac'] as const).find((unit) => UNITS[unit].test(plain));
}

export function parseAreaUnit(value: unknown): ParseResult<AreaType> {
	const unit = typeof value === 'string' ? areaUnitOf(value) : undefined;
	return unit === undefined ? invalid('areaUnit') : ok(unit);
}

/** Largest area of a farm, in hectares; what is larger is taken for a typing error. */
const MAX_HECTARES = 10_000;
const HECTARES: Readonly<Record<AreaType, number>> = { ha: 1, ac: 0.404_685_642_24 };

export const inHectares = (area: number, unit: AreaType): number => area * HECTARES[unit];

/** The issue of an area that no farm has; undefined for any other. */
export function implausibleAreaIssue(area: number, unit: AreaType) {
	if (inHectares(area, unit) <= MAX_HECTARES) return undefined;
	return invalid('hugeArea', `${area} ${unit}`, MAX_HECTARES);
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
		return invalid('decimalsOrThousands');
	const area = Number(`${whole}.${fraction}`);
	if (!(area > 0 && area < Infinity)) return invalid('area');
	if (unit === undefined) return ok({ value: area });
	const areaType = areaUnitOf(unit);
	return areaType ? ok({ value: area, areaType }) : invalid('afterArea', unit);
}
