import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CHUNK } from '../../../../nodes/TractorBooking/resources/booking/create/memory/timing';
import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { Random } from '../../../../sandbox/random.cts';
import { bookSheet, farmers, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import { LateService } from '../../../support/lateService.cts';
import type { StoreCall } from '../../../support/processedData.cts';
import { BEGINNING, wait } from '../../../support/virtualClock.cts';
import { lateServiceForTests, Worker } from '../../../support/worker.cts';

const LATENCY_MS = 300;
const MINUTE_MS = 60_000;

const beginning = lateServiceForTests();
let service: LateService;
let worker: Worker;
let otherWorker: Worker;
beforeEach(begin);

function begin(): void {
	({ service, worker } = beginning());
	service.fate = async () => await wait(LATENCY_MS).then(() => 'booked');
	otherWorker = new Worker(service);
}

const rows = farmers(15);

async function work(given = rows, options: INodeParameters = {}, { settings } = worker) {
	const { results } = await outcomeOf(bookSheet, service, given, { options }, settings);
	return results;
}

/** Each job is booked once. @param results of the runs */
function expectOnce(results: readonly string[][], jobs: number): void {
	expect(Object.values(service.timesBooked).filter((times) => times > 1)).toEqual([]);
	expect(service.bookings).toHaveLength(jobs);
	const made = results.flat().filter((result) => result === 'created');
	expect(made.length).toBeLessThanOrEqual(jobs);
}

const [first = {}, second = {}, third = {}] = rows;
const three = [first, second, third];

it.each([false, true])(
	'without a comparison, a run right after another, Dry Run %p, does not let a lost response be sent again',
	async (dryRun) => {
		const fields = { dryRun, options: { compareWithBookings: false } };
		for (let apart = 1_000; apart < 1_800; apart += 25) {
			begin();
			processedData.beforeWrite = async () => await wait(150);
			service.fate = () => 'lost';
			const other = wait(apart).then(
				async () => await outcomeOf(bookSheet, service, [first], fields, otherWorker.settings),
			);
			await Promise.all([work([first], fields.options), other]);
			await wait(25 * MINUTE_MS);
			service.fate = () => 'booked';
			const again = await work([first], fields.options, new Worker(service));
			expect(again).toEqual(['possible duplicate']);
		}
	},
);

it('a slow check alone keeps no row from being booked', async () => {
	processedData.beforeWrite = async (call) => {
		if (isCheck(call)) await wait(3_000);
	};
	expect(await work(three)).toEqual(three.map(() => 'created'));
});

const isClaim = ({ items }: StoreCall) => items.some((item) => / claim \d+$/.test(asText(item)));
const isCheck = ({ items }: StoreCall) =>
	items.some((item) => / sent for sure$/.test(asText(item)));

/** Lets each claim be overwritten by one that is made a moment later. */
const overwriteClaims = () =>
	(processedData.beforeWrite = async (call) => {
		if (isClaim(call) && !isCheck(call)) await wait(300);
	});

it('of two workers whose claims of one row overwrite each other, one books it', async () => {
	await work([third], {}, new Worker(service));
	overwriteClaims();
	const other = wait(100).then(async () => await work([first], {}, otherWorker));
	expect([await work([first]), await other].flat().sort()).toEqual(['already booked', 'created']);
});

it('a worker whose clock is some seconds ahead claims the slot that begins for it', async () => {
	await work([third], {}, new Worker(service));
	jest.setSystemTime(BEGINNING + 10 * MINUTE_MS + 3_000);
	let behind: Promise<string[]> | undefined;
	processedData.afterWrite = async (call) => {
		if (behind || !isClaim(call)) return;
		jest.setSystemTime(Date.now() - 8_000);
		behind = work([first]);
		await Promise.resolve();
	};
	const results = [await work([first], {}, otherWorker), (await behind) ?? []];
	expectOnce(results, 2);
});

it('two workers whose claims of different rows overwrite each other: each claims again, and knows what it has to release', async () => {
	await work([third], {}, new Worker(service));
	service.fate = ({ farmerPhone }) => (farmerPhone === first.phone ? 'refused' : 'booked');
	overwriteClaims();
	const other = wait(100).then(async () => await work([second], {}, otherWorker));
	expect([await work([first]), await other]).toEqual([['failed'], ['created']]);
	// What it has claimed is claimed no more, in this slot and in the next one.
	await wait(10 * MINUTE_MS);
	service.fate = () => 'booked';
	expect(await work([first], { compareWithBookings: false }, new Worker(service))).toEqual([
		'created',
	]);
});

it('a row that another worker books while this one is stopped between the list and its claim', async () => {
	const row = { ...first, service: 'Ploughing' };
	let other: string[] | undefined;
	const stopped = new Worker({
		url: service.url,
		request: async (options) => {
			if (options.url.includes('/detail/')) {
				other = await work([row], {}, otherWorker);
				jest.setSystemTime(Date.now() + 25 * MINUTE_MS);
			}
			return await service.request(options);
		},
	});
	expect(await work([row], {}, stopped)).toEqual(['already booked']);
	expect(other).toEqual(['created']);
	expect(service.bookings).toHaveLength(1);
});

it('a row that another worker books while this one is stopped between its claim and its request', async () => {
	service.listedAfterMs = 40 * MINUTE_MS;
	let other: Promise<string[]> | undefined;
	service.fate = async () => {
		if (other) return 'booked';
		jest.setSystemTime(Date.now() + 25 * MINUTE_MS);
		other = work([second], {}, otherWorker);
		return await wait(LATENCY_MS).then(() => 'booked');
	};
	const own = await work([first, second]);
	expectOnce([own, (await other) ?? []], 2);
});

it('a claim beside which the list cannot be read is withdrawn, but for what an earlier run has sent', async () => {
	service.listedAfterMs = 40 * MINUTE_MS;
	service.fate = () => 'lost';
	expect(await work([first])).toEqual(['unknown']);
	await wait(25 * MINUTE_MS);
	service.fate = () => 'booked';
	let isClaimed = false;
	processedData.beforeRead = async (call) => {
		isClaimed ||= isClaim(call);
		await Promise.resolve();
	};
	const { beforePage } = service;
	service.beforePage = async () => {
		if (isClaimed) throw new Error('socket hang up');
		return await beforePage();
	};
	expect(await work([first, second], {}, new Worker(service))).toEqual(['not sent', 'not sent']);
	service.beforePage = beforePage;
	expect(await work([second], {}, new Worker(service))).toEqual(['created']);
	await wait(25 * MINUTE_MS);
	expect(await work([first], {}, new Worker(service))).toEqual(['possible duplicate']);
	expectOnce([], 2);
});

it('a row with an answer whose claim is not checked when n8n dies was not sent', async () => {
	const { phone: farmerPhone, name: farmerName, date: serviceDate } = first;
	const { bookingID } = service.add({ farmerName, farmerPhone, serviceDate });
	const row = { ...first, 'Booking ID': `not ${bookingID}` };
	processedData.afterWrite = async (call) => {
		if (isClaim(call)) worker.kill();
		await Promise.resolve();
	};
	void work([row]);
	await worker.death;
	await wait(25 * MINUTE_MS);
	expect(await work([row], {}, otherWorker)).toEqual(['created']);
});

it.each<[string, INodeParameters]>([
	['', { otherColumns: 'ignore' }],
	['with a Row ID ', { rowIdColumn: 'Nr' }],
])(
	'a row %sthat a Dry Run looks up while it is booked, and removes from the store afterwards',
	async (_, options) => {
		const given = [{ ...first, Nr: 'n1' }];
		let preview: Promise<unknown> | undefined;
		service.fate = async () => {
			const fields = { dryRun: true, options };
			preview = outcomeOf(bookSheet, service, given, fields, otherWorker.settings);
			return await wait(LATENCY_MS).then(() => 'booked');
		};
		processedData.beforeRead = async ({ kind }) => {
			if (preview && kind === 'remove') await wait(2_000);
		};
		await work(given, options);
		await preview;
		await wait(25 * MINUTE_MS);
		expect(await work(given, options, new Worker(service))).toEqual(['possible duplicate']);
		expect(service.bookings).toHaveLength(1);
	},
);

it('a booking that a look-up of another worker erases is asked about with another row of its farmer and day', async () => {
	await work([third], {}, new Worker(service));
	let booked: Promise<string[]> | undefined;
	processedData.beforeWrite = async () => {
		if (booked) return;
		booked = work([first]);
		await booked;
	};
	const preview = { dryRun: true, options: {} };
	await outcomeOf(bookSheet, service, [first], preview, otherWorker.settings);
	const secondField = { ...first, area: '3 ha' };
	expect(await work([secondField])).toEqual(['possible duplicate']);
	await wait(25 * MINUTE_MS);
	const results = await work([first, secondField], {}, new Worker(service));
	expect(results).toEqual(['possible duplicate', 'possible duplicate']);
	expect(service.bookings).toHaveLength(2);
});

it('rows that two workers look up at the same moments, again and again, stay unknown', async () => {
	const options = { rowIdColumn: 'no' };
	const names = ['Chika Obi', 'Amina Bello', 'Grace Mensah', 'Musa Sule', 'Ruth Achieng'];
	const sheet = names.map((name, at): IDataObject => {
		return { ...first, name, area: `${at + 1} ha`, no: `R-${at + 1}` };
	});
	for (let seed = 1; seed <= 10; seed++) {
		begin();
		const random = new Random(seed);
		const pause = async () => await wait(random.next() * 30);
		Object.assign(processedData, { beforeRead: pause, beforeWrite: pause, afterWrite: pause });
		await work(sheet.slice(0, 1), options);
		const preview = async ({ settings }: Worker) =>
			await outcomeOf(bookSheet, service, sheet, { dryRun: true, options }, settings);
		for (let times = 0; times < 6; times++)
			await Promise.all([preview(worker), preview(otherWorker)]);
		await wait(25 * MINUTE_MS);
		const results = await work(sheet, options, new Worker(service));
		expect(results).toEqual(['already booked', ...sheet.slice(1).map(() => 'created')]);
	}
});

it('rows that one process looks up at the same moment stay unknown', async () => {
	const options = { rowIdColumn: 'no' };
	const [own = {}, ...others] = ['Chika Obi', 'Amina Bello', 'Grace Mensah'].map((name, at) => {
		return { ...first, name, area: `${at + 1} ha`, no: `R-${at + 1}` };
	});
	const pause = async () => await wait(2);
	Object.assign(processedData, { beforeRead: pause, beforeWrite: pause, afterWrite: pause });
	service.fate = () => 'lost';
	expect(await work([own], options)).toEqual(['unknown']);
	await wait(25 * MINUTE_MS);
	service.fate = () => 'booked';
	const preview = { dryRun: true, options };
	const previews = others.map(
		async (row) => await outcomeOf(bookSheet, service, [row], preview, otherWorker.settings),
	);
	const [results] = await Promise.all([work([own], options, otherWorker), ...previews]);
	expect(results).toEqual(['possible duplicate']);
	expect(service.bookings).toHaveLength(1);
});

it('a lost row does not take the booking of another field, which another worker has made and not recorded yet', async () => {
	const secondField = { ...first, area: '3 ha' };
	service.fate = async ({ landArea, farmerPhone }) => {
		await wait(farmerPhone === third.phone ? MINUTE_MS : LATENCY_MS);
		return landArea === 2 && farmerPhone === first.phone ? 'dropped' : 'booked';
	};
	const lost = work([first]);
	await wait(LATENCY_MS);
	const other = work([secondField, third], { timeout: 300 }, otherWorker);
	expect(await lost).toEqual(['unknown']);
	expect(await other).toEqual(['created', 'created']);
});

it.each([
	[1, first, {}],
	[2, { ...first, no: 'R-1' }, { rowIdColumn: 'no' }],
])('of a row that n8n does not know, it is asked for %i entries', async (count, row, options) => {
	const asked: unknown[] = [];
	processedData.beforeRead = async ({ kind, items }) => {
		if (kind === 'check') asked.push(...items);
		await Promise.resolve();
	};
	const fields = { dryRun: true, options };
	await outcomeOf(bookSheet, service, [row], fields, worker.settings);
	expect(asked).toHaveLength(count);
});

it('n8n writes its store eight times for a row, and 58 times for two chunks', async () => {
	await work([first]);
	expect(processedData.writes).toBe(8);
	await work(farmers(2 * CHUNK + 15).slice(15));
	expect(processedData.writes).toBe(8 + 58);
});

it('two workers with one job and two tractors, and the one that does not book it says which it got', async () => {
	const one = work([first]);
	const given = [{ ...first, tractor: 202 }];
	const other = outcomeOf(bookSheet, service, given, { options: {} }, otherWorker.settings);
	expect(await one).toEqual(['created']);
	const { table, ids } = await other;
	expect(table.join()).toContain('before, as booking 5001');
	expect(ids).toEqual(['5001']);
});

it('two workers that book one Row ID at once without a look at the bookings, list late', async () => {
	service.listedAfterMs = MINUTE_MS;
	const options = { compareWithBookings: false, rowIdColumn: 'no' };
	const given = [{ ...first, no: 'R-1' }];
	const results = await Promise.all([work(given, options), work(given, options, otherWorker)]);
	expect(results.flat().sort()).toEqual(['created', 'unknown']);
	expect(service.bookings).toHaveLength(1);
});

it('a row that the service refuses while two workers book has no booking of another row', async () => {
	const numbered = three.map((row, at): IDataObject => ({ ...row, no: `R-${at + 1}` }));
	const refused = { ...numbered[1], no: 'R-4', area: '3 ha' };
	const byRowId = { rowIdColumn: 'no' };
	service.listedAfterMs = 5_000;
	await work(numbered, byRowId);
	service.fate = async () => await wait(LATENCY_MS).then(() => 'refused');
	const sheet = [...numbered, refused];
	const results = await Promise.all([work(sheet, byRowId), work(sheet, byRowId, otherWorker)]);
	expect(results.map((run) => run.at(-1))).not.toContain('already booked');
	await wait(25 * MINUTE_MS);
	expect((await work(sheet, byRowId, new Worker(service))).at(-1)).toBe('failed');
});

it('what is booked while n8n records the rows before is recorded, too, and so is what it failed to record', async () => {
	const sheet = farmers(2 * CHUNK + 1);
	let records = 0;
	processedData.beforeWrite = async ({ items }) => {
		if (!items.some((item) => asText(item).endsWith(' booked for sure'))) return;
		records += 1;
		await wait(10 * LATENCY_MS);
		if (records === 2 || records === 3) throw new Error('database is locked');
	};
	expect(await work(sheet)).toEqual(sheet.map(() => 'created'));
	await wait(25 * MINUTE_MS);
	const options = { compareWithBookings: false };
	const results = await work(sheet, options, new Worker(service));
	expect(results).toEqual(sheet.map(() => 'already booked'));
});

it('a sheet that runs at staging, and then with the production service', async () => {
	const production = Object.assign(new LateService(), { url: 'https://production.test' });
	expect(await work()).toEqual(rows.map(() => 'created'));
	const { settings } = new Worker(production);
	const { results } = await outcomeOf(bookSheet, production, rows, {}, settings);
	expect(results).toEqual(rows.map(() => 'created'));
});
