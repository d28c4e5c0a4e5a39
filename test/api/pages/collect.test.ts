import { collectList } from '../../../nodes/TractorBooking/api/pages/collect';

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
