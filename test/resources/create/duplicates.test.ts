import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import type { Sandbox } from '../../../sandbox';
import { KEYS, startSandbox } from '../../../sandbox';
import { fieldOf, stopOf } from '../../support/action';
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

	it('is skipped, and its reason says what the list does not show', async () => {
		sandbox.store.bookings.update(100_041, { landArea: null, serviceType: null });
		const { items } = await book(sandbox, [amina]);
		expect(tableOf(items)).toEqual([
			'2: already booked (same Farmer Name, Farmer Phone and Service Date as booking 100041 (new); not compared: Land Area and Service Type)',
		]);
	});

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

	const named = ['farmerName', 'serviceDate'];
	const withService = ['farmerPhone', 'serviceDate', 'serviceType'];
	const withArea = ['farmerPhone', 'landArea'];

	it.each<[string, string[], IDataObject, string]>([
		['a local number', [], { phone: '0803 101 0000' }, 'already booked'],
		['a number without the plus', [], { phone: 2_348_031_010_000 }, 'already booked'],
		['another number of one tail', [], { phone: '+2347031010000' }, 'possible duplicate'],
		['another number', [], { phone: '+2348031010099' }, 'created'],
		['another day', [], { date: dayFromNow(90) }, 'created'],
		['its day with a time', [], { date: `${asText(amina.date)}T08:00:00` }, 'already booked'],
		['its name in other order', [], { name: '1, FÁRMER' }, 'already booked'],
		['another name', [], { name: 'Bala <Bello>' }, 'possible duplicate'],
		['another area', [], { area: '3 ha' }, 'possible duplicate'],
		['its name', named, { name: 'FARMER  1', phone: '+2348031010098' }, 'already booked'],
		['another name', named, { name: 'Farmer 2' }, 'created'],
		['another service', withService, { service: 4 }, 'created'],
		['its service', withService, { service: '3' }, 'already booked'],
		['its area', withArea, { area: '2.0 ha', date: dayFromNow(91) }, 'already booked'],
		['another area', withArea, { area: '2,5 ha' }, 'created'],
	])('is recognised by %s, with match fields %p', async (_what, matchFields, change, result) => {
		const { items, errors } = await book(
			sandbox,
			[{ ...amina, ...change }],
			{ phoneCountry: 'NG', options: { matchFields } },
			{ onError: 'continueErrorOutput' },
		);
		expect(fieldOf([...items, ...errors], 'result')).toEqual([result]);
	});

	it('is of this organisation: bookings of others do not count', async () => {
		processedData.clear();
		const { items } = await book(sandbox, [amina], {}, { apiKey: KEYS.other });
		expect(fieldOf(items, 'result')).toEqual(['created']);
	});

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
