import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf, pairsOf } from '../../support/action';
import { bookSheet, dayFromNow, sentTo, startAfresh, tableOf } from '../../support/bookings';
import { serialOf, throughCsv, throughGoogleSheets, throughXlsx } from '../../support/sheets';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 5, otherBookings: 0, rateLimits: { create: null } });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

const nigeria: INodeParameters = { phoneCountry: 'NG' };
const continuing = { onError: 'continueErrorOutput' } as const;

const day = dayFromNow(30);
const noon = (date: string) => new Date(`${date}T12:00:00Z`);
const year = Number(day.slice(0, 4)) + 1;

describe('an Excel file', () => {
	it('is booked cell by cell, whatever kind of cell it is', async () => {
		const rows = await throughXlsx((sheet) => {
			sheet.addRow([
				'Farmer name',
				'Phone no.',
				'Tractor',
				'Service type',
				'Service date',
				'Land area (ha)',
				'Lat',
				'Long',
				'Crops',
				'Paid',
			]);
			// A date cell, a number as phone, whole numbers.
			sheet.addRow([
				'Amina Bello',
				2_348_031_234_501,
				201,
				3,
				new Date(`${day}T00:00:00Z`),
				2,
				10.5222,
				7.4384,
				'maize',
				true,
			]);
			// A date with time, a phone as text that lost its plus, text instead of numbers.
			sheet.addRow([
				'  Musa   Sani ',
				'234 803 123 4502',
				'202',
				'3',
				noon(day),
				'2,5 ha',
				'10,5',
				'7.4° E',
				'maize, beans',
			]);
			// A local phone that lost its zero, a date as text, a formula, a fraction.
			sheet.addRow([
				{ richText: [{ text: 'Ngozi ' }, { text: 'Okafor', font: { bold: true } }] },
				8_031_234_503,
				{ formula: '200+3', result: 203 },
				3,
				`28 March ${year}`,
				'½ acre',
			]);
			// A local phone with its zero, a link, the result of a date formula, no area at all.
			sheet.addRow([
				{ text: 'Bala Garba', hyperlink: 'mailto:bala@example.org' },
				"'0803 123 4504",
				204,
				3,
				{ formula: 'E2', result: new Date(`${day}T00:00:00Z`) },
			]);
		});
		expect(rows[0]).toMatchObject({
			'Phone no.': 2_348_031_234_501,
			'Service date': serialOf(new Date(day)),
		});

		const { items, error } = await bookSheet(sandbox, rows, nigeria, {
			timezone: 'America/Los_Angeles',
		});
		expect(error).toBeUndefined();
		expect(pairsOf(items)).toEqual([0, 1, 2, 3]);
		expect(sentTo(sandbox)).toEqual([
			{
				farmerName: 'Amina Bello',
				farmerPhone: '+2348031234501',
				tractorId: 201,
				serviceType: 3,
				serviceDate: day,
				landArea: 2,
				areaType: 'ha',
				latitude: 10.5222,
				longitude: 7.4384,
				crops: ['maize'],
			},
			{
				farmerName: 'Musa Sani',
				farmerPhone: '+2348031234502',
				tractorId: 202,
				serviceType: 3,
				serviceDate: day,
				landArea: 2.5,
				areaType: 'ha',
				latitude: 10.5,
				longitude: 7.4,
				crops: ['maize', 'beans'],
			},
			{
				farmerName: 'Ngozi Okafor',
				farmerPhone: '+2348031234503',
				tractorId: 203,
				serviceType: 3,
				serviceDate: `${year}-03-28`,
				landArea: 0.5,
				areaType: 'ac',
			},
			{
				farmerName: 'Bala Garba',
				farmerPhone: '+2348031234504',
				tractorId: 204,
				serviceType: 3,
				serviceDate: day,
			},
		]);
	});

	it('with faulty rows has the good ones booked, and says what is wrong with each of the others', async () => {
		const rows = await throughXlsx((sheet) => {
			sheet.addRow(['Farmer', 'Mobile', 'Tractor', 'Service', 'Date', 'Area', 'Unit']);
			sheet.addRow(['A', '+2348031234501', 201, 3, noon(day), 1, 'Hectares']);
			sheet.addRow(['B', 2.348e35, 201, 3, noon(day), 1, 'acres']);
			sheet.addRow(['C', '+2348031234503', 201, 3, noon('2020-02-02'), 1, 'ac.']);
			sheet.addRow([{ error: '#REF!' }, '+2348031234504', 201, 3, noon(day), 1, 'plots']);
			sheet.addRow(['A', '0803 123 4501', 201, 3, noon(day), 1, 'ha']);
			sheet.addRow(['F', '+2348031234506', 201, 3, `03/04/${year}`, 1, 'ha']);
		});
		const { items, errors } = await bookSheet(sandbox, rows, nigeria, continuing);
		const about = (row: number, text: string) =>
			expect.stringContaining(`${row}: to fix (${text}`) as unknown;
		expect(tableOf(items, errors)).toEqual([
			'2: created',
			about(3, 'Farmer Phone (column "Mobile"): 2.348e+35 has lost digits in the spreadsheet'),
			about(4, 'Service Date (column "Date"): 43863.5 is 2020-02-02, which is in the past'),
			about(5, 'Area Unit (column "Unit"): "plots" is not a unit that the service accepts'),
			'6: already booked (same Farmer Phone and Service Date as row 2)',
			about(7, `Service Date (column "Date"): "03/04/${year}" may be day/month or month/day`),
		]);
		expect(fieldOf(errors, 'Farmer')).toEqual(['B', 'C', undefined, 'F']);
		expect(sandbox.requests.count('create')).toBe(1);
	});
});

describe('a CSV file', () => {
	it('is booked from its texts', async () => {
		const rows = await throughCsv(
			[
				'farmer_name,farmer_phone,tractor_id,service_type,service_date,land_area,area_type,note',
				`"Bello, Amina",0803 123 4501,201,3,${day},"1.250,5",HA,"says ""early"""`,
				`Sani Musa,+234-803-123-4502,202.0,3,"${day.split('-').reverse().join('/')}",2,Acres,`,
				`Okafor,00234 803 1234503,203,3,${day} 08:30,,,`,
			].join('\r\n'),
		);
		expect(rows[2]).toMatchObject({ land_area: '', note: '' });
		const { items, error } = await bookSheet(sandbox, rows, {
			phoneCountry: 'NG',
			dateOrder: 'dayFirst',
		});
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'result')).toEqual(['created', 'created', 'created']);
		expect(sentTo(sandbox)).toEqual([
			{
				farmerName: 'Bello, Amina',
				farmerPhone: '+2348031234501',
				tractorId: 201,
				serviceType: 3,
				serviceDate: day,
				landArea: 1250.5,
				areaType: 'ha',
				farmNote: 'says "early"',
			},
			{
				farmerName: 'Sani Musa',
				farmerPhone: '+2348031234502',
				tractorId: 202,
				serviceType: 3,
				serviceDate: day,
				landArea: 2,
				areaType: 'ac',
			},
			{
				farmerName: 'Okafor',
				farmerPhone: '+2348031234503',
				tractorId: 203,
				serviceType: 3,
				serviceDate: day,
			},
		]);
	});

	it('with semicolons, a byte order mark and French headings is booked', async () => {
		const rows = await throughCsv(
			[
				'\uFEFFNom complet;N° de téléphone;Tracteur;Type de service;Date des travaux;Superficie (hectares);Localité',
				`Adjoua Koné;+225 07 01 02 03 04;201;3;28 mars ${year};2,5;Bouaké`,
			].join('\n'),
			';',
		);
		const { error } = await bookSheet(sandbox, rows);
		expect(error).toBeUndefined();
		expect(sentTo(sandbox)).toEqual([
			{
				farmerName: 'Adjoua Koné',
				farmerPhone: '+2250701020304',
				tractorId: 201,
				serviceType: 3,
				serviceDate: `${year}-03-28`,
				landArea: 2.5,
				areaType: 'ha',
				farmLocation: 'Bouaké',
			},
		]);
	});
});

it('empty lines in the middle or below the last row are reported, and do not stop the other rows', async () => {
	const rows = await throughCsv(
		[
			'Name,Phone,Tractor ID,Service,Date',
			`Amina Bello,+234-803-123-4501,201,3,${day}`,
			',,,,',
			`Musa Sani,+234-803-123-4502,202,3,${day}`,
			' ,,,,',
		].join('\n'),
	);
	const { items, error } = await bookSheet(sandbox, rows);
	expect(error).toBeUndefined();
	expect(tableOf(items)).toEqual([
		'2: created',
		expect.stringMatching(/^3: not sent \(the row is no request/),
		'4: created',
		expect.stringMatching(/^5: not sent \(the row is no request/),
	]);
});

describe('a Google sheet', () => {
	it('is booked, and its own row numbers are in the table', async () => {
		const rows = throughGoogleSheets(
			[
				'Name',
				'Phone number',
				'Tractor ID',
				'Service',
				'Requested date',
				'Farm size (acres)',
				'Email',
			],
			[
				['Amina Bello', 8_031_234_501, 201, 3, serialOf(new Date(day)), 2.5, 'a@example.org'],
				['', '', '', '', '', '', ''],
				['Musa Sani', '0803-123-4502', '202', 3, day, '', ''],
				['Ladi Umar', 'n/a', 203, 3, day, 1, ''],
			],
		);
		const { items, errors } = await bookSheet(sandbox, rows, nigeria, continuing);
		expect(tableOf(items, errors)).toEqual([
			'2: created',
			'4: created',
			expect.stringContaining(
				'5: to fix (Farmer Phone (column "Phone number") is empty, so',
			) as unknown,
		]);
		expect(sentTo(sandbox)).toMatchObject([
			{ farmerPhone: '+2348031234501', serviceDate: day, landArea: 2.5, areaType: 'ac' },
			{ farmerPhone: '+2348031234502', serviceDate: day },
		]);
		expect(sentTo(sandbox)[1]).not.toHaveProperty('landArea');
	});
});

it('a sheet that is booked again, from whatever file, books nothing twice', async () => {
	const headings = ['Name', 'Phone', 'Tractor', 'Service', 'Date'];
	const cells = [1, 2, 3, 4, 5].map((n) => [
		`Farmer ${n}`,
		`+23480312345${10 + n}`,
		200 + n,
		3,
		day,
	]);
	const fromGoogle = throughGoogleSheets(headings, cells);
	const fromCsv = await throughCsv([headings, ...cells].map((row) => row.join()).join('\n'));
	const fromExcel = await throughXlsx((sheet) => {
		sheet.addRow(headings);
		for (const [name, phone, tractor, service, date] of cells) {
			sheet.addRow([name, Number(phone), tractor, service, new Date(String(date))]);
		}
	});
	const results = [];
	for (const rows of [fromExcel, fromCsv, fromGoogle]) {
		const { items } = await bookSheet(sandbox, rows, nigeria);
		results.push([...new Set(fieldOf(items, 'result'))]);
	}
	expect(results).toEqual([['created'], ['already booked'], ['already booked']]);
	expect(sandbox.requests.count('create')).toBe(5);
});
