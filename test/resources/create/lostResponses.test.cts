import type { INodeParameters } from 'n8n-workflow';

import type { Settings } from '../../support/action.cts';
import { book, farmers, outcomeOf } from '../../support/bookings.cts';
import { processedData } from '../../support/engine.cts';
import { LateService } from '../../support/lateService.cts';
import { VirtualClock } from '../../support/virtualClock.cts';
import { Worker } from '../../support/worker.cts';

// Of three rows, the response to the middle one is lost after it was booked. test/faults has other losses.

let clock: VirtualClock;
let service: LateService;
beforeAll(() => (clock = VirtualClock.start()));
beforeEach(() => {
	clock.reset();
	processedData.clear();
	service = new LateService();
	service.fate = (_request, count) => (count === 2 ? 'lost' : 'booked');
});
afterAll(() => clock.stop());

const rows = farmers(3);

/** Each row is sent once, and booked once. @returns the lines of the table of results */
async function tableOf(options: INodeParameters = {}, more: Settings = {}): Promise<string[]> {
	const settings = { ...new Worker(service).settings, ...more };
	const { table } = await outcomeOf(book, service, rows, { options }, settings);
	expect(service.counts.create).toBe(3);
	expect(Object.values(service.timesBooked)).toEqual([1, 1, 1]);
	return table;
}

/** The pages of the list cannot be read once two rows are booked. @param times how many of them */
function breakList(times: number): void {
	let left = times;
	service.beforePage = async () => {
		if (service.bookings.length < 2 || left === 0) return;
		left -= 1;
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	};
}

it('it is found among the bookings if it is listed ten seconds later', async () => {
	service.listedAfterMs = 10_000;
	const found = '3: created (the response was lost; found among the bookings)';
	expect(await tableOf()).toEqual(['2: created', found, '4: created']);
});

it.each<[string, () => void, INodeParameters, RegExp]>([
	['the list is late', () => (service.listedAfterMs = 600_000), {}, / again, unchanged\./],
	['the list breaks off', () => breakList(Infinity), {}, /The bookings could not be read: .*/],
	[
		'existing bookings are not read',
		() => breakList(Infinity),
		{ ifAlreadyBooked: 'create' },
		/ unchanged, with If Already Booked set to Skip\./,
	],
])('it is unknown whether it is booked if %s', async (_what, happen, options, said) => {
	happen();
	const [first, middle, last] = await tableOf(options);
	expect([first, last]).toEqual(['2: created', '4: created']);
	expect(middle).toMatch(/^3: unknown \(It is unknown whether .* Wait until \d\d:\d\d, then run/);
	expect(middle).toMatch(said);
});

it('a node that stops, and is tried again, books the rest', async () => {
	// Four looks, each tried three times.
	breakList(12);
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	expect(await tableOf({}, { node, onError: 'stopWorkflow' })).toEqual([
		expect.stringContaining('2: already booked ('),
		expect.stringContaining('3: already booked ('),
		'4: created',
	]);
});
