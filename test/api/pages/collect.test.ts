import type { ListPage } from '../../../nodes/TractorBooking/api/pages/iterate';
import { collect, iterate } from '../../../nodes/TractorBooking/api/pages/iterate';
import type { Answers } from './answers';
import { down, listOf, pageOne } from './answers';

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

describe('a list ends with a page that (rule 4)', () => {
	it.each<[string, Answers, number[]]>([
		['says that nothing follows', { 1: [pageOne(full, { hasNext: false })] }, [1]],
		['is empty', { 1: [pageOne(full)], 2: [[[]]] }, [1, 2]],
		[
			'is empty, and the next one of what was promised twice',
			{ 1: [pageOne(full, { hasNext: true })], 2: [[[]]] },
			[1, 2, 2],
		],
		['is unknown', { 1: [pageOne(full)] }, [1, 2]],
		['is no list', { 1: [pageOne(full)], 2: [null] }, [1, 2]],
		['has nothing new', { 1: [pageOne(full)], 2: [[full]] }, [1, 2]],
		[
			'fails with 500, if nothing was to follow',
			{ 1: [pageOne(full, { hasNext: false, count: 11 })], 2: [500] },
			[1, 2, 1, 0, 2],
		],
	])('%s', async (_what, answers, pages) => {
		const result = await read(answers);
		expect(result.ids).toEqual(full);
		expect(result.pages).toEqual(pages);
	});

	it.each<[string, Answers]>([
		[
			'the count is reached',
			{ 1: [pageOne(full, { count: 13 })], 2: [[rest, { count: 13 }]], 3: [500] },
		],
		['the page before it is shorter than page 1', { 1: [pageOne(full)], 2: [[rest]], 3: [500] }],
	])('fails with 500, once %s', async (_when, answers) => {
		expect((await read(answers)).ids).toEqual([...full, ...rest]);
	});
});

describe('a list does not end with a page that', () => {
	it.each<[string, Answers]>([
		[
			'says so, although more are counted',
			{ 1: [pageOne(full, { hasNext: false, count: 13 })], 2: [[rest]] },
		],
		[
			'is empty once, although more are promised',
			{ 1: [pageOne(full, { hasNext: true })], 2: [[[]], [rest]] },
		],
		[
			'is unknown once, although more are counted',
			{ 1: [pageOne(full, { count: 13 })], 2: [404, [rest]] },
		],
		[
			'is no list once, although more are promised',
			{ 1: [pageOne(full, { hasNext: true })], 2: [null, [rest]] },
		],
	])('%s', async (_what, answers) => {
		expect((await read(answers)).ids).toEqual([...full, ...rest]);
	});

	it.each<[string, Answers]>([
		['is full', { 1: [pageOne(full)], 2: [500] }],
		['is the first, if nothing tells of more', { 1: [pageOne(rest)], 2: [500] }],
		['promises more', { 1: [pageOne(rest, { hasNext: true })], 2: [500] }],
		['lacks some of the count', { 1: [pageOne(full, { count: 12 })], 2: [500] }],
		['is the last that another failure lets through', { 1: [pageOne(rest)], 2: [503] }],
	])('fails, after one that %s: that is an error', async (_what, answers) => {
		expect((await read(answers)).ids).toMatch(/status 50[03]$/);
	});
});

describe('a list is read again (rule 7)', () => {
	it.each<[string, Answers]>([
		['if fewer came than are counted', { 1: [pageOne(full, { count: 13 })], 2: [404, [rest]] }],
		['if it broke off', { 1: [pageOne(full, { hasNext: true })], 2: [404, 404, [rest]] }],
		[
			'if the count fell meanwhile',
			{
				1: [pageOne(full, { count: 14 })],
				2: [
					[down(9, 8), { count: 13 }],
					[rest, { count: 13 }],
				],
				3: [[[]]],
			},
		],
		[
			'if a record moved, and nothing is counted',
			{ 1: [pageOne(full), pageOne(full)], 2: [[[11, 10, 9]], [rest]], 3: [[[]]] },
		],
		[
			'from page 0, if every page says that nothing comes before it',
			{ 0: [[full]], 1: [pageOne(rest)], 2: [pageOne([5])], 3: [[[]]] },
		],
	])('%s, and all that came counts', async (_when, answers) => {
		const { ids } = await read(answers);
		const came = typeof ids === 'string' ? ids : ids.map(Number).sort((a, b) => b - a);
		expect(came).toEqual([...full, ...rest, ...('0' in answers ? [5] : [])]);
	});

	it('in the size of its pages, which a service may cap without moving them together', async () => {
		const answers: Answers = {
			'1/10': [pageOne([9, 8], { count: 4 })],
			'1/2': [pageOne([9, 8], { count: 4 })],
			'2/2': [[[7, 6]]],
		};
		expect((await read(answers)).ids).toEqual([9, 8, 7, 6]);
	});

	it('three times at most', async () => {
		const moving = Array.from({ length: 5 }, (_, at) =>
			pageOne(down(99 - 10 * at, 90 - 10 * at), { count: 99 }),
		);
		const { ids, pages } = await read({ 1: moving });
		expect(ids).toMatch(/cannot be read to its end: after 30 of 99/);
		expect(pages.filter((page) => page === 1)).toHaveLength(3);
	});
});

describe('a list that stays short (rule 8)', () => {
	it.each<[string, Answers, boolean]>([
		['says that nothing follows', { 1: [pageOne(rest, { count: 4, hasNext: false })] }, true],
		['ends with an empty page', { 1: [pageOne(rest, { count: 4 })], 2: [[[]]] }, true],
		[
			'ends with an empty page that counts nothing',
			{ 1: [pageOne(rest, { count: 4 })], 2: [[[], { count: 0 }]] },
			true,
		],
		['ends with an unknown page', { 1: [pageOne(rest, { count: 4 })] }, true],
		['ends with a repeated page', { 1: [pageOne(rest, { count: 4 })], 2: [[rest]] }, true],
		['promises more', { 1: [pageOne(rest, { count: 4, hasNext: true })], 2: [[[]]] }, false],
		[
			'promises more, breaks off, and does not count',
			{ 1: [pageOne(rest, { hasNext: true })] },
			false,
		],
		[
			'repeats itself, promises more, and does not count',
			{ 1: [pageOne(rest, { hasNext: true })], 2: [[rest, { hasNext: true }]] },
			false,
		],
		['gave nothing', { 1: [pageOne([], { count: 4 })], 0: [[[]]] }, false],
	])('and %s', async (_what, answers, isCountWrong) => {
		const { ids, warnings } = await read(answers);
		if (isCountWrong) {
			expect(ids).toEqual(rest);
			expect(warnings).toEqual([expect.stringMatching(/counts 4 bookings.*gives 3/)]);
		} else expect(ids).toMatch(/cannot be read to its end/);
	});

	it('and only grew meanwhile has a wrong count, too', async () => {
		const growing = [4, 5, 6].map((of) => pageOne(down(of, 1), { count: of + 2, hasNext: false }));
		expect((await read({ 1: growing })).warnings).toHaveLength(1);
	});
});

it.each<[string, number, number | undefined]>([
	['without a count', 10_000, undefined],
	['with a low count', 10_000, 130],
])('a list that never ends, %s, is given up (rule 9)', async (_what, after, count) => {
	const { list } = listOf({});
	const fetchPage = async (number: number) =>
		await Promise.resolve({
			records: [{ bookingID: number }],
			count,
			hasNext: true,
			hasPrevious: number > 1,
		});
	await expect(collect({ ...list, fetchPage })).rejects.toThrow(
		new RegExp(`after ${after}\\b.*without end$`),
	);
});

describe('a limit', () => {
	const answers: Answers = {
		1: [pageOne(full, { count: 13 })],
		2: [[rest]],
		'1/4': [pageOne(down(20, 17))],
	};

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
	const pageOf = (number: number) => down(1000 - 10 * (number - 1), 991 - 10 * (number - 1));
	const counted: Answers = Object.fromEntries(
		Array.from({ length: 25 }, (_, at) => [
			at + 1,
			[[pageOf(at + 1), { count: 250, hasPrevious: at > 0, hasNext: at < 24 }]],
		]),
	);

	it('several at once, and none in vain, if they are counted', async () => {
		const { list, pages } = listOf(counted);
		const reading = iterate(list, { size: SIZE, needed: Infinity });
		await reading.next();
		const second = reading.next();
		expect(pages()).toEqual(down(17, 1).reverse());
		await second;
		for await (const page of reading) expect(page.records).toHaveLength(10);
		expect(pages()).toEqual(down(25, 1).reverse());
	});

	it('one after the other if it is not known how many are needed', async () => {
		const { list, pages } = listOf(counted);
		for await (const { number } of iterate(list, { size: SIZE }))
			expect(pages()).toHaveLength(number);
	});

	it('no more once the consumer stops, and nothing stays under way', async () => {
		const { list, pages } = listOf(counted);
		for await (const { number } of iterate(list, { size: SIZE, needed: Infinity }))
			if (number === 2) break;
		expect(pages()).toHaveLength(17);
	});

	it('from the one where the reading begins, without a look for what is before', async () => {
		const { list, pages } = listOf({ 7: [[full]], 8: [[rest, { hasNext: false, count: 99 }]] });
		const read: ListPage[] = [];
		for await (const page of iterate(list, { from: 7 })) read.push(page);
		expect(read.map(({ number, isLast }) => [number, isLast])).toEqual([
			[7, false],
			[8, true],
		]);
		expect(pages()).toEqual([7, 8]);
	});
});
