import fc from 'fast-check';
import { parseBooking } from '../../../nodes/TractorBooking/resources/booking/create/bookingRequest';
import type {
	RawBooking,
	Rules,
} from '../../../nodes/TractorBooking/resources/booking/create/requestBuilder';
import type { BookingField, BookingRequest } from '../../../nodes/TractorBooking/api/types';
import { COLUMN_FIELDS } from '../../../nodes/TractorBooking/parse/columnNames';
import { matchColumns } from '../../../nodes/TractorBooking/parse/columns';
import { issueText } from '../../../nodes/TractorBooking/parse/issue';
import { labelOf } from '../../../nodes/TractorBooking/parse/labels';
import { anything } from '../../parse/cells';

const RULES: Rules = {
	today: '2026-11-20',
	timezone: 'Africa/Lagos',
	defaultCountry: 'NG',
};

function requestOf(...args: Parameters<typeof parseBooking>): BookingRequest {
	return validOf(...args).request;
}

function issuesOf(...args: Parameters<typeof parseBooking>): string[] {
	const { issues, request } = parseBooking(...args);
	if (issues.length === 0) throw new Error(`accepted: ${JSON.stringify(request)}`);
	return issues.map(issueText);
}

test('a row as people type it becomes the body of a booking', () => {
	const raw: RawBooking = {
		tractorId: '17',
		serviceType: 3.0,
		serviceDate: '25/12/2026',
		landArea: '2,5 ha',
		farmerName: ' Ada  Obi ',
		farmerPhone: 8031234567,
		gender: '2',
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

test('an apostrophe that marks a number as text does not count', () => {
	const raw = {
		tractorId: "'17",
		serviceDate: '’2026-12-25',
		farmerPhone: "'+2348031234567",
		landArea: "'2 ha",
		latitude: "'-1.5",
		longitude: "'36.5",
		farmerName: "'Yar Adua",
	};
	expect(requestOf(raw, RULES)).toMatchObject({
		tractorId: 17,
		serviceDate: '2026-12-25',
		farmerPhone: '+2348031234567',
		landArea: 2,
		latitude: -1.5,
		farmerName: "'Yar Adua",
	});
});

test.each(['-', 'N/A', '—'])('%p is an empty cell in every field', (cell) => {
	const raw = Object.fromEntries(COLUMN_FIELDS.map((field) => [field, cell]));
	expect(requestOf({ ...raw, tractorId: 1 }, RULES)).toEqual({ tractorId: 1 });
});

test.each<[RawBooking, RegExp]>([
	[{ tractorId: 0 }, /^Tractor ID: 0 is no ID of a tractor; write the ID\.$/],
	[{ serviceType: -3 }, /^Service Type: -3 is no ID of a service; write the ID\.$/],
	[{ serviceType: '-3' }, /^Service Type: "-3" is no ID of a service/],
])('%p is no number of its field', (raw, issue) => {
	expect(issuesOf(raw, RULES)).toEqual([expect.stringMatching(issue)]);
});

/** Fields that are read whatever the other cells hold. */
const OWN_FIELDS = COLUMN_FIELDS.filter((name) => name !== 'bookingID' && name !== 'phoneCountry');

test('empty cells are left out, zero is kept', () => {
	const raw = {
		tractorId: 1,
		gender: 0,
		latitude: 0,
		longitude: '3.4',
		farmNote: ' ',
		crop: null,
		crops: [],
		farmerName: undefined,
	};
	expect(requestOf(raw, RULES)).toStrictEqual({
		tractorId: 1,
		gender: 0,
		latitude: 0,
		longitude: 3.4,
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
		'Tractor ID: 1.5 is not a whole number; write digits only, such as 12.',
		'Service Date (column "Date"): "2026-11-19" is in the past (today is 2026-11-20); choose today or a later day.',
		expect.stringMatching(
			/^Farmer Phone \(column "Tel"\): "2.34803E\+12" has lost digits in the spreadsheet; /,
		),
		expect.stringMatching(/^Gender: "male" /),
		'Longitude is missing, but Latitude is given; fill in both or neither.',
		'Land Area: 2 has no unit; write ha or ac behind the number, or in the heading, such as Land Area (ha).',
	]);
});

describe('the country of a phone', () => {
	const phoneOf = (phoneCountry: unknown, farmerPhone: unknown = '0772 123 456') =>
		requestOf({ phoneCountry, farmerPhone }, RULES).farmerPhone;

	test.each(['+256', '256', 256, '00256', 'UG', 'ug', 'Uganda', ' UGANDA ', 'Uganda (+256)'])(
		'%p of the row counts, not Phone Country',
		(cell) => {
			expect(phoneOf(cell)).toBe('+256772123456');
		},
	);

	test('is that of Phone Country if the cell is empty', () => {
		expect(phoneOf('', '0803 123 4567')).toBe('+2348031234567');
		expect(phoneOf("Cote d'Ivoire", '07 12 34 56 78')).toBe('+2250712345678');
	});

	test.each(['Atlantis', '+999', '256 / 254', '?'])('%p is an issue of a local phone', (cell) => {
		expect(issuesOf({ phoneCountry: cell, farmerPhone: '0772 123 456' }, RULES)).toEqual([
			`Phone Country: "${cell}" is no country that is known; write its calling code, such as +256.`,
		]);
		expect(phoneOf(cell, '+256 772 123 456')).toBe('+256772123456');
		expect(phoneOf(cell, '00256 772 123 456')).toBe('+256772123456');
		expect(requestOf({ phoneCountry: cell, tractorId: 1 }, RULES)).toEqual({ tractorId: 1 });
	});

	test('finds the plus that was typed instead of the zero, too', () => {
		expect(issuesOf({ phoneCountry: 'UG', farmerPhone: '+772123456' }, RULES)).toEqual([
			'Farmer Phone: "+772123456" may mean +256772123456; write it with the country code.',
		]);
	});
});

test.each<['latitude' | 'longitude', string, unknown, RegExp | number]>([
	[
		'latitude',
		'Lat (S)',
		6.5,
		/^Latitude \(column "Lat \(S\)"\): 6\.5 has no sign, but its heading says south or west; write -6\.5, or 6\.5 S\.$/,
	],
	['latitude', 'Lat (S)', '6,5°', /"6,5°" has no sign.*write -6\.5, or 6\.5 S/],
	['latitude', 'Lat (S)', -6.5, -6.5],
	['latitude', 'Lat (S)', '6.5 S', -6.5],
	['latitude', 'Lat (S)', '6.5 N', 6.5],
	['latitude', 'Lat (S)', '+6.5', 6.5],
	['latitude', 'Lat (S)', 0, 0],
	['longitude', 'Long W', 3.4, /3\.4 has no sign.*write -3\.4, or 3\.4 W/],
	['longitude', 'Long W', '3.4 deg', /"3\.4 deg" has no sign/],
	['longitude', 'Long W', '3.4 W', -3.4],
	['longitude', 'Long W', '3.4E', 3.4],
	['latitude', 'Lat (N)', 6.5, 6.5],
])('%s in the column %p: %p', (axis, column, cell, expected) => {
	const raw = { latitude: 1.5, longitude: 2.5, [axis]: cell };
	const source = matchColumns([column]);
	expect(source.columns.get(axis)).toBe(column);
	if (expected instanceof RegExp)
		expect(issuesOf(raw, RULES, source)).toEqual([expect.stringMatching(expected)]);
	else expect(requestOf(raw, RULES, source)).toMatchObject({ [axis]: expected });
});

test('an area in another unit than those of the service is an issue', () => {
	const source = matchColumns(['Area (sq m)']);
	for (const landArea of [500, '500', '2 ha'])
		expect(issuesOf({ landArea, areaType: 'ha' }, RULES, source)).toEqual([
			expect.stringMatching(
				/^Land Area \(column "Area \(sq m\)"\): .* is in sq m, as its heading says; convert it to hectares or acres, and rename the column\.$/,
			),
		]);
	expect(requestOf({ landArea: '', tractorId: 1 }, RULES, source)).toEqual({
		tractorId: 1,
	});
});

describe('dates whose day and month the spreadsheet has exchanged', () => {
	const source = { isExchanged: true };

	test.each([46508, '46508', 46508.5])('%p is an issue that names both days', (serviceDate) => {
		expect(issuesOf({ serviceDate }, RULES, source)).toEqual([
			expect.stringMatching(
				/^Service Date: "?46508(?:\.5)?"? is 2027-05-01, or 2027-01-05 if the spreadsheet exchanged day and month, as the dates that it left as text suggest; write it as text, as YYYY-MM-DD\.$/,
			),
		]);
	});

	test.each([
		['2027-05-01', '2027-05-01'],
		['13/01/2027', '2027-01-13'],
		[46512, '2027-05-05'], // the same either way
	])('%p is none', (serviceDate, day) => {
		expect(requestOf({ serviceDate }, RULES, source)).toEqual({ serviceDate: day });
	});
});

describe('land area and its unit', () => {
	test.each<[RawBooking, 'ha' | 'ac' | undefined, Partial<BookingRequest>]>([
		[{ landArea: 2, areaType: 'Acres' }, undefined, { landArea: 2, areaType: 'ac' }],
		[{ landArea: '2 acres' }, 'ha', { landArea: 2, areaType: 'ac' }],
		[{ landArea: '2 ½ acres' }, 'ha', { landArea: 2.5, areaType: 'ac' }],
		[{ landArea: '2 acres' }, undefined, { landArea: 2, areaType: 'ac' }],
		[{ landArea: 2 }, 'ha', { landArea: 2, areaType: 'ha' }],
		[{ landArea: 2, areaType: '' }, 'ha', { landArea: 2, areaType: 'ha' }],
		[{ landArea: '2 ha', areaType: 'hectares' }, 'ha', { landArea: 2, areaType: 'ha' }],
		[{ tractorId: 1 }, 'ha', { tractorId: 1 }], // the header's unit alone says nothing of this row
	])('%p with header %p → %p', (raw, areaTypeFromHeader, request) => {
		expect(requestOf(raw, RULES, { areaTypeFromHeader })).toStrictEqual(request);
	});

	test.each<[RawBooking, 'ha' | 'ac' | undefined, RegExp]>([
		[
			{ landArea: 2 },
			undefined,
			/^Land Area: 2 has no unit; write ha or ac behind the number, or set Area Unit/,
		],
		[{ areaType: 'ha' }, undefined, /^Land Area is missing, but Area Unit is given/],
		[{ landArea: '2 ha', areaType: 'ac' }, undefined, /^Area Unit: "ha \/ ac" are different units/],
		[{ landArea: '2 acres', areaType: 'ha' }, 'ac', /^Area Unit: "ac \/ ha" are different units/],
		[{ landArea: 0, areaType: 'ha' }, undefined, /^Land Area: 0 is not above zero/],
		[{ landArea: 10_001 }, 'ha', /^Land Area: 10001 is 10001 ha, more than 10000 hectares; check/],
		[{ landArea: '25,000.5 acres' }, 'ha', /^Land Area: .* is 25000.5 ac, more than/],
		[{ landArea: 2, areaType: 'ac' }, 'ha', /^Area Unit: "ac \/ ha" are different units/],
		[{ landArea: 2, areaType: 'plots' }, undefined, /^Area Unit: "plots" is not a unit/],
		[{ landArea: 'much' }, undefined, /^Land Area: "much" is not a number/],
	])('%p with header %p is one issue', (raw, areaTypeFromHeader, issue) => {
		expect(issuesOf(raw, RULES, { areaTypeFromHeader })).toEqual([expect.stringMatching(issue)]);
	});
});

test('a faulty half of a coordinate is not called missing', () => {
	expect(issuesOf({ latitude: 95, longitude: 3 }, RULES)).toHaveLength(1);
	expect(issuesOf({ longitude: 3 }, RULES)).toEqual([
		'Latitude is missing, but Longitude is given; fill in both or neither.',
	]);
});

test('today can be booked, yesterday cannot', () => {
	expect(requestOf({ serviceDate: '2026-11-20' }, RULES)).toEqual({ serviceDate: '2026-11-20' });
	expect(issuesOf({ serviceDate: '2026-11-19T23:59:59' }, RULES)).toHaveLength(1);
});

test('a day more than two years ahead is rather a typing error', () => {
	expect(requestOf({ serviceDate: '2028-11-20' }, RULES)).toEqual({ serviceDate: '2028-11-20' });
	expect(issuesOf({ serviceDate: '2028-11-21' }, RULES)).toEqual([
		'Service Date: "2028-11-21" is more than two years ahead; check the year.',
	]);
	expect(issuesOf({ serviceDate: 59_246 }, RULES)).toEqual([
		'Service Date: 59246 is 2062-03-16, which is more than two years ahead; check the year.',
	]);
});

test('a Date that is none is an issue', () => {
	expect(issuesOf({ serviceDate: new Date(Number.NaN) }, RULES)).toHaveLength(1);
});

describe('an instant that may be midnight elsewhere', () => {
	const inTimezone = (timezone: string) => ({ ...RULES, timezone });

	test.each(['2026-12-04T21:00:00.000Z', '2026-12-04 21:00:00Z', new Date('2026-12-04T21:00:00Z')])(
		'is an issue with both days: %j',
		(serviceDate) => {
			expect(issuesOf({ serviceDate }, inTimezone('America/New_York'))).toEqual([
				expect.stringContaining(
					'is 2026-12-04 in America/New_York, or 2026-12-05 in another timezone; set the timezone of the workflow in its settings, or write it as YYYY-MM-DD.',
				),
			]);
		},
	);

	test.each([
		['2026-12-04T21:00:00.000Z', 'Africa/Nairobi', '2026-12-05'],
		['2026-12-05T00:00:00.000Z', 'America/New_York', '2026-12-05'],
		['2026-12-05T05:00:00.000Z', 'America/New_York', '2026-12-05'],
		['2026-12-04T21:30:00.000Z', 'America/New_York', '2026-12-04'],
		['2026-12-04T14:00:00.000Z', 'America/New_York', '2026-12-04'],
		[new Date('2026-12-04T16:30:00Z'), 'America/New_York', '2026-12-04'],
	])('but %s in %s is %s', (serviceDate, timezone, day) => {
		expect(requestOf({ serviceDate }, inTimezone(timezone))).toEqual({ serviceDate: day });
	});
});

test('empty cells are no issues', () => {
	const source = { areaTypeFromHeader: 'ha' } as const;
	expect(parseBooking({ farmerName: ' ', landArea: null }, RULES, source)).toMatchObject({
		request: {},
		issues: [],
	});
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
	const cells = fc.dictionary(fc.constantFrom(...COLUMN_FIELDS), anything(), {
		noNullPrototype: false,
	});
	fc.assert(
		fc.property(cells, (raw) => {
			const row = parseBooking(raw, RULES);
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
			expect(requestOf(request, RULES)).toStrictEqual(request);
		}),
		{ numRuns: 3_000 },
	);
});

function validOf(...args: Parameters<typeof parseBooking>) {
	const row = parseBooking(...args);
	const faults = row.issues.filter((issue) => issue !== row.pastDate);
	if (faults.length > 0) throw new Error(faults.map(issueText).join('\n'));
	return row;
}

test('the unit of a cell wins over the one that holds for all rows', () => {
	const source = { isAreaTypeDefault: true };
	expect(requestOf({ landArea: '5 acres', areaType: 'ha' }, RULES, source)).toEqual({
		landArea: 5,
		areaType: 'ac',
	});
	expect(requestOf({ landArea: 5, areaType: 'ha' }, RULES, source)).toEqual({
		landArea: 5,
		areaType: 'ha',
	});
});

test('an error of the spreadsheet is an issue in every field', () => {
	for (const field of OWN_FIELDS) {
		const issues = issuesOf({ [field]: '#REF!' }, RULES);
		expect(issues[0]).toMatch(`${labelOf(field)}: "#REF!" is a spreadsheet error; fix the formula`);
	}
});

describe('a place in one cell', () => {
	const place = { latitude: 7.37, longitude: 3.94 };

	test.each<[RawBooking]>([
		[{ coordinates: '7.37 3.94 0 0' }],
		[{ latitude: '7.37, 3.94' }],
		[{ longitude: '7.37, 3.94', latitude: '' }],
		[{ latitude: 7.37, longitude: 3.94, coordinates: 'not needed' }],
	])('%p', (raw) => {
		expect(requestOf(raw, RULES)).toEqual(place);
	});

	test.each<[RawBooking, RegExp]>([
		[
			{ coordinates: 'near the mosque' },
			/^Latitude and Longitude: "near the mosque" is not a latitude and/,
		],
		[{ latitude: '7.37, 3.94', longitude: 3.94 }, /^Latitude: "7.37, 3.94" is not a coordinate/],
		[{ latitude: 7.37 }, /^Longitude is missing/],
		[{ latitude: 0, longitude: 0 }, /^Latitude and Longitude are 0, 0, a place in the sea/],
		[{ coordinates: '0.0, 0.0' }, /^Latitude and Longitude .*0, 0/],
	])('%p is refused', (raw, issue) => {
		expect(issuesOf(raw, RULES)).toEqual([expect.stringMatching(issue)]);
	});

	test('in the order of its heading', () => {
		const source = matchColumns(['GPS (Long, Lat)']);
		expect(requestOf({ coordinates: '3.94, 7.37' }, RULES, source)).toEqual(place);
	});

	test('O is west with French headings', () => {
		const raw = { latitude: '5.3 N', longitude: '4.02 O' };
		expect(requestOf(raw, RULES, { isFrench: true })).toEqual({ latitude: 5.3, longitude: -4.02 });
		expect(issuesOf(raw, RULES)).toEqual([expect.stringMatching(/^Longitude: "4.02 O" has an O/)]);
	});
});

test.each<[RawBooking, Partial<BookingRequest>]>([
	[{ crop: 'Maize + Rice' }, { crops: ['Maize', 'Rice'] }],
	[{ crop: 'Maize & Beans' }, { crops: ['Maize', 'Beans'] }],
	[{ crop: 'Maize' }, { crop: 'Maize' }],
	[
		{ crop: 'Maize, Rice', crops: 'Yam' },
		{ crop: 'Maize, Rice', crops: ['Yam'] },
	],
])('of several crops, %p becomes %p', (raw, request) => {
	expect(requestOf(raw, RULES)).toEqual(request);
});

test('the heading says the order of day and month', () => {
	const source = { dateOrder: 'monthFirst' } as const;
	expect(requestOf({ serviceDate: '03/04/2027' }, RULES, source).serviceDate).toBe('2027-03-04');
});
