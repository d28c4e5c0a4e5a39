import type { INodeProperties } from 'n8n-workflow';

import { areaUnitOf, parseAreaUnit, parseLandArea } from '../../../../parse/areaUnits';
import { isDegrees, parseCoordinate } from '../../../../parse/coordinates';
import { orderInFormat } from '../../../../parse/dates';
import { listOf, ok, type ParseResult } from '../../../../parse/issue';
import { parseInteger } from '../../../../parse/numbers';
import { parseFarmerPhone } from '../../../../parse/phones';
import { parseServiceDate, type ServiceDateRules } from '../../../../parse/serviceDates';
import { invalid } from '../../../../parse/sentences';
import { parseCrops, parseName, parseText } from '../../../../parse/text';
import { locatorModes } from '../../../descriptions';

export interface Rules extends ServiceDateRules {
	/** `YYYY-MM-DD` in the workflow's timezone; see `todayIn`. */
	today: string;
	/** ISO code of the country that local phone numbers belong to; see `phoneCountryList.ts`. */
	defaultCountry?: string;
}

interface Field {
	/** What the editor and the messages call it, and a heading of its own. */
	label: string;
	/** A value, for the placeholder in the editor and for the docs. */
	example: string;
	description: string;
	/**
	 * Other headings of its column in English and French, with commas between: eight at most, and none that may mean
	 * something else.
	 */
	headings: string;
	/** Whose it is, if its headings do not say so: in a form, the officer has a name and a place, too. */
	isOf?: 'farm' | 'farmer' | 'tractor';
	/** What else may follow a heading, also in parentheses: a unit or a format. */
	mayFollow?: (text: string) => boolean;
	/** Reads a cell as what is sent. A field without it is not sent: it says something of another one, or of the row. */
	parse?: (value: unknown, rules: Rules) => ParseResult<unknown>;
	partOf?: string;
	/**
	 * `core`: no booking is made without it, unless the sheet is said not to have it. Booking > Create shows these and the
	 * `main` ones, and has the others under Additional Fields, but for parts of a field.
	 */
	rank?: 'core' | 'main';
	/** What its field in the editor has beyond that of a text. */
	property?: Partial<INodeProperties>;
}

const degrees = {
	partOf: 'coordinates',
	isOf: 'farm',
	mayFollow: isDegrees,
	rank: 'main',
	property: { type: 'number' },
} as const;

/** Only a person can tell whether two jobs are one: no model is offered such a field. */
const NOT_FOR_TOOLS = { displayOptions: { hide: { '@tool': [true] } } };

const AREA_UNITS = [
	{ name: 'Acres', value: 'ac' },
	{ name: 'Hectares', value: 'ha' },
];

/**
 * The fields of a booking (interface, "Booking create request"), and what else a column can hold. The request, the panel
 * of Create, the headings, the labels in messages, the table in docs/columns.md and, for main fields, the empty sheet follow
 * from it.
 */
const FIELDS = {
	farmerName: {
		label: 'Farmer Name',
		example: 'Amina Bello',
		description: 'Name of the farmer',
		headings:
			"Name, Farmer, Full Name, Full Name of the Farmer, Name of Farmer, Farmer's Name, Nom complet, Nom du producteur",
		parse: parseName,
		rank: 'core',
		isOf: 'farmer',
	},
	farmerPhone: {
		label: 'Farmer Phone',
		example: '+2348031234567',
		description: 'Phone number of the farmer, ideally with plus and country code',
		headings:
			'Phone, Phone Number, Mobile, Mobile Number, Mobile Phone, Telephone, Numéro de téléphone, Tél',
		mayFollow: (text) => /^no\W*$/i.test(text),
		parse: (value, { defaultCountry }) => parseFarmerPhone(value, defaultCountry),
		rank: 'core',
		isOf: 'farmer',
	},
	latitude: {
		label: 'Latitude',
		example: '10.5222',
		description: 'Latitude of the farm, in degrees from -90 to 90',
		headings: 'Lat, Farm Latitude, GPS Latitude, Latitude GPS, GPS Lat',
		parse: (value) => parseCoordinate(value, 'latitude'),
		...degrees,
	},
	longitude: {
		label: 'Longitude',
		example: '7.4384',
		description: 'Longitude of the farm, in degrees from -180 to 180',
		headings: 'Long, Lng, Lon, Farm Longitude, GPS Longitude, Longitude GPS, GPS Long, GPS Lon',
		parse: (value) => parseCoordinate(value, 'longitude'),
		...degrees,
	},
	serviceType: {
		label: 'Service Type',
		example: '3 or Ploughing',
		description:
			"Number or name of the service, as in the tractor's details. The list shows those of the tractor below, or near the coordinate above.",
		headings:
			'Service, Services, Type of Service, Service Required, Operation, Type de service, Travaux, Prestation',
		parse: (value) => {
			const [only, ...others] = [value].flat();
			return others.length > 0
				? invalid('severalServices')
				: parseInteger(only, 0, 'write its number or its name');
		},
		rank: 'core',
		property: locatorModes('service', 'searchServices', '3 or Ploughing', 'By Number or Name'),
	},
	serviceDate: {
		label: 'Service Date',
		example: '2026-12-31',
		description: 'The day of the service, today or later in the timezone of the workflow',
		headings:
			'Date of Service, Date Needed, Date Required, Preferred Date, Work Date, Date du service, Date de la prestation, Date souhaitée',
		mayFollow: (text) => orderInFormat(text) !== undefined,
		parse: parseServiceDate,
		rank: 'core',
		property: { type: 'dateTime', typeOptions: { dateOnly: true } },
	},
	landArea: {
		label: 'Land Area',
		example: '2.5 ha',
		description: 'Area of the field, with its unit, or in the unit of Area Unit',
		headings: 'Area, Farm Size, Land Size, Plot Area, Acres, Hectares, Superficie, Surface',
		mayFollow: (text) => areaUnitOf(text) !== undefined,
		parse: (value) => {
			const area = parseLandArea(value);
			return area.ok ? ok(area.value.value) : area;
		},
		rank: 'core',
	},
	areaType: {
		label: 'Area Unit',
		example: 'ha',
		description: 'Unit of the land area if the area itself has none: hectares or acres',
		headings: 'Unit, Units, Unit of Area, Unit of Measure, Unité, Unité de surface',
		parse: parseAreaUnit,
		rank: 'main',
		property: { type: 'options', options: AREA_UNITS },
	},
	tractorId: {
		label: 'Tractor ID',
		example: '201',
		description:
			'The tractor to book. The list shows those near the latitude and longitude above, with their services.',
		headings: 'Tractor, Tractor No, Tractor Number, Tracteur, N° tracteur, Numéro du tracteur',
		parse: (value) => parseInteger(value, 1, 'write its number, such as 201'),
		rank: 'main',
		isOf: 'tractor',
		property: {
			...locatorModes('tractor', 'searchTractors', '201'),
			// Not required: a field whose display depends on an expression counts as shown.
			displayOptions: { show: { tractorSelection: ['id', 'idOrNearest'] } },
		},
	},
	crop: {
		label: 'Crop',
		example: 'Maize',
		description: 'The crop of the booking, if it is one that the service lists',
		headings: 'Crop Type, Culture, Spéculation',
		parse: parseText,
	},
	crops: {
		label: 'Crops',
		example: 'Maize, Cassava',
		description: 'Several crops, with commas between, or an expression that returns a list',
		headings: 'Cultures',
		parse: parseCrops,
	},
	custom_crop: {
		label: 'Custom Crop',
		example: 'Fonio',
		description: 'A crop that the service does not list, instead of Crop',
		headings: 'Other Crop, Autre culture',
		parse: parseText,
	},
	farmLocation: {
		label: 'Farm Location',
		example: 'Rigasa, Kaduna',
		description: 'Where the farm is, in words',
		headings: 'Location, Village, Community, Address, Farm Address, Localité, Lieu, Adresse',
		parse: parseText,
		isOf: 'farm',
	},
	farmNote: {
		label: 'Farm Note',
		example: 'Enter by the school gate',
		description: 'Anything that the tractor owner should know about the farm',
		headings: 'Farm Notes, Field Note, Field Notes',
		parse: parseText,
	},
	gender: {
		label: 'Gender',
		example: '1',
		description:
			'The number that the service uses for the gender of the farmer: ask its operator. Words such as F are not accepted.',
		headings: 'Sex, Sexe, Genre',
		parse: (value) =>
			parseInteger(value, undefined, 'write the number that the service uses for it'),
		isOf: 'farmer',
	},
	plot: {
		label: 'Plot',
		example: 'North',
		description:
			"Which of the farmer's fields it is: two plots are two jobs. It is not sent to the service.",
		headings: 'Plot Name, Plot No, Plot Number, Field Name, Parcel, Parcelle',
		property: NOT_FOR_TOOLS,
	},
	bookingID: {
		label: 'Booking ID',
		example: '50123 or not 50123',
		description:
			'The ID of the booking that this request is already, so that nothing is booked; or the word not, and the IDs of the bookings that it is not',
		headings:
			'Booking No, Booking Number, Reservation ID, Numéro de réservation, N° de réservation',
		property: NOT_FOR_TOOLS,
	},
	coordinates: {
		label: 'Latitude and Longitude',
		example: '10.5222, 7.4384',
		description: 'Both in one value, instead of Latitude and Longitude',
		headings:
			'GPS, GPS Coordinates, GPS Location, Lat/Long, Farm GPS, Geopoint, Coordonnées, Coordonnées GPS',
		isOf: 'farm',
	},
	firstName: {
		label: 'First Name',
		example: 'Amina',
		description: 'The name of the farmer, with Last Name after it',
		headings: 'Given Name, Other Name, Other Names, Prénom, Prénoms',
		partOf: 'farmerName',
		isOf: 'farmer',
	},
	lastName: {
		label: 'Last Name',
		example: 'Bello',
		description: 'The name of the farmer, with First Name before it',
		headings: 'Surname, Family Name, Nom, Nom de famille',
		partOf: 'farmerName',
		isOf: 'farmer',
	},
} as const satisfies Record<string, Field>;

export type ColumnField = keyof typeof FIELDS;

export type BookingField = {
	[F in ColumnField]: (typeof FIELDS)[F] extends { parse: unknown } ? F : never;
}[ColumnField];

type Parsed<F extends BookingField> =
	ReturnType<(typeof FIELDS)[F]['parse']> extends ParseResult<infer Value> ? Value : never;

/**
 * The body of a booking (interface, "Booking create request"): the date is `YYYY-MM-DD`, the area in the unit of
 * `areaType`, the coordinate in decimal degrees. Which fields are required is not documented, and neither are the types
 * of the crop fields: `crop` and `custom_crop` carry a text here, `crops` a list of texts.
 */
export type BookingRequest = { [F in BookingField]?: Parsed<F> };

const namesOf = (holds: (field: Field) => boolean) =>
	(Object.keys(FIELDS) as ColumnField[]).filter((name) => holds(FIELDS[name]));

export const COLUMN_FIELDS = namesOf(() => true);

export const BOOKING_FIELDS = namesOf(({ parse }) => parse !== undefined) as BookingField[];

export const CORE_FIELDS = namesOf(({ rank }) => rank === 'core') as BookingField[];

/** What Booking > Create always shows, and what it has under Additional Fields. */
export const MAIN_FIELDS = namesOf(({ rank }) => rank === 'core' || rank === 'main');
export const ADDITIONAL_FIELDS = namesOf(({ rank, partOf }) => !rank && !partOf);

/** The fields of the request that a booking need not have. */
export const OPTIONAL_FIELDS = BOOKING_FIELDS.filter((name) => ADDITIONAL_FIELDS.includes(name));

export const fieldOf = (name: ColumnField): Field => FIELDS[name];

/** The headings of a field, other than its name and its label. */
export const headingsOf = (name: ColumnField): string[] => fieldOf(name).headings.split(', ');

/** The fields that together are a field, in order; most have none. */
export const partsOf = (name: ColumnField): ColumnField[] =>
	namesOf(({ partOf }) => partOf === name);

export const parseField = <F extends BookingField>(field: F, cell: unknown, rules: Rules) =>
	FIELDS[field].parse(cell, rules) as ParseResult<NonNullable<BookingRequest[F]>>;

/** Its label, as in the editor and in messages. A label stays as it is. */
export function labelOf(field: string): string {
	if (field === 'row' || field === 'sheet') return `The ${field}`;
	return (FIELDS as Readonly<Record<string, Field | undefined>>)[field]?.label ?? field;
}

/** The labels as words: `Farmer Phone, Service Date and Farmer Name`. */
export const labelsOf = (fields: readonly string[]): string => listOf(fields.map(labelOf));
