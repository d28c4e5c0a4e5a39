import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { BookingIndex } from '../../../nodes/TractorBooking/resources/booking/create/match/bookingIndex';
import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf, pairsOf, perform, recordsOf, stopOf } from '../../support/action';
import {
	book,
	bookSheet,
	dayFromNow,
	farmers,
	sentTo,
	startAfresh,
	tableOf,
} from '../../support/bookings';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 3, otherBookings: 0, rateLimits: { create: null } });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

const soon = dayFromNow(3);

/** Day and month apart, so that no order of them can be mistaken for the other. */
const [year = '', month = '', day = ''] = `${new Date().getUTCFullYear() + 1}-11-27`.split('-');
const clear = `${year}-${month}-${day}`;

describe('Create, field by field', () => {
	const everything: INodeParameters = {
		tractorId: ' 201 ',
		serviceType: '={{ 3 }}',
		serviceDate: soon,
		landArea: '2,5',
		areaType: 'ac',
		farmerName: '  Amina   Bello ',
		farmerPhone: '+234 803 123 4567',
		latitude: '10.5222° N',
		longitude: '7,4384',
		additionalFields: {
			gender: '1',
			farmLocation: 'Kaduna\u200B, by the river',
			farmNote: 'call first',
			crop: 'maize',
			crops: 'maize; beans and yam',
			custom_crop: 'fonio',
		},
	};

	it('sends every field of the interface, clean and in its type', async () => {
		const { items, error } = await perform(sandbox, 'booking:create', everything);
		expect(error).toBeUndefined();
		const request = {
			tractorId: 201,
			serviceType: 3,
			serviceDate: soon,
			landArea: 2.5,
			areaType: 'ac',
			farmerName: 'Amina Bello',
			farmerPhone: '+2348031234567',
			gender: 1,
			latitude: 10.5222,
			longitude: 7.4384,
			farmLocation: 'Kaduna, by the river',
			farmNote: 'call first',
			crop: 'maize',
			crops: ['maize', 'beans', 'yam'],
			custom_crop: 'fonio',
		};
		expect(sentTo(sandbox)).toEqual([request]);
		expect(recordsOf(items)).toEqual([
			{
				result: 'created',
				reason: '',
				bookingID: 100_004,
				clusterID: expect.any(Number) as unknown,
				bookingStatus: null,
				bookingStatusLabel: null,
				bookedTractorId: 201,
				bookedTractorDistance: null,
			},
		]);
	});

	it('leaves out what is empty', async () => {
		const blank = { latitude: '', longitude: '={{ null }}' };
		const additionalFields = { crop: '', crops: '={{ [] }}', farmNote: '={{ undefined }}' };
		const { error } = await book(sandbox, farmers(1), { ...blank, additionalFields });
		expect(error).toBeUndefined();
		expect(Object.keys(sentTo(sandbox)[0] ?? {}).sort()).toEqual([
			...['areaType', 'farmerName', 'farmerPhone', 'landArea'],
			...['serviceDate', 'serviceType', 'tractorId'],
		]);
	});

	it('keeps zero', async () => {
		const zero = {
			latitude: 0,
			longitude: '7.4',
			additionalFields: { gender: 0 },
		};
		await book(sandbox, farmers(1), zero);
		expect(sentTo(sandbox)[0]).toMatchObject({
			latitude: 0,
			longitude: 7.4,
			gender: 0,
		});
	});

	it.each([
		['the date picker', `${clear}T00:00:00`],
		['a DateTime', `={{ DateTime.fromISO('${clear}T23:30', { zone: 'America/Lima' }) }}`],
		['a Date', `={{ new Date('${clear}T00:00:00Z') }}`],
		['a serial number of Excel', `={{ ${Date.parse(clear) / 86_400_000 + 25_569}.5 }}`],
		['day, month and year', `${day}/${month}/${year}`],
		['month, day and year', `${month}/${day}/${year}`],
		['words', `${day} November ${year}`],
	])('takes the date from %s, never shifted by a timezone', async (_what, serviceDate) => {
		for (const timezone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']) {
			const rows = [
				{ ...farmers(1)[0], phone: `+2348031${String(timezone.length).padStart(6, '0')}` },
			];
			await book(sandbox, rows, { serviceDate }, { timezone });
		}
		expect(sentTo(sandbox)).toHaveLength(3);
		for (const request of sentTo(sandbox)) expect(request).toMatchObject({ serviceDate: clear });
	});

	it('reads cells as the options say, which each row may set for itself', async () => {
		const rows = farmers(2).map((row, index) => ({
			...row,
			date: `03/04/${year}`,
			order: index === 0 ? 'dayFirst' : 'monthFirst',
			area: '1,250',
			mark: index === 0 ? 'comma' : 'point',
			phone: '0803 123 4567',
			country: index === 0 ? 'NG' : '',
			sex: 2 - index,
		}));
		const { error } = await book(sandbox, rows, {
			landArea: '={{ $json.area }}',
			areaType: 'ha',
			additionalFields: { gender: '={{ $json.sex }}' },
			phoneCountry: '={{ $json.country }}',
			dateOrder: '={{ $json.order }}',
			options: {
				decimalSeparator: '={{ $json.mark }}',
				ifAlreadyBooked: 'create',
			},
		});
		expect(error).toBeUndefined();
		expect(sentTo(sandbox)).toEqual([
			expect.objectContaining({
				serviceDate: `${year}-04-03`,
				landArea: 1.25,
				farmerPhone: '+2348031234567',
				gender: 2,
			}),
			expect.objectContaining({
				serviceDate: `${year}-03-04`,
				landArea: 1250,
				farmerPhone: '08031234567',
				gender: 1,
			}),
		]);
	});

	it('reads the serial numbers of Excel', async () => {
		const serial = Date.parse(clear) / 86_400_000 + 25_569;
		await book(sandbox, farmers(1), { serviceDate: `={{ ${serial} }}` });
		expect(sentTo(sandbox)).toMatchObject([{ serviceDate: clear }]);
	});
});

describe('a date in the past', () => {
	const today = (timezone: string) =>
		new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format();
	const yesterday = (timezone: string) =>
		new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(Date.now() - 86_400_000);

	it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Niue'])(
		'is one before today in %s',
		async (timezone) => {
			sandbox.settings.timezone = timezone;
			const late = await book(
				sandbox,
				farmers(1),
				{ serviceDate: yesterday(timezone) },
				{ timezone },
			);
			expect(stopOf(late).said).toContain(
				`Service Date: "${yesterday(timezone)}" is in the past; choose today (${today(timezone)}) or a later day.`,
			);
			expect(sandbox.requests.count('create')).toBe(0);
			const { items } = await book(
				sandbox,
				farmers(1),
				{ serviceDate: today(timezone) },
				{ timezone },
			);
			expect(fieldOf(items, 'result')).toEqual(['created']);
		},
	);
});

describe('issues', () => {
	const good = { ...farmers(1)[0], area: 2, lat: 10.5, lng: 7.4 };
	const fields: INodeParameters = {
		landArea: '={{ $json.area }}',
		areaType: '={{ $json.unit ?? "ha" }}',
		latitude: '={{ $json.lat }}',
		longitude: '={{ $json.lng }}',
		additionalFields: { gender: '={{ $json.sex }}', crops: '={{ $json.crops }}' },
	};

	it.each([
		[
			{ tractor: 'TR-1' },
			'Tractor ID: "TR-1" is not a whole number; write digits only, such as 12.',
		],
		[{ tractor: 201.5 }, 'Tractor ID: 201.5 is not a whole number'],
		[
			{ tractor: ' ' },
			'Tractor ID is empty, but the tractor is chosen by ID; fill it in, or set Choose Tractor',
		],
		[{ service: '3.5' }, 'Service Type: "3.5" is not a whole number'],
		[{ date: 'next week' }, 'Service Date: "next week" is not a date; write it as YYYY-MM-DD'],
		[{ date: '2027-02-30' }, 'Service Date: "2027-02-30" is not a day of the calendar'],
		[
			{ date: '03/04/2027' },
			'Service Date: "03/04/2027" may be day/month or month/day; set Date Order, or write',
		],
		[{ date: '2019-05-01' }, 'Service Date: "2019-05-01" is in the past'],
		[{ area: 'two' }, 'Land Area: "two" is not a number'],
		[{ area: '-1' }, 'Land Area: "-1" is not above zero'],
		[
			{ area: '1,250' },
			'Land Area: "1,250" may have decimals or thousands; set Options > Decimal Separator',
		],
		[
			{ area: '2 feddan' },
			'Land Area: "2 feddan" has "feddan" after the number; write ha (hectares) or ac (acres).',
		],
		[
			{ unit: 'feddan' },
			'Area Unit: "feddan" is not a unit that the service accepts; write ha (hectares) or ac (acres).',
		],
		[{ area: '0' }, 'Land Area: "0" is not above zero; write the area of the field.'],
		[{ area: 20_000 }, 'Land Area: 20000 is 20000 ha, more than 10000 hectares; check the decimal'],
		[
			{ phone: '2.34803E+12' },
			'Farmer Phone: "2.34803E+12" has lost digits in the spreadsheet; format the column as text',
		],
		[{ phone: 2.348_031_234_567e25 }, 'has lost digits in the spreadsheet'],
		[{ phone: '12' }, 'Farmer Phone: "12" has too few or too many digits for a phone number'],
		[
			{ phone: 'no idea' },
			'Farmer Phone: "no idea" is not a phone number; write it as text in international form',
		],
		[{ phone: '-' }, 'Farmer Phone is empty; fill it in.'],
		[{ name: 'test' }, 'Farmer Name: "test" is not a name; write the name of the farmer'],
		[{ area: 'TBD' }, 'Land Area: "TBD" is not a number; write a number'],
		[{ lat: 91 }, 'Latitude: 91 is not between -90 (S) and 90 (N); check the decimal point'],
		[{ lat: '10.5222, 7.4384' }, 'Latitude: "10.5222, 7.4384" is not a coordinate'],
		[{ lat: "10°61'N" }, 'has 60 minutes or seconds, or more; write decimal degrees'],
		[
			{ lat: 0, lng: 0 },
			'Latitude and Longitude are 0, 0, a place in the sea; write the coordinate',
		],
		[{ lng: '' }, 'Longitude is missing, but Latitude is given; fill in both or neither.'],
		[{ sex: 'female' }, 'Gender: "female" is not a whole number; write the number'],
		[
			{ service: '#REF!' },
			'Service Type: "#REF!" is a spreadsheet error; fix the formula, or type the value.',
		],
		[
			{ phone: '0803 12' },
			'Farmer Phone: "0803 12" has too few or too many digits for a phone number',
		],
		[
			{ name: '#N/A' },
			'Farmer Name: "#N/A" is a spreadsheet error; fix the formula, or type the value.',
		],
	] as Array<[IDataObject, string]>)(
		'about %p name row, value and fix, and nothing is sent',
		async (fault, issue) => {
			const result = await book(sandbox, [good, { ...good, ...fault }], fields);
			const { name, message, description, itemIndex } = stopOf(result);
			expect(name).toBe('NodeOperationError');
			expect(itemIndex).toBe(1);
			expect(message).toBe('1 of 2 rows has errors. Nothing was booked.');
			expect(description).toMatch(/^Row 3( \(.*\))?: /m);
			expect(description).toContain(issue);
			expect(sandbox.requests.count('create')).toBe(0);
		},
	);

	it('come all together, of every row', async () => {
		const rows = [
			good,
			{ ...good, tractor: 'A', phone: '12', area: 'x' },
			{ ...good, phone: '+2348031010009' },
			{ ...good, date: '1/1/26' },
		];
		const { message, description, itemIndex } = stopOf(await book(sandbox, rows, fields));
		expect(message).toBe('2 of 4 rows have errors. Nothing was booked.');
		expect(itemIndex).toBe(1);
		const lines = description.split('\n');
		expect(lines).toHaveLength(5);
		expect(lines.slice(0, 3)).toEqual([
			expect.stringMatching(/^Row 3 \(Farmer 1\): Farmer Phone: "12" /),
			expect.stringMatching(/^Row 3 \(Farmer 1\): Tractor ID: "A" /),
			expect.stringMatching(/^Row 3 \(Farmer 1\): Land Area: "x" /),
		]);
		expect(lines[3]).toMatch(
			/^Row 5 \(Farmer 1\): Service Date: "1\/1\/26" has a year of two digits/,
		);
		expect(lines[4]).toMatch(
			/^Run the rows again once the errors are fixed, or set On Error to Continue/,
		);
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('fill no more than a screen, however many there are', async () => {
		const faults = ['tractor', 'service', 'date', 'phone', 'area', 'unit', 'lat', 'lng', 'sex'];
		const rows = farmers(300).map((row, index) => ({
			...good,
			...row,
			// Some problems of many rows, and many of one row.
			...Object.fromEntries(faults.slice(index % 9).map((field) => [field, `${field} ${index}`])),
			...(index === 299 && { name: 'x'.repeat(6_000), crops: '#REF!', tractor: '#N/A' }),
		}));
		const { message, description } = stopOf(await book(sandbox, rows, fields));
		expect(message).toBe('300 of 300 rows have errors. Nothing was booked.');
		expect(description.length).toBeLessThan(1_800);
		expect(description).toMatch(/^And \d+ more problems\. Turn on Dry Run to see each row\.$/m);
	});

	it('show a cell as it is, although n8n shows them as HTML', async () => {
		const rows = [{ ...good, tractor: '<b>A & B' }, good];
		const { description } = stopOf(await book(sandbox, rows, fields));
		expect(description).toContain('Tractor ID: "&lt;b>A &amp; B" is not a whole number');
	});

	it('name the column that the value came from', async () => {
		const rows = [{ 'Tractor No.': 'A', Mobile: '12', 'Date of service': clear }];
		const { said: description } = stopOf(await bookSheet(sandbox, rows));
		expect(description).toContain('Tractor ID (column "Tractor No."): "A" is not a whole number');
		expect(description).toContain(
			'Farmer Phone (column "Mobile"): "12" has too few or too many digits',
		);
	});

	it('name the column even if only the tractor shows the issue', async () => {
		const rows = [
			{
				...{ 'Tractor No.': 201, Mobile: '+2348031010009', 'Date of service': clear },
				...{ Implement: 'Sowing', Name: 'Amina Bello', Area: '2 ha' },
			},
		];
		expect(stopOf(await bookSheet(sandbox, rows)).said).toContain(
			'Service Type (column "Implement"): "Sowing" is not offered by tractor 201',
		);
	});

	it('name the row of a sheet that says itself which it is', async () => {
		const rows = [{ ...good, tractor: 'A', row_number: 17 }, good];
		expect(stopOf(await book(sandbox, rows, fields)).description).toContain('Row 17 (Farmer 1): ');
	});

	it('leave on the error output with the row, while the good rows are booked', async () => {
		const rows = [good, { ...good, tractor: 'A' }, { ...good, phone: '+2348031010009' }];
		const { items, errors } = await book(sandbox, rows, fields, { onError: 'continueErrorOutput' });
		expect(tableOf(items, errors)).toEqual([
			'2: created',
			expect.stringMatching(/^3: to fix \(Tractor ID: "A" is not a whole number; .*\)$/),
			'4: created',
		]);
		expect(pairsOf(items)).toEqual([0, 2]);
		expect(pairsOf(errors)).toEqual([1]);
		expect(errors[0]?.json).toMatchObject({ ...good, tractor: 'A', result: 'to fix' });
		expect(sandbox.requests.count('create')).toBe(2);
	});
});

describe('Dry Run', () => {
	it('does everything but send, and shows the request of each row', async () => {
		const rows = farmers(3);
		const { items } = await book(sandbox, rows, { dryRun: true });
		expect(tableOf(items)).toEqual([2, 3, 4].map((row) => `${row}: would create`));
		expect(fieldOf(items, 'request')).toEqual(
			rows.map(({ tractor, service, date, phone, name }) => ({
				tractorId: tractor,
				serviceType: service,
				serviceDate: date,
				farmerPhone: phone,
				farmerName: name,
				landArea: 2,
				areaType: 'ha',
			})),
		);
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('reports issues as if it were to send', async () => {
		const rows = [...farmers(1), { ...farmers(1)[0], tractor: 'A', phone: '+2348031010009' }];
		const { items, error } = await book(sandbox, rows, { dryRun: true });
		expect(error).toBeUndefined();
		expect(tableOf(items)).toEqual([
			'2: would create',
			expect.stringMatching(/^3: to fix \(Tractor ID: "A" is not a whole number; /),
		]);
		expect(fieldOf(items, 'summary')).toMatchObject([
			{ text: '1 would create, 1 to fix.' },
			undefined,
		]);
	});

	it('reports rows that are booked already, or repeat another', async () => {
		const [row = {}, other = {}] = farmers(2);
		await book(sandbox, [row]);
		sandbox.requests.clear();
		const { items } = await book(sandbox, [row, other, other], { dryRun: true });
		expect(tableOf(items)).toEqual([
			'2: already booked (same Farmer Name, Farmer Phone, Land Area, Service Date and Service Type as booking 100004 (new))',
			'3: would create',
			'4: already booked (same Farmer Phone and Service Date as row 3 (Farmer 2): one booking for both)',
		]);
		expect(sandbox.requests.count('create')).toBe(0);
	});
});

describe('what the service refuses', () => {
	it.each(['text', 'object'] as const)(
		'with an error as %s stops the node, which says what was done',
		async (errorShape) => {
			sandbox.settings.errorShape = errorShape;
			const rows = farmers(4).map((row, index) => (index === 2 ? { ...row, tractor: 9_999 } : row));
			const result = await book(sandbox, rows);
			expect(result.items).toEqual([]);
			const { name, message, description, itemIndex, httpCode } = stopOf(result);
			expect({ name, itemIndex, httpCode }).toEqual({
				name: 'NodeApiError',
				itemIndex: 2,
				httpCode: '400',
			});
			expect(message).toBe('The service refused to create the booking');
			expect(description).toMatch(/^The service says: tractorId:? has no tractor 9999\. /);
			expect(description).toContain('Then run the rows again: rows already booked are skipped.');
			expect(description.split('\n').slice(1, -1)).toEqual([
				'created: row 2 (Farmer 1) with booking 100004 and row 3 (Farmer 2) with booking 100005.',
				'failed: row 4 (Farmer 3).',
				'not sent: row 5 (Farmer 4).',
			]);
			expect(sandbox.requests.count('create')).toBe(3);

			const again = await book(sandbox, farmers(4));
			expect(fieldOf(again.items, 'result')).toEqual([
				'already booked',
				'already booked',
				'created',
				'created',
			]);
		},
	);

	it('with a 404 says what is likely, since the list was read from the same base URL', async () => {
		sandbox.faults.add({ match: { endpoint: 'create' }, fault: { kind: 'status', status: 404 } });
		const { message, description } = stopOf(await book(sandbox, farmers(1)));
		expect(message).toBe(
			'The service does not know the tractor or the service of the booking (status 404)',
		);
		expect(description).toMatch(/^Check the tractor and the service type: .*If every row fails/);
	});

	it('is told in less than a screen after many rows, of which the log has each booking', async () => {
		const warn = jest.spyOn(ExecuteContext.prototype.logger, 'warn');
		const rows = farmers(200).map((row, index) =>
			index === 199 ? { ...row, tractor: 9_999 } : row,
		);
		const { description } = stopOf(await book(sandbox, rows));
		const warnings = warn.mock.calls.map(([text]) => text).join();
		warn.mockRestore();
		expect(warnings).toContain('Bookings it made: 199 (bookings 100004, 100005, ');
		expect(warnings).toContain(', 100202)');
		expect(description).toContain('created: row 2 (Farmer 1) with booking 100004, row 3 ');
		expect(description).toContain(' and 188 more.');
		expect(description.length).toBeLessThan(1_000);
	});

	it('does not promise to recognise rows if existing bookings are not read', async () => {
		const rows = farmers(2).map((row, index) => (index === 1 ? { ...row, tractor: 9_999 } : row));
		const { description } = stopOf(
			await book(sandbox, rows, { options: { ifAlreadyBooked: 'create' } }),
		);
		expect(description).toContain('created: row 2 (Farmer 1) with booking 100004.');
		expect(description).not.toContain('are skipped');
		expect(description).toContain(
			'Remove the rows already booked before you run the others again.',
		);
	});

	it('is a failed row in the table, and the others are booked', async () => {
		const rows = farmers(3).map((row, index) => (index === 1 ? { ...row, tractor: 9_999 } : row));
		const { items, errors } = await book(sandbox, rows, {}, { onError: 'continueErrorOutput' });
		expect(tableOf(items, errors)).toEqual([
			'2: created',
			'3: failed (The service refused to create the booking: tractorId has no tractor 9999. Correct Tractor ID.)',
			'4: created',
		]);
	});
});

describe('a service that refuses everything', () => {
	const refuse = (status: number, body: IDataObject, times?: number) =>
		sandbox.faults.add({
			match: { endpoint: 'create' },
			times,
			fault: { kind: 'status', status, body },
		});
	const continuing = { onError: 'continueErrorOutput' } as const;

	it.each([401, 403])('is not asked again after a %d, and the rows say why', async (status) => {
		sandbox.faults.add({
			match: { endpoint: 'create' },
			skip: 1,
			fault: { kind: 'status', status, body: {} },
		});
		const [first = {}, ...others] = farmers(4);
		const { items, errors } = await book(sandbox, [first, ...others, {}, first], {}, continuing);
		expect(tableOf(items, errors)).toEqual([
			'2: created',
			expect.stringMatching(/^3: failed \(The service did not allow this credential to create/),
			expect.stringMatching(/^4: not sent \(Not sent, because the service refused row 3: /),
			'5: not sent (See row 4 (Farmer 3).)',
			expect.stringMatching(/^6: to fix \(Farmer Name is empty/),
			'7: already booked (same Farmer Phone and Service Date as row 2 (Farmer 1))',
		]);
		expect(sandbox.requests.count('create')).toBe(2);
	});

	it('is not asked again after five refusals of one text', async () => {
		refuse(400, { error: 'season is over' });
		const { items, errors } = await book(sandbox, farmers(8), {}, continuing);
		const said = 'The service refused to create the booking: season is over';
		expect(tableOf(items, errors)).toEqual([
			...[2, 3, 4, 5, 6].map(
				(row) =>
					`${row}: failed (${said}. Correct the values that it names, then run this item again.)`,
			),
			expect.stringMatching(`^7: not sent \\(Not sent, because .*: ${said}`),
			'8: not sent (See row 7 (Farmer 6).)',
			'9: not sent (See row 7 (Farmer 6).)',
		]);
		expect(sandbox.requests.count('create')).toBe(5);
	});

	it('is asked on after a success', async () => {
		const rows = farmers(8).map((row, index) => (index === 0 ? row : { ...row, tractor: 9_999 }));
		await book(sandbox, rows, {}, continuing);
		expect(sandbox.requests.count('create')).toBe(8);
	});

	it('is asked on where its words differ', async () => {
		refuse(400, { error: 'no' }, 4);
		refuse(400, { error: 'never' }, 3);
		await book(sandbox, farmers(8), {}, continuing);
		expect(sandbox.requests.count('create')).toBe(8);
	});
});

describe('a failure that nobody expects', () => {
	/** The second row's response is lost, and the search for it ends in a fault of the node. */
	function breakDown(): jest.SpyInstance {
		sandbox.faults.add({
			match: { endpoint: 'create' },
			skip: 1,
			times: 1,
			fault: { kind: 'lostAnswer' },
		});
		return jest.spyOn(BookingIndex.prototype, 'arrivedSince').mockImplementation(() => {
			throw new TypeError('x is not a function');
		});
	}

	it('leaves each row its own result where the node continues', async () => {
		const spy = breakDown();
		const { items, errors } = await book(
			sandbox,
			farmers(5),
			{},
			{ onError: 'continueErrorOutput' },
		);
		spy.mockRestore();
		expect(tableOf(items, errors)).toEqual([
			'2: created',
			expect.stringMatching(
				/^3: unknown \(It is unknown whether this row was booked: The connection/,
			),
			'4: created',
			'5: created',
			'6: created',
		]);
		expect(items[0]?.json.bookingID).toBe(100_004);
		expect(sandbox.requests.count('create')).toBe(5);
	});

	it('stops the node with an error that lists what became of each row', async () => {
		const spy = breakDown();
		const { message, description } = stopOf(await book(sandbox, farmers(4)));
		spy.mockRestore();
		expect(message).toContain('It is unknown whether this row was booked: The connection');
		expect(description).toContain('There was an unexpected failure: x is not a function.');
		expect(description).toContain(
			'created: row 2 (Farmer 1) with booking 100004.\nunknown: row 3 (Farmer 2).\nnot sent: rows 4 (Farmer 3) and 5 (Farmer 4).',
		);
	});
});

it('a stopped execution sends no further row', async () => {
	sandbox.settings.latencyMs = 60;
	let cancel = () => {};
	const fourth = () => sandbox.requests.count('create') >= 4 && cancel();
	const watching = setInterval(fourth, 5);
	await book(sandbox, farmers(20), {}, { started: (run) => (cancel = run.cancel) });
	clearInterval(watching);
	const { length } = sentTo(sandbox);
	expect(length).toBeGreaterThanOrEqual(4);
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(sentTo(sandbox).length).toBe(length);
	expect(length).toBeLessThan(15);
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	"a stopped execution names the bookings that it made in n8n's log, once, with %s",
	async (onError) => {
		const limited = await startSandbox({ bookings: 0, rateLimits: { create: 3 } });
		// n8n has one logger for all.
		const warn = jest.spyOn(ExecuteContext.prototype.logger, 'warn');
		let cancel = () => {};
		const refused = () => limited.requests.count('create', 429) > 0 && cancel();
		const watching = setInterval(refused, 5);
		await book(limited, farmers(6), {}, { onError, started: (run) => (cancel = run.cancel) });
		clearInterval(watching);
		const warnings = warn.mock.calls;
		warn.mockRestore();
		const made = limited.store.bookings.ids('A');
		await limited.close();
		expect(made).toHaveLength(3);
		expect(warnings).toEqual([
			[`The execution was stopped. Bookings it made: 3 (bookings ${made.join(', ')})`],
		]);
	},
);
