import type { Page } from '../../../nodes/TractorBooking/api/pages/list';
import { PagePrefetcher } from '../../../nodes/TractorBooking/api/pages/prefetch';

const items = Array.from({ length: 10 }, (_, bookingID) => ({ bookingID }));

/** The pages that are asked for while a list is read up to its twelfth page, by the page that is needed. */
async function askedFor(page: Omit<Page, 'items'>, needed = 0) {
	const asked: number[] = [];
	const fetch = async (number: number) => {
		asked.push(number);
		return { ...page, items };
	};
	const prefetcher = new PagePrefetcher(fetch, needed);
	const byPage: number[][] = [];
	for (let number = 1; number <= 12; number++) {
		await prefetcher.fetch(number);
		byPage.push(asked.splice(0));
		prefetcher.plan(number + 1, { ...page, items }, 1);
	}
	return byPage;
}

const alone = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => [from + index]);

it('pages are asked for one after the other where nobody knows how many are needed, or there', async () => {
	expect(await askedFor({ total: 1_000 })).toEqual(alone(1, 12));
	expect(await askedFor({ hasMore: true }, Infinity)).toEqual(alone(1, 12));
});

it('of a list that is counted, no page is asked for that is not there', async () => {
	expect(await askedFor({ total: 45 }, Infinity)).toEqual([
		[1],
		[2, 3, 4, 5],
		[],
		[],
		[],
		...alone(6, 12),
	]);
});

it('no page is asked for that a limit does not need', async () => {
	expect(await askedFor({ total: 1_000 }, 35)).toEqual([[1], [2, 3, 4], [], [], ...alone(5, 12)]);
});
