import { invalid, type ParseResult } from './issue';
import { parseInteger } from './numbers';
import { fold } from '../utils/text';
import { parseText } from './text';

/** The user's own meaning of words: `{ female: 1 }`. What the service's integers mean is not documented. */
export type GenderWords = Readonly<Record<string, number>>;

/** Reads a gender: a word of the user's map (which may hold numbers as well), otherwise an integer as it is. */
export function parseGender(value: unknown, words: GenderWords = {}): ParseResult<number> {
	const text = parseText(value);
	if (text.ok) {
		const word = fold(text.value);
		const mapped = Object.entries(words).find(([own]) => fold(own) === word);
		if (mapped) return parseInteger(mapped[1]);
	}
	const integer = parseInteger(value);
	if (integer.ok) return integer;
	return invalid(
		'is not an integer, and no number is set for this word',
		'write the integer that the service uses, or add the word to the gender words',
	);
}
