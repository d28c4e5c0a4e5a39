import '../../support/fixedDate.cts';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Question } from '../../../nodes/TractorBooking/resources/booking/create/preview/questions';
import type { SheetSummary } from '../../../nodes/TractorBooking/resources/booking/create/say/report';
import { serialOf } from '../../../sandbox/sheet/dateStyles.cts';
import { recordsOf } from '../../support/action.cts';
import { OutcomePage } from '../../support/page.cts';
import {
	bookSheet,
	dayFromNow,
	eachWithSandbox,
	mapping,
	sentTo,
	sheetOf,
	sheetRows,
} from '../../support/bookings.cts';

import { KOBO_REQUESTS, koboExport, type KoboSettings } from './sheets/kobo.cts';

// What the summary of Dry Run asks of a sheet, for a form to ask a person.

const sandbox = eachWithSandbox();

const year = Number(dayFromNow(0).slice(0, 4)) + 1;

const days = sheetOf(
	{ 'Service Date': `12 May ${year}` },
	{ 'Service Date': `25/12/${year - 2000}` },
	{ 'Service Date': `05/12/${year}` },
);
const onDays = (...dates: string[]) => sheetOf(...dates.map((date) => ({ 'Service Date': date })));
const areas = sheetOf({}, { 'Land Area': 2.5 }, { 'Land Area': 3, Unit: 'ha' });
const phones = sheetOf(
	{},
	{ 'Farmer Phone': '0803 123 4567' },
	{ 'Farmer Phone': '+234 803 123 4568' },
);
const genders = sheetOf({ Gender: 'F' }, { Gender: '' }, { Gender: 'M' });
const twoPhones = sheetRows(2, {
	...{ 'Farmer Phone': undefined, Phone: '+2348031234567', Mobile: '+2348031234568' },
});
const enumerators = sheetRows(2, {
	...{
		'Farmer Phone': undefined,
		Phone: '+2348031234567',
		'Phone number of the farmer': '+2348031234568',
	},
	'Farmer group': 'Unity',
});
const twoAreas = sheetRows(2, {
	...{ 'Land Area': undefined, 'Farm Size (ha)': 9, 'Area to plough (ha)': 2 },
});
const twoDays = sheetRows(2, {
	...{ 'Service Date': undefined, 'Date Required': `${year}-12-20`, Scheduled: `${year}-12-22` },
	Registered: '2 March 2025',
});
const groupNames = sheetRows(2, {
	...{ 'Farmer Name': undefined, Name: 'Unity', 'First Name': 'Amina', Surname: 'Bello' },
});
const fiveTimes = [0, 1, 2, 3, 4];
const five = (cellsOf: (at: number) => IDataObject) => sheetOf(...fiveTimes.map(cellsOf));
const pupils = five((at) => ({
	...{ 'Farmer Name': undefined, 'Order no.': `T-${at}`, Class: 'JHS 1' },
	...{
		'Name of pupil': `Pupil ${'ABCDE'[at]}`,
		'Name of parent/guardian': `Parent ${'ABCDE'[at]}`,
	},
}));
const growers = five((at) => ({
	...{ 'Farmer Name': undefined, 'Farmer Phone': undefined },
	...{ Name: `Agent ${'AB'[at % 2]}`, Phone: `+234803000000${at % 2}` },
	...{ 'Grower name': `Grower ${'ABCDE'[at]}`, Contact: `+234803000001${at}` },
}));
const kin = five((at) => ({
	...{ 'Farmer Phone': undefined, Phone: `+234803000001${at % 4}` },
	'Next of kin phone': `+234803000002${at}`,
}));
const groups = five((at) => ({
	...{
		'Farmer Name': undefined,
		'Farmer group': 'Alheri',
		Member: `${at}. Amina ${'ABCDE'[at]}`,
	},
}));
const fathers = five((at) => ({
	...{ 'Farmer Name': undefined, Member: `Amina ${'ABCDE'[at]}` },
	'Father name': `Father ${'ABCDE'[at]}`,
}));
const halves = five((at) => ({
	...{ 'Farmer Name': undefined, 'Nom du membre': `Camara ${'ABCDE'[at]}` },
	'Prénom du membre': `Fodé ${'ABCDE'[at]}`,
}));
const works = sheetOf(
	...['Ploughing', 'Ridging', 'Plowing', 'Ploughing', 'Harrowing'].map((work, at) => ({
		...{ 'Service Type': undefined, Field: ['Home', 'River'][at % 2] },
		'Work to be done': work,
	})),
);
const ofParts = mapping({ 'First Name': 'firstName', Surname: 'lastName' });
const noTractor = { 'Tractor ID': undefined };
const noArea = { 'Land Area': undefined };
const spots = sheetRows(5, {
	...noTractor,
	Spot: '10.5, 7.4',
	'Tractor given': 201,
	Amount: 35_000,
});
const plotSpots = sheetRows(5, { ...noTractor, plot_lat: 10.5, 'plot_gps-Longitude': 7.4 });
const ofOfficers = sheetRows(5, {
	...{ ...noTractor, 'job/plot_gps': '10.5, 7.4', 'job/notes': '' },
	...{ 'field_officer/gps': '9.1, 7.2', 'field_officer/village': 'Zaria' },
});
const twoSpots = spots.map((row) => ({ ...row, 'start-geopoint': '9.1 7.2 0 0' }));
const places = sheetRows(5, { ...noTractor, Location: '10.5, 7.4' });
const ordered = sheetRows(1, {
	...{ 'Service Date': undefined, 'Service Date (dd/mm/yyyy)': `05/12/${year}` },
});
const withUnits = sheetRows(2, { 'Land Area': 2, 'U/M': 'acres' });
const withoutRequests = withUnits.map(
	({ 'Farmer Name': Name, 'Land Area': Size, 'U/M': unit }) => ({
		...{ 'Farmer Name': Name, 'Land Area': Size, 'U/M': unit, Day: `20/12/${year}` },
	}),
);
const unnamed = five((at) => ({
	...{ 'Land Area': undefined, 'Farmer Phone': undefined, 'Service Date': undefined },
	...{ Contact: `0803 123 456${at}`, Day: serialOf(new Date(`${year}-12-08`)), Remark: 'x' },
	...{ 'farm/how_big': 2 + at, 'farm/farm_size': '2 ha' },
}));

const doubtful = sheetRows(2, {
	...{ 'Farmer Phone': undefined, 'Service Type': undefined, 'Service Date': undefined },
	...{ 'Land Area': undefined, Contact: '0803 123 4567', Date: `05/12/${year}`, Size: 2.5 },
	...{ Remark: 'x', start: `${year}-01-02`, _id: 1001 },
});
const withServices = (cells: IDataObject) =>
	sheetOf(
		...['Ploughing', 'Ploughin', 'Ploughin'].map((word) => ({ ...cells, 'Service Type': word })),
	);
const services = withServices({});
const servicesNearby = withServices({ ...noTractor, Latitude: 10.5222, Longitude: 7.4384 });
const kobo = (settings: KoboSettings) => koboExport(settings, KOBO_REQUESTS);
const names = { format: 'xml', groups: true } as const;
const ownWords = ['plough', 'second harrow', 'plough harrow'];
const koboOwn = koboExport(
	names,
	KOBO_REQUESTS.map((one, at) => ({
		...one,
		service: ownWords[at % 3] ?? '',
		sex: at < 2 ? '1' : 'male',
	})),
);
const koboDevice = kobo({ ...names, groups: false }).map(({ farmer_phone: Contact, ...row }) => ({
	...{ ...row, Contact, phonenumber: '08030000111' },
}));
/** The tab of a repeat group: the farmers are in another one. */
const koboRepeat = fiveTimes.map((at) => ({
	...{ plot_name: `North ${at}`, service: 'Ploughing', area: `${at + 1} ha`, _index: at + 1 },
	...{
		service_date: `${year}-05-1${at}`,
		_parent_table_name: 'main',
		_parent_index: 1 + (at >> 1),
	},
	...{
		_submission__id: 481,
		_submission__uuid: '5c8c',
		_submission__validation_status: 'Approved',
	},
}));
const nearest = { tractorSelection: 'nearest' };
const ordinary = five((at) => ({
	...{ 'Farmer Name': undefined, 'Farmer Phone': undefined, 'Service Type': undefined },
	...{ 'Service Date': undefined, 'Land Area': undefined, 'Tractor ID': undefined },
	...{ No: at + 1, 'Household size': at + 2, District: at % 2 ? 'Igabi' : 'Zaria' },
	Remarks: at === 2 ? 'Call first' : '',
	...{ 'Client name': `Client ${'ABCDE'[at]}`, 'Contact no': `080312345${67 + at}` },
	...{ Registered: '2 March 2025', Date: `20 May ${year}`, 'Kind of work': 'Ploughing' },
	...{
		'Size of plot': at < 4 ? at + 1.5 : 'ask',
		GPS: `10.5${at} 7.4`,
		'Cost (000)': 35_000 + at,
	},
}));
const googleForm = five((at) => ({
	...{ 'Service Date': undefined, Timestamp: `2${at} May 2025 10:11` },
	...{ 'Email Address': `f${at}@example.com` },
	'When should the tractor come?': `1${at} May ${year}`,
}));
const hectarage = five((at) => ({
	...noArea,
	SN: at + 1,
	EXTENT: at < 4 ? `${at + 1} Ha` : '2 plots',
}));
const optional = five((at) => ({
	...{ 'Main crop': at % 2 ? 'Maize' : 'Rice', 'Village name': 'Rigasa', Notes: 'By the gate' },
	...{ 'Crops sold': 12, Officer: 'Musa' },
}));
const sentences = fiveTimes.map((at) => ({
	...{ 'Enumerator name': at % 2 ? 'Musa' : 'Ada', 'Enumerator phone': `0803999111${at % 2}` },
	...{ 'Do you agree to take part?': 'Yes', 'Sex of the farmer': at % 2 ? 'Male' : 'Female' },
	'What is the full name of the farmer?': `Farmer ${'ABCDE'[at]}`,
	'What is the phone number of the farmer?': `0803123456${at}`,
	...{ 'Name of village': 'Rigasa', 'Where is the farm?': `10.52 7.4${at} 0 0` },
	...{
		'What does the farmer need?': at % 2 ? 'Ploughing' : 'Harrowing',
		'How big is the land?': 1 + at / 2,
	},
	...{ 'Hectares or acres?': at % 2 ? 'Hectares' : 'Acres', 'When is it?': `1${at} May ${year}` },
	'Which crops will you plant?': 'Maize Beans',
	...{ 'Which crops will you plant?/Maize': 1, 'Which crops will you plant?/Beans': 1 },
}));
const phonesIn = (Latitude: number, Longitude: number) =>
	fiveTimes.map((at) => ({
		...{ ...sheetRows(1)[0], Latitude, Longitude, 'Farmer Phone': `080312345${67 + at}` },
	}));
const phonesBesideParts = phonesIn(10.5, 7.4).map(({ Latitude, Longitude, ...row }) => ({
	...{ ...row, 'Latitude (N)': Latitude, 'Longitude (E)': Longitude },
}));
const textOf = (questions: Question[]) =>
	questions
		.flatMap(({ about, field, column, value, answers, suggested, isSure }) => [
			`${[about, field, column, value].filter(Boolean).join(', ')}${isSure ? ' (sure)' : ''}`,
			...answers
				.slice(0, 8)
				.map(
					(answer) =>
						`- ${answer.text}: ${JSON.stringify(answer.value)}${answer.value === suggested ? ' (suggested)' : ''}`,
				),
		])
		.join('\n')
		.replaceAll(String(year), 'YYYY');

/** What is asked of each sheet. `SHEETS=write npx jest create/questions` writes it. */
const page = new OutcomePage(join(__dirname, 'sheets/questions.txt'));

it.each<[what: string, rows: IDataObject[], fields?: INodeParameters]>([
	['A sheet that says everything', sheetRows(3, {})],
	['A row that is no request', [...sheetRows(2, {}), { 'Farmer Name': 'TOTAL', 'Land Area': 45 }]],
	['A date with two readings', days],
	['The same, ahead in one order', onDays('05/12/2035', '04/12/2035')],
	['The same, just past in the other order', onDays('11/12/2035', '12/12/2035')],
	['The same, more ahead in one order', onDays('05/01/2036', '08/12/2035')],
	['The same, ahead in both', onDays('05/12/2035', '12/05/2035')],
	['The same, ahead in none', onDays('05/10/2035', '04/10/2035')],
	['The same, with Date Order', days, { dateOrder: 'dayFirst' }],
	['The same, with an order in the heading', ordered],
	['Areas that name no unit', areas],
	['The same, with Area Unit', areas, { options: { areaUnit: 'ac' } }],
	['Areas beside a column with units', withUnits],
	['The same, ignored', withUnits, { options: { ignoredColumns: 'U/M' } }],
	['The same, without columns that tell a request', withoutRequests],
	['Columns in the order in which they may hold a field', ordinary],
	['Sentences as headings', sentences, nearest],
	['Columns for fields that need not be there', optional],
	['An area whose heading says the unit', sheetRows(5, { ...noArea, 'Na.': 1, Ekari: 2 })],
	['Phones without a country code', phones],
	['The same, in a country of Africa', phonesIn(10.5, 7.4)],
	['The same, in columns that may hold the place', phonesBesideParts, nearest],
	['The same, with Phone Country', phones, { phoneCountry: 'NG' }],
	['A column for an optional field that cannot be read', genders],
	['The same, in part', sheetOf({ Gender: 'F' }, { Gender: 1 }, { Gender: 'M' })],
	['Two columns for one field', twoPhones],
	['The same, with Column Mapping', twoPhones, { options: mapping({ Mobile: 'farmerPhone' }) }],
	['A column for a phone, beside one that says whose', enumerators],
	['The same, with Column Mapping', enumerators, { options: mapping({ Phone: 'farmerPhone' }) }],
	['A column for an area, beside another area', twoAreas],
	['A column for a day, beside another one to come', twoDays],
	['A column for a name, beside those of its parts', groupNames],
	['The same, with Column Mapping', groupNames, { options: ofParts }],
	[
		'A column for a name, beside a surname',
		sheetRows(2, { 'Farmer Name': undefined, Name: 'Amina', Surname: 'Bello' }),
	],
	['No column for a name, beside those of two people', pupils],
	['No column for a name, beside that of a group', groups],
	['No column for a name, beside that of a father', fathers],
	['No column for a name, beside those of its parts', halves],
	['A name and a phone, beside those of more people', growers],
	['A phone that two share, beside that of another person', kin],
	['The place of a field officer is not the farm', ofOfficers, nearest],
	['No column for a service', works],
	[
		'The same, by places',
		works.map((row) => ({ ...row, ...noTractor, Latitude: 10.5222, Longitude: 7.4384 })),
		nearest,
	],
	[
		'The same, in French, beside another column with few words',
		works.map((row) => ({ ...row, 'Work to be done': undefined, 'Travaux demandés': 'Labour' })),
	],
	['No column for three fields', unnamed, { phoneCountry: 'NG' }],
	['No column for four fields, in doubt', doubtful],
	['A service that no tractor offers', services],
	['The same, near the farm', servicesNearby, { tractorSelection: 'nearest' }],
	[
		'The same, with a word that only begins like a service',
		servicesNearby.map((row) => ({ ...row, 'Service Type': 'Plantain' })),
		{ tractorSelection: 'nearest' },
	],
	['The same, beside a column that is not read', withServices({ Status: 'Approved' })],
	['Several services in a cell', sheetRows(2, { 'Service Type': 'Ploughing, Harrowing' })],
	['Columns that may hold a place or a tractor', spots, { tractorSelection: 'idOrNearest' }],
	['Columns that may hold the latitude and the longitude', plotSpots, nearest],
	['A place, beside that where a form was opened', twoSpots, nearest],
	['A place under a heading for words', places, { tractorSelection: 'nearest' }],
	['KoBoToolbox: names in groups', kobo(names), nearest],
	['The same, with the phone of the device', koboDevice, nearest],
	['KoBoToolbox: labels in groups', kobo({ ...names, format: 'labels' }), nearest],
	['KoBoToolbox: words of its own for services, and genders', koboOwn, nearest],
	['KoBoToolbox: plots of a repeat group, without the farmers', koboRepeat, nearest],
	['The answers of a form', googleForm, nearest],
	['Numbers beside areas with units', hectarage],
])('%s', async (what, rows, fields = {}) => {
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await bookSheet(sandbox, rows, { dryRun: true, ...fields }, settings);
	expect(sentTo(sandbox)).toEqual([]);
	const { questions, unsendable } = recordsOf(items)[0]?.summary as SheetSummary;
	const unsent = unsendable.map((column) => `Cannot be sent: ${column}`);
	page.tell(what, [textOf(questions), ...unsent].filter(Boolean).join('\n') || 'Nothing.');
});

it('of each sheet is asked what has to be', () => page.judge());
