import fc from 'fast-check';

import { issueText, type Issue } from '../../../nodes/TractorBooking/parse/issue';
import {
	parseBooking,
	type RowSource,
} from '../../../nodes/TractorBooking/resources/booking/create/sheet/bookingRequest';
import {
	BOOKING_FIELDS,
	COLUMN_FIELDS,
	labelOf,
	type BookingRequest,
	type Rules,
} from '../../../nodes/TractorBooking/resources/booking/create/row/fields';
import type { RawBooking } from '../../../nodes/TractorBooking/resources/booking/create/sheet/columns';
import { anything } from '../../parse/cells.cts';

const RULES: Rules = { today: '2026-11-20', timezone: 'Africa/Lagos', defaultCountry: 'NG' };
const inSheet = { headings: new Map<string, string>() };

const textOf = (issue: Issue) => issueText({ ...issue, field: labelOf(issue.field) });

/** The request of a row, or its issues in words; that of a day in the past is one. */
function read(raw: RawBooking, source: Partial<RowSource> = {}): BookingRequest | string[] {
	const { request, pastDate, ...parsed } = parseBooking(raw, { rules: RULES, ...source });
	const issues = [...parsed.issues, pastDate ?? []].flat();
	return issues.length > 0 ? issues.map(textOf) : request;
}

const acres = { landArea: 2, areaType: 'ac' } as const;
const hectares = { landArea: 2, areaType: 'ha' } as const;

/** A row, the request that it becomes or its one issue, and what is known of its sheet. */
type Case = [RawBooking, BookingRequest | RegExp, Partial<RowSource>?];

// prettier-ignore
test.each<Case>([
	[{ gender: 0, farmNote: ' ', crop: null, crops: [] }, { gender: 0 }],
	// places
	[{ latitude: 0, longitude: '3.4' }, { latitude: 0, longitude: 3.4 }],
	[{ coordinates: { type: 'Point', coordinates: [3.94, 7.37] } }, { latitude: 7.37, longitude: 3.94 }],
	// crops
	[{ crop: 'Maize' }, { crop: 'Maize' }],
	[{ crop: 'Maize + Rice' }, { crops: ['Maize', 'Rice'] }],
	[{ crop: ['Maize', 'Rice'] }, { crops: ['Maize', 'Rice'] }],
	[{ crop: 'Maize, Rice', crops: 'Yam' }, { crop: 'Maize, Rice', crops: ['Yam'] }],
	// the first day and the last
	[{ serviceDate: '2026-11-20' }, { serviceDate: '2026-11-20' }],
	[{ serviceDate: '2028-11-20' }, { serviceDate: '2028-11-20' }],
	// a day that is the same in both orders
	[{ serviceDate: 46512 }, { serviceDate: '2027-05-05' }, { rules: { ...RULES, areSwapped: true } }],
	// the unit of the area: that of the row before that of all rows
	[{ landArea: '2.5 acres' }, { ...acres, landArea: 2.5 }, { ...inSheet, defaultUnit: 'ha' }],
	[{ landArea: '2 ha', areaType: 'hectares' }, hectares, { ...inSheet, areaUnit: 'ha' }],
	[{ areaType: 'ha', tractorId: 1 }, { tractorId: 1 }, inSheet],
	// a heading may be wrong, and Booking > Create has none
	...(['landArea', 'areaType', 'tractorId'] as const).flatMap((field): Case[] => [
		[{ landArea: '2 ha', [field]: 'Igabi' }, /(?:ha|\(acres\)|201)\.$/],
		[{ landArea: '2 ha', [field]: 'Igabi' }, /; if the column holds something else, rename it\.$/, inSheet],
	]),
	[{ serviceType: '-3' }, /^Service Type: "-3" is not a whole number from 0 up; write its number or its name/],
	[{ longitude: 3 }, /^Latitude and Longitude are incomplete; fill in/],
	[{ latitude: 0, longitude: 0 }, /^Latitude and Longitude are 0, 0, a place in the sea/],
	[{ coordinates: '0.0, 0.0' }, /^Latitude and Longitude: .* 0, 0, a place/],
	[{ serviceDate: '2026-11-19T23:59:59' }, /is in the past; choose today \(2026-11-20\)/],
	[{ serviceDate: 45_989 }, /^Service Date: "2025-11-28" is in the past; choose [^;]*day; if the work is done, remove the row\.$/],
	[{ serviceDate: '45989' }, /^Service Date: "45989 \(2025-11-28\)" is in the past; choose/],
	[{ serviceDate: '2028-11-21' }, /is more than two years ahead/],
	[{ serviceDate: 59_246 }, /"2062-03-16" is more than two years ahead; check/],
	...[
		[':00.000Z', /2026-12-04 in America.*, or 2026-12-05 in another.* set the workflow's timezone/] as const,
		[':12.000+00:00', /, or 2026-12-05 in another timezone; write it as YYYY-MM-DD\.$/] as const,
		[':12.000Z', /, or 2026-12-05 in another timezone; write it as YYYY-MM-DD\.$/] as const,
	].map(([seconds, issue]): Case => [
		{ serviceDate: `2026-12-04T21:00${seconds}` },
		issue,
		{ rules: { ...RULES, timezone: 'America/New_York' } },
	]),
	[{ landArea: '2 ha', areaType: 'ac' }, /^Land Area: "2 ha" has both ha and ac, in its cell/, inSheet],
	[{ landArea: '25000.5 acres' }, /^Land Area: .* is 25000.5 ac, more than/],
	[{ crop: '["Maize"]' }, /^Crop: /],
])('%j becomes %s', (raw, wanted, source = {}) => {
	const isRequest = !(wanted instanceof RegExp);
	expect(read(raw, source)).toStrictEqual(isRequest ? wanted : [expect.stringMatching(wanted)]);
});

test('a failed formula, and what is too long, is an issue in every field', () => {
	const unusable = {
		'#REF!': 'is a spreadsheet error',
		['x'.repeat(5_001)]: 'is longer than 5000',
	};
	for (const field of BOOKING_FIELDS)
		for (const [cell, problem] of Object.entries(unusable)) {
			const issue = new RegExp(`^${labelOf(field)}: ".*" ${problem}`);
			expect(read({ [field]: cell })).toContainEqual(expect.stringMatching(issue));
		}
	const farmNote = 'x'.repeat(5_000);
	expect(read({ farmNote })).toEqual({ farmNote });
});

test('whatever is in the cells, a row becomes a request of the right shape or issues', () => {
	const cells = fc.dictionary(fc.constantFrom(...COLUMN_FIELDS), anything(), {
		noNullPrototype: false,
	});
	fc.assert(
		fc.property(cells, (raw) => {
			const request = read(raw);
			if (Array.isArray(request)) {
				for (const issue of request) expect(issue).toMatch(/ .+; .+\.$/);
				return;
			}
			expect(JSON.parse(JSON.stringify(request))).toEqual(request);
			expect('landArea' in request).toBe('areaType' in request);
			expect('latitude' in request).toBe('longitude' in request);
			for (const field of ['tractorId', 'serviceType', 'gender'] as const) {
				if (field in request) expect(Number.isSafeInteger(request[field])).toBe(true);
			}
			// The request is its own fixed point: read again, nothing changes.
			expect(read(request)).toStrictEqual(request);
		}),
		{ numRuns: 1_000 },
	);
});
