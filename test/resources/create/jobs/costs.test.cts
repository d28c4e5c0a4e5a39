import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { tally } from '../../../../tools/tally.cts';
import { credentialsOf } from '../../../support/action.cts';
import { dayFromNow, farmers } from '../../../support/bookings.cts';
import { overwriting, processedData, runAction } from '../../../support/engine.cts';
import { LateService, type Fate } from '../../../support/lateService.cts';
import { VirtualClock, wait } from '../../../support/virtualClock.cts';
import { Worker } from '../../../support/worker.cts';

// What Create costs: `LOADS=full npx jest costs` prints it. Seconds are those of the virtual clock, on which the processor's
// time passes, too; the service takes 20 ms, n8n's store 20 ms to read and 40 ms to write. A block is the longest time for
// which n8n could do nothing else, in milliseconds of the processor, on which other work of the machine does not count.

jest.setTimeout(15 * 60_000);

const MINUTE_MS = 60_000;

/** Entries that n8n keeps for a node. */
const FULL = 42_000;

let clock: VirtualClock;
let service: LateService;
let worker: Worker;
beforeAll(() => (clock = VirtualClock.start(true)));
beforeEach(() => {
	clock.reset();
	jest.replaceProperty(overwriting.ofNode, 'delayMs', overwriting.usual);
	processedData.clear();
	processedData.beforeRead = async () => await wait(20);
	processedData.beforeWrite = async () => await wait(40);
	service = new LateService();
	service.beforePage = async () => await wait(20);
	service.fate = async (): Promise<Fate> => await wait(20).then(() => 'booked');
	worker = new Worker(service);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => {
	clock.stop();
	console.log(lines.join('\n'));
});

const lines: string[] = [];

/** What a run has cost. Times in seconds, blocks in milliseconds. */
interface Cost {
	seconds: number;
	writes: number;
	kilobytes: number;
	entries: number;
	requests: number;
	block: number;
	cpu: number;
}

function inWords({ seconds, writes, kilobytes, entries, requests, block, cpu }: Cost): string {
	const store = `${writes} writes, ${kilobytes} kB, ${entries} entries`;
	const own = `block ${block} ms, CPU ${cpu.toFixed(2)} s`;
	return `${seconds.toFixed(1)} s, ${store}, ${requests} requests, ${own}`;
}

/** Runs the node over rows, and notes what that costs. */
async function cost(
	what: string,
	rows: IDataObject[],
	options: INodeParameters = {},
	dryRun = false,
): Promise<Cost> {
	// What made the rows and the bookings of the service is no part of it.
	await wait(1);
	const { writes, bytesWritten, size } = processedData;
	const asked = service.reads.length + service.counts.create;
	const [startsAt, cpuBefore] = [Date.now(), process.cpuUsage()];
	clock.longestTurn = 0;
	const { apiKey, helpers } = worker.settings;
	const { items, errors, error } = await runAction({
		parameters: {
			resource: 'booking',
			operation: 'createFromSpreadsheet',
			phoneCountry: 'none',
			dryRun,
			options: {
				columnMapping: { columns: [{ column: 'date', field: 'serviceDate' }] },
				...options,
			},
		},
		credentials: credentialsOf({ baseUrl: service.url, apiKey }),
		onError: 'continueErrorOutput',
		rows,
		helpers,
	});
	const { user, system } = process.cpuUsage(cpuBefore);
	const spent: Cost = {
		seconds: (Date.now() - startsAt) / 1_000,
		writes: processedData.writes - writes,
		kilobytes: Math.round((processedData.bytesWritten - bytesWritten) / 1_000),
		entries: processedData.size - size,
		requests: service.reads.length + service.counts.create - asked,
		block: Math.round(clock.longestTurn),
		cpu: (user + system) / 1e6,
	};
	const results = tally([...items, ...errors], ({ json }) => asText(json.result));
	lines.push(`${what}: ${results || String(error)}; ${inWords(spent)}`);
	return spent;
}

const numbered = (rows: IDataObject[]) => rows.map((row, at) => ({ ...row, no: `R-${at + 1}` }));
it.each([
	['1 row', farmers(1), 9, 15],
	['24 rows', farmers(24), 25, 15],
	['500 rows', farmers(500), 410, 15],
	['1 row with a Row ID', numbered(farmers(1)), 9, 18],
	['24 rows with Row IDs', numbered(farmers(24)), 25, 18],
	['500 rows with Row IDs', numbered(farmers(500)), 415, 18],
])('%s', async (what, rows, writes, entries) => {
	const options = rows[0] && 'no' in rows[0] ? { rowIdColumn: 'no' } : {};
	const spent = await cost(what, rows, options);
	expect(spent.writes).toBeLessThanOrEqual(writes);
	expect(spent.entries).toBeLessThanOrEqual(entries * rows.length + 1);
	await cost(`${what} again`, rows, options);
});

it('120 rows at 50 a minute', async () => {
	const passed: number[] = [];
	service.fate = async (): Promise<Fate> => {
		await wait(20);
		if (passed.filter((at) => at > Date.now() - MINUTE_MS).length >= 50) return 'limited';
		passed.push(Date.now());
		return 'booked';
	};
	const { seconds } = await cost('120 rows at 50 a minute', farmers(120));
	// The limit alone takes two minutes.
	expect(seconds).toBeLessThan(1.1 * 120);
});

it('50 single rows, as Loop Over Items gives them', async () => {
	const startsAt = Date.now();
	for (const row of farmers(50)) await cost('a single row', [row]);
	lines.splice(-49);
	lines.push(
		`50 single rows: ${(Date.now() - startsAt) / 1_000} s, ${processedData.writes} writes`,
	);
});

it("1,000 rows and then 24, n8n's memory full", async () => {
	const context = { workflow: { id: 'test', active: false }, node: { id: 'Tractor Booking' } };
	const old = Array.from({ length: FULL }, (_, at) => `entry ${at}`);
	await processedData.checkProcessedAndRecord(old, 'node', context as never, { mode: 'entries' });
	const rows = farmers(1_024);
	await cost('1,000 rows, memory full', rows.slice(0, 1_000));
	await wait(25 * MINUTE_MS);
	await cost('24 rows 25 minutes later, memory full', rows.slice(1_000));
	await wait(25 * MINUTE_MS);
	worker = new Worker(service);
	await cost('the 1,000 rows again after a restart, memory full', rows.slice(0, 1_000));
});

/** Bookings of other farmers. */
function addOthers(count: number): void {
	const [serviceDate, madeAt] = [dayFromNow(9), Date.now() - 86_400_000];
	for (let at = 0; at < count; at++)
		service.add(
			{ farmerName: `Other ${at}`, farmerPhone: `+23470${10_000_000 + at}`, serviceDate },
			madeAt,
		);
}

it('500 old rows again, among 100,000 bookings', async () => {
	await cost('500 rows', farmers(500));
	addOthers(99_500);
	worker = new Worker(service);
	await cost('first run of a process with 100,000 bookings', farmers(501).slice(500));
	const { requests } = await cost('500 old rows, 100,000 bookings', farmers(500));
	expect(requests).toBeLessThanOrEqual(1_700);
	await cost('500 old rows once more', farmers(500));
});

it('50,000 rows with Dry Run', async () => {
	await cost('50,000 rows with Dry Run', farmers(50_000), {}, true);
});
