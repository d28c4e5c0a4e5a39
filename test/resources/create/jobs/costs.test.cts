import type { IDataObject } from 'n8n-workflow';

import { MAX_BY_ID } from '../../../../nodes/TractorBooking/resources/booking/create/match/bookings';
import { dayFromNow, bookSheet, farmers, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import type { Fate, LateService } from '../../../support/lateService.cts';
import { wait } from '../../../support/virtualClock.cts';
import { lateServiceForTests, Worker } from '../../../support/worker.cts';

// What Create costs: `LOADS=full npx jest costs` prints it. Seconds are those of the virtual clock: the service takes 20 ms,
// n8n's store 20 ms to read and 40 ms to write.

jest.setTimeout(15 * 60_000);

const MINUTE_MS = 60_000;

const begin = lateServiceForTests();
let service: LateService;
let worker: Worker;
beforeEach(() => {
	({ service, worker } = begin());
	processedData.beforeRead = async () => await wait(20);
	processedData.beforeWrite = async () => await wait(40);
	service.beforePage = async () => await wait(20);
	service.fate = async (): Promise<Fate> => await wait(20).then(() => 'booked');
});

/** Runs the node over rows. @returns what that costs: seconds, uses of n8n's store, its entries, requests */
async function cost(rows: IDataObject[]) {
	const { writes, size } = processedData;
	const asked = service.reads.length + service.counts.create;
	const startsAt = Date.now();
	const options = rows[0] && 'no' in rows[0] ? { rowIdColumn: 'no' } : {};
	const { error } = await outcomeOf(bookSheet, service, rows, { options }, worker.settings);
	expect(error).toBeUndefined();
	const spent = {
		rows: rows.length,
		seconds: (Date.now() - startsAt) / 1_000,
		writes: processedData.writes - writes,
		entries: processedData.size - size,
		requests: service.reads.length + service.counts.create - asked,
	};
	console.log(JSON.stringify(spent));
	return spent;
}

const numbered = (rows: IDataObject[]) => rows.map((row, at) => ({ ...row, no: `R-${at + 1}` }));

it.each([
	['1 row', farmers(1), 5, 15],
	['24 rows', farmers(24), 5, 15],
	['500 rows', farmers(500), 70, 15],
	['1 row with a Row ID', numbered(farmers(1)), 5, 20],
	['24 rows with Row IDs', numbered(farmers(24)), 5, 20],
	['500 rows with Row IDs', numbered(farmers(500)), 75, 20],
])('%s', async (_what, rows, writes, entries) => {
	const spent = await cost(rows);
	expect(spent.writes).toBeLessThanOrEqual(writes);
	// Each chunk has a mark.
	expect(spent.entries).toBeLessThanOrEqual(entries * rows.length + Math.ceil(rows.length / 24));
});

it('500 rows at 50 a minute', async () => {
	const passed: number[] = [];
	service.fate = async (): Promise<Fate> => {
		await wait(20);
		if (passed.filter((at) => at > Date.now() - MINUTE_MS).length >= 50) return 'limited';
		passed.push(Date.now());
		return 'booked';
	};
	const { seconds } = await cost(farmers(500));
	// The limit alone takes nine minutes.
	expect(seconds).toBeLessThan(540 * 1.05);
});

it('500 old rows again, among 100,000 bookings', async () => {
	await cost(farmers(500));
	const [serviceDate, madeAt] = [dayFromNow(9), Date.now() - 86_400_000];
	for (let at = 0; at < 99_500; at++)
		service.add(
			{ farmerName: `Other ${at}`, farmerPhone: `+23470${10_000_000 + at}`, serviceDate },
			madeAt,
		);
	worker = new Worker(service);
	await cost(farmers(501).slice(500));
	const { requests } = await cost(farmers(500));
	// Pages back to the newest booking that is known, and the statuses of the rows' own bookings.
	expect(requests).toBeLessThanOrEqual(5 + MAX_BY_ID);
});
