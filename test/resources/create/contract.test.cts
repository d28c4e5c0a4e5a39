import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	matchColumns,
	parseHeading,
} from '../../../nodes/TractorBooking/resources/booking/create/sheetColumns';
import {
	COLUMN_FIELDS,
	fieldOf,
	headingsOf,
	type ColumnField,
} from '../../../nodes/TractorBooking/resources/booking/create/fields';
import type { RunSettings } from '../../../nodes/TractorBooking/resources/booking/create/settings';
import type { Sandbox } from '../../../sandbox/index.cts';
import { fieldOf as columnOf, hintsOf, recordsOf, stopOf } from '../../support/action.cts';
import {
	bookSheet,
	dayFromNow,
	sentTo,
	sheetRows,
	eachWithSandbox,
	outcomeOf,
} from '../../support/bookings.cts';
import { serialOf } from '../../../sandbox/sheet/dateStyles.cts';

// The contract of a spreadsheet row: docs/spreadsheets.md says it to users, point by point.

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

const day = dayFromNow(20);
const place = { Latitude: 10.5222, Longitude: 7.4384 };

/** A row that is right, but for some cells. */
const rowWith = (cells: IDataObject): IDataObject => ({ ...sheetRows(1)[0], ...cells });

/** A row without some of its columns. */
function without(row: IDataObject, ...names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

const mapping = (columns: Record<string, string>): INodeParameters => ({
	columnMapping: { columns: Object.entries(columns).map(([column, field]) => ({ column, field })) },
});

/** What stops the node, before anything is sent. */
async function stopFor(rows: IDataObject[], options: INodeParameters = {}): Promise<string> {
	const { said } = stopOf(await bookSheet(sandbox, rows, { options }));
	expect(sentTo(sandbox)).toEqual([]);
	return said;
}

/** Books a sheet, and goes on after rows that fail. */
const run = async (rows: IDataObject[], options: INodeParameters = {}, fields = {}) =>
	await outcomeOf(bookSheet, sandbox, rows, { ...fields, options });

const resultsOf = async (...given: Parameters<typeof run>) => (await run(...given)).results;

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

describe('2. and 3. headings', () => {
	it.each<[string, ColumnField]>([
		['farmer_phone', 'farmerPhone'],
		['FARMER PHONE *', 'farmerPhone'],
		['  phone-number: ', 'farmerPhone'],
		['Téléphone', 'farmerPhone'],
		['Land Area (Ha)', 'landArea'],
		['Area [acres]', 'landArea'],
		['Service Date (dd/mm/yyyy)', 'serviceDate'],
		['Date du service (JJ/MM/AAAA)', 'serviceDate'],
		['Latitude (decimal degrees)', 'latitude'],
		['Lat/Long', 'coordinates'],
		['group_a1/farmer_phone', 'farmerPhone'],
		['form.job.bookingID', 'bookingID'],
	])('%p is %s', (heading, field) => {
		expect(parseHeading(heading)).toBe(field);
	});

	it.each([
		...['Date', 'Day', 'Contact', 'ID', 'No.', 'Status', 'Remarks', 'Comments', 'Notes'],
		...['Phone (agent)', 'Agent phone', 'Next of kin phone', 'Date of request', 'Date requested'],
		...['Service (ha)', 'Phone (ha)', 'Area (sq m)', 'Acres (ha)', 'Land Area (total)'],
		'GPS (Long, Lat)',
		...['agent/latitude', 'officer/gender', 'officer.first_name', 'last_season/crop'],
		...['agent/phone', 'a/b c/farmer_phone', 'co-farmer_phone', 'constructor', '__proto__', ''],
	])('%p is no field', (heading) => {
		expect(parseHeading(heading)).toBeUndefined();
	});

	it.each<[IDataObject, string]>([
		[{ 'First Name': 'Amina', Surname: 'Bello' }, 'Amina Bello'],
		[{ Nom: 'Bello', Prénom: 'Amina' }, 'Amina Bello'],
		[{ 'First Name': 'Amina' }, 'Amina'],
		[{ Nom: 'Amina Bello' }, 'Amina Bello'],
	])('%j is the name %s', async (cells, farmerName) => {
		await bookSheet(sandbox, [{ ...without(rowWith({}), 'Farmer Name'), ...cells }]);
		expect(sentTo(sandbox)).toMatchObject([{ farmerName }]);
	});
});

describe('4. the unit of the area', () => {
	it.each<[string, IDataObject, INodeParameters, IDataObject]>([
		['the heading', { 'Land Area (acres)': 5 }, {}, { landArea: 5, areaType: 'ac' }],
		['a heading that is a unit', { Hectares: '2,5' }, {}, { landArea: 2.5, areaType: 'ha' }],
		['the option', { Area: 5 }, { areaUnit: 'ac' }, { landArea: 5, areaType: 'ac' }],
		['not the option', { Acres: 5 }, { areaUnit: 'ha' }, { landArea: 5, areaType: 'ac' }],
		['a mapped heading, not the option', { 'Size of farm (acres)': 2 }, { areaUnit: 'ha', ...mapping({ 'Size of farm (acres)': 'landArea' }) }, { landArea: 2, areaType: 'ac' }], // prettier-ignore
		['a word in a mapped heading', { 'How many acres?': 2 }, mapping({ 'How many acres?': 'landArea' }), { landArea: 2, areaType: 'ac' }], // prettier-ignore
	])('%s says it', async (_what, cells, options, request) => {
		const row = { ...without(rowWith({}), 'Land Area'), ...cells };
		expect(await resultsOf([row], options)).toEqual(['created']);
		expect(sentTo(sandbox)).toMatchObject([request]);
	});

	it.each(['Size (sqm)', 'Size (bigha)', 'Acres/Ha', 'Acres (ha)'])(
		'not the option, if the heading is %s',
		async (heading) => {
			const row = { ...without(rowWith({}), 'Land Area'), [heading]: 5 };
			const options = { areaUnit: 'ha', ...mapping({ [heading]: 'landArea' }) };
			expect(await resultsOf([row], options)).toEqual(['to fix']);
			expect(await resultsOf([{ ...row, [heading]: '5 ha' }], options)).toEqual(['created']);
		},
	);
});

describe('5. Column Mapping', () => {
	const withMapping = (names: string[], columns: Record<string, string> = {}) =>
		matchColumns(names, {
			columnMapping: new Map(Object.entries(columns)) as RunSettings['columnMapping'],
		});

	it.each<[string[], Record<string, string>]>([
		[['Phone', 'Mobile'], {}],
		[['Phone', 'farmer_phone'], {}],
		[['Service Date', 'Work Date'], {}],
		[['Farmer Name', 'First Name', 'Surname'], {}],
		[['GPS', 'Latitude', 'Longitude'], {}],
		[['A', 'B'], { A: 'farmerPhone', B: 'farmerPhone' }],
	])('%p are two columns for one field', (names, columns) => {
		expect(withMapping(names, columns).doubled).toMatchObject([{ columns: names }]);
	});

	it.each<[string, IDataObject, INodeParameters, RegExp]>([
		['another may be meant', { 'Crop A': 'Yam' }, mapping({ 'Crop 1': 'crop' }), /takes Crop from "Crop 1", .*correct that entry/], // prettier-ignore
		['its field is in another', {}, mapping({ New: 'serviceDate' }), /^Column Mapping takes Service Date from "New", which this sheet does not have; it has "Service Date": delete that entry\.$/m], // prettier-ignore
		['its parts are in others', place, mapping({ New: 'coordinates' }), /it has "Latitude \+ Longitude": delete/], // prettier-ignore
		['it is that of Row ID', {}, { rowIdColumn: 'Ref' }, /Row ID names "Ref"/],
	])('a column that is not there is an error if %s', async (_what, cells, options, said) => {
		expect(await stopFor(sheetRows(5, cells), options)).toMatch(said);
	});

	it('a column that is not there is empty if all others are read', async () => {
		// A reader leaves out a column that is empty in all rows.
		expect(await resultsOf(sheetRows(1), mapping({ 'Crop 1': 'crop' }))).toEqual(['created']);
	});

	it.each([
		['Place [village]', "['Place [village]']"],
		["['village']", "['village']"],
		[' Place\n(village) ', 'Place (village)'],
		['constructor', 'constructor'],
		['fields.Place [a]', "fields['Place [a]']"],
	])('the heading %j is mapped as %j', async (heading, column) => {
		const [row = {}, other = {}] = sheetRows(2);
		const options = mapping({ [column]: 'farmLocation' });
		expect(await resultsOf([other, { ...row, [heading]: 'Rigasa' }], options)).toEqual([
			'created',
			'created',
		]);
		expect(sentTo(sandbox)[0]).not.toHaveProperty('farmLocation');
		expect(sentTo(sandbox)[1]).toMatchObject({ farmLocation: 'Rigasa' });
	});

	it('a column that is mapped to two fields is an error', async () => {
		const columns = ['farmLocation', 'farmNote'].map((field) => ({ column: 'Place', field }));
		const said = await stopFor(sheetRows(1, { Place: 'Rigasa' }), { columnMapping: { columns } });
		expect(said).toContain(
			'Column Mapping: "Place" is mapped to two fields; remove one of the two',
		);
	});

	it.each<[unknown, unknown, RegExp]>([
		['', 77, /77\b/],
		[77, '', /77\b/],
		[77, '#77', /77\b/],
		[77, 78, /"77 \/ 78" is not the ID of a booking/],
	])('of the Booking IDs %j and %j either counts', async (own, other, reason) => {
		const row = { ...rowWith({}), bookingID: own, 'Booking No.': other } as IDataObject;
		const [line] = (await run([row])).table;
		expect(line).toMatch(/^2: to fix /);
		expect(line).toMatch(reason);
	});
});

describe('6. core fields', () => {
	const core = ['Farmer Name', 'Farmer Phone', 'Service Type', 'Service Date', 'Land Area'];

	it.each([...core, 'Tractor ID'])('%s needs a column', async (name) => {
		const rows = sheetRows(5).map((row) => without(row, name));
		expect(await stopFor(rows)).toContain(`No column with values for ${name}.`);
		// The message names the columns that are not read.
		const renamed = sheetRows(2).map((row) => ({ ...without(row, name), Other: row[name] }));
		expect(await stopFor(renamed)).toMatch(
			new RegExp(
				`No column with values for ${name}\\.[^]*Not read: 1 column\\.\nOther \\([^]*Column Mapping`,
			),
		);
	});

	it.each([...core, 'Tractor ID'])('an empty %s is an issue of its row', async (name) => {
		const [row = {}, other = {}] = sheetRows(2);
		const { table } = await run([{ ...row, [name]: '-' }, other]);
		expect(table).toEqual([
			expect.stringMatching(new RegExp(`^2: to fix \\(${name} is empty.*fill it in`)),
			'3: created',
		]);
	});

	it('a sheet that names no tractors is told of Choose Tractor', async () => {
		const said = await stopFor(sheetRows(5).map((row) => without(row, 'Tractor ID')));
		expect(said).toContain('change Choose Tractor');
		expect(said).not.toContain('Fields Not in the Sheet');
	});

	it.each<[string, IDataObject]>([
		['idOrNearest', { 'Tractor ID': 201 }],
		['idOrNearest', place],
		['nearest', { GPS: '10.5222, 7.4384' }],
	])('with Choose Tractor %s, %j is enough', async (tractorSelection, cells) => {
		const fields = { tractorSelection, dryRun: true };
		const rows = sheetRows(5).map((row) => without(row, 'Tractor ID'));
		const { said } = stopOf(await bookSheet(sandbox, rows, fields));
		expect(said).toMatch(/No column with values for .*Latitude and Longitude/);
		const sheet = rows.map((row) => ({ ...row, ...cells }));
		expect(await resultsOf(sheet, {}, fields)).toEqual(Array(5).fill('would create'));
	});
});

describe('7. other columns', () => {
	const more = { Status: 'Approved', Remarks: '', Officer: 'Musa' };

	it('stop the run, each with its values; the lines that ignore them end the message', async () => {
		const rows = sheetRows(5, more).map((row, at) => ({ ...row, Receipt: `R-${at}` }));
		const said = await stopFor(rows);
		expect(said).toContain('Status (Approved), Officer (Musa), Receipt (R-0, R-1, R-2, R-3, R-4).');
		expect(said).toMatch(/put a Filter node before this one/);
		expect(said).toMatch(/Ignored Columns:\nStatus\nOfficer\nReceipt$/);
		expect(said).not.toContain('Remarks');
	});

	it('are those of the Tractor ID, too, if the nearest tractor is to be chosen', async () => {
		const rows = sheetRows(2, place);
		const fields = { tractorSelection: 'nearest' };
		expect(stopOf(await bookSheet(sandbox, rows, fields)).said).toMatch(
			/Not read: 1 column\.\nTractor ID \(\d+.*put a Filter node before this one/s,
		);
		const empty = [rowWith({ ...place, 'Tractor ID': '' })];
		expect(await resultsOf(empty, {}, { ...fields, dryRun: true })).toEqual(['would create']);
	});

	it('are ignored if they are listed, and stop the run if they are not', async () => {
		const rows = sheetRows(2, { ...more, ' Date  requested\n': '1 May', Sex: 'F' });
		const ignoredColumns = 'Status\n\n  date requested\nDate requested \r\nSex';
		const listed = { otherColumns: 'ignoreListed', ignoredColumns };
		const said = await stopFor(rows, listed);
		expect(said).toMatch(/^Not read: 1 column\.\nOfficer \(Musa\)/);
		const [, lines = ''] = said.split('Ignored Columns:\n');
		expect(lines.split('\n').join()).toBe('Status,date requested,Date requested,Sex,Officer');
		const all = { ...listed, ignoredColumns: lines };
		expect(await resultsOf(rows, all)).toEqual(['created', 'created']);
		// A mapped column is read, whatever is listed.
		const read = { ...all, ...mapping({ Officer: 'farmNote' }) };
		expect(await resultsOf(sheetRows(3, more).slice(2), read)).toEqual(['created']);
		expect(sentTo(sandbox)[2]).toMatchObject({ farmNote: 'Musa' });
	});

	it.each(['', ' '])('without a heading (%j) need one', async (heading) => {
		const rows = sheetRows(2, { [heading]: 'paid' });
		const said = await stopFor(rows);
		expect(said).toMatch(/a column that needs a heading \(paid\)/);
		expect(said).not.toContain('paste');
		expect(await resultsOf(rows, { otherColumns: 'ignore' })).toEqual(['created', 'created']);
	});
});

describe('8. rows that are no request', () => {
	it('are not sent, and named together', async () => {
		const [row = {}] = sheetRows(1);
		const empty = Object.fromEntries(Object.keys(row).map((name) => [name, '']));
		const total = { ...empty, 'Farmer Name': 'TOTAL', 'Land Area': 45.5 };
		const rows = [row, empty, total, {}, { ...empty, 'Farmer Name': 'Prepared by Musa' }];
		const result = await run(rows);
		expect(result.results).toEqual(['created', ...Array<string>(4).fill('not sent')]);
		expect(hintsOf(result).join()).toMatch(/TOTAL.*Prepared by Musa/);
	});

	it.each(['Farmer Phone', 'Service Type', 'Service Date'])(
		'but a row with a %s is one',
		async (name) => {
			const [row = {}, other = {}] = sheetRows(2);
			const rows = [other, { [name]: row[name] ?? null }];
			expect(await resultsOf(rows)).toEqual(['created', 'to fix']);
		},
	);
});

describe('9. cells', () => {
	it.each<[string, IDataObject, RegExp]>([
		['a date in either order', { 'Service Date': '03/04/2027' }, /Service Date.*Date Order/],
		['digits for a name', { 'Farmer Name': '0803' }, /Farmer Name.*is not a name/],
		['a gender in words', { Gender: 'F' }, /Gender: "F" is not a whole number/],
		['a word for the tractor', { 'Tractor ID': 'any' }, /Tractor ID: "any" is not a whole number/],
		['two services', { 'Service Type': 'Ploughing, Harrowing' }, /"Ploughing, .* is not offered/],
		['two bookings', { 'Booking ID': '77, 78' }, /Booking ID: "77, 78" is not the ID of a/],
		['a number below codes', { 'Service (1=plough)': 1 }, /Not read: 1 column\.\nService \(1=plough\)/], // prettier-ignore
	])('%s is an issue that names value and fix', async (_what, cells, reason) => {
		expect((await run([rowWith(cells)])).table[0]).toMatch(reason);
		expect(sentTo(sandbox)).toEqual([]);
	});

	const year = Number(day.slice(0, 4)) + 1;
	const dated = (heading: string) =>
		sheetRows(2).map((row, at) => ({
			...without(row, 'Service Date'),
			[heading]: at === 0 ? `20/02/${year}` : `03/04/${year}`,
		}));

	it('the order of day and month is that of no other row', async () => {
		expect(await resultsOf(dated('Service Date'))).toEqual(['created', 'to fix']);
	});

	it.each(['Service Date (dd/mm/yyyy)', 'Day of work (dd/mm/yyyy)'])(
		'the order of day and month is that of the heading %s, whatever the option',
		async (heading) => {
			const options = mapping({ [heading]: 'serviceDate' });
			const fields = { dateOrder: 'monthFirst' };
			expect(await resultsOf(dated(heading), options, fields)).toEqual(['created', 'created']);
			expect(sentTo(sandbox)[1]).toMatchObject({ serviceDate: `${year}-04-03` });
		},
	);

	it('days that Excel has exchanged are issues', async () => {
		const texts = ['13', '25', '30'].map((date) => `${date}/01/${year}`);
		const dates = [...texts, serialOf(new Date(`${year}-05-01`))];
		const rows = sheetRows(4).map((row, at) => ({ ...row, 'Service Date': dates[at] }));
		const { results, table } = await run(rows);
		expect(results).toEqual(['created', 'created', 'created', 'to fix']);
		expect(table[3]).toMatch(/exchanged day and month/);
	});

	it('dates that contradict Date Order make those issues that may be read in two ways', async () => {
		const dates = [`03/04/${year}`, `13/04/${year}`, `${year}-04-05`];
		const rows = sheetRows(3).map((row, at) => ({ ...row, 'Service Date': dates[at] }));
		const { results, table } = await run(rows, {}, { dateOrder: 'monthFirst' });
		expect(results).toEqual(['to fix', 'created', 'created']);
		expect(table[0]).toMatch(
			/day\/month or month\/day; .*Date Order.*; the day is first in Farmer 2 \(row 3\)/,
		);
	});

	it('a latitude and a longitude that are exchanged are an issue', async () => {
		const rows = sheetRows(6).map((row, at) => ({
			...row,
			...(at === 5 ? { Lat: 7.44, Long: 10.52 } : { Lat: 10.52 + at / 100, Long: 7.44 }),
		}));
		const { ids, table } = await run(rows);
		expect(ids.filter(Boolean)).toHaveLength(5);
		expect(table[5]).toMatch(/longitude exchanged/);
		// The other rows tell, booked or not.
		const written = rows.map((row, at): IDataObject => ({ ...row, bookingID: ids[at] }));
		expect(await resultsOf(written)).toEqual([...Array(5).fill('already booked'), 'to fix']);
	});
});

it('10. Dry Run shows what is sent', async () => {
	const [row = {}, other = {}, third = {}] = sheetRows(3);
	const rows = [row, row, { ...other, 'Land Area': 'x' }, third, { 'Farmer Name': 'TOTAL' }];
	const checked = await bookSheet(sandbox, rows, { dryRun: true });
	const shown = ['would create', 'already booked', 'to fix', 'would create', 'not sent'];
	expect(columnOf(checked.items, 'result')).toEqual(shown);
	const [first, repeated] = recordsOf(checked.items);
	expect(first?.summary).toMatchObject({
		text: expect.stringContaining('2 would create, 1 already booked, 1 to fix, 1 not sent.'),
	});
	expect(repeated?.reason).toBe('typed twice: the same as Farmer 1 (row 2)');
	expect(sentTo(sandbox)).toEqual([]);
	const sent = ['created', 'already booked', 'to fix', 'created', 'not sent'];
	expect(await resultsOf(rows)).toEqual(sent);
	const requests = recordsOf(checked.items).filter(({ result }) => result === 'would create');
	expect(sentTo(sandbox)).toEqual(requests.map(({ request }) => request));
});

describe('what is wrong with a column is said once, in the first error', () => {
	it('the nearest tractor of one row is looked for, for each service', async () => {
		const rows = sheetRows(6, { ...place, Status: 'New' }).map((row, at) => ({
			...without(row, 'Tractor ID'),
			'Service Type': at % 2 ? 'Milking' : 'Ploughing',
		}));
		const { said } = stopOf(await bookSheet(sandbox, rows, { tractorSelection: 'nearest' }));
		expect(said).toMatch(/^Farmer 2 \(row 3\): Service Type: "Milking" is offered by none of/m);
		expect(sandbox.requests.count('nearby')).toBeLessThanOrEqual(2);
		expect(sandbox.requests.count('bookings')).toBe(0);
	});

	it('two errors of a row are both said, also if only the service knows one', async () => {
		const { table } = await run([rowWith({ Gender: 'F', 'Service Type': 'Milking' })]);
		expect(table[0]).toMatch(/Gender: "F" is not .*Service Type: "Milking" is not offered/);
	});
});

it('a row that is booked without a field says so, in the preview and above it', async () => {
	const rows = sheetRows(2).map((row) => without(row, 'Service Type'));
	const options = { notInSheet: ['serviceType'] };
	const { items } = await bookSheet(sandbox, rows, { dryRun: true, options });
	expect(columnOf(items, 'reason')).toEqual(Array(2).fill('booked without Service Type'));
	expect(recordsOf(items)[0]?.summary).toMatchObject({
		text: expect.stringContaining(
			'Farmer 1 (row 2) and Farmer 2 (row 3): booked without Service Type.',
		),
	});
	// The nearest tractor is chosen by its services.
	const nearest = await bookSheet(sandbox, rows, { tractorSelection: 'nearest', options });
	expect(stopOf(nearest).said).toMatch(/Service Type" is needed to choose the nearest tractor/);
});

it('with Continue, the rows of a sheet that cannot be read say why', async () => {
	const rows = sheetRows(2, { Status: 'New' });
	expect((await run(rows)).table).toEqual([
		expect.stringMatching(/^2: not sent \(Not read: 1 column\.\nStatus \(New\)/),
		'3: not sent (See row 2.)',
	]);
});
