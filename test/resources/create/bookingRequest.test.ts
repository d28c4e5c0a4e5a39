import fc from 'fast-check';
import {
	parseBooking,
	type BookingRequest,
	type RawBooking,
	type Rules,
} from '../../../nodes/TractorBooking/resources/booking/create/bookingRequest';
import type { BookingField } from '../../../nodes/TractorBooking/api/types';
import { COLUMN_NAMES } from '../../../nodes/TractorBooking/parse/columnNames';
import { issueText } from '../../../nodes/TractorBooking/parse/issue';
import { anything } from '../../parse/cells';

const RULES: Rules = {
	today: '2026-11-20',
	timezone: 'Africa/Lagos',
	defaultCountry: 'NG',
	genderWords: { female: 2 },
};

function requestOf(...args: Parameters<typeof parseBooking>): BookingRequest {
	const row = parseBooking(...args);
	if ('issues' in row) throw new Error(row.issues.map(issueText).join('\n'));
	return row.request;
}

function issuesOf(...args: Parameters<typeof parseBooking>): string[] {
	const row = parseBooking(...args);
	if ('issues' in row) return row.issues.map(issueText);
	if (!row.pastDate) throw new Error(`accepted: ${JSON.stringify(row.request)}`);
	return [issueText(row.pastDate)];
}

test('a row as people type it becomes the body of a booking', () => {
	const raw: RawBooking = {
		tractorId: '17',
		serviceType: 3.0,
		serviceDate: '25/12/2026',
		landArea: '2,5 ha',
		farmerName: ' Ada  Obi ',
		farmerPhone: 8031234567,
		gender: 'Female',
		latitude: '6,5244',
		longitude: '3.3792° E',
		farmLocation: 'Ikorodu',
		farmNote: 7,
		crop: 'maize',
		crops: 'maize, beans',
		custom_crop: 'fonio',
	};
	expect(requestOf(raw, RULES)).toEqual({
		tractorId: 17,
		serviceType: 3,
		serviceDate: '2026-12-25',
		landArea: 2.5,
		areaType: 'ha',
		farmerName: 'Ada Obi',
		farmerPhone: '+2348031234567',
		gender: 2,
		latitude: 6.5244,
		longitude: 3.3792,
		farmLocation: 'Ikorodu',
		farmNote: '7',
		crop: 'maize',
		crops: ['maize', 'beans'],
		custom_crop: 'fonio',
	});
});

test('empty cells are left out, zero is kept', () => {
	const raw = {
		tractorId: 1,
		gender: 0,
		latitude: 0,
		longitude: '0',
		farmNote: ' ',
		crop: null,
		crops: [],
		farmerName: undefined,
	};
	expect(requestOf(raw, RULES)).toStrictEqual({
		tractorId: 1,
		gender: 0,
		latitude: 0,
		longitude: 0,
	});
});

test('all issues of a row are returned at once and name their columns', () => {
	const columns = new Map<BookingField, string>([
		['serviceDate', 'Date'],
		['farmerPhone', 'Tel'],
	]);
	const raw = {
		tractorId: 1.5,
		serviceDate: '2026-11-19',
		landArea: 2,
		farmerPhone: '2.34803E+12',
		gender: 'male',
		latitude: 6.5,
	};
	expect(issuesOf(raw, RULES, { columns })).toEqual([
		'tractorId: 1.5 is not a whole number; write digits only, such as 12.',
		'serviceDate (column "Date"): "2026-11-19" is in the past (today is 2026-11-20); choose today or a later day.',
		expect.stringMatching(
			/^farmerPhone \(column "Tel"\): "2.34803E\+12" has lost digits in the spreadsheet; /,
		),
		expect.stringMatching(/^gender: "male" /),
		'longitude is missing, but latitude is given; fill in both or neither.',
		'areaType is missing, but landArea is given; add ha or ac, or leave both empty.',
	]);
});

describe('land area and its unit', () => {
	test.each<[RawBooking, 'ha' | 'ac' | undefined, Partial<BookingRequest>]>([
		[{ landArea: 2, areaType: 'Acres' }, undefined, { landArea: 2, areaType: 'ac' }],
		[{ landArea: 0, areaType: 'ha' }, undefined, { landArea: 0, areaType: 'ha' }],
		[{ landArea: '2 acres' }, undefined, { landArea: 2, areaType: 'ac' }],
		[{ landArea: 2 }, 'ha', { landArea: 2, areaType: 'ha' }],
		[{ landArea: 2, areaType: '' }, 'ha', { landArea: 2, areaType: 'ha' }],
		[{ landArea: '2 ha', areaType: 'hectares' }, 'ha', { landArea: 2, areaType: 'ha' }],
		[{ tractorId: 1 }, 'ha', { tractorId: 1 }], // the header's unit alone says nothing of this row
	])('%p with header %p → %p', (raw, areaTypeFromHeader, request) => {
		expect(requestOf(raw, RULES, { areaTypeFromHeader })).toStrictEqual(request);
	});

	test.each<[RawBooking, 'ha' | 'ac' | undefined, RegExp]>([
		[{ landArea: 2 }, undefined, /^areaType is missing, but landArea is given/],
		[{ areaType: 'ha' }, undefined, /^landArea is missing, but areaType is given/],
		[{ landArea: '2 ha', areaType: 'ac' }, undefined, /^areaType: "ha \/ ac" are different units/],
		[{ landArea: '2 acres' }, 'ha', /^areaType: "ac \/ ha" are different units/],
		[{ landArea: 2, areaType: 'ac' }, 'ha', /^areaType: "ac \/ ha" are different units/],
		[{ landArea: 2, areaType: 'plots' }, undefined, /^areaType: "plots" is not a unit/],
		[{ landArea: 'much' }, undefined, /^landArea: "much" is not a number/],
	])('%p with header %p is one issue', (raw, areaTypeFromHeader, issue) => {
		expect(issuesOf(raw, RULES, { areaTypeFromHeader })).toEqual([expect.stringMatching(issue)]);
	});
});

test('a faulty half of a coordinate is not called missing', () => {
	expect(issuesOf({ latitude: 95, longitude: 3 }, RULES)).toHaveLength(1);
	expect(issuesOf({ longitude: 3 }, RULES)).toEqual([
		'latitude is missing, but longitude is given; fill in both or neither.',
	]);
});

test('today can be booked, yesterday cannot', () => {
	expect(requestOf({ serviceDate: '2026-11-20' }, RULES)).toEqual({ serviceDate: '2026-11-20' });
	expect(issuesOf({ serviceDate: '2026-11-19T23:59:59' }, RULES)).toHaveLength(1);
});

test('an empty row is an issue', () => {
	const empty = ['row is empty; fill it in or remove it.'];
	expect(issuesOf({}, RULES)).toEqual(empty);
	expect(
		issuesOf({ farmerName: ' ', landArea: null }, RULES, { areaTypeFromHeader: 'ha' }),
	).toEqual(empty);
});

test('only own keys of a row count', () => {
	const raw: RawBooking = Object.create({ tractorId: 666 });
	raw.serviceType = 1;
	expect(requestOf(raw, RULES)).toStrictEqual({ serviceType: 1 });
	const hostile: RawBooking = JSON.parse(
		'{"__proto__": {"tractorId": 666}, "constructor": 1, "serviceType": 1}',
	);
	expect(requestOf(hostile, RULES)).toStrictEqual({ serviceType: 1 });
});

test('whatever is in the cells, a row becomes a request of the right shape or issues', () => {
	const fields = Object.keys(COLUMN_NAMES) as BookingField[];
	const cells = fc.dictionary(fc.constantFrom(...fields), anything(), { noNullPrototype: false });
	fc.assert(
		fc.property(cells, (raw) => {
			const row = parseBooking(raw, RULES);
			if ('issues' in row) {
				expect(row.issues.length).toBeGreaterThan(0);
				for (const issue of row.issues) expect(issueText(issue)).toMatch(/ .+; .+\.$/);
				return;
			}
			const { request } = row;
			expect(JSON.parse(JSON.stringify(request))).toEqual(request);
			expect('landArea' in request).toBe('areaType' in request);
			expect('latitude' in request).toBe('longitude' in request);
			for (const field of ['tractorId', 'serviceType', 'gender'] as const) {
				if (field in request) expect(Number.isSafeInteger(request[field])).toBe(true);
			}
			// The request is its own fixed point: read again, nothing changes.
			expect(requestOf(request, RULES)).toStrictEqual(request);
		}),
		{ numRuns: 3_000 },
	);
});
