import type { INodeProperties } from 'n8n-workflow';

import {
	choice,
	collection,
	field,
	phoneCountryFor,
	toggle,
	type Choice,
} from '../../../../methods/fields';
import { optionsCollection } from '../../../descriptions';
import { compareNames } from '../../../../utils/text';
import {
	ADDITIONAL_FIELDS,
	COLUMN_FIELDS,
	CORE_FIELDS,
	fieldOf,
	labelOf,
	MAIN_FIELDS,
	type ColumnField,
} from './fields';

function propertyOf(name: ColumnField): INodeProperties {
	const { label, description, example, rank, property } = fieldOf(name);
	const required = rank === 'core' ? { required: true } : {};
	const placeholder = `e.g. ${example}`;
	return field(label, name, 'string', '', description, { placeholder, ...required, ...property });
}

const choicesOf = (fields: readonly ColumnField[]): Choice[] =>
	fields.map((name): Choice => [labelOf(name), name]).sort(([a], [b]) => compareNames(a, b));

const dateOrder: INodeProperties = choice(
	'Date Order',
	'dateOrder',
	'How to read dates such as 03/04/2026, unless the heading says it; 2026-04-03 and 3 April 2026 are clear',
	'refuse',
	[
		['Day First (31/12/2026)', 'dayFirst'],
		['Month First (12/31/2026)', 'monthFirst'],
		['Reject Ambiguous Dates', 'refuse'],
	],
);

const phoneCountry: INodeProperties = {
	...phoneCountryFor(
		'Country of phone numbers without a country code. They are sent in international form, even if plus or leading zero was lost. With None, farmers may get no SMS.',
	),
	required: true,
};

const dryRun = toggle(
	'Dry Run',
	'dryRun',
	'Whether to book nothing, and return the requests that would be sent',
);

const chooseTractor: INodeProperties = choice(
	'Choose Tractor',
	'tractorSelection',
	'How the tractor of a booking is chosen',
	'id',
	[
		['Nearest to the Farm', 'nearest', 'The tractor nearest to the farm that offers the service'],
		['Specific Tractor', 'id'],
		['Specific Tractor, Else Nearest to the Farm', 'idOrNearest'],
	],
);

const options: INodeProperties[] = [
	{
		...toggle(
			'Accept Tractors That Name No Services',
			'acceptUnknownServices',
			'Whether to take the nearest tractor even if no tractor nearby lists its services by number. The row must give the service by number.',
		),
		// Only then a tractor may have to be found.
		displayOptions: { show: { '/tractorSelection': ['idOrNearest', 'nearest'] } },
	},
	{
		...toggle(
			'Compare With Bookings',
			'compareWithBookings',
			'Whether to look for bookings that a row may be already. Needs a key with the scope booking:bookings:read. If off, only what n8n remembers counts: a corrected row may be booked again.',
		),
		default: true,
	},
];

/** A column of the input, which can be dragged into the field. */
const column = (displayName: string, name: string, description: string, example: string) => ({
	...field(displayName, name, 'string', '', description, { placeholder: `e.g. ${example}` }),
	requiresDataPath: 'single' as const,
});

const mappedColumn = [
	column('Column', 'column', 'Drag it from the input, or enter its heading', 'Contact 2'),
	choice('Field', 'field', 'The field that the column holds', 'ignore', [
		...choicesOf(COLUMN_FIELDS),
		['None (Ignore)', 'ignore'],
	]),
];

const columnMapping: INodeProperties = {
	...field(
		'Column Mapping',
		'columnMapping',
		'fixedCollection',
		{},
		'What a column holds if its heading does not say it',
	),
	typeOptions: { multipleValues: true },
	placeholder: 'Add column',
	options: [{ displayName: 'Column', name: 'columns', values: mappedColumn }],
};

const notInSheet = field(
	'Fields Not in the Sheet',
	'notInSheet',
	'multiOptions',
	[],
	'Fields that the sheet has no column for: rows are booked without them',
	{ options: choicesOf(CORE_FIELDS).map(([name, value]) => ({ name, value })) },
);

const otherColumns: INodeProperties[] = [
	choice(
		'Other Columns',
		'otherColumns',
		'What to do about filled columns that hold no field. Their cells never decide whether a row is booked.',
		'stop',
		[
			['Ignore', 'ignore', 'Choose it if a person looks at the rows before each run'],
			[
				'Stop and Name Them',
				'stop',
				'Book nothing until each is mapped, or listed in Ignored Columns',
			],
		],
	),
	field(
		'Ignored Columns',
		'ignoredColumns',
		'string',
		'',
		'Headings to ignore, one per line; any other still stops the run. Paste them from the end of the message that names them.',
		{ typeOptions: { rows: 4 } },
	),
];

const serviceNames = field(
	'Service Names',
	'serviceNames',
	'string',
	'',
	'What your own names or numbers for services mean, one per line, such as Labour = Ploughing',
	{ typeOptions: { rows: 4 }, placeholder: 'e.g. Labour = Ploughing' },
);

const areaUnit: INodeProperties = {
	...propertyOf('areaType'),
	name: 'areaUnit',
	description: 'Unit of land areas that name none in the cell, a unit column or the heading',
};

const rowId = column(
	'Row ID',
	'rowIdColumn',
	'A column with a different number or ID for each request, which stays the same when the row is edited or moved',
	'Request no.',
);

/** What else Create asks for, by the field that it follows. */
const AFTER: Partial<Record<ColumnField, INodeProperties>> = {
	farmerPhone: phoneCountry,
	serviceDate: dateOrder,
	areaType: chooseTractor,
};

/** The fields of Booking > Create, named as in the interface: the farmer, the job, then who does it. */
export const createFields: INodeProperties[] = [
	...MAIN_FIELDS.flatMap((name) => [propertyOf(name), AFTER[name] ?? []].flat()),
	dryRun,
	collection(
		'Additional Fields',
		'additionalFields',
		'Add field',
		ADDITIONAL_FIELDS.map(propertyOf),
	),
	optionsCollection(options),
];

/** The fields of Booking > Create From Spreadsheet: what is asked for once for all columns. */
export const createFromSpreadsheetFields: INodeProperties[] = [
	{
		displayName:
			'Every row is booked, unless it is wrong or booked already. To leave rows out, put a Filter node before this one.',
		name: 'columnsNotice',
		type: 'notice',
		default: '',
	},
	phoneCountry,
	dateOrder,
	chooseTractor,
	dryRun,
	optionsCollection([
		...[areaUnit, columnMapping, notInSheet, ...otherColumns, rowId, serviceNames],
		...options,
	]),
];
