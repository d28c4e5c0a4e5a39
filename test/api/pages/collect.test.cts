import { collect } from '../../../nodes/TractorBooking/api/pages/collect';
import { iterate } from '../../../nodes/TractorBooking/api/pages/iterate';
import { down, listOf, page, type Answers } from './answers.cts';

const SIZE = 10;
const full = down(20, 11);
const rest = down(10, 8);

async function read(answers: Answers, options: Parameters<typeof collect>[1] = {}) {
	// Where the list begins is known, unless it has a page 0.
	const { list, pages, asked } = listOf(answers, 0 in answers ? {} : { first: 1 });
	const warnings: string[] = [];
	const warn = (text: string) => void warnings.push(text);
	const result = await collect(list, { pageSize: SIZE, warn, ...options }).catch(String);
	const ids = Array.isArray(result) ? result.map(({ bookingID }) => bookingID) : result;
	return { ids, warnings, pages: pages(), asked };
}

const counted = page(full, { count: 13 });

it.each([undefined, 130])('a list that never ends is given up, of a count of %p', async (count) => {
	const { list } = listOf({});
	const fetchPage = async (number: number) =>
		await Promise.resolve(page([number], { count, hasNext: true }));
	const endless = collect({ ...list, fetchPage });
	await expect(endless).rejects.toThrow(/after 10000\b.*without end$/);
});

describe('a limit', () => {
	const answers = { 1: counted, 2: page(rest), '1/4': page(down(20, 17)) };

	it.each([
		['asks for no more than it needs', { limit: 4 }, down(20, 17), ['1/4']],
		[
			'counts wanted records only',
			{ limit: 1, isWanted: ({ bookingID }: { bookingID?: unknown }) => bookingID === 8 },
			[8],
			['1/10', '2/10'],
		],
		['may be over several pages', { limit: 12 }, down(20, 9), ['1/10', '2/10']],
	])('%s', async (_what, options, ids, pages) => {
		const result = await read(answers, options);
		expect(result.ids).toEqual(ids);
		expect(result.asked).toEqual(pages);
	});
});

describe('pages are asked for', () => {
	const long: Answers = {};
	for (let number = 1; number <= 25; number++) {
		const ids = down(260 - 10 * number, 251 - 10 * number);
		long[number] = page(ids, { count: 250, hasNext: number < 25 });
	}

	it('several at once, and none in vain, if they are counted', async () => {
		const { list, pages } = listOf(long, { first: 1 });
		const reading = iterate(list, { size: SIZE, needed: Infinity });
		await reading.next();
		const second = reading.next();
		expect(pages()).toEqual(down(17, 1).reverse());
		await second;
		for await (const { records } of reading) expect(records).toHaveLength(10);
		expect(pages()).toEqual(down(25, 1).reverse());
	});

	it('no more once the consumer stops, and nothing stays under way', async () => {
		const { list, pages } = listOf(long, { first: 1 });
		for await (const { number } of iterate(list, { size: SIZE, needed: Infinity }))
			if (number === 2) break;
		expect(pages()).toHaveLength(17);
	});
});
