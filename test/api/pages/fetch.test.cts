import type { IDataObject } from 'n8n-workflow';

import { openList, Seen } from '../../../nodes/TractorBooking/api/pages/fetch';
import { listOf, page, type Answers } from './answers.cts';

const two = page([2, 1]);
const four = page([4, 3]);

describe('a list begins with', () => {
	/** What page 1 and page 0 answer, and the pages that are asked for in turn, twice. */
	type Row = [string, Answers, number[], number[]];
	const last = { hasNext: false };

	async function expectFirst(first: number, [, answers, ...asked]: Row): Promise<void> {
		const { list, pages } = listOf(answers);
		for (const at of [0, 1]) {
			expect((await openList(list, 10)).number).toBe(first);
			expect(pages()).toEqual(asked.slice(0, at + 1).flat());
		}
	}

	it.each<Row>([
		['page 0 is unknown', { 1: two }, [0, 1, 0], [1]],
		['it counts: one look is enough', { 1: page([2, 1], { count: 2 }) }, [0, 1], [1]],
		['page 0 is empty', { 1: two, 0: page([]) }, [0, 1, 0], [1]],
		['page 0 is the last one', { 1: four, 0: page([2, 1], last) }, [0, 1], [0, 1]],
		// A list of one page that is given for every number: it may begin with page 0.
		['page 0 is the same', { 1: two, 0: two }, [0, 1], [0, 1]],
		['a record was added meanwhile', { 1: page([3, 2, 1]), 0: page([4, 3, 2]) }, [0, 1], [0, 1]],
		['both are without records', { 1: page([]) }, [0, 1], [0, 1]],
		// A failure does not show that there is none.
		['page 0 fails with 500', { 1: two, 0: 500 }, [0, 1, 0], [0, 1, 0]],
		['page 1 fails, and page 0 does not say that it is all', { 1: 500, 0: two }, [0, 1], [0, 1]],
	])('page 1, if %s', async (...row) => await expectFirst(1, row));

	it.each<Row>([
		['it comes before page 1', { 1: two, 0: four }, [0, 1], [0]],
		[
			'both say that they are the last',
			{ 1: page([2, 1], last), 0: page([4, 3], last) },
			[0, 1],
			[0],
		],
		['it is unknown only once', { 1: two, 0: [404, four] }, [0, 1, 0], [0]],
		['page 1 is unknown', { 0: two }, [0, 1], [0, 1]],
		['page 1 is empty', { 1: page([]), 0: two }, [0, 1], [0, 1]],
		['page 1 fails, and it says that it is all', { 1: 500, 0: page([2, 1], last) }, [0, 1], [0, 1]],
		['both are without records, and it is the one that is there', { 0: page([]) }, [0, 1], [0, 1]],
	])('page 0, if %s', async (...row) => await expectFirst(0, row));

	it.each([403, 503])('neither page, if page 0 fails with %i', async (status) => {
		const { list } = listOf({ 1: page([2, 1]), 0: status });
		expect((await openList(list, 10)).result).toMatchObject({ kind: 'failed' });
		expect(list.memory).toEqual({});
	});
});

it('where a list begins is asked again if it has no records there', async () => {
	const { list, pages } = listOf({ 1: two, 0: [four, 404] });
	for (const number of [0, 1, 1]) expect((await openList(list, 10)).number).toBe(number);
	expect(pages()).toEqual([0, 1, 0, 0, 1, 0, 1]);
});

it('a page size that is refused is replaced by a smaller one, which is remembered', async () => {
	const { list, asked } = listOf({ '1/100': 400, '0/100': 400, 1: page([2, 1]) });
	for (let times = 0; times < 2; times++) expect((await openList(list)).size).toBe(25);
	expect(asked.filter((page) => page === '1/100')).toHaveLength(1);
	expect(asked.at(-1)).toBe('1/25');
});

it('of a list that is refused in every size, the first refusal counts', async () => {
	const { list, asked } = listOf({ 1: 422, 0: 404 });
	const { result } = await openList(list);
	expect(result).toMatchObject({ kind: 'unknown', error: { status: 422 } });
	expect(asked).toEqual(['0/100', '1/100', '0/25', '1/25', '0/10', '1/10']);
	expect(list.memory).toEqual({});
});

it('a list that is unknown, or no list, is asked for once more', async () => {
	for (const once of [404, null]) {
		const { list, pages } = listOf({ 1: [once, page([2, 1], { count: 2 })] });
		expect((await openList(list)).result.kind).toBe('records');
		expect(pages()).toEqual([0, 1, 0, 1]);
	}
});

it.each<[string, unknown[][], unknown[][]]>([
	[
		'identifiers, however they are written',
		[
			['1', 2],
			[1, '02', 3],
		],
		[['1', 2], [3]],
	],
	['all that they hold, without one', [[''], [1, '']], [[''], [1]]],
])('records are told apart by %s', (_what, pages, fresh) => {
	const seen = new Seen(({ id }) => id);
	const added = pages.map((ids) => seen.addNew(ids.map((id) => ({ id }) as IDataObject)));
	expect(added.map((page) => page.map(({ id }) => id))).toEqual(fresh);
	expect(seen.size).toBe(fresh.flat().length);
});
