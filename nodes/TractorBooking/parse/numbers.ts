import { ok, type ParseResult } from './issue';
import { invalid } from './sentences';
import { cleanText } from '../utils/text';
import { plainId } from './ids';

const DIGITS_ONLY = 'write digits only, such as 12';

/**
 * Parses a whole number, as {@link plainId} writes it: 12, `12`, `12.0`, `#12`. Rejects 12.5, thousands separators,
 * exponents, and numbers beyond 2^53, which lose digits.
 */
export function parseInteger(
	value: unknown,
	least = -Infinity,
	fix = DIGITS_ONLY,
): ParseResult<number> {
	const text = typeof value === 'string' ? plainId(cleanText(value)) : '';
	const number = /^[+-]?\d+$/.test(text) ? Number(text) : value;
	return Number.isSafeInteger(number) && Number(number) >= least
		? ok(Number(number) + 0)
		: invalid('integer', least, fix);
}
