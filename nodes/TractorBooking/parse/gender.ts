import { refuse, type Cell } from './issue';
import { readInteger } from './numbers';
import { fold } from '../utils/text';
import { readText } from './text';

/** The user's own meaning of words: `{ female: 1 }`. What the service's integers mean is not documented. */
export type GenderWords = Readonly<Record<string, number>>;

/** Reads a gender: a word of the user's map (which may hold numbers as well), otherwise an integer as it is. */
export function readGender(value: unknown, words: GenderWords = {}): Cell<number> {
	const text = readText(value);
	if (text.ok) {
		const word = fold(text.value);
		const mapped = Object.entries(words).find(([own]) => fold(own) === word);
		if (mapped) return readInteger(mapped[1]);
	}
	const integer = readInteger(value);
	if (integer.ok) return integer;
	return refuse(
		'is not an integer, and no number is set for this word',
		'write the integer that the service uses, or add the word to the gender words',
	);
}
