/**
 * Whole numbers as text, in printable characters that JSON does not escape. The first character determines the length:
 * the first 30 numbers take one character, the next 4,500 two, the next 64,800 three, and all others a mark, their
 * length, and one character per digit of base 90.
 */
const BASE = 90;
const CHARACTER_OFFSET = 35;
/** The backslash is not used; the quotation mark is below the first character. */
const BACKSLASH = 92;

/** First digits of longer numbers, and the first number of each length. */
const TWO_FROM = 30;
const THREE_FROM = 80;
const LONG = 88;
const TWO_DIGITS_START = TWO_FROM;
const THREE_DIGITS_START = TWO_DIGITS_START + (THREE_FROM - TWO_FROM) * BASE;
const LONG_START = THREE_DIGITS_START + (LONG - THREE_FROM) * BASE * BASE;

/** Writes whole numbers from 0 to 2^53 − 1. */
export class VarintWriter {
	private bytes = new Uint8Array(1024);

	private length = 0;

	put(value: number): void {
		if (value < TWO_DIGITS_START) {
			this.push(value);
		} else if (value < THREE_DIGITS_START) {
			const rest = value - TWO_DIGITS_START;
			this.push(TWO_FROM + Math.floor(rest / BASE));
			this.push(rest % BASE);
		} else if (value < LONG_START) {
			const rest = value - THREE_DIGITS_START;
			this.push(THREE_FROM + Math.floor(rest / (BASE * BASE)));
			this.push(Math.floor(rest / BASE) % BASE);
			this.push(rest % BASE);
		} else {
			this.putLong(value);
		}
	}

	toString(): string {
		return new TextDecoder('latin1').decode(this.bytes.subarray(0, this.length));
	}

	private putLong(value: number): void {
		const digits: number[] = [];
		for (let rest = value; rest > 0; rest = Math.floor(rest / BASE)) digits.push(rest % BASE);
		this.push(LONG);
		this.push(digits.length);
		for (const digit of digits.reverse()) this.push(digit);
	}

	private push(digit: number): void {
		if (this.length === this.bytes.length) {
			const larger = new Uint8Array(2 * this.length);
			larger.set(this.bytes);
			this.bytes = larger;
		}
		const code = digit + CHARACTER_OFFSET;
		this.bytes[this.length++] = code < BACKSLASH ? code : code + 1;
	}
}

/** Reads what a `VarintWriter` wrote. */
export class VarintReader {
	private position = 0;

	constructor(private readonly text: string) {}

	get atEnd(): boolean {
		return this.position >= this.text.length;
	}

	/** The next number; NaN past the end of the text. */
	read(): number {
		const first = this.digit();
		if (first < TWO_FROM) return first;
		if (first < THREE_FROM) return TWO_DIGITS_START + (first - TWO_FROM) * BASE + this.digit();
		if (first < LONG) {
			return (
				THREE_DIGITS_START + ((first - THREE_FROM) * BASE + this.digit()) * BASE + this.digit()
			);
		}
		let value = 0;
		for (let left = this.digit(); left > 0; left--) value = value * BASE + this.digit();
		return first === LONG ? value : NaN;
	}

	private digit(): number {
		const code = this.text.charCodeAt(this.position++);
		return (code > BACKSLASH ? code - 1 : code) - CHARACTER_OFFSET;
	}
}
