import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { labelsOf } from '../../../nodes/TractorBooking/resources/booking/create/fields';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { bookSheet, dayFromNow, outcomeOf, type Outcome } from '../../support/bookings';
import { processedData } from '../../support/engine';
import { eachWithLateService } from '../../support/eachLateService';
import { asDocumented, type LateService } from '../../support/lateService';
import { skipped, skippedNow } from '../../support/skippedTime';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../../support/shortPauses'),
);

// A sheet runs, and runs again; in between, the process has ended, so that only the list of bookings tells what is booked.

let service: LateService;
eachWithLateService(skippedNow, (started) => (service = started));

const later = dayFromNow(9);

function row(farmer: number, name: string, more: IDataObject = {}): IDataObject {
	const Phone = `+23480312345${farmer}`;
	return { Name: name, Phone, Date: dayFromNow(1), Service: 3, Tractor: 201, ...more };
}

const sheet = [
	row(10, 'Amina Bello'),
	row(11, 'Bala Musa'),
	row(12, 'Chika Obi'),
	row(13, 'Dauda Sani'),
	row(14, 'Efe Ade'),
	row(17, 'Gado Umar'),
];
const [amina = {}] = sheet;

/** The sheets have no area, and a date under a heading that may mean another. */
const asWritten: INodeParameters = {
	columnMapping: { columns: [{ column: 'Date', field: 'serviceDate' }] },
	notInSheet: ['landArea', 'farmerName'],
	otherColumns: 'ignore',
};

/** n8n has restarted, and remembers what it booked. */
function laterOn(): void {
	forgetKeys();
	skipped.ms += 25 * 60_000;
}

/** Books a sheet in the same process. */
async function runOn(
	rows: IDataObject[],
	options: INodeParameters = {},
	tractorSelection = 'id',
): Promise<Outcome> {
	const numbered = rows.map((cells, index) => ({ row_number: index + 2, ...cells }));
	const fields = { tractorSelection, options: { ...asWritten, ...options } };
	return await outcomeOf(bookSheet, service, numbered, fields, { timezone: 'Africa/Lagos' });
}

/** The process has ended long ago: the node knows what the service returns and no more. */
async function run(...given: Parameters<typeof runOn>): Promise<Outcome> {
	forgetKeys();
	processedData.clear();
	return await runOn(...given);
}

const all = (rows: IDataObject[], result: string) => rows.map(() => result);
const booked = all(sheet.slice(1), 'already booked');
const showAll = (booking: IDataObject) => booking;
const moved = { serviceDate: later };

it.each<[string, IDataObject, INodeParameters, string]>([
	['has another day', moved, {}, 'possible duplicate'],
	['has another day: book', moved, { ifPossibleDuplicate: 'book' }, 'created'],
	['has another day: skip', moved, { ifPossibleDuplicate: 'skip' }, 'already booked'],
	['has another day and service', { ...moved, serviceType: 4 }, {}, 'possible duplicate'],
	['has another day and farmer', { ...moved, farmerName: 'Musa Bello' }, {}, 'created'],
	['has another day and is completed', { ...moved, bookingStatus: 3 }, {}, 'created'],
	['has another day and is unpaired', { ...moved, bookingStatus: 5 }, {}, 'possible duplicate'],
	['has a day that is over', { serviceDate: dayFromNow(-4) }, {}, 'created'],
	['has a name of the service', { farmerName: 'Client 1' }, {}, 'possible duplicate'],
])('the booking of the first row %s', async (_what, change, options, result) => {
	service.render = showAll;
	await run(sheet);
	Object.assign(service.bookings[0] ?? {}, change);
	expect((await run(sheet, options)).results).toEqual([result, ...booked]);
});

it.each<[string, string, INodeParameters]>([
	['names', 'farmerName', {}],
	['phones', 'farmerPhone', { matchFields: ['farmerName', 'serviceDate'] }],
])('without %s in the list, a row with another day', async (_what, hidden, options) => {
	service.render = (booking) => ({ ...booking, [hidden]: undefined });
	await run(sheet, options);
	laterOn();
	const other = { ...amina, Date: later };
	const { results } = await runOn([other, ...sheet.slice(1)], options);
	expect(results).toEqual(['possible duplicate', ...booked]);
	const beside = await runOn([...sheet, other], options);
	expect(beside.results).toEqual([...all(sheet, 'already booked'), 'created']);
});

it.each([
	['village', { Village: 'Ede' }],
	['tractor', { Tractor: 202 }],
	['crop', { Crop: 'Cassava' }],
])('a second field of a farmer, alike but for its %s, is asked about', async (_what, other) => {
	const plain: IDataObject = { ...amina, 'Area (ha)': 2, Village: 'Rigasa', Crop: 'Maize' };
	await run([plain]);
	const again = await runOn([{ ...plain, ...other }]);
	expect(again.results).toEqual(['possible duplicate']);
	expect(again.table[0]).toMatch(/it has another (Farm Location|Tractor ID|Crop)/);
});

it.each([
	['village', { Village: 'Rigasa' }, { Village: 'Ede' }, 'Farm Location'],
	['place', { GPS: '10.52, 7.44' }, { GPS: '10.61, 7.44' }, 'Latitude and Longitude'],
])(
	'it is, also after a restart, if the list shows another %s',
	async (_what, place, other, field) => {
		service.render = showAll;
		const plain = { ...amina, 'Area (ha)': 2, ...place };
		await run([plain]);
		laterOn();
		const again = await runOn([{ ...plain, ...other }]);
		expect(again.results).toEqual(['possible duplicate']);
		expect(again.table[0]).toContain(`it has another ${field}`);
		expect((await runOn([plain, { ...plain, ...other }])).results[0]).toBe('already booked');
	},
);

it('a new job of a farmer is sent at once, though the list shows no names', async () => {
	service.render = (booking) => ({ ...booking, farmerName: undefined });
	await run(sheet);
	forgetKeys();
	const ridging = { ...amina, Service: 4 };
	expect((await runOn([...sheet, ridging])).results).toEqual([
		'already booked',
		...booked,
		'created',
	]);
});

const household = { matchFields: ['farmerPhone', 'serviceDate', 'farmerName'] };
const plots = ['A', 'B'].map((Plot) => ({ ...amina, Plot }));

const renamed = { ...amina, Name: 'Halima Bello' };
const pair = sheet.slice(0, 2);
const ridged = pair.map((cells, at) => ({
	...cells,
	Service: 4,
	...(at > 0 ? { Phone: '+2348031234599' } : {}),
}));

it.each<[string, IDataObject[], IDataObject[], INodeParameters, string[]]>([
	['another name', [amina], [renamed], household, ['created']],
	['another name and day', [amina], [{ ...renamed, Date: later }], household, ['created']],
	['a name beside it', [amina], [amina, renamed], household, ['already booked', 'created']],
	['a phone beside another service of all', pair, ridged, {}, all(pair, 'possible duplicate')],
	['two plots: skip', [], plots, { ifPossibleDuplicate: 'skip' }, ['created', 'already booked']],
	['two plots: book', [], plots, { ifPossibleDuplicate: 'book' }, ['created', 'created']],
])('a few rows: %s', async (_what, first, second, options, results) => {
	service.render = showAll;
	if (first.length > 0) await run(first);
	expect((await run(second, options)).results).toEqual(results);
});

it('a possible duplicate stays one once the other row has its Booking ID', async () => {
	const { results, ids, table } = await run(plots);
	expect(results).toEqual(['created', 'possible duplicate']);
	// What is typed into the row now would not tell whose booking it is.
	expect(table[1]).toMatch(
		/another job, run this row alone with .*Create Anyway; if not, remove it/,
	);
	const written = plots.map((cells, at) => ({ ...cells, bookingID: ids[at] }));
	for (const again of [runOn, run])
		expect((await again(written)).results).toEqual(['already booked', 'possible duplicate']);
});

it('rows that get a Row ID of their own keep their bookings, though these were moved', async () => {
	await run(sheet);
	for (const booking of service.bookings) Object.assign(booking, moved);
	const numbered = sheet.map((cells, at) => ({ ...cells, Ref: `R${at}` }));
	expect((await runOn(numbered, { rowIdColumn: 'Ref' })).results).toEqual(
		all(sheet, 'already booked'),
	);
});

it('a sheet may be booked already if all its phones had the wrong country', async () => {
	const withCountry = (country: string, more: IDataObject = {}) =>
		sheet.map((cells, index) => ({
			...cells,
			Phone: `071234567${index}`,
			'Phone country': country,
			...more,
		}));
	expect((await run(withCountry('UG'))).results).toEqual(all(sheet, 'created'));
	expect((await run(withCountry('KE'))).results).toEqual(all(sheet, 'possible duplicate'));
	const others = await run(withCountry('KE', { Name: 'Zainab Isa' }));
	expect(others.results).toEqual(all(sheet, 'created'));
});

it('a booking that was made again for one that was declined is that of the row', async () => {
	service.render = showAll;
	await run(sheet);
	Object.assign(service.bookings[0] ?? {}, { bookingStatus: 4 });
	expect((await run(sheet)).table[0]).toMatch(
		/^2: already booked \(.* booking 5001 \(declined\).* Ignore Bookings With Status/,
	);
	for (const result of ['created', 'already booked'])
		expect((await run(sheet, { ignoredStatuses: [4] })).results[0]).toBe(result);
	expect((await run(sheet)).ids[0]).toBe('5007');
});

describe('a second sheet, in which every row has the phone and day of a booking', () => {
	const ridging = sheet.map((cells) => ({ ...cells, Service: 4 }));
	const inWords = ridging.map((cells) => ({ ...cells, Service: 'ridging' }));
	const names: Record<string, string> = { 3: 'Ploughing', 4: 'Ridging' };
	const showWords = (booking: IDataObject) => ({
		...booking,
		serviceType: names[asText(booking.serviceType)],
	});
	const sharing = (suffix: string) =>
		sheet.map((cells) => ({
			...cells,
			Name: `${asText(cells.Name)}${suffix}`,
			Phone: amina.Phone,
		}));

	it.each<[string, IDataObject[], IDataObject[], (booking: IDataObject) => IDataObject]>([
		['another service, which the list shows as a number', sheet, ridging, showAll],
		['another service, which the list shows in words', sheet, inWords, showWords],
		['other farmers, who share a phone', sharing(''), sharing(' Junior'), showAll],
	])('is not dropped for %s', async (_what, first, second, render) => {
		service.render = render;
		await run(first);
		for (const runAgain of [runOn, run])
			expect((await runAgain(second)).results).toEqual(all(second, 'possible duplicate'));
		const { results } = await run(second, { ifPossibleDuplicate: 'book' });
		expect(results).toEqual(all(second, 'created'));
		const both = [...first, ...second];
		expect((await run(both)).results).toEqual(all(both, 'already booked'));
	});
});

it.each<[string, IDataObject, string]>([
	['2 ha', { landArea: '2.0' }, 'already booked'],
	['5 ac', { landArea: 5 }, 'already booked'],
	['5 ac', { landArea: 2.02, areaType: 'ha' }, 'already booked'],
	['2 ha', { landArea: 4.94, areaType: 'ac' }, 'already booked'],
	['2 ha', {}, 'possible duplicate'],
	['2 ha', { landArea: 'large' }, 'possible duplicate'],
	['2 ha', { landArea: 2, areaType: 'ac' }, 'possible duplicate'],
	['2 ha', { landArea: 2.5 }, 'possible duplicate'],
	['5 ac', { landArea: 2.1, areaType: 'ha' }, 'possible duplicate'],
	['2 ha', { landArea: 2, serviceType: null }, 'possible duplicate'],
	['2 ha', { landArea: 2, farmerName: null }, 'possible duplicate'],
])('an area of %s, beside a booking that shows %p', async (Area, shown, result) => {
	await run([{ ...amina, Area }]);
	service.render = (booking) => ({ ...asDocumented(booking), serviceType: 3, ...shown });
	expect((await run([{ ...amina, Area }])).results).toEqual([result]);
});

describe('a second job of a farmer on a day that differs in what the list does not show', () => {
	const farm = { Latitude: 6.5, Longitude: 3.4, Tractor: '' };
	const job = (more: IDataObject) => row(21, 'Joy Eze', { ...farm, ...more });
	const select = 'idOrNearest';

	it.each<[string, IDataObject, IDataObject]>([
		['one service is a number, the other a name', { Service: 3 }, { Service: 'Ridging' }],
		['one names the tractor', { Service: 3 }, { Service: 4, Tractor: 201 }],
		['the area', { Area: '2 ha', Tractor: 201 }, { Area: '5 ha', Tractor: 201 }],
	])('is asked about with the first, and books neither again: %s', async (_, one, other) => {
		const jobs = [job(one), job(other)];
		await run(jobs.slice(0, 1), {}, select);
		for (const rows of [jobs, jobs.toReversed(), [...jobs, job({ Date: later })]])
			expect((await run(rows, {}, select)).results).toEqual(all(rows, 'possible duplicate'));
		expect(service.bookings).toHaveLength(1);
	});

	it('is booked by the process that made the first, whichever tractor is nearer by now', async () => {
		const jobs = [
			job({ Service: 'Ploughing', Village: 'Ede' }),
			job({ Service: 3, Village: 'Iwo' }),
		];
		await run(jobs.slice(0, 1), {}, select);
		service.nearby = [{ TractorID: 202 }];
		const { results, ids } = await runOn(jobs.toReversed(), {}, select);
		expect(results).toEqual(['created', 'already booked']);
		expect(ids).toEqual(['5002', '5001']);
	});
});

it.each<[IDataObject, string[]]>([
	[{ farmerPhone: '' }, ['farmerPhone', 'serviceDate']],
	[{ serviceDate: '03/04/2030' }, ['farmerPhone', 'serviceDate']],
	[{ farmerPhone: null, serviceDate: null }, ['farmerPhone', 'serviceDate']],
	[{ serviceType: null }, ['serviceType']],
	[{ serviceType: null }, ['farmerPhone', 'serviceDate', 'serviceType']],
])('bookings with %p stop a run that is to compare %p', async (hidden, matchFields) => {
	await run(sheet);
	service.render = (booking) => ({ ...asDocumented(booking), ...hidden });
	const { errors } = await run(sheet, { matchFields });
	expect(errors[0]?.json.reason).toContain(
		`The service returns its bookings without a readable ${labelsOf(Object.keys(hidden))}`,
	);
	expect(service.bookings).toHaveLength(6);
});

describe('a row that names its booking', () => {
	/** The first rows of the sheet, with the numbers of their bookings. */
	const numbered = sheet.map((cells, index) => ({ ...cells, 'Booking ID': 5001 + index }));
	const [first = {}, second = {}] = numbered;
	const moved = { ...first, Date: later };
	const joy = row(25, 'Joy New', { Date: later, 'Booking ID': 5003 });
	const over = { serviceDate: dayFromNow(-7) };

	const words = { ...first, Service: 'Harrowing' };
	const unknown = { ...amina, 'N° de réservation': 9999 };

	/** The rows that run again, what is said of each, and what has changed of the first booking. */
	type Case = [what: string, rows: IDataObject[], said: RegExp[], change?: IDataObject];

	// prettier-ignore
	it.each<Case>([
		['a past day', [{ ...first, Date: '2020-01-02' }], [/already booked .* 5001 .*another Service Date/]],
		['wrong cells', [{ bookingID: '#5002', Date: 'soon', Phone: '' }], [/already booked .* 5002/]],
		['5004.0', [{ bookingID: '5004.0' }], [/already booked/]],
		['a completed one, another day', [moved], [/to fix .*"5001" is completed.* empty the cell/], { ...over, bookingStatus: 3 }],
		['a to_completed one, another day', [moved], [/to fix .* is to_completed/], { ...over, bookingStatus: 20 }],
		['a declined one, another day', [moved], [/to fix .* is declined/], { bookingStatus: 'declined' }],
		['one under way, another day', [moved], [/already booked .*another Service Date: if it is a new job, empty/], { bookingStatus: 6 }],
		['a declined one, its day', [first], [/already booked .*\(declined\)/], { bookingStatus: 4 }],
		['another service and day', [{ ...moved, Service: 4 }], [/already .*another Service Date and Service T/]],
		['an unknown ID', [unknown], [/to fix \(Booking ID \(column "N° de réservation"\): "9999" is unk/]],
		['words', [{ ...amina, 'Booking ID': 'by Musa' }], [/is not the ID of a booking/]],
		['another farmer', [{ ...second, 'Booking ID': 5001 }, joy], [/to fix .*"5001" is the booking of Amina/, /to fix/]],
		['another job', [first, { ...first, Service: 4 }], [/to fix .*"5001" is in row 3/, /to fix .* in row 2/]],
		['a service in words', [first, words], [/already booked .*so does row 3/, /already booked .*row 2/]],
	])('%s, whatever If Already Booked says', async (_what, rows, said, change = {}) => {
		service.render = showAll;
		await run(sheet);
		Object.assign(service.bookings[0] ?? {}, change);
		for (const ifAlreadyBooked of ['skip', 'create', 'fail']) {
			const { table } = await run(rows, { ifAlreadyBooked });
			expect(table).toEqual(said.map((text) => expect.stringMatching(text) as unknown));
		}
		expect(service.bookings).toHaveLength(6);
	});

	it.each<[string, IDataObject[]]>([
		['below a copy of it', [{ ...amina, 'Booking ID': '' }, first]],
		['above a copy of it with its service in words', [first, { ...amina, Service: 'Ploughing' }]],
	])('%s', async (_what, rows) => {
		await run(sheet);
		expect((await run(rows)).results).toEqual(all(rows, 'already booked'));
	});

	it('is booked again if its cell is emptied, as the reason says', async () => {
		await run([amina]);
		Object.assign(service.bookings[0] ?? {}, { bookingStatus: 4 });
		const options = { ignoredStatuses: [4] };
		expect((await run([first], options)).table[0]).toMatch(/book the row again, empty its Booking/);
		expect((await run([{ ...first, 'Booking ID': '' }], options)).results).toEqual(['created']);
	});

	it('stays booked by a finished booking that may be of its day', async () => {
		await run(sheet);
		service.render = (booking) => ({
			...asDocumented(booking),
			bookingStatus: 3,
			serviceDate: `${asText(booking.serviceDate)}T${booking.bookingID === 5001 ? '22:30' : '09:00'}:00Z`,
		});
		const { results } = await run([{ ...first, Date: dayFromNow(2) }, second]);
		expect(results).toEqual(['already booked', 'already booked']);
	});

	it('is read by its ID, and many rows by the list', async () => {
		const many = Array.from({ length: 21 }, (_, index) => row(30 + index, `Farmer ${index}`));
		await run(many);
		const written = many.map((cells, index) => ({ ...cells, 'Booking ID': 5001 + index }));
		service.reads = [];
		await run(written.slice(0, 20));
		expect(service.reads).toHaveLength(20);
		expect(service.reads[0]).toMatch(/\/partner\/booking\/5001$/);
		service.reads = [];
		expect((await run(written)).results).toEqual(all(many, 'already booked'));
		expect(service.reads).toEqual(
			[1, 0].map((page) => `/booking-services/partner/booking/${page}/100`),
		);
	});
});
