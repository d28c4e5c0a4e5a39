import { ok, invalid, type Invalid, type ParseResult } from './issue';
import { parseQuantity, type DecimalSeparator } from './numbers';
import { cleanText, fold } from '../utils/text';

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

/** Parses an area unit from a word, in any case, with or without a dot. */
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
export function implausibleArea(area: number, unit: AreaType): Invalid | undefined {
	if (inHectares(area, unit) <= MAX_HECTARES) return undefined;
	const problem = `is ${area} ${unit}, more than ${MAX_HECTARES} hectares`;
	return { problem, fix: 'check the decimal separator and the unit' };
}

/** Replaces a fraction below 1 at the start by a decimal number: `2 1/2 ha` → `2.5 ha`, `½` → `0.5`. */
function withoutFraction(text: string): string {
	const plain = text
		.replace(/ ?([½¼¾⅓⅔])/, (_, sign: string) => ` ${sign.normalize('NFKD').replace('⁄', '/')}`)
		.trim();
	const [start = '', whole = '0', over, under] =
		/^(?:(\d{1,5}) )?(\d)\/(\d)(?!\d|[.,/])/.exec(plain) ?? [];
	const part = Number(over) / Number(under);
	// 7/2 is more likely a date or two numbers.
	if (!(part < 1)) return text;
	return `${Number(whole) + Math.round(part * 10_000) / 10_000}${plain.slice(start.length)}`;
}

/** Parses a land area above zero, with decimals or a fraction, and its unit if the cell has one: `2,5`, `½`, `2 1/2 acres`. */
export function parseLandArea(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<{ value: number; areaType?: AreaType }> {
	const text = typeof value === 'string' ? cleanText(value) : value;
	const plain = typeof text === 'string' ? withoutFraction(text) : text;
	// The decimals of a fraction are not thousands.
	const quantity = parseQuantity(plain, plain === text ? decimalSeparator : 'point');
	if (!quantity.ok) return quantity;
	const { value: area, unit } = quantity.value;
	if (area <= 0) return invalid('is not above zero', 'write the area of the field');
	if (unit === undefined) return ok({ value: area });
	const areaType = parseAreaUnit(unit);
	if (!areaType.ok)
		return invalid(`has "${unit}" after the number`, 'write ha or ac alone; convert other units');
	return ok({ value: area, areaType: areaType.value });
}
