import type { IDataObject } from 'n8n-workflow';

import { openList, Seen } from '../../../nodes/TractorBooking/api/pages/fetch';
import { listOf, page } from './answers.cts';

const two = page([2, 1]);
const four = page([4, 3]);

// services.test.cts judges with which page lists begin.
it.each([403, 503])('a list begins with neither page, if page 0 fails with %i', async (status) => {
	const { list } = listOf({ 1: page([2, 1]), 0: status });
	expect((await openList(list, 10)).result).toMatchObject({ kind: 'failed' });
	expect(list.memory).toEqual({});
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
