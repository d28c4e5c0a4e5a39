import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { perform, type Settings } from '../../support/action';
import { dayFromNow, farmers } from '../../support/bookings';
import { processedData } from '../../support/engine';
import { fastNow, skip } from '../../support/fastClock';
import { LateService } from '../../support/lateService';

jest.mock('../../../nodes/TractorBooking/api/abort', () => {
	const { fastAbort } =
		jest.requireActual<typeof import('../../support/fastClock')>('../../support/fastClock');
	return fastAbort;
});

let service: LateService;

beforeEach(async () => {
	jest.spyOn(Date, 'now').mockImplementation(fastNow);
	forgetKeys();
	processedData.clear();
	service = await LateService.start();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

const [one = {}, two = {}] = farmers(2);
const first: IDataObject = { ...one, no: 'R-1' };
const second: IDataObject = { ...two, no: 'R-2' };

/** The first row, so that nothing but its name and Row ID tells that it is booked. */
const edited: IDataObject = { ...first, phone: '+2348039990001', date: dayFromNow(30) };

const sheet: INodeParameters = {
	rowIdColumn: 'no',
	columnMapping: { columns: [{ column: 'date', field: 'serviceDate' }] },
};

async function run(
	rows: IDataObject[],
	{ dryRun = false, ...options }: INodeParameters = {},
	settings: Settings = {},
) {
	return await perform(
		service,
		'booking:createFromSpreadsheet',
		{ dryRun, options: { ...sheet, ...options } },
		{ rows, onError: 'continueErrorOutput', ...settings },
	);
}

async function book(...given: Parameters<typeof run>) {
	const { items, errors } = await run(...given);
	return [...items, ...errors].map(({ json }) => asText(json.result));
}

const otherWorker: Settings = { apiKey: 'the-same-key-on-another-worker' };
const createAnyway: INodeParameters = { ifAlreadyBooked: 'create' };

const another: IDataObject = { ...second, no: 'R-1' };
const nothing = () => undefined;

it.each<[string, IDataObject[], () => void, INodeParameters, Settings, string[], number]>([
	['edited', [edited], nothing, {}, {}, ['already booked'], 1],
	['edited, after a restart', [edited], forgetKeys, {}, {}, ['already booked'], 1],
	['edited, on another worker', [edited], nothing, {}, otherWorker, ['already booked'], 1],
	['Create Anyway', [edited], forgetKeys, createAnyway, {}, ['already booked'], 1],
	['as it was, Create Anyway', [first], forgetKeys, createAnyway, {}, ['already booked'], 1],
	['Fail', [edited], nothing, { ifAlreadyBooked: 'fail' }, {}, ['to fix'], 1],
	[
		'only the phone',
		[{ ...first, phone: edited.phone }],
		forgetKeys,
		{},
		{},
		['already booked'],
		1,
	],
	[
		'edited, and typed twice',
		[edited, edited],
		nothing,
		{},
		{},
		Array(2).fill('already booked'),
		1,
	],
	['Dry Run', [edited], forgetKeys, { dryRun: true }, {}, ['already booked'], 1],
	['another farmer', [another], forgetKeys, {}, {}, ['to fix'], 1],
	['another farmer, Create Anyway', [another], forgetKeys, createAnyway, {}, ['to fix'], 1],
	['another Row ID', [{ ...edited, no: 'R-9' }], nothing, {}, {}, ['created'], 2],
	['an empty Row ID', [{ ...edited, no: '' }], nothing, {}, {}, ['created'], 2],
])(
	'a row that is booked, and comes again: %s',
	async (_what, rows, between, options, settings, results, booked) => {
		expect(await book([first])).toEqual(['created']);
		between();
		expect(await book(rows, options, settings)).toEqual(results);
		// Nor does that run teach anything wrong.
		forgetKeys();
		expect(await book([first], createAnyway)).toEqual(['already booked']);
		expect(service.bookings).toHaveLength(booked);
	},
);

it('a row found booked by its match fields', async () => {
	expect(await book([{ ...first, no: '' }, second])).toEqual(['created', 'created']);
	expect(await book([first])).toEqual(['already booked']);
	forgetKeys();
	expect(await book([edited])).toEqual(['already booked']);
	expect(service.bookings).toHaveLength(2);
});

it.each([{}, createAnyway])('two rows with one Row ID, %j', async (options) => {
	expect(await book([first, another], options)).toEqual(['to fix', 'to fix']);
	expect(service.bookings).toEqual([]);
});

it('two runs at once with Create Anyway, on two workers, list late', async () => {
	service.listedAfterMs = 60_000;
	const results = await Promise.all([
		book([first], createAnyway),
		book([first], createAnyway, otherWorker),
	]);
	expect(results.flat().sort()).toEqual(['created', 'unknown']);
	expect(service.bookings).toHaveLength(1);
});

it('a booking that is found by search, in a run that dies before its end', async () => {
	let cancel: () => void = () => undefined;
	let listsBefore = Infinity;
	service.fate = (_request, count) => {
		listsBefore = service.counts.list;
		return count === 1 ? 'lost' : 'dropped';
	};
	service.beforePage = async () => {
		// The first one is found at the first look, the second one is looked for until then.
		if (service.counts.list >= listsBefore + 4) {
			processedData.failure = new Error('n8n is gone');
			cancel();
		}
		return await Promise.resolve();
	};
	await run([first, second], {}, { started: (execution) => ({ cancel } = execution) });
	expect(processedData.failure).toBeDefined();
	processedData.failure = undefined;
	listsBefore = Infinity;
	forgetKeys();
	skip(20 * 60_000);
	expect(await book([edited])).toEqual(['already booked']);
});

it('a Dry Run records nothing', async () => {
	expect(await book([first], { dryRun: true })).toEqual(['would create']);
	expect(processedData.size).toBe(0);
	expect(await book([first])).toEqual(['created']);
});

it('an n8n that died while it looked a Row ID up has booked nothing', async () => {
	const remove = jest
		.spyOn(processedData, 'removeProcessed')
		.mockRejectedValueOnce(new Error('killed'));
	await run([first], { dryRun: true });
	remove.mockRestore();
	forgetKeys();
	expect(await book([first])).toEqual(['created']);
});

it('n8n that cannot look Row IDs up books nothing', async () => {
	processedData.failure = new Error('the disk is full');
	const { items, errors, error } = await run([first, second]);
	const text = JSON.stringify([items, errors, error?.message]);
	expect(text).toMatch(/the disk is full\. Run the rows again/);
	expect(service.bookings).toEqual([]);
});

it('n8n that cannot record a Row ID fails no row', async () => {
	service.fate = () => {
		processedData.failure = new Error('the disk is full');
		return 'booked';
	};
	expect(await book([first])).toEqual(['created']);
});

it('a column that is not there stops the sheet', async () => {
	const { items, errors, error } = await run([first], { rowIdColumn: 'Request no.' });
	expect(JSON.stringify([items, errors, error?.message])).toMatch(/Row ID.*Request no\./);
	expect(service.bookings).toEqual([]);
});

describe('a sheet with Booking IDs, none of which was written back', () => {
	const columns = { rowIdColumn: '' };
	const unnumbered = [one, two].map((row) => ({ ...row, 'Booking ID': '' }));

	it.each<[string, IDataObject, string]>([
		['as it was', {}, 'already booked'],
		['with another remark', { farmNote: 'by the gate' }, 'already booked'],
		['with another area', { area: '3 ha' }, 'possible duplicate'],
		['with another service', { service: 4 }, 'possible duplicate'],
	])('comes again after a restart, %s', async (_what, change, result) => {
		expect(await book(unnumbered, columns)).toEqual(['created', 'created']);
		forgetKeys();
		skip(20 * 60_000);
		const again = unnumbered.map((row) => ({ ...row, ...change }));
		expect(await book(again, columns)).toEqual([result, result]);
		expect(service.bookings).toHaveLength(2);
	});
});
