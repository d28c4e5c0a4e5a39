import { findRecord, parseListResponse } from '../../../nodes/TractorBooking/api/pages/envelope';

const record = { bookingID: 7 };

const read = (body: unknown) => parseListResponse(body, 'bookings');

it.each([
	...['results', 'data', 'items', 'records', 'bookings', 'tractors', 'contracts', 'nearby'],
	...['content', 'result', 'rows', 'list', 'payload', 'response'],
])('a list is found under %s, and one level deeper', (name) => {
	// Two arrays, so that it is the name that counts.
	expect(read({ [name]: [record], facets: [1] }).items).toEqual([record]);
	expect(read({ [name]: { items: [record], facets: [1] } }).items).toEqual([record]);
	expect(read({ [name]: null, count: 0 })).toMatchObject({ items: [], isMissing: false });
	expect(findRecord({ [name]: record }, (found) => found === record)).toBe(record);
});

it.each(['count', 'total', 'total_count', 'totalCount', 'total_items', 'totalItems', 'totalDocs'])(
	'the number of records is found under %s',
	(name) => {
		expect(read({ results: [record], [name]: '9' }).total).toBe(9);
	},
);

it.each([null, '', ' ', 'many', -1, 1.5, '1.5', true, [], {}, Infinity])(
	'a count of %p says nothing of the number of records',
	(count) => {
		expect(read({ results: [record], count }).total).toBeUndefined();
		expect(read({ results: [record], count, total: 9 }).total).toBe(9);
	},
);

it.each(['pagination', 'paging', 'meta', 'links', 'page_info', 'pageInfo'])(
	'what is said of the pages is found under %s',
	(name) => {
		const about = { total: 9, next: '/?page=2', previous: null };
		expect(read({ results: [record], [name]: about })).toMatchObject({
			total: 9,
			hasMore: true,
			hasPrevious: false,
			nextQuery: { page: '2' },
		});
	},
);

it.each(['error', 'errors', 'warning', 'Warnings', 'message', 'messages', 'link', 'links'])(
	'a list of an unknown name is not mistaken for that under %s',
	(name) => {
		const remarks = name === 'error' ? '' : [];
		expect(read({ [name]: remarks, journeys: [record] }).items).toEqual([record]);
		expect(() => read({ [name]: [record] })).toThrow('not a list of bookings');
	},
);

it.each([
	[{ next: null }, false, undefined],
	[{ next: '' }, false, undefined],
	[{ next: false }, false, undefined],
	[{ next: 0 }, false, undefined],
	[{ next: 3 }, true, { page: 3 }],
	[{ next: '3' }, true, { page: 3 }],
	[{ next: 'https://x.example/b?page=3&limit=5' }, true, { page: '3', limit: '5' }],
	[{ next: '/b' }, true, undefined],
	[{ next: 'http://[' }, true, undefined],
	[{ next_cursor: 'c' }, true, { cursor: 'c' }],
	[{ nextCursor: null }, false, undefined],
	[{ has_more: true }, true, undefined],
	[{ hasMore: false }, false, undefined],
	[{ has_next: false }, false, undefined],
	[{ hasNext: true }, true, undefined],
	[{ hasNext: 'yes' }, undefined, undefined],
	[{}, undefined, undefined],
])('whether more follows by %j is %p', (about, hasMore, nextQuery) => {
	const page = read({ results: [record], ...about });
	expect([page.hasMore, page.nextQuery]).toEqual([hasMore, nextQuery]);
});

it.each([
	[{ previous: null }, false],
	[{ previous: 0 }, true],
	[{ prev: '/b?page=1' }, true],
	[{ has_previous: false }, false],
	[{ hasPrevious: true }, true],
	[{ has_prev: true }, true],
	[{ hasPrev: false }, false],
	[{ offset: 0 }, false],
	[{ offset: 25 }, true],
	[{}, undefined],
])('whether something comes before by %j is %p', (about, hasPrevious) => {
	expect(read({ results: [record], ...about }).hasPrevious).toBe(hasPrevious);
});

it('the only array is a list one level deeper, too, and what stands around it counts', () => {
	expect(read({ total: 9, data: { journeys: [record], next: null } })).toMatchObject({
		items: [record],
		total: 9,
		hasMore: false,
	});
});

it('an empty list is none beside an error, and doubtful under an unknown name', () => {
	expect(() => read({ results: [], error: 'it is odd' })).toThrow(
		'The service reported an error instead of a list of bookings: it is odd',
	);
	expect(read({ results: [] }).isMissing).toBe(false);
	expect(read({ journeys: [] }).isMissing).toBe(true);
	expect(read({ journeys: [], total: 0 }).isMissing).toBe(false);
});

it.each([
	[{ docs: [], totalDocs: 0, hasNextPage: false }],
	[{ docs: [], totalDocs: 0, totalPages: 1, page: 1, hasPrevPage: false, nextPage: null }],
	[{ nearby_tractors: [] }],
	[{ data: { partnerBookings: [] } }],
	[{ count: 0, next: null, previous: null }],
	[{ total: '0' }],
])('%j is an empty list', (body) => {
	expect(read(body)).toMatchObject({ items: [], isMissing: false });
});

it.each([
	[{ docs: [], totalDocs: 7, hasNextPage: false }],
	[{ journeys: [], page: 1, next: null }],
	[{ docs: [], country: 'NG' }],
])('%j may be something else than an empty list', (body) => {
	expect(read(body).isMissing).toBe(true);
});

it.each([
	[{ count: 0, facets: [1], others: [2] }],
	[{ count: 3, next: null }],
	[{ next: null, previous: null }],
	[{ bookingID: 7, bookingStatus: 0 }],
])('%j is no list', (body) => {
	expect(() => read(body)).toThrow('not a list of bookings');
});

it('a count of 0 without a list is none beside an error', () => {
	expect(() => read({ count: 0, error: 'it is odd' })).toThrow('it is odd');
});
