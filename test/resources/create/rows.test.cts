import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CHUNK } from '../../../nodes/TractorBooking/resources/booking/create/memory/timing';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import {
	fieldOf,
	hintsOf,
	logOfSuite,
	perform,
	recordsOf,
	stopOf,
	type Settings,
} from '../../support/action.cts';
import {
	answer,
	book,
	bookSheet,
	dayFromNow,
	eachWithSandbox,
	farmers,
	outcomeOf,
	sentTo,
} from '../../support/bookings.cts';
import { processedData } from '../../support/engine.cts';
import { LateService, type Fate } from '../../support/lateService.cts';

const sandbox = eachWithSandbox({ bookings: 3 });

const soon = dayFromNow(3);

it('Create sends every field of the interface, clean and in its type', async () => {
	const { items, error } = await perform(sandbox, 'booking:create', {
		tractorId: ' 201 ',
		// A list of one is its entry, as in a sheet.
		serviceType: '={{ [3] }}',
		serviceDate: `={{ ["${soon}"] }}`,
		landArea: '2,5',
		areaType: 'ac',
		farmerName: '  Amina   Bello ',
		farmerPhone: '={{ ["+234 803 123 4567"] }}',
		latitude: '10.5222° N',
		longitude: '7,4384',
		additionalFields: {
			gender: '={{ ["1"] }}',
			farmLocation: 'Kaduna\u200B, by the river',
			farmNote: 'call first',
			crop: 'maize',
			crops: 'maize; beans and yam',
			custom_crop: 'fonio',
		},
	});
	expect(error).toBeUndefined();
	expect(sentTo(sandbox)).toEqual([
		{
			...{ tractorId: 201, serviceType: 3, serviceDate: soon, landArea: 2.5, areaType: 'ac' },
			...{ farmerName: 'Amina Bello', farmerPhone: '+2348031234567', gender: 1 },
			...{ latitude: 10.5222, longitude: 7.4384, farmLocation: 'Kaduna, by the river' },
			...{ farmNote: 'call first', crop: 'maize', custom_crop: 'fonio' },
			crops: ['maize', 'beans', 'yam'],
		},
	]);
	expect(recordsOf(items)).toEqual([
		{
			...{
				result: 'created',
				reason: '',
				toDo: null,
				bookingID: 100_004,
				clusterID: expect.any(Number),
			},
			...{ possibleBookingIDs: null, bookingStatus: null, bookingStatusLabel: null },
			...{ bookedService: null, bookedTractorId: 201, bookedTractorDistance: null },
		},
	]);
});

it.each(['Pacific/Kiritimati', 'Pacific/Niue'])('today is that of %s', async (timezone) => {
	const dayOf = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(ms);
	const [today, yesterday] = [dayOf(Date.now()), dayOf(Date.now() - 86_400_000)];
	const late = await book(sandbox, farmers(1), { serviceDate: yesterday }, { timezone });
	expect(stopOf(late).said).toContain(`"${yesterday}" is in the past; choose today (${today})`);
	const { items } = await book(sandbox, farmers(1), { serviceDate: today }, { timezone });
	expect(fieldOf(items, 'result')).toEqual(['created']);
	expect(sandbox.requests.count('create')).toBe(1);
});

it('issues fill no more than a screen, however many there are', async () => {
	const faults = ['tractor', 'service', 'date', 'phone', 'area', 'unit', 'lat', 'lng', 'sex'];
	const rows = farmers(300, { area: 2, lat: 10.5, lng: 7.4 }).map((row, index) => ({
		...row,
		// Some problems of many rows, and many of one row.
		...Object.fromEntries(faults.slice(index % 9).map((field) => [field, `${field} ${index}`])),
		...(index === 299 && { name: 'x'.repeat(6_000), crops: '#REF!', tractor: '#N/A' }),
	}));
	const fields: INodeParameters = {
		areaType: '={{ $json.unit ?? "ha" }}',
		latitude: '={{ $json.lat }}',
		longitude: '={{ $json.lng }}',
		additionalFields: { gender: '={{ $json.sex }}', crops: '={{ $json.crops }}' },
	};
	const { message, description } = stopOf(await book(sandbox, rows, fields));
	expect(message).toMatch(/^300 of 300 rows/);
	expect(description.length).toBeLessThan(1_800);
	const ofMany =
		/^267 of 300 rows, such as Farmer 1 \(row 2\): Longitude: e\.g\. "lng 0" or "lng 1" or "lng 2" is not .* Write /m;
	expect(description).toMatch(ofMany);
	expect(description).toMatch(/^More problems: \d+\.\nTurn on Dry Run/m);
});

it('what the service refuses stops the node, which says what was done', async () => {
	const rows = farmers(4).map((row, at) => (at === 2 ? { ...row, tractor: 9_999 } : row));
	const result = await book(sandbox, rows);
	expect(result.items).toEqual([]);
	const { description, ...stop } = stopOf(result);
	expect(stop).toMatchObject({ name: 'NodeApiError', itemIndex: 2, httpCode: '400' });
	expect(description).toMatch(/^The service says: tractorId:? has no tractor 9999\. /);
	expect(description.split('\n').slice(1)).toEqual([
		'This run booked Farmer 1 (row 2) as 100004 and Farmer 2 (row 3) as 100005. When you run the rows again, those already booked are skipped.',
	]);
	expect(sandbox.requests.count('create')).toBe(3);
	const again = await book(sandbox, farmers(4));
	const results = ['already booked', 'already booked', 'created', 'created'];
	expect(fieldOf(again.items, 'result')).toEqual(results);
});

it.each([401, 403])('a service is not asked again after a %d, and rows say why', async (status) => {
	answer(sandbox, { endpoint: 'create' }, status, {}, { skip: 1 });
	const [first = {}, ...others] = farmers(4);
	const { table } = await outcomeOf(book, sandbox, [first, ...others, {}, first]);
	expect(table).toEqual([
		'2: created',
		expect.stringMatching(/^3: not sent \(The service did not allow this credential to create/),
		expect.stringMatching(
			/^4: not sent \(Not sent: the service refused row 3: .* credential is corrected, run the same/,
		),
		expect.stringMatching(/^5: not sent \(Not sent: .* See Farmer 3 \(row 4\)\.\)$/),
		expect.stringMatching(/^6: to fix \(Farmer Name has no value/),
		expect.stringMatching(/^7: possible duplicate \(.* Farmer 1 \(row 2\) is the same/),
	]);
	expect(sandbox.requests.count('create')).toBe(2);
});

it('a refusal for an hour leaves its row to the next run, and holds up no other', async () => {
	const fault = { kind: 'rateLimited', retryAfter: '3600' } as const;
	sandbox.faults.add({ match: { endpoint: 'create' }, times: 1, fault });
	const { table } = await outcomeOf(book, sandbox, farmers(3));
	expect(table).toEqual([
		expect.stringMatching(/^2: not sent \(.*Wait 3600 s/),
		'3: created',
		'4: created',
	]);
	expect((await outcomeOf(book, sandbox, farmers(1))).results).toEqual(['created']);
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'a stopped execution sends and claims no more, with %s',
	async (onError) => {
		Object.assign(sandbox.settings.rateLimits, { create: 3 });
		let cancel = () => {};
		const refused = () => sandbox.requests.count('create', 429) > 0 && cancel();
		const watching = setInterval(refused, 5);
		const claimed = new Set<string>();
		processedData.beforeWrite = async ({ items }) => {
			const claims = items.map(asText).filter((item) => / claim \d+$/.test(item));
			for (const claim of claims) claimed.add(claim.replace(/ claim \d+$/, ''));
			await Promise.resolve();
		};
		const rows = farmers(6 * CHUNK);
		const started: Settings['started'] = (run) => (cancel = run.cancel);
		await book(sandbox, rows, {}, { onError, started });
		clearInterval(watching);
		expect(sandbox.requests.count('create')).toBeLessThan(CHUNK);
		// A chunk begins while the last rows of the one before are sent.
		expect(claimed.size).toBe(2 * CHUNK);
	},
);

it('a sheet with the results written back is read as before', async () => {
	const rows = farmers(3);
	const dry = await bookSheet(sandbox, rows, { dryRun: true });
	const first = await bookSheet(sandbox, recordsOf(dry.items));
	expect(fieldOf(first.items, 'result')).toEqual(['created', 'created', 'created']);
	sandbox.store.bookings.advance(Number(first.items[0]?.json.bookingID), 2);
	const again = await bookSheet(sandbox, recordsOf(first.items));
	expect(fieldOf(again.items, 'result')).toEqual(Array(3).fill('already booked'));
	expect(fieldOf(again.items, 'bookingID')).toEqual(fieldOf(first.items, 'bookingID'));
	// Whoever the service has paired; not what the sheet says.
	expect(fieldOf(again.items, 'bookedTractorId')).toEqual([201, null, null]);
	expect(hintsOf(again)).toEqual(['3 already booked.']);
	expect(sentTo(sandbox)).toHaveLength(3);
});

it('of rows with one problem, a value that is in its text is an example', async () => {
	const days = [46_398, 46_425, '25/02/2027'].map((day, at) => ({ ...farmers(3)[at], date: day }));
	const { description } = stopOf(await bookSheet(sandbox, days));
	expect(description).toContain('e.g. "2027-01-11"');
});

it.each(['bookings', 'nearby', 'details', 'create'] as const)(
	'a key that is refused is said once above all rows, and blames none of them: %s',
	async (endpoint) => {
		answer(sandbox, { endpoint }, 401);
		const fields = { tractorSelection: 'nearest' };
		const rows = farmers(3, { tractor: '', lng: 7.4 });
		rows.forEach((row, at) => (row.lat = 10.5 + at / 100));
		const result = await bookSheet(sandbox, rows, fields, { onError: 'continueRegularOutput' });
		const reasons = fieldOf(result.items, 'reason').map(String);
		expect(reasons[0]).toMatch(/did not allow this credential/);
		const toDos = fieldOf(result.items, 'toDo').map(String);
		expect(toDos.at(-1)).toMatch(/^See (?:row 2|Farmer \d \(row \d\))/);
		const [hint = ''] = hintsOf(result);
		expect(hint).toMatch(/^The service did not allow this credential/);
		for (const text of [hint, ...reasons, ...toDos])
			expect(text).not.toMatch(/[Cc]orrect the (?:row|sheet)/);
		expect(sandbox.requests.count('create')).toBe(endpoint === 'create' ? 1 : 0);
	},
);

const [amina = {}] = farmers(1, { name: 'Amina Bello', phone: '+2348031234567' });
const quoted =
	/^The service says: Amina Bello \(\+2348031234567\) is booked\. If it .*exists, change nothing.* Otherwise correct the values/;

// That no cell is in the log is checked by `perform()`, here and in all other suites.
// prettier-ignore
it.each<[what: string, cells: IDataObject, logged: RegExp, shown: RegExp, status?: number]>([
	['a quoted cell', { area: '5 baskets' }, /Row 2: Land Area .* has "…" after the number/, /has "baskets" after/],
	['a cell, which n8n would show as HTML', { tractor: '<b>A & B' }, /Row 2: Tractor ID .* is not/, /: "&lt;b>A &amp; B" is not/],
	['no field', { spouse: 'Yusuf Bello' }, /The sheet has columns that are not read\./, /^These are spouse \(Yusuf Bello\)/],
	...[400, 422].map((status): [string, IDataObject, RegExp, RegExp, number] =>
		[`a refusal with ${status}`, {}, /Row 2: The service refused to create/, quoted, status]),
])("n8n's log tells of %s, and the description shows it", async (_what, cells, log, shown, status = 200) => {
	const body = { error: 'Amina Bello (+2348031234567) is booked' };
	if (status !== 200) answer(sandbox, { endpoint: 'create' }, status, body);
	const logged = logOfSuite().length;
	const { message, description } = stopOf(await bookSheet(sandbox, [{ ...amina, ...cells }]));
	expect(message).toMatch(log);
	expect(logOfSuite().slice(logged)).toMatch(log);
	expect(description).toMatch(shown);
});

it('an answer that is late holds up no row of the next chunk', async () => {
	const service = await LateService.start();
	let answerLate = () => {};
	service.fate = async (_request, count): Promise<Fate> => {
		if (count === CHUNK) await new Promise<void>((answered) => (answerLate = answered));
		if (count === CHUNK + 3) answerLate();
		return 'booked';
	};
	const { results } = await outcomeOf(bookSheet, service, farmers(2 * CHUNK + 1));
	await service.close();
	expect(results).toEqual(results.map(() => 'created'));
});
