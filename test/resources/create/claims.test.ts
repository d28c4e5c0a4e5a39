import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { hintsOf, type Settings } from '../../support/action';
import { bookSheet, dayFromNow, farmers, outcomeOf } from '../../support/bookings';
import { processedData } from '../../support/engine';
import { eachWithLateService } from '../../support/eachLateService';
import { asDocumented, type LateService } from '../../support/lateService';
import { skipped, skippedNow } from '../../support/skippedTime';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../../support/shortPauses'),
);

const MINUTE_MS = 60_000;

let service: LateService;
eachWithLateService(skippedNow, (started) => (service = started));

/** n8n restarts: the process has no memory of its own. */
const restart = forgetKeys;

/** Rows with a number of their own each. */
const rows: IDataObject[] = farmers(3).map((row, at) => ({ ...row, no: `R-${at + 1}` }));
const [first = {}, second = {}] = rows;

const plain = farmers(3, { no: '' });

/** The first row with another phone, and on another day as well. */
const corrected: IDataObject = { ...first, phone: '+2348039990001' };
const edited: IDataObject = { ...corrected, date: dayFromNow(30) };

async function run(
	given: IDataObject[],
	{ dryRun = false, ...options }: INodeParameters = {},
	settings: Settings = {},
) {
	const fields = { dryRun, options: { rowIdColumn: 'no', ...options } };
	return await outcomeOf(bookSheet, service, given, fields, settings);
}

const createAnyway: INodeParameters = { ifAlreadyBooked: 'create' };
const nothing = () => undefined;
const laterOn = () => {
	restart();
	skipped.ms += 25 * MINUTE_MS;
};
const withStatus = (bookingStatus: number) => () => {
	laterOn();
	service.bookings = service.bookings.map((booking) => ({ ...booking, bookingStatus }));
};
const completed = withStatus(3);
const declined = withStatus(4);
const hideList = () => {
	laterOn();
	service.bookings = [];
};
const already = ['already booked'];
const rewritten: IDataObject = { ...first, no: 'r1' };
const another: IDataObject = { ...second, no: 'R-1' };
const elsewhere: IDataObject = { ...rewritten, farmLocation: 'A' };
const onDay: IDataObject = { ...first, date: edited.date };
const twice = (row: IDataObject) => [row, row];

it.each<[string, IDataObject[], () => void, INodeParameters, string[], RegExp]>([
	['its day', [onDay], laterOn, {}, already, /as booking 5001 \(new\)/],
	['its phone and day', [edited], laterOn, {}, already, /another Farmer Phone and Service Date/],
	['its phone', [corrected], laterOn, {}, already, /Row ID "R-1"/],
	['name and day', [{ ...onDay, name: 'A' }], laterOn, {}, already, /as booking 5001/],
	['service and day', [{ ...onDay, service: 4 }], laterOn, {}, already, /./],
	['its day: a new season', [onDay], completed, {}, ['to fix'], /new Row/],
	['its phone, and is declined', [corrected], declined, {}, already, /to book the row again/],
	['nothing: Create Anyway', [first], laterOn, createAnyway, already, /Row ID "R-1"/],
	['a cell: Create Anyway', [corrected], restart, createAnyway, already, /Row ID "R-1"/],
	['two cells: Create Anyway', [edited], restart, createAnyway, ['to fix'], /another day/],
	['two cells: same process', [edited], nothing, {}, already, /as booking 5001/],
	['a cell: Fail', [corrected], nothing, { ifAlreadyBooked: 'fail' }, ['to fix'], /Row ID "R-1"/],
	['a cell: Dry Run', [corrected], restart, { dryRun: true }, already, /Row ID "R-1"/],
	['a cell, and is there twice', twice(corrected), nothing, {}, [...already, ...already], /./],
	['nothing: not in the list', [first], hideList, createAnyway, already, /give it a new Row ID/],
	['its farmer', [another], laterOn, {}, ['to fix'], /another farmer; .* if it is the same one/],
	['its farmer: Create Anyway', [another], restart, createAnyway, ['to fix'], /another farmer/],
	['its Row ID alone', [rewritten], laterOn, {}, ['possible duplicate'], /old Row ID/],
	['its Row ID: skip', [rewritten], laterOn, { ifPossibleDuplicate: 'skip' }, already, /another/],
	['its Row ID: book', [rewritten], laterOn, { ifPossibleDuplicate: 'book' }, ['created'], /./],
	['its Row ID and two cells', [{ ...edited, no: 'R-9' }], nothing, {}, ['created'], /./],
	['its Row ID and its place', [elsewhere], laterOn, {}, ['created'], /./],
	['its Row ID, which is empty', [{ ...edited, no: '' }], nothing, {}, ['created'], /./],
])(
	'a booked row with a Row ID changes %s',
	async (_what, given, between, options, results, said) => {
		expect((await run([first])).results).toEqual(['created']);
		between();
		const { table, results: found } = await run(given, options);
		expect(found).toEqual(results);
		expect(table[0]).toMatch(said);
		const made = results.filter((result) => result === 'created');
		expect(service.counts.create).toBe(1 + made.length);
		// Nor does that run teach anything wrong.
		restart();
		expect((await run([first], createAnyway)).results).toEqual(['already booked']);
	},
);

it('001, 1 and 1.0 are one Row ID', async () => {
	expect((await run([{ ...first, no: '001' }])).results).toEqual(['created']);
	laterOn();
	for (const no of [1, '1.0']) expect((await run([{ ...onDay, no }])).results).toEqual(already);
	expect(service.counts.create).toBe(1);
});

it('a Row ID names its own booking, whatever else is like it', async () => {
	const fields: IDataObject[] = [first, { ...first, no: 'R-2', area: '3 ha' }];
	expect((await run(fields)).results).toEqual(['created', 'created']);
	laterOn();
	const corrected: IDataObject[] = fields.map((row) => ({ ...row, area: '4 ha' }));
	const { table } = await run(corrected.toReversed());
	expect(table[0]).toMatch(/already booked .*as booking 5002/);
	expect(table[1]).toMatch(/already booked .*as booking 5001/);
});

it('a row found booked by its match fields has its Row ID recorded', async () => {
	expect((await run([{ ...first, no: '' }, second])).results).toEqual(['created', 'created']);
	expect((await run([first])).results).toEqual(['already booked']);
	restart();
	expect((await run([corrected])).results).toEqual(['already booked']);
	expect(service.bookings).toHaveLength(2);
});

it.each([{}, createAnyway])('only equal rows may share a Row ID: %j', async (options) => {
	const { table, results } = await run([first, first, another], options);
	expect(results).toEqual(['to fix', 'to fix', 'to fix']);
	expect(table[2]).toMatch(/"R-1" is in Farmer 1 \(row 2\)/);
	expect(service.bookings).toEqual([]);
	expect((await run([first, first])).results).toEqual(['created', 'already booked']);
});

it('a Row ID that was only sent is unknown until its claim ends, and then matched', async () => {
	service.fate = (_request, count) => (count === 1 ? 'dropped' : 'booked');
	const other = { ...edited, name: 'Amina' };
	expect((await run([first])).results).toEqual(['unknown']);
	restart();
	expect((await run([other])).results).toEqual(['unknown']);
	skipped.ms += 20 * MINUTE_MS;
	expect((await run([other])).results).toEqual(['created']);
	expect(service.bookings).toHaveLength(1);
});

it('Dry Run records nothing', async () => {
	expect((await run([first], { dryRun: true })).results).toEqual(['would create']);
	expect(processedData.size).toBe(0);
	await run([first]);
	const { size } = processedData;
	await run([first, second], { dryRun: true });
	expect(processedData.size).toBe(size);
});

it('what is left in n8n after a run are Row IDs, once the claims have ended', async () => {
	await run(rows);
	skipped.ms += 25 * MINUTE_MS;
	await run(rows);
	// The ID, the job and the booking twice each, and the ID with name, phone, day and booking.
	expect(processedData.size).toBe(10 * rows.length);
});

it.each([
	['the service refused', 'refused', 'failed', 'name'],
	['were not sent after a 403', 'forbidden', 'not sent', 'name'],
	['were not sent after a 403, without a Row ID', 'forbidden', 'not sent', ''],
] as const)(
	'rows that %s have their claims given back',
	async (_what, fate, result, rowIdColumn) => {
		service.fate = () => fate;
		const many = farmers(8);
		expect((await run(many, { rowIdColumn })).results).toContain(result);
		restart();
		service.fate = () => 'booked';
		expect((await run(many, { rowIdColumn })).results).toEqual(many.map(() => 'created'));
	},
);

const edits: Array<[string, IDataObject]> = [
	['tractor', { tractor: 202 }],
	['service', { service: 4 }],
	['area', { area: '3 ha' }],
	['name', { name: 'Amina Bello' }],
	['day', { date: dayFromNow(31) }],
	['phone', { phone: '+2348039990002' }],
	['village', { farmLocation: 'Ede' }],
];

it.each(edits)(
	'a row whose %s changes is unknown while the list is late',
	async (_what, change) => {
		service.listedAfterMs = 4 * MINUTE_MS;
		await run(plain);
		restart();
		skipped.ms += MINUTE_MS;
		const again = plain.map((row, at) => (at === 1 ? { ...row, ...change } : row));
		expect((await run(again)).results).toEqual(rows.map(() => 'unknown'));
		expect(service.bookings).toHaveLength(3);
		service.listedAfterMs = 0;
		expect((await run([{ ...plain[0], date: dayFromNow(33) }])).results).toEqual(['created']);
	},
);

it.each<[string, IDataObject]>(edits.filter(([what]) => what !== 'area'))(
	'so is the second job of a farmer, if its %s is changed',
	async (_what, change) => {
		const [job = {}] = plain;
		const second: IDataObject = { ...job, area: '7 ha' };
		await run([job]);
		laterOn();
		service.listedAfterMs = 4 * MINUTE_MS;
		expect((await run([job, second])).results).toEqual(['already booked', 'created']);
		restart();
		skipped.ms += MINUTE_MS;
		const { results } = await run([job, { ...second, ...change }]);
		expect(results).toEqual(['already booked', 'unknown']);
	},
);

it.each<[string, IDataObject, IDataObject]>([
	['whose service has a name', { service: 'Ploughing' }, {}],
	['whose service is shown by its number', { service: 'Ploughing' }, { serviceType: 3 }],
	['whose area is shown in hectares', { area: '5 ac' }, { landArea: 2.02, areaType: 'ha' }],
	['whose area is shown without its unit', {}, { landArea: 2 }],
])('a new job of a farmer %s is sent at once', async (_what, more, shown) => {
	const job: IDataObject = { ...plain[0], ...more };
	service.render = (booking) => ({ ...asDocumented(booking), ...shown });
	await run([job]);
	for (const day of [33, 34]) {
		expect((await run([{ ...job, date: dayFromNow(day) }])).results).toEqual(['created']);
		restart();
	}
});

it('a row whose claim has ended meanwhile is not sent: n8n was stopped', async () => {
	service.fate = (_request, count) => {
		if (count === 1) skipped.ms += 25 * MINUTE_MS;
		return 'booked';
	};
	expect((await run(plain)).results).toEqual(['created', 'not sent', 'not sent']);
	expect(service.bookings).toHaveLength(1);
});

it('rows are not booked again after n8n died while they were sent', async () => {
	let cancel: () => void = () => undefined;
	service.fate = (_request, count) => {
		if (count === 2) processedData.failure = new Error('n8n is gone');
		if (count === 2) cancel();
		return 'booked';
	};
	await run(plain, {}, { started: (execution) => ({ cancel } = execution) });
	processedData.failure = undefined;
	service.fate = () => 'booked';
	const made = service.bookings.length;
	expect(made).toBeGreaterThan(0);
	laterOn();
	const { results } = await run(plain);
	// The list shows neither service nor area: who the bookings are of is for a person to say.
	expect(results.slice(0, made)).toEqual(Array(made).fill('possible duplicate'));
	expect(service.bookings).toHaveLength(3);
});

it('n8n remembers a row that gets a note and a gender', async () => {
	await run(plain);
	laterOn();
	const { results } = await run(
		plain.map((row) => ({ ...row, farmNote: 'by the gate', gender: 1 })),
	);
	expect(results).toEqual(rows.map(() => 'already booked'));
});

it('a run names the rows whose bookings were declined', async () => {
	await run(plain);
	Object.assign(service.bookings[1] ?? {}, { bookingStatus: 4 });
	expect(hintsOf(await run(plain))).toEqual([
		expect.stringContaining('declined or unpaired: Farmer 2 (row 3). To book them again, choose'),
	]);
});

it('claims take four writes for five rows', async () => {
	await run(farmers(20, { no: '' }));
	expect(service.bookings).toHaveLength(20);
	// Two before, to look for lost rows, two for rows that were booked, and two in the end.
	expect(processedData.writes).toBeLessThanOrEqual(2 + 2 + 4 * 4 + 2);
});

it('rows are looked up some hundreds at a time', async () => {
	const asked = jest.spyOn(processedData, 'checkProcessedAndRecord');
	await run(farmers(700, { no: '' }), { dryRun: true });
	const sizes = asked.mock.calls.map(([entries]) => entries.length);
	expect(sizes).toEqual([300, 300, 100]);
	expect(processedData.size).toBe(0);
});

describe("n8n's memory fails", () => {
	const full = new Error('the disk is full');
	const failAfter = (count: number) => {
		service.fate = (_request, sent) => {
			if (sent === count) processedData.failure = full;
			return 'booked';
		};
	};

	it('before the first row: nothing is booked', async () => {
		processedData.failure = full;
		expect((await run(rows)).table[0]).toMatch(/the disk is full\. Run the rows again/);
		expect(service.bookings).toEqual([]);
	});

	it('in the middle: rows that were not sent are not', async () => {
		failAfter(2);
		const { results } = await run(farmers(12, { no: '' }));
		const made = service.bookings.length;
		expect(made).toBeLessThan(12);
		expect(results).toEqual([...Array(made).fill('created'), ...Array(12 - made).fill('not sent')]);
	});

	it('after the last row: none fails', async () => {
		failAfter(1);
		expect((await run([first])).results).toEqual(['created']);
	});

	it('while a Row ID is looked up: it was not booked', async () => {
		const remove = jest.spyOn(processedData, 'removeProcessed').mockRejectedValueOnce(full);
		await run([first], { dryRun: true });
		remove.mockRestore();
		restart();
		expect((await run([first])).results).toEqual(['created']);
	});
});

it('a booking that is found by search, in a run that dies before its end, has its Row ID recorded', async () => {
	let cancel: () => void = () => undefined;
	let listsBefore = Infinity;
	service.fate = (_request, count) => {
		listsBefore = service.counts.list;
		return count === 1 ? 'lost' : 'dropped';
	};
	service.beforePage = async () => {
		// The first one is found at the first look, the second one is looked for until then.
		if (service.counts.list >= listsBefore + 4) {
			processedData.failure = new Error('n8n is gone');
			cancel();
		}
		return await Promise.resolve();
	};
	await run([first, second], {}, { started: (execution) => ({ cancel } = execution) });
	expect(processedData.failure).toBeDefined();
	processedData.failure = undefined;
	listsBefore = Infinity;
	restart();
	skipped.ms += 20 * MINUTE_MS;
	expect((await run([corrected])).results).toEqual(['already booked']);
});

it('a second field of a farmer, whose response was lost, is asked about with all that it may have', async () => {
	const field: IDataObject = { ...first, no: '' };
	const other: IDataObject = { ...field, area: '5 ha' };
	await run([field]);
	service.listedAfterMs = 2 * MINUTE_MS;
	service.fate = () => 'lost';
	const { results } = await run([{ ...field, 'Booking ID': 5001 }, other]);
	expect(results).toEqual(['already booked', 'unknown']);
	laterOn();
	service.fate = () => 'booked';
	const { table } = await run([other]);
	expect(table[0]).toMatch(/booking 5001 .*booking 5002.*if one of these .*if none/);
	expect(service.bookings).toHaveLength(2);
});
