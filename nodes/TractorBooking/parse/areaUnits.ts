import { ok, invalid, type ParseResult } from './issue';
import { parseQuantity, type DecimalSeparator } from './numbers';
import { fold } from '../utils/text';

/** The units that the service accepts: hectares and acres (interface, "Booking create request"). */
export type AreaType = 'ha' | 'ac';

/** Common words in English, French, Spanish, Portuguese, Swahili and German, without accents or plural `s`. */
const WORDS: ReadonlyMap<string, AreaType> = new Map([
	['ha', 'ha'],
	['hectare', 'ha'],
	['hectar', 'ha'],
	['hectarea', 'ha'],
	['hektar', 'ha'],
	['hekta', 'ha'],
	['ac', 'ac'],
	['acre', 'ac'],
	['ekari', 'ac'],
]);

/** The unit that a word stands for; undefined for other words. */
export function areaUnitOf(word: string): AreaType | undefined {
	const plain = fold(word).replace(/[.()]/g, '').trim();
	return WORDS.get(plain) ?? WORDS.get(plain.replace(/s$/, ''));
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

/** Parses a land area; zero is valid, negative areas are not. See {@link parseQuantity} for `decimalSeparator`. */
export function parseLandArea(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<LandArea> {
	const quantity = parseQuantity(value, decimalSeparator);
	if (!quantity.ok) return quantity;
	const { value: area, unit } = quantity.value;
	if (area < 0) return invalid('is less than zero', 'write the area as a positive number');
	if (unit === undefined) return ok({ value: area });
	const areaType = parseAreaUnit(unit);
	if (!areaType.ok) return invalid(`has "${unit}" after the number`, areaType.fix);
	return ok({ value: area, areaType: areaType.value });
}
