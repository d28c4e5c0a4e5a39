import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { recordsOf, type Settings } from '../../support/action.cts';
import { bookSheet, eachWithSandbox, mapping, sentTo } from '../../support/bookings.cts';
import { DAY, READERS } from './sheets/readers.cts';

// What readers of rows add is nobody's column, and their objects are cells or columns.

const sandbox = eachWithSandbox();

/** The columns that an operator maps, and what a person decided, which is asked about: other readers need neither. */
const NAMED: Readonly<Record<string, [mapped: Record<string, string>, decided: string]>> = {
	'KoBoToolbox, Get Many': [
		{ 'job/farm_gps': 'coordinates', 'job/area_unit': 'areaType' },
		'_validation_status.label',
	],
	'KoBoToolbox, Get Many with Reformat': [
		{ 'job.farm_gps': 'coordinates', 'job.area_unit': 'areaType' },
		'validation_status.label',
	],
};

/** Runs an item, and goes on if the sheet has a problem. @returns the columns that are asked about */
async function askedOf(item: IDataObject, fields: INodeParameters): Promise<string[]> {
	const settings: Settings = { onError: 'continueRegularOutput' };
	const { items } = await bookSheet(sandbox, [item], { ...fields, dryRun: true }, settings);
	const { summary } = recordsOf(items)[0] as { summary: { otherColumns: IDataObject[] } };
	return summary.otherColumns.map(({ column }) => asText(column));
}

it('Jotform Trigger: only answers are asked about', async () => {
	const asked = await askedOf(READERS['Jotform Trigger, without Resolve Data'] ?? {}, {});
	expect(asked.length).toBeGreaterThan(5);
	expect(asked.filter((column) => !/^rawRequest\.q\d+_/.test(column))).toEqual([]);
});

// Jotform gives a date as three values: an Edit Fields node has to make one of them.
const READ = Object.entries(READERS).filter(([reader]) => !reader.startsWith('Jotform'));

it.each(READ)('%s: is read at the first run', async (reader, item) => {
	const [mapped, ignoredColumns = ''] = NAMED[reader] ?? [{}];
	const fields = { phoneCountry: 'NG', tractorSelection: 'nearest' };
	const options = mapping(mapped);
	expect(await askedOf(item, { ...fields, options })).toEqual(
		ignoredColumns ? [ignoredColumns] : [],
	);
	const all = { ...options, otherColumns: 'ignoreListed', ignoredColumns };
	const { items } = await bookSheet(sandbox, [item], { ...fields, options: all });
	expect(recordsOf(items)).toMatchObject([{ result: 'created' }]);
	expect(sentTo(sandbox)).toMatchObject([
		{
			...{ farmerName: 'Amina Bello', farmerPhone: '+2348031234567', serviceDate: DAY },
			...{ landArea: 2.5, areaType: 'ha', latitude: 10.5222, longitude: 7.4384 },
		},
	]);
});
