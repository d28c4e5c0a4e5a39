import { VarintReader, VarintWriter } from './varint';

/** Bookings with a whole number as ID: `ids` is ascending, `entries` holds the entry index of each. */
export interface Columns {
	ids: Float64Array;
	entries: Uint32Array;
}

/** How the ids are written: dense if most follow the one before, else sparse. */
const DENSE = 0;
const SPARSE = 1;

/** In a dense text: GAP precedes the size of a gap, RUN a run of equal entries; other numbers are entries. */
const GAP = 0;
const RUN = 1;
const ENTRY_OFFSET = 2;
const MIN_RUN_LENGTH = 4;

/** Length of the run of consecutive ids with the same entry that starts at `from`. */
function runLength({ ids, entries }: Columns, from: number): number {
	const id = ids[from] ?? 0;
	let to = from + 1;
	while (to < ids.length && entries[to] === entries[from] && ids[to] === id + (to - from)) to++;
	return to - from;
}

function isSparse({ ids }: Columns): boolean {
	let gaps = 0;
	for (let at = 1; at < ids.length; at++) if (ids[at] !== (ids[at - 1] ?? 0) + 1) gaps++;
	return 2 * gaps > ids.length;
}

/**
 * Encodes bookings as text: one or two characters for a booking whose id follows the one before, fewer for runs with
 * the same entry, and one to three more for a gap between ids.
 */
export function pack(columns: Columns): string {
	const { ids, entries } = columns;
	const writer = new VarintWriter();
	const sparse = isSparse(columns);
	writer.put(sparse ? SPARSE : DENSE);
	let expected = 0;
	for (let at = 0; at < ids.length;) {
		const id = ids[at] ?? 0;
		const entry = entries[at] ?? 0;
		const run = sparse ? 1 : runLength(columns, at);
		const isRun = run >= MIN_RUN_LENGTH;
		if (sparse) {
			writer.put(id - expected);
		} else if (id > expected) {
			writer.put(GAP);
			writer.put(id - expected);
		}
		if (isRun) writer.put(RUN);
		writer.put(ENTRY_OFFSET + entry);
		if (isRun) writer.put(run);
		const taken = isRun ? run : 1;
		expected = id + taken;
		at += taken;
	}
	return writer.toString();
}

/**
 * Decodes the text that `pack` wrote.
 *
 * @param count the number of bookings
 * @param entryCount the number of entries; entry indexes are below it
 * @returns undefined if the text does not hold exactly these bookings
 */
export function unpack(text: string, count: number, entryCount: number): Columns | undefined {
	const ids = new Float64Array(count);
	const entries = new Uint32Array(count);
	const reader = new VarintReader(text);
	const sparse = reader.read() === SPARSE;
	let expected = 0;
	let at = 0;
	while (!reader.atEnd) {
		if (sparse) expected += reader.read();
		let token = reader.read();
		if (token === GAP) {
			expected += reader.read();
			token = reader.read();
		}
		const isRun = token === RUN;
		const entry = (isRun ? reader.read() : token) - ENTRY_OFFSET;
		const end = at + (isRun ? reader.read() : 1);
		const last = expected + (end - at) - 1;
		const isWhole = entry >= 0 && entry < entryCount && end > at && end <= count;
		if (!isWhole || !(last <= Number.MAX_SAFE_INTEGER)) return undefined;
		while (at < end) {
			entries[at] = entry;
			ids[at++] = expected++;
		}
	}
	return at === count ? { ids, entries } : undefined;
}
