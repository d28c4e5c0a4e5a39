import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { recordsOf, type Settings } from '../../support/action.cts';
import {
	bookSheet,
	eachWithSandbox,
	mapping,
	outcomeOf,
	sentTo,
	sheetOf,
	sheetRows,
} from '../../support/bookings.cts';
import { KOBO_REQUESTS, koboExport, type KoboSettings } from './sheets/kobo.cts';
import { DAY, READERS } from './sheets/readers.cts';

// What readers of rows add is nobody's column, and their objects are cells or columns.

const sandbox = eachWithSandbox();

/** What a person decided, which is asked about. */
const DECIDED: Readonly<Record<string, string>> = {
	'KoBoToolbox, Get Many': '_validation_status.label',
	'KoBoToolbox, Get Many with Reformat': 'validation_status.label',
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

it('an export of ODK Central: its groups end in a dash, and only the review is asked about', async () => {
	const item = {
		...{ SubmissionDate: '2026-11-25T07:00:00.000Z', start: '2026-11-25T06:50:00.000Z' },
		...{ 'farmer-farmer_name': 'Amina Bello', 'farmer-phone': '+2348031234567' },
		...{ 'farm-gps-Latitude': 10.5222, 'farm-gps-Longitude': 7.4384 },
		...{ 'farm-gps-Altitude': 640, 'farm-gps-Accuracy': 4.5 },
		...{ 'job-service_type': 'Ploughing', 'job-service_date': DAY },
		...{ 'job-farm_size': '2.5 ha', 'meta-instanceID': 'uuid:1', KEY: 'uuid:1' },
		...{ SubmitterID: 12, SubmitterName: 'ada', AttachmentsPresent: 0, AttachmentsExpected: 0 },
		...{ DeviceID: 'collect:x', Edits: 0, FormVersion: '2026', ReviewState: 'approved' },
	};
	const nearest = { tractorSelection: 'nearest' };
	expect(await askedOf(item, nearest)).toEqual(['ReviewState']);
	const options = { otherColumns: 'ignore' };
	await bookSheet(sandbox, [item], { ...nearest, options });
	expect(sentTo(sandbox)).toMatchObject([
		{ farmerName: 'Amina Bello', latitude: 10.5222, longitude: 7.4384, landArea: 2.5 },
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

it('ticks of a form only say how a cell is split: one that was corrected is read as it is', async () => {
	const ticks = { 'Service Type/Ploughing': 1, 'Service Type/Harrowing': 1, 'Crops/Maize': 1 };
	const cells = { 'Service Type': 'Harrowing', Crops: 'Beans' };
	const [item] = sheetRows(1, { ...ticks, ...cells });
	await bookSheet(sandbox, [item ?? {}], {});
	expect(sentTo(sandbox)).toMatchObject([{ serviceType: 2, crops: ['Beans'] }]);
});

it('ticks of a form do not fill in a cell that was emptied', async () => {
	const rows = sheetOf(
		{ 'Service Type/Ploughing': 1, 'Service Type': '' },
		{ 'Crops/Maize': 1, Crops: '' },
	);
	const { table } = await outcomeOf(bookSheet, sandbox, rows, {});
	expect(table).toEqual([expect.stringMatching(/^2: to fix/), '3: created']);
	expect(sentTo(sandbox)[0]).not.toHaveProperty('crops');
});

it('a row with two services: is asked to become two, also if the form has codes of its own', async () => {
	const ticks = { 'Service Type/plough': 1, 'Service Type/harrow': 1, 'Service Type/ridge': 0 };
	const list = { 'Service Type': ['plough', 'harrow'] };
	const rows = sheetOf({ ...ticks, 'Service Type': 'plough harrow' }, list);
	const { table } = await outcomeOf(bookSheet, sandbox, rows, {});
	const refused =
		/"plough, harrow" names several services\. Write the one that is meant; if all are, make a row for each/;
	expect(table).toEqual([expect.stringMatching(refused), expect.stringMatching(refused)]);
	expect(sentTo(sandbox)).toEqual([]);
});
