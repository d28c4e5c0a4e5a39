import { ok, invalid, type Invalid, type ParseResult } from './issue';
import { cleanText, isEmpty } from '../utils/text';

/** Values that spreadsheets show for a failed formula, in any language. */
const SPREADSHEET_ERROR =
	/^#(?:N\/[ADV]|NV|[¡¿]?(?:DIV\/0|\p{Lu}+)[!?]|GETTING_DATA)$|^Err:\d{3}$/u;

/**
 * Longest cell that is parsed, in characters: two printed pages, more than anyone notes about a farm. A cell of a sheet
 * may hold 32,767 and one of a file any number, which each request and message would have to carry.
 */
const MAX_CELL_LENGTH = 5_000;

/** What people type into a cell for which they have nothing: a dash, `N/A`, `nil`. */
const NOTHING =
	/^(?:[-\p{Pd}_.*/\\ ]+|n\/?a|n\.a\.?|nil|none|null|nan|undefined|unknown|not (?:available|applicable|known|given|provided)|no (?:phone|number|name)|néant|aucune?|inconnue?|hakuna)$/iu;

/** What people type until they know it, to try something, or to repeat the cell above. */
const PLACEHOLDER =
	/^(?:[-\p{Pd} ]*["'“”″’〃]+[-\p{Pd} ]*|ditto\.?|[-\p{Pd}]+ ?do\.? ?[-\p{Pd}]+|idem|(?:same )?as above|\(?(?:ex[ae]mples?|mfano|sample)(?: ?[):-].*)?|\?+|x{2,}|t\.?b\.?[acd]\.?|to be (?:confirmed|determined|announced|advised)|à (?:confirmer|déterminer|définir)|tests?|testing|test ?\d+|test (?:farmer|user|name|row|booking)|dummy|asdf+|.+\((?:sample|example)\))$/iu;

/** French for nothing to report; `Ras` is a name. */
const RAS = /^R\.?A\.?S\.?$/;

/** Whether a cell is empty, or says that there is nothing: such cells are not sent. */
export function isBlank(value: unknown): boolean {
	return (
		isEmpty(value) ||
		(typeof value === 'string' && (isShort(value, NOTHING) || isShort(value, RAS)))
	);
}

const isShort = (text: string, pattern: RegExp) =>
	text.length < 50 && pattern.test(cleanText(text));

const formulaFailed = () => invalid('is a spreadsheet error', 'fix the formula or clear the cell');

/**
 * The issue of a cell, or of a list with an entry, that no field can hold: it is too long, its formula failed, or it
 * is a placeholder; undefined for any other.
 *
 * @param field its field, if one is given: a note may well say `Pending`
 */
export function unusable(value: unknown, field?: string): ({ ok: false } & Invalid) | undefined {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	const texts = entries.filter((entry) => typeof entry === 'string');
	if (texts.some(({ length }) => length > MAX_CELL_LENGTH))
		return invalid(`is longer than ${MAX_CELL_LENGTH} characters`, 'shorten it');
	if (texts.some((text) => isShort(text, SPREADSHEET_ERROR))) return formulaFailed();
	// Initials may be E.G.
	return typeof value === 'string' &&
		(isShort(value, PLACEHOLDER) ||
			(field !== 'farmNote' && isShort(value, /^pending$/i)) ||
			/^\W*e\.g\./.test(value))
		? invalid('is only a placeholder', 'write what belongs there, or clear the cell or the row')
		: undefined;
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
