import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import type { Sandbox } from '../../../sandbox';
import { distanceKm, SERVICES, startSandbox, TOWNS } from '../../../sandbox';
import { fieldOf, pairsOf, stopOf } from '../../support/action';
import {
	book,
	bookSheet,
	dayFromNow,
	farmers,
	sentTo,
	tableOf,
	startAfresh,
} from '../../support/bookings';

let sandbox: Sandbox;

beforeAll(async () => {
	const rateLimits = { create: null, nearby: null, details: null };
	sandbox = await startSandbox({ bookings: 0, otherBookings: 0, rateLimits });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

const [kaduna, zaria] = TOWNS as [(typeof TOWNS)[0], (typeof TOWNS)[0]];

/** Tractors around a place as the sandbox sees them, the nearest first; those that offer a service, if one is given. */
function around(
	{ latitude, longitude }: { latitude: number; longitude: number },
	service?: number,
) {
	return [...sandbox.store.tractors.values()]
		.filter(({ services }) => service === undefined || services.some(({ id }) => id === service))
		.map((tractor) => ({
			id: tractor.id,
			km: Math.round(distanceKm({ latitude, longitude }, tractor) * 100) / 100,
		}))
		.filter(({ km }) => km <= sandbox.settings.nearbyRadiusKm)
		.sort((a, b) => a.km - b.km);
}

const nearest: INodeParameters = {
	tractorSelection: '={{ $json.choose ?? "nearest" }}',
	latitude: '={{ $json.lat }}',
	longitude: '={{ $json.lng }}',
};

/** Farms at a place, each of another farmer, all on one day. */
function farms(count: number, more: IDataObject = {}): IDataObject[] {
	const date = dayFromNow(5);
	return farmers(count, { lat: kaduna.latitude, lng: kaduna.longitude, date, ...more });
}

function chosenOf(items: Parameters<typeof fieldOf>[0]) {
	return items.map(({ json }) => {
		if (!json.reason) return undefined;
		const { bookedTractorId, bookedTractorDistance, reason } = json;
		return {
			TractorID: bookedTractorId,
			distance: bookedTractorDistance && Number(bookedTractorDistance),
			reason,
		};
	});
}

/** The rows have a date under a heading that may mean another. */
const options: INodeParameters = {
	columnMapping: { columns: [{ column: 'date', field: 'serviceDate' }] },
	notInSheet: ['serviceType'],
	otherColumns: 'ignore',
};

/** A service that several tractors around Kaduna offer. */
const ploughing = { id: 3, name: 'Ploughing' };

it('the sandbox offers ploughing', () =>
	expect(SERVICES).toContainEqual(expect.objectContaining(ploughing)));

it('is chosen only for rows that name none, if that is wanted', async () => {
	const [first = {}, second = {}] = farms(2, { service: ploughing.id });
	const rows = [
		{ ...first, tractor: 201 },
		{ ...second, tractor: ' ' },
	];
	const { items } = await book(sandbox, rows, { ...nearest, tractorSelection: 'idOrNearest' });
	const [closest] = around(kaduna, ploughing.id);
	expect(sentTo(sandbox)).toMatchObject([{ tractorId: 201 }, { tractorId: closest?.id }]);
	expect(chosenOf(items)).toMatchObject([undefined, { TractorID: closest?.id }]);
});

it.each([
	['idOrNearest', undefined],
	['nearest', 'Musa'],
])(
	'is chosen for a sheet with %s, whatever a column of tractors holds: %p',
	async (selection, tractor) => {
		const rows = farms(1, { service: ploughing.id, tractor });
		await bookSheet(sandbox, rows, { tractorSelection: selection, options });
		expect(sentTo(sandbox)).toMatchObject([{ tractorId: around(kaduna, ploughing.id)[0]?.id }]);
	},
);

describe('the tractor nearest to the farm', () => {
	it.each([
		['by number', ploughing.id, 'service type 3'],
		['by number as text', '3', 'service type 3'],
		['by name', 'Ploughing', '"Ploughing"'],
		['by name, however it is written', ' pLÓUGHING ', '"pLÓUGHING"'],
	])(
		'offers the service that the row gives %s, and the output says which and why',
		async (_how, service, words) => {
			const fitting = around(kaduna, ploughing.id);
			const { items, error } = await book(sandbox, farms(1, { service }), nearest);
			expect(error).toBeUndefined();
			const [first] = fitting;
			expect(sentTo(sandbox)).toMatchObject([{ tractorId: first?.id, serviceType: ploughing.id }]);
			expect(chosenOf(items)).toEqual([
				{
					TractorID: first?.id,
					distance: first?.km,
					reason: `nearest of ${fitting.length} tractors that offer ${words}`,
				},
			]);
			expect(first?.id).not.toBe(around(kaduna).at(-1)?.id);
		},
	);

	it('is the nearest of all if the row names no service, and no details are requested', async () => {
		sandbox.settings.requiredFields = [];
		const { items } = await bookSheet(sandbox, farms(1, { service: '' }), {
			tractorSelection: 'nearest',
			options,
		});
		expect(chosenOf(items)[0]?.TractorID).toBe(around(kaduna)[0]?.id);
		expect(sandbox.requests.count('details')).toBe(0);
	});

	it('takes one search for each distinct place and one request for all details', async () => {
		const rows = [
			...farms(4),
			...farms(3, { lat: String(zaria.latitude), lng: zaria.longitude, phone: '+2348031019999' }),
			...farms(1, { lat: '10,5222', phone: '+2348031018888' }),
		];
		const { items } = await book(sandbox, rows, {
			...nearest,
			options: { ifAlreadyBooked: 'create' },
		});
		expect(items).toHaveLength(8);
		expect(sandbox.requests.count('nearby')).toBe(2);
		expect(sandbox.requests.count('details')).toBe(1);
		expect(chosenOf(items)[4]?.TractorID).toBe(around(zaria, ploughing.id)[0]?.id);
		expect(chosenOf(items)[7]?.TractorID).toBe(around(kaduna, ploughing.id)[0]?.id);
	});

	it('is searched before anything is sent, and not for rows that are booked already', async () => {
		await book(sandbox, farms(2), nearest);
		sandbox.requests.clear();
		const { items } = await book(sandbox, farms(2), nearest);
		expect(fieldOf(items, 'result')).toEqual(['already booked', 'already booked']);
		expect(sandbox.requests.count('nearby')).toBe(0);

		await book(sandbox, farms(3, { date: dayFromNow(9) }), nearest);
		const order = sandbox.requests.find().map(({ endpoint }) => endpoint);
		expect(order.lastIndexOf('details')).toBeLessThan(order.indexOf('create'));
	});

	it('lies within the distance that is set', async () => {
		const fitting = around(kaduna, ploughing.id);
		const limit = fitting[0]?.km ?? 0;
		const { items } = await book(sandbox, farms(1), {
			...nearest,
			options: { maximumDistance: limit },
		});
		expect(chosenOf(items)[0]).toMatchObject({
			TractorID: fitting[0]?.id,
			reason: `nearest of 1 tractor within ${limit} that offers service type 3`,
		});
	});

	it('is chosen by text distances and text ids, too', async () => {
		sandbox.settings.tractorIdsAsText = true;
		const { items } = await book(sandbox, farms(1), nearest);
		expect(chosenOf(items)[0]?.TractorID).toBe(around(kaduna, ploughing.id)[0]?.id);
	});
});

describe('tractors whose details name no services', () => {
	const accepting = { ...nearest, options: { acceptUnknownServices: true } };
	const withoutServices = () =>
		sandbox.faults.add({
			match: { endpoint: 'details' },
			fault: {
				kind: 'status',
				status: 200,
				body: around(kaduna).map(({ id }) => ({ TractorID: id, owner: 'Coop' })),
			},
		});

	it('are taken, the nearest first, if that is wanted and the row gives a number', async () => {
		withoutServices();
		const { items } = await book(sandbox, farms(1), accepting);
		const [first] = around(kaduna);
		expect(sentTo(sandbox)).toMatchObject([{ tractorId: first?.id, serviceType: 3 }]);
		expect(chosenOf(items)[0]?.reason).toMatch(
			/^nearest of \d+ tractors; whether it offers the service is unknown$/,
		);
	});

	it.each([
		['for a service by name', accepting, 'Ploughing'],
		['unless that is wanted', nearest, 3],
	])('are not taken %s', async (_when, fields, service) => {
		withoutServices();
		const { said } = stopOf(await book(sandbox, farms(1, { service }), fields));
		expect(said).toContain('but their details do not name their services; ');
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('are not taken if others name the service', async () => {
		const { items } = await book(sandbox, farms(1), accepting);
		expect(chosenOf(items)[0]?.TractorID).toBe(around(kaduna, ploughing.id)[0]?.id);
	});
});

describe('what is near', () => {
	/** Tractors near Kaduna, in the order of the service; all offer ploughing. */
	async function bookNear(tractors: IDataObject[], options: INodeParameters = {}) {
		const body = tractors.map((tractor) => ({ services: [ploughing.id], ...tractor }));
		for (const endpoint of ['nearby', 'details'] as const)
			sandbox.faults.add({ match: { endpoint }, fault: { kind: 'status', status: 200, body } });
		return await book(sandbox, farms(1), { ...nearest, dryRun: true, options });
	}
	it.each<[string, IDataObject[], string]>([
		[
			'by minutes if no distance can be read',
			[
				{ TractorID: 201, distance: 'near', minsAway: 40 },
				{ TractorID: 202, minsAway: '12 min' },
			],
			'nearest of 2 tractors that offer service type 3, by minutes',
		],
		[
			'by distance if one can be read',
			[
				{ TractorID: 201, minsAway: 1 },
				{ TractorID: 202, distance: '3 km', minsAway: 40 },
			],
			'nearest of 1 tractor that offers service type 3',
		],
		[
			'among those that have a number to be booked by',
			[
				{ TractorID: 'TR-1', distance: 1 },
				{ TractorID: 202, distance: 3 },
			],
			'nearest of 1 tractor that offers service type 3',
		],
	])('is told %s', async (_how, tractors, reason) => {
		expect(chosenOf((await bookNear(tractors)).items)[0]).toMatchObject({ TractorID: 202, reason });
	});

	it('is unknown if nothing says so: the order of the service is not taken for it', async () => {
		const { items } = await bookNear([{ TractorID: 201 }, { TractorID: 202, distance: 'far' }]);
		expect(items[0]?.json).toMatchObject({
			result: 'to fix',
			reason: expect.stringMatching(
				/has 2 tractors nearby, but the service does not say how far away; set Choose Tractor to Specific Tractor\.$/,
			) as unknown,
		});
	});

	it('is the one that is alone', async () => {
		expect(chosenOf((await bookNear([{ TractorID: 202 }])).items)[0]?.TractorID).toBe(202);
	});

	it('cannot be compared with a maximum if there is no distance', async () => {
		const far = [{ TractorID: 201, minsAway: 5 }];
		expect((await bookNear(far, { maximumDistance: 20 })).items[0]?.json.reason).toMatch(
			/has 1 tractor nearby, but the service does not say how far away; remove Options > Maximum Distance of the Tractor, or set Choose Tractor to Specific Tractor\.$/,
		);
	});

	it('may be too far for the service that is wanted', async () => {
		const { items } = await bookNear(
			[
				{ TractorID: 201, distance: 3, services: [{ id: 4, name: 'Ridging' }] },
				{ TractorID: 202, distance: 30 },
			],
			{ maximumDistance: 20 },
		);
		expect(items[0]?.json.reason).toMatch(
			/Service Type: 3 is offered by none of 1 tractor nearby; they offer Ridging \(4\); change the service type, raise Options > Maximum Distance of the Tractor, or set Choose/,
		);
	});
});

describe('Bookings per Tractor and Day', () => {
	const limited: INodeParameters = { ...nearest, options: { maximumRows: 2 } };

	it('counts rows of the sheet that are booked already, each once', async () => {
		const [one = {}, ...others] = farms(4);
		await book(sandbox, [one], limited);
		const id = Math.max(...sandbox.store.bookings.ids('A'));
		const [tractorPairedTo, second] = around(kaduna, ploughing.id).map((tractor) => tractor.id);
		sandbox.store.bookings.update(id, { tractorPairedTo });
		forgetKeys();
		const { items } = await book(sandbox, [one, one, ...others], limited);
		expect(items.map(({ json }) => json.bookedTractorId)).toEqual([
			tractorPairedTo,
			tractorPairedTo,
			tractorPairedTo,
			second,
			second,
		]);
	});

	it('is an issue if all tractors have theirs', async () => {
		const fitting = around(kaduna, ploughing.id).length;
		const { said } = stopOf(
			await book(sandbox, farms(fitting + 1), { ...nearest, options: { maximumRows: 1 } }),
		);
		expect(said).toContain(`has ${fitting} tractors nearby, but each has 1 row of `);
		expect(said).toContain('choose another day, or raise Options > Bookings per Tractor and Day');
	});

	it('counts rows that name their tractor, too', async () => {
		const [service] = sandbox.store.tractors.get(201)?.services ?? [];
		const named = { choose: 'id', tractor: 201, service: service?.name };
		const [numbered = {}, ...others] = farms(3, named);
		const rows = [{ ...numbered, service: service?.id }, ...others];
		const { said } = stopOf(await book(sandbox, rows, limited));
		expect(said).toMatch(
			/Row 4 \(Farmer 3\): Tractor ID: 201 has 2 rows of \S+ already; choose another day or tractor/,
		);
	});
});

/** Farms on two days, two of each. */
const twoDays = () => [...farms(2), ...farms(4, { date: dayFromNow(6) }).slice(2)];

it.each<[string, INodeParameters, IDataObject[], number[], RegExp]>([
	['all are near one tractor', {}, farms(3), [0, 0, 0], /^nearest of /],
	[
		'two a day',
		{ maximumRows: 2 },
		farms(5),
		[0, 0, 1, 1, 2],
		/^nearest with rows left that day of /,
	],
	['two a day, on two days', { maximumRows: 2 }, twoDays(), [0, 0, 0, 0], /^nearest of /],
	[
		'distributed',
		{ distributeRows: true },
		farms(3),
		[0, 1, 2],
		/^least booked that day of \d+ tractors/,
	],
	[
		'distributed over two days',
		{ distributeRows: true },
		twoDays(),
		[0, 1, 0, 1],
		/^least booked that day/,
	],
])('the tractors of a day, %s', async (_what, given, rows, expected, reason) => {
	const fitting = around(kaduna, ploughing.id).map(({ id }) => id);
	const { items } = await book(sandbox, rows, { ...nearest, options: given });
	const chosen = chosenOf(items);
	expect(chosen.map((one) => fitting.indexOf(Number(one?.TractorID)))).toEqual(expected);
	const last = expected.lastIndexOf(Math.max(...expected));
	expect(chosen[last]?.reason).toMatch(reason);
});

describe('no suitable tractor is an issue of the row, before anything is sent:', () => {
	it.each<[string, IDataObject, INodeParameters, RegExp]>([
		['none near', { lat: -80 }, {}, /"-80, 7\.4384" has no tractor nearby; check the coordinate/],
		[
			'none near enough',
			{},
			{ maximumDistance: 0 },
			/nearby within 0 \(the nearest of \d+ has distance/,
		],
		[
			'no such service',
			{ service: 99 },
			{},
			/99 is offered by none of \d+ .*they offer Harrowing \(2\)/,
		],
		['no service of that name', { service: 'Milking' }, {}, /"Milking" is offered by none of/],
		['no coordinate', { lat: '', lng: '' }, {}, /Latitude and Longitude are empty/],
		['half a coordinate', { lng: '' }, {}, /Longitude is missing, but Latitude is given/],
	])('%s', async (_what, change, given, issue) => {
		const [row = {}] = farms(1);
		const { said } = stopOf(
			await book(sandbox, [{ ...row, ...change }], { ...nearest, options: given }),
		);
		expect(said).toMatch(issue);
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('and the other rows are booked if the node continues', async () => {
		const rows = farms(3).map((row, index) => (index === 1 ? { ...row, service: 99 } : row));
		const { items, errors } = await book(sandbox, rows, nearest, {
			onError: 'continueErrorOutput',
		});
		expect(tableOf(items, errors)).toEqual([
			expect.stringMatching(/^2: created \(nearest of /),
			expect.stringMatching(/^3: to fix \(Service Type/),
			expect.stringMatching(/^4: created \(/),
		]);
	});
});

describe('a search that fails', () => {
	it('stops the node, which blames no row and sends nothing', async () => {
		sandbox.faults.add({ match: { endpoint: 'nearby' }, fault: { kind: 'status', status: 403 } });
		const { message, description, itemIndex } = stopOf(await book(sandbox, farms(2), nearest));
		expect(itemIndex).toBe(0);
		expect(message).toBe(
			'The service did not allow this credential to find tractors near a coordinate',
		);
		expect(description).toMatch(/ Nothing was booked\.$/);
		expect(description).not.toMatch(/row|Create Anyway/);
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('of details stops the node, too', async () => {
		sandbox.faults.add({ match: { endpoint: 'details' }, fault: { kind: 'status', status: 403 } });
		expect(stopOf(await book(sandbox, farms(1), nearest)).message).toBe(
			'The service did not allow this credential to get tractor details',
		);
	});

	it('fails only its own rows if the node continues', async () => {
		const path = `/booking-services/tractor/nearby/${zaria.latitude}/`;
		sandbox.faults.add({
			match: { path },
			fault: { kind: 'status', status: 400, body: { error: 'no map here' } },
		});
		const rows = farms(2).map((row, index) =>
			index === 0 ? { ...row, lat: zaria.latitude } : row,
		);
		const { items, errors } = await book(sandbox, rows, nearest, {
			onError: 'continueErrorOutput',
		});
		expect(pairsOf(items)).toEqual([1]);
		expect(errors[0]?.json).toMatchObject({
			result: 'not sent',
			reason:
				'The service refused to find tractors near a coordinate: no map here. Correct the values that it names, then run this item again.',
		});
	});
});

describe('a service by name, with a tractor of its own', () => {
	const tractor = () => {
		const [found] = sandbox.store.tractors.values();
		if (!found) throw new Error('The sandbox has no tractor');
		return found;
	};

	it('gets its number from the details of that tractor', async () => {
		const [service] = tractor().services;
		const rows = farmers(2, { tractor: tractor().id, service: service?.name.toUpperCase() });
		const { error } = await book(sandbox, rows);
		expect(error).toBeUndefined();
		expect(sentTo(sandbox)).toMatchObject(rows.map(() => ({ serviceType: service?.id })));
		// To compare the two rows, and to number their services.
		expect(sandbox.requests.count('details')).toBe(2);
		expect(sandbox.requests.count('nearby')).toBe(0);
	});

	it('takes one request for a single row, which is compared with nothing', async () => {
		const [service] = tractor().services;
		await book(sandbox, farmers(1, { tractor: tractor().id, service: service?.name }));
		expect(sandbox.requests.count('details')).toBe(1);
	});

	it('is an issue if the tractor does not offer it', async () => {
		const offered = new Set(tractor().services.map(({ id }) => id));
		const other = SERVICES.find(({ id }) => !offered.has(id));
		const { said: description } = stopOf(
			await book(sandbox, farmers(1, { tractor: tractor().id, service: other?.name })),
		);
		expect(description).toContain(
			`Service Type: "${other?.name}" is not offered by tractor ${tractor().id}; it offers `,
		);
		expect(description).toContain('; change the service type or the tractor.');
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('is an issue if the tractor is not known', async () => {
		const { said: description } = stopOf(
			await book(sandbox, farmers(1, { service: 'Ploughing', tractor: 999 })),
		);
		expect(description).toContain(
			'Tractor ID: 999 is not a tractor that the service has details of; check the ID of the tractor.',
		);
		expect(description).not.toContain('serviceType');
		expect(sandbox.requests.count('create')).toBe(0);
	});
});

describe('what the details say of services', () => {
	/** Lets all details be of one shape; the row asks for service 3, by number and by name. */
	async function with3(services: IDataObject, service: unknown = 3) {
		const body = around(kaduna).map(({ id }) => ({ TractorID: id, ...services }));
		sandbox.faults.clear();
		sandbox.faults.add({
			match: { endpoint: 'details' },
			fault: { kind: 'status', status: 200, body },
		});
		return await book(sandbox, farms(1, { service: service as number }), {
			...nearest,
			dryRun: true,
		});
	}

	it.each<[IDataObject, unknown, RegExp]>([
		[
			{ services: ['Ploughing'] },
			'Ploughing',
			/has no number in the details of 11 tractors nearby/,
		],
		[{ services: ['Ploughing'] }, 3, /3 is offered by none of \d+ .*they offer Ploughing/],
		[{}, 3, /do not name their services; turn on Options > Accept Tractors That Name No Services/],
		[{}, 'Ploughing', /do not name their services; write the number of the service type/],
	])('is told where it is not enough: %p for %p', async (services, service, issue) => {
		const { items } = await with3(services, service);
		expect(fieldOf(items, 'result')).toEqual(['to fix']);
		expect(items[0]?.json.reason).toMatch(issue);
	});
});

it('recognises a row by a service that is given by name', async () => {
	const options = { matchFields: ['farmerPhone', 'serviceDate', 'serviceType'] };
	const [row = {}] = farmers(1);
	const byName = [
		{ ...row, service: 'Ploughing' },
		{ ...row, service: 'harrowing' },
	];
	const first = await book(sandbox, byName, { options });
	expect(fieldOf(first.items, 'result')).toEqual(['created', 'created']);
	const again = await book(sandbox, [...byName, { ...row, service: 3 }], { options });
	expect(fieldOf(again.items, 'result')).toEqual([
		'already booked',
		'already booked',
		'already booked',
	]);
	expect(sentTo(sandbox)).toHaveLength(2);
});
