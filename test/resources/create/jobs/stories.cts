import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { BEGINNING } from '../../../support/virtualClock.cts';
import type { Fate, LateService } from '../../../support/lateService.cts';

const DAY_MS = 86_400_000;

/** The day so many days after the third day of the stories. */
export const dayFromNow = (days: number) =>
	new Date(BEGINNING + (days + 2) * DAY_MS).toISOString().slice(0, 10);

export const dayAfter = (day: unknown, days: number) =>
	new Date(Date.parse(asText(day).slice(0, 10)) + days * DAY_MS).toISOString().slice(0, 10);

/** The column that says which job a row really is. It becomes the note, by which nothing is compared. */
export const JOB = 'Farm Note';

/** What rows hold beside their cells: nothing, the number of their booking, or a number of their own. */
export const KEYS = ['no column of its own', 'Booking ID', 'Row ID'] as const;

/** What people do to a sheet: the runs one after the other, and what happens at the service in between. */
export interface Story {
	name: string;
	sheets: IDataObject[][];
	meanwhile?: (service: LateService) => void;
	later?: (service: LateService) => void;
	unanswered?: number;
	/** The jobs of which a person says in the Booking ID that they are not the booking of another one. */
	denies?: Readonly<Record<string, string>>;
	/** How often the first sheet runs with Dry Run before. */
	previews?: number;
	/** What becomes of the requests of the first run. @param count of the request, from 1 @param kill n8n dies with it */
	fate?: (count: number, kill: () => void) => Fate;
	death?: { run: number; step: number } | null;
	listedAfter?: number;
	minutes?: readonly number[];
	forgets?: true;
	key?: (typeof KEYS)[number];
	/** Whether the Row ID of a row is the number of its line, in each sheet. */
	numbersLines?: true;
	/** Whether rows with a Row ID have the number of their booking as well. */
	hasBothIds?: true;
	/** Whether each row comes in a run of its own, as from a form or Loop Over Items. */
	isOneByOne?: boolean;
	/** Whether the numbers of bookings stay in their lines when other rows are typed over them. */
	leavesNumbers?: true;
}

/** A row of a sheet. @param job which job it is */
export function row(
	job: string,
	farmer: number,
	name: string,
	more: IDataObject = {},
): IDataObject {
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

export const amina = row('amina', 10, 'Amina Bello');
export const bala = row('bala', 11, 'Bala Musa', { Date: dayFromNow(2) });
export const others = [
	row('chika', 12, 'Chika Obi'),
	row('dauda', 13, 'Dauda Sani', { Date: dayFromNow(3) }),
	row('efe', 14, 'Efe Ade', { Service: 4 }),
	row('gado', 17, 'Gado Umar', { 'Area (ha)': 5 }),
];
export const sheet = [amina, bala, ...others];
export const halima = row('halima', 20, 'Halima Yusuf');
export const idris = row('idris', 20, 'Idris Yusuf', { 'Area (ha)': 3 });
const household = [halima, ...others];
export const bothOfHousehold = [halima, idris, ...others];
/** Other jobs of the first farmer: another service, a larger field, a field for another tractor, a later day. */
export const ridging = { ...amina, Service: 4, [JOB]: 'amina ridging' };
export const larger = { ...amina, 'Area (ha)': 4, [JOB]: 'amina 4 ha' };
const by202 = { ...amina, Tractor: 202, [JOB]: 'amina by 202' };
const nextTime = { ...amina, Date: dayFromNow(6), [JOB]: 'amina next' };

const twice = (rows: IDataObject[]) => [rows, rows];
export const first = (change: IDataObject, ofSecond: IDataObject = {}) => [
	{ ...amina, ...change },
	{ ...bala, ...ofSecond },
	...others,
];
export const all = (change: (cells: IDataObject) => IDataObject) =>
	sheet.map((cells) => ({ ...cells, ...change(cells) }));
const withColumn = (heading: string, value?: string) => all(() => ({ [heading]: value }));
const anotherJob = ({ [JOB]: job }: IDataObject, more: IDataObject = {}) => ({
	...more,
	[JOB]: `${asText(job)} again`,
});
const otherFarmers = sheet.map((cells, at) => ({
	...cells,
	...row(`new ${at}`, 40 + at, `Farmer New${'abcdef'[at]}`),
}));

/** What people do to a sheet, run after run. */
export const story = (name: string, sheets: IDataObject[][], more: Partial<Story> = {}): Story => ({
	name,
	sheets,
	...more,
});
export const again = (name: string, rows: IDataObject[], more?: Partial<Story>) =>
	story(name, [sheet, rows], more);
export const corrected = (name: string, change: IDataObject) => again(name, first(change));
export const changeFirst = (change: IDataObject) => (service: LateService) =>
	void Object.assign(service.bookings[0] ?? {}, change);
const changeAll = (change: IDataObject) => (service: LateService) =>
	service.bookings.forEach((booking) => Object.assign(booking, change));
const atService = (name: string, change: IDataObject) =>
	again(name, sheet, { meanwhile: changeFirst(change) });
const weekLater = ({ Date: day }: IDataObject) => ({ Date: dayAfter(day, 7) });
const nextWeek = all((cells) => anotherJob(cells, weekLater(cells)));

const retyped = (name: unknown) => asText(name).toUpperCase().split(' ').reverse().join(', ');

// prettier-ignore
export const STORIES: readonly Story[] = [
	story('the same sheet again', [sheet, sheet, sheet]),
	again('the same sheet with rows appended', [...sheet, row('femi', 15, 'Femi Ojo'), row('gbenga', 16, 'Gbenga Alli')]),
	again('the sheet in another order', [...sheet].reverse()),
	again('a sheet of some of its rows', [bala, ...others.slice(1)]),
	story('a row that was to fix is fixed', [first({ Date: '31/02/2026' }), sheet]),
	story('Loop Over Items, twice', [sheet.slice(0, 3), sheet.slice(0, 3)], { isOneByOne: true }),
	again('one row sent again from a form', [amina]),

	corrected('a name misspelt is corrected', { Name: 'Aminah Bello' }),
	corrected('a name gets a title', { Name: 'Alhaja Amina Bello' }),
	corrected('a name gets a second name', { Name: 'Amina Funke Bello' }),
	corrected('a family name changes', { Name: 'Amina Balarabe' }),
	corrected('a phone is corrected by a digit', { Phone: '+2348031234598' }),
	corrected('a phone gets another country code', { Phone: '+2558031234510' }),
	corrected('a phone is typed as a local number', { Phone: '08031234510' }),
	corrected('a service is corrected', { Service: 4 }),
	corrected('an area is corrected', { 'Area (ha)': 4 }),
	corrected('another tractor is asked for', { Tractor: 202 }),
	corrected('a row is moved to another day', { Date: dayFromNow(6) }),
	corrected('a name and a phone are corrected', { Name: 'Aminah Bello', Phone: '+2348031234598' }),
	corrected('a name and a day are corrected', { Name: 'Aminah Bello', Date: dayFromNow(6) }),
	again('all rows are moved by a week', all(weekLater)),
	again('two rows exchange their days', first({ Date: bala.Date }, { Date: amina.Date })),
	story('a row alone is corrected by a form', [[amina], [{ ...amina, Name: 'Aminah Bello' }]]),
	story('a row alone is moved by a form', [[amina], [{ ...amina, Date: dayFromNow(6) }]]),

	atService('the owner moves a booking', { serviceDate: dayFromNow(6), bookingStatus: 1 }),
	atService('the owner moves a booking and completes it', { serviceDate: dayFromNow(6), bookingStatus: 3 }),
	again('the owner moves a booking, and its area is corrected', first({ 'Area (ha)': 4 }), { meanwhile: changeFirst({ serviceDate: dayFromNow(6) }) }),
	atService('the owner completes a booking', { bookingStatus: 3 }),
	atService('the owner corrects a phone', { farmerPhone: '+2348031234598' }),
	atService('the owner corrects a name', { farmerName: 'Aminah Bello' }),
	atService('the owner changes the tractor', { tractorId: 209 }),
	atService('the owner declines a booking', { bookingStatus: 4 }),
	story(
		'the owner moves one job of a farmer to the day of the other, and that one further',
		twice([...sheet, { ...ridging, Date: dayFromNow(4) }]),
		{
			meanwhile: ({ bookings }) => {
				const [one] = bookings;
				const other = bookings.find(({ farmNote }) => farmNote === ridging[JOB]);
				Object.assign(one ?? {}, { serviceDate: dayFromNow(4) });
				Object.assign(other ?? {}, { serviceDate: dayFromNow(7) });
			},
		},
	),
	again(
		'the owner moves a booking that was written in another day for a new job',
		[{ ...amina, Date: dayFromNow(6) }, { ...ridging, Date: amina.Date }, bala, ...others],
		{ meanwhile: changeFirst({ serviceDate: dayFromNow(6) }) },
	),
	story('a declined booking is to be booked again', [sheet, ...twice(first(anotherJob(amina)))], {
		meanwhile: changeFirst({ bookingStatus: 4 }),
		denies: { 'amina again': 'amina' },
	}),

	story('a household with one phone', [bothOfHousehold, [...others, idris, halima]]),
	story('two of a household have nearly the same name', twice([...household, row('halimah', 20, 'Halimah Yusuf')])),
	story('a household gets one more', [household, bothOfHousehold]),
	story('another of the household in a sheet of its own', [household, [idris]]),
	story('another of the household takes the place of the first', [household, [{ ...halima, Name: 'Idris Yusuf', [JOB]: 'idris' }, ...others]]),
	story('a name in a household is corrected, and one more comes', [household, [{ ...halima, Name: 'Halimah Yusuf' }, idris, ...others]]),
	story('a phone in a household is corrected, and another comes with the old one', [household, [{ ...halima, Phone: '+2348031234521' }, idris, ...others]]),
	story('the days of a household are moved', [bothOfHousehold, [{ ...halima, Date: dayFromNow(5) }, { ...idris, Date: dayFromNow(6) }, ...others]]),

	story('a farmer has two services on a day', twice([...sheet, ridging])),
	again('a second service of a farmer on that day', [...sheet, ridging]),
	again('a second service in a sheet of its own', [ridging]),
	story('a farmer has two fields on a day', twice([...sheet, larger])),
	again('a second field of a farmer on that day', [...sheet, larger]),
	again('a second field of that size, for another tractor', [...sheet, by202]),
	again('a second field of that size, for another tractor, in a sheet of its own', [by202]),
	again('a second field in a sheet of its own', [larger]),
	again('a second job on another day', [...sheet, nextTime]),
	again('a second job on another day in the place of the first', first({ Date: dayFromNow(6), Service: 4, [JOB]: 'amina next' })),
	again('a second job on another day in a sheet of its own', [nextTime]),
	again('two farmers of one name', [...sheet, row('amina of Ede', 30, 'Amina Bello')]),

	story('a row is typed twice', twice([...sheet, amina])),
	story('a row is typed twice, and previewed three times', twice([...sheet, amina]), { previews: 3 }),
	again('a row is typed twice, the second time after the run', [...sheet, amina]),
	{
		name: 'a row is copied, with another remark in a column that is not read',
		sheets: twice(
			[...sheet, { ...amina, Officer: 'Musa' }].map((cells) => ({ Officer: 'Joy', ...cells })),
		),
	},
	...Object.entries({
		'with a slip in the name': 'Aminah Bello',
		'with a title': 'Alhaja Amina Bello',
		'with a second name': 'Amina Funke Bello',
	}).map(([how, name]) =>
		story(`a row is typed twice, once ${how}`, twice([...sheet, { ...amina, Name: name }])),
	),
	story('a row is typed twice, once without the area', twice([...sheet, { ...amina, 'Area (ha)': '' }])),
	story('a row is copied for a job next week', twice([...sheet, { ...nextTime, Date: dayFromNow(8) }])),
	story('the rows are there twice, in two sheets of one upload', [[...sheet, ...sheet], sheet]),
	story('the sheet is retyped: capitals, dates and phones in other forms', [
		sheet,
		[...sheet].reverse().map(({ Name: name, Phone: phone, Date: day, ...cells }) => ({
			...cells,
			Name: retyped(name),
			Phone: asText(phone).replace('+234', '0'),
			Date: `${asText(day)} 00:00:00`,
		})),
	]),
	again('the sheet is retyped, with a slip in a name and one in a phone', first({ Name: 'Amina Belo' }, { Phone: '+2348031234591' })),

	again('a sheet is typed over with new jobs of the same farmers, the first ones done', nextWeek, { meanwhile: changeAll({ bookingStatus: 3 }) }),
	again('a sheet is typed over with new jobs of the same farmers, the first ones to come', nextWeek),
	again(
		'half a sheet is typed over with new jobs of the same farmers',
		nextWeek.map((cells, at) => (at % 2 ? (sheet[at] ?? {}) : cells)),
		{
			meanwhile: ({ bookings }) =>
				bookings.forEach((booking, at) => (booking.bookingStatus = at % 2 ? 0 : 3)),
		},
	),
	...Object.entries({ done: 3, 'to come': 1 }).map(([state, bookingStatus]) =>
		story(
			`a sheet is typed over with new jobs of the same farmers, the numbers of bookings that are ${state} left in`,
			[sheet, nextWeek],
			{ meanwhile: changeAll({ bookingStatus }), leavesNumbers: true },
		),
	),
	again('a sheet is typed over with other farmers, the numbers left in', otherFarmers, { leavesNumbers: true }),
	again('the rows are sorted without their numbers', [...sheet].reverse(), { leavesNumbers: true }),
	again('a sheet is typed over with other farmers', otherFarmers),
	again('a sheet is typed over with another service for all', all((cells) => anotherJob(cells, { Service: 5 }))),

	...Object.entries({ Crop: ['Maize', 'Rice'], Village: ['Rigasa', 'Kawo'] }).flatMap(
		([heading, [before, after]]) => [
			again(`the column ${heading} is filled in later`, withColumn(heading, after)),
			story(`the column ${heading} is corrected`, [
				withColumn(heading, before),
				withColumn(heading, after),
			]),
			again(`the column ${heading} is filled in for one row`, first({ [heading]: after })),
		],
	),
	story('the column Crop is removed', [withColumn('Crop', 'Maize'), sheet]),

	...Object.entries({ done: 3, 'to come': 1 }).flatMap(([state, bookingStatus]) => {
		const meanwhile = changeAll({ bookingStatus });
		const numbered = { key: 'Row ID', meanwhile, numbersLines: true } as const;
		const withBoth = { key: 'Row ID', meanwhile, hasBothIds: true, leavesNumbers: true } as const;
		return [
			again(
				`numbers begin again at 1, the first jobs of these farmers ${state}`,
				nextWeek,
				numbered,
			),
			again(
				`numbers begin again at 1 with other farmers, the first jobs ${state}`,
				otherFarmers,
				numbered,
			),
			again(
				`a row is typed over with the next job of its farmer, the Booking ID left in, the first one ${state}`,
				[nextTime, bala, ...others],
				withBoth,
			),
			again(
				`a sheet with Row IDs is typed over with new jobs, the Booking IDs left in, the first ones ${state}`,
				nextWeek,
				withBoth,
			),
		];
	}),
	again('lines are numbered anew below a new one', [row('femi', 15, 'Femi Ojo'), ...sheet], { key: 'Row ID', numbersLines: true }),
	story(
		'the lines of two fields of that size are numbered anew below a new one',
		[
			[amina, by202],
			[row('femi', 15, 'Femi Ojo'), amina, by202],
		],
		{ key: 'Row ID', numbersLines: true },
	),
	again('rows with Row IDs are sorted without their Booking IDs', [...sheet].reverse(), { key: 'Row ID', hasBothIds: true, leavesNumbers: true }),

	...Object.entries({ 'was booked': 'lost', 'never came': 'dropped' } as const).flatMap(
		([what, fate]) => {
			const lost = { fate: (count: number) => (count === 2 ? fate : 'booked'), listedAfter: 5 };
			return [
				again(`a request without an answer ${what}, again 20 minutes later`, sheet, {
					...lost,
					minutes: [20],
				}),
				story(
					`a request without an answer ${what}, again at once and 20 minutes later`,
					[sheet, sheet, sheet],
					{ ...lost, minutes: [0, 20] },
				),
			];
		},
	),
	...Object.entries({
		'before a request': 'dropped',
		'before an answer': 'booked',
	} as const).flatMap(([when, fate]) => {
		const killed = {
			fate: (count: number, kill: () => void) => {
				if (count === 2) kill();
				return count === 2 ? fate : 'booked';
			},
			listedAfter: 1,
		};
		return [
			again(`n8n dies ${when}, and the sheet runs an hour later`, sheet, {
				...killed,
				minutes: [60],
			}),
			story(
				`n8n dies ${when}, and the sheet runs at once and 20 minutes later`,
				[sheet, sheet, sheet],
				{ ...killed, minutes: [0, 20] },
			),
		];
	}),
	again('the service loses all bookings', sheet, { meanwhile: (service) => (service.bookings = []) }),
	again('n8n forgets all', sheet, { forgets: true }),
	again('n8n forgets all, and a name is corrected', first({ Name: 'Aminah Bello' }), { forgets: true }),
	again('n8n forgets all, and the owner declined a booking', sheet, { forgets: true, meanwhile: changeFirst({ bookingStatus: 4 }) }),
];
