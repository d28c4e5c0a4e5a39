import { ok, invalid, type Invalid, type ParseResult } from './issue';
import { parseQuantity, type DecimalSeparator } from './numbers';
import { cleanText, fold } from '../utils/text';

/** The units that the service accepts: hectares and acres (interface, "Booking create request"). */
export type AreaType = 'ha' | 'ac';

/** Common words in English, French, Spanish, Portuguese, Swahili, Hausa and German, also misspelt, folded. */
const UNITS: Readonly<Record<AreaType, RegExp>> = {
	ha: /^(?:ha|he[ck]s?|h[ea][ck]ta?s?|h[ea][ck]t[aeo]?re?a?s?|hectarage)$/,
	ac: /^(?:ac(?:r|er|re)?s?|ekari|eka)$/,
};

/** The unit that a word means; undefined for other words. */
export function areaUnitOf(word: string): AreaType | undefined {
	const plain = fold(word).replace(/[.()]/g, '').trim();
	return (['ha', 'ac'] as const).find((unit) => UNITS[unit].test(plain));
}

/** Parses an area unit from a word, in any case, with or without a dot. */
export function parseAreaUnit(value: unknown): ParseResult<AreaType> {
	const unit = typeof value === 'string' ? areaUnitOf(value) : undefined;
	return unit === undefined
		? invalid('is not a unit that the service accepts', 'write ha (hectares) or ac (acres)')
		: ok(unit);
}

/** A land area, with its unit if the cell has one: `2,5 ha`. */
export interface LandArea {
	value: number;
	areaType?: AreaType;
}

/** Largest area of a farm, in hectares; what is larger is taken for a typing error. */
export const MAX_HECTARES = 10_000;
const HECTARES: Readonly<Record<AreaType, number>> = { ha: 1, ac: 0.404_685_642_24 };

/** An area in hectares. */
export function inHectares(area: number, unit: AreaType): number {
	return area * HECTARES[unit];
}

/** The issue of an area that no farm has; undefined for any other, and if the unit is not known. */
export function implausibleArea(area: number, unit: AreaType | undefined): Invalid | undefined {
	if (unit === undefined || inHectares(area, unit) <= MAX_HECTARES) return undefined;
	const problem = `is ${area} ${unit}, more than ${MAX_HECTARES} hectares`;
	return { problem, fix: 'check the decimal separator and the unit' };
}

const FRACTION = /^(?:(\d{1,5}) (?:(?:and|et) )?)?(\d)\/(\d)(?!\d|[.,/])/;

/** Replaces a fraction at the start by a decimal number: `2 1/2 ha` → `2.5 ha`. */
function withoutFraction(text: string): string {
	const plain = text
		.replace(/ ?([½¼¾⅓⅔])/, (_, sign: string) => ` ${sign.normalize('NFKD').replace('⁄', '/')}`)
		.trim();
	const [start = '', whole = '0', over, under] = FRACTION.exec(plain) ?? [];
	const part = Number(over) / Number(under);
	// 7/2 is more likely a date or two numbers.
	return part < 1
		? `${Number(whole) + Math.round(part * 10_000) / 10_000}${plain.slice(start.length)}`
		: text;
}

/** `about one and a half acres` → `1 ½ acres`, `one half acre` → `½ acre` */
function withoutWords(text: string): string {
	return text
		.replace(/^(?:about|approx\w*|env(?:iron)?\b|~)[. ]*/i, '')
		.replace(/^(?:(?:an?|one|1)[ -])?half\b(?: an?\b)?/i, '½')
		.replace(/^one\b/i, '1')
		.replace(/^(\d+) and (?:an? )?half\b/i, '$1 ½');
}

/** `ekari 5` → `5 ekari` */
function unitLast(text: string): string {
	const [start = '', unit = ''] = /^(\p{L}{2,9})[.:]? ?(?=[\d½¼¾⅓⅔])/u.exec(text) ?? [];
	return areaUnitOf(unit) ? `${text.slice(start.length)} ${unit}` : text;
}

/**
 * Parses a land area above zero, with decimals or a fraction: `2,5`, `½`, `2 1/2 acres`. See {@link parseQuantity} for
 * `decimalSeparator`.
 */
export function parseLandArea(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<LandArea> {
	const written = typeof value === 'string' ? unitLast(withoutWords(cleanText(value))) : value;
	const plain = typeof written === 'string' ? withoutFraction(written) : written;
	// The decimals of a fraction are not thousands.
	const quantity = parseQuantity(plain, plain === written ? decimalSeparator : 'point');
	if (!quantity.ok) return quantity;
	const { value: area, unit } = quantity.value;
	if (area <= 0) return invalid('is not above zero', 'write the area of the field');
	if (unit === undefined) return ok({ value: area });
	const areaType = parseAreaUnit(unit.replace(/(?<=\S) ?(?:\([^()]*\)|env\.?|approx\.?)$/, '')); // 2 acres (upper)
	if (!areaType.ok) return invalid(`has "${unit}" after the number`, areaType.fix);
	return ok({ value: area, areaType: areaType.value });
}
