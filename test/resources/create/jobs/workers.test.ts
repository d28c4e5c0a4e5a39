import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../../nodes/TractorBooking/api/limits';
import { settling } from '../../../../nodes/TractorBooking/resources/booking/create/claims/hostMemory';
import type { Settings } from '../../../support/action';
import { bookSheet, farmers, outcomeOf } from '../../../support/bookings';
import { processedData } from '../../../support/engine';
import { fastNow, skip, wait } from '../../../support/fastClock';
import { eachWithLateService } from '../../../support/eachLateService';
import type { Fate, LateService } from '../../../support/lateService';

jest.mock('../../../../nodes/TractorBooking/api/abort', () => {
	const { fastAbort } = jest.requireActual<typeof import('../../../support/fastClock')>(
		'../../../support/fastClock',
	);
	return fastAbort;
});

/** How long the service takes for a booking, in milliseconds. */
const LATENCY_MS = 300;
const MINUTE_MS = 60_000;

let service: LateService;
eachWithLateService(fastNow, (started) => {
	jest.replaceProperty(settling, 'ms', 1_000);
	service = started;
	service.fate = async () => await wait(LATENCY_MS).then(() => 'booked');
});

const rows = farmers(15);

/** n8n restarts: it has no memory of its own. */
const restart = forgetKeys;

/** Another worker: what a process remembers is of one key; the service knows only its organisation. */
const otherWorker: Settings = { apiKey: 'the-same-key-on-another-worker' };

/** Books as one worker does. @returns the result of each row */
async function work(given = rows, options: INodeParameters = {}, settings: Settings = {}) {
	const { results } = await outcomeOf(bookSheet, service, given, { options }, settings);
	return results;
}

/** How many of the jobs are booked more than once. */
const doubled = () => Object.values(service.timesBooked).filter((times) => times > 1).length;

/** Each job is booked once. @param results of the runs */
function expectOnce(results: readonly string[][], jobs: number): void {
	expect(doubled()).toBe(0);
	expect(service.bookings).toHaveLength(jobs);
	const made = results.flat().filter((result) => result === 'created');
	expect(made.length).toBeLessThanOrEqual(jobs);
}

it.each([
	['in step', 0, 0],
	['in step, list 10 s late', 0, 10_000],
	['3 s apart, list 2 s late', 3_000, 2_000],
	['3 s apart, list 10 s late', 3_000, 10_000],
])('two workers %s', async (_what, apart, late) => {
	service.listedAfterMs = late;
	const one = work();
	await wait(apart);
	expectOnce(await Promise.all([one, work(rows, {}, otherWorker)]), 15);
});

/** Lets the first claims of two workers overlap: both are read before one is written. */
function overlapClaims(): void {
	let release: () => void = () => undefined;
	const both = new Promise<void>((resolve) => (release = resolve));
	let claims = 0;
	processedData.beforeWrite = async ({ items }) => {
		// A claim goes with a mark; a mark alone is looked up.
		if (items.length < 2 || !items.some((item) => String(item).startsWith('mark '))) return;
		claims += 1;
		if (claims === 2) release();
		// The other one may come later on a busy machine; alone, it goes on.
		await Promise.race([both, wait(16_000)]);
	};
}

it.each([
	['the same sheet, list 10 s late', rows, rows, 10_000],
	['a sheet of its own', rows.slice(0, 7), rows.slice(7), 0],
])(
	'two workers in step, whose claims overwrite each other: %s',
	async (_what, one, other, late) => {
		service.listedAfterMs = late;
		overlapClaims();
		expectOnce(await Promise.all([work(one), work(other, {}, otherWorker)]), 15);
	},
);

/** Freezes the first worker at a write of its claims, while the other one books the sheet. */
async function freezeAt(write: number, ms: number, isOtherDone: boolean) {
	service.listedAfterMs = 10_000;
	let other: Promise<string[]> | undefined;
	let frozenMs = 0;
	const clock = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => clock() + frozenMs);
	processedData.beforeWrite = async () => {
		if (processedData.writes < write - 1 || other) return;
		other = work(rows, {}, otherWorker);
		await (isOtherDone ? other : wait(ms));
		frozenMs = ms;
	};
	return [await work(), (await other) ?? []];
}

it.each([1, 5, 9])('a worker frozen at write %i until the other is done', async (write) => {
	const results = await freezeAt(write, 30_000, true);
	expect(doubled()).toBe(0);
	// No one sends what it has claimed, and the rest of its rows is the other's.
	expect(service.bookings.length).toBeGreaterThanOrEqual(10);
	expect(results.flat()).toContain('not sent');
});

it.each([2, 5])('a worker frozen at write %i while the other works', async (write) => {
	expectOnce(await freezeAt(write, 3_000, false), 15);
});

it('a frozen worker that wakes, list 10 s late', async () => {
	service.listedAfterMs = 10_000;
	let other: Promise<string[]> | undefined;
	service.fate = async (_request, count): Promise<Fate> => {
		await wait(LATENCY_MS);
		if (count !== 8) return 'booked';
		other = work(rows, {}, otherWorker);
		await other;
		return 'limited';
	};
	expectOnce([await work(), (await other) ?? []], 15);
});

const [first = {}, second = {}, third = {}] = rows;
const three = [first, second, third];

/** Lets the answer to the second row be lost, and the list show its booking after some minutes. */
function loseSecond(): void {
	service.listedAfterMs = 5 * MINUTE_MS;
	service.fate = (_request, count) => (count === 2 ? 'lost' : 'booked');
}

it('an answer that is lost, and the sheet at once on another worker', async () => {
	loseSecond();
	const one = work(three);
	await wait(2_000);
	expectOnce(await Promise.all([one, work(three, {}, otherWorker)]), 3);
});

it('a lost answer of a worker whose clock is some minutes ahead of that of the next one', async () => {
	service.listedAfterMs = 10 * MINUTE_MS;
	service.fate = () => 'lost';
	const one = await work([first]);
	jest.spyOn(Date, 'now').mockImplementation(() => fastNow() - 5 * MINUTE_MS);
	expectOnce([one, await work([first], {}, otherWorker)], 1);
});

it('two workers that book one Row ID at once with Create Anyway, list late', async () => {
	service.listedAfterMs = MINUTE_MS;
	const options = { ifAlreadyBooked: 'create', rowIdColumn: 'no' };
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
	skip(25 * MINUTE_MS);
	restart();
	expect((await work(sheet, byRowId)).at(-1)).toBe('failed');
});
