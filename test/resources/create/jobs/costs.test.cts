import type { IDataObject } from 'n8n-workflow';

import { bookSheet, farmers, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import type { Fate, LateService } from '../../../support/lateService.cts';
import { wait } from '../../../support/virtualClock.cts';
import { lateServiceForTests, Worker } from '../../../support/worker.cts';

// What Create costs: `LOADS=full npx jest costs` prints it. Seconds are those of the virtual clock: the service takes 20 ms,
// n8n's store 20 ms to read and 40 ms to write.

jest.setTimeout(15 * 60_000);

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

const numbered = (rows: IDataObject[]) => rows.map((row, at) => ({ ...row, no: `R-${at + 1}` }));

it.each([
	['1 row', farmers(1), 5, 15],
	['24 rows', farmers(24), 5, 15],
	['500 rows', farmers(500), 70, 15],
	['1 row with a Row ID', numbered(farmers(1)), 5, 20],
	['24 rows with Row IDs', numbered(farmers(24)), 5, 20],
	['500 rows with Row IDs', numbered(farmers(500)), 75, 20],
])('%s', async (_what, rows, writes, entries) => {
	const startsAt = Date.now();
	const options = rows[0] && 'no' in rows[0] ? { rowIdColumn: 'no' } : {};
	const { error } = await outcomeOf(bookSheet, service, rows, { options }, worker.settings);
	expect(error).toBeUndefined();
	const spent = {
		rows: rows.length,
		seconds: (Date.now() - startsAt) / 1_000,
		writes: processedData.writes,
		entries: processedData.size,
		requests: service.reads.length + service.counts.create,
	};
	console.log(JSON.stringify(spent));
	expect(spent.writes).toBeLessThanOrEqual(writes);
	// Each chunk has a mark.
	expect(spent.entries).toBeLessThanOrEqual(entries * rows.length + Math.ceil(rows.length / 24));
});
