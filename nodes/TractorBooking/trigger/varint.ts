/** The printable characters that JSON does not escape. */
const CHARACTERS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(at + 33))
	.filter((character) => character !== '"' && character !== '\\')
	.join('');

/** The base of all digits but the first, which says how many follow. */
const BASE = CHARACTERS.length;

/** First digits: those of numbers of one digit, those of two, and those that count the digits of longer ones. */
const SINGLE = 30;
const DOUBLE = 50;
const DOUBLE_END = SINGLE + DOUBLE * BASE;

function digit(value: number): string {
	return CHARACTERS.charAt(value);
}

function textOf(value: number): string {
	if (value < SINGLE) return digit(value);
	const rest = value - SINGLE;
	if (value < DOUBLE_END) return digit(SINGLE + Math.floor(rest / BASE)) + digit(rest % BASE);
	let text = '';
	for (let left = value; left > 0; left = Math.floor(left / BASE)) text = digit(left % BASE) + text;
	return digit(SINGLE + DOUBLE + text.length) + text;
}

/**
 * Writes whole numbers from 0 to 2^53 − 1 as text: one character for each of the first 30 numbers, two for the next
 * 4,600, and one more than a number has digits of base 92 for all others.
 */
export function encode(numbers: Iterable<number>): string {
	let text = '';
	for (const value of numbers) text += textOf(value);
	return text;
}

/** Reads the numbers that `encode` wrote. */
export function* decode(text: string): Generator<number, void, undefined> {
	const digits = new Uint8Array(128);
	for (let at = 0; at < BASE; at++) digits[CHARACTERS.charCodeAt(at)] = at;
	let at = 0;
	const next = () => digits[text.charCodeAt(at++)] ?? 0;
	while (at < text.length) {
		const first = next();
		let value = 0;
		if (first < SINGLE) value = first;
		else if (first < SINGLE + DOUBLE) value = SINGLE + (first - SINGLE) * BASE + next();
		else for (let left = first - SINGLE - DOUBLE; left > 0; left--) value = value * BASE + next();
		yield value;
	}
}
