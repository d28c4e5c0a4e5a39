import { ok, invalid, type ParseResult } from './issue';
import { cleanText, isEmpty } from '../utils/text';

/** Which character is the decimal separator if `1,250` or `1.250` is ambiguous. */
export type DecimalSeparator = 'point' | 'comma';

type Quantity = { value: number; unit?: string };

const notANumber = () =>
	invalid('is not a number', 'write a number and its unit alone, such as 2.5 ha');

/** A whole number, without separators or in groups of three with one of them, then maybe decimals. */
const DIGITS = /^(\d*|\d{1,3}([.,'’ ])\d{3}(?:\2\d{3})*)(?:([.,])(\d*))?$/;

/**
 * Parses a number with or without a unit after it: `2,5 ha` → 2.5 and `ha`.
 *
 * A point or a comma followed by exactly three digits is ambiguous, so `1,250` is rejected unless `decimalSeparator` is
 * set; `0,250`, `1250,125` and `1,250.5` never need it.
 */
export function parseQuantity(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<Quantity> {
	const text = typeof value === 'string' ? cleanText(value).replace('\u2212', '-') : '';
	const [, sign = '', digits = '', unit] =
		/^([+-]?)((?:\d[\d.,'’ ]*)?\d|[.,]\d+) ?([\p{L}(]\D*)?$/u.exec(text) ?? [];
	const plain = typeof value === 'number' ? ok(`${value}`) : plainDigits(digits, decimalSeparator);
	if (!plain.ok) return plain;
	const number = Number(sign + plain.value);
	if (!Number.isFinite(number)) return notANumber();
	// + 0 makes -0 a plain zero.
	return ok({ value: number + 0, ...(unit === undefined ? {} : { unit }) });
}

function plainDigits(digits: string, decimalSeparator?: DecimalSeparator): ParseResult<string> {
	const [, mark] = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(digits) ?? [];
	if (mark !== undefined) {
		if (decimalSeparator === undefined)
			return invalid(
				'may have decimals or thousands',
				'set Options > Decimal Separator, or write it without a separator or with fewer decimals',
			);
		const isDecimal = mark === (decimalSeparator === 'point' ? '.' : ',');
		return ok(digits.replace(mark, isDecimal ? '.' : ''));
	}
	const [all, whole = '', grouped, decimal, fraction = ''] = DIGITS.exec(digits) ?? [];
	if (!all || (decimal !== undefined && decimal === grouped)) return notANumber();
	return ok(`0${whole.replace(/\D/g, '')}.${fraction}0`);
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
