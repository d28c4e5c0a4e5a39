import { readFile, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { spreadsheetWorkflow } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import { hasEnded, type Execution, type N8nClient } from '../../tools/n8nClient';
import { until } from '../../tools/until';
import { startSandbox, type Booking, type Sandbox } from '../../sandbox';
import { TriggerKills } from './completions';
import { tally } from './report';
import type { SheetRow } from './sheet';
import { BURST, mismatches, newBookings, rowsOfSheet, uploadSheet } from './sheet';
import type { Cluster, Theatre } from './stage';

export const WORKERS = 2;

/** Sheets that are uploaded at once, and rows of each. */
const SHEETS = 4;
const ROWS = 50;

/** Bookings that one key may make in a window: all executions share it. */
const PER_WINDOW = 50;
const WINDOW_MS = 10_000;
const LATENCY_MS = 40;

/** A killed main process at every third kill, a killed worker at the others. */
const MAIN_EVERY = 3;

/** How long a worker is at a job of the example before its messages are sent, about. */
const JOB_MS = 150;

/** Between two kills of workers, so that not both looks at a completion are cut off. */
const PAUSE_MS = 15_000;

/** The ids of the executions that a worker has started, in order. */
async function startedBy(worker: N8n): Promise<number[]> {
	const log = await readFile(worker.logFile, 'utf8');
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => Number(id));
}

/** The worker that has logged something last: each job begins with a line. */
export async function lastToLog(workers: readonly N8n[]): Promise<N8n> {
	const logged = await Promise.all(
		workers.map(async (worker) => ({ worker, at: (await stat(worker.logFile)).mtimeMs })),
	);
	const [last] = logged.sort((a, b) => b.at - a.at);
	if (!last) throw new Error('There is no worker.');
	return last.worker;
}

/** The executions that were not there before, when there are so many and all of them have ended. */
export async function endedExecutions(
	client: N8nClient,
	workflowId: string,
	known: readonly Execution[],
	count: number,
): Promise<Execution[]> {
	const before = new Set(known.map(({ id }) => id));
	return await until(`The end of ${count} executions`, async () => {
		const fresh = (await client.executions(workflowId)).filter(({ id }) => !before.has(id));
		return fresh.length >= count && fresh.every(hasEnded) && fresh;
	});
}

/** Books sheets on several workers at once. */
class QueueBookings {
	readonly violations: string[] = [];
	private readonly made: () => Booking[];
	private rows: SheetRow[] = [];

	constructor(
		private readonly theatre: Theatre,
		private readonly cluster: Cluster,
		private readonly sandbox: Sandbox,
		private readonly workflowId: string,
	) {
		this.made = newBookings(sandbox);
	}

	async run(): Promise<void> {
		await this.uploadAll('At once', this.newSheets());

		const others = this.newSheets();
		const made = this.made().length;
		const uploaded = this.uploadAll('With a worker killed in the middle', others);
		const victim = await this.killWorkerAt(made + (0.2 + 0.5 * Math.random()) * SHEETS * ROWS);
		await this.theatre.startAgain(victim);
		await uploaded;
		// What was under way when the worker died still arrives.
		await wait(4 * LATENCY_MS);
		await this.uploadAll('The same again', others);

		// Those that the killed worker had claimed wait until its claims end.
		this.violations.push(...mismatches(this.rows, this.made(), BURST));
		const { requests } = this.sandbox;
		console.log(
			`  ${this.made().length} bookings for ${this.rows.length} rows; ${requests.count('create')} requests to create`,
		);
	}

	/** Sheets of rows that were not there before. */
	private newSheets(): SheetRow[][] {
		const sheets = Array.from({ length: SHEETS }, (_, index) =>
			rowsOfSheet(ROWS, this.rows.length + index * ROWS),
		);
		this.rows = [...this.rows, ...sheets.flat()];
		return sheets;
	}

	/** Uploads sheets at the same moment, and notes what came of it when all have ended, one way or another. */
	private async uploadAll(what: string, sheets: SheetRow[][]): Promise<void> {
		const { client } = this.cluster.main;
		const known = await client.executions(this.workflowId);
		const started = await this.started();
		const upload = async (rows: SheetRow[]) =>
			await uploadSheet(client, rows).catch(() => undefined);
		await Promise.all(sheets.map(upload));
		const executions = await endedExecutions(client, this.workflowId, known, SHEETS);
		const shares = (await this.started()).map((count, worker) => count - (started[worker] ?? 0));
		const fact = `${what}: ${sheets.length} sheets of ${ROWS} rows; executions: ${tally(executions, ({ status }) => status)}; bookings after it: ${this.made().length}`;
		console.log(`  ${fact} (${shares.join(' and ')} jobs on the workers)`);
		if (shares.some((share) => share === 0) && what === 'At once')
			this.violations.push('One worker had nothing to do.');
	}

	/** How many jobs each worker has started. */
	private async started(): Promise<number[]> {
		const { workers } = this.cluster;
		return await Promise.all(workers.map(async (worker) => (await startedBy(worker)).length));
	}

	private async killWorkerAt(bookings: number): Promise<N8n> {
		const isDue = () => this.made().length >= bookings;
		await until('The bookings of the workers', isDue, { everyMs: 3 });
		await wait(Math.random() * 2 * LATENCY_MS);
		const victim = await lastToLog(this.cluster.workers);
		await victim.kill();
		console.log(`  a worker was killed at ${this.made().length} bookings`);
		return victim;
	}
}

export async function queueBookings(theatre: Theatre): Promise<string[]> {
	const rates = { rateLimits: { create: PER_WINDOW }, rateWindowMs: WINDOW_MS };
	const options = { bookings: 100, latencyMs: LATENCY_MS, ...rates };
	const sandbox = theatre.closeAtEnd(await startSandbox(options));
	const cluster = await theatre.startCluster('queueBookings', sandbox, WORKERS);
	const workflowId = await cluster.main.client.publishNew(await spreadsheetWorkflow());
	const scenario = new QueueBookings(theatre, cluster, sandbox, workflowId);
	await scenario.run();
	return scenario.violations;
}

/** The next worker that takes a job, a random time after it has. */
async function nextJob(workers: readonly N8n[], mostMs: number): Promise<N8n> {
	const before = await Promise.all(workers.map(startedBy));
	const taken = async () => {
		for (const [index, worker] of workers.entries())
			if ((await startedBy(worker)).length !== before[index]?.length) return worker;
		return undefined;
	};
	const worker = await until('A job of a worker', taken, { everyMs: 5 });
	await wait(Math.random() * mostMs);
	return worker;
}

/** Kills workers, and the main process now and then, while messages are sent. */
export async function queueCompletions(theatre: Theatre, kills = 10): Promise<string[]> {
	return await TriggerKills.run(theatre, { kills, lookAgain: true }, async (sandbox) => {
		const { main, workers } = await theatre.startCluster('queueCompletions', sandbox, WORKERS);
		const strike = async (kill: number) => {
			if (kill % MAIN_EVERY === 0) return undefined;
			await wait(PAUSE_MS);
			const victim = await nextJob(workers, JOB_MS);
			return { victim, moment: 'while a worker is at a job' };
		};
		return { main, strike };
	});
}
