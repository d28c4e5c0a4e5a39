import { cleanText } from '../utils/text';
import { ok, type ParseResult } from './issue';
import { invalid } from './sentences';

/**
 * Parses the identifiers in a field, each once, as text: one value, a list, a list as JSON text, or text with commas,
 * semicolons or white space between.
 */
export function parseIds(value: unknown): ParseResult<string[]> {
	const ids = [...new Set(flatIds(value))];
	// `.` and `..` are path segments even when percent-encoded.
	const hasPathSegments = ids.some((id) => /^\.{1,2}$/.test(id));
	return ids.length > 0 && !hasPathSegments ? ok(ids) : invalid('noIdentifier');
}

export function parseId(value: unknown): ParseResult<string> {
	const ids = parseIds(value);
	if (!ids.ok) return ids;
	const [id = '', ...others] = ids.value;
	return others.length === 0 ? ok(id) : invalid('severalIdentifiers');
}

/**
 * An identifier without the leading sign and the decimals that a spreadsheet may add: `#1042`, `1042.0`.
 * `12.000` stays, since it could mean 12 or 12,000.
 */
export function plainId(text: string): string {
	return text.replace(/^#/, '').replace(/^(\d+)\.(?!000$)0+$/, '$1');
}

function flatIds(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(flatIds);
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	return cleanText(String(value))
		.replace(/[[\]"']/g, ' ')
		.split(/[\s,;]+/)
		.map(plainId)
		.filter((id) => id !== '');
}
