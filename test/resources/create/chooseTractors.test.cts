import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { TOWNS } from '../../../sandbox/index.cts';
import {
	answer,
	book,
	bookSheet,
	dayFromNow,
	farmers,
	sentTo,
	eachWithSandbox,
	outcomeOf,
	tractorsNear,
} from '../../support/bookings.cts';
import { OutcomePage } from '../../support/page.cts';

const sandbox = eachWithSandbox();

const [kaduna, zaria] = TOWNS as [(typeof TOWNS)[0], (typeof TOWNS)[0]];

const ploughing = { id: 3, name: 'Ploughing' };

const nearest: INodeParameters = {
	tractorSelection: 'nearest',
	latitude: '={{ $json.lat }}',
	longitude: '={{ $json.lng }}',
};

const farms = (count: number, more: IDataObject = {}) =>
	farmers(count, { lat: kaduna.latitude, lng: kaduna.longitude, date: dayFromNow(5), ...more });

it('the nearest tractor takes one search for each distinct place and one request for all details', async () => {
	const rows = [
		...farms(4),
		...farms(3, { lat: String(zaria.latitude), lng: zaria.longitude, phone: '+2348031019999' }),
		...farms(1, { lat: '10,5222', phone: '+2348031018888' }),
	];
	await book(sandbox, rows, { ...nearest, options: { compareWithBookings: false } });
	expect(sandbox.requests.count('nearby')).toBe(2);
	expect(sandbox.requests.count('details')).toBe(1);
	const [one, two] = [kaduna, zaria].map((town) => ({
		tractorId: tractorsNear(sandbox, town, 3)[0]?.id,
	}));
	expect(sentTo(sandbox)).toMatchObject([one, one, one, one, two, two, two, one]);
});

const one = { TractorID: 201, distance: 30 };
const both = (first: IDataObject, second: IDataObject) => [
	{ TractorID: 201, ...first },
	{ TractorID: 202, ...second },
];
const silent = { services: undefined };
const inWords = { services: ['Ploughing'] };
const ridging = { id: 4, name: 'Ridging' };
const offering = (...services: IDataObject[]) => [{ ...one, services: [ploughing, ...services] }];
const acceptSilent = { acceptUnknownServices: true };

/** Tractors in the order in which they come, all with ploughing unless they say otherwise, and what the row asks for. */
const AMONG: Record<string, [IDataObject[], options?: INodeParameters, service?: number | string]> =
	{
		'by distance': [both({ distance: 4, minsAway: 1 }, { distance: '3 km', minsAway: 40 })],
		'with the service': [both({ distance: 'far', services: [ridging] }, { distance: 3 })],
		'with units': [both({ distance: '1.1 km' }, { distance: '850 m' })],
		'by number': [both({ TractorID: 'TR-1', distance: 1 }, { distance: 3 })],
		'silent, too': [both({ distance: 2, ...silent }, { distance: 1, ...silent }), acceptSilent],
		'listed twice': [[{ ...one, distance: 3 }, one]],
		'not without an ID': [both({ TractorID: undefined, distance: 1 }, { distance: 3 })],
		'not silent': [both({ distance: 1, ...silent }, { distance: 2 }), acceptSilent],
		'none is near': [[]],
		'none has a number': [[{ ...one, TractorID: 'A' }]],
		// The order of the service is not taken for the distance.
		'without a distance': [[{ TractorID: 201 }]],
		'a distance in doubt': [both({ distance: '2 km' }, { distance: '1,100 m' })],
		'none with the number': [[one], {}, 99],
		'a name without a number': [[{ ...one, ...inWords }], {}, 'Ploughing'],
		'a number, and names without': [[{ ...one, ...inWords }]],
		'a number, and names without, which is accepted': [[{ ...one, ...inWords }], acceptSilent],
		...Object.fromEntries(
			[
				...['Ploughing, Ridging', 'Ridging Ploughing', 'Ploughing (3) / Ridging (4)'],
				'Ploughing and then ridging',
			].map((text) => [`several services: ${text}`, [offering(ridging), {}, text]]),
		),
		'one of two services': [[one], {}, 'Ploughing, Ridging'],
		'a name of two services': [offering({ id: 8, name: 'ploughing' }), {}, 'Ploughing'],
		'a longer name': [offering({ id: 4, name: 'Disc ploughing' }), {}, 'deep disc ploughing'],
		'none names services': [[{ ...one, ...silent }]],
		'none names services, by name': [[{ ...one, ...silent }], acceptSilent, 'Ploughing'],
	};

/** The tractor that is chosen, or why none is: `SHEETS=write npx jest chooseTractors` writes it. */
const page = new OutcomePage(join(__dirname, 'sheets/chooseTractors.txt'));

it.each(Object.entries(AMONG))('%s', async (what, [tractors, options = {}, service = 3]) => {
	const body = tractors.map((tractor) => ({ services: [ploughing], ...tractor }));
	answer(sandbox, { endpoint: 'nearby' }, 200, body);
	answer(sandbox, { endpoint: 'details' }, 200, body);
	const fields = { ...nearest, dryRun: true, options };
	const { table, records } = await outcomeOf(book, sandbox, farms(1, { service }), fields);
	expect(JSON.stringify(sandbox.requests.find())).not.toContain('undefined');
	const { bookedService, bookedTractorId, bookedTractorDistance } = records[0] ?? {};
	const chosen = [bookedTractorId, bookedTractorDistance, bookedService].map(asText).join(' | ');
	page.tell(what, [...table, ...(bookedTractorId ? [chosen] : [])].join('\n'));
});

it('what is chosen is known', () => page.judge());

describe('what a name means counts only where it is not offered', () => {
	const options = { serviceNames: '\n disc = Ploughing (3)\nLabour=Ploughing' };
	const disc = { id: 5, name: 'Disc' };
	const answerWith = (...all: IDataObject[][]) => {
		const body = all.map((services, at) => ({ TractorID: 201 + at, distance: at, services }));
		for (const endpoint of ['nearby', 'details'] as const) answer(sandbox, { endpoint }, 200, body);
	};

	it('nearby', async () => {
		answerWith([ploughing], [disc]);
		const rows = farms(2, { tractor: '', service: 'Labour' });
		Object.assign(rows[1] ?? {}, { service: 'DISC' });
		await bookSheet(sandbox, rows, { tractorSelection: 'nearest', options });
		const sent = [201, 202].map((tractorId, at) => ({ tractorId, serviceType: [3, 5][at] }));
		expect(sentTo(sandbox)).toMatchObject(sent);
	});

	it.each([
		['a code', '1', '1 = Ploughing', 3],
		['a number of another service', 5, '5 = Ploughing (3)', 3],
	])('%s', async (_, service, serviceNames, serviceType) => {
		answerWith([ploughing, disc]);
		await bookSheet(sandbox, farmers(1, { service, tractor: 201 }), { options: { serviceNames } });
		expect(sentTo(sandbox)).toMatchObject([{ serviceType }]);
	});

	it('not one of several numbers in a cell', async () => {
		answerWith([ploughing, disc]);
		const rows = farmers(1, { service: [1, 2], tractor: 201 });
		const { results } = await outcomeOf(bookSheet, sandbox, rows, {
			options: { serviceNames: '1 = Ploughing' },
		});
		expect(results).toEqual(['to fix']);
		expect(sentTo(sandbox)).toEqual([]);
	});

	it('by the tractor of the row, which is known by its cell', async () => {
		answerWith([ploughing], [ploughing, disc]);
		const rows = farmers(2, { service: 'Disc' }).map((row, at) => ({ ...row, tractor: 201 + at }));
		await bookSheet(sandbox, rows, { options });
		expect(sentTo(sandbox)).toMatchObject([{ serviceType: 3 }, { serviceType: 5 }]);
		const { results } = await outcomeOf(bookSheet, sandbox, rows);
		expect(results).toEqual(Array(2).fill('already booked'));
	});
});

it('a search that fails fails only its own rows if the node continues', async () => {
	const path = `/booking-services/tractor/nearby/${zaria.latitude}/`;
	answer(sandbox, { path }, 400, { error: 'no map here' });
	const [first = {}, second = {}] = farms(2);
	const rows = [{ ...first, lat: zaria.latitude }, second];
	const { table } = await outcomeOf(book, sandbox, rows, nearest);
	expect(table[0]).toMatch(/^2: not sent .*no map here/);
	expect(table[1]).toMatch(/^3: created/);
});

it('the details of a tractor are read only for a service by name', async () => {
	await book(sandbox, farmers(2, { tractor: 201, service: 3 }));
	expect(sandbox.requests.count('details')).toBe(0);
	await book(sandbox, farmers(4, { tractor: 201, service: 'PLOUGHING' }).slice(2));
	expect(sandbox.requests.count('details')).toBe(1);
	expect(sandbox.requests.count('nearby')).toBe(0);
});
