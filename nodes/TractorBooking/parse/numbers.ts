import { ok, invalid, type ParseResult } from './issue';
import { cleanText } from '../utils/text';

/** Which character is the decimal separator if `1,250` or `1.250` is ambiguous. */
export type DecimalSeparator = 'point' | 'comma';

/** A number and the unit after it, as written: `2,5 ha` → 2.5 and `ha`. */
export interface Quantity {
	value: number;
	unit?: string;
}

const notANumber = () => invalid('is not a number', 'write a number, such as 2.5');

/**
 * Parses a number with or without a unit after it.
 *
 * Text may have a point or a comma as decimal separator, and points, commas, blanks or apostrophes between thousands.
 * A single point or comma followed by exactly three digits is ambiguous, so `1,250` is rejected unless
 * `decimalSeparator` is set; `0,250`, `1250,125` and `1,250.5` are unambiguous and never need it.
 */
export function parseQuantity(
	value: unknown,
	decimalSeparator?: DecimalSeparator,
): ParseResult<Quantity> {
	if (typeof value === 'number') return finiteQuantity(value);
	if (typeof value !== 'string') return notANumber();

	const text = cleanText(value)
		.replace('\u2212', '-')
		.replace(/(\d)[.,]$/, '$1');
	const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
	if (scientific.test(text)) return finiteQuantity(Number(text.replace(',', '.')));

	const match = /^([+-]?)((?:\d[\d.,'’ ]*)?\d|[.,]\d+) ?([\p{L}(]\D*)?$/u.exec(text);
	if (!match) return notANumber();
	const [, sign = '', digits = '', unit] = match;
	const plain = plainDigits(digits, decimalSeparator);
	if (!plain.ok) return plain;
	const number = finiteQuantity(Number(`${sign}${plain.value}`));
	return number.ok && unit !== undefined ? ok({ ...number.value, unit }) : number;
}

function finiteQuantity(value: number): ParseResult<Quantity> {
	return Number.isFinite(value) ? ok({ value: value + 0 }) : notANumber(); // + 0 makes -0 a plain zero
}

/** Removes thousands separators and turns the decimal separator into a point. */
function plainDigits(
	digits: string,
	decimalSeparator: DecimalSeparator | undefined,
): ParseResult<string> {
	const points = digits.split('.').length - 1;
	const commas = digits.split(',').length - 1;
	let decimal = ''; // the decimal separator in `digits`
	if (points > 0 && commas > 0) {
		decimal = digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
	} else if (points + commas === 1) {
		decimal = points === 1 ? '.' : ',';
		if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) {
			if (decimalSeparator === undefined) {
				return invalid(
					'may have decimals or thousands',
					'set Options > Decimal Separator, or write it without thousands separator and with other than three decimals',
				);
			}
			if (decimal !== (decimalSeparator === 'point' ? '.' : ',')) decimal = '';
		}
	}
	const [whole = '', fraction = '', ...more] = decimal === '' ? [digits] : digits.split(decimal);
	if (more.length > 0 || !/^\d*$/.test(fraction) || !isGrouped(whole)) return notANumber();
	return ok(`${whole.replace(/\D/g, '')}.${fraction}`.replace(/^\./, '0.').replace(/\.$/, ''));
}

/** Whether digits are ungrouped, or in groups of three with one separator. */
const isGrouped = (whole: string) => /^(?:\d*|\d{1,3}([.,'’ ])\d{3}(?:\1\d{3})*)$/.test(whole);

const notAnInteger = () => invalid('is not a whole number', 'write digits only, such as 12');

/**
 * Parses a whole number: 12, `12`, `12.0`, `No. 12`, `ID 12`. Rejects 12.5, thousands separators (identifiers have none, and `12.000`
 * could mean 12), exponents, and numbers beyond 2^53, which lose digits.
 */
export function parseInteger(value: unknown): ParseResult<number> {
	let number = value;
	if (typeof value === 'string') {
		const match = /^(?:#|n[°ºo.]+|id:?)? ?([+-]?\d+)(?:[.,](?!000$)0+)?$/i.exec(
			cleanText(value).replace('\u2212', '-'),
		);
		if (match) number = Number(match[1]);
	}
	if (!Number.isSafeInteger(number)) return notAnInteger();
	return ok(Number(number) + 0);
}

/** Parses the number that identifies something, from `min` on. */
export function parseNumericId(value: unknown, min: number, what: string): ParseResult<number> {
	const id = parseInteger(value);
	return id.ok && id.value < min ? invalid(`is not the ID of a ${what}`, 'write the ID') : id;
}
