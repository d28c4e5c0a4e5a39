import { NumberReader, NumberWriter } from './numbers';

/** Bookings with a whole number as identifier: `ids` rise, `entries` holds the entry number of each. */
export interface Columns {
	ids: Float64Array;
	entries: Uint32Array;
}

/** What follows an entry number: the next id, ids that are left out first, or several ids alike. */
const NEXT = 0;
const GAP = 1;
const RUN = 2;
const KINDS = 3;
const SHORTEST_RUN = 3;

/** Length of the run of neighbouring ids with the same entry that starts at `from`. */
function runLength({ ids, entries }: Columns, from: number): number {
	const id = ids[from] ?? 0;
	let to = from + 1;
	while (to < ids.length && entries[to] === entries[from] && ids[to] === id + (to - from)) to++;
	return to - from;
}

/**
 * Bookings as text: about one character for a booking whose id follows the one before, fewer where many
 * neighbours have the same entry, three to five for an id that stands alone.
 */
export function pack(columns: Columns): string {
	const { ids, entries } = columns;
	const writer = new NumberWriter();
	let expected = 0;
	for (let at = 0; at < ids.length;) {
		const id = ids[at] ?? 0;
		const entry = (entries[at] ?? 0) * KINDS;
		const run = id === expected ? runLength(columns, at) : 1;
		if (id > expected) {
			writer.put(entry + GAP);
			writer.put(id - expected - 1);
		} else if (run >= SHORTEST_RUN) {
			writer.put(entry + RUN);
			writer.put(run - SHORTEST_RUN);
		} else {
			writer.put(entry + NEXT);
		}
		const taken = run >= SHORTEST_RUN ? run : 1;
		expected = id + taken;
		at += taken;
	}
	return writer.toString();
}

/**
 * The bookings that `pack` wrote.
 *
 * @param count how many there are
 * @param entryCount entry numbers are below this
 * @returns undefined where the text does not hold exactly such bookings
 */
export function unpack(text: string, count: number, entryCount: number): Columns | undefined {
	const ids = new Float64Array(count);
	const entries = new Uint32Array(count);
	const reader = new NumberReader(text);
	let expected = 0;
	let at = 0;
	while (!reader.atEnd) {
		const value = reader.take();
		const kind = value % KINDS;
		const entry = (value - kind) / KINDS;
		if (kind === GAP) expected += reader.take() + 1;
		const end = at + (kind === RUN ? reader.take() + SHORTEST_RUN : 1);
		const last = expected + (end - at) - 1;
		if (!(entry < entryCount && end <= count && last <= Number.MAX_SAFE_INTEGER)) return undefined;
		while (at < end) {
			entries[at] = entry;
			ids[at++] = expected++;
		}
	}
	return at === count ? { ids, entries } : undefined;
}
