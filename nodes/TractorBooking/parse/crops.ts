import { ok, invalid, type ParseResult } from './issue';
import { fold } from '../utils/text';
import { isBlank, parseText } from './text';

/** What separates crops, with parentheses as a whole: `Maize (early, white)` is one crop. `N/A` is none, `#N/A` an error. */
const PART = /\([^()]*\)|#?\bn\/a\b|[,;/+&\r\n]|\s(?:and|et)\s/gi;

const separate = (part: string) => (/^[(#]/.test(part) ? part.replace(/\s/g, ' ') : '\n');

/**
 * Parses crops from a list, or from text separated by commas, semicolons, slashes, line breaks, `+`, `&`, `and` or `et`.
 * Blank entries and repeats (in any case) are dropped. The elements of a list are not split.
 */
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
