import fc from 'fast-check';

import { issueText } from '../../../nodes/TractorBooking/parse/issue';
import type { RowSource } from '../../../nodes/TractorBooking/resources/booking/create/bookingRequest';
import { parseBooking } from '../../../nodes/TractorBooking/resources/booking/create/bookingRequest';
import type {
	BookingRequest,
	Rules,
} from '../../../nodes/TractorBooking/resources/booking/create/fields';
import {
	BOOKING_FIELDS,
	COLUMN_FIELDS,
	labelOf,
} from '../../../nodes/TractorBooking/resources/booking/create/fields';
import type { RawBooking } from '../../../nodes/TractorBooking/resources/booking/create/sheetColumns';
import { anything } from '../../parse/cells';

const RULES: Rules = { today: '2026-11-20', timezone: 'Africa/Lagos', defaultCountry: 'NG' };
const inSheet = { headings: new Map<string, string>() };

function requestOf(raw: RawBooking, source: Partial<RowSource> = {}): BookingRequest {
	const { request, issues, pastDate } = parseBooking(raw, { rules: RULES, ...source });
	const faults = issues.filter((issue) => issue !== pastDate);
	if (faults.length > 0) throw new Error(faults.map(issueText).join('\n'));
	return request;
}

function issuesOf(raw: RawBooking, source: Partial<RowSource> = {}): string[] {
	const { issues, request } = parseBooking(raw, { rules: RULES, ...source });
	if (issues.length === 0) throw new Error(`accepted: ${JSON.stringify(request)}`);
	return issues.map(issueText);
}

test.each<[RawBooking, BookingRequest]>([
	[{ tractorId: "'17" }, { tractorId: 17 }],
	[{ tractorId: 'Tractor 17' }, { tractorId: 17 }],
	[{ serviceDate: '’2026-12-25' }, { serviceDate: '2026-12-25' }],
	[{ farmerPhone: "'+2348031234567" }, { farmerPhone: '+2348031234567' }],
	[
		{ serviceType: 3.0, farmNote: 7 },
		{ serviceType: 3, farmNote: '7' },
	],
	[{ farmerName: "'Yar Adua" }, { farmerName: "'Yar Adua" }],
	[{ gender: 0, farmNote: ' ', crop: null, crops: [] }, { gender: 0 }],
	[
		{ latitude: 0, longitude: '3.4' },
		{ latitude: 0, longitude: 3.4 },
	],
	[{ coordinates: '7.37 3.94 0 0' }, { latitude: 7.37, longitude: 3.94 }],
	[{ crop: 'Maize + Rice' }, { crops: ['Maize', 'Rice'] }],
	[{ crop: 'Maize' }, { crop: 'Maize' }],
	[
		{ crop: 'Maize, Rice', crops: 'Yam' },
		{ crop: 'Maize, Rice', crops: ['Yam'] },
	],
	[{ serviceDate: '2026-11-20' }, { serviceDate: '2026-11-20' }],
	[{ serviceDate: '2028-11-20' }, { serviceDate: '2028-11-20' }],
])('%j becomes %j', (raw, request) => {
	expect(requestOf(raw)).toStrictEqual(request);
});

test('a dash is an empty cell in every field', () => {
	const raw = Object.fromEntries(COLUMN_FIELDS.map((field) => [field, '-']));
	expect(requestOf({ ...raw, tractorId: 1 })).toEqual({ tractorId: 1 });
});

test('an error of the spreadsheet is an issue in every field', () => {
	for (const field of BOOKING_FIELDS) {
		const [issue] = issuesOf({ [field]: '#REF!' });
		expect(issue).toMatch(`${labelOf(field)}: "#REF!" is a spreadsheet error`);
	}
});

test.each<[RawBooking, RegExp]>([
	[{ tractorId: 0 }, /^Tractor ID: 0 is not the ID of a tractor; write the ID\.$/],
	[{ serviceType: '-3' }, /^Service Type: "-3" is not the ID of a service/],
	[{ longitude: 3 }, /^Latitude is missing, but Longitude is given; fill in both or neither/],
	[{ latitude: '7.37, 3.94', longitude: 3.94 }, /^Latitude: "7.37, 3.94" is not a coordinate/],
	[{ latitude: 0, longitude: 0 }, /^Latitude and Longitude are 0, 0, a place in the sea/],
	[{ coordinates: '0.0, 0.0' }, /^Latitude and Longitude: .* 0, 0, a place/],
	[{ coordinates: 'near the mosque' }, /^Latitude and Longitude: "near the mosque" is not/],
	[{ serviceDate: '2026-11-19T23:59:59' }, /is in the past; choose today \(2026-11-20\)/],
	[{ serviceDate: 45_989 }, /^Service Date: 45989 is in the past; it means 2025-11-28: choose/],
	[{ serviceDate: '2028-11-21' }, /is more than two years ahead; check the year/],
	[
		{ serviceDate: 59_246 },
		/^Service Date: 59246 is more than two years ahead; it means 2062-03-16/,
	],
	[{ serviceDate: new Date(Number.NaN) }, /^Service Date: .* is not a date/],
])('%j is one issue', (raw, issue) => {
	expect(issuesOf(raw)).toEqual([expect.stringMatching(issue)]);
});

test('a cell that is too long is an issue, whatever the field', () => {
	const long = 'x'.repeat(5_001);
	const raw = { farmNote: long, serviceType: long, landArea: long, crops: ['maize', long] };
	const { issues } = parseBooking({ ...raw, farmerPhone: '1'.repeat(5_001) }, { rules: RULES });
	expect(issues.map(({ field, problem }) => [field, problem])).toEqual(
		['farmerPhone', 'serviceType', 'crops', 'farmNote', 'landArea'].map((field) => [
			field,
			'is longer than 5000 characters',
		]),
	);
	expect(requestOf({ farmNote: long.slice(1) })).toEqual({ farmNote: long.slice(1) });
});

describe('the country of a phone', () => {
	const phoneOf = (phoneCountry: unknown, farmerPhone: unknown = '0772 123 456') =>
		requestOf({ phoneCountry, farmerPhone }).farmerPhone;

	test.each(['+256', 256, '00256', 'UG', ' UGANDA ', 'Uganda (+256)'])(
		'%p of the row counts, not Phone Country',
		(cell) => {
			expect(phoneOf(cell)).toBe('+256772123456');
		},
	);

	test('is that of Phone Country if the cell is empty', () => {
		expect(phoneOf('', '0803 123 4567')).toBe('+2348031234567');
	});

	test.each(['Atlantis', '+999', '256 / 254', '?'])('%p is an issue of a local phone', (cell) => {
		expect(issuesOf({ phoneCountry: cell, farmerPhone: '0772 123 456' })).toEqual([
			expect.stringMatching(/^Phone Country: .* is not a known country/),
		]);
		expect(phoneOf(cell, '+256 772 123 456')).toBe('+256772123456');
		expect(requestOf({ phoneCountry: cell, tractorId: 1 })).toEqual({ tractorId: 1 });
	});
});

describe('a service date that may be of another day', () => {
	const exchanged = { rules: { ...RULES, isExchanged: true } };
	const doubted = { rules: { ...RULES, dateOrder: 'dayFirst', isOrderDoubted: true } } as const;
	const inTimezone = (timezone: string) => ({ rules: { ...RULES, timezone } });
	const evening = '2026-12-04T21:00:00.000Z';

	test.each<[unknown, Partial<RowSource>, RegExp]>([
		[46508, exchanged, /2027-05-01, or 2027-01-05 if the spreadsheet exchanged/],
		['46508', exchanged, /2027-05-01, or 2027-01-05 if the spreadsheet exchanged/],
		['03/04/2027', doubted, /2027-04-03, or 2027-03-04 in the order that other dates/],
		[evening, inTimezone('America/New_York'), /2026-12-04 in America.*, or 2026-12-05 in another/],
		[new Date(evening), inTimezone('America/New_York'), /2026-12-04 in .*, or 2026-12-05/],
	])('%p is an issue that names both days', (serviceDate, source, issue) => {
		expect(issuesOf({ serviceDate }, source)).toEqual([expect.stringMatching(issue)]);
	});

	test.each([
		['2027-05-01', exchanged, '2027-05-01'],
		['13/01/2027', exchanged, '2027-01-13'],
		['13/01/2027', doubted, '2027-01-13'],
		['3 April 2027', doubted, '2027-04-03'],
		[46512, exchanged, '2027-05-05'], // the same either way
		[evening, inTimezone('Africa/Nairobi'), '2026-12-05'],
		['2026-12-05T00:00:00.000Z', inTimezone('America/New_York'), '2026-12-05'],
		['2026-12-04T14:00:00.000Z', inTimezone('America/New_York'), '2026-12-04'],
	])('%p with %j is %s', (serviceDate, source, day) => {
		expect(requestOf({ serviceDate }, source)).toEqual({ serviceDate: day });
	});
});

describe('land area and its unit', () => {
	const acres = { landArea: 2, areaType: 'ac' } as const;
	const hectares = { landArea: 2, areaType: 'ha' } as const;

	test.each<[RawBooking, Partial<RowSource>, BookingRequest]>([
		[{ landArea: '2 acres' }, inSheet, acres],
		[{ landArea: '2 ½ acres' }, { ...inSheet, defaultUnit: 'ha' }, { ...acres, landArea: 2.5 }],
		[{ landArea: 2, areaType: 'ac' }, { ...inSheet, defaultUnit: 'ha' }, acres],
		[{ landArea: '2 ha', areaType: 'hectares' }, { ...inSheet, areaUnit: 'ha' }, hectares],
		[{ areaType: 'ha', tractorId: 1 }, inSheet, { tractorId: 1 }],
	])('%j with %j is %j', (raw, source, request) => {
		expect(requestOf(raw, source)).toStrictEqual(request);
	});

	test.each<[RawBooking, Partial<RowSource>, RegExp]>([
		[{ landArea: '2 ha', areaType: 'ac' }, inSheet, /^Area Unit: "ha \/ ac" are different units/],
		[{ landArea: '2 ac' }, { ...inSheet, areaUnit: 'ha' }, /^Area Unit: "ac \/ ha" are different/],
		[{ landArea: 2, areaType: 'plots' }, inSheet, /^Area Unit: "plots" is not a unit/],
		[{ landArea: 10_001 }, { defaultUnit: 'ha' }, /more than 10000 hectares; check/],
		[{ landArea: '25,000.5 acres' }, {}, /^Land Area: .* is 25000.5 ac, more than/],
	])('%j with %j is one issue', (raw, source, issue) => {
		expect(issuesOf(raw, source)).toEqual([expect.stringMatching(issue)]);
	});
});

test('only own keys of a row count', () => {
	const raw: RawBooking = Object.create({ tractorId: 666 });
	raw.serviceType = 1;
	expect(requestOf(raw)).toStrictEqual({ serviceType: 1 });
});

test('whatever is in the cells, a row becomes a request of the right shape or issues', () => {
	const cells = fc.dictionary(fc.constantFrom(...COLUMN_FIELDS), anything(), {
		noNullPrototype: false,
	});
	fc.assert(
		fc.property(cells, (raw) => {
			const row = parseBooking(raw, { rules: RULES });
			if (row.issues.length > 0) {
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
			expect(requestOf(request)).toStrictEqual(request);
		}),
		{ numRuns: 1_000 },
	);
});
