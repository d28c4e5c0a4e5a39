import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ColumnField } from '../../../parse/columnNames';
import { labelOf } from '../../../parse/labels';
import { PHONE_COUNTRIES } from '../../../parse/phoneCountries';
import { statusOptions } from '../../../methods/statusOptions';
import { locatorModes, optionsCollection } from '../../descriptions';
import { MATCH_FIELDS } from './matchKey';

const countryOptions: INodePropertyOptions[] = PHONE_COUNTRIES.map(
	({ code, name, callingCode }) => ({
		name: `${name} (+${callingCode})`,
		value: code,
	}),
);

const dateOrder: INodeProperties = {
	displayName: 'Date Order',
	name: 'dateOrder',
	type: 'options',
	options: [
		{ name: 'Day First (31/12/2026)', value: 'dayFirst' },
		{ name: 'Month First (12/31/2026)', value: 'monthFirst' },
		{ name: 'Reject Ambiguous Dates', value: 'refuse' },
	],
	default: 'refuse',
	description:
		'How to read dates such as 03/04/2026. Dates such as 2026-04-03 or 3 April 2026 are always clear.',
};

const phoneCountry: INodeProperties = {
	displayName: 'Phone Country',
	name: 'phoneCountry',
	type: 'options',
	options: [{ name: 'None (Leave as Typed)', value: 'none' }, ...countryOptions],
	default: 'none',
	description:
		'Country of phone numbers that have no country code. They are sent in international form, even if the spreadsheet lost the plus or the leading zero. A farmer whose number has no country code may get no SMS.',
};

const validateOnly: INodeProperties = {
	displayName: 'Validate Only',
	name: 'validateOnly',
	type: 'boolean',
	default: false,
	description:
		'Whether to check the rows without sending them. Each row is returned with the request that would be sent.',
};

const chooseTractor: INodeProperties = {
	displayName: 'Choose Tractor',
	name: 'tractorSelection',
	type: 'options',
	options: [
		{
			name: 'By ID',
			value: 'id',
			description: 'Each booking names its tractor',
		},
		{
			name: 'By ID, Else Nearest to the Farm',
			value: 'idOrNearest',
			description: 'A booking without a tractor ID gets the nearest tractor',
		},
		{
			name: 'Nearest to the Farm',
			value: 'nearest',
			description: 'The tractor nearest to the farm that offers the service',
		},
	],
	default: 'id',
	description: 'How the tractor of a booking is chosen',
};

const options: INodeProperties[] = [
	{
		displayName: 'Decimal Separator',
		name: 'decimalSeparator',
		type: 'options',
		options: [
			{ name: 'Comma (1.250,5)', value: 'comma' },
			{ name: 'Point (1,250.5)', value: 'point' },
			{ name: 'Reject Ambiguous Numbers', value: 'either' },
		],
		default: 'either',
		description:
			'How to read numbers such as 1,250. Numbers such as 2,5 or 1,250.5 are always clear.',
	},
	{
		displayName: 'Excel Date System',
		name: 'excelEpoch',
		type: 'options',
		options: [
			{ name: '1900', value: '1900' },
			{ name: '1904', value: '1904' },
		],
		default: '1900',
		description: 'How to read dates that arrive as serial numbers such as 46205',
	},
	{
		displayName: 'Gender Words',
		name: 'genderWords',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add word',
		default: {},
		description:
			'Which number to send for which word in your sheet. The service does not document its numbers: ask its operator.',
		options: [
			{
				displayName: 'Word',
				name: 'words',
				values: [
					{
						displayName: 'Word in the Sheet',
						name: 'word',
						type: 'string',
						default: '',
						placeholder: 'e.g. female',
						description: 'The word as it stands in the sheet',
					},
					{
						displayName: 'Number',
						name: 'number',
						type: 'number',
						default: 0,
						description: 'The number to send for this word',
					},
				],
			},
		],
	},
	{
		displayName: 'Gender Words Without a Number',
		name: 'unknownGender',
		type: 'options',
		options: [
			{
				name: 'Leave Gender Out',
				value: 'leaveOut',
				description: 'The words are named once after the run',
			},
			{ name: 'Reject the Row', value: 'refuse' },
		],
		default: 'leaveOut',
		description: 'What to do with a word, such as F, that is not among the Gender Words',
	},
	{
		displayName: 'If Already Booked',
		name: 'ifAlreadyBooked',
		type: 'options',
		options: [
			{
				name: 'Create Anyway',
				value: 'create',
				description:
					'Book every row without looking for existing bookings. Leave Retry On Fail off: it would book rows again.',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Treat the row as an error',
			},
			{
				name: 'Skip and Return the Existing Booking',
				value: 'skip',
				description: 'Do not book the row; return the booking that exists',
			},
		],
		default: 'skip',
		description:
			'What to do if a booking of your organisation is equal to the row in all match fields, or the row is typed twice. Needs an API key with the scope booking:bookings:read.',
	},
	{
		displayName: 'If Possible Duplicate',
		name: 'ifPossibleDuplicate',
		type: 'options',
		options: [
			{
				name: 'Book Anyway',
				value: 'book',
				description: 'Book the row; if it was booked before, it is booked twice',
			},
			{
				name: 'Skip',
				value: 'skip',
				description: 'Do not book the row; return the booking that may be it',
			},
			{
				name: 'Stop for Review',
				value: 'review',
				description: 'Treat the row as an error that says how to decide',
			},
		],
		default: 'review',
		description:
			'What to do if a booking of your organisation is equal to the row in all match fields but has another farmer name or service, or may be the booking of the row that was moved to another day',
	},
	{
		displayName: 'Match Fields',
		name: 'matchFields',
		type: 'multiOptions',
		options: MATCH_FIELDS.map((value) => ({ name: labelOf(value), value })),
		default: ['farmerPhone', 'serviceDate'],
		description:
			'Fields that must all be equal for a row and a booking to count as the same booking. A field that the service does not return with its bookings is not compared.',
	},
	{
		displayName: 'Maximum Distance of the Tractor',
		name: 'maximumDistance',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 25,
		description:
			'Do not choose a tractor further away than this, in the unit that the service uses for the distance. Applies if the nearest tractor is chosen.',
	},
	{
		displayName: 'Distribute Rows Across Tractors',
		name: 'distributeRows',
		type: 'boolean',
		default: false,
		description:
			'Whether to distribute the rows of one day across all suitable tractors, the nearest first, instead of giving all rows to the nearest. Applies if the nearest tractor is chosen.',
	},
	{
		displayName: 'Statuses That Do Not Count as Booked',
		name: 'unbookedStatuses',
		type: 'multiOptions',
		options: statusOptions,
		default: [],
		description:
			'Bookings in one of these statuses are ignored when rows are compared, so that a row whose booking was declined can be booked again',
	},
	{
		displayName: 'Rows per Tractor and Day',
		name: 'maximumRows',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description: 'Give no tractor more rows of one day than this within a run',
	},
	{
		displayName: 'Accept Tractors That Name No Services',
		name: 'acceptUnknownServices',
		type: 'boolean',
		default: false,
		description:
			'Whether to take the nearest tractor if the details of none nearby name its services, and the row gives the number of the service',
	},
];

const fieldLabels: Readonly<Record<ColumnField, string>> = {
	areaType: 'Area Unit',
	bookingID: 'Booking ID',
	coordinates: 'Coordinates (Latitude and Longitude)',
	crop: 'Crop',
	crops: 'Crops',
	custom_crop: 'Custom Crop',
	farmerName: 'Farmer Name',
	farmerPhone: 'Farmer Phone',
	farmLocation: 'Farm Location',
	farmNote: 'Farm Note',
	gender: 'Gender',
	landArea: 'Land Area',
	latitude: 'Latitude',
	longitude: 'Longitude',
	serviceDate: 'Service Date',
	serviceType: 'Service Type',
	tractorId: 'Tractor ID',
};

const columnMapping: INodeProperties = {
	displayName: 'Column Mapping',
	name: 'columnMapping',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add column',
	default: {},
	description:
		'What columns hold, if not what their names say. Columns of a name, place or note are joined.',
	options: [
		{
			displayName: 'Column',
			name: 'columns',
			values: [
				{
					displayName: 'Column in the Sheet',
					name: 'column',
					type: 'string',
					default: '',
					placeholder: 'e.g. Contact 2',
					description: 'Its name exactly as in the sheet',
				},
				{
					displayName: 'Field',
					name: 'field',
					type: 'options',
					options: [
						...Object.entries(fieldLabels).map(([value, name]) => ({ name, value })),
						{ name: 'None (Ignore the Column)', value: 'ignore' },
					],
					default: 'ignore',
					description: 'The field of the booking that the column holds',
				},
			],
		},
	],
};

/** The fields of Booking > Create, named as in the interface. */
export const createFields: INodeProperties[] = [
	chooseTractor,
	{
		displayName: 'Tractor ID',
		name: 'tractorId',
		required: true,
		...locatorModes('tractor', 'searchTractors', '201'),
		displayOptions: { show: { tractorSelection: ['id'] } },
		description:
			'The tractor to book. The list shows those near the latitude and longitude below, with their services.',
	},
	{
		displayName: 'Tractor ID',
		name: 'tractorId',
		...locatorModes('tractor', 'searchTractors', '201'),
		displayOptions: { show: { tractorSelection: ['idOrNearest'] } },
		description:
			'The tractor to book; if empty, the nearest one. The list shows those near the latitude and longitude below, with their services.',
	},
	{
		displayName: 'Service Type',
		name: 'serviceType',
		...locatorModes('service', 'searchServices', '3 or Ploughing', 'By Number or Name'),
		description:
			'The service to book: its number, or its name as in the details of the tractor. The list shows the services of the chosen tractor, or of those near the latitude and longitude below.',
	},
	{
		displayName: 'Service Date',
		name: 'serviceDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		required: true,
		default: '',
		description: 'The day of the service, today or later in the timezone of the workflow',
	},
	{
		displayName: 'Land Area',
		name: 'landArea',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2.5 or 5 acres',
		description: 'Area of the field, with its unit or in the unit below',
	},
	{
		displayName: 'Area Unit',
		name: 'areaType',
		type: 'string',
		default: 'ha',
		placeholder: 'e.g. ha or acres',
		description:
			'Unit of the land area, if that names none: hectares or acres. Not sent if the land area is empty.',
	},
	{
		displayName: 'Farmer Name',
		name: 'farmerName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Amina Bello',
		description: 'Name of the farmer',
	},
	{
		displayName: 'Farmer Phone',
		name: 'farmerPhone',
		type: 'string',
		default: '',
		placeholder: 'e.g. +2348031234567',
		description: 'Phone of the farmer, best with plus and country code',
	},
	phoneCountry,
	{
		displayName: 'Latitude',
		name: 'latitude',
		type: 'string',
		default: '',
		placeholder: 'e.g. 10.5222',
		description: 'Latitude of the farm, in degrees from -90 to 90',
	},
	{
		displayName: 'Longitude',
		name: 'longitude',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7.4384',
		description: 'Longitude of the farm, in degrees from -180 to 180',
	},
	validateOnly,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [
			{
				displayName: 'Booking ID',
				name: 'bookingID',
				type: 'string',
				default: '',
				placeholder: 'e.g. 50123',
				description:
					'The booking that the row has already. If it is not empty, the row is not booked; the booking is returned.',
			},
			{
				displayName: 'Crop',
				name: 'crop',
				type: 'string',
				default: '',
				placeholder: 'e.g. Maize',
				description: 'The crop of the booking',
			},
			{
				displayName: 'Crops',
				name: 'crops',
				type: 'string',
				default: '',
				placeholder: 'e.g. Maize, Cassava',
				description: 'Comma-separated crops, or an expression that returns a list',
			},
			{
				displayName: 'Custom Crop',
				name: 'custom_crop',
				type: 'string',
				default: '',
				placeholder: 'e.g. Fonio',
				description: 'A crop that the service does not list',
			},
			{
				displayName: 'Farm Location',
				name: 'farmLocation',
				type: 'string',
				default: '',
				placeholder: 'e.g. Rigasa, Kaduna',
				description: 'Where the farm is, in words',
			},
			{
				displayName: 'Farm Note',
				name: 'farmNote',
				type: 'string',
				default: '',
				placeholder: 'e.g. Enter by the gate behind the school',
				description: 'Anything that the tractor owner should know about the farm',
			},
			{
				displayName: 'Gender',
				name: 'gender',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1',
				description:
					'The number that the service uses for the gender of the farmer. The numbers are not documented: ask the operator of the service, or map your words under Options > Gender Words.',
			},
		],
	},
	optionsCollection([dateOrder, ...options]),
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
	{ ...phoneCountry, required: true, default: '' },
	dateOrder,
	chooseTractor,
	validateOnly,
	optionsCollection([columnMapping, ...options]),
];
