import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.cts';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { recordsOf, type Settings } from '../../support/action.cts';
import { bookSheet, eachWithSandbox, sentTo } from '../../support/bookings.cts';
import { DAY, READERS } from './sheets/readers.cts';

// What readers of rows add is nobody's column, and their objects are cells or columns.

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

/** The columns that an operator names, by reader: a reader that is not in it needs none. */
const MAPPED: Readonly<Record<string, Record<string, string>>> = {
	'KoBoToolbox, Get Many': { 'job/farm_gps': 'coordinates', 'job/area_unit': 'areaType' },
	'KoBoToolbox, Get Many with Reformat': {
		'job.farm_gps': 'coordinates',
		'job.area_unit': 'areaType',
	},
};

/** What is asked about beside them: what a person decided. */
const DECIDED: Readonly<Record<string, string>> = {
	'KoBoToolbox, Get Many': '_validation_status.label',
	'KoBoToolbox, Get Many with Reformat': 'validation_status.label',
};

it('Jotform Trigger: only answers are asked about', async () => {
	const item = READERS['Jotform Trigger, without Resolve Data'] ?? {};
	const settings: Settings = { onError: 'continueRegularOutput' };
	const { items } = await bookSheet(sandbox, [item], { dryRun: true }, settings);
	const { summary } = recordsOf(items)[0] as { summary: { otherColumns: IDataObject[] } };
	const asked = summary.otherColumns.map(({ column }) => asText(column));
	expect(asked.length).toBeGreaterThan(5);
	expect(asked.filter((column) => !/^rawRequest\.q\d+_/.test(column))).toEqual([]);
});

// Jotform gives a date as three values: an Edit Fields node has to make one of them.
const READ = Object.entries(READERS).filter(([reader]) => !reader.startsWith('Jotform'));

it.each(READ)('%s: is read at the first run', async (reader, item) => {
	const columns = Object.entries(MAPPED[reader] ?? {}).map(([column, field]) => ({
		column,
		field,
	}));
	const fields = (options: IDataObject) => ({
		phoneCountry: 'NG',
		tractorSelection: 'nearest',
		options: { columnMapping: { columns }, ...options },
	});
	const { items } = await bookSheet(
		sandbox,
		[item],
		{ ...fields({}), dryRun: true },
		{ onError: 'continueRegularOutput' },
	);
	const { summary } = recordsOf(items)[0] as { summary: { otherColumns: IDataObject[] } };
	expect(summary.otherColumns.map(({ column }) => column)).toEqual([DECIDED[reader] ?? []].flat());

	const ignored = { otherColumns: 'ignoreListed', ignoredColumns: DECIDED[reader] ?? '' };
	const { items: booked } = await bookSheet(sandbox, [item], fields(ignored));
	expect(recordsOf(booked)).toMatchObject([{ result: 'created' }]);
	expect(sentTo(sandbox)).toMatchObject([
		{
			...{ farmerName: 'Amina Bello', farmerPhone: '+2348031234567', serviceDate: DAY },
			...{ landArea: 2.5, areaType: 'ha', latitude: 10.5222, longitude: 7.4384 },
		},
	]);
});
