/** Of all that is made up: it is the same at each start. */
export const SEED = 1;

/** A well-mixed 32-bit hash of an integer and a seed (the finalizer of MurmurHash3). */
export function hash(value: number, seed = 0): number {
	let h = (Math.imul(value, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b)) >>> 0;
	h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
	h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}

/** A small generator of repeatable random numbers (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** A number from 0 up to, not including, 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let t = this.#state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	/** An integer from 0 up to, not including, `below`. */
	integer(below: number): number {
		return Math.floor(this.next() * below);
	}

	/** One of the values. */
	pick<T>(values: readonly T[]): T {
		return values[this.integer(values.length)] as T;
	}
}
