import type { INodeProperties } from 'n8n-workflow';

import { COLUMN_FIELDS } from '../../../parse/columnNames';
import { labelOf } from '../../../parse/labels';
import { PHONE_COUNTRIES } from '../../../parse/phoneCountries';
import { statusOptions } from '../../../methods/statusOptions';
import type { Choice } from '../../../methods/fields';
import { choice, field, toggle } from '../../../methods/fields';
import { locatorModes, optionsCollection } from '../../descriptions';
import { compareNames } from '../../../utils/text';
import { MATCH_FIELDS } from './match/likeness';

/** A text field. Its label is the one that messages use. */
const text = (name: string, example: string, description: string): INodeProperties =>
	field(labelOf(name), name, 'string', '', description, { placeholder: `e.g. ${example}` });

/** A number that may be left empty. As a tool of an agent, it asks the model for a number. */
const number = (name: string, example: string, description: string): INodeProperties => ({
	...text(name, example, description),
	type: 'number',
});

/** A list of entries of some fields each. */
const entries = (
	displayName: string,
	name: string,
	[entry, entryName]: [label: string, name: string],
	description: string,
	values: INodeProperties[],
): INodeProperties => ({
	...field(displayName, name, 'fixedCollection', {}, description),
	typeOptions: { multipleValues: true },
	placeholder: `Add ${entry.toLowerCase()}`,
	options: [{ displayName: entry, name: entryName, values }],
});

const dateOrder: INodeProperties = choice(
	'Date Order',
	'dateOrder',
	'How to read dates such as 03/04/2026; 2026-04-03 and 3 April 2026 are clear',
	'refuse',
	[
		['Day First (31/12/2026)', 'dayFirst'],
		['Month First (12/31/2026)', 'monthFirst'],
		['Reject Ambiguous Dates', 'refuse'],
	],
);

const phoneCountry: INodeProperties = {
	...choice(
		'Phone Country',
		'phoneCountry',
		'Country of phone numbers without a country code. They are sent in international form, even if the spreadsheet lost the plus or the leading zero. Without it, these farmers may get no SMS.',
		'none',
		[
			['None (Leave as Typed)', 'none'],
			...PHONE_COUNTRIES.map(({ code, name, callingCode }): Choice => [
				`${name} (+${callingCode})`,
				code,
			]),
		],
	),
	required: true,
};

const dryRun = toggle(
	'Dry Run',
	'dryRun',
	'Whether to only check the rows, and return the requests that would be sent',
);

const chooseTractor: INodeProperties = choice(
	'Choose Tractor',
	'tractorSelection',
	'How the tractor of a booking is chosen',
	'id',
	[
		['By ID', 'id', 'Each booking names its tractor'],
		[
			'By ID, Else Nearest to the Farm',
			'idOrNearest',
			'A booking without a tractor ID gets the nearest tractor',
		],
		['Nearest to the Farm', 'nearest', 'The tractor nearest to the farm that offers the service'],
	],
);

const options: INodeProperties[] = [
	toggle(
		'Accept Tractors That Name No Services',
		'acceptUnknownServices',
		'Whether to take the nearest tractor if none nearby names its services, and the row gives the number of the service',
	),
	choice(
		'Decimal Separator',
		'decimalSeparator',
		'How to read numbers such as 1,250; 2,5 and 1,250.5 are clear',
		'either',
		[
			['Comma (1.250,5)', 'comma'],
			['Point (1,250.5)', 'point'],
			['Reject Ambiguous Numbers', 'either'],
		],
	),
	toggle(
		'Distribute Rows Across Tractors',
		'distributeRows',
		'Whether to distribute the rows of one day across all suitable tractors, the nearest first, instead of giving all to the nearest',
	),
	choice(
		'If Already Booked',
		'ifAlreadyBooked',
		'What to do if a booking of your organisation is equal to the row in all match fields, or the row is typed twice. Needs a key with the scope booking:bookings:read.',
		'skip',
		[
			[
				'Create Anyway',
				'create',
				'Book every row without looking for existing bookings. Leave Retry On Fail off: it would book rows again.',
			],
			['Fail', 'fail', 'Treat the row as an error'],
			[
				'Skip and Return the Existing Booking',
				'skip',
				'Do not book the row; return the booking that exists',
			],
		],
	),
	choice(
		'If Possible Duplicate',
		'ifPossibleDuplicate',
		'What to do if a booking equal in the match fields has another farmer name or service, or may be that of the row with another day, phone or spelling',
		'review',
		[
			['Book Anyway', 'book', 'Book the row; if it was booked before, it is booked twice'],
			['Skip', 'skip', 'Do not book the row; return the booking that may be it'],
			['Stop for Review', 'review', 'Treat the row as an error that says how to decide'],
		],
	),
	field(
		'Ignore Bookings With Status',
		'ignoredStatuses',
		'multiOptions',
		[],
		'Bookings that are ignored when rows are compared, so that a row whose booking was declined can be booked again',
		{ options: statusOptions },
	),
	field(
		'Match Fields',
		'matchFields',
		'multiOptions',
		['farmerPhone', 'serviceDate'],
		'Fields in which a row and a booking must be equal to be the same. If a booking lacks one of them, and is equal in the others, the row is a possible duplicate.',
		{ options: MATCH_FIELDS.map((value) => ({ name: labelOf(value), value })) },
	),
	field(
		'Maximum Distance of the Tractor',
		'maximumDistance',
		'number',
		25,
		'How far away the nearest tractor may be, in the unit that the service uses',
		{ typeOptions: { minValue: 0 } },
	),
	field(
		'Rows per Tractor and Day',
		'maximumRows',
		'number',
		5,
		'Give no tractor more rows of one day than this within a run',
		{ typeOptions: { minValue: 1 } },
	),
];

/** The tractor, if the selection leaves it to the user. */
const tractorField = (
	selection: string,
	required: boolean,
	description: string,
): INodeProperties => ({
	displayName: labelOf('tractorId'),
	name: 'tractorId',
	...(required && { required }),
	...locatorModes('tractor', 'searchTractors', '201'),
	displayOptions: { show: { tractorSelection: [selection] } },
	description: `${description}. The list shows those near the latitude and longitude above, with their services.`,
});

const columnMapping = entries(
	'Column Mapping',
	'columnMapping',
	['Column', 'columns'],
	'What columns hold, if not what their names say. Columns of a name, place or note are joined.',
	[
		field('Column in the Sheet', 'column', 'string', '', 'Its name exactly as in the sheet', {
			placeholder: 'e.g. Contact 2',
		}),
		choice('Field', 'field', 'The field of the booking that the column holds', 'ignore', [
			...COLUMN_FIELDS.map((value): Choice => [labelOf(value), value]).sort(([a], [b]) =>
				compareNames(a, b),
			),
			['None (Ignore the Column)', 'ignore'],
		]),
	],
);

const rowId: INodeProperties = {
	...field(
		'Row ID',
		'rowIdColumn',
		'string',
		'',
		'A column that holds a number of its own for each request, which stays the same when the row is edited or moved: with it, a row is the same request whatever else changes',
		{ placeholder: 'e.g. Request no.' },
	),
	typeOptions: { requiresDataPath: 'single' },
};

/** The fields of Booking > Create, named as in the interface: the farmer, the job, then who does it. */
export const createFields: INodeProperties[] = [
	text('farmerName', 'Amina Bello', 'Name of the farmer'),
	text('farmerPhone', '+2348031234567', 'Phone of the farmer, best with plus and country code'),
	phoneCountry,
	number('latitude', '10.5222', 'Latitude of the farm, in degrees from -90 to 90'),
	number('longitude', '7.4384', 'Longitude of the farm, in degrees from -180 to 180'),
	{
		displayName: 'Service Type',
		name: 'serviceType',
		required: true,
		...locatorModes('service', 'searchServices', '3 or Ploughing', 'By Number or Name'),
		description:
			'The service to book: its number, or its name as in the details of the tractor. The list shows the services of the tractor below, or of those near the latitude and longitude above.',
	},
	field(
		'Service Date',
		'serviceDate',
		'dateTime',
		'',
		'The day of the service, today or later in the timezone of the workflow',
		{ typeOptions: { dateOnly: true }, required: true },
	),
	dateOrder,
	text('landArea', '2.5 or 5 acres', 'Area of the field, with its unit or in the unit below'),
	{
		...text(
			'areaType',
			'ha or acres',
			'Unit of the land area, if that names none: hectares or acres. Not sent if the land area is empty.',
		),
		default: 'ha',
	},
	chooseTractor,
	tractorField('id', true, 'The tractor to book'),
	tractorField('idOrNearest', false, 'The tractor to book; if empty, the nearest one'),
	dryRun,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [
			text(
				'bookingID',
				'50123',
				'The booking that the row has already: it is returned, and the row is not booked',
			),
			text('crop', 'Maize', 'The crop of the booking'),
			text(
				'crops',
				'Maize, Cassava',
				'Comma-separated crops, or an expression that returns a list',
			),
			text('custom_crop', 'Fonio', 'A crop that the service does not list'),
			text('farmLocation', 'Rigasa, Kaduna', 'Where the farm is, in words'),
			text(
				'farmNote',
				'Enter by the gate behind the school',
				'Anything that the tractor owner should know about the farm',
			),
			text(
				'gender',
				'1',
				'The number that the service uses for the gender of the farmer: ask its operator. Words such as F are not accepted.',
			),
		],
	},
	optionsCollection(options),
];

/** The fields of Booking > Create From Spreadsheet: what is asked for once for all columns. */
export const createFromSpreadsheetFields: INodeProperties[] = [
	{
		displayName:
			'Each row is booked by its columns, whatever their order: "Farmer phone no." is the phone, "Date" the service date. Rows that are booked already are skipped.',
		name: 'columnsNotice',
		type: 'notice',
		default: '',
	},
	// No country is right for everybody, and with a wrong one farmers get no SMS.
	{ ...phoneCountry, default: '' },
	dateOrder,
	chooseTractor,
	dryRun,
	optionsCollection([columnMapping, rowId, ...options]),
];
