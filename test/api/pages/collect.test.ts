import type { EndKind } from '../../../nodes/TractorBooking/api/pages/end';
import { collectList, judge } from '../../../nodes/TractorBooking/api/pages/collect';

/** Reads a list of numbered records to its end; how many came. */
async function read(records: number, length: number, total?: number): Promise<number> {
	const list = {
		what: 'bookings',
		name: 'numbers',
		keyOf: ({ id }: { id?: unknown }) => id,
		fetchPage: (page: number) => {
			const first = (page - 1) * length;
			const size = Math.min(length, records - first);
			const items = Array.from({ length: size }, (_, index) => ({ id: first + index }));
			const hasMore = first + length < records;
			return Promise.resolve({ items, total, hasMore, hasPrevious: first > 0 });
		},
	};
	return (await collectList(list)).length;
}

describe('a list of which every page is new', () => {
	it.each([
		['without a count, ten a page', 25_000, 10, undefined],
		['with a count that is capped', 40_000, 100, 10_000],
		['with a count that is far too low', 3_000, 100, 150],
		['with a page for each record, and a count', 12_000, 1, 8_000],
	])('%s, is read to its end', async (_what, records, length, total) => {
		expect(await read(records, length, total)).toBe(records);
	});

	it.each([
		['without a count', 10_000, undefined],
		['with a low count', 10_000, 130],
		['with a high count, after twice its pages', 16_000, 8_000],
	])('and that never ends, %s, is given up', async (_what, after, total) => {
		await expect(read(Infinity, 1, total)).rejects.toThrow(
			new RegExp(
				`^The list of bookings cannot be read to its end: after ${after}\\b.*, the service kept sending more without end$`,
			),
		);
	});
});

describe('how a list ended', () => {
	const end = (kind: EndKind, total?: number, isPromised = false) => ({
		end: { kind, total, isPromised, hasMoved: false, keys: new Set<string>() },
		received: 10,
		mayDiffer: true,
		isLast: false,
	});

	// The table of docs/developers/assumptions.md, "Where a list ends": if all came, if nothing is counted, and if it counts more.
	it.each<[EndKind, ...Array<ReturnType<typeof judge>>]>([
		['said', 'whole', 'whole', 'again', 'countIsWrong'],
		['empty', 'whole', 'whole', 'again', 'countIsWrong'],
		['emptyAfterNext', 'whole', 'whole', 'again', 'incomplete'],
		['absent', 'whole', 'incomplete', 'again', 'incomplete'],
		['repeated', 'whole', 'incomplete', 'again', 'incomplete'],
		['endless', 'incomplete', 'incomplete', 'again', 'incomplete'],
	])('%s: what follows', (kind, ifAllCame, ifUncounted, ifShort, ifShortAgain) => {
		expect(judge(end(kind, 10))).toBe(ifAllCame);
		expect(judge(end(kind, undefined, true))).toBe(ifUncounted);
		expect(judge(end(kind, 11))).toBe(ifShort);
		expect(judge({ ...end(kind, 11), mayDiffer: false })).toBe(ifShortAgain);
	});

	it('a list that was read three times and lacks records is incomplete', () => {
		expect(judge({ ...end('said', 11), isLast: true })).toBe('incomplete');
	});

	it('a list of which no record came and that counts some is incomplete', () => {
		expect(judge({ ...end('empty', 11), received: 0, mayDiffer: false })).toBe('incomplete');
	});

	it('a list that moved is read again as long as other records may come', () => {
		const { end: said, ...rest } = end('said', 10);
		const moved = { ...rest, end: { ...said, hasMoved: true } };
		expect(judge(moved)).toBe('again');
		expect(judge({ ...moved, mayDiffer: false })).toBe('whole');
		expect(judge({ ...moved, isLast: true })).toBe('whole');
	});
});
