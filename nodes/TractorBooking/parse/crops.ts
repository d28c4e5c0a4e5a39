import { ok, invalid, type ParseResult } from './issue';
import { fold } from '../utils/text';
import { isBlank, parseText } from './text';

/** What separates crops, but not in parentheses, nor in `N/A`: `Maize (early, white)` is one crop. */
const SEPARATOR = /(?:[,;+&\r\n]|\/(?!a\b)|\s(?:and|et)\s)(?![^()]*\))/i;

/** Parses crops from a list, or from text. Blank entries and repeats (in any case) are dropped. */
export function parseCrops(value: unknown): ParseResult<string[]> {
	const crops = new Map<string, string>();
	// A list as JSON text is not one: its quotes would be sent.
	const text = typeof value === 'string' && !/^\s*\[/.test(value) ? value : '';
	const entries: unknown[] = typeof value === 'string' ? text.split(SEPARATOR) : [value].flat();
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
