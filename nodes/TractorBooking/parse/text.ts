import { formatValue, ok, invalid, type Invalid, type ParseResult } from './issue';
import { cleanText, fold, isEmpty } from '../utils/text';

/** Values that spreadsheets show for a failed formula, in any language. */
const SPREADSHEET_ERROR =
	/^#(?:N\/[ADV]|NV|[¡¿]?(?:DIV\/0|\p{Lu}+)[!?]|GETTING_DATA)$|^Err:\d{3}$/u;

/** Longest cell that is parsed, in characters: two printed pages, more than anyone writes about a farm. */
const MAX_CELL_LENGTH = 5_000;

/** What says that there is nothing: a dash, `N/A`, and what databases, Python, JavaScript and pivot tables write. */
const NOTHING =
	/^(?:\p{Pd}+|n\/a|NA|N\/A|NULL|null|NaN|nan|NaT|<NA>|None|NIL|nil|undefined|\\N|\((?:blank|null)\))$/u;

/** Whether a cell is empty, or says that there is nothing: such cells are not sent. */
export function isBlank(value: unknown): boolean {
	return isEmpty(value) || (typeof value === 'string' && isShort(value, NOTHING));
}

const isShort = (text: string, pattern: RegExp) =>
	text.length < 50 && pattern.test(cleanText(text));

const formulaFailed = () => invalid('is a spreadsheet error', 'fix the formula, or type the value');

/** The characters of the bytes from 128 to 159 where Windows opens a text file; all others are the same in Latin-1. */
const OF_WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/** What a text was before its UTF-8 was read as Latin-1: `Kofé` of `KofÃ©`; undefined for any other text. */
function beforeMisreading(text: string): string | undefined {
	if (!/[\u00C2-\u00F4]/.test(text)) return undefined;
	const bytes = Array.from(text, (character) => {
		const at = OF_WINDOWS.indexOf(character);
		return at < 0 ? (character.codePointAt(0) ?? 0) : 128 + at;
	});
	try {
		return bytes.some((byte) => byte > 255)
			? undefined
			: new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
	} catch {
		return undefined; // its bytes are no UTF-8
	}
}

/** How a file keeps its letters. */
const SAVE_AS = 'save the file as CSV UTF-8 or as .xlsx';

/** The issue of a cell, or of a list with an entry, that no field can hold; undefined for any other. */
export function unusableCellIssue(value: unknown): ({ ok: false } & Invalid) | undefined {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	const texts = entries.filter((entry) => typeof entry === 'string');
	if (texts.some(({ length }) => length > MAX_CELL_LENGTH))
		return invalid(`is longer than ${MAX_CELL_LENGTH} characters`, 'shorten it');
	if (texts.some((text) => text.includes('[object ')))
		return invalid('is not text but an object', 'map the column of one of its values');
	if (texts.some((text) => text.includes('\uFFFD'))) return invalid('has lost letters', SAVE_AS);
	const [original] = texts.flatMap((text) => beforeMisreading(text) ?? []);
	if (original !== undefined)
		return invalid(`is ${formatValue(original)} in a wrong encoding`, SAVE_AS);
	return texts.some((text) => isShort(text, SPREADSHEET_ERROR)) ? formulaFailed() : undefined;
}

/** Parses a text cell; numbers become text. */
export function parseText(value: unknown): ParseResult<string> {
	if (typeof value === 'string') {
		const text = cleanText(value);
		if (text === '') return invalid('is empty', 'write some text');
		if (SPREADSHEET_ERROR.test(text)) return formulaFailed();
		return ok(text);
	}
	if (typeof value === 'bigint' || Number.isFinite(value)) return ok(String(value));
	return invalid('is not text', 'write text or a number');
}

/** Parses the name of a person: a text with a letter. */
export function parseName(value: unknown): ParseResult<string> {
	const text = parseText(value);
	if (!text.ok || /\p{L}/u.test(text.value)) return text;
	return invalid('is not a name', 'write the name of the farmer');
}

/** What separates crops, with parentheses as a whole: `Maize (early, white)` is one crop. `N/A` is none, `#N/A` an error. */
const PART = /\([^()]*\)|#?\bn\/a\b|[,;/+&\r\n]|\s(?:and|et)\s/gi;

const separate = (part: string) => (/^[(#]/.test(part) ? part.replace(/\s/g, ' ') : '\n');

/** Parses crops from a list, or from text. Blank entries and repeats (in any case) are dropped. */
export function parseCrops(value: unknown): ParseResult<string[]> {
	const crops = new Map<string, string>();
	// A list as JSON text is not one: its quotes would be sent.
	const text = typeof value === 'string' && !/^\s*\[/.test(value) ? value : '';
	const texts = text.replace(PART, separate).split('\n');
	const entries: unknown[] = typeof value === 'string' ? texts : [value].flat();
	for (const entry of entries.filter((one) => !isBlank(one))) {
		const crop = parseText(entry);
		if (!crop.ok) return crop;
		const key = fold(crop.value);
		if (!crops.has(key)) crops.set(key, crop.value);
	}
	return crops.size > 0
		? ok([...crops.values()])
		: invalid('is not a list of crops', 'separate crops by commas, such as maize, beans');
}
