import { unwrapPage, type ListName } from '../../../nodes/TractorBooking/api/pages/fetch';

const record = { bookingID: 7 };

const read = (body: unknown, what: ListName = 'bookings') => unwrapPage(body, what);

it('the records may be under the name of their list, beside an error of something else', () => {
	expect(read({ bookings: [record], error: 'no rates' }).records).toEqual([record]);
});

it.each<[unknown]>([
	[{ journeys: [record] }],
	[{ errors: [{ text: 'down' }] }],
	[{ bookingID: 7, crops: [{ name: 'Maize' }] }],
	[{ results: ['50123'] }],
	[{ results: [record, null] }],
	[{ data: [[record]] }],
	[{ data: { results: [record] } }],
	['text'],
])('%j is no list of bookings', (body) => {
	expect(() => read(body)).toThrow('not a list of bookings');
});

it('what the service says in place of a list is told, and no record', () => {
	const said = expect.stringMatching(/^The service says: Invalid API key\. Check the base URL/);
	expect(() => read({ error: 'Invalid API key' })).toThrow(
		expect.objectContaining({ description: said }),
	);
	for (const body of [{ journeys: [{ farmerName: 'Amina' }] }, { error: null, data: {} }])
		expect(() => read(body)).toThrow(
			expect.objectContaining({ description: expect.stringMatching(/^Check the base URL/) }),
		);
});

it.each<[unknown, boolean]>([
	[[], true],
	[{ results: [] }, true],
	[{ results: null, count: 0 }, true],
	[{ results: null }, false],
	[{ results: null, count: 3 }, false],
	[{ results: [], error: 'Invalid page.' }, false],
	[null, false],
])('%j is an empty page: %p', (body, isPage) => {
	if (isPage) expect(read(body).records).toEqual([]);
	else expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'notFound' }));
});

it.each<[object, number | undefined]>([
	[{ count: 9 }, 9],
	[{ total: '9' }, 9],
	[{ meta: { total: 9 } }, 9],
	[{ pagination: { count: 9 } }, 9],
	[{ count: null, total: 9 }, 9],
	[{ count: 1, next: null }, 1],
	...[null, '', 'many', 1.5].map((count): [object, undefined] => [{ count }, undefined]),
	// A page contradicts these.
	[{ count: 0 }, undefined],
	[{ count: 1, next: '/2' }, undefined],
])('the count of %j is %p', (about, count) => {
	expect(read({ results: [record], ...about }).count).toBe(count);
});

it.each([
	[{ next: null }, false, undefined],
	[{ next: '' }, false, undefined],
	[{ next: 3 }, true, undefined],
	[{ next: 'https://x.example/b?page=3&limit=5' }, true, { page: '3', limit: '5' }],
	[{ meta: { next: '?offset=10' } }, true, { offset: '10' }],
	[{ next: '/b' }, true, undefined],
	[{}, undefined, undefined],
])('whether more follows by %j is %p', (about, hasNext, nextQuery) => {
	expect(read({ results: [record], ...about })).toMatchObject({ hasNext, nextQuery });
});
