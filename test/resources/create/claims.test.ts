import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { perform, type Settings } from '../../support/action';
import { dayFromNow, farmers, tableOf } from '../../support/bookings';
import { processedData } from '../../support/engine';
import { LateService } from '../../support/lateService';
import { skipped } from '../../support/skippedTime';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../../support/shortPauses'),
);

const MINUTE_MS = 60_000;
const realNow = Date.now.bind(Date);

let service: LateService;

beforeEach(async () => {
	skipped.ms = 0;
	forgetKeys();
	processedData.clear();
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + skipped.ms);
	service = await LateService.start();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

/** n8n restarts: the process has no memory of its own. */
const restart = forgetKeys;

/** Rows with a number of their own each. */
const rows = farmers(3).map(({ tractor, service: serviceType, date, phone, name }, at) => ({
	'Tractor ID': tractor,
	'Service Type': serviceType,
	'Service Date': date,
	'Farmer Phone': phone,
	'Farmer Name': name,
	'Request No': `R-${at + 1}`,
}));
const [first = {}, second = {}, third = {}] = rows as IDataObject[];

/** So many rows without a Row ID. */
const many = (count: number): IDataObject[] =>
	farmers(count).map(({ phone, name }) => ({
		...first,
		'Farmer Phone': phone,
		'Farmer Name': name,
		'Request No': '',
	}));

async function run(
	given: IDataObject[],
	options: INodeParameters = {},
	settings: Settings & { dryRun?: boolean } = {},
): Promise<string[]> {
	const { dryRun = false, ...others } = settings;
	const { items, errors } = await perform(
		service,
		'booking:createFromSpreadsheet',
		{
			phoneCountry: 'none',
			tractorSelection: 'id',
			dryRun,
			options: { rowIdColumn: 'Request No', notInSheet: ['landArea'], ...options },
		},
		{ rows: given, onError: 'continueErrorOutput', ...others },
	);
	return tableOf(items, errors);
}

const matching = (text: string): unknown => expect.stringMatching(text);

describe('a Row ID that was booked', () => {
	beforeEach(async () => {
		expect(await run(rows)).toEqual(['2: created', '3: created', '4: created']);
		restart();
		skipped.ms += 25 * MINUTE_MS;
	});

	it.each<[string, IDataObject]>([
		['name and day', { 'Farmer Name': 'Amina', 'Service Date': dayFromNow(15) }],
		['phone and day', { 'Farmer Phone': '+2348039990001', 'Service Date': dayFromNow(15) }],
		['service and day', { 'Service Type': 4, 'Service Date': dayFromNow(15) }],
	])('is never sent again, whatever else changes: %s', async (_what, change) => {
		expect((await run([{ ...second, ...change }]))[0]).toMatch(/^2: already booked \(Row ID "R-2"/);
		expect(service.bookings).toHaveLength(3);
	});

	it('is never sent again with Create Anyway, nor where the list does not show its booking', async () => {
		service.bookings = [];
		for (const ifAlreadyBooked of ['skip', 'create'])
			expect(await run([second], { ifAlreadyBooked })).toEqual([
				matching('^2: already booked .* the list does not show which .* give it a new Row ID'),
			]);
		expect(service.counts.create).toBe(3);
	});

	it('has its booking in the output, if the list shows which it is', async () => {
		const [table] = await run([{ ...second, 'Service Date': dayFromNow(15) }]);
		expect(table).toContain('as booking 5002 (new)');
	});

	it('does not keep its booking from being that of another request', async () => {
		// The same farmer and day, and all else that the list may show: another field.
		const field = { ...second, 'Request No': 'R-9', 'Farm Location': 'the lower field' };
		expect(await run([field])).toEqual(['2: created']);
	});

	it.each([
		['which a spreadsheet rewrote', {}, 'possible duplicate'],
		['which is that of another job', { ifPossibleDuplicate: 'book' }, 'created'],
		['to skip', { ifPossibleDuplicate: 'skip' }, 'already booked'],
	])('another Row ID of an equal row, %s', async (_what, options, result) => {
		restart();
		const rewritten = { ...second, 'Request No': 'r-2' };
		expect(await run([rewritten], options)).toEqual([matching(`^2: ${result}`)]);
	});

	it('is to fix for another farmer, as where numbers begin at 1 in each sheet', async () => {
		const other = { ...third, 'Farmer Name': 'Zainab', 'Farmer Phone': '+2348039990009' };
		expect(await run([other])).toEqual([
			matching('^2: to fix .*"R-3" was booked for another farmer'),
		]);
	});
});

it('two requests with one Row ID are to fix, and a row that is typed twice is not', async () => {
	expect(await run([first, first, { ...second, 'Request No': 'R-1' }])).toEqual([
		matching('^2: to fix .*"R-1" is in row 4'),
		matching('^3: to fix .*"R-1" is in row 4'),
		matching('^4: to fix .*"R-1" is in row 2'),
	]);
	expect(await run([first, first])).toEqual(['2: created', matching('^3: already booked')]);
});

it('a Row ID that was only sent is unknown until its claim ends, and then matched', async () => {
	service.fate = (_request, count) => (count === 1 ? 'dropped' : 'booked');
	expect((await run([first]))[0]).toMatch(/^2: unknown/);
	restart();
	const edited = { ...first, 'Farmer Name': 'Amina', 'Farmer Phone': '+2348039990009' };
	expect((await run([edited]))[0]).toMatch(/^2: unknown/);
	skipped.ms += 20 * MINUTE_MS;
	expect(await run([edited])).toEqual(['2: created']);
	expect(service.bookings).toHaveLength(1);
});

it('Dry Run sees Row IDs, and records nothing', async () => {
	await run([first]);
	const { size } = processedData;
	const [known, fresh] = await run([first, second], {}, { dryRun: true });
	expect(known).toMatch(/^2: already booked/);
	expect(fresh).toBe('3: would create');
	expect(processedData.size).toBe(size);
});

it('what is left in n8n after a run are Row IDs, once the claims have ended', async () => {
	await run(rows);
	skipped.ms += 25 * MINUTE_MS;
	await run(rows);
	// The ID, the job and the booking twice each, and the farmer's name and phone.
	expect(processedData.size).toBe(8 * rows.length);
});

describe('a claim', () => {
	it('is given back if the service refused the row', async () => {
		service.fate = () => 'refused';
		expect((await run([first]))[0]).toMatch(/^2: failed/);
		restart();
		service.fate = () => 'booked';
		expect(await run([first])).toEqual(['2: created']);
	});

	it('is given back by rows that are not sent after a 403', async () => {
		service.fate = () => 'forbidden';
		const before = await run(rows);
		expect(before.filter((line) => line.includes('not sent')).length).toBeGreaterThan(0);
		restart();
		service.fate = () => 'booked';
		expect(await run(rows)).toEqual(['2: created', '3: created', '4: created']);
	});

	it('takes three writes for five rows', async () => {
		await run(many(20));
		expect(service.bookings).toHaveLength(20);
		// Two before, to look for lost rows, and one in the end.
		expect(processedData.writes).toBeLessThanOrEqual(2 + 3 * 4 + 1);
	});
});

describe("n8n's memory fails", () => {
	it('in the middle: rows that were not sent are not', async () => {
		service.fate = (_request, count) => {
			if (count === 2) processedData.failure = new Error('the disk is full');
			return 'booked';
		};
		const table = await run(many(12));
		const isSent = (line: string) => line.endsWith(': created');
		expect(table.filter(isSent).length).toBe(service.bookings.length);
		expect(table.filter((line) => !isSent(line))).toEqual(
			expect.arrayContaining([matching('not sent .*the disk is full')]),
		);
		expect(table.filter((line) => line.includes('unknown'))).toEqual([]);
		expect(service.bookings.length).toBeLessThan(12);
	});
});
