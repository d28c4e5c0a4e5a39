import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { labelsOf } from '../../../nodes/TractorBooking/resources/booking/create/fields';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { fieldOf, perform, stopOf } from '../../support/action';
import { dayFromNow, fromFarmers, tableOf } from '../../support/bookings';
import { processedData } from '../../support/engine';
import type { StoryServer } from '../../support/storyServer';
import { asDocumented, startStoryServer } from '../../support/storyServer';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../../support/shortPauses'),
);

let service: StoryServer;

beforeAll(async () => {
	service = await startStoryServer();
});
beforeEach(() => {
	processedData.clear();
	Object.assign(service, {
		bookings: [],
		render: asDocumented,
		nearby: [{ TractorID: 201 }],
		reads: [],
	});
});
afterAll(async () => await service.close());

const later = dayFromNow(9);

function row(farmer: number, name: string, more: IDataObject = {}): IDataObject {
	return {
		Name: name,
		Phone: `+23480312345${farmer}`,
		Date: dayFromNow(1),
		Service: 3,
		Tractor: 201,
		...more,
	};
}

const sheet = [
	row(10, 'Amina Bello'),
	row(11, 'Bala Musa'),
	row(12, 'Chika Obi'),
	row(13, 'Dauda Sani'),
	row(14, 'Efe Ade'),
	row(17, 'Gado Umar'),
];
const [amina = {}, bala = {}, ...others] = sheet;

/** Books a sheet as an operator does who looks at the error output, too. */
async function run(
	rows: IDataObject[],
	options: INodeParameters = {},
	isSameProcess = false,
	tractorSelection = 'id',
) {
	// Else each run is in a process of its own, long after the one before: it knows what the service returns and no more.
	if (!isSameProcess) {
		forgetKeys();
		processedData.clear();
	}
	const items = rows.map((cells, index) => ({ row_number: index + 2, ...cells }));
	const settings = {
		rows: items,
		onError: 'continueErrorOutput',
		timezone: 'Africa/Lagos',
	} as const;
	const result = await perform(
		service,
		'booking:createFromSpreadsheet',
		{ ...fromSheet, tractorSelection, options: { ...asWritten, ...options } },
		settings,
	);
	expect(result.error).toBeUndefined();
	const all = [...result.items, ...result.errors].sort(
		(a, b) => Number(a.json.row_number) - Number(b.json.row_number),
	);
	return {
		table: tableOf(all),
		results: fieldOf(all, 'result'),
		ids: fieldOf(all, 'bookingID').map(asText),
	};
}

/** The fields of the node. */
const fromSheet = { phoneCountry: 'none', tractorSelection: 'id' };

/** The sheets have no area, and a date under a heading that may mean another. */
const asWritten: INodeParameters = {
	columnMapping: { columns: [{ column: 'Date', field: 'serviceDate' }] },
	notInSheet: ['landArea', 'farmerName'],
	otherColumns: 'ignore',
};

const all = (rows: IDataObject[], result: string) => rows.map(() => result);

/** Ways in which services write their records, none of them that of the sandbox. */
const ways: Record<string, (booking: IDataObject) => IDataObject> = {
	'as documented': asDocumented,
	'with phones as numbers, days as instants, IDs as text and names in capitals': (booking) => ({
		bookingID: asText(booking.bookingID),
		bookingStatus: asText(booking.bookingStatus),
		farmerPhone: Number(asText(booking.farmerPhone).slice(1)),
		farmerName: asText(booking.farmerName).toUpperCase().split(' ').reverse().join(', '),
		serviceDate: new Date(
			Date.parse(`${asText(booking.serviceDate)}T00:00:00+01:00`),
		).toISOString(),
	}),
	'with few fields': ({ bookingID, bookingStatus, farmerPhone, serviceDate }) => ({
		bookingID,
		bookingStatus,
		farmerPhone,
		serviceDate,
	}),
	'with masked names': (booking) => ({
		...asDocumented(booking),
		farmerName: asText(booking.farmerName).replace(/\B\w+/g, '***'),
	}),
};

describe.each(Object.entries(ways))('a service that writes bookings %s', (_way, render) => {
	beforeEach(() => {
		service.render = render;
	});

	it('is booked once by a sheet that runs at once again, and daily with rows appended', async () => {
		expect((await run(sheet)).results).toEqual(all(sheet, 'created'));
		expect((await run(sheet)).results).toEqual(all(sheet, 'already booked'));
		const appended = [...sheet, row(15, 'Femi Ojo'), row(16, 'Gbenga Alli')];
		const { results } = await run(appended);
		expect(results).toEqual([...all(sheet, 'already booked'), 'created', 'created']);
		expect((await run(appended)).results).toEqual(all(appended, 'already booked'));
		expect(service.bookings).toHaveLength(8);
	});

	it('gets only the row that was corrected', async () => {
		const faulty = [{ ...amina, Date: '31/02/2026' }, ...sheet.slice(1)];
		expect((await run(faulty)).results).toEqual(['to fix', ...all(faulty.slice(1), 'created')]);
		const corrected = [{ ...amina, Note: 'call first' }, ...sheet.slice(1)];
		expect((await run(corrected)).results).toEqual([
			'created',
			...all(faulty.slice(1), 'already booked'),
		]);
		expect(service.bookings).toHaveLength(6);
	});

	it('has one booking for each job of a household with one phone, and of a farmer with two', async () => {
		const shared = [
			...others,
			row(20, 'Halima Yusuf'),
			row(20, 'Idris Yusuf'),
			row(21, 'Joy Eze', { Service: 3 }),
			row(21, 'Joy Eze', { Service: 4 }),
		];
		expect((await run(shared)).results).toEqual(all(shared, 'created'));
		expect((await run([...shared].reverse())).results).toEqual(all(shared, 'already booked'));
		expect(service.bookings).toHaveLength(shared.length);
	});

	it('is asked about no row that names its booking', async () => {
		const { ids } = await run(sheet);
		const written = sheet.map((cells, index) => ({ ...cells, 'Booking ID': ids[index] }));
		const { results } = await run(written);
		expect(results).toEqual(all(sheet, 'already booked'));
		expect(service.bookings).toHaveLength(6);
	});

	it('books a declined booking again if that is wanted, once', async () => {
		await run(sheet);
		const [first = {}] = service.bookings;
		first.bookingStatus = 4;
		const { table } = await run(sheet);
		expect(table[0]).toMatch(/^2: already booked \(same .* as booking 7001 \(declined\)/);
		const again = { ignoredStatuses: [4] };
		expect((await run(sheet, again)).results[0]).toBe('created');
		const third = await run(sheet, again);
		expect(third.table[0]).toMatch(/^2: already booked \(same .* as booking 7007 \(new\)/);
		// Without the option, too, the row is the booking that was not given up.
		expect((await run(sheet)).ids[0]).toBe('7007');
		expect(service.bookings).toHaveLength(7);
	});
});

it('a service that writes names of its own is asked about each booking, except by the process that made it', async () => {
	service.render = (booking) => ({
		...asDocumented(booking),
		farmerName: `Client ${asText(booking.bookingID)}`,
	});
	await run(sheet);
	expect((await run(sheet, {}, true)).results).toEqual(all(sheet, 'already booked'));
	expect((await run(sheet)).results).toEqual(all(sheet, 'possible duplicate'));
	const skip = { ifPossibleDuplicate: 'skip' };
	expect((await run(sheet, skip)).results).toEqual(all(sheet, 'already booked'));
	expect(service.bookings).toHaveLength(6);
});

describe('a second sheet, in which every row has the phone and day of a booking', () => {
	const ridging = sheet.map((cells) => ({ ...cells, Service: 4 }));
	const names: Record<string, string> = { 3: 'Ploughing', 4: 'Ridging' };
	const sharing = (suffix: string) =>
		sheet.map((cells) => ({
			...cells,
			Name: `${asText(cells.Name)}${suffix}`,
			Phone: amina.Phone,
		}));

	it.each<[string, IDataObject[], IDataObject[], (booking: IDataObject) => IDataObject]>([
		['another service, which the list shows as a number', sheet, ridging, (booking) => booking],
		[
			'another service, which the list shows in words',
			sheet,
			ridging.map((cells) => ({ ...cells, Service: 'ridging' })),
			(booking) => ({ ...booking, serviceType: names[asText(booking.serviceType)] }),
		],
		[
			'other farmers, who share a phone with the first',
			sharing(''),
			sharing(' Junior'),
			asDocumented,
		],
	])('is not dropped for %s', async (_what, first, second, render) => {
		service.render = render;
		await run(first);
		for (const isSameProcess of [true, false])
			expect((await run(second, {}, isSameProcess)).results).toEqual(
				all(second, 'possible duplicate'),
			);
		expect((await run(second, { ifPossibleDuplicate: 'book' })).results).toEqual(
			all(second, 'created'),
		);
		expect((await run([...first, ...second])).results).toEqual(
			all([...first, ...second], 'already booked'),
		);
	});
});

describe('a booking that this process made, and that was changed since', () => {});

describe('a booking on another day', () => {
	it.each([
		['of another service', { serviceType: 4 }, 'created'],
		['of another farmer', { farmerName: 'Musa Bello' }, 'created'],
		['that is completed', { bookingStatus: 3 }, 'created'],
		['that is unpaired', { bookingStatus: 5 }, 'possible duplicate'],
	])('%s', async (_what, change, result) => {
		service.render = (booking) => booking;
		await run(sheet);
		Object.assign(service.bookings[0] ?? {}, { serviceDate: later, ...change });
		expect((await run(sheet)).results[0]).toBe(result);
	});

	it('is no doubt if its day is over, since nobody moves a booking into the past', async () => {
		await run(sheet);
		Object.assign(service.bookings[0] ?? {}, { serviceDate: dayFromNow(-4) });
		expect((await run(sheet)).table[0]).toBe('2: created');
	});

	it('is no doubt in the first run of a sheet, nor if it is that of another row', async () => {
		await run([{ ...amina, Date: later }]);
		expect((await run([amina])).results).toEqual(['created']);
		const both = [amina, { ...amina, Date: later }, { ...amina, Date: dayFromNow(12) }];
		expect((await run(both)).results).toEqual(['already booked', 'already booked', 'created']);
	});

	it.each([
		['book', 'created'],
		['skip', 'already booked'],
	])('is decided by the option: %s', async (ifPossibleDuplicate, result) => {
		await run(sheet);
		Object.assign(service.bookings[0] ?? {}, { serviceDate: later });
		expect((await run(sheet, { ifPossibleDuplicate })).results[0]).toBe(result);
	});
});

describe('a row whose phone was corrected after it was booked', () => {
	it('may be booked already if all rows had a wrong Phone Country', async () => {
		const local = sheet.map((cells, index) => ({ ...cells, Phone: `071234567${index}` }));
		for (const [country, result] of [
			['UG', 'created'],
			['KE', 'possible duplicate'],
		]) {
			const rows = local.map((cells) => ({ ...cells, 'Phone country': country }));
			expect((await run(rows)).results).toEqual(all(rows, result ?? ''));
		}
		const others = local.map((cells) => ({ ...cells, Name: 'Zainab Isa', 'Phone country': 'KE' }));
		expect((await run(others)).results).toEqual(all(others, 'created'));
	});

	it('is another farmer if the booking is that of another row', async () => {
		await run(sheet);
		const both = [...sheet, { ...amina, Phone: '+2348031234599' }];
		expect((await run(both)).results.at(-1)).toBe('created');
	});
});

describe('a row whose name was corrected after it was booked, if the name is a match field', () => {
	const matchFields = ['farmerPhone', 'serviceDate', 'farmerName'];

	it.each([{ Name: 'Halima Bello' }, { Name: 'Amina Belo', Date: later }])(
		'is a job of its own for another member of the household, or on another day: %p',
		async (change) => {
			await run([amina]);
			expect((await run([{ ...amina, ...change }], { matchFields })).results).toEqual(['created']);
		},
	);

	it('is a job of its own with another phone', async () => {
		await run([amina]);
		const other = [{ ...bala, Name: 'Aminah Bello' }];
		const { results } = await run(other, { matchFields: ['farmerName', 'serviceDate'] });
		expect(results).toEqual(['created']);
	});

	it('is a job of its own if names are numbers, or the booking is that of another row', async () => {
		const farmer = { ...amina, Name: 'Farmer 1' };
		await run([farmer]);
		expect((await run([{ ...farmer, Name: 'Farmer 2' }], { matchFields })).results).toEqual([
			'created',
		]);
		await run([bala]);
		const household = [bala, { ...bala, Name: 'Bala Musab' }];
		expect((await run(household, { matchFields })).results).toEqual(['already booked', 'created']);
	});
});

describe('a service that was typed as a name, and that the list shows as a number', () => {
	beforeEach(() => {
		service.render = ({ serviceType, ...booking }) => ({ ...asDocumented(booking), serviceType });
	});

	it('takes one request for details, however many rows', async () => {
		const rows = sheet.map((cells, index) => ({
			...cells,
			Service: 'ploughing',
			Tractor: 201 + index,
		}));
		await run(rows);
		service.reads = [];
		expect((await run(rows)).results).toEqual(all(rows, 'already booked'));
		expect(service.reads.filter((path) => path.includes('/detail/'))).toHaveLength(1);
	});
});

describe('services that the list shows as names', () => {});

it.each<[unknown, (id: string) => unknown]>([
	['Ploughing', Number],
	[3, (id) => (id === '3' ? 'Ploughing' : 'Ridging')],
])('a service is the only field to be compared, typed as %p', async (Service, written) => {
	service.render = ({ serviceType, ...booking }) => ({
		...asDocumented(booking),
		serviceType: written(asText(serviceType)) as string,
	});
	const only = { matchFields: ['serviceType'] };
	const rows = [{ ...amina, Service } as IDataObject];
	await run(rows, only);
	expect((await run(rows, only)).results).toEqual(['already booked']);
	expect((await run([{ ...amina, Service: 4 }], only)).results).toEqual(['created']);
});

it.each<[string, IDataObject, string]>([
	['2 ha', { landArea: 2, areaType: 'ha' }, 'already booked'],
	['2 ha', { landArea: '2.0' }, 'already booked'],
	['5 ac', { landArea: 5 }, 'already booked'],
	['5 ac', { landArea: 2.02, areaType: 'ha' }, 'already booked'],
	['2 ha', { landArea: 4.94, areaType: 'ac' }, 'already booked'],
	['2 ha', {}, 'already booked'],
	['2 ha', { landArea: 'large' }, 'already booked'],
	['2 ha', { landArea: 2, areaType: 'ac' }, 'possible duplicate'],
	['2 ha', { landArea: 2.5 }, 'possible duplicate'],
	['5 ac', { landArea: 2.1, areaType: 'ha' }, 'possible duplicate'],
])('an area of %s, beside a booking of %p', async (Area, shown, result) => {
	await run([{ ...amina, Area }]);
	service.render = (booking) => ({ ...asDocumented(booking), ...shown });
	expect((await run([{ ...amina, Area }])).results).toEqual([result]);
});

describe('rows that are equal in all that is used', () => {
	const ada = row(21, '');
	const musa = row(21, '');

	it.each([
		['skip', 'already booked'],
		['book', 'created'],
	])('are decided by the option: %s', async (ifPossibleDuplicate, result) => {
		const rows = [
			{ ...ada, Plot: 'A' },
			{ ...musa, Plot: 'B' },
		];
		expect((await run(rows, { ifPossibleDuplicate })).results).toEqual(['created', result]);
	});
});

describe('two jobs of a farmer on a day, of a service that does not say which is which', () => {});

it('a second job is booked although the list does not show in what it differs', async () => {
	const first = row(21, 'Joy Eze', { Village: 'Ede' });
	await run([first]);
	const both = [first, { ...first, Village: 'Iwo' }];
	expect((await run(both, {}, true)).results).toEqual(['already booked', 'created']);
	expect((await run(both, {}, true)).results).toEqual(['already booked', 'already booked']);
});

describe('a second job of a farmer on a day, of which the list does not show in what it differs', () => {
	const farm = { Latitude: 6.5, Longitude: 3.4, Tractor: '' };
	const job = (more: IDataObject) => row(21, 'Joy Eze', { ...farm, ...more });
	const select = 'idOrNearest';

	it.each<[string, IDataObject, IDataObject, () => void]>([
		['one service is a number, the other a name', { Service: 3 }, { Service: 'Ridging' }, () => {}],
		['one names the tractor', { Service: 3 }, { Service: 4, Tractor: 201 }, () => {}],
		[
			'the service has given the first the tractor of the other',
			{ Tractor: 203 },
			{ Tractor: 204 },
			() => Object.assign(service.bookings[0] ?? {}, { tractorId: 204 }),
		],
		[
			'as much was serviced as the other has',
			{ Area: '2 ha', Tractor: 201 },
			{ Area: '5 ha', Tractor: 201 },
			() => {
				service.render = (booking) => ({ ...asDocumented(booking), hectaresServiced: 5 });
			},
		],
	])(
		'is asked about with the first, and books neither again: %s',
		async (_, one, other, change) => {
			const jobs = [job(one), job(other)];
			await run(jobs.slice(0, 1), {}, false, select);
			change();
			expect((await run(jobs, {}, false, select)).results).toEqual(all(jobs, 'possible duplicate'));
			expect((await run(jobs.toReversed(), {}, false, select)).results).toEqual(
				all(jobs, 'possible duplicate'),
			);
			expect(service.bookings).toHaveLength(1);
		},
	);

	it('is booked by the process that made the first, whichever tractor is nearer by now', async () => {
		const jobs = [
			job({ Service: 'Ploughing', Village: 'Ede' }),
			job({ Service: 3, Village: 'Iwo' }),
		];
		await run(jobs.slice(0, 1), {}, false, select);
		service.nearby = [{ TractorID: 202 }];
		const { results, ids } = await run(jobs.toReversed(), {}, true, select);
		expect(results).toEqual(['created', 'already booked']);
		expect(ids).toEqual(['7002', '7001']);
	});

	it('leaves the rows of other days alone', async () => {
		const jobs = [job({ Service: 3 }), job({ Service: 4 }), job({ Service: 3, Date: later })];
		await run(jobs.slice(0, 1), {}, false, select);
		expect((await run(jobs, {}, false, select)).results).toEqual([
			'possible duplicate',
			'possible duplicate',
			'created',
		]);
	});
});

describe.each(['id', 'nearest'])('a service is compared before a tractor is chosen (%s)', () => {});

it('no details are asked for of a tractor nearby that has no ID', async () => {
	service.nearby = [{ TractorID: 201, distance: 1 }, { distance: 2 }];
	const rows = [row(21, 'Joy Eze', { Service: 'plough', Latitude: 6.5, Longitude: 3.4 })];
	for (const result of ['created', 'already booked'])
		expect((await run(rows, {}, false, 'nearest')).results).toEqual([result]);
	const details = service.reads.filter((path) => path.includes('/detail/'));
	expect(new Set(details)).toEqual(new Set([expect.stringMatching(/\/201\/detail\/$/)]));
});

describe('a service that returns few fields', () => {
	beforeEach(() => {
		service.render = ways['with few fields'] ?? asDocumented;
	});

	it('leaves a household of which one more came to the operator, who writes the IDs', async () => {
		const household = [row(20, 'Halima Yusuf'), row(20, 'Idris Yusuf')];
		const { ids } = await run(household);
		const three = [...household, row(20, 'Kemi Yusuf')];
		expect((await run(three)).results).toEqual(all(three, 'possible duplicate'));
		const written = three.map((cells, index) => ({ ...cells, 'Booking no.': ids[index] ?? '' }));
		expect((await run(written)).results).toEqual(['already booked', 'already booked', 'created']);
	});

	it.each([[{ farmerPhone: null }], [{ farmerPhone: '' }], [{ serviceDate: null }]])(
		'cannot be compared if these are always empty: %p',
		async (empty) => {
			await run(sheet);
			forgetKeys();
			service.render = (booking) => ({ ...asDocumented(booking), ...empty });
			const operation = 'booking:createFromSpreadsheet';
			const result = await perform(
				service,
				operation,
				{ ...fromSheet, options: asWritten },
				{ rows: sheet },
			);
			expect(stopOf(result).message).toContain(
				`The service returns its bookings without a readable ${labelsOf(Object.keys(empty))}`,
			);
			expect(service.bookings).toHaveLength(6);
		},
	);
});

describe('a row that names its booking', () => {
	it('is already booked, whatever else it holds and whatever is to be done with booked rows', async () => {
		await run(sheet);
		Object.assign(service.bookings[0] ?? {}, { bookingStatus: 4 });
		const rows = [
			{ ...amina, bookingID: 7001, Date: '2020-01-02' },
			{ bookingID: '7002', Date: 'soon', Phone: '' },
			{ bookingID: '#7003' },
			{ bookingID: '7004.0' },
		];
		for (const ifAlreadyBooked of ['skip', 'create', 'fail']) {
			const { table } = await run(rows, { ifAlreadyBooked });
			expect(table).toEqual([
				'2: already booked (the row names booking 7001 (declined); it has another Service Date)',
				'3: already booked (the row names booking 7002 (new))',
				'4: already booked (the row names booking 7003 (new))',
				'5: already booked (the row names booking 7004 (new))',
			]);
		}
		expect(service.bookings).toHaveLength(6);
	});

	it('is to be fixed if the booking is over, and the row has a new day that is to come', async () => {
		await run(sheet);
		const [first = {}, second = {}, third = {}, fourth = {}] = service.bookings;
		Object.assign(first, { bookingStatus: 3, serviceDate: dayFromNow(-7) });
		Object.assign(second, { bookingStatus: 'declined' });
		// The service may have moved it.
		Object.assign(third, { bookingStatus: 6 });
		// The service may not move it any more: last week's sheet, typed over.
		Object.assign(fourth, { bookingStatus: 20, serviceDate: dayFromNow(-7) });
		const named = sheet
			.slice(0, 4)
			.map((cells, index) => ({ ...cells, 'Booking ID': 7001 + index }));
		const retyped = named.map((cells, index) => ({ ...cells, Date: dayFromNow(index * 7) }));
		const advice = 'if the row is a new job, empty the cell to book it; if not, write this day.)';
		for (const ifAlreadyBooked of ['skip', 'create', 'fail']) {
			const { table } = await run(retyped, { ifAlreadyBooked });
			expect(table).toEqual([
				`2: to fix (Booking ID: "7001" is completed, and on ${dayFromNow(-7)}; ${advice}`,
				`3: to fix (Booking ID: "7002" is declined, and on ${dayFromNow(1)}; ${advice}`,
				'4: already booked (the row names booking 7003 (in_progress); it has another Service Date)',
				`5: to fix (Booking ID: "7004" is to_completed, and on ${dayFromNow(-7)}; ${advice}`,
			]);
		}
		// Followed, the advice works.
		const restored = named[1] ?? {};
		const emptied = { ...retyped[0], 'Booking ID': '' };
		expect((await run([emptied, restored])).results).toEqual(['created', 'already booked']);
		expect(service.bookings).toHaveLength(7);
	});

	it('stays booked by a finished booking of which it is uncertain whether it is of its day', async () => {
		await run(sheet);
		service.render = (booking) => ({
			...asDocumented(booking),
			bookingStatus: 3,
			serviceDate: `${asText(booking.serviceDate)}T${booking.bookingID === 7001 ? '22:30' : '09:00'}:00Z`,
		});
		const { results } = await run([
			{ ...amina, Date: dayFromNow(2), 'Booking ID': 7001 },
			{ ...bala, 'Booking ID': 7002 },
		]);
		expect(results).toEqual(['already booked', 'already booked']);
	});

	it('says how to book it again if the status of its booking does not count', async () => {
		await run([amina]);
		Object.assign(service.bookings[0] ?? {}, { bookingStatus: 4 });
		const named = { ...amina, 'Booking ID': 7001 };
		expect((await run([named], { ignoredStatuses: [4] })).table).toEqual([
			'2: already booked (the row names booking 7001 (declined); to book the row again, empty its Booking ID)',
		]);
		const { results } = await run([{ ...named, 'Booking ID': '' }], { ignoredStatuses: [4] });
		expect(results).toEqual(['created']);
	});

	it('is found in any of its columns, whichever the row fills in', async () => {
		await run(sheet);
		const { table } = await run([
			{ ...amina, 'Booking ID': 7001, bookingID: '' },
			{ ...bala, 'Booking ID': '', bookingID: 7002 },
		]);
		expect(table).toEqual([
			'2: already booked (the row names booking 7001 (new))',
			'3: already booked (the row names booking 7002 (new))',
		]);
		expect(service.bookings).toHaveLength(6);
	});

	it('is to be fixed if the booking is unknown, or the cell no ID', async () => {
		const { table } = await run([
			{ ...amina, 'N° de réservation': 9999 },
			{ ...bala, 'N° de réservation': 'booked by Musa' },
		]);
		expect(table).toEqual([
			'2: to fix (Booking ID (column "N° de réservation"): "9999" is unknown, or belongs to another organisation; correct it, or empty the cell if the row is not booked yet; if the column holds numbers of your own, rename it.)',
			'3: to fix (Booking ID (column "N° de réservation"): "booked by Musa" is not the ID of a booking; write the ID of one booking, or leave it empty.)',
		]);
		expect(service.bookings).toHaveLength(0);
	});

	it('is to be fixed if the booking is that of another farmer, whose row keeps it', async () => {
		await run(sheet);
		const joy = row(25, 'Joy New', { Date: later });
		const { table } = await run([
			{ ...amina, 'Booking ID': '' },
			{ ...bala, 'Booking ID': 7001 },
			{ ...joy, 'Booking ID': 7003 },
		]);
		const advice =
			'correct it, or empty the cell if the row is not booked yet; if the column holds numbers of your own, rename it.)';
		expect(table).toEqual([
			expect.stringMatching(/^2: possible duplicate .*as booking 7001/),
			`3: to fix (Booking ID: "7001" is the booking of Amina Bello, +2348031234510, ${dayFromNow(1)}; ${advice}`,
			`4: to fix (Booking ID: "7003" is the booking of Chika Obi, +2348031234512, ${dayFromNow(1)}; ${advice}`,
		]);
		expect(service.bookings).toHaveLength(6);
	});

	it('says that its booking is of another service', async () => {
		service.render = (booking) => booking;
		await run([amina]);
		const { table } = await run([{ ...amina, Service: 4, Date: later, 'Booking ID': 7001 }]);
		expect(table).toEqual([
			'2: already booked (the row names booking 7001 (new); it has another Service Date and Service Type)',
		]);
	});

	it('is read by its ID, and many rows by the list', async () => {
		const many = Array.from({ length: 25 }, (_, index) => row(30 + index, `Farmer ${index}`));
		await run(many);
		const written = many.map((cells, index) => ({ ...cells, 'Booking ID': 7001 + index }));
		service.reads = [];
		await run(written.slice(0, 20));
		expect(service.reads).toHaveLength(20);
		expect(service.reads[0]).toMatch(/\/partner\/booking\/7001$/);
		service.reads = [];
		expect((await run(written)).results).toEqual(all(many, 'already booked'));
		expect(service.reads).toEqual([expect.stringMatching(/\/partner\/booking\/1\/\d+$/)]);
	});

	const ofAll = ({ tractorId, ...booking }: IDataObject) => ({
		...booking,
		tractorPairedTo: tractorId,
	});
	const ofAllBut = (field: string) => (booking: IDataObject) => ({
		...ofAll(booking),
		[field]: null,
	});

	it.each<[string, (booking: IDataObject) => IDataObject, string]>([
		['all is shown, and the same', ofAll, 'already booked'],
		['no service', ofAllBut('serviceType'), 'no Service Type'],
		['no area', ofAllBut('landArea'), 'no Land Area'],
		['no name', ofAllBut('farmerName'), 'no Farmer Name'],
		['another area', (booking) => ({ ...ofAll(booking), landArea: 3 }), 'Land Area is 3 ha'],
		['as documented', asDocumented, 'no Service Type and it shows no Land Area'],
	])('is to be told from a new one that has no number: %s', async (_what, render, said) => {
		const rows = [{ ...amina, Area: '2 ha', 'Booking ID': '' }];
		await run(rows);
		service.render = render;
		const { table } = await run(rows);
		expect(table[0]).toContain(said);
		expect(table[0]).toMatch(
			said === 'already booked' ? /^2: already/ : /^2: possible .*write 7001 /,
		);
		// What this process booked with the same row is known.
		await run([{ ...bala, Area: '2 ha', 'Booking ID': '' }]);
		const again = await run([{ ...bala, Area: '2 ha', 'Booking ID': '' }], {}, true);
		expect(again.results).toEqual(['already booked']);
	});

	it('is to be told from a new one in Create, too, if the field Booking ID is filled by an expression', async () => {
		const book = async (additionalFields: INodeParameters) => {
			forgetKeys();
			processedData.clear();
			const fields = { ...fromFarmers, additionalFields };
			const { items, errors } = await perform(service, 'booking:create', fields, {
				rows: [
					{
						name: 'Amina Bello',
						phone: '+2348031234510',
						date: later,
						service: 3,
						tractor: 201,
						area: '2 ha',
					},
				],
				onError: 'continueErrorOutput',
			});
			return fieldOf([...items, ...errors], 'result');
		};
		expect(await book({})).toEqual(['created']);
		expect(await book({})).toEqual(['already booked']);
		expect(await book({ bookingID: '={{ $json.id }}' })).toEqual(['possible duplicate']);
	});

	it('names it in an additional field if the fields are mapped manually', async () => {
		await run(sheet);
		const additionalFields = { bookingID: '={{ $json.id }}' };
		const fields = { ...fromFarmers, additionalFields };
		const { items } = await perform(service, 'booking:create', fields, {
			rows: [{ id: 7005, phone: 'none' }],
		});
		expect(tableOf(items)).toEqual(['2: already booked (the row names booking 7005 (new))']);
	});
});

/** Of six rows that are booked already, the first two are those of a story. */
describe('a booking of which it is in doubt whose it is', () => {
	const plough = row(20, 'Amina Bello', { Service: 3 });
	const harrow = { ...plough, Service: 2, Date: dayFromNow(4) };
	const aisha = { ...harrow, Name: 'Aisha Bello', Service: 3 };
	const move = (booked: number, days: number) => {
		const booking = service.bookings.find(({ bookingID }) => bookingID === booked);
		if (booking) booking.serviceDate = dayFromNow(days);
	};

	it.each<[string, IDataObject[], IDataObject[], string[]]>([
		[
			'one job of a farmer is moved to the day of the other, and that one further',
			[plough, harrow],
			[
				{ ...plough, Date: dayFromNow(4) },
				{ ...harrow, Date: dayFromNow(7) },
			],
			['possible duplicate', 'possible duplicate'],
		],
		[
			'a job is moved, and another one comes in its place',
			[plough],
			[
				{ ...plough, Date: dayFromNow(4) },
				{ ...harrow, Date: dayFromNow(1) },
			],
			['possible duplicate', 'possible duplicate'],
		],
		[
			'the jobs of a household are moved',
			[plough, aisha],
			[
				{ ...plough, Date: dayFromNow(4) },
				{ ...aisha, Date: dayFromNow(7) },
			],
			['possible duplicate', 'possible duplicate'],
		],
		[
			'a phone is corrected, and somebody else comes with the old one',
			[plough],
			[
				{ ...plough, Phone: '+2348031234521' },
				{ ...plough, Name: 'Aisha Bello' },
			],
			['possible duplicate', 'possible duplicate'],
		],
		[
			'a name is corrected, and another job comes under the old one',
			[plough],
			[
				{ ...plough, Name: 'Amina Balarabe' },
				{ ...plough, Service: 2 },
			],
			['possible duplicate', 'possible duplicate'],
		],
	])('belongs to no row: %s', async (_, booked, corrected, results) => {
		service.render = (booking) => ({ ...asDocumented(booking), serviceType: booking.serviceType });
		await run([...booked, ...others]);
		const count = service.bookings.length;
		const again = await run([...corrected, ...others], {}, true);
		expect(again.results.slice(0, results.length)).toEqual(results);
		expect(service.bookings).toHaveLength(count);
	});

	it('belongs to no row if the owner has moved two, either', async () => {
		service.render = (booking) => ({ ...asDocumented(booking), serviceType: booking.serviceType });
		const { ids } = await run([plough, harrow, ...others]);
		move(Number(ids[0]), 4);
		move(Number(ids[1]), 7);
		const count = service.bookings.length;
		const again = await run([plough, harrow, ...others]);
		expect(again.results.slice(0, 2)).toEqual(['possible duplicate', 'possible duplicate']);
		expect(service.bookings).toHaveLength(count);
	});
});

it('a copy above the row that names its booking is booked by it', async () => {
	const { ids } = await run([amina]);
	const again = await run([amina, { ...amina, 'Booking ID': ids[0] }]);
	expect(again.results).toEqual(['already booked', 'already booked']);
	expect(again.ids).toEqual([ids[0], ids[0]]);
});
