import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { dayFromNow } from '../../../support/bookings';
import type { LateService } from '../../../support/lateService';

/** The column that says which job a row really is. It becomes the note, by which nothing is compared. */
export const JOB = 'Farm Note';

/** What people do to a sheet: the runs one after the other, and what happens at the service in between. */
export interface Story {
	name: string;
	sheets: IDataObject[][];
	/** What the service's people do after the first run. */
	meanwhile?: (service: LateService) => void;
	options?: INodeParameters;
	/** Whether each row comes in a run of its own, as from a form or Loop Over Items. */
	isOneByOne?: true;
	/** Whether the numbers of bookings stay in their lines when other rows are typed over them. */
	leavesNumbers?: true;
}

/** A row of a sheet. @param job which job it is */
function row(job: string, farmer: number, name: string, more: IDataObject = {}): IDataObject {
	return {
		Name: name,
		Phone: `+23480312345${farmer}`,
		Date: dayFromNow(1),
		Service: 3,
		Tractor: 201,
		'Area (ha)': 2,
		[JOB]: job,
		...more,
	};
}

const amina = row('amina', 10, 'Amina Bello');
const bala = row('bala', 11, 'Bala Musa', { Date: dayFromNow(2) });
const others = [
	row('chika', 12, 'Chika Obi'),
	row('dauda', 13, 'Dauda Sani', { Date: dayFromNow(3) }),
	row('efe', 14, 'Efe Ade', { Service: 4 }),
	row('gado', 17, 'Gado Umar', { 'Area (ha)': 5 }),
];
const sheet = [amina, bala, ...others];
const halima = row('halima', 20, 'Halima Yusuf');
const idris = row('idris', 20, 'Idris Yusuf', { 'Area (ha)': 3 });
const ridging = { ...amina, Service: 4, [JOB]: 'amina ridging' };

/** A sheet that runs, and runs again as it is. */
const twice = (rows: IDataObject[]) => [rows, rows];
const first = (change: IDataObject) => [{ ...amina, ...change }, bala, ...others];
const all = (change: (cells: IDataObject) => IDataObject) =>
	sheet.map((cells) => ({ ...cells, ...change(cells) }));
const anotherJob = ({ [JOB]: job }: IDataObject, more: IDataObject = {}) => ({
	...more,
	[JOB]: `${asText(job)} again`,
});
/** The sheet typed over with other farmers. */
const otherFarmers = sheet.map((cells, at) => ({
	...cells,
	...row(`new ${at}`, 40 + at, `Farmer New${'abcdef'[at]}`),
}));

/** A correction of the first row after all were booked. */
const corrected = (name: string, change: IDataObject): Story => ({
	name,
	sheets: [sheet, first(change)],
});
/** Something that happens to the booking of the first row. */
const atService = (name: string, change: IDataObject, options?: INodeParameters): Story => ({
	name,
	sheets: [sheet, sheet],
	meanwhile: ({ bookings: [booking] }) => Object.assign(booking ?? {}, change),
	options,
});

/** The letters of a name in capitals, the family name first. */
const retyped = (name: unknown) => asText(name).toUpperCase().split(' ').reverse().join(', ');

export const STORIES: readonly Story[] = [
	{ name: 'the same sheet again', sheets: [sheet, sheet, sheet] },
	{
		name: 'the same sheet with rows appended',
		sheets: [sheet, [...sheet, row('femi', 15, 'Femi Ojo'), row('gbenga', 16, 'Gbenga Alli')]],
	},
	{ name: 'the sheet in another order', sheets: [sheet, [...sheet].reverse()] },
	{ name: 'a sheet of some of its rows', sheets: [sheet, [bala, ...others.slice(1)]] },
	{ name: 'a row that was to fix is fixed', sheets: [first({ Date: '31/02/2026' }), sheet] },
	{
		name: 'Loop Over Items, twice',
		sheets: [sheet.slice(0, 3), sheet.slice(0, 3)],
		isOneByOne: true,
	},
	{ name: 'one row sent again from a form', sheets: [sheet, [amina]] },

	corrected('a name misspelt is corrected', { Name: 'Aminah Bello' }),
	corrected('a name gets a title', { Name: 'Alhaja Amina Bello' }),
	corrected('a name gets a second name', { Name: 'Amina Funke Bello' }),
	corrected('a family name changes', { Name: 'Amina Balarabe' }),
	corrected('a phone is corrected by a digit', { Phone: '+2348031234598' }),
	corrected('a phone gets another country code', { Phone: '+2558031234510' }),
	corrected('a phone is typed as a local number', { Phone: '08031234510', 'Phone Country': 'NG' }),
	corrected('a service is corrected', { Service: 4 }),
	corrected('an area is corrected', { 'Area (ha)': 4 }),
	corrected('another tractor is asked for', { Tractor: 202 }),
	corrected('a row is moved to another day', { Date: dayFromNow(6) }),
	corrected('a name and a phone are corrected', { Name: 'Aminah Bello', Phone: '+2348031234598' }),
	corrected('a name and a day are corrected', { Name: 'Aminah Bello', Date: dayFromNow(6) }),
	{
		name: 'all rows are moved by a week',
		sheets: [sheet, all(({ Date: day }) => ({ Date: dayAfter(day, 7) }))],
	},
	{
		name: 'two rows exchange their days',
		sheets: [sheet, [{ ...amina, Date: bala.Date }, { ...bala, Date: amina.Date }, ...others]],
	},
	{
		name: 'a row alone is corrected by a form',
		sheets: [[amina], [{ ...amina, Name: 'Aminah Bello' }]],
		isOneByOne: true,
	},
	{
		name: 'a row alone is moved by a form',
		sheets: [[amina], [{ ...amina, Date: dayFromNow(6) }]],
		isOneByOne: true,
	},

	atService('the owner moves a booking', { serviceDate: dayFromNow(6), bookingStatus: 1 }),
	atService('the owner completes a booking', { bookingStatus: 3 }),
	atService('the owner corrects a phone', { farmerPhone: '+2348031234598' }),
	atService('the owner corrects a name', { farmerName: 'Aminah Bello' }),
	atService('the owner changes the tractor', { tractorId: 209 }),
	atService('the owner declines a booking', { bookingStatus: 4 }),
	{
		name: 'the owner moves one job of a farmer to the day of the other, and that one further',
		sheets: twice([...sheet, { ...ridging, Date: dayFromNow(4) }]),
		meanwhile: ({ bookings }) => {
			const [one] = bookings;
			const other = bookings.find(({ farmNote }) => farmNote === ridging[JOB]);
			Object.assign(one ?? {}, { serviceDate: dayFromNow(4) });
			Object.assign(other ?? {}, { serviceDate: dayFromNow(7) });
		},
	},
	{
		name: 'the owner moves a booking that was written in another day for a new job',
		sheets: [
			sheet,
			[{ ...amina, Date: dayFromNow(6) }, { ...ridging, Date: amina.Date }, bala, ...others],
		],
		meanwhile: ({ bookings: [booking] }) =>
			Object.assign(booking ?? {}, { serviceDate: dayFromNow(6) }),
	},
	{
		name: 'a declined booking is to be booked again',
		sheets: [
			sheet,
			[{ ...amina, ...anotherJob(amina) }, bala, ...others],
			[{ ...amina, ...anotherJob(amina) }, bala, ...others],
		],
		meanwhile: ({ bookings: [booking] }) => Object.assign(booking ?? {}, { bookingStatus: 4 }),
		options: { ignoredStatuses: [4] },
	},

	{
		name: 'a household with one phone',
		sheets: [
			[halima, idris, ...others],
			[...others, idris, halima],
		],
	},
	{
		name: 'a household gets one more',
		sheets: [
			[halima, ...others],
			[halima, idris, ...others],
		],
	},
	{
		name: 'another of the household in a sheet of its own',
		sheets: [[halima, ...others], [idris]],
	},
	{
		name: 'another of the household takes the place of the first',
		sheets: [
			[halima, ...others],
			[{ ...halima, Name: 'Idris Yusuf', [JOB]: 'idris' }, ...others],
		],
	},
	{
		name: 'a name in a household is corrected, and one more comes',
		sheets: [
			[halima, ...others],
			[{ ...halima, Name: 'Halimah Yusuf' }, idris, ...others],
		],
	},
	{
		name: 'a phone in a household is corrected, and another comes with the old one',
		sheets: [
			[halima, ...others],
			[{ ...halima, Phone: '+2348031234521' }, { ...idris }, ...others],
		],
	},
	{
		name: 'the days of a household are moved',
		sheets: [
			[halima, idris, ...others],
			[{ ...halima, Date: dayFromNow(5) }, { ...idris, Date: dayFromNow(6) }, ...others],
		],
	},

	{
		name: 'a farmer has two services on a day',
		sheets: twice([...sheet, ridging]),
	},
	{ name: 'a second service of a farmer on that day', sheets: [sheet, [...sheet, ridging]] },
	{ name: 'a second service in a sheet of its own', sheets: [sheet, [ridging]] },
	{
		name: 'a farmer has two fields on a day',
		sheets: twice([...sheet, { ...amina, 'Area (ha)': 4, [JOB]: 'amina 4 ha' }]),
	},
	{
		name: 'a second field of a farmer on that day',
		sheets: [sheet, [...sheet, { ...amina, 'Area (ha)': 4, [JOB]: 'amina 4 ha' }]],
	},
	{
		name: 'a second field in a sheet of its own',
		sheets: [sheet, [{ ...amina, 'Area (ha)': 4, [JOB]: 'amina 4 ha' }]],
	},
	{
		name: 'a second job on another day',
		sheets: [sheet, [...sheet, { ...amina, Date: dayFromNow(6), [JOB]: 'amina next' }]],
	},
	{
		name: 'a second job on another day in the place of the first',
		sheets: [sheet, first({ Date: dayFromNow(6), Service: 4, [JOB]: 'amina next' })],
	},
	{
		name: 'a second job on another day in a sheet of its own',
		sheets: [sheet, [{ ...amina, Date: dayFromNow(6), [JOB]: 'amina next' }]],
	},
	{
		name: 'two farmers of one name',
		sheets: [sheet, [...sheet, row('amina of Ede', 30, 'Amina Bello')]],
	},

	{
		name: 'a row is typed twice',
		sheets: twice([...sheet, amina]),
	},
	{
		name: 'a row is typed twice, the second time after the run',
		sheets: [sheet, [...sheet, amina]],
	},
	{
		name: 'a row is copied, with another remark in a column that is not read',
		sheets: twice(
			[...sheet, { ...amina, Officer: 'Musa' }].map((cells) => ({ Officer: 'Joy', ...cells })),
		),
		options: { otherColumns: 'ignore' },
	},
	{
		name: 'a row is typed twice, once without the area',
		sheets: twice([...sheet, { ...amina, 'Area (ha)': '' }]),
	},
	{
		name: 'a row is copied for a job next week',
		sheets: twice([...sheet, { ...amina, Date: dayFromNow(8), [JOB]: 'amina next' }]),
	},
	{
		name: 'the rows are there twice, in two sheets of one upload',
		sheets: [[...sheet, ...sheet], sheet],
	},
	{
		name: 'the sheet is retyped: capitals, dates and phones in other forms',
		sheets: [
			sheet,
			[...sheet].reverse().map(({ Name: name, Phone: phone, Date: day, ...cells }) => ({
				...cells,
				Name: retyped(name),
				Phone: asText(phone).replace('+234', '0'),
				'Phone Country': 'NG',
				Date: `${asText(day)} 00:00:00`,
			})),
		],
	},
	{
		name: 'the sheet is retyped, with a slip in a name and one in a phone',
		sheets: [
			sheet,
			[{ ...amina, Name: 'Amina Belo' }, { ...bala, Phone: '+2348031234591' }, ...others],
		],
	},

	{
		name: 'a sheet is typed over with new jobs of the same farmers, the first ones done',
		sheets: [sheet, all((cells) => anotherJob(cells, { Date: dayAfter(cells.Date, 7) }))],
		meanwhile: ({ bookings }) => bookings.forEach((booking) => (booking.bookingStatus = 3)),
	},
	{
		name: 'a sheet is typed over with new jobs of the same farmers, the first ones to come',
		sheets: [sheet, all((cells) => anotherJob(cells, { Date: dayAfter(cells.Date, 7) }))],
	},
	{
		name: 'half a sheet is typed over with new jobs of the same farmers',
		sheets: [
			sheet,
			sheet.map((cells, at) =>
				at % 2 ? cells : { ...cells, ...anotherJob(cells, { Date: dayAfter(cells.Date, 7) }) },
			),
		],
		meanwhile: ({ bookings }) =>
			bookings.forEach((booking, at) => (booking.bookingStatus = at % 2 ? 0 : 3)),
	},
	...['done', 'to come'].map((state): Story => ({
		name: `a sheet is typed over with new jobs of the same farmers, the numbers of bookings that are ${state} left in`,
		sheets: [sheet, all((cells) => anotherJob(cells, { Date: dayAfter(cells.Date, 7) }))],
		meanwhile: ({ bookings }) =>
			bookings.forEach((booking) => (booking.bookingStatus = state === 'done' ? 3 : 1)),
		leavesNumbers: true,
	})),
	{
		name: 'a sheet is typed over with other farmers, the numbers left in',
		sheets: [sheet, otherFarmers],
		leavesNumbers: true,
	},
	{
		name: 'the rows are sorted without their numbers',
		sheets: [sheet, [...sheet].reverse()],
		leavesNumbers: true,
	},
	{
		name: 'a sheet is typed over with other farmers',
		sheets: [sheet, otherFarmers],
	},
	{
		name: 'a sheet is typed over with another service for all',
		sheets: [sheet, all((cells) => anotherJob(cells, { Service: 5 }))],
	},
];

/** A day so many days after another one. */
function dayAfter(day: unknown, days: number): string {
	return new Date(Date.parse(asText(day)) + days * 86_400_000).toISOString().slice(0, 10);
}
