import { accept, refuse, type Cell } from './issue';
import { readQuantity, type DecimalMark } from './numbers';
import { fold } from '../utils/text';

/** The units that the service takes (interface, "Booking create request"): hectares and acres. */
export type AreaType = 'ha' | 'ac';

/** Usual words in English, French, Spanish, Portuguese, Swahili and German, without accents and plural `s`. */
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

/** The unit that a word names; undefined for other words. */
export function areaUnitOf(word: string): AreaType | undefined {
	const plain = fold(word).replace(/[.()]/g, '').trim();
	return WORDS.get(plain) ?? WORDS.get(plain.replace(/s$/, ''));
}

/** Reads an area unit from a word, in any case, with or without a dot. */
export function readAreaUnit(value: unknown): Cell<AreaType> {
	const unit = typeof value === 'string' ? areaUnitOf(value) : undefined;
	return unit === undefined
		? refuse('is not a unit that the service takes', 'write ha (hectares) or ac (acres)')
		: accept(unit);
}

/** A land area, with its unit where the cell holds one: `2,5 ha`. */
export interface LandArea {
	value: number;
	areaType?: AreaType;
}

/** Reads a land area; zero is a value, less than zero is refused. See {@link readQuantity} for `decimalMark`. */
export function readLandArea(value: unknown, decimalMark?: DecimalMark): Cell<LandArea> {
	const quantity = readQuantity(value, decimalMark);
	if (!quantity.ok) return quantity;
	const { value: area, unit } = quantity.value;
	if (area < 0) return refuse('is less than zero', 'write the area as a positive number');
	if (unit === undefined) return accept({ value: area });
	const areaType = readAreaUnit(unit);
	if (!areaType.ok) return refuse(`has "${unit}" behind the number`, areaType.fix);
	return accept({ value: area, areaType: areaType.value });
}
