import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { recordsOf, type Settings } from '../../support/action.cts';
import { bookSheet, eachWithSandbox, mapping, outcomeOf, sentTo } from '../../support/bookings.cts';
import { KOBO_REQUESTS, koboExport, type KoboSettings } from './sheets/kobo.cts';
import { DAY, READERS } from './sheets/readers.cts';

// What readers of rows add is nobody's column, and their objects are cells or columns.

const sandbox = eachWithSandbox();

/** What a person decided, which is asked about. */
const DECIDED: Readonly<Record<string, string>> = {
	'KoBoToolbox, Get Many': '_validation_status.label',
	'KoBoToolbox, Get Many with Reformat': 'validation_status.label',
	'an export of ODK Central': 'ReviewState',
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
	const { [reader]: ignoredColumns = '' } = DECIDED;
	const fields = { phoneCountry: 'NG', tractorSelection: 'nearest' };
	expect(await askedOf(item, fields)).toEqual(ignoredColumns ? [ignoredColumns] : []);
	const options = { ignoredColumns };
	const { items } = await bookSheet(sandbox, [item], { ...fields, options });
	expect(recordsOf(items)).toMatchObject([{ result: 'created' }]);
	expect(sentTo(sandbox)).toMatchObject([
		{
			...{ farmerName: 'Amina Bello', farmerPhone: '+2348031234567', serviceDate: DAY },
			...{ landArea: 2.5, areaType: 'ha', latitude: 10.5222, longitude: 7.4384 },
		},
	]);
});

it.each<[what: string, settings: KoboSettings, sex: string, choice: (text: string) => string]>([
	[
		'names in groups',
		{ format: 'xml', groups: true },
		'grp_farmer/sex',
		(text) => text.toLowerCase().replace(' ', '_'),
	],
	['labels', { format: 'labels', groups: false }, 'Sex', (text) => text],
	[
		'labels in groups, and words for its ticks',
		{ format: 'labels', groups: true, ticks: ['False', 'True'] },
		'Farmer/Sex',
		(text) => text,
	],
])('an export of KoBoToolbox with %s: each row is booked', async (_, settings, sex, choice) => {
	const options = { ...mapping({ [sex]: 'ignore' }), otherColumns: 'ignore' };
	const fields = { phoneCountry: 'NG', tractorSelection: 'nearest', options };
	const rows = koboExport(settings, KOBO_REQUESTS);
	const { results, table } = await outcomeOf(bookSheet, sandbox, rows, fields);
	expect(results).toEqual([...Array<string>(5).fill('created'), 'to fix']);
	expect(table[5]).toMatch(
		/names several services\. Write the one that is meant; if all are, make a row for each/,
	);
	const sent = sentTo(sandbox) as IDataObject[];
	const place = { latitude: 10.52, longitude: 7.43 };
	expect(sent[0]).toMatchObject({ ...place, serviceType: 3, landArea: 1, areaType: 'ha' });
	expect(sent[3]).toMatchObject({ landArea: 4, areaType: 'ac', farmerPhone: '+2348031234563' });
	const crops = sent.map((request) => request.crops);
	const two = ['Maize', 'Sweet potato'].map(choice);
	expect(crops).toEqual([two, [choice('Beans')], undefined, two, two]);
});
