import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { labelsOf } from '../../../nodes/TractorBooking/resources/booking/create/fields';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { KEYS, startSandbox } from '../../../sandbox';
import { fieldOf, pairsOf, stopOf } from '../../support/action';
import { processedData } from '../../support/engine';
import {
	book,
	bookingsByPhone,
	bookSheet,
	dayFromNow,
	farmers,
	tableOf,
	startAfresh,
} from '../../support/bookings';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 40, otherBookings: 0, rateLimits: { create: null } });
});
beforeEach(() => startAfresh(sandbox));
afterAll(async () => await sandbox.close());

const rows = farmers(3);
const [amina = {}, musa = {}] = rows;

function option(options: INodeParameters): INodeParameters {
	return { options };
}

/** How often each of the rows is booked. */
function timesBooked(of: IDataObject[] = rows): number[] {
	const counts = bookingsByPhone(sandbox);
	return of.map(({ phone }) => counts[asText(phone)] ?? 0);
}

it('counts as booked for a while although the service does not know its booking', async () => {
	await book(sandbox, [amina]);
	sandbox.store.bookings.delete(100_041);
	const { items } = await book(sandbox, [amina]);
	expect(tableOf(items)).toEqual([
		'2: already booked (same Farmer Name, Farmer Phone, Land Area, Service Date and Service Type as booking 100041 (status not shown; if the service does not have it in 15 minutes, run the row again))',
	]);
	expect(timesBooked([amina])).toEqual([0]);
});

describe('a row that is booked already', () => {
	beforeEach(async () => {
		await book(sandbox, [amina]);
		// By another process: this one knows more of its own bookings than the service shows.
		forgetKeys();
		sandbox.requests.clear();
	});

	it.each([3, 'Ploughing'])(
		'is not booked again by a copy of its row, which names its booking; service %p',
		async (service) => {
			const row = { ...amina, service };
			const { items } = await bookSheet(sandbox, [{ ...row, bookingID: 100_041 }, row]);
			expect(fieldOf(items, 'result')).toEqual(['already booked', 'already booked']);
			expect(timesBooked([amina])).toEqual([1]);
		},
	);

	it('is skipped, and its booking returned with its status, by default', async () => {
		sandbox.store.advance(100_041, 6);
		const { items } = await book(sandbox, rows);
		expect(tableOf(items)).toEqual([
			'2: already booked (same Farmer Name, Farmer Phone, Land Area, Service Date and Service Type as booking 100041 (in_progress))',
			'3: created',
			'4: created',
		]);
		expect(items[0]?.json).toMatchObject({
			bookingID: 100_041,
			bookingStatus: 6,
			bookingStatusLabel: 'in_progress',
			bookedTractorId: amina.tractor,
		});
		expect(timesBooked()).toEqual([1, 1, 1]);
	});

	it.each(['skip', 'create'])(
		'is none where its day is over and no booking is equal (%s)',
		async (ifAlreadyBooked) => {
			const past = { ...amina, date: '2020-01-02' };
			const result = await book(sandbox, [past, musa], option({ ifAlreadyBooked }));
			expect(stopOf(result).description).toContain('Service Date: "2020-01-02" is in the past');
			expect(sandbox.requests.count('create')).toBe(0);
		},
	);

	it('is booked again if that is wanted, without reading the bookings', async () => {
		const { items } = await book(sandbox, rows, option({ ifAlreadyBooked: 'create' }));
		expect(fieldOf(items, 'result')).toEqual(['created', 'created', 'created']);
		expect(timesBooked()).toEqual([2, 1, 1]);
		expect(sandbox.requests.count('bookings')).toBe(0);
	});

	it('is an issue if that is wanted, before anything is sent', async () => {
		const { message, description, itemIndex } = stopOf(
			await book(sandbox, [musa, amina], option({ ifAlreadyBooked: 'fail' })),
		);
		expect(itemIndex).toBe(1);
		expect(message).toBe('1 of 2 rows has errors. Nothing was booked.');
		expect(description).toContain(
			'Row 3 (Farmer 1): The row is booked already: same Farmer Name, Farmer Phone, Land Area, Service Date and Service Type as booking 100041 (new); remove the row, or set If Already Booked to Skip or Create Anyway.',
		);
		expect(timesBooked()).toEqual([1, 0, 0]);
	});

	it('is a faulty row among others if the node continues', async () => {
		const { items, errors } = await book(sandbox, rows, option({ ifAlreadyBooked: 'fail' }), {
			onError: 'continueErrorOutput',
		});
		expect(pairsOf(items)).toEqual([1, 2]);
		expect(fieldOf(errors, 'result')).toEqual(['to fix']);
		expect(timesBooked()).toEqual([1, 1, 1]);
	});

	it.each([
		['its number as a local one', { phone: '0803 101 0000' }, ['already booked']],
		['its number without the plus', { phone: 2_348_031_010_000 }, ['already booked']],
		['another number', { phone: '+2348031010099' }, ['created']],
		['another day', { date: dayFromNow(90) }, ['created']],
		['its day in other words', { date: `${asText(amina.date)}T08:00:00` }, ['already booked']],
		['its name in other order', { name: '1, FÁRMER' }, ['already booked']],
	])('is recognised by phone and day: %s', async (_what, change, results) => {
		const { items } = await book(sandbox, [{ ...amina, ...change }], { phoneCountry: 'NG' });
		expect(fieldOf(items, 'result')).toEqual(results);
	});

	it.each([
		['+2348031010000', '08031010000', 'already booked'],
		['+2348031010000', 8_031_010_000, 'already booked'],
		['08031010000', '+234 803 101 0000', 'already booked'],
		['08031010000', '2348031010000', 'already booked'],
		['+2348031010000', '08031010001', 'created'],
	])(
		'is recognised without a default country: stored as %p, %p is %s',
		async (farmerPhone, phone, result) => {
			sandbox.store.bookings.update(100_041, { farmerPhone });
			const { items } = await book(sandbox, [{ ...amina, phone }]);
			expect(fieldOf(items, 'result')).toEqual([result]);
		},
	);

	it.each([
		// Eight digits after the calling code.
		['+22670123456', '70123456', 'already booked'],
		['70 12 34 56', '+226 70 12 34 56', 'already booked'],
		['22670123456', '70123456', 'already booked'],
		// The zero belongs to the number.
		['+2250701020304', '701020304', 'already booked'],
		// The lengths of this country are not known.
		['+995555123456', '0555 123 456', 'already booked'],
		['995555123456', '0555 123 456', 'already booked'],
		// Nine equal digits at the end of ten, and the same name.
		['+2348031234567', '07031234567', 'possible duplicate'],
		['08031234567', '+2347031234567', 'possible duplicate'],
		['08031234567', '07031234567', 'possible duplicate'],
	])(
		'is recognised by its whole number: stored as %p, %p is %s',
		async (farmerPhone, phone, result) => {
			sandbox.store.bookings.update(100_041, { farmerPhone });
			const run = { onError: 'continueErrorOutput' } as const;
			const { items, errors } = await book(sandbox, [{ ...amina, phone }], {}, run);
			expect(fieldOf([...items, ...errors], 'result')).toEqual([result]);
		},
	);

	it('is one with another row of the same number, however it is written', async () => {
		const rows = ['+2348037654321', '0803 765 4321', '+2347037654321'];
		const { items } = await book(
			sandbox,
			rows.map((phone) => ({ ...amina, phone })),
		);
		expect(fieldOf(items, 'result')).toEqual(['created', 'already booked', 'created']);
	});

	it.each([
		[
			['farmerName', 'serviceDate'],
			{ name: 'FARMER  1', phone: '+2348031010098' },
			'already booked',
		],
		[['farmerName', 'serviceDate'], { name: 'Farmer 2' }, 'created'],
		[['farmerPhone', 'serviceDate', 'serviceType'], { service: 4 }, 'created'],
		[['farmerPhone', 'serviceDate', 'serviceType'], { service: '3' }, 'already booked'],
		[['farmerPhone', 'landArea'], { area: '2.0 ha', date: dayFromNow(91) }, 'already booked'],
		[['farmerPhone', 'landArea'], { area: '2,5 ha' }, 'created'],
		[[], { phone: '+2348031010098' }, 'created'],
	])(
		'is recognised by the fields that are chosen: %p, %p is %s',
		async (matchFields, change, result) => {
			sandbox.store.bookings.update(100_041, { landArea: 2 });
			const { items } = await book(sandbox, [{ ...amina, ...change }], {
				...option({ matchFields }),
			});
			expect(fieldOf(items, 'result')).toEqual([result]);
		},
	);

	it('is of this organisation: bookings of others do not count', async () => {
		processedData.clear();
		const { items } = await book(sandbox, [amina], {}, { apiKey: KEYS.other });
		expect(fieldOf(items, 'result')).toEqual(['created']);
	});

	const shapes: SandboxOptions[] = [
		...(['array', 'data', 'dataPagination', 'dataCursor'] as const).map((bookingsEnvelope) => ({
			bookingsEnvelope,
		})),
		...(['oldest', 'updated', 'arbitrary'] as const).map((bookingsOrder) => ({ bookingsOrder })),
		{ firstPage: 0 },
		{ firstPage: 0, bookingsEnvelope: 'array' },
		{ bookingIdsAsText: true, bookingStatusAsText: true },
		{ plainBookings: true },
	];

	it.each(shapes)('is recognised in a list with %p', async (shape) => {
		Object.assign(sandbox.settings, { maxPageSize: 7, ...shape });
		const { items } = await book(sandbox, rows);
		expect(fieldOf(items, 'result')).toEqual(['already booked', 'created', 'created']);
		expect(timesBooked()).toEqual([1, 1, 1]);
	});

	const year = new Date().getUTCFullYear() + 1;
	const dateForms = [
		(date: string) => `${date}T00:00:00Z`,
		(date: string) => `${date} 00:00:00`,
		(date: string) => `${date}T00:00:00+01:00`,
		(date: string) => new Date(`${date}T00:00:00+01:00`).toISOString(),
		(date: string) => new Date(date).toUTCString().slice(5, 16),
		(date: string) => new Date(date).toUTCString(),
		(date: string) => date.replaceAll('-', ''),
		(date: string) => Date.parse(date),
		(date: string) => String(Date.parse(date) / 1_000),
	];

	it.each(dateForms.map((form) => [form(`${year}-05-06`), form] as const))(
		'is recognised by days that the service writes as %s',
		async (_example, form) => {
			sandbox.hooks.shapeBooking = (booking) => ({
				...booking,
				serviceDate: form(String(booking.serviceDate)),
			});
			const { items } = await book(sandbox, [amina], {}, { timezone: 'Africa/Lagos' });
			expect(fieldOf(items, 'result')).toEqual(['already booked']);
		},
	);

	it.each<[string, (booking: IDataObject) => IDataObject, RegExp]>([
		[
			'a match field',
			({ bookingID, serviceDate }) => ({ bookingID, serviceDate }),
			/without a readable Farmer Phone$/,
		],
		[
			'the ID and all match fields',
			({ clusterID }) => ({ clusterID }),
			/without a readable Farmer Phone and Service Date$/,
		],
	])('cannot be recognised if no booking shows %s', async (_what, shape, message) => {
		sandbox.hooks.shapeBooking = (booking) => shape(booking as IDataObject);
		expect(stopOf(await book(sandbox, rows)).message).toMatch(message);
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it.each([[['serviceType']], [['landArea', 'serviceType']]])(
		'cannot be recognised by %p alone where the service returns none of them, which is said before anything is sent',
		async (matchFields) => {
			sandbox.settings.plainBookings = true;
			const { message } = stopOf(
				await book(sandbox, [amina], {
					...option({ matchFields }),
				}),
			);
			expect(message).toContain(
				`The service returns its bookings without a readable ${labelsOf(matchFields)}`,
			);
			expect(sandbox.requests.count('create')).toBe(0);
		},
	);

	it('among bookings without a phone is found, and the others do no harm', async () => {
		for (const id of sandbox.store.bookings.ids('A').slice(0, 40)) {
			sandbox.store.bookings.update(id, { farmerPhone: null });
		}
		const { items } = await book(sandbox, rows);
		expect(fieldOf(items, 'result')).toEqual(['already booked', 'created', 'created']);
	});
});

describe('a row that repeats another one of the input', () => {
	const repeated = [amina, musa, { ...amina, name: 'FARMER  1' }];

	it('is booked if that is wanted', async () => {
		await book(sandbox, repeated, option({ ifAlreadyBooked: 'create' }));
		expect(timesBooked()).toEqual([2, 1, 0]);
	});

	it('is booked in place of one that cannot be', async () => {
		const again = [{ ...amina, tractor: 'A' }, amina];
		const { items, errors } = await book(sandbox, again, {}, { onError: 'continueErrorOutput' });
		expect(tableOf(errors, items)).toEqual([
			expect.stringContaining('2: to fix (Tractor ID'),
			'3: created',
		]);
	});
});

describe('rows that share the match fields and are different jobs', () => {
	const household = ['Amina Bello', 'Bala Bello', 'Chika Bello'].map((name) => ({
		...amina,
		name,
	}));
	const twoJobs = [
		{ ...amina, service: 3 },
		{ ...amina, service: 4 },
	];

	it.each([
		['a household with one phone', household],
		['a farmer with two jobs on a day', twoJobs],
	])('are each booked once, whatever is run again: %s', async (_who, jobs) => {
		const first = await book(sandbox, jobs);
		expect(fieldOf(first.items, 'result')).toEqual(jobs.map(() => 'created'));
		for (const again of [jobs, [...jobs].reverse()]) {
			const { items } = await book(sandbox, again);
			expect(fieldOf(items, 'result')).toEqual(jobs.map(() => 'already booked'));
		}
		expect(timesBooked([amina])).toEqual([jobs.length]);
	});

	it('are paired with the booking that fits best, and one that is appended is booked', async () => {
		const [, bala = {}, chika = {}] = household;
		await book(sandbox, [bala, chika]);
		const reversed = ['BELLO, Chika', 'bello bála'].map((name) => ({ ...amina, name }));
		const [first = {}] = household;
		const { items } = await book(sandbox, [first, ...reversed]);
		expect(tableOf(items)).toEqual([
			'2: created',
			'3: already booked (same Farmer Name, Farmer Phone, Land Area, Service Date and Service Type as booking 100042 (new))',
			'4: already booked (same Farmer Name, Farmer Phone, Land Area, Service Date and Service Type as booking 100041 (new))',
		]);
		expect(timesBooked([amina])).toEqual([3]);
	});

	it.each([
		['the note', { note: 'call first' }, ['created', 'already booked']],
		['the case of the name', { name: 'FARMER 1' }, ['created', 'already booked']],
		['the tractor', { tractor: 202 }, ['created', 'created']],
		['the area', { area: '3 ha' }, ['created', 'created']],
		['the service', { service: 4 }, ['created', 'created']],
	])('are those that differ in more than note and gender: %s', async (_what, change, results) => {
		const { items } = await book(sandbox, [amina, { ...amina, ...change }], {
			additionalFields: { farmNote: '={{ $json.note }}' },
		});
		expect(fieldOf(items, 'result')).toEqual(results);
	});

	it('are one row typed twice, whichever tractor is chosen for it', async () => {
		const { latitude = 0, longitude = 0 } = [...sandbox.store.tractors.values()][0] ?? {};
		const row = { ...amina, service: 'Ploughing', lat: latitude, lng: longitude };
		const { items } = await book(sandbox, [row, row], {
			tractorSelection: 'nearest',
			latitude: '={{ $json.lat }}',
			longitude: '={{ $json.lng }}',
			options: {
				distributeRows: true,
				maximumDistance: 100,
				matchFields: ['farmerPhone', 'serviceDate', 'serviceType'],
			},
		});
		expect(fieldOf(items, 'result')).toEqual(['created', 'already booked']);
	});

	it('leave each its own response where one is lost', async () => {
		sandbox.faults.add({
			match: { endpoint: 'create' },
			skip: 1,
			times: 1,
			fault: { kind: 'lostAnswer' },
		});
		const { items } = await book(sandbox, household);
		expect(fieldOf(items, 'bookingID')).toEqual([100_041, 100_042, 100_043]);
		expect(timesBooked([amina])).toEqual([3]);
	});
});

describe('a row that may be booked already', () => {
	beforeEach(async () => {
		await book(sandbox, [amina]);
		// By another process: this one knows more of its own bookings than the service shows.
		forgetKeys();
		sandbox.requests.clear();
	});
	const otherName = { ...amina, name: 'Bala <Bello>' };

	it('leaves on the error output, typed once or twice, while the others are booked', async () => {
		const { items, errors } = await book(
			sandbox,
			[otherName, musa, otherName],
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(pairsOf(items)).toEqual([1]);
		expect(fieldOf(errors, 'result')).toEqual(['possible duplicate', 'possible duplicate']);
		expect(timesBooked([amina, musa])).toEqual([1, 1]);
	});

	it('is booked beside the one that it is told apart from', async () => {
		const { items } = await book(sandbox, [otherName, amina]);
		expect(fieldOf(items, 'result')).toEqual(['created', 'already booked']);
	});
});

describe('a key that may not read bookings', () => {
	it('gets an error that names the scope, and nothing is sent', async () => {
		const result = await book(sandbox, rows, {}, { apiKey: KEYS.bookingOnly });
		const { message, description, httpCode } = stopOf(result);
		expect(httpCode).toBe('401');
		expect(message).toContain('booking:bookings:read');
		expect(description).not.toContain('Create Anyway');
		expect(sandbox.requests.count('create')).toBe(0);
	});

	it('books if rows are not compared', async () => {
		const { items } = await book(sandbox, rows, option({ ifAlreadyBooked: 'create' }), {
			apiKey: KEYS.bookingOnly,
		});
		expect(fieldOf(items, 'result')).toEqual(['created', 'created', 'created']);
	});
});

describe('running again', () => {
	it('the whole input books nothing twice', async () => {
		const many = farmers(60);
		await book(sandbox, many);
		const { items } = await book(sandbox, many);
		expect(new Set(fieldOf(items, 'result'))).toEqual(new Set(['already booked']));
		expect(Math.max(...timesBooked(many))).toBe(1);
	});

	it('by Retry On Fail, after a row that failed, books nothing twice', async () => {
		sandbox.faults.add({
			match: { endpoint: 'create' },
			skip: 2,
			times: 1,
			fault: { kind: 'status', status: 400, body: { error: 'try later' } },
		});
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const five = farmers(5);
		const { items, error } = await book(sandbox, five, {}, { node });
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'result')).toEqual([
			'already booked',
			'already booked',
			'created',
			'created',
			'created',
		]);
		expect(timesBooked(five)).toEqual([1, 1, 1, 1, 1]);
	});

	it('by Retry On Fail, until it gives up, books nothing twice', async () => {
		const bad = farmers(4).map((row, index) => (index === 1 ? { ...row, tractor: 9_999 } : row));
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const stopping = await book(sandbox, bad, {}, { node });
		expect(stopOf(stopping).itemIndex).toBe(1);
		const continuing = await book(
			sandbox,
			[...bad].reverse(),
			{},
			{ node, onError: 'continueErrorOutput' },
		);
		expect(continuing.items).toHaveLength(3);
		expect(timesBooked(bad)).toEqual([1, 0, 1, 1]);
	});

	it('is left to the user if the first row fails and the node continues, even with Retry On Fail', async () => {
		const bad = farmers(3).map((row, index) => (index === 0 ? { ...row, tractor: 9_999 } : row));
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { items, errors } = await book(
			sandbox,
			bad,
			{},
			{ node, onError: 'continueErrorOutput' },
		);
		expect(fieldOf(errors, 'result')).toEqual(['failed']);
		expect(items).toHaveLength(2);
		expect(timesBooked(bad)).toEqual([0, 1, 1]);
		expect(sandbox.requests.count('create', 400)).toBe(1);
	});
});

it('a rate limit in the middle is waited for, and every row is booked once', async () => {
	const limited = await startSandbox({
		bookings: 0,
		rateLimits: { create: 3 },
		rateWindowMs: 1_500,
	});
	const six = farmers(6);
	const { items, error } = await book(limited, six);
	const counts = bookingsByPhone(limited);
	const refused = limited.requests.count('create', 429);
	await limited.close();
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'result')).toEqual(six.map(() => 'created'));
	expect(Object.values(counts)).toEqual(six.map(() => 1));
	expect(refused).toBeGreaterThan(0);
});

describe('executions at the same moment', () => {
	const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

	it('that book the same rows book each of them once', async () => {
		sandbox.settings.latencyMs = 20;
		const runs = await Promise.all([book(sandbox, rows), book(sandbox, rows), book(sandbox, rows)]);
		expect(timesBooked()).toEqual([1, 1, 1]);
		const results = runs.map(({ items }) => fieldOf(items, 'result'));
		const skipped = rows.map(() => 'already booked');
		const made = rows.map(() => 'created');
		expect(results.sort()).toEqual([skipped, skipped, made]);
	});

	it('go on after one that fails', async () => {
		const [failing, good] = await Promise.all([
			book(sandbox, [{ ...amina, phone: '+2348031099999', tractor: 9_999 }]),
			book(sandbox, rows),
		]);
		expect(stopOf(failing).said).toContain('tractorId');
		expect(fieldOf(good.items, 'result')).toEqual(['created', 'created', 'created']);
	});

	it('wait no longer once they are stopped, and then send nothing', async () => {
		sandbox.settings.latencyMs = 300;
		let isOver = false;
		const first = book(sandbox, rows).then(() => (isOver = true));
		await later(50);
		const started = ({ cancel }: { cancel: () => void }) => void later(50).then(cancel);
		const stopped = await book(sandbox, [musa], {}, { started });
		expect(isOver).toBe(false);
		expect(stopOf(stopped).message).toContain('stopped');
		await first;
		expect(timesBooked()).toEqual([1, 1, 1]);
		// The first one's, and none of the second one's.
		expect(sandbox.requests.count('create')).toBe(3);
	});

	it('do not wait if they only check, or use another key', async () => {
		sandbox.settings.latencyMs = 100;
		let isOver = false;
		const first = book(sandbox, farmers(10)).then(() => (isOver = true));
		await later(50);
		await book(sandbox, [amina], { dryRun: true });
		await book(sandbox, [amina], option({ ifAlreadyBooked: 'create' }), {
			apiKey: KEYS.bookingOnly,
		});
		expect(isOver).toBe(false);
		await first;
	});
});
