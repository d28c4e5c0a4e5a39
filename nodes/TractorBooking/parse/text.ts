import { ok, invalid, type ParseResult } from './issue';
import { cleanText } from '../utils/text';

/** Values that spreadsheets show for a failed formula. */
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|ERROR!)$/i;

/** Parses a text cell. Numbers become text without an exponent. */
export function parseText(value: unknown): ParseResult<string> {
	if (typeof value === 'string') {
		const text = cleanText(value);
		if (text === '') return invalid('is empty', 'write some text');
		if (SPREADSHEET_ERROR.test(text)) {
			return invalid('is a spreadsheet error', 'fix the formula or clear the cell');
		}
		return ok(text);
	}
	if (typeof value === 'bigint') return ok(value.toString());
	if (typeof value === 'number' && Number.isFinite(value)) return ok(plainDecimal(value));
	return invalid('is not text', 'write text or a number');
}

/** A finite number in digits, without an exponent: 1e-7 → `0.0000001`. */
function plainDecimal(value: number): string {
	const [mantissa = '', exponent] = String(value).split('e');
	if (exponent === undefined) return mantissa;
	const sign = mantissa.startsWith('-') ? '-' : '';
	const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
	const shift = Number(exponent);
	return shift < 0
		? `${sign}0.${'0'.repeat(-shift - whole.length)}${whole}${fraction}`
		: `${sign}${whole}${fraction.padEnd(shift, '0')}`;
}
