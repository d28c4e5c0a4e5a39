import { formatValue, ok, type Invalid, type ParseResult } from './issue';
import { invalid } from './sentences';
import { asText, cleanText, fold, isEmpty, wordsOf } from '../utils/text';

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

/** The issue of a cell, or of a list with an entry, that no field can hold; undefined for any other. */
export function unusableCellIssue(value: unknown): Invalid | undefined {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	const texts = entries.filter((entry) => typeof entry === 'string');
	if (texts.some(({ length }) => length > MAX_CELL_LENGTH))
		return invalid('tooLong', MAX_CELL_LENGTH);
	if (texts.some((text) => text.includes('[object '))) return invalid('object');
	if (texts.some((text) => text.includes('\uFFFD'))) return invalid('lostLetters');
	const [original] = texts.flatMap((text) => beforeMisreading(text) ?? []);
	if (original !== undefined) return invalid('wrongEncoding', formatValue(original));
	return texts.some((text) => isShort(text, SPREADSHEET_ERROR))
		? invalid('formulaFailed')
		: undefined;
}

/** Whether a cell holds something that a field may hold. */
export const isUsable = (cell: unknown) => !isBlank(cell) && !unusableCellIssue(cell);

/** Parses a text cell; numbers become text. Ditto marks and other signs alone say nothing. */
export function parseText(value: unknown): ParseResult<string> {
	const isScalar = ['string', 'bigint'].includes(typeof value) || Number.isFinite(value);
	const text = isScalar ? cleanText(String(value)) : '';
	if (SPREADSHEET_ERROR.test(text)) return invalid('formulaFailed');
	return /[\p{L}\p{N}]/u.test(text) ? ok(text) : invalid('text');
}

/** Parses the name of a person: a text with a letter, and without a phone number. */
export function parseName(value: unknown): ParseResult<string> {
	const text = parseText(value);
	const isKept = text.ok ? /^(?!.*(?:\d\W?){7}).*\p{L}/u.test(text.value) : text.code !== 'text';
	return isKept ? text : invalid('name');
}

/** The words of a name in order: `BELLO, Amina` and `Amina Bello` are one name. Some services mask names: undefined. */
export function comparableName(value: unknown): string | undefined {
	const name = asText(value);
	return (!name.includes('**') && wordsOf(name).sort().join(' ')) || undefined;
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
	return crops.size > 0 ? ok([...crops.values()]) : invalid('crops');
}
