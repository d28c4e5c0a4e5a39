/** Ids kept in the order of a key, so that any page of them can be cut out at once. */
export class SortedIds {
	readonly #ids: number[];
	readonly #key: (id: number) => number;

	constructor(ids: Iterable<number>, key: (id: number) => number) {
		this.#key = key;
		this.#ids = [...ids].sort((a, b) => this.#compare(a, b));
	}

	get length(): number {
		return this.#ids.length;
	}

	insert(id: number): void {
		this.#ids.splice(this.#position(id), 0, id);
	}

	/** Takes an id out; its key must still be the one with which it was put in. */
	remove(id: number): void {
		const position = this.#position(id);
		if (this.#ids[position] === id) this.#ids.splice(position, 1);
	}

	at(index: number): number | undefined {
		return this.#ids[index];
	}

	/** A page, counted from the lowest key, or from the highest. */
	page(offset: number, size: number, from: 'lowest' | 'highest'): number[] {
		if (from === 'lowest') return this.#ids.slice(offset, offset + size);
		const end = Math.max(0, this.#ids.length - offset);
		return this.#ids.slice(Math.max(0, end - size), end).reverse();
	}

	#position(id: number): number {
		let low = 0;
		let high = this.#ids.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.#compare(this.#ids[middle] ?? Infinity, id) < 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	#compare(a: number, b: number): number {
		return this.#key(a) - this.#key(b) || a - b;
	}
}
