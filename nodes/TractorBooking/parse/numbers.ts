import { ok, invalid, type ParseResult } from './issue';
import { cleanText, isEmpty } from '../utils/text';

/** Which character is the decimal separator if `1,250` or `1.250` is ambiguous. */
export type DecimalSeparator = 'point' | 'comma';

type Quantity = { value: number; unit?: string };

const notANumber = () =>
	invalid('is not a number', 'write a number and its unit alone, such as 2.5 ha');

const QUANTITY = /^([+-]?)(\d*)(?:([.,])(\d+))? ?([\p{L}(]\D*)?$/u;

/**
 * Parses a number with or without a unit after it: `2,5 ha` → 2.5 and `ha`.
 *
 * A point or a comma followed by exactly three digits is ambiguous, so `1,250` is rejected unless `decimalSeparator` is
 * set; `0,250` and `1250,125` never need it.
 */
export function parseQuantity(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<Quantity> {
	if (typeof value === 'number')
		return Number.isFinite(value) ? ok({ value: value + 0 }) : notANumber();
	const text = typeof value === 'string' ? cleanText(value).replace('\u2212', '-') : '';
	const [, sign = '', whole = '', mark, fraction = '', unit] = QUANTITY.exec(text) ?? [];
	const isAmbiguous = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
	if (isAmbiguous && decimalSeparator === undefined)
		return invalid(
			'may have decimals or thousands',
			'set Options > Decimal Separator, or write it without a separator or with fewer decimals',
		);
	const isThousands = isAmbiguous && mark === (decimalSeparator === 'point' ? ',' : '.');
	const number = Number(`${sign}${whole}${isThousands ? '' : '.'}${fraction}`);
	if (whole + fraction === '' || !Number.isFinite(number)) return notANumber();
	// + 0 makes -0 a plain zero.
	return ok({ value: number + 0, ...(unit === undefined ? {} : { unit }) });
}

/**
 * Parses a whole number: 12, `12`, `12.0`, `#12`, `No. 12`, `ID 12`. Rejects 12.5, thousands separators (identifiers have
 * none, and `12.000` could mean 12), exponents, and numbers beyond 2^53, which lose digits.
 */
export function parseInteger(
	value: unknown,
	fix = 'write digits only, such as 12',
): ParseResult<number> {
	const text = typeof value === 'string' ? cleanText(value).replace('\u2212', '-') : '';
	const [, digits] = /^(?:#|n[°ºo.]+|id:?)? ?([+-]?\d+)(?:[.,](?!000$)0+)?$/i.exec(text) ?? [];
	const number = digits === undefined ? value : Number(digits);
	return Number.isSafeInteger(number)
		? ok(Number(number) + 0)
		: invalid('is not a whole number', fix);
}

export function parseCount(
	value: unknown,
	fix = 'write digits only, such as 5',
): ParseResult<number> {
	const number = parseInteger(value);
	return number.ok && number.value > 0 ? number : invalid('is not a whole number above zero', fix);
}

/** Parses the most that something may be: a number, 0 or more. */
export function parseMaximum(value: unknown): ParseResult<number> {
	const maximum = isEmpty(value) ? NaN : Number(value);
	return maximum >= 0 ? ok(maximum) : invalid('is not a number', 'write digits only, such as 25');
}

/** Parses the number that identifies something, from `min` on. */
export function parseNumericId(value: unknown, min: number, what: string): ParseResult<number> {
	const id = parseInteger(value);
	return id.ok && id.value < min ? invalid(`is not the ID of a ${what}`, 'write the ID') : id;
}
