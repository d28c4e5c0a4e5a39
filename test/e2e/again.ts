import { setTimeout as wait } from 'node:timers/promises';

import type { Theatre } from './stage';
import {
	postRows,
	resultsOf,
	rowMaker,
	startLateService,
	timesBooked,
	webhookWorkflow,
} from './webhook';

const ROWS = 4;

/** The list shows a new booking so late that no search for a lost response finds it. */
const LATE_MS = 120_000;

/**
 * The response of the second row is lost, and n8n is killed at once; then the same rows are booked again, before the
 * list shows anything and after it shows all.
 */
export async function again(theatre: Theatre): Promise<string[]> {
	const service = await startLateService(theatre);
	service.listedAfterMs = LATE_MS;
	const n8n = await theatre.startN8n('again', service);
	const { client } = n8n;
	const workflowId = await client.publishNew(await webhookWorkflow());
	const rows = rowMaker(ROWS)();
	const book = async () => {
		const known = await client.executions(workflowId);
		await postRows(n8n, rows);
		return resultsOf(await client.nextExecution(workflowId, known));
	};

	const lost = new Promise<void>((resolve) => {
		service.fate = async (_, count) => {
			if (count !== 2) return 'booked';
			resolve();
			await wait(100);
			return 'lost';
		};
	});
	await postRows(n8n, rows);
	await lost;
	await wait(200);
	await n8n.kill();
	service.fate = () => 'booked';
	await theatre.startAgain(n8n);
	const early = await book();
	await wait(LATE_MS);
	const late = await book();

	const times = timesBooked(service, rows);
	const left = times.filter((count) => count === 0).length;
	const violations: string[] = [];
	if (times.some((count) => count > 1)) violations.push(`Booked ${times.join()} times.`);
	// Rows that were claimed and not sent wait until their claims end, and are reported.
	if (left > ROWS - 2 || (left > 0 && !late.includes(`${left} unknown`)))
		violations.push(`${left} rows are not booked, and the last run says: ${late}.`);
	console.log(`  after the restart: ${early}; at last: ${late}; booked ${times.join(', ')} times`);
	return violations;
}
