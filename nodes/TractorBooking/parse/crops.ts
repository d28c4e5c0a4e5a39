import { ok, invalid, type ParseResult } from './issue';
import { fold } from '../utils/text';
import { isBlank, parseText } from './text';

const SEPARATOR = /[,;/+&\r\n]|\s(?:and|et)\s/i;

const IN_PARENTHESES = /(\([^()]*\))/;

const notCrops = () =>
	invalid('is not a list of crops', 'write crops with commas between, such as maize, beans');

/**
 * Parses crops from a list, a JSON list, or text separated by commas, semicolons, slashes, line breaks, `+`, `&`,
 * `and` or `et`. Blank entries and repeats (in any case) are dropped. The elements of a list are not split.
 */
export function parseCrops(value: unknown): ParseResult<string[]> {
	const entries = entriesOf(value);
	if (entries === undefined) return notCrops();
	const crops = new Map<string, string>();
	for (const entry of entries) {
		if (isBlank(entry)) continue;
		const crop = parseText(entry);
		if (!crop.ok) return crop;
		const key = fold(crop.value);
		if (!crops.has(key)) crops.set(key, crop.value);
	}
	return crops.size === 0 ? notCrops() : ok([...crops.values()]);
}

function entriesOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value !== 'string') return undefined;
	const text = parseText(value);
	if (!text.ok || isBlank(value)) return undefined;
	if (/^\[.*\]$/.test(text.value)) return jsonList(text.value);
	return split(value);
}

/** `Maize (early, white)` is one crop. */
function split(text: string): string[] {
	const entries = [''];
	for (const [at, part] of text.split(IN_PARENTHESES).entries()) {
		// Every second part is one in parentheses.
		const [first = '', ...others] = at % 2 === 1 ? [part] : part.split(SEPARATOR);
		entries.push(`${entries.pop() ?? ''}${first}`, ...others);
	}
	return entries;
}

function jsonList(text: string): unknown[] | undefined {
	try {
		const list: unknown = JSON.parse(text);
		return Array.isArray(list) ? (list as unknown[]) : undefined;
	} catch {
		return undefined;
	}
}
