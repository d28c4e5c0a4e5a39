import { cleanText } from '../utils/text';
import { InvalidInputError } from './issue';

/**
 * Parses the identifiers in a field: one value, a list, a list as JSON text, or text separated by commas,
 * semicolons, white space or line breaks. Returns each once, as text, in order.
 *
 * @throws InvalidInputError if there is none, or one with half of a character (a lone surrogate)
 */
export function parseIds(value: unknown, label: string): string[] {
	const ids = [...new Set(flatIds(value))];
	const broken = ids.find((id) => /\p{Surrogate}/u.test(id));
	if (broken !== undefined) {
		throw new InvalidInputError([
			{
				field: label,
				value: broken,
				problem: 'holds half of a character, so that no service can know it',
				fix: 'enter the identifier again',
			},
		]);
	}
	// Reject `.` and `..`: they are path segments even when percent-encoded.
	const hasPathSegments = ids.some((id) => /^\.{1,2}$/.test(id));
	if (ids.length > 0 && !hasPathSegments) return ids;
	throw new InvalidInputError([
		{ field: label, value, problem: 'holds no identifier', fix: 'enter at least one, e.g. 1042' },
	]);
}

function flatIds(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(flatIds);
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	return cleanText(String(value))
		.replace(/[[\]"']/g, ' ')
		.split(/[\s,;]+/)
		.filter((id) => id !== '');
}

/**
 * Parses the one identifier in a field.
 *
 * @throws InvalidInputError if there is none, or more than one
 */
export function parseId(value: unknown, label: string): string {
	const [id, ...others] = parseIds(value, label);
	if (id !== undefined && others.length === 0) return id;
	throw new InvalidInputError([
		{ field: label, value, problem: 'holds more than one identifier', fix: 'enter one only' },
	]);
}
