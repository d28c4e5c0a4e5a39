import { collect } from '../../../nodes/TractorBooking/api/pages/collect';
import type { Page, PagedList } from '../../../nodes/TractorBooking/api/pages/fetch';
import { ServiceError } from '../../../nodes/TractorBooking/api/errors';

/** A list whose pages are what `show` gives, by how often each was asked for; and the pages that were asked for. */
function listOf(first: 0 | 1, show: (page: number, asked: number) => Partial<Page> | undefined) {
	const asked: number[] = [];
	const list: PagedList = {
		what: 'bookings',
		shape: { first },
		keyOf: ({ bookingID }) => bookingID,
		fetchPage: async (page) => {
			asked.push(page);
			const shown = await Promise.resolve(show(page, asked.filter((one) => one === page).length));
			if (!shown) throw new ServiceError('notFound', 'No such page', { status: 404 });
			return { records: [], ...shown };
		},
	};
	return { list, asked };
}

const records = (...ids: number[]) => ids.map((bookingID) => ({ bookingID }));

it('what is missing is looked for on page 0, although the list seemed to begin with page 1', async () => {
	const pages = [records(1, 2), records(3, 4)];
	const { list } = listOf(1, (page) => {
		return pages[page] && { records: pages[page], count: 4, hasNext: page === 0 };
	});
	expect(await collect(list)).toHaveLength(4);
	expect(list.shape.first).toBe(0);
});

it('a list that gives other records each time is read three times, and is an error', async () => {
	const { list, asked } = listOf(1, (page, times) =>
		page === 1 ? { records: records(times), count: 9, hasNext: false } : undefined,
	);
	await expect(collect(list)).rejects.toMatchObject({ kind: 'incomplete' });
	expect(asked.filter((page) => page === 1)).toHaveLength(3);
});

it.each([
	['is a wrong count, if it gives the same once more and says that this is all', false, 'counts 5'],
	['is an error, if it promises more', true, undefined],
])('a list that gives fewer records than it counts %s', async (_what, hasNext, warning) => {
	const { list } = listOf(1, (page) =>
		page === 1 ? { records: records(1, 2), count: 5, hasNext } : undefined,
	);
	const warnings: string[] = [];
	const reading = collect(list, { warn: (text) => warnings.push(text) });
	if (warning === undefined) await expect(reading).rejects.toMatchObject({ kind: 'incomplete' });
	else expect(await reading).toHaveLength(2);
	expect(warnings.join()).toMatch(warning ?? /^$/);
});
