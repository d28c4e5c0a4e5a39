import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Question } from '../../../nodes/TractorBooking/resources/booking/create/questions';
import type { Sandbox } from '../../../sandbox/index.cts';
import { recordsOf } from '../../support/action.cts';
import {
	bookSheet,
	dayFromNow,
	eachWithSandbox,
	farmers,
	sentTo,
} from '../../support/bookings.cts';

// What the summary of Dry Run asks of a sheet, for a form to ask a person.

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

const year = Number(dayFromNow(0).slice(0, 4)) + 1;

function rowsOf(count: number, more: IDataObject = {}): IDataObject[] {
	return farmers(count).map(({ phone, name }) => ({
		'Farmer Name': name,
		'Farmer Phone': phone,
		'Tractor ID': 201,
		'Service Type': 3,
		'Service Date': `${year}-05-12`,
		'Land Area': '2 ha',
		...more,
	}));
}

function without(row: IDataObject, ...names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

async function questionsOf(rows: IDataObject[], fields: INodeParameters = {}) {
	const { items } = await bookSheet(
		sandbox,
		rows,
		{ dryRun: true, ...fields },
		{ onError: 'continueRegularOutput' },
	);
	expect(sentTo(sandbox)).toEqual([]);
	const { questions } = recordsOf(items)[0]?.summary as { questions: Question[] };
	return questions;
}

it('asks nothing of a sheet that says everything', async () => {
	expect(await questionsOf(rowsOf(3))).toEqual([]);
});

describe('the order of dates', () => {
	const answers = [
		{ text: `5 December ${year} (the day first)`, value: 'dayFirst' },
		{ text: `12 May ${year} (the month first)`, value: 'monthFirst' },
		{ text: 'None of these: do not book these rows', value: 'refuse' },
	];

	it('is asked with a date that has two readings', async () => {
		const [one, two, three] = rowsOf(3);
		const rows = [
			{ ...one, 'Service Date': `12 May ${year}` },
			{ ...two, 'Service Date': `25/12/${year - 2000}` },
			{ ...three, 'Service Date': `05/12/${year}` },
		];
		expect(await questionsOf(rows)).toEqual([
			{ about: 'dateOrder', column: 'Service Date', value: `05/12/${year}`, rows: 2, answers },
		]);
		expect(await questionsOf(rows, { dateOrder: 'dayFirst' })).toEqual([]);
	});

	it('is not asked if the heading says it', async () => {
		const [row = {}] = rowsOf(1);
		const said = { ...without(row, 'Service Date'), 'Service Date (dd/mm/yyyy)': `05/12/${year}` };
		expect(await questionsOf([said])).toEqual([]);
	});
});

it('asks for the unit of areas that name none', async () => {
	const [one, two, three] = rowsOf(3);
	const rows = [one, { ...two, 'Land Area': 2.5 }, { ...three, 'Land Area': 3, Unit: 'ha' }];
	const [question, ...others] = await questionsOf(rows.map((row) => ({ ...row })));
	expect(question).toMatchObject({ about: 'areaUnit', column: 'Land Area', value: '2.5', rows: 1 });
	expect(question?.answers.map(({ value }) => value)).toEqual(['ha', 'ac', '']);
	expect(others).toEqual([]);
	expect(await questionsOf([{ ...two, 'Land Area': 2 }], { options: { areaUnit: 'ac' } })).toEqual(
		[],
	);
});

it('does not ask for the country if a column that may hold the phone says it', async () => {
	const rows = rowsOf(5).map((row, at) => ({
		...without(row, 'Farmer Phone'),
		...{ Contact: `+23480312345${10 + at}`, Account: 7_000_001 + at },
	}));
	const asked = await questionsOf(rows);
	expect(asked.map(({ about }) => about)).toEqual(['columnMapping']);
});

it('asks nothing about rows that are no request', async () => {
	const total = { 'Farmer Name': 'TOTAL', 'Land Area': 45 };
	expect(await questionsOf([...rowsOf(2), total])).toEqual([]);
});

it('offers a column with units for areas that name none', async () => {
	const rows = rowsOf(2).map((row) => ({ ...row, 'Land Area': 2, 'U/M': 'acres' }));
	const [question] = await questionsOf(rows);
	expect(question?.answers[0]).toEqual({ text: 'U/M (acres)', value: { areaType: 'U/M' } });
});

it('asks for the country of phones without a country code', async () => {
	const [one, two, three] = rowsOf(3);
	const rows = [
		{ ...one },
		{ ...two, 'Farmer Phone': '0803 123 4567' },
		{ ...three, 'Farmer Phone': '+234 803 123 4568' },
	];
	const [question, ...others] = await questionsOf(rows);
	expect(question).toMatchObject({ about: 'phoneCountry', value: '0803 123 4567', rows: 1 });
	const texts = [
		{ text: 'Nigeria (+234)', value: 'NG' },
		{ text: 'None: leave them as typed', value: 'none' },
	];
	expect(question?.answers).toEqual(expect.arrayContaining(texts));
	expect(others).toEqual([]);
	expect(await questionsOf(rows, { phoneCountry: 'NG' })).toEqual([]);
});

it('asks what to do with an optional column that cannot be read', async () => {
	const rows = rowsOf(3).map((row, at) => ({ ...row, Gender: ['F', 1, 'M'][at] }));
	expect(await questionsOf(rows)).toEqual([
		{
			about: 'ignoredColumns',
			column: 'Gender',
			value: 'F',
			rows: 2,
			answers: [
				{ text: 'Leave the column out', value: 'Gender' },
				{ text: 'Do not book these rows', value: '' },
			],
		},
	]);
	const options = { otherColumns: 'ignoreListed', ignoredColumns: 'Gender' };
	expect(await questionsOf(rows, { options })).toEqual([]);
});

describe('a service that no tractor offers', () => {
	it.each<[string, INodeParameters, IDataObject]>([
		['of the tractor that is named', {}, {}],
		['nearby', { tractorSelection: 'nearest' }, { Latitude: 10.5222, Longitude: 7.4384 }],
		['of a sheet with other columns', {}, { Status: 'Approved' }],
	])('%s is asked about, with those that are', async (_, fields, cells) => {
		const words = ['Ploughing', 'Ploughin', 'Ploughin'];
		const rows = rowsOf(3, cells).map((row, at) => ({ ...row, 'Service Type': words[at] }));
		const [question, ...others] = await questionsOf(
			fields.tractorSelection ? rows.map((row) => without(row, 'Tractor ID')) : rows,
			fields,
		);
		const isSample = fields.tractorSelection !== undefined && 'Status' in cells;
		expect(question).toMatchObject({ value: 'Ploughin', rows: isSample ? 1 : 2 });
		const texts = question?.answers.map(({ text }) => text);
		expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/^Ploughing \(3\)$/)]));
		expect(texts?.at(-1)).toMatch(/^None of these/);
		expect(others).toEqual([]);
	});

	it.each([{}, { Status: 'Approved' }])(
		'is not one that other tractors offer: %j',
		async (more) => {
			const [one = {}, two = {}] = rowsOf(2, { 'Service Type': 'Ploughing', ...more });
			// Of two tractors, one does not plough.
			const other = [...sandbox.store.tractors.values()].find(
				({ services }) => !services.some(({ id }) => id === 3),
			);
			expect(other).toBeDefined();
			const asked = await questionsOf([one, { ...two, 'Tractor ID': other?.id ?? 0 }]);
			expect(asked).toEqual([]);
		},
	);
});

it('asks of all that other columns may hold, if no column is known to', async () => {
	const rows = rowsOf(2).map((row) => ({
		...without(row, 'Farmer Phone', 'Service Type', 'Service Date', 'Land Area'),
		...{
			Contact: '0803 123 4567',
			Date: `05/12/${year}`,
			Size: 2.5,
			Remark: 'x',
			start: `${year}-01-02`,
			_id: 1001,
		},
	}));
	const asked = (await questionsOf(rows)).filter(({ about }) => about !== 'columnMapping');
	const short = asked.map(({ about, column, value }) => [about, column, value]);
	expect(short).toEqual([
		['dateOrder', '', `05/12/${year}`],
		['areaUnit', '', ''],
		['phoneCountry', '', ''],
	]);
});

describe('which column holds a field', () => {
	const answersOf = ({ field, answers }: Question) => [field, ...answers.map(({ text }) => text)];

	it('is asked of a field that no column holds, with those that can be read as it', async () => {
		const rows = rowsOf(5).map((row, at) => ({
			...without(row, 'Land Area', 'Farmer Phone', 'Service Date'),
			Contact: `0803 123 456${at}`,
			Day: 46_364,
			'farm/how_big': 2 + at,
			'farm/farm_size': '2 ha',
			Remark: 'x',
		}));
		const asked = (await questionsOf(rows)).filter(({ about }) => about === 'columnMapping');
		expect(asked.map(answersOf)).toEqual([
			[
				'farmerPhone',
				'Contact (0803 123 4560, 0803 123 4561, 0803 123 4562 …)',
				'Not in this sheet',
			],
			['serviceDate', 'Day (2026-12-08)', 'Not in this sheet'],
			[
				'landArea',
				'farm/farm_size (2 ha)',
				'Day (46364)',
				'farm/how_big (2, 3, 4 …)',
				'Not in this sheet',
			],
		]);
		expect(asked[0]?.answers[0]?.value).toEqual({ farmerPhone: 'Contact' });
	});

	it('is asked once of a place, which is in one column or in two, or that of a tractor', async () => {
		const rows = rowsOf(5, { North: 10.5222, East: 7.4384, Spot: '10.5, 7.4', Machine: 201 });
		const asked = await questionsOf(
			rows.map((row) => without(row, 'Tractor ID')),
			{ tractorSelection: 'idOrNearest' },
		);
		expect(asked.map(answersOf)).toEqual([
			[
				'coordinates',
				'Spot (10.5, 7.4)',
				'Latitude: North (10.5222), Longitude: East (7.4384)',
				'Latitude: East (7.4384), Longitude: North (10.5222)',
				'Tractor ID: Machine (201)',
				'Not in this sheet',
			],
		]);
		expect(asked[0]?.answers.map(({ value }) => value)).toEqual([
			{ coordinates: 'Spot' },
			{ latitude: 'North', longitude: 'East' },
			{ latitude: 'East', longitude: 'North' },
			{ tractorId: 'Machine' },
			'',
		]);
	});

	it('is asked of a field that two columns hold, and settled by Column Mapping', async () => {
		const rows = rowsOf(2).map((row) => ({
			...without(row, 'Farmer Phone'),
			Phone: '+2348031234567',
			Mobile: '+2348031234568',
		}));
		expect((await questionsOf(rows)).map(answersOf)).toEqual([
			['farmerPhone', 'Phone (+2348031234567)', 'Mobile (+2348031234568)'],
		]);
		const columnMapping = { columns: [{ column: 'Mobile', field: 'farmerPhone' }] };
		expect(await questionsOf(rows, { options: { columnMapping } })).toEqual([]);
	});

	it('is asked of a place in degrees under a heading for a place in words', async () => {
		const rows = rowsOf(5, { Location: '10.5, 7.4' });
		const [question] = await questionsOf(
			rows.map((row) => without(row, 'Tractor ID')),
			{
				tractorSelection: 'nearest',
			},
		);
		expect(question?.answers).toEqual([
			{ text: 'Location (10.5, 7.4)', value: { coordinates: 'Location' } },
			{ text: 'Not in this sheet', value: '' },
		]);
	});

	it('is asked of a place that is in one column, and in two', async () => {
		const rows = rowsOf(2, { GPS: '10.5, 7.4', Lat: 10.5, Long: 7.4 });
		const [question] = await questionsOf(rows.map((row) => without(row, 'Tractor ID')));
		expect(question?.answers.map(({ value }) => value)).toEqual([
			{ coordinates: 'GPS' },
			{ latitude: 'Lat', longitude: 'Long' },
		]);
	});

	it('is not asked of headings below the first line', async () => {
		const [headings = {}] = rowsOf(1);
		const rows = [Object.keys(headings), Object.values(headings)].map((cells) =>
			Object.fromEntries(cells.map((cell, at) => [`__EMPTY_${at}`, cell])),
		);
		expect(await questionsOf(rows)).toEqual([]);
	});
});
