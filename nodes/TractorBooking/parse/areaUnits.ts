import { ok, invalid, type ParseResult } from './issue';
import { parseQuantity, type DecimalSeparator } from './numbers';
import { fold } from '../utils/text';

/** The units that the service accepts: hectares and acres (interface, "Booking create request"). */
export type AreaType = 'ha' | 'ac';

/** Words in English, French and Swahili (sheets of Tanzania have ekari in every row), also misspelt, folded. */
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
	return unit === undefined
		? invalid(
				'is not a unit that the service accepts',
				'convert the area to ha (hectares) or ac (acres)',
			)
		: ok(unit);
}

/** Largest area of a farm, in hectares; what is larger is taken for a typing error. */
const MAX_HECTARES = 10_000;
const HECTARES: Readonly<Record<AreaType, number>> = { ha: 1, ac: 0.404_685_642_24 };

export const inHectares = (area: number, unit: AreaType): number => area * HECTARES[unit];

/** The issue of an area that no farm has; undefined for any other. */
export const implausibleArea = (area: number, unit: AreaType) =>
	inHectares(area, unit) <= MAX_HECTARES
		? undefined
		: invalid(
				`is ${area} ${unit}, more than ${MAX_HECTARES} hectares`,
				'check the decimal separator and the unit',
			);

/** Parses a land area above zero, and its unit if the cell has one: `2,5`, `2.5 acres`. */
export function parseLandArea(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<{ value: number; areaType?: AreaType }> {
	const quantity = parseQuantity(value, decimalSeparator);
	if (!quantity.ok) return quantity;
	const { value: area, unit } = quantity.value;
	if (area <= 0) return invalid('is not above zero', 'write the area of the field');
	if (unit === undefined) return ok({ value: area });
	const areaType = parseAreaUnit(unit);
	if (!areaType.ok)
		return invalid(`has "${unit}" after the number`, 'write ha or ac alone; convert other units');
	return ok({ value: area, areaType: areaType.value });
}
