import type { IDataObject } from 'n8n-workflow';

import { pageOf, type Fate, type LateService } from '../../../support/lateService.cts';
import {
	again,
	all,
	amina,
	bala,
	bothOfHousehold,
	changeFirst,
	corrected,
	dayFromNow,
	first,
	halima,
	idris,
	JOB,
	larger,
	others,
	ridging,
	row,
	sheet,
	story,
	type Story,
} from './stories.cts';

// What people do with answers. A job whose cells are all those of another one differs from it in capitals of its note.

const said = (cells: IDataObject, bookingID: string): IDataObject => ({ ...cells, bookingID });

const DAYS = 24 * 60;

const decline = ({ bookings }: LateService) =>
	bookings.forEach((booking) => {
		if (booking.farmerName === amina.Name) booking.bookingStatus = 4;
	});

const hide = (service: LateService) => {
	service.page = (records, number, size) =>
		pageOf(
			records.filter(({ bookingID }) => bookingID !== 5001),
			number,
			size,
		);
};

const NAMES = [
	...['Abiola Kanu', 'Binta Sule', 'Chidi Okoro', 'Dele Ojo', 'Ebele Nwosu', 'Fatima Garba'],
	...['Gozie Umeh', 'Hassan Lawal', 'Ify Ndu', 'Jumai Dogo', 'Kemi Alabi', 'Ladi Pam'],
];
const twelve = NAMES.map((name) => row(name.toLowerCase(), 30, name));

const fields = [3, 4, 5].map((area) => ({ ...amina, 'Area (ha)': area, [JOB]: `${area} ha` }));
/** The sheet with fields of its first farmer below, which are asked about. */
const withFields = [...sheet, ...fields];

/** The next request after the first one is booked, and n8n dies. */
const killed = (count: number, kill: () => void): Fate => {
	if (count === 2) kill();
	return 'booked';
};

const LATER = {
	'is done': changeFirst({ bookingStatus: 3 }),
	'is moved': changeFirst({ serviceDate: dayFromNow(9) }),
	'is hidden': hide,
	'is declined': changeFirst({ bookingStatus: 4 }),
};
const STATES = Object.keys(LATER) as Array<keyof typeof LATER>;

/** Rows that come twice, whose question is not answered the first time. */
const UPLOADED_AGAIN: Array<[what: string, whose: string, IDataObject[], typeof STATES]> = [
	['a moved row', 'its booking', first({ Date: dayFromNow(6), bookingID: '' }), STATES.slice(0, 3)],
	['a corrected row', 'its booking', first({ Name: 'Aminah Bello', bookingID: '' }), STATES],
	['a second service', 'the first one', [ridging], ['is done', 'is hidden']],
];

// prettier-ignore
export const ANSWER_STORIES: readonly Story[] = [
	story(
		'a booking is declined three times in a row, and wanted again each time',
		['amina', 'Amina', 'AMina', 'AMIna'].map((job) => first({ [JOB]: job })),
		{ meanwhile: decline, later: decline },
	),
	again('twelve farmers with one phone, and n8n forgets all', twelve, { sheets: [twelve, twelve], forgets: true }),
	story(
		'twelve farmers with one phone, and three more',
		[
			twelve,
			[...twelve, ...['Musa Bage', 'Ngozi Eze', 'Ola Sanni'].map((name) => row(name, 30, name))],
		],
		{ forgets: true },
	),
	story('three more fields of a farmer, in three lists', [sheet, ...fields.map((field) => [field]), [...fields]]),
	story('a field in each of four lists, and then all in one', [sheet, ...fields.map((_, at) => [...sheet, ...fields.slice(0, at + 1)])]),
	corrected('a name and a service are corrected', { Name: 'Aminah Bello', Service: 4 }),
	corrected('a phone and a service are corrected', { Phone: '+2348031234598', Service: 4 }),
	corrected('a day and a service are corrected', { Date: dayFromNow(6), Service: 4 }),
	story('a row is corrected three times', [
		sheet,
		first({ Name: 'Aminah Bello' }),
		first({ Name: 'Aminah Bello', Service: 4 }),
		first({ Name: 'Aminah Bello', Service: 4, Phone: '+2348031234598' }),
	]),

	...Object.entries({ alone: [], 'in the sheet': sheet }).map(([how, rows]) =>
		story(
			`a wrong Booking ID is taken back, ${how}`,
			[sheet, [...rows, said(larger, '5001')], [...rows, said(larger, '')]],
			{ unanswered: 1 },
		),
	),
	story('a wrong no is taken back before it runs', [sheet, first({ bookingID: 'not 5001' }), first({ bookingID: '' })], { unanswered: 1 }),

	story('the sheet is sorted without its answers', [sheet, withFields, [...withFields].reverse()], { leavesNumbers: true }),
	story(
		'a row comes above the others, and the answers stay in their lines',
		[sheet, withFields, [row('femi', 15, 'Femi Ojo'), ...withFields]],
		{ leavesNumbers: true },
	),
	story('two rows of the sheet change places without their answers', [sheet, [amina, larger, ...others], [larger, amina, ...others]], { leavesNumbers: true }),
	story('two fields change places without their answers', [sheet, withFields, [...sheet, ...[...fields].reverse()]], { leavesNumbers: true }),
	again('the answers of two farmers are exchanged', [said({ ...amina, Name: 'Aminah Bello' }, '5002'), said({ ...bala, Name: 'Bala Moses' }, '5001'), ...others]),
	story('the answers of two with one phone are exchanged', [bothOfHousehold, [said(halima, '5002'), said(idris, '5001'), ...others]]),
	story('the answers of two with one phone are exchanged, and their names corrected', [
		bothOfHousehold,
		[
			said({ ...halima, Name: 'Halimat Yusuf' }, '5002'),
			said({ ...idris, Name: 'Idriss Yusuf' }, '5001'),
			...others,
		],
	]),
	again('the no of a second field stands in the row of the first', [said(amina, 'not 5001'), bala, ...others, said(larger, '')]),
	again('the no of a second service stands in the row of another farmer', [amina, said(bala, 'not 5001'), ...others, said(ridging, '')]),
	again('a no is filled down', [...sheet, larger, ridging].map((cells) => said(cells, 'not 5001'))),
	again('a yes is filled down', [...sheet, larger, ridging].map((cells) => said(cells, '5001'))),
	again('a yes is filled down as a series', [...sheet, larger].map((cells, at) => said(cells, String(5001 + at)))),
	again('a yes is filled down as a series, one line too low', sheet.map((cells, at) => said(cells, at === 0 ? '' : String(5000 + at)))),
	again('a no is filled down as a series', [...sheet, larger].map((cells, at) => said(cells, `not ${5001 + at}`))),
	story('a no is filled down over twelve farmers with one phone', [twelve, twelve.map((cells) => said(cells, 'not 5001'))]),
	again('a no to all bookings stands in each row', [...sheet.map((cells) => said(cells, 'not 5001, 5002, 5003, 5004, 5005, 5006'))]),

	...UPLOADED_AGAIN.flatMap(([what, whose, rows, states]) =>
		states.map((state) =>
			story(
				`${what} is uploaded again days later, unanswered, and ${whose} ${state}`,
				[sheet, rows, rows],
				{ key: 'Booking ID', unanswered: 1, minutes: [0, 3 * DAYS], later: LATER[state] },
			),
		),
	),

	...['', '5002', 'not 5001', 'not 9999', 'not 5002'].flatMap((answer) =>
		Object.entries({ 'at once': 0, 'an hour later': 60 }).map(([when, minutes]) =>
			again(
				`n8n dies before an answer, and the row runs ${when} with "${answer}"`,
				[amina, said(bala, answer), ...others],
				{ fate: killed, listedAfter: 1, minutes: [minutes] },
			),
		),
	),
	again('n8n dies before an answer, and every row runs with a no', all(() => ({ bookingID: 'not 9999' })), { fate: killed, minutes: [60] }),
];
