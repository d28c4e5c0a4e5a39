import { collect } from '../../../nodes/TractorBooking/api/pages/collect';
import type { ListPage } from '../../../nodes/TractorBooking/api/pages/iterate';
import { iterate } from '../../../nodes/TractorBooking/api/pages/iterate';
import type { Answers } from './answers.cts';
import { down, listOf, page } from './answers.cts';

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

const promised = page(full, { hasNext: true });
const counted = page(full, { count: 13 });
const none = page([]);

describe('a list ends with a page that (rule 4)', () => {
	it.each<[string, Answers, number[]]>([
		['says that nothing follows', { 1: page(full, { hasNext: false }) }, [1]],
		['is empty', { 1: page(full), 2: none }, [1, 2]],
		['is empty, and the next one of what was promised twice', { 1: promised, 2: none }, [1, 2, 2]],
		['is unknown', { 1: page(full) }, [1, 2]],
		['is no list', { 1: page(full), 2: null }, [1, 2]],
		['has nothing new', { 1: page(full), 2: page(full) }, [1, 2]],
		[
			'fails with 500, if nothing was to follow',
			{ 1: page(full, { hasNext: false, count: 11 }), 2: 500 },
			[1, 2, 0, 1, 2],
		],
	])('%s', async (_what, answers, pages) => {
		const result = await read(answers);
		expect(result.ids).toEqual(full);
		expect(result.pages).toEqual(pages);
	});

	it.each<[string, Answers]>([
		['the count is reached', { 1: counted, 2: page(rest, { count: 13 }), 3: 500 }],
		['next is null', { 1: page(full), 2: page(rest, { hasNext: false, count: 99 }), 3: 500 }],
	])('fails with 500, once %s', async (_when, answers) => {
		expect((await read(answers)).ids).toEqual([...full, ...rest]);
	});
});

it.each<[string, Answers]>([
	['is full', { 1: page(full), 2: 500 }],
	['is short, if it says nothing', { 1: page(full), 2: page(rest), 3: 500 }],
	['is the first, if nothing tells of more', { 1: page(rest), 2: 500 }],
	['promises more', { 1: page(rest, { hasNext: true }), 2: 500 }],
	['lacks some of the count', { 1: page(full, { count: 12 }), 2: 500 }],
	['is the last that another failure lets through', { 1: page(rest), 2: 503 }],
])('a page that fails, after one that %s, is an error', async (_what, answers) => {
	expect((await read(answers)).ids).toMatch(/status 50[03]$/);
});

describe('a list is read again (rule 7)', () => {
	it('in the size of its pages, which a service may cap without moving them together', async () => {
		const capped = page([9, 8], { count: 4 });
		const answers = { '1/10': capped, '1/2': capped, '2/2': page([7, 6]) };
		expect((await read(answers)).ids).toEqual([9, 8, 7, 6]);
	});

	it('with a second look for page 0, if a count says that records are missing', async () => {
		const answers: Answers = { 0: 404, '0/3': page(full), 1: page(rest, { count: 13 }) };
		expect((await read(answers)).ids).toEqual([...rest, ...full]);
	});

	it('three times at most', async () => {
		const moving = [99, 89, 79, 69, 59].map((id) => page(down(id, id - 9), { count: 99 }));
		const { ids, pages } = await read({ 1: moving });
		expect(ids).toMatch(/cannot be read to its end: after 30 of 99/);
		expect(pages.filter((number) => number === 1)).toHaveLength(3);
	});
});

describe('a list that stays short (rule 8)', () => {
	const short = (about = {}) => page(rest, { count: 4, ...about });
	const more = page(rest, { hasNext: true });

	it.each<[string, Answers]>([
		['says that nothing follows', { 1: short({ hasNext: false }) }],
		['ends with an empty page', { 1: short(), 2: none }],
		['ends with an empty page that counts nothing', { 1: short(), 2: page([], { count: 0 }) }],
		['ends with an unknown page', { 1: short() }],
		['ends with a repeated page', { 1: short(), 2: page(rest) }],
	])('and %s has a wrong count', async (_what, answers) => {
		const { ids, warnings } = await read(answers);
		expect(ids).toEqual(rest);
		expect(warnings).toEqual([expect.stringMatching(/counts 4 bookings.*gives 3/)]);
	});

	it.each<[string, Answers]>([
		['promises more', { 1: short({ hasNext: true }), 2: none }],
		['promises more, breaks off, and does not count', { 1: more }],
		[
			'repeats itself, promises more, and does not count',
			{ 1: more, 2: page(rest, { hasNext: true }) },
		],
		['gave nothing', { 1: page([], { count: 4 }), 0: none }],
	])('and %s is an error', async (_what, answers) => {
		expect((await read(answers)).ids).toMatch(/cannot be read to its end/);
	});

	it('and only grew meanwhile has a wrong count, too', async () => {
		const growing = [4, 5, 6].map((of) => page(down(of, 1), { count: of + 2, hasNext: false }));
		expect((await read({ 1: growing })).warnings).toHaveLength(1);
	});
});

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

	it('one after the other if it is not known how many are needed', async () => {
		const { list, pages } = listOf(long, { first: 1 });
		for await (const { number } of iterate(list, { size: SIZE }))
			expect(pages()).toHaveLength(number);
	});

	it('no more once the consumer stops, and nothing stays under way', async () => {
		const { list, pages } = listOf(long, { first: 1 });
		for await (const { number } of iterate(list, { size: SIZE, needed: Infinity }))
			if (number === 2) break;
		expect(pages()).toHaveLength(17);
	});

	it('from the one where the reading begins, without a look for what is before', async () => {
		const { list, pages } = listOf({ 7: page(full), 8: page(rest, { hasNext: false, count: 99 }) });
		const read: ListPage[] = [];
		for await (const one of iterate(list, { from: 7 })) read.push(one);
		expect(read.map(({ number, isLast }) => [number, isLast])).toEqual([
			[7, false],
			[8, true],
		]);
		expect(pages()).toEqual([7, 8]);
	});
});
