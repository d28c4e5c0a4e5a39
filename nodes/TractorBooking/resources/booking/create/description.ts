import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { PHONE_COUNTRIES } from '../../../parse/phoneCountries';
import { optionsCollection } from '../../descriptions';
import { MATCH_FIELDS } from './matchKey';

const eachField = { mapping: ['fields'] };

const countryOptions: INodePropertyOptions[] = PHONE_COUNTRIES.map(
	({ code, name, callingCode }) => ({
		name: `${name} (+${callingCode})`,
		value: code,
	}),
);

const matchFieldLabels: Readonly<Record<(typeof MATCH_FIELDS)[number], string>> = {
	farmerName: 'Farmer Name',
	farmerPhone: 'Farmer Phone',
	landArea: 'Land Area',
	serviceDate: 'Service Date',
	serviceType: 'Service Type',
};

const options: INodeProperties[] = [
	{
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
	},
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
		displayName: 'Phone Country',
		name: 'defaultCountry',
		type: 'options',
		options: countryOptions,
		default: 'NG',
		description:
			'Turns local phone numbers into international ones, also where the spreadsheet lost the plus or the leading zero. Without it local numbers stay as they are.',
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
			'Which number the service takes for which word in your sheet. The service does not document its numbers: ask its operator.',
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
					},
					{
						displayName: 'Number',
						name: 'number',
						type: 'number',
						default: 0,
						description: 'The number that the service takes for it',
					},
				],
			},
		],
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
					'Book every row, whatever was booked before. Leave Retry On Fail off: it would book rows again.',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Treat the row as faulty',
			},
			{
				name: 'Skip and Return the Existing Booking',
				value: 'skip',
				description: 'Book nothing for the row',
			},
		],
		default: 'skip',
		description:
			'What to do with a row that equals a booking of your organisation, or an earlier row, in the match fields. Needs a key with the scope booking:bookings:read.',
	},
	{
		displayName: 'Match Fields',
		name: 'matchFields',
		type: 'multiOptions',
		options: MATCH_FIELDS.map((value) => ({ name: matchFieldLabels[value], value })),
		default: ['farmerPhone', 'serviceDate'],
		description:
			'Fields in which a row and a booking must be equal to be the same booking. A field that the service does not return with its bookings is compared within the input only.',
	},
	{
		displayName: 'Maximum Distance of the Tractor',
		name: 'maximumDistance',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 25,
		description:
			'Do not choose a tractor further away than this, in the unit in which the service gives the distance. Applies to the tractor nearest to the farm.',
	},
	{
		displayName: 'Distribute Rows Across Tractors',
		name: 'distributeRows',
		type: 'boolean',
		default: false,
		description:
			'Whether to give the rows of one day to different fitting tractors in turn, the nearest first, instead of all to the nearest. Applies to the tractor nearest to the farm.',
	},
	{
		displayName: 'Validate Only',
		name: 'validateOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether to do everything but send: each row comes out with the request that it would make',
	},
];

/** Fields of Booking > Create, named as the fields of the interface. */
export const createFields: INodeProperties[] = [
	{
		displayName: 'Mapping',
		name: 'mapping',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Map Automatically',
				value: 'columns',
				description:
					'Take the fields from input columns with the usual names, e.g. "Farmer phone no."',
			},
			{
				name: 'Map Each Field Manually',
				value: 'fields',
				description: 'Enter a value or an expression for each field',
			},
		],
		default: 'fields',
		description: 'Where the fields of the booking come from',
	},
	{
		displayName: 'Tractor',
		name: 'tractorSelection',
		type: 'options',
		options: [
			{
				name: 'By ID',
				value: 'id',
				description: 'The row says which tractor',
			},
			{
				name: 'By ID, Else Nearest to the Farm',
				value: 'idOrNearest',
				description: 'A row that does not say which tractor gets the nearest one',
			},
			{
				name: 'Nearest to the Farm',
				value: 'nearest',
				description: 'The nearest tractor to the farm that offers the service of the row',
			},
		],
		default: 'id',
		description: 'How the tractor is chosen',
	},
	{
		displayName: 'Tractor ID',
		name: 'tractorId',
		type: 'string',
		displayOptions: { show: { ...eachField, tractorSelection: ['id', 'idOrNearest'] } },
		default: '',
		placeholder: 'e.g. 1042',
		description: 'The tractor to book: the TractorID that Tractor > Find Nearby returns',
	},
	{
		displayName: 'Service Type',
		name: 'serviceType',
		type: 'string',
		displayOptions: { show: eachField },
		default: '',
		placeholder: 'e.g. 3 or Ploughing',
		description:
			'The service to book: its number, or its name as the details of the tractor have it',
	},
	{
		displayName: 'Service Date',
		name: 'serviceDate',
		type: 'dateTime',
		displayOptions: { show: eachField },
		default: '',
		description: 'The day of the service, today or later in the timezone of the workflow',
	},
	{
		displayName: 'Land Area',
		name: 'landArea',
		type: 'string',
		displayOptions: { show: eachField },
		default: '',
		placeholder: 'e.g. 2.5',
		description: 'Area of the field, in the unit chosen below',
	},
	{
		displayName: 'Area Unit',
		name: 'areaType',
		type: 'options',
		displayOptions: { show: eachField },
		options: [
			{ name: 'Acres', value: 'ac' },
			{ name: 'Hectares', value: 'ha' },
		],
		default: 'ha',
		description: 'Unit of the land area; not sent without one',
	},
	{
		displayName: 'Farmer Name',
		name: 'farmerName',
		type: 'string',
		displayOptions: { show: eachField },
		default: '',
		placeholder: 'e.g. Amina Bello',
	},
	{
		displayName: 'Farmer Phone',
		name: 'farmerPhone',
		type: 'string',
		displayOptions: { show: eachField },
		default: '',
		placeholder: 'e.g. +2348031234567',
	},
	{
		displayName: 'Latitude',
		name: 'latitude',
		type: 'string',
		displayOptions: { show: eachField },
		default: '',
		placeholder: 'e.g. 7.3775',
		description: 'Latitude of the farm, in degrees from -90 to 90',
	},
	{
		displayName: 'Longitude',
		name: 'longitude',
		type: 'string',
		displayOptions: { show: eachField },
		default: '',
		placeholder: 'e.g. 3.9470',
		description: 'Longitude of the farm, in degrees from -180 to 180',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		displayOptions: { show: eachField },
		placeholder: 'Add field',
		default: {},
		options: [
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
				description: 'Several crops, separated by commas, or an expression that gives a list',
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
				placeholder: 'e.g. Moniya, Akinyele',
				description: 'Where the farm is, in words',
			},
			{
				displayName: 'Farm Note',
				name: 'farmNote',
				type: 'string',
				default: '',
				placeholder: 'e.g. Enter by the gate behind the school',
			},
			{
				displayName: 'Gender',
				name: 'gender',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1',
				description:
					'The number that the service takes for the gender of the farmer. Its meanings are not documented: ask the operator of the service, or map your words under Options > Gender Words.',
			},
		],
	},
	optionsCollection(options),
];
