import { collect } from '../../../nodes/TractorBooking/api/pages/collect';
import type { Page, PagedList } from '../../../nodes/TractorBooking/api/pages/fetch';
import { ServiceError } from '../../../nodes/TractorBooking/api/errors';

/** A list that seems to begin with page 1, and whose pages are what `show` gives. */
const listOf = (show: (page: number) => Partial<Page> | undefined): PagedList => ({
	what: 'bookings',
	shape: { first: 1 },
	keyOf: ({ bookingID }) => bookingID,
	fetchPage: async (page) => {
		const shown = await Promise.resolve(show(page));
		if (!shown) throw new ServiceError('notFound', 'No such page', { status: 404 });
		return { records: [], ...shown };
	},
});

const records = (...ids: number[]) => ids.map((bookingID) => ({ bookingID }));

it('what is missing is looked for on page 0, although the list seemed to begin with page 1', async () => {
	const pages = [records(1, 2), records(3, 4)];
	const list = listOf((page) => pages[page] && { records: pages[page], count: 4, hasNext: !page });
	expect(await collect(list)).toHaveLength(4);
	expect(list.shape.first).toBe(0);
});

it.each([5, undefined])(
	'a list with the count %p that ends although it promises more is an error',
	async (count) => {
		const list = listOf((page) =>
			page === 1 ? { records: records(1, 2), count, hasNext: true } : undefined,
		);
		await expect(collect(list)).rejects.toMatchObject({ kind: 'incomplete' });
	},
);

it('a list without a count that gives records twice is an error: others may be on no page', async () => {
	const pages = [[], records(1, 2), records(2, 3), records(3, 1), []];
	const list = listOf((page) => pages[page] && { records: pages[page], hasNext: page < 4 });
	await expect(collect(list)).rejects.toMatchObject({
		kind: 'incomplete',
		message: expect.stringContaining('some of them had come twice') as string,
	});
});
