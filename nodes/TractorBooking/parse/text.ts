import { accept, refuse, type Cell } from './issue';

// Soft hyphen, zero-width space, marks of writing direction, word joiner, byte order mark.
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
// Joiners belong to the spelling after letters without case (Indic scripts, Arabic), and nowhere else.
const STRAY_JOINER = /(?<![\p{Lo}\p{M}])[\u200C\u200D]+|[\u200C\u200D]+(?=\s|$)/gu;
const CONTROL = /(?!\s)\p{Cc}/gu;

/** Text without invisible characters and control characters, without outer blanks, with single inner blanks. */
export function cleanText(text: string): string {
	const cleaner = text
		.replace(INVISIBLE, '')
		.replace(CONTROL, '')
		.replace(STRAY_JOINER, '')
		.replace(/\s+/g, ' ')
		.trim()
		.normalize('NFC');
	// What is taken out may bring together what belongs out too; each round makes the text shorter.
	return cleaner === text ? text : cleanText(cleaner);
}

/** Clean text for comparing: lower case, without accents. */
export function fold(text: string): string {
	return cleanText(text)
		.normalize('NFKD')
		.replace(/[\u0300-\u036F]/g, '')
		.toLowerCase();
}

/** Whether a cell holds nothing: undefined, null, blank text or an empty list. Zero and false are values. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return cleanText(value) === '';
	return Array.isArray(value) && value.length === 0;
}

/** What spreadsheets show where a formula failed. */
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|ERROR!)$/i;

/** Reads a text cell. Numbers become text without an exponent. */
export function readText(value: unknown): Cell<string> {
	if (typeof value === 'string') {
		const text = cleanText(value);
		if (text === '') return refuse('is empty', 'write a text');
		if (SPREADSHEET_ERROR.test(text)) {
			return refuse('is an error of the spreadsheet', 'repair the formula or empty the cell');
		}
		return accept(text);
	}
	if (typeof value === 'bigint') return accept(value.toString());
	if (typeof value === 'number' && Number.isFinite(value)) return accept(plainDecimal(value));
	return refuse('is not a text', 'write a text or a number');
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
