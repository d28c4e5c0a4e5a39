import type { IDataObject } from 'n8n-workflow';

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Any value as text: scalars as they are, anything else as JSON; empty for null, undefined, and what has no JSON. */
export function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	try {
		return value === null ? '' : (JSON.stringify(value) ?? '');
	} catch {
		return ''; // circular, or a toJSON that throws
	}
}

/** A phrase as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Compares ASCII names for sorting; `localeCompare` would add 7 ms to every start of n8n. */
export function compareNames(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

// Soft hyphen, zero-width space, directional marks, word joiner, byte order mark.
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
const CONTROL = /(?!\s)\p{Cc}/gu;

/** Any value as text without invisible and control characters, trimmed, and with white space reduced to single blanks. */
export function cleanText(value: unknown): string {
	return asText(value)
		.replace(INVISIBLE, '')
		.replace(CONTROL, '')
		.replace(/\s+/g, ' ')
		.trim()
		.normalize('NFC');
}

/** A cell as a word: `Approved` and `approved` are one. */
export const wordIn = (cell: unknown): string => cleanText(cell).toLowerCase();

/** Clean text for comparison: lower case, without accents. */
export function fold(text: string): string {
	return cleanText(text)
		.normalize('NFKD')
		.replace(/[\u0300-\u036F]/g, '')
		.toLowerCase();
}

/** The words of a text, for comparison: without case, accents and punctuation. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether a cell is empty: undefined, null, blank text or an empty list. Zero and false are values. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	// Cleaning is slow, and never removes a printable ASCII character.
	if (typeof value === 'string') return !/[!-~]/.test(value) && cleanText(value) === '';
	return Array.isArray(value) && value.length === 0;
}

/** Whether a choice of a form is ticked: Ona and old exports of KoBoToolbox have words in place of 1 and 0. */
export const isTicked = (cell: unknown): boolean => /^\s*(?:1|true)\s*$/i.test(asText(cell));

/** Whether a cell is that of a choice, ticked or not. */
export const isTick = (cell: unknown): boolean => /^\s*(?:[01]|true|false)\s*$/i.test(asText(cell));

/** The ticked choices of a question if they have the words of its cell: else somebody has corrected the cell, and it counts. */
export function splitByTicks(cell: unknown, ticked: readonly string[]): unknown {
	const inOrder = (text: string) => wordsOf(text).sort().join(' ');
	return ticked.length > 0 && inOrder(asText(cell)) === inOrder(ticked.join(' ')) ? ticked : cell;
}

/** Whether a heading says that Excel's numbers below it are days or times. */
export const isTimeHeading = (heading: string): boolean => /date|day|time|[\s_]on$/i.test(heading);

/** Text as HTML that shows it as it is: what n8n renders as HTML must hold nothing that a sheet or the service wrote. */
export function escapeHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\n/g, '<br>\n');
}
