import fc from 'fast-check';

import { issueText, type Issue } from '../../../nodes/TractorBooking/parse/issue';
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
import { anything } from '../../parse/cells.cts';

const RULES: Rules = { today: '2026-11-20', timezone: 'Africa/Lagos', defaultCountry: 'NG' };
const inSheet = { headings: new Map<string, string>() };

/** With the label of the field, as messages have it. */
const textOf = (issue: Issue) => issueText({ ...issue, field: labelOf(issue.field) });

function requestOf(raw: RawBooking, source: Partial<RowSource> = {}): BookingRequest {
	const { request, issues, pastDate } = parseBooking(raw, { rules: RULES, ...source });
	const faults = issues.filter((issue) => issue !== pastDate);
	if (faults.length > 0) throw new Error(faults.map(textOf).join('\n'));
	return request;
}

function issuesOf(raw: RawBooking, source: Partial<RowSource> = {}): string[] {
	const { issues, request } = parseBooking(raw, { rules: RULES, ...source });
	if (issues.length === 0) throw new Error(`accepted: ${JSON.stringify(request)}`);
	return issues.map(textOf);
}

const acres = { landArea: 2, areaType: 'ac' } as const;
const hectares = { landArea: 2, areaType: 'ha' } as const;

/** A row, what is known of its sheet, and the request that it becomes. */
type Accepted = [RawBooking, BookingRequest, Partial<RowSource>?];
type Refused = [RawBooking, RegExp, Partial<RowSource>?];

test.each<Accepted>([
	// numbers and texts
	[{ farmNote: 7 }, { farmNote: '7' }],
	[{ gender: 0, farmNote: ' ', crop: null, crops: [] }, { gender: 0 }],
	// places
	[
		{ latitude: 0, longitude: '3.4' },
		{ latitude: 0, longitude: 3.4 },
	],
	[
		{ coordinates: { type: 'Point', coordinates: [3.94, 7.37] } },
		{ latitude: 7.37, longitude: 3.94 },
	],
	// crops
	[{ crop: 'Maize' }, { crop: 'Maize' }],
	[{ crop: 'Maize + Rice' }, { crops: ['Maize', 'Rice'] }],
	[{ crop: ['Maize', 'Rice'] }, { crops: ['Maize', 'Rice'] }],
	[
		{ crop: 'Maize, Rice', crops: 'Yam' },
		{ crop: 'Maize, Rice', crops: ['Yam'] },
	],
	// the first day and the last
	[{ serviceDate: '2026-11-20' }, { serviceDate: '2026-11-20' }],
	[{ serviceDate: '2028-11-20' }, { serviceDate: '2028-11-20' }],
	// a day that is the same in both orders
	[
		{ serviceDate: 46512 },
		{ serviceDate: '2027-05-05' },
		{ rules: { ...RULES, areExchanged: true } },
	],
	// the unit of the area: that of the row before that of all rows
	[{ landArea: '2.5 acres' }, { ...acres, landArea: 2.5 }, { ...inSheet, defaultUnit: 'ha' }],
	[{ landArea: '2 ha', areaType: 'hectares' }, hectares, { ...inSheet, areaUnit: 'ha' }],
	[{ areaType: 'ha', tractorId: 1 }, { tractorId: 1 }, inSheet],
])('%j becomes %j', (raw, request, source = {}) => {
	expect(requestOf(raw, source)).toStrictEqual(request);
});

test('an error of the spreadsheet is an issue in every field', () => {
	for (const field of BOOKING_FIELDS) {
		const [issue] = issuesOf({ [field]: '#REF!' });
		expect(issue).toMatch(`${labelOf(field)}: "#REF!" is a spreadsheet error`);
	}
});

test.each<Refused>([
	[{ serviceType: '-3' }, /^Service Type: "-3" is not the ID of a service/],
	[{ longitude: 3 }, /^Latitude and Longitude lack one of the two; fill in/],
	[{ latitude: 0, longitude: 0 }, /^Latitude and Longitude are 0, 0, a place in the sea/],
	[{ latitude: 7, longitude: 3, coordinates: '7.1, 3.1' }, /are given twice; leave Latitude and/],
	[{ coordinates: '0.0, 0.0' }, /^Latitude and Longitude: .* 0, 0, a place/],
	[{ serviceDate: '2026-11-19T23:59:59' }, /is in the past; choose today \(2026-11-20\)/],
	[{ serviceDate: 45_989 }, /^Service Date: 45989 is in the past; it means 2025-11-28/],
	[{ serviceDate: '2028-11-21' }, /is more than two years ahead/],
	[{ serviceDate: 59_246 }, /59246 is more than two years ahead; it means 2062-03-16/],
	[
		{ serviceDate: '2026-12-04T21:00:00.000Z' },
		/2026-12-04 in America.*, or 2026-12-05 in another/,
		{ rules: { ...RULES, timezone: 'America/New_York' } },
	],
	// the unit of the area
	[{ landArea: '2 ha', areaType: 'ac' }, /^Area Unit: "ha \/ ac" are different units/, inSheet],
	[{ landArea: '2 ac' }, /^Area Unit: "ac \/ ha" are different/, { ...inSheet, areaUnit: 'ha' }],
	[{ landArea: '25000.5 acres' }, /^Land Area: .* is 25000.5 ac, more than/],
	[{ crop: '["Maize"]' }, /^Crop: /],
])('%j is one issue', (raw, issue, source = {}) => {
	expect(issuesOf(raw, source)).toEqual([expect.stringMatching(issue)]);
});

test('a cell that is too long is an issue, whatever the field', () => {
	const long = 'x'.repeat(5_001);
	const raw = { farmNote: long, serviceType: long, landArea: long, crops: ['maize', long] };
	const { issues } = parseBooking({ ...raw, farmerPhone: '1'.repeat(5_001) }, { rules: RULES });
	const fields = ['farmerPhone', 'serviceType', 'landArea', 'crops', 'farmNote'];
	expect(issues.map(({ field, problem }) => [field, problem])).toEqual(
		fields.map((field) => [field, 'is longer than 5000 characters']),
	);
	expect(requestOf({ farmNote: long.slice(1) })).toEqual({ farmNote: long.slice(1) });
});

test('whatever is in the cells, a row becomes a request of the right shape or issues', () => {
	const cells = fc.dictionary(fc.constantFrom(...COLUMN_FIELDS), anything(), {
		noNullPrototype: false,
	});
	fc.assert(
		fc.property(cells, (raw) => {
			const row = parseBooking(raw, { rules: RULES });
			if (row.issues.length > 0) {
				for (const issue of row.issues) expect(textOf(issue)).toMatch(/ .+; .+\.$/);
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
