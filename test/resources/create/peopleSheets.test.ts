import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { fieldOf } from '../../support/action';
import { bookSheet, sentTo, startAfresh } from '../../support/bookings';
import { throughCsv, throughXlsx } from '../../support/sheets';

// Sheets as people write them who have read the README and nothing else.

let sandbox: Sandbox;

beforeAll(async () => {
	// The sheets are of 2035. The date alone is simulated: sockets and timers are real.
	jest.useFakeTimers({
		now: new Date('2035-03-01T12:00:00Z'),
		doNotFake: [
			...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
			...(['clearImmediate', 'nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
		],
	});
	const rateLimits = { create: null, details: null, nearby: null };
	sandbox = await startSandbox({ bookings: 5, otherBookings: 0, rateLimits });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => {
	jest.useRealTimers();
	await sandbox.close();
});

const textOf = (name: string) => readFileSync(join(__dirname, 'sheets', name), 'utf8');

/** What must become of a row: its request, or its result with a part of the reason. */
type Expected = IDataObject | [result: string, reason: string];

/** Books the rows, and compares each, from row 2 on, and the hint after the run. */
async function expectRows(
	rows: IDataObject[],
	fields: INodeParameters,
	expected: readonly Expected[],
	hint: RegExp,
): Promise<void> {
	const { items, errors, run } = await bookSheet(sandbox, rows, fields, {
		onError: 'continueErrorOutput',
	});
	const rowOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;
	const all = [...items, ...errors].sort((a, b) => rowOf(a) - rowOf(b));
	const sent = sentTo(sandbox);
	const found = all.map(({ json }): Expected => {
		const { result, reason } = json;
		return result === 'created' ? (sent.shift() as IDataObject) : [asText(result), asText(reason)];
	});
	expect(found).toEqual(
		expected.map((row) =>
			Array.isArray(row) ? [row[0], expect.stringContaining(row[1]) as unknown] : row,
		),
	);
	expect(sentTo(sandbox)).toHaveLength(
		fieldOf(all, 'result').filter((r) => r === 'created').length,
	);
	const hints = Object.values(run.data.resultData.runData).flatMap((runs) =>
		runs.flatMap((data) => data.hints ?? []),
	);
	expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(hint)]);
}

it('an export of KoBo, with groups, metadata and questions of several choices', async () => {
	const place = (farmLocation: string, latitude: number, longitude: number) => ({
		farmLocation,
		latitude,
		longitude,
	});
	await expectRows(
		await throughCsv(textOf('kobo-export.csv'), ';'),
		{ phoneCountry: 'NG', tractorSelection: 'idOrNearest' },
		[
			{
				...place('Chikun, Gonin Gora', 10.4533, 7.4205),
				farmerName: 'Amina Bello',
				farmerPhone: '+2348004125001',
				serviceDate: '2035-03-12',
				serviceType: 3,
				landArea: 2.5,
				areaType: 'ha',
				crops: ['maize'],
				farmNote: 'call before coming',
				tractorId: 241,
			},
			{
				...place('Chikun, Gonin Gora', 10.4541, 7.4211),
				farmerName: 'MUSA SANI',
				farmerPhone: '+2348004125002',
				serviceDate: '2035-03-12',
				serviceType: 1,
				landArea: 4,
				areaType: 'ac',
				crops: ['maize', 'rice'],
				tractorId: 241,
			},
			{
				...place('Igabi, Rigasa', 10.4912, 7.4711),
				farmerName: 'Hauwa Garba',
				farmerPhone: '+2348004125003',
				serviceDate: '2035-03-13',
				serviceType: 2,
				landArea: 1,
				areaType: 'ha',
				crops: ['rice', 'sweet_potato'],
				tractorId: 201,
			},
			['already booked', 'same Farmer Phone and Service Date as row 4'],
			{
				farmLocation: 'Lafia, Shabu',
				farmerName: 'Ngozi Okafor',
				farmerPhone: '+2348004125005',
				serviceDate: '2035-03-14',
				serviceType: 4,
				landArea: 1.2,
				areaType: 'ha',
				crops: ['other'],
				custom_crop: 'yam',
				farmNote: 'no network at the farm, no GPS',
				tractorId: 206,
			},
			['to fix', 'Latitude and Longitude are empty, but the nearest tractor is to be chosen'],
			['to fix', 'Farmer Phone (column "farmer/phone_number") is empty'],
			['to fix', '"0800412500" is no phone number of Nigeria'],
			['to fix', 'Land Area (column "farm/farm_size"): "0" is not above zero'],
			['to fix', '"2024-03-16" is in the past'],
			{
				...place('Chikun, Kujama', 10.4724, 7.604),
				farmerName: 'Folake Adeyemi',
				farmerPhone: '+2348004125011',
				serviceDate: '2035-03-16',
				serviceType: 3,
				landArea: 2,
				areaType: 'ha',
				crops: ['maize', 'rice', 'other'],
				custom_crop: 'fonio',
				tractorId: 221,
			},
			[
				'to fix',
				'Latitude and Longitude (column "farm/gps_location"): "11.8333, 13.151" has no tractor nearby',
			],
			['to fix', '"08004125013 / 08004125014" holds more than one number'],
		],
		/^5 created, 1 already booked, 7 to fix\. Not read: start \(.*Gender left out: "female" and "male" in rows /,
	);
});

it('the list of a cooperative, in French', async () => {
	const place = (farmLocation: string, latitude: number, longitude: number) => ({
		farmLocation,
		latitude,
		longitude,
	});
	await expectRows(
		await throughCsv(textOf('cooperative.csv'), ';'),
		{ phoneCountry: 'CI', dateOrder: 'dayFirst' },
		[
			{
				...place('Gonaté', 6.8951, -6.2361),
				farmerName: 'KOUASSI Adjoua Marie',
				farmerPhone: '+2250708010203',
				serviceDate: '2035-03-12',
				serviceType: 3,
				landArea: 2.5,
				areaType: 'ha',
				crop: 'Maïs',
				farmNote: 'Appeler la veille',
				tractorId: 201,
			},
			{
				...place('Bédiala', 7.17, -6.31),
				farmerName: 'TRAORÉ Bakary',
				farmerPhone: '+2250544121314',
				serviceDate: '2035-03-13',
				serviceType: 3,
				landArea: 1.25,
				areaType: 'ha',
				crop: 'Riz',
				tractorId: 201,
			},
			['to fix', '"Labour" is not offered by tractor 203; it offers Harrowing (2), Ploughing (3)'],
			{
				farmLocation: 'Gonaté',
				farmerName: "N'GUESSAN Yao",
				farmerPhone: '+2250709101112',
				serviceDate: '2035-03-14',
				serviceType: 4,
				landArea: 0.75,
				areaType: 'ha',
				crop: 'Igname',
				farmNote: "chemin derrière l'école",
				tractorId: 206,
			},
			{
				...place('Bonon', 6.9241, -6.0447),
				farmerName: 'Ouattara Mariam',
				farmerPhone: '+2250758596061',
				serviceDate: '2035-03-15',
				serviceType: 2,
				landArea: 2,
				areaType: 'ha',
				crops: ['Riz', 'maïs'],
				tractorId: 201,
			},
			['to fix', '"08 09 10 11" is no phone number of Côte d’Ivoire'],
			['to fix', '"0748494041 / 0548494041" holds more than one number'],
			['to fix', '"1 500 m²" has "m²" after the number; write ha (hectares) or ac (acres)'],
			{
				farmLocation: 'Daloa',
				farmerName: 'Yao Akissi',
				farmerPhone: '+2250748494043',
				serviceDate: '2035-03-20',
				serviceType: 3,
				crop: 'Maïs',
				farmNote: 'superficie à mesurer',
				tractorId: 203,
			},
			['already booked', 'same Farmer Phone and Service Date as row 2'],
			['to fix', 'Tractor ID (column "N° tracteur") is empty'],
			['to fix', 'Land Area (column "Superficie (ha)"): "-1,5" is not above zero'],
			['to fix', 'Tractor ID (column "N° tracteur") is empty'],
			['not sent', 'the row is no request: "TOTAL"'],
			['not sent', 'the row is no request: "Fait à Daloa, le'],
			['not sent', 'the row is no request: "Le Président"'],
		],
		/^\d+ created, .*No requests: rows 15 \(TOTAL\), 16/,
	);
});

it('a sheet that was typed by hand, with sections, a merged heading, totals and notes', async () => {
	const cells = JSON.parse(textOf('typed-by-hand.json')) as Array<Array<string | number>>;
	const rows = await throughXlsx((sheet) => {
		for (const row of cells) sheet.addRow(row.map((cell) => (cell === '' ? null : cell)));
	});
	await expectRows(
		rows,
		{ phoneCountry: 'NG', dateOrder: 'dayFirst' },
		[
			['not sent', 'the row is no request: "KADUNA SOUTH"'],
			{
				farmerName: 'Mrs. Amina Bello',
				farmerPhone: '+2348004126001',
				farmLocation: 'Rigasa',
				serviceDate: '2035-03-12',
				serviceType: 3,
				landArea: 2.5,
				areaType: 'ha',
				crops: ['Maize'],
				latitude: 10.4912,
				longitude: 7.4711,
				tractorId: 201,
			},
			// The longitude is below the merged heading.
			[
				'to fix',
				'Latitude and Longitude (column "Farm GPS"): "10.4533" is not a latitude and a lon',
			],
			{
				farmerName: 'Hauwa Garba',
				farmerPhone: '+2348004126003',
				farmLocation: 'Rigasa',
				serviceDate: '2035-03-19',
				serviceType: 2,
				landArea: 1.5,
				areaType: 'ac',
				crops: ['Rice', 'Maize'],
				tractorId: 201,
			},
			{
				farmerName: 'Ladi Umar',
				farmerPhone: '+2348004126004',
				farmLocation: 'Rigasa',
				serviceDate: '2035-03-14',
				serviceType: 4,
				landArea: 0.5,
				areaType: 'ha',
				crops: ['maize'],
				farmNote: 'old woman, be patient',
				tractorId: 201,
			},
			['to fix', '"same as above" is only a placeholder'],
			['to fix', '"after the rain" is not a date'],
			['not sent', 'the row is no request: "LAFIA"'],
			{
				farmerName: 'Ngozi Okafor',
				farmerPhone: '+2348004126007',
				farmLocation: 'Shabu',
				serviceDate: '2035-03-20',
				serviceType: 4,
				landArea: 3,
				areaType: 'ac',
				crops: ['Yam'],
				latitude: 8.5219,
				longitude: 8.4977,
				tractorId: 206,
			},
			[
				'to fix',
				'Latitude and Longitude (column "Farm GPS"): "8.4977" is not a latitude and a lon',
			],
			['to fix', '"2.348E+12" has lost digits in the spreadsheet; format the column as text'],
			['already booked', 'same Farmer Phone and Service Date as row 10'],
			['not sent', 'the row is no request: "TOTAL"'],
			['not sent', 'the row is no request: "NB: all farmers in Rigasa'],
		],
		/^4 not sent, 4 created, 5 to fix, 1 already booked\. Not read: Paid \(₦\) .*No requests: rows 2, 9/,
	);
});
