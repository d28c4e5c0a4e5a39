import { invalid, type ParseResult } from './issue';
import { parseInteger } from './numbers';
import { fold } from '../utils/text';
import { parseText } from './text';

/** The number that the user set for each word: `{ female: 1 }`. The service does not document its numbers. */
export type GenderWords = Readonly<Record<string, number>>;

/** Parses a gender: a word of the user's map (a number may be such a word, too), else an integer as it is. */
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
		'write the integer that the service uses, or add the word under Options > Gender Words',
	);
}

/** Whether a gender is a word, not a number: left out if no number is set for it. */
export function isGenderWord(value: unknown): boolean {
	return typeof value === 'string' && /\p{L}/u.test(value);
}
