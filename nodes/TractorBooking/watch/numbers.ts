/**
 * Whole numbers as text of printable characters that JSON needs not escape: small numbers take one
 * character. A digit is 0–44; one that further digits follow is 45 higher. The lowest digit comes first.
 */
const BASE = 45;
const FIRST_CHARACTER = 35;
/** The backslash is left out of the alphabet; the quotation mark lies before it. */
const BACKSLASH = 92;

/** Writes whole numbers from 0 to 2^53 − 1. */
export class NumberWriter {
	private bytes = new Uint8Array(1024);

	private length = 0;

	put(value: number): void {
		let rest = value;
		do {
			const digit = rest % BASE;
			rest = (rest - digit) / BASE;
			this.push(rest > 0 ? digit + BASE : digit);
		} while (rest > 0);
	}

	toString(): string {
		return new TextDecoder('latin1').decode(this.bytes.subarray(0, this.length));
	}

	private push(value: number): void {
		if (this.length === this.bytes.length) {
			const larger = new Uint8Array(2 * this.length);
			larger.set(this.bytes);
			this.bytes = larger;
		}
		const code = value + FIRST_CHARACTER;
		this.bytes[this.length++] = code < BACKSLASH ? code : code + 1;
	}
}

/** Reads what a `NumberWriter` wrote. */
export class NumberReader {
	private position = 0;

	constructor(private readonly text: string) {}

	get atEnd(): boolean {
		return this.position >= this.text.length;
	}

	/** The next number; NaN past the end of the text. */
	take(): number {
		let value = 0;
		let weight = 1;
		for (;;) {
			const code = this.text.charCodeAt(this.position++);
			const digit = (code > BACKSLASH ? code - 1 : code) - FIRST_CHARACTER;
			if (digit < BASE) return value + digit * weight;
			if (Number.isNaN(digit)) return NaN;
			value += (digit - BASE) * weight;
			weight *= BASE;
		}
	}
}
