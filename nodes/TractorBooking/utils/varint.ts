/** The printable characters that JSON does not escape, as digits. */
const DIGITS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(at + 33))
	.filter((character) => character !== '"' && character !== '\\')
	.join('');

/** Digits below this one end a number; the others are followed by more of it. */
const ENDS = 30;

/** The base of the digits that are followed by more, the lowest first. */
const BASE = DIGITS.length - ENDS;

/**
 * Writes whole numbers from 0 to 2^53 − 1 as text: one character for each of the first 30 numbers, two up to 1,860, and
 * so on.
 */
export function encode(numbers: Iterable<number>): string {
	let text = '';
	for (let rest of numbers) {
		for (; rest >= ENDS; rest = Math.floor(rest / BASE))
			text += DIGITS.charAt(ENDS + (rest % BASE));
		text += DIGITS.charAt(rest);
	}
	return text;
}

/** Reads the numbers that `encode` wrote. */
export function* decode(text: string): Generator<number, void, undefined> {
	const digits = new Uint8Array(128);
	for (let at = 0; at < DIGITS.length; at++) digits[DIGITS.charCodeAt(at)] = at;
	let value = 0;
	let scale = 1;
	for (let at = 0; at < text.length; at++) {
		const digit = digits[text.charCodeAt(at)] ?? 0;
		value += (digit < ENDS ? digit : digit - ENDS) * scale;
		scale *= BASE;
		if (digit >= ENDS) continue;
		yield value;
		value = 0;
		scale = 1;
	}
}
