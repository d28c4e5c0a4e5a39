import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { parseHeading } from '../../../nodes/TractorBooking/resources/booking/create/sheet/headings';
import {
	COLUMN_FIELDS,
	fieldOf,
	headingsOf,
} from '../../../nodes/TractorBooking/resources/booking/create/row/fields';
import { hintsOf, stopOf } from '../../support/action.cts';
import {
	bookSheet,
	dayFromNow,
	sentTo,
	sheetOf,
	sheetRows,
	eachWithSandbox,
	mapping,
	outcomeOf,
} from '../../support/bookings.cts';
import { OutcomePage } from '../../support/page.cts';
import { serialOf } from '../../../sandbox/sheet/dateStyles.cts';

// The contract of a spreadsheet row: docs/spreadsheets.md says it to users, point by point.

const sandbox = eachWithSandbox();

const day = dayFromNow(20);
const place = { Latitude: 10.5222, Longitude: 7.4384 };

const run = async (rows: IDataObject[], options: INodeParameters = {}, fields = {}) =>
	await outcomeOf(bookSheet, sandbox, rows, { ...fields, options });

it('1. every field has a label, an example and at most eight headings, none of them twice', () => {
	const headings = COLUMN_FIELDS.flatMap((field) => {
		const { label, example } = fieldOf(field);
		const own = headingsOf(field);
		expect(label && example).not.toBe('');
		expect(own.length).toBeLessThanOrEqual(8);
		return [label, ...own].map((heading) => [heading, field] as const);
	});
	for (const [heading, field] of headings) expect(parseHeading(heading)).toBe(field);
	expect(new Set(headings.map(([heading]) => heading)).size).toBe(headings.length);
});

/** What a column holds by its heading. */
const HEADINGS = [
	...['farmer_phone', 'FARMER PHONE *', '  phone-number: ', 'Téléphone'],
	...['Area [acres]', 'Land Area (in hectares)', 'Date du service (JJ/MM/AAAA)'],
	...['Preferred\nDate\n(dd/mm/yyyy)', 'Latitude (decimal degrees)', 'Lat/Long'],
	...['area_ha', 'plot_area_ha', 'Farm size acres', 'Service Date dd/mm/yyyy'],
	...['Mobile No.', 'Full name of the farmer'],
	...['Phone No.:', 'Service required?', 'Land area (ha):'],
	...['Date', 'Contact', 'ID', 'No.', 'Status', 'Remarks'],
	...['Phone (agent)', 'Agent phone', 'Date of request'],
	...['Service (ha)', 'Phone (ha)', 'Area (sq m)', 'Acres (ha)', 'Land Area (total)'],
	...['GPS (Long, Lat)', 'co-farmer_phone', 'area_sqm', 'phone_ha', 'area_unit_ha', 'Acres ha'],
	...['Price/Acres', 'job/area', 'Tractor.Id', 'constructor', '__proto__', ''],
];

/** The same where two headings have one group. */
const IN_FORM = [
	...['grp_job/service', 'grp_job/area_unit', 'grp_job/plot_area_ha', 'form.job.bookingID'],
	...['Job needed/Service required?', 'Job/Service Date (dd/mm/yyyy)', 'a/b c/farmer_phone'],
	...['grp_farm/farm_gps', 'farm/gps', 'plot/gps', 'a/crop', 'Lat/Long', 'Farmer.Phone'],
	...['farmer/name', 'farmer/surname', 'Nom du producteur/Nom', 'grp_farmer/village'],
	...['agent/latitude', 'officer/gender', 'officer.first_name', 'agent/phone', 'group_a1/phone'],
	...['farm/name', 'Tractor.Id', 'Tractor.Name', 'Price/Acres', 'grp_job/date', 'job/'],
];

const year = Number(day.slice(0, 4)) + 1;
const noTractor = { 'Tractor ID': undefined };
const noDate = { 'Service Date': undefined };
const noArea = { 'Land Area': undefined };
const blank = Object.fromEntries(Object.keys(sheetRows(1)[0] ?? {}).map((name) => [name, '']));
const more = { Status: 'Approved', Remarks: '', Officer: 'Musa' };
const listed = 'Status\n\n  date requested\nDate requested \r\nSex';
const unlisted = sheetRows(2, { ...more, ' Date  requested\n': '1 May', Sex: 'F' });
/** As n8n gives them: a reader numbers its lines, and the node has written results into the sheet. */
const commas = sheetOf({}, blank, blank, {}, blank).map((row, at) => ({
	...{ ...row, ...(row['Land Area'] === '' && { 'Farmer Name': ' ', 'Farmer Phone': '' }) },
	...{ row_number: at + 2, result: 'not sent', reason: '' },
}));
const ignoring = (ignoredColumns: string) => ({ ignoredColumns });
const onDays = (heading: string, ...days: unknown[]) =>
	sheetOf(...days.map((date) => ({ ...noDate, [heading]: date })));
const serial = serialOf(new Date(`${year}-05-01`));
const orders = [`20/02/${year}`, `03/04/${year}`];
const toTwo = ['farmLocation', 'farmNote'].map((field) => ({ column: 'Place', field }));
const farms = [0, 1, 2, 3, 4].map((at) => ({ Lat: 10.52 + at / 100, Long: 7.44 }));
const nearest = { tractorSelection: 'nearest', dryRun: true };
const nearestSent = { tractorSelection: 'nearest' };
const idOrNearest = { tractorSelection: 'idOrNearest', dryRun: true };
const later = dayFromNow(21);
const near = { ...noTractor, ...place };
const ploughing = { 'Service Type': 'Ploughing' };
/** Two tables beside that of the requests: n8n's reader of Excel files tells equal headings apart by a number. */
const sideBySide = sheetRows(1, {
	...{ ...noArea, 'Farmer Name_1': 'DALAO', 'Rice Area (Ha)': 127.43 },
	...{ 'Farmer Name_2': 'DALAO', 'Land Area (Ha)': 1.5 },
});
const namesTwice = { 'Farmer Name_1': 'farmNote', 'Farmer Name_2': 'ignore' };
/** The headings once more, as a line of cells. */
const headingLine = (others: Record<string, string>): IDataObject =>
	Object.fromEntries(
		Object.keys(sheetRows(1)[0] ?? {}).map((name) => [name, others[name] ?? name]),
	);
/** Requests below the first one, which the reader takes for headings. */
const belowRequest = (first: string[], ...others: IDataObject[string][][]) =>
	others.map((cells) => Object.fromEntries(first.map((heading, at) => [heading, cells[at]])));
const noHeadings = belowRequest(
	['A1B2C3D4', 'Kuya Halimbawa', '0923-456-7001', 'Ploughing', day, '2 ha', '201'],
	['E5F6G7H8', 'Pedro Halimbawa', '0918-234-5002', 'Ploughing', day, '1 ha', '201'],
);

type Case = [
	what: string,
	rows: IDataObject[],
	options?: INodeParameters,
	fields?: INodeParameters,
];

// prettier-ignore
const cases: Case[] = [
	...[
		{ 'First Name': 'Amina', Surname: 'Bello' },
		{ 'First Name': 'Amina' },
	].map((cells): Case => [`3. Names: ${JSON.stringify(cells)}`, sheetOf({ 'Farmer Name': undefined, ...cells })]),

	...Object.entries({
		'a phone and a day': noHeadings,
		'a day and a unit': belowRequest(['Ada', '8/12/2026', '2', 'Acres'], ['Obi', '9/12/2026']),
		'the number of a day': belowRequest(['Ada', '46371'], ['Obi', 46371]),
	}).map(([what, rows]): Case => [
		`3b. No headings, but ${what}; one is mapped`,
		rows,
		{ ...mapping({ Ada: 'farmerName' }), otherColumns: 'ignore' },
	]),
	['3b. Headings below the first line', belowRequest(['FARMERS UNION', '__EMPTY', '__EMPTY_1'], ['', '', ''], ['Farmer Name', 'Farmer Phone', 'Service Type'])],
	['3b. Headings, and a day', sheetOf({ [later]: 'rain' })],
	['3b. No heading of a field, and numbers', [{ Nr: 1, 2: 'A', Year: 2026, 2026: 'B' }]],

	['4. The heading says the unit', sheetOf({ ...noArea, 'Land Area (acres)': 5 })],
	['4. Area Unit says it', sheetOf({ ...noArea, Area: 5 }), { areaUnit: 'ac' }],
	['4. The heading says it, not Area Unit', sheetOf({ ...noArea, Acres: 5 }), { areaUnit: 'ha' }],
	...[
		...['How many acres?', 'Plot 1 (acres)', 'How big? (in acres)', 'plot/acres', 'Acres (approx.)', 'Size (sqm)', 'Acres (ha)', 'Ha to plough', 'Manzanas que ha sembrado'],
		...['Timad (4 timad = 1 ha)', 'Plots (4 = 1 ekari)', 'Plots (6 per acre)', 'Timad (4 timad/ha)', 'Timad, 4 = 1 ha', 'Bigha (3 bigha = one acre)', 'Size (Acres/Plots)', 'Demi-hectares'],
	].map(
		(heading): Case => [
			`4. Area Unit is ha, and a mapped heading ${heading}`,
			sheetOf({ ...noArea, [heading]: 2 }, { ...noArea, [heading]: '2 ha' }),
			{ areaUnit: 'ha', ...mapping({ [heading]: 'landArea' }) },
		],
	),

	['5. A mapped column is not there, and another may be meant', sheetOf({ 'Crop A': 'Yam' }), mapping({ 'Crop 1': 'crop' })],
	['5. The same, its field is in another', sheetRows(1), mapping({ New: 'serviceDate' })],
	...[
		{ Mobile: '0803 555 0000' },
		{ GPS: '10.5, 7.4', ...place },
	].map((cells): Case => [
		`5. Two columns for one field: ${Object.keys(cells).join(', ')}`,
		sheetOf(cells),
	]),
	[
		'5. Two columns for one field, one of them without values',
		sheetOf({ Mobile: '', 'First Name': ' ', Surname: null, GPS: '', ...place, 'Tractor ID': '' }),
		{},
		idOrNearest,
	],
	[
		'5. A column for a name without values, beside those of its parts',
		sheetOf({ 'Farmer Name': '', 'First Name': 'Amina', Surname: 'Bello' }),
	],
	...[
		{ Acres: '', Hectares: 2 },
		{ Hectares: '-', Acres: 2 },
		{ 'Area (acres)': '', Area: 2 },
	].map((cells): Case => [
		`5. An empty column says nothing of the area in another: ${JSON.stringify(cells)}`,
		sheetOf({ ...noArea, ...cells }),
	]),
	...[
		{ 'Service Date (dd/mm/yyyy)': '', 'Preferred Date (mm/dd/yyyy)': `04/05/${year}` },
		{ 'Preferred Date (mm/dd/yyyy)': '', 'Date of Service': `04/05/${year}` },
	].map((cells): Case => [
		`5. An empty column says nothing of the day in another: ${Object.keys(cells).join(', ')}`,
		sheetOf({ 'Service Date': undefined, ...cells }),
	]),
	['5. The column of Row ID is not there', sheetRows(1), { rowIdColumn: 'Ref' }],
	...Object.entries({
		'Place [village]': "['Place [village]']",
		' Place\n(village) ': 'Place (village)',
		'fields.Place [a]': "fields['Place [a]']",
	}).map(([heading, column]): Case => [
		`5. The heading ${JSON.stringify(heading)}, mapped as ${column}`,
		sheetOf({}, { [heading]: 'Rigasa' }),
		mapping({ [column]: 'farmLocation' }),
	]),
	['5. A column for two fields', sheetOf({ Place: 'Rigasa' }), { columnMapping: { columns: toTwo } }],
	[
		'5. Two columns for the Booking ID',
		sheetOf(
			{ bookingID: '', 'Booking No.': 77 },
			{ bookingID: 78, 'Booking No.': '' },
			{ bookingID: 79, 'Booking No.': '#79' },
			{ bookingID: 77, 'Booking No.': 78 },
		),
	],
	['5. A Booking ID that is a word', sheetOf(...['TBD', 'not', 'Not TBD', 'not 5001 TBD'].map((bookingID) => ({ bookingID })))],

	['3b. Headings of another table, below the first one', [...sheetRows(2, {}), headingLine({ 'Land Area': 'Land Area (acres)' }), ...sheetRows(1, {})]],
	['3b. The same headings, printed again', [...sheetRows(2, {}), headingLine({})]],
	['5. Tables side by side', sideBySide],
	['5. Tables side by side, mapped and ignored', sideBySide, { ...mapping(namesTwice), otherColumns: 'ignore' }],
	[
		'5. Columns without a heading, and numbered ones',
		sheetOf({ __EMPTY: 'A', __EMPTY_1: 'B', Crop_1: 'Yam', Crop_2: 'Rice', Village_0: 'Ede' }),
		{ otherColumns: 'ignore' },
	],

	...['Land Area', 'Tractor ID'].map((name): Case => [`6. No column for ${name}`, sheetRows(2, { [name]: undefined })]),
	['6. No column for Land Area, but another', sheetRows(2, { ...noArea, Other: '2 ha' })],
	['6. Empty cells', sheetOf({}, ...Object.keys(blank).map((name) => ({ [name]: '-' })))],
	['6. Tractor ID or Nearest, without either', sheetRows(2, noTractor), {}, idOrNearest],
	['6. Tractor ID or Nearest, with an ID in one row', sheetOf({}, near), {}, { tractorSelection: 'idOrNearest' }],
	['6. A field that the sheet is said not to have', sheetRows(2, noArea), { notInSheet: ['landArea'] }],
	['6. The service, with the nearest tractor', sheetRows(2, { ...noTractor, ...place, 'Service Type': undefined }), { notInSheet: ['serviceType'] }, nearestSent],
	['6. A tractor, with the nearest one', sheetOf(place), {}, nearestSent],
	['6. The service, with the nearest tractor, and another column', sheetRows(2, { ...noTractor, ...place, 'Service Type': undefined, Other: '2 ha' }), { notInSheet: ['serviceType'] }, nearestSent],

	['6. A repeat group of KoBoToolbox', sheetRows(2, { 'Farmer Name': undefined, 'Farmer Phone': undefined, _index: 1, _parent_table_name: 'Requests', _parent_index: 1 })],

	['7. Columns of your own, named like what the node writes', sheetOf({ result: 'approved', reason: '' }, { result: 'created' }, { reason: 'oxen died' })],
	['7. Other columns', sheetOf({ ...more, Receipt: 'R-1' }, { ...more, Receipt: 'R-2' })],
	['7. Ticks of one group, which may be decisions', sheetOf({ 'Approved/Chair': 0, 'Approved/Owner': 1 })],
	['7. Tractor IDs, with Nearest', sheetRows(2, place), {}, nearest],
	['7. Some columns are listed', unlisted, ignoring(listed)],
	['7. All are listed', unlisted, ignoring(`${listed}\nOfficer`)],
	['7. A mapped column is listed', sheetOf(more), { ...ignoring(`${listed}\nOfficer`), ...mapping({ Officer: 'farmNote' }) }],
	['7. A column without a heading', sheetOf({ '': 'paid' })],

	[
		'8. Rows that are no request',
		sheetOf(
			...[{}, blank, { ...blank, 'Farmer Name': 'TOTAL', 'Land Area': 45.5 }],
			...[{ ...blank, 'Farmer Name': 'Prepared by Musa' }],
			...['Farmer Phone', 'Service Type', 'Service Date'].map((name) => ({
				...blank,
				[name]: sheetRows(1)[0]?.[name],
			})),
		),
	],
	['8. Lines of commas and spaces', commas],
	['8. Nothing else', commas.slice(1, 3)],
	['8. A line without a request, between wrong rows and right ones', sheetOf({ 'Farmer Phone': 'none' }, blank, {}, { 'Farmer Phone': 'none' }, {})],

	[
		'9. Cells',
		sheetOf(
			{ 'Service Date': `03/04/${year}` },
			{ 'Farmer Name': '0803' },
			{ Gender: 'F' },
			{ 'Tractor ID': 'any' },
			{ 'Service Type': 'Ploughing, Harrowing' },
			{ 'Booking ID': '77, 78' },
			{ Gender: 'F', 'Service Type': 'Milking' },
			{ 'Tractor ID': 999, ...ploughing },
			ploughing,
		),
	],
	[
		'9. What programs write for nothing',
		sheetOf(
			{ 'Farmer Name': 'NULL', Crop: 'NULL', Village: 'NIL' },
			{ 'Farmer Name': 'nan', Crop: 'nan', Village: 'None' },
			{ Crop: 'None', Village: '(blank)', 'Booking ID': 'NaN', Officer: 'undefined' },
		),
	],
	[
		'9. Ticks of a form, which only say how a cell is split that has their words',
		sheetOf(
			{ 'Service Type': 'Ridging', 'Service Type/Harrowing': 1, Crops: 'Beans', 'Crops/Maize': 1 },
			{ 'Service Type': '', 'Service Type/Harrowing': 1 },
			{ Crops: '', 'Crops/Maize': 1 },
			{ 'Service Type': 'plough harrow', 'Service Type/plough': 1, 'Service Type/harrow': 1 },
			{ 'Service Type': ['plough', 'harrow'] },
		),
	],
	['9. A wrong encoding', sheetOf({ 'Farmer Name': 'KofÃ©', Crop: 'maÃ¯s' })],
	['9. Services near the farm', sheetOf({ ...near, 'Service Type': ' pLÓUGHING ' }, { ...near, 'Service Type': 'Milking' }), {}, nearestSent],
	[
		'9. Phones to which no SMS may go, one of them twice',
		sheetOf(
			{},
			{ 'Farmer Name': 'Amina', 'Farmer Phone': '0803 123 4567' },
			{ 'Farmer Phone': '+254 20 222 2222' },
			{ 'Farmer Name': 'Amina', 'Farmer Phone': '0803 123 4567' },
		),
	],
	['9. The order of days, which another row shows', onDays('Service Date', ...orders)],
	[
		'9. The order of days by a mapped heading, not Date Order',
		onDays('Day of work (dd/mm/yyyy)', ...orders),
		mapping({ 'Day of work (dd/mm/yyyy)': 'serviceDate' }),
		{ dateOrder: 'monthFirst' },
	],
	...['Service Date dd/mm/yyyy', 'service_date_dd-mm-yyyy', 'Service Date: D/M/Y', 'Date needed (day/month/year)', 'Date (JJ/MM/AAAA hh:mm)'].map(
		(heading): Case => [
			`9. The order of days by the heading ${heading}, not Date Order`,
			onDays(heading, `03/04/${year}`),
			mapping({ [heading]: 'serviceDate' }),
			{ dateOrder: 'monthFirst' },
		],
	),
	['9. Days that Excel has exchanged', onDays('Service Date', ...['13', '25', '30'].map((date) => `${date}/01/${year}`), serial)],
	['9. Days that contradict Date Order', onDays('Service Date', `03/04/${year}`, `13/04/${year}`, `${year}-04-05`), {}, { dateOrder: 'monthFirst' }],
	['9. Short years, of both orders, with Date Order', onDays('Service Date', '25/05/30', `04/25/${year}`), {}, { dateOrder: 'dayFirst' }],
	['9. Short years that contradict the heading', onDays('Service Date (mm/dd/yy)', '25/05/30'), {}, { dateOrder: 'dayFirst' }],
	['9. An exchanged place', sheetOf(...farms, { Lat: 7.44, Long: 10.52 })],
];

/** What comes of each sheet, and what is sent of its rows beside the rest. `SHEETS=write npx jest create/contract` writes it. */
const page = new OutcomePage(join(__dirname, 'sheets/contract.txt'));

it('2. and 3. headings', () => {
	const linesOf = (headings: string[], inForm: boolean) =>
		headings.map((text) => `${JSON.stringify(text)}: ${parseHeading(text, inForm) ?? 'none'}`);
	const lines = [...linesOf(HEADINGS, false), 'in a form', ...linesOf(IN_FORM, true)];
	page.tell('2. and 3. Headings', lines.join('\n'));
});

/** What is not in each request. */
function oddOf(request: unknown): string {
	const usual = [201, 3, 2, 'ha', day, /^Farmer \d+$/, /^\+23480310/];
	const isUsual = (value: unknown) =>
		usual.some((one) => (one instanceof RegExp ? one.test(String(value)) : one === value));
	const odd = Object.entries(request as IDataObject).filter(([, value]) => !isUsual(value));
	return JSON.stringify(Object.fromEntries(odd));
}

it.each(cases)('%s', async (what, rows, options = {}, fields = {}) => {
	const result = await run(rows, options, fields);
	const sent = sentTo(sandbox)
		.map(oddOf)
		.filter((odd) => odd !== '{}');
	const hints = hintsOf(result).filter((hint) => !/^[\w ,]+\.$/.test(hint));
	// What is wrong with the sheet is the reason of each row.
	const isRefused = result.results.every((one) => one === 'not sent');
	const lines = [
		...(isRefused ? [] : result.table),
		...sent.map((odd) => `sent: ${odd}`),
		...hints.map((hint) => `hint: ${hint}`),
	].join('\n');
	const names = { [day]: 'DAY', [later]: 'LATER', [year]: 'YYYY', [String(serial)]: 'SERIAL' };
	const text = Object.entries(names).reduce((all, [own, name]) => all.replaceAll(own, name), lines);
	page.tell(what, text);
});

it('what comes of each sheet is known', () => page.judge());

it('10. Dry Run shows once what is read of the columns, and of each row what is sent', async () => {
	const rows = sheetRows(5, { Officer: 'Musa' });
	rows.forEach((row, at) => (row.Colour = `colour ${at}`));
	const result = await run(rows, { otherColumns: 'ignore' }, { dryRun: true });
	expect(sentTo(sandbox)).toEqual([]);
	expect(hintsOf(result)).toEqual([expect.stringMatching(/^5 would create\./)]);
	const { records } = result;
	const [summary, ...others] = records.map((record) => record.summary);
	expect(summary).toMatchObject({
		columns: expect.arrayContaining([
			{ column: 'Land Area', field: 'Land Area', isOfRequest: false },
		]) as unknown,
		otherColumns: [
			{ column: 'Officer', values: [{ value: 'Musa', count: 5 }], distinct: 1 },
			{ column: 'Colour', values: { length: 5 }, distinct: 5 },
		],
		notices: [],
	});
	expect(others).toEqual(Array(4).fill(undefined));
	await run(rows, { otherColumns: 'ignore' });
	expect(sentTo(sandbox)).toEqual(records.map(({ request }) => request));
});

it('of the nearest tractors of a sheet that cannot be read, one is looked for, for each service', async () => {
	const rows = sheetOf(
		...Array.from({ length: 6 }, (_, at) => ({
			...{ ...noTractor, ...place, Status: 'New' },
			'Service Type': at % 2 ? 'Milking' : 'Ploughing',
		})),
	);
	const { said } = stopOf(await bookSheet(sandbox, rows, { tractorSelection: 'nearest' }));
	expect(said).toMatch(
		/^Farmer 2 \(row 3\): Service Type: "Milking" is not exactly one of the services/m,
	);
	expect(sandbox.requests.count('nearby')).toBeLessThanOrEqual(2);
	expect(sandbox.requests.count('bookings')).toBe(0);
});
