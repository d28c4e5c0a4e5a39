import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf, stopOf } from '../../support/action';
import {
	book,
	bookSheet,
	dayFromNow,
	farmers,
	sentTo,
	startAfresh,
	tableOf,
} from '../../support/bookings';
import type { ActionResult } from '../../support/engine';
import { serialOf } from '../../support/sheets';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 0, otherBookings: 0, rateLimits: { create: null } });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

/** The warnings above the output. */
function warningsOf({ run }: ActionResult): string[] {
	const hints = Object.values(run.data.resultData.runData).flatMap((runs) =>
		runs.flatMap((data) => data.hints ?? []),
	);
	// One hint says all.
	expect(hints).toHaveLength(1);
	return hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
}

const continuing = { onError: 'continueErrorOutput' } as const;

/** Rows with usual headings. */
function rowsOf(count: number, more: IDataObject = {}): IDataObject[] {
	return farmers(count).map(({ tractor, service, date, phone, name }) => ({
		Tractor: tractor,
		Service: service,
		Date: date,
		Phone: phone,
		Name: name,
		...more,
	}));
}

it('a row that cannot be booked keeps the tractor that it has from an earlier run', async () => {
	const rows = rowsOf(1, { Phone: 'x', tractorId: 202 });
	const result = await bookSheet(sandbox, rows, {}, continuing);
	expect(fieldOf(result.errors, 'tractorId')).toEqual([202]);
});

describe('columns that were not used', () => {
	it('are named once after the run', async () => {
		const rows = rowsOf(3, {
			'Paid?': 'yes',
			Group: 'A',
			'S/N': 4,
			row_number: 2,
			result: 'x',
			tractorId: 202,
			Old: '',
		});
		const result = await bookSheet(sandbox, rows);
		expect(fieldOf(result.items, 'result')).toEqual(['created', 'created', 'created']);
		expect(warningsOf(result)).toEqual([
			'3 created. Not read: Tractor (201, 202, 203), Paid? (yes) and Group (A). To use one, map it under Options > Column Mapping.',
		]);
	});

	it('are those that no row needed', async () => {
		const [first = {}, second = {}] = rowsOf(2, { Service: 2, Sex: 1 });
		const own = { 'Service Type': 1, Gender: 2 };
		const rows = [
			{ ...first, ...own },
			{ ...second, ...own, 'Service Type': '' },
		];
		const result = await bookSheet(sandbox, rows);
		expect(sentTo(sandbox)).toMatchObject([
			{ serviceType: 1, gender: 2 },
			{ serviceType: 2, gender: 2 },
		]);
		expect(warningsOf(result)).toEqual([expect.stringContaining('Not read: Sex (1).')]);
	});

	it('tell rows apart also if other rows need them', async () => {
		const [row = {}, other = {}] = rowsOf(2, { 'Service Type': 1, Service: 3 });
		const rows = [row, { ...row, Service: 2 }, { ...other, 'Service Type': '', Service: 2 }];
		const { items, errors } = await bookSheet(sandbox, rows, {}, continuing);
		expect(fieldOf(items, 'result')).toEqual(['created', 'created']);
		expect(fieldOf(errors, 'result')).toEqual(['possible duplicate']);
	});

	it('are not named if there are none, nor if the fields are entered one by one', async () => {
		expect(warningsOf(await bookSheet(sandbox, rowsOf(1)))).toEqual([]);
		const rows = farmers(1, { group: 'A' });
		expect(warningsOf(await book(sandbox, rows))).toEqual([]);
	});
});

it('a column that only some rows have may be named like a property of all objects', async () => {
	const [first = {}, ...others] = rowsOf(2);
	const rows = [{ ...first, constructor: 201 }, ...others];
	const { items, error } = await bookSheet(sandbox, rows);
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'result')).toEqual(['created', 'created']);
});

describe('a row that is called off', () => {
	const row = (status: string, at: number) => ({ ...rowsOf(12, { Status: status })[at] });

	it('is to be fixed, and no other is', async () => {
		const words = ['Cancelled', 'CANCELED ', 'annulé', 'Pending', 'pending'];
		const { items, errors } = await bookSheet(sandbox, words.map(row), {}, continuing);
		expect(fieldOf(items, 'result')).toEqual(['created', 'created']);
		expect(fieldOf(errors, 'result')).toEqual(Array(3).fill('to fix'));
		expect(fieldOf(errors, 'reason')[0]).toBe(
			'The row (column "Status"): "Cancelled" says that it is called off, or put off; delete the row or clear the cell, or leave rows out with a Filter node before this one, and ignore the column under Options > Column Mapping.',
		);
		expect(sentTo(sandbox)).toHaveLength(2);
	});

	it.each([
		['Name', 'CANCELLED - Amina', 'The row (column "Name"): "CANCELLED - Amina" says'],
		['Service', 'Cancelled', 'The row (column "Service"): "Cancelled" says'],
		['Remarks', 'Farmer cancelled', 'The row (column "Remarks"): "Farmer cancelled" says'],
		['Cancelled?', 'Yes', 'The row (column "Cancelled?"): "Yes" says'],
	])('is so in any column: %s %s', async (column, cell, reason) => {
		const { errors } = await bookSheet(sandbox, rowsOf(1, { [column]: cell }), {}, continuing);
		expect(fieldOf(errors, 'reason')).toEqual([expect.stringContaining(reason)]);
		expect(sentTo(sandbox)).toEqual([]);
	});

	it('is so in any field of Booking > Create', async () => {
		const { said } = stopOf(await book(sandbox, farmers(1, { name: 'Amina, cancelled' })));
		expect(said).toContain('The row: "Amina, cancelled" says that it is called off, or put off');
		expect(sentTo(sandbox)).toEqual([]);
	});

	it('is said beside its other issues, and with Dry Run', async () => {
		const rows = [row('Cancelled', 0), { ...row('Cancelled', 1), Phone: 'x' }];
		const { items } = await bookSheet(sandbox, rows, { dryRun: true });
		expect(tableOf(items)).toEqual([
			expect.stringMatching(/^2: to fix \(The row \(column "Status"\): "Cancelled" says/),
			expect.stringMatching(/^3: to fix \(Farmer Phone .* The row \(column "Status"\): /),
		]);
	});

	it('is already booked if it is', async () => {
		await bookSheet(sandbox, [row('', 0), row('', 1)]);
		const named = { ...row('Cancelled', 1), 'Booking ID': 100_002 };
		const { items, error } = await bookSheet(sandbox, [row('Cancelled', 0), named]);
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'result')).toEqual(['already booked', 'already booked']);
	});

	it('counts unless the column is ignored', async () => {
		const columns = [{ column: 'Status', field: 'ignore' }];
		const options = { columnMapping: { columns } };
		const { items } = await bookSheet(sandbox, [row('Cancelled', 0)], { options });
		expect(fieldOf(items, 'result')).toEqual(['created']);
	});
});

describe('a column that says how far requests have come', () => {
	const rows = (column: string, ...cells: readonly unknown[]) =>
		rowsOf(cells.length).map((row, at) => ({ ...row, [column]: cells[at] }) as IDataObject);
	const resultsOf = async (sheet: IDataObject[], options = {}) => {
		const { items } = await bookSheet(sandbox, sheet, { dryRun: true, options });
		return fieldOf(items, 'result');
	};

	it.each<[column: string, cell: unknown, other: unknown]>([
		['Status', 'Done', ''],
		['Done?', 'Yes', ''],
		['Served (Y/N)', 'Y', 'N'],
		['Job completed', true, false],
		['Already ploughed?', 'x', null],
		['Date completed', '2026-11-18', ''],
		['Approved?', 'No', 'Yes'],
		['Approved?', '', 'Yes'],
		['Approval status', 'not yet', 'ok'],
		['Selected?', 'No', 'Yes'],
		['To be booked', 'No', 'Yes'],
		['Still interested?', 'No', 'Yes'],
		['Do you still need the tractor?', 'No', 'Yes'],
		['Validé', 'Non', 'Oui'],
		['Effectué (O/N)', 'O', 'N'],
		['Imekamilika', 'Ndiyo', 'Hapana'],
		['Booked?', 'Yes', ''],
		['Booked?', 'Yes', 'No'],
		['Status', 'Completed', 'Pending'],
		['État', 'Effectué', 'En attente'],
		['Hali', 'tayari', 'bado'],
		['Approval status', 'Pending', 'Approved'],
		['Status', ['Served'], []],
		['Status', { label: 'Served' }, {}],
		['_validation_status', { uid: 'a', label: 'Approved' }, {}],
	])(
		'makes errors of rows that may not be meant: %s, %j beside %j',
		async (column, cell, other) => {
			expect(await resultsOf(rows(column, cell, other))).toEqual(['to fix', 'would create']);
		},
	);

	it.each<[column: string, cell: unknown, other: unknown]>([
		['Status', 'Completed', 'Not approved'],
		['Still to be ploughed', 'Yes', 'No'],
		['_validation_status', 'validation_status_not_approved', 'validation_status_approved'],
		['_validation_status', { uid: 'a', label: 'Checked' }, { uid: 'b', label: 'Approved' }],
	])('makes errors of all rows if nobody can tell: %s, %j and %j', async (column, cell, other) => {
		expect(await resultsOf(rows(column, cell, other))).toEqual(['to fix', 'to fix']);
	});

	it('says what to do', async () => {
		const { errors } = await bookSheet(sandbox, rows('Status', 'Done', ''), {}, continuing);
		expect(fieldOf(errors, 'reason')).toEqual([
			'The row (column "Status"): "Done" is not the same in every row, so this one may not be meant to be booked; delete the row or clear the cell, or leave rows out with a Filter node before this one, and ignore the column under Options > Column Mapping.',
		]);
	});

	it('leaves alone what is booked already, and counts unless it is ignored', async () => {
		const sheet = rows('Status', 'Done', 'Other');
		await bookSheet(sandbox, rows('Status', 'Other'));
		expect(await resultsOf(sheet)).toEqual(['already booked', 'to fix']);
		const columnMapping = { columns: [{ column: 'Status', field: 'ignore' }] };
		expect(await resultsOf(sheet, { columnMapping })).toEqual(['already booked', 'would create']);
	});
});

it('a list with one element is that element', async () => {
	const [row = {}] = rowsOf(1);
	await bookSheet(sandbox, [{ ...row, Service: ['Ploughing'], Tractor: [201], Remarks: ['Call'] }]);
	expect(sentTo(sandbox)).toMatchObject([{ tractorId: 201, farmNote: 'Call' }]);
	expect(sentTo(sandbox)[0]).toHaveProperty('serviceType');
});

describe('a row without a service', () => {
	it('is to be fixed if other rows have one, unless it is booked already', async () => {
		const rows = rowsOf(4);
		await bookSheet(sandbox, rows.slice(0, 1));
		const services = ['', 3, ' ', 'N/A'];
		const mixed = rows.map((row, at) => ({ ...row, Service: services[at] }));
		const empty = { Tractor: '', Service: '', Date: '', Phone: '', Name: '' };
		const total = { ...empty, Name: 'Total', Service: 4 };
		const result = await bookSheet(sandbox, [...mixed, empty, total], {}, continuing);
		const problem =
			'Service Type (column "Service") is empty, but other rows have one; fill it in.';
		expect(tableOf(result.items, result.errors)).toEqual([
			expect.stringMatching(/^2: already booked /),
			'3: created',
			`4: to fix (${problem})`,
			`5: to fix (${problem})`,
			'6: not sent (the row is empty)',
			expect.stringMatching(/^7: not sent /),
		]);
		const checked = await bookSheet(sandbox, mixed, { dryRun: true });
		expect(fieldOf(checked.items, 'result')).toEqual([
			'already booked',
			'already booked',
			'to fix',
			'to fix',
		]);
	});

	it('is booked if no other has one', async () => {
		sandbox.settings.requiredFields = [];
		const total = { Tractor: '', Service: 2, Date: '', Phone: '', Name: 'Total' };
		const rows = [...rowsOf(2, { Service: '' }), total];
		const { items } = await bookSheet(sandbox, rows);
		expect(fieldOf(items, 'result')).toEqual(['created', 'created', 'not sent']);
	});

	it('is to be fixed in Booking > Create, where the field is required', async () => {
		const { said } = stopOf(await book(sandbox, farmers(1, { service: null })));
		expect(said).toContain('Service Type is empty; fill it in.');
		expect(sentTo(sandbox)).toEqual([]);
	});
});

it.each<[string, IDataObject, IDataObject]>([
	['with the code of the heading', { 'Service (1=Harrowing, 2=Ploughing)': 2 }, { serviceType: 3 }],
	['with the code of another style', { 'Service 1-Harrowing 2-Ploughing': 2 }, { serviceType: 3 }],
	['with the code in braces', { 'Service {1=Harrowing,2=Ploughing}': 2 }, { serviceType: 3 }],
	[
		'with the code behind the word',
		{ 'Service (Harrowing: 1, Ploughing: 2)': 2 },
		{ serviceType: 3 },
	],
	[
		'with the name of the heading',
		{ 'Service (1=Harrowing, 2=Ploughing)': 'Ploughing' },
		{ serviceType: 3 },
	],
	['by its label', { 'Service label': 'Ploughing' }, { serviceType: 3 }],
])('a service is read %s', async (_what, cells, request) => {
	const [{ Tractor, Date: day, Phone, Name } = {}] = rowsOf(1);
	await bookSheet(sandbox, [{ Tractor, Date: day, Phone, Name, ...cells }]);
	expect(sentTo(sandbox)).toMatchObject([request]);
});

describe('a column that replaces another one of its field', () => {
	const [day, newDay] = [dayFromNow(3), dayFromNow(5)];

	it.each<[string, IDataObject, RegExp]>([
		[
			'a date',
			{ 'New date': newDay },
			/^Service Date \(column "Date"\): .* in the column "New date"; leave only the right one,/,
		],
		[
			'an area',
			{ 'Area (ha)': 5, 'Approved area (ha)': 2 },
			/^Land Area .*is 2 in the column "Approved area \(ha\)"/,
		],
		[
			'another area',
			{ 'Land Area (ha)': 5, 'Area to be ploughed (ha)': 2 },
			/^Land Area .*is 2 in the column "Area to be ploughed \(ha\)"/,
		],
		['an equal area in another unit', { 'Area (acres)': 2, 'Area (ha)': 2 }, /^Land Area /],
		[
			'a rescheduled date',
			{ 'Rescheduled date': newDay },
			/^Service Date .* in the column "Rescheduled date"; leave only the right one[^"]*$/,
		],
		[
			'a name',
			{ 'Name (corrected)': 'Zainab Wada' },
			/^Farmer Name .*"Zainab Wada" in the column "Name \(corrected\)"/,
		],
		[
			'a service',
			{ 'Confirmed service': 5 },
			/^Service Type .*is 5 in the column "Confirmed service"/,
		],
		[
			'a confirmed date',
			{ 'Confirmed date': newDay },
			/^Service Date .* in the column "Confirmed date"/,
		],
		[
			'an assigned tractor',
			{ 'Assigned tractor': 203 },
			/^Tractor .*in the column "Assigned tractor"/,
		],
		[
			'a phone',
			{ 'Correct phone': '+2348030000099' },
			/^Farmer Phone .*in the column "Correct phone"/,
		],
		[
			'a tractor',
			{ 'Replacement tractor': 203 },
			/^Tractor .*is 203 in the column "Replacement tractor"/,
		],
	])('is an issue of the rows in which it has %s', async (_what, cells, issue) => {
		const blank = Object.fromEntries(Object.keys(cells).map((column) => [column, '']));
		const [first = {}, second = {}] = rowsOf(2, { Date: day });
		const sheet = [
			{ ...first, ...cells },
			{ ...second, ...blank },
		];
		const { items, errors } = await bookSheet(sandbox, sheet, {}, continuing);
		expect(fieldOf(errors, 'reason')).toEqual([expect.stringMatching(issue)]);
		expect(fieldOf(items, 'result')).toEqual(['created']);
	});

	it('is no issue if both are equal, nor if it is the only one', async () => {
		const [both = {}, only = {}] = rowsOf(2, { Date: day, 'Approved area (ha)': 2 });
		await bookSheet(sandbox, [{ ...both, 'Area (ha)': '2' }]);
		await bookSheet(sandbox, [only]);
		expect(sentTo(sandbox)).toMatchObject([{ landArea: 2 }, { landArea: 2 }]);
	});

	it.each(['same', 'Rigasa'])('is no issue if it says %p', async (cell) => {
		const [row = {}] = rowsOf(1, { 'Land Area (ha)': 2, 'New date': 'same' });
		await bookSheet(sandbox, [{ ...row, Area: cell }]);
		expect(sentTo(sandbox)).toMatchObject([{ landArea: 2 }]);
	});

	it('is what the mapping says', async () => {
		const columnMapping = { columns: [{ column: 'New date', field: 'serviceDate' }] };
		await bookSheet(sandbox, rowsOf(1, { Date: day, 'New date': newDay }), {
			options: { columnMapping },
		});
		expect(sentTo(sandbox)).toMatchObject([{ serviceDate: newDay }]);
	});
});

it.each<[string, IDataObject]>([
	['Land Area', { 'Surface utile (ha)': 2 }],
	['Land Area', { 'Acres in hand': 2 }],
	['Land Area', { Eneo: 'ekari 2' }],
	['Land Area', { Hectarz: 2.5 }],
	['Land Area', { Extent: '1/2' }],
])('a sheet without a column of the %s is refused if %p may hold it', async (field, cells) => {
	const { message } = stopOf(await bookSheet(sandbox, rowsOf(2, cells)));
	expect(message).toContain(`${field} is in no row, but may be in "${Object.keys(cells)[0]}"`);
	expect(sandbox.requests.find()).toEqual([]);
});

it('the columns that are missing and those that may hold others are named together', async () => {
	const rows = rowsOf(2).map(({ Date: day, Service, ...row }) => ({
		...row,
		Wen: day,
		Wot: Service,
	}));
	const { said } = stopOf(await bookSheet(sandbox, rows));
	expect(said).toContain('Service Date has no column');
	expect(said).toContain('Service Type is in no row, but may be in "Wen" and "Wot"');
});

it('a sheet without a column of the name is refused if another one may hold it', async () => {
	const rows = rowsOf(2).map(({ Name: name, ...row }) => ({ ...row, 'Out-grwer': name }));
	const { message } = stopOf(await bookSheet(sandbox, rows));
	expect(message).toContain('Farmer Name is in no row, but may be in "Out-grwer"');
});

it('a bare date beside days to come in a column that is not used is an issue of the sheet', async () => {
	const day = dayFromNow(3);
	const sheet = (more: IDataObject) => rowsOf(3, { Date: dayFromNow(0), ...more });
	const { message } = stopOf(await bookSheet(sandbox, sheet({ 'Visit agreed': day })));
	expect(message).toBe(
		'Service Date is in the column "Date", but may be in "Visit agreed"; write it into one column named Service Date, or map the column that has it under Options > Column Mapping; if none of them has it, ignore them all there.',
	);
	const columns = [{ column: 'Visit agreed', field: 'ignore' }];
	const options = { columnMapping: { columns } };
	const { items } = await bookSheet(sandbox, sheet({ 'Visit agreed': day }), { options });
	expect(items).toHaveLength(3);
});

it('a coordinate in one cell needs a sign or a letter if its heading says west', async () => {
	const place = (cell: string) => rowsOf(1, { 'GPS (N, W)': cell });
	const { said } = stopOf(await bookSheet(sandbox, place('5.35, 4.01')));
	expect(said).toContain('has no sign, but its heading says south or west');
	await bookSheet(sandbox, place('5.35, -4.01'));
	expect(sentTo(sandbox)).toMatchObject([{ latitude: 5.35, longitude: -4.01 }]);
});

describe('a sheet without a column of services', () => {
	const rows = (...cells: IDataObject[]) =>
		rowsOf(cells.length).map((row, at) => ({
			...Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'Service')),
			...cells[at],
		}));
	const work = (cell: unknown) => ({ 'Kind of thing': cell }) as IDataObject;

	it('is refused if each area is that of a service', async () => {
		const areas = { 'Ploughing (ha)': '', 'Harrowing (ha)': '' };
		const cells = [
			{ ...areas, 'Ploughing (ha)': 2 },
			{ ...areas, 'Harrowing (ha)': 3 },
		];
		expect(stopOf(await bookSheet(sandbox, rows(...cells))).message).toContain(
			'Service Type is in no row, but may be in "Ploughing (ha)" and "Harrowing (ha)"',
		);
		expect(sandbox.requests.find()).toEqual([]);
	});

	it('is refused if each date is that of a service', async () => {
		const [{ Date: day } = {}] = rowsOf(1);
		const dates = (cells: IDataObject) => ({
			Date: '',
			'Ploughing date': '',
			'Harrowing date': '',
			...cells,
		});
		const cells = [dates({ 'Ploughing date': day }), dates({ 'Harrowing date': day })];
		expect(stopOf(await bookSheet(sandbox, rows(...cells))).message).toContain(
			'Service Type is in no row, but may be in "Ploughing date" and "Harrowing date"',
		);
	});

	it('is refused if a column that is not used may hold them', async () => {
		const cells = [{ ...work('Ploughing'), Group: 'A' }, work('Harrowing'), work('')];
		expect(stopOf(await bookSheet(sandbox, rows(...cells))).message).toBe(
			'Service Type is in no row, but may be in "Kind of thing" and "Group"; write it into one column named Service Type, or map the column that has it under Options > Column Mapping; if none of them has it, ignore them all there.',
		);
		expect(sandbox.requests.find()).toEqual([]);
	});

	it('is refused if columns of ticks may hold them', async () => {
		const sheet = rows({ Plough: 'x' }, { Harrow: 'x' }, { Plant: '✓', Plough: '' });
		const { said } = stopOf(await bookSheet(sandbox, sheet));
		expect(said).toContain('may be in "Plough", "Harrow" and "Plant"; write it into one column');
		expect(sandbox.requests.find()).toEqual([]);
	});

	it.each<[string, IDataObject]>([
		['is ignored', { Ignored: 'A' }],
		['is filled in for half of the rows', {}],
		['holds numbers like phones', { 'ID No': '29111222' }],
		['says when a row was recorded', { Timestamp: '20/11/2026 10:22:31' }],
		['numbers the rows', { 'S/N': 7 }],
		['was written by an earlier run', { reason: 'The row is empty' }],
	])('is booked if the unused column %s', async (_what, cell) => {
		sandbox.settings.requiredFields = [];
		const columns = [{ column: 'Ignored', field: 'ignore' }];
		const options = 'Ignored' in cell ? { columnMapping: { columns } } : {};
		const sheet = rows({ ...work('Ploughing'), ...cell }, { ...work(''), ...cell });
		const { items, error } = await bookSheet(sandbox, sheet, { options });
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'result')).toEqual(['created', 'created']);
	});

	it('is refused whatever fills in the rows that are no requests', async () => {
		const total = { 'Kind of thing': 'Total', Paid: 5 };
		const sheet = [...rows(work('Ploughing')), { Paid: 3 }, { Paid: 4 }, total];
		const { said } = stopOf(await bookSheet(sandbox, sheet));
		expect(said).toContain('may be in "Kind of thing"');
	});

	it('is so, too, if the column is empty', async () => {
		const sheet = rowsOf(2, { Service: '', ...work('Ploughing') });
		const { said } = stopOf(await bookSheet(sandbox, sheet));
		expect(said).toContain('Service Type is in no row, but may be in "Kind of thing"');
	});
});

describe('rows that are no requests', () => {
	it('are named after the run, and stop nobody', async () => {
		const heading = { 'S/N': 'KADUNA SOUTH' };
		const total = {
			'S/N': '',
			Name: 'Grand total:',
			Tractor: 402,
			Service: 6,
			Area: '12',
			Paid: 900,
		};
		const sums = { 'S/N': '', Phone: 'TOTAL', 'Paid?': 900 };
		const note = { 'S/N': '', 'Paid?': 'NB: call all farmers one day before' };
		const remark = { 'S/N': '', Remarks: 'Recorded by Sarr' };
		const rows = [heading, ...rowsOf(2, { 'S/N': 1 }), total, note, sums, remark];
		const fields = { options: { matchFields: ['farmerName', 'serviceDate'] } };
		const result = await bookSheet(sandbox, rows, fields);
		expect(result.error).toBeUndefined();
		expect(tableOf(result.items)).toEqual([
			'2: not sent (the row is no request: "KADUNA SOUTH")',
			'3: created',
			'4: created',
			'5: not sent (the row is no request: "Grand total:")',
			'6: not sent (the row is no request: "NB: call all farmers one day before")',
			'7: not sent (the row is no request: "TOTAL")',
			'8: not sent (the row is no request: "Recorded by Sarr")',
		]);
		expect(warningsOf(result)).toEqual([
			expect.stringContaining('No requests: rows 2, 5 (Grand total:), 6, 7 and 8.'),
		]);
	});

	it.each<[string, IDataObject, boolean]>([
		['a sum', { 'Area (ha)': '12.5', row_number: 9 }, true],
		['sums', { 'Area (ha)': 12.5, 'Paid?': '1,200', Group: 3 }, true],
		['sums of no column that is used', { 'Paid?': '1,200', Group: 3 }, true],
		['an area and its number', { 'Area (ha)': 12.5, 'S/N': 7 }, true],
		['an area with its unit', { 'Area (ha)': '12.5 ha' }, true],
		['an area and a tractor', { 'Area (ha)': 12.5, Tractor: 201 }, false],
		['an area and a name', { 'Area (ha)': 12.5, Name: 'Amina Bello' }, false],
		['an area and a booking', { 'Area (ha)': 12.5, 'Booking ID': 3 }, false],
	])('with nothing but %s: %#', async (_what, row, isSum) => {
		const rows = rowsOf(1, { 'Area (ha)': 1, 'Paid?': '', Group: '', 'Booking ID': '', 'S/N': 1 });
		const { items } = await bookSheet(sandbox, [...rows, row], { dryRun: true });
		expect(fieldOf(items, 'result')).toEqual(['would create', isSum ? 'not sent' : 'to fix']);
	});

	it('are those with one cell, or without a cell that is used', async () => {
		const meta = { Group: 'A', Paid: 5, _uuid: 'u-1' };
		const sheet = [...rowsOf(1, { 'S/N': 1 }), { Name: 'NABOGU', 'S/N': 2 }, meta];
		const result = await bookSheet(sandbox, sheet);
		expect(tableOf(result.items)).toEqual([
			'2: created',
			'3: not sent (the row is no request: "NABOGU")',
			'4: not sent (the row is no request: nothing in the columns that are used)',
		]);
		expect(warningsOf(result)).toEqual([
			expect.stringMatching(/No requests: rows 3 \(NABOGU\) and 4\.$/),
		]);
	});

	it.each<[string, IDataObject]>([
		['a place called Total', { Village: 'Total', Date: dayFromNow(1), Phone: '+2348031019999' }],
		['a name and a place', { Name: 'Amina Bello', Village: 'Rigasa' }],
		['a booking', { 'Booking ID': 'x y' }],
		['a name and a place called Total', { Village: 'Total', Name: 'Amina Bello' }],
	])('are not those with %s', async (_what, row) => {
		const rows = rowsOf(1, { Village: '', 'Paid?': '', Group: '', 'Booking ID': '' });
		const { errors } = await bookSheet(sandbox, [...rows, row], {}, continuing);
		expect(fieldOf(errors, 'result')).toEqual(['to fix']);
	});
});

it('all that is to be said after a run is one hint', async () => {
	const rows = [...rowsOf(3, { Sex: 'F', Remarks: '', Paid: 'yes' }), { Name: 'Amina', Sex: 'F' }];
	await bookSheet(sandbox, rows.slice(0, 1));
	const result = await bookSheet(sandbox, rows, {}, continuing);
	expect(warningsOf(result)).toEqual([
		expect.stringMatching(
			/^1 already booked, 2 created, 1 to fix\. Not read: Paid \(yes\)\. .* Gender left out: "F" in rows 2 \(Farmer 1\), 3 /,
		),
	]);
});

describe('Row ID', () => {
	const options = { rowIdColumn: 'Request no.' };

	it('names a column that is read', async () => {
		const result = await bookSheet(sandbox, rowsOf(2, { 'Request no.': 'R-7' }), { options });
		expect(fieldOf(result.items, 'result')).toEqual(['created', 'created']);
		expect(warningsOf(result).join()).not.toContain('Request no.');
	});

	it('is an issue of the sheet if the sheet has no such column', async () => {
		const { said } = stopOf(await bookSheet(sandbox, rowsOf(2), { options }));
		expect(said).toMatch(/Row ID: "Request no\." is no column/);
		expect(sentTo(sandbox)).toEqual([]);
	});
});

describe('Column Mapping', () => {
	const mapping = (columns: Record<string, string>): INodeParameters => ({
		options: {
			columnMapping: {
				columns: Object.entries(columns).map(([column, field]) => ({
					column,
					field,
				})),
			},
		},
	});

	it('says which column holds a field, and which none', async () => {
		const rows = rowsOf(1, { 'Contact 2': '+2348031019999', Culture: 'maize', Ward: 'III' });
		const fields = mapping({ 'Contact 2': 'farmerPhone', Culture: 'ignore', Ward: 'farmLocation' });
		const result = await bookSheet(sandbox, rows, fields);
		expect(sentTo(sandbox)).toMatchObject([{ farmerPhone: '+2348031019999', farmLocation: 'III' }]);
		expect(sentTo(sandbox)[0]).not.toHaveProperty('crop');
		expect(warningsOf(result)).toEqual([expect.stringContaining('Not read: Phone (')]);
	});

	it('is an issue if the sheet has no such column', async () => {
		const { said } = stopOf(await bookSheet(sandbox, rowsOf(1), mapping({ Fone: 'farmerPhone' })));
		expect(said).toContain(
			'Column Mapping: "Fone" is no column of the input (the columns found are',
		);
		expect(sandbox.requests.find()).toEqual([]);
	});
});

it('parts of names and places are joined, and a place may be in one cell', async () => {
	const [row = {}] = rowsOf(1, {
		'First Name': 'Amina',
		Surname: 'Bello',
		Village: 'Moniya',
		Address: 'Akinyele',
		'GPS Coordinates': '7.37 3.94 0 0',
		'Total Farm Size (ha)': '2 1/2',
		'Service Date': dayFromNow(7),
	});
	delete row.Name;
	const { error } = await bookSheet(sandbox, [row]);
	expect(error).toBeUndefined();
	expect(sentTo(sandbox)).toMatchObject([
		{
			farmerName: 'Amina Bello',
			farmLocation: 'Moniya, Akinyele',
			latitude: 7.37,
			longitude: 3.94,
			landArea: 2.5,
			areaType: 'ha',
			serviceDate: dayFromNow(7),
		},
	]);
});

it('a note may say Pending, a name may not', async () => {
	const [first = {}, second = {}] = rowsOf(2, { Remarks: 'Pending', Comments: 'Call first' });
	const sheet = [first, { ...second, Name: 'Pending' }];
	const { errors } = await bookSheet(sandbox, sheet, {}, continuing);
	expect(sentTo(sandbox)).toMatchObject([{ farmNote: 'Pending; Call first' }]);
	expect(fieldOf(errors, 'reason')).toEqual([
		expect.stringContaining('"Pending" is only a placeholder'),
	]);
});

it('an issue of a place in one cell names its column', async () => {
	const { said } = stopOf(await bookSheet(sandbox, rowsOf(1, { GPS: 'by the river' })));
	expect(said).toContain(
		'Latitude and Longitude (column "GPS"): "by the river" is not a latitude and a longitude',
	);
});

it('a total below the table does not make the column of numbers one that is not used', async () => {
	const rows = [...rowsOf(1, { 'S/N': 1 }), { 'S/N': 'Total', Name: '1' }];
	expect(warningsOf(await bookSheet(sandbox, rows, {}, continuing))).toEqual([
		expect.not.stringContaining('Not used'),
	]);
});

it('rows with nothing but their number are empty', async () => {
	const empty = { Tractor: '', Service: null, Date: ' ', Phone: '', Name: '' };
	const rows = [...rowsOf(1, { 'S/N': 1 }), { ...empty, 'S/N': '2.' }, { ...empty, 'S/N': 3 }];
	const { items, error } = await bookSheet(sandbox, rows);
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'result')).toEqual(['created', 'not sent', 'not sent']);
});

describe('gender words without a number', () => {
	it('of one item are named without its row', async () => {
		const additionalFields = { gender: 'F' };
		expect(warningsOf(await book(sandbox, farmers(1), { additionalFields }))).toEqual([
			expect.stringMatching(/^1 created\. Gender left out: "F"\. To send it, /),
		]);
	});

	it('are left out, and said once', async () => {
		const rows = rowsOf(4).map((row, index) => ({ ...row, Sex: 'MFMF'[index] }));
		const result = await bookSheet(sandbox, rows);
		expect(fieldOf(result.items, 'result')).toEqual(rows.map(() => 'created'));
		for (const request of sentTo(sandbox)) expect(request).not.toHaveProperty('gender');
		expect(warningsOf(result)).toEqual([
			expect.stringMatching(
				/^4 created\. Gender left out: "M" and "F" in rows 2 .* and 5 \(Farmer 4\)\. To send it, .*Options > Gender Words\.$/,
			),
		]);
	});

	it('are an issue if that is chosen', async () => {
		const options = { unknownGender: 'refuse' };
		const { said } = stopOf(await bookSheet(sandbox, rowsOf(1, { Sex: 'F' }), { options }));
		expect(said).toContain('Gender (column "Sex"): "F" is not an integer');
	});
});

describe('dates that may be either', () => {
	const year = new Date().getUTCFullYear() + 1;
	const dates = (clear: string[]) =>
		rowsOf(clear.length + 1).map((row, index) => ({
			...row,
			Date: clear[index] ?? `03/04/${year}`,
		}));
	const five = [25, 26, 27, 28, 29].map((day) => `${day}/11/${year}`);

	it('are read as five others are, and the reason says so', async () => {
		const { items } = await bookSheet(sandbox, dates(five));
		expect(sentTo(sandbox).at(-1)).toMatchObject({ serviceDate: `${year}-04-03` });
		expect(fieldOf(items, 'reason')).toEqual([
			...five.map(() => ''),
			`date "03/04/${year}" read with the day first, as 5 dates of the sheet have it`,
		]);
	});

	it.each([
		['too few', five.slice(1)],
		['if one disagrees', [...five, `11/25/${year}`]],
	])('are an issue: %s', async (_what, clear) => {
		const { said } = stopOf(await bookSheet(sandbox, dates(clear)));
		expect(said).toContain('may be day/month or month/day');
	});

	it('are read as their heading says, unless another date contradicts it', async () => {
		const [row = {}] = rowsOf(1);
		const others = Object.entries(row).filter(([column]) => column !== 'Date');
		const withDate = (date: string) => [
			{ ...Object.fromEntries(others), 'Date (mm/dd/yyyy)': date },
		];
		const either = withDate(`03/04/${year}`);
		await bookSheet(sandbox, either);
		expect(sentTo(sandbox).at(-1)).toMatchObject({ serviceDate: `${year}-03-04` });
		const { said } = stopOf(
			await bookSheet(sandbox, [...either, ...withDate(`25/11/${year}`)], {
				ifAlreadyBooked: 'create',
			}),
		);
		expect(said).toContain('with the day first, as another date of the sheet has it');
	});

	it('are issues if others contradict Date Order', async () => {
		const monthFirst = [...dates(five), ...rowsOf(1, { Date: `04/04/${year}` })];
		const { items, errors } = await bookSheet(
			sandbox,
			monthFirst,
			{ dateOrder: 'monthFirst' },
			continuing,
		);
		expect(fieldOf(items, 'result')).toEqual(['created']);
		expect(fieldOf(errors, 'reason')).toEqual([
			...five.map(() => expect.stringContaining('is not a date with the month first')),
			`Service Date (column "Date"): "03/04/${year}" is ${year}-03-04, or ${year}-04-03 with the day first, as 5 dates of the sheet have it; check Date Order, or write it as YYYY-MM-DD.`,
		]);
	});
});

it('dates whose day and month the spreadsheet has exchanged are issues of their rows', async () => {
	const year = new Date().getUTCFullYear() + 1;
	const serial = serialOf(new Date(`${year}-05-01`));
	const left = [13, 25, 30].map((day) => `${day}/01/${year}`);
	const rows = rowsOf(4).map((row, index) => ({ ...row, Date: left[index] ?? serial }));
	const { items, errors } = await bookSheet(sandbox, rows, {}, continuing);
	expect(items).toHaveLength(3);
	expect(fieldOf(errors, 'reason')).toEqual([
		expect.stringContaining(
			`Service Date (column "Date"): ${serial} is ${year}-05-01, or ${year}-01-05 if the spreadsheet exchanged`,
		),
	]);
});

it('the country in a column is that of the phone, and alone it is no request', async () => {
	const rows = rowsOf(2, { Phone: '0772 123 456', 'Country code': '+256' });
	const blank = Object.fromEntries(Object.keys(rows[0] ?? {}).map((column) => [column, '']));
	const sheet = [...rows.slice(1), { ...blank, 'Country code': '+256' }];
	const { items, error } = await bookSheet(sandbox, sheet, { phoneCountry: 'NG' });
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'result')).toEqual(['created', 'not sent']);
	expect(sentTo(sandbox)).toMatchObject([{ farmerPhone: '+256772123456' }]);
});

it('a place that is exchanged is an issue of its row', async () => {
	const rows = rowsOf(6).map((row, index) => ({
		...row,
		Lat: index === 3 ? 7.44 : 10.5 + index / 10,
		Long: index === 3 ? 10.52 : 7.4,
	}));
	const { items, errors } = await bookSheet(sandbox, rows, {}, continuing);
	expect(items).toHaveLength(5);
	expect(errors[0]?.json.reason).toMatch(
		/Latitude and Longitude: "7\.44, 10\.52" is far from the farms of the other rows, and near them with latitude and longitude exchanged; exchange the two/,
	);
});

describe('a phone whose heading only says number', () => {
	const rows = (more: IDataObject) => {
		const [{ Phone: phone, ...row } = {}] = rowsOf(1);
		return [{ ...row, Number: phone, Timestamp: '20/11/2026 10:22:31', ...more }];
	};

	it('is known by its cells', async () => {
		await bookSheet(sandbox, rows({ 'ID No': 'A 29111222', clusterID: 5_012_345 }));
		expect(sentTo(sandbox)).toMatchObject([{ farmerPhone: '+2348031010000' }]);
	});

	it.each(['ID Number', '_id', 'Joignable au', 'WhatsApp'])(
		'is not, beside such cells in the column %p',
		async (column) => {
			const { said } = stopOf(await bookSheet(sandbox, rows({ [column]: 412345678 })));
			expect(said).toMatch(/^Farmer Phone has no column \(the columns found are .*"Number"/);
			expect(sentTo(sandbox)).toEqual([]);
		},
	);
});

describe('phones without a country', () => {
	const rows = () =>
		rowsOf(3).map((row, index) => (index > 0 ? { ...row, Phone: `0803 123 456${index}` } : row));

	it('are named once', async () => {
		expect(warningsOf(await bookSheet(sandbox, rows()))).toEqual([
			expect.stringMatching(
				/^3 created\. Phone without a country code in rows 3 \(Farmer 2\) and 4 \(Farmer 3\): the farmer may get no SMS/,
			),
		]);
	});

	it('have one with a Phone Country', async () => {
		expect(warningsOf(await bookSheet(sandbox, rows(), { phoneCountry: 'NG' }))).toEqual([]);
	});

	it('that are no known mobile numbers are sent and named', async () => {
		const phones = ['0803 123 4567', '0699 123 4567', '0201 234 5678'];
		const typed = rowsOf(3).map((row, index) => ({ ...row, Phone: phones[index] }));
		const result = await bookSheet(sandbox, typed, { phoneCountry: 'NG' });
		expect(warningsOf(result)).toEqual([
			expect.stringMatching(
				/^3 created\. Phone that is no known mobile number in rows 3 \(Farmer 2\) and 4 /,
			),
		]);
		expect(sentTo(sandbox)).toMatchObject(
			['+2348031234567', '+2346991234567', '+2342012345678'].map((farmerPhone) => ({
				farmerPhone,
			})),
		);
		const reasons = fieldOf(result.items, 'reason').map((reason) =>
			/no known mobile/.test(String(reason)),
		);
		expect(reasons).toEqual([false, true, true]);
	});
});

it('many rows of one day for one tractor are named', async () => {
	const rows = rowsOf(7).map((row, index) =>
		index < 6 ? { ...row, Tractor: 201, Date: dayFromNow(4) } : row,
	);
	expect(warningsOf(await bookSheet(sandbox, rows))).toEqual([
		expect.stringContaining(
			`Several farms on one day: tractor 201 on ${dayFromNow(4)} has rows 2 `,
		),
	]);
});

describe('rows without what other rows have', () => {
	it('are named after the run', async () => {
		const cells = [{}, { Acres: '' }, { Acres: '', Name: '' }, { Acres: 'x', Name: '' }];
		const rows = rowsOf(4, { Acres: 2 }).map((row, at) => ({ ...row, ...cells[at] }));
		await bookSheet(sandbox, rows.slice(0, 1));
		const result = await bookSheet(sandbox, rows, {}, continuing);
		expect(warningsOf(result)).toEqual([
			'1 already booked, 2 created, 1 to fix. Without Land Area: rows 3 (Farmer 2) and 4. Without Farmer Name: row 4.',
		]);
	});

	it('are named if they have no date', async () => {
		sandbox.settings.requiredFields = [];
		const [first = {}, second = {}] = rowsOf(2);
		const fields = { options: { matchFields: ['farmerName'] } };
		const result = await bookSheet(sandbox, [first, { ...second, Date: '' }], fields);
		expect(warningsOf(result)).toEqual(['2 created. Without Service Date: row 3 (Farmer 2).']);
	});

	it('are not named if none has it, unless it is the service', async () => {
		sandbox.settings.requiredFields = [];
		const rows = rowsOf(2, { Acres: '', Name: '', Service: '' });
		expect(warningsOf(await bookSheet(sandbox, rows))).toEqual([
			'2 created. Without Service Type: all rows.',
		]);
	});
});
