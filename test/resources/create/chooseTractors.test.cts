import type { IDataObject, INodeParameters } from 'n8n-workflow';

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
	saidOf,
} from '../../support/bookings.cts';

const sandbox = eachWithSandbox();

const [kaduna, zaria] = TOWNS as [(typeof TOWNS)[0], (typeof TOWNS)[0]];

const ploughing = { id: 3, name: 'Ploughing' };

const nearest: INodeParameters = {
	tractorSelection: 'nearest',
	latitude: '={{ $json.lat }}',
	longitude: '={{ $json.lng }}',
};

/** Farms at a place, each of another farmer, all on one day. */
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

/** Chooses for a farm among tractors that come in this order; all offer ploughing unless they say otherwise. */
async function chooseAmong(
	tractors: IDataObject[],
	options: INodeParameters,
	service: number | string = 3,
) {
	const body = tractors.map((tractor) => ({ services: [ploughing], ...tractor }));
	answer(sandbox, { endpoint: 'nearby' }, 200, body);
	answer(sandbox, { endpoint: 'details' }, 200, body);
	const rows = farms(1, { service });
	const { items } = await book(sandbox, rows, { ...nearest, dryRun: true, options });
	expect(JSON.stringify(sandbox.requests.find())).not.toContain('undefined');
	return items[0]?.json;
}

const near = (TractorID: number | string, more: IDataObject = {}) => ({ TractorID, ...more });
const silent = { services: undefined };
const inWords = { services: ['Ploughing'] };
const ridging = { services: [{ id: 4, name: 'Ridging' }] };
const acceptSilent = { acceptUnknownServices: true };

it.each<[string, IDataObject, IDataObject, string, INodeParameters?]>([
	['by distance', { distance: 4, minsAway: 1 }, { distance: '3 km', minsAway: 40 }, '2 tractors'],
	['with the service', { distance: 'far', ...ridging }, { distance: 3 }, '1 tractor'],
	['with units', { distance: '1.1 km' }, { distance: '850 m' }, '2 tractors'],
	['by number', { TractorID: 'TR-1', distance: 1 }, { distance: 3 }, '1 tractor'],
	['silent, too', { distance: 2, ...silent }, { distance: 1, ...silent }, 'unknown', acceptSilent],
	['not without an ID', { TractorID: undefined, distance: 1 }, { distance: 3 }, '1 tractor'],
	['not silent', { distance: 1, ...silent }, { distance: 2 }, '1 tractor with', acceptSilent],
])('of two tractors, the second is chosen: %s', async (_how, first, second, of, options = {}) => {
	const chosen = await chooseAmong([near(201, first), near(202, second)], options);
	const reason = expect.stringMatching(new RegExp(`^nearest of .*${of}`)) as unknown;
	const bookedTractorDistance = second.distance;
	const bookedService = of === 'unknown' ? null : 'Ploughing (3)';
	expect(chosen).toMatchObject({
		...{ bookedService, bookedTractorId: 202, bookedTractorDistance, reason },
	});
});

const one = near(201, { distance: 30 });

/** What is near, what the row asks for, and what its issue says. */
type NotChosen = [IDataObject[], RegExp, INodeParameters?, (number | string)?];

it.each<NotChosen>([
	[[], /"10\.5222, 7\.4384" has no tractor nearby\. Check the coordinate/],
	[[{ ...one, TractorID: 'A' }], /has no tractor nearby/],
	// The order of the service is not taken for the distance.
	[[near(201)], /has tractor 201 nearby, whose distance null cannot be read/],
	[
		[near(201, { distance: '2 km' }), near(202, { distance: '1,100 m' })],
		/202 nearby, whose distance "1,100 m" cannot be read.*\. Set Choose Tractor to Specific/,
	],
	[[one], /not among the services of 1 .* Ploughing \(3\)\. Change the service type, or/, {}, 99],
	[[{ ...one, ...inWords }], /no number of its own in the details of 1 tra/, {}, 'Ploughing'],
	[[{ ...one, ...inWords }], /3 is not among .*nearby: Ploughing/],
	...[
		...['Ploughing, Ridging', 'Ridging Ploughing', 'Ploughing (3) / Ridging (4)'],
		'Ploughing and then ridging',
	].map((text): NotChosen => [
		[{ ...one, services: [ploughing, { id: 4, name: 'Ridging' }] }],
		/ names several services\. Write the one that is meant; if all are, make a row for each/,
		{},
		text,
	]),
	[[one], /"Ploughing, Ridging" is not among .*nearby: Ploughing/, {}, 'Ploughing, Ridging'],
	[
		[{ ...one, services: [ploughing, { id: 4, name: 'Disc ploughing' }] }],
		/"deep disc ploughing" is not among .*nearby: Disc ploughing/,
		{},
		'deep disc ploughing',
	],
	[[{ ...one, ...silent }], /name no services\. .*urn on Options > Acc/],
	[
		[{ ...one, ...silent }],
		/no number of its own .*\. Write the number of the service type, and set/,
		acceptSilent,
		'Ploughing',
	],
])('no tractor is chosen of %j', async (tractors, issue, options = {}, service = 3) => {
	const row = await chooseAmong(tractors, options, service);
	expect(row).toMatchObject({ result: 'to fix' });
	expect(saidOf(row ?? {})).toMatch(issue);
});

describe('what a name means counts only where it is not offered', () => {
	const options = { serviceNames: '\n disc = Ploughing (3)\nLabour=Ploughing' };
	const disc = { id: 5, name: 'Disc' };
	const offering = (...both: IDataObject[][]) => {
		const body = both.map((services, at) => near(201 + at, { distance: at, services }));
		for (const endpoint of ['nearby', 'details'] as const) answer(sandbox, { endpoint }, 200, body);
	};

	it.each([
		['Labour', 201, 3],
		['DISC', 202, 5],
	])('nearby: %s', async (service, tractorId, serviceType) => {
		offering([ploughing], [disc]);
		await bookSheet(sandbox, farms(1, { service, tractor: '' }), {
			tractorSelection: 'nearest',
			options,
		});
		expect(sentTo(sandbox)).toMatchObject([{ tractorId, serviceType }]);
	});

	it('by the tractor of the row, which is known by its cell', async () => {
		offering([ploughing], [ploughing, disc]);
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
