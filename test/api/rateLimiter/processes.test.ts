import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Settings } from '../../../sandbox';
import { KEYS, startSandbox } from '../../../sandbox';
import { dayFromNow } from '../../support/bookings';
import type { Report, Task } from './worker';

const WORKERS = 3;
const ROWS_EACH = 6;

async function work(task: Task): Promise<Report> {
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--require=tsx/cjs',
		`--require=${join(__dirname, '../../support/nodeFiles.ts')}`,
		join(__dirname, 'worker.ts'),
		JSON.stringify(task),
	]);
	// Warnings come before it.
	return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
}

function rowsOf(worker: number) {
	return Array.from({ length: ROWS_EACH }, (_, row) => ({
		tractorId: 201,
		serviceType: 1,
		serviceDate: dayFromNow(3),
		landArea: '2 ha',
		farmerName: `Farmer ${worker}.${row}`,
		farmerPhone: `+23480123456${worker}${row}`,
	}));
}

it.each<Settings['retryAfter']>(['seconds', 'absent'])(
	'three processes book all rows once under the limit of their one key, with Retry-After %s',
	async (retryAfter) => {
		const sandbox = await startSandbox({
			rateLimits: { create: 6 },
			rateWindowMs: 1_000,
			retryAfter,
		});
		const before = new Set(sandbox.store.bookings.ids('A'));
		const reports = await Promise.all(
			Array.from(
				{ length: WORKERS },
				async (_, worker) =>
					await work({ baseUrl: sandbox.url, apiKey: KEYS.full, rows: rowsOf(worker) }),
			),
		);
		const made = [...sandbox.store.bookings.ids('A')].filter((id) => !before.has(id));
		const names = made.map((id) => sandbox.store.bookings.get(id)?.farmerName);
		const refused = sandbox.requests.count('create', 429);
		await sandbox.close();

		expect(reports.map(({ error }) => error)).toEqual(Array(WORKERS).fill(undefined));
		const results = reports.flatMap(({ items }) => items.map(({ result }) => result));
		expect(results).toEqual(Array(WORKERS * ROWS_EACH).fill('created'));
		const reported = reports.flatMap(({ items }) => items.map(({ bookingID }) => bookingID));
		expect(reported.sort()).toEqual(made.sort());
		const wanted = Array.from({ length: WORKERS }, (_, worker) => rowsOf(worker)).flat();
		expect(names.sort()).toEqual(wanted.map(({ farmerName }) => farmerName).sort());
		expect(refused).toBeGreaterThan(0);
	},
	120_000,
);
