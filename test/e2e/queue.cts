import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { spreadsheetWorkflow } from '../../tools/examples.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import { until } from '../../tools/until.cts';
import { startSandbox, type Sandbox } from '../../sandbox/index.cts';
import { step } from '../../tools/progress.cts';
import { tally } from '../../tools/tally.cts';
import { killWhileSending } from './completions.cts';
import { POSTGRES_USER, startPostgres, startRedis, type Server } from './servers.cts';
import {
	BURST,
	mismatches,
	newBookings,
	rowsOfSheet,
	uploadSheet,
	type SheetRow,
} from './sheet.cts';
import type { Theatre } from '../../tools/theatre.cts';

const WORKERS = 2;

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

/** n8n in queue mode: the process with the editor and the triggers, and the workers that run the workflows. */
interface Cluster {
	main: N8n;
	workers: N8n[];
	postgres: Server;
}

/** n8n in queue mode, with a Redis and a PostgreSQL of its own. @param concurrency executions of a worker at a time */
export async function startCluster(
	theatre: Theatre,
	name: string,
	sandbox: Pick<Sandbox, 'url'>,
	concurrency = '5',
): Promise<Cluster> {
	const redis = theatre.closeAtEnd(await startRedis());
	const postgres = theatre.closeAtEnd(await step('Starting PostgreSQL', startPostgres));
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: POSTGRES_USER,
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		N8N_ENCRYPTION_KEY: 'the same for all processes',
		N8N_CONCURRENCY_PRODUCTION_LIMIT: concurrency,
		// The end of a worker is noticed after so many milliseconds instead of a minute.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
	};
	const main = await theatre.startN8n(name, sandbox, { env });
	const starting = Array.from(
		{ length: WORKERS },
		async (_, index) => await theatre.startProcess(`${name}-worker${index + 1}`, 'worker', { env }),
	);
	const all = async () => await Promise.all(starting);
	return { main, workers: await step(`Starting ${WORKERS} workers`, all), postgres };
}

async function jobsOf(workers: readonly N8n[]): Promise<number[]> {
	const logs = workers.map(async ({ logFile }) => await readFile(logFile, 'utf8'));
	const starts = /Worker started execution \d+/g;
	return (await Promise.all(logs)).map((log) => [...log.matchAll(starts)].length);
}

export async function queueBookings(theatre: Theatre): Promise<string[]> {
	const rates = { rateLimits: { create: PER_WINDOW }, rateWindowMs: WINDOW_MS };
	const options = { bookings: 100, latencyMs: LATENCY_MS, ...rates };
	const sandbox = theatre.closeAtEnd(await startSandbox(options));
	const { main, workers } = await startCluster(theatre, 'queueBookings', sandbox);
	const { client } = main;
	const workflowId = await client.publishNew(await spreadsheetWorkflow());
	const made = newBookings(sandbox);
	const sheets = Array.from({ length: SHEETS }, (_, at) => rowsOfSheet(ROWS, at * ROWS));

	/** Uploads the sheets at the same moment. @returns the jobs of each worker, when all have ended in one way or another */
	async function uploadAll(what: string): Promise<number[]> {
		const known = await client.executions(workflowId);
		const before = await jobsOf(workers);
		const upload = async (rows: SheetRow[]) =>
			await uploadSheet(client, rows).catch(() => undefined);
		await Promise.all(sheets.map(upload));
		const executions = await client.nextExecutions(workflowId, known, SHEETS);
		const jobs = (await jobsOf(workers)).map((count, worker) => count - (before[worker] ?? 0));
		const statuses = tally(executions, ({ status }) => status);
		const fact = `${what}: ${SHEETS} sheets of ${ROWS} rows; executions: ${statuses}; bookings after it: ${made().length}`;
		console.log(`  ${fact} (${jobs.join(' and ')} jobs on the workers)`);
		return jobs;
	}

	const target = (0.2 + 0.5 * Math.random()) * SHEETS * ROWS;
	const uploaded = uploadAll('With a worker killed in the middle');
	await until('The bookings of the workers', () => made().length >= target, { everyMs: 3 });
	await wait(Math.random() * 2 * LATENCY_MS);
	// Both workers are at sheets.
	const [victim = main] = workers;
	await victim.kill();
	console.log(`  a worker was killed at ${made().length} bookings`);
	await theatre.startAgain(victim);
	await uploaded;
	// What was under way when the worker died still arrives.
	await wait(4 * LATENCY_MS);
	const jobs = await uploadAll('The same again');

	return [
		...(jobs.includes(0) ? ['One worker had nothing to do.'] : []),
		// Those that the killed worker had claimed wait until its claims end.
		...mismatches(sheets.flat(), made(), BURST),
	];
}

async function nextJob(workers: readonly N8n[], mostMs: number): Promise<N8n> {
	const before = await jobsOf(workers);
	const taken = async () => {
		const now = await jobsOf(workers);
		return workers.find((_, index) => now[index] !== before[index]);
	};
	const worker = await until('A job of a worker', taken, { everyMs: 5 });
	await wait(Math.random() * mostMs);
	return worker;
}

/** Kills workers, and the main process now and then, while messages are sent. */
export async function queueCompletions(theatre: Theatre, kills = 10): Promise<string[]> {
	return await killWhileSending(theatre, kills, async (sandbox) => {
		const { main, workers } = await startCluster(theatre, 'queueCompletions', sandbox);
		const strike = async (kill: number) => {
			if (kill % MAIN_EVERY === 0) return undefined;
			await wait(PAUSE_MS);
			const victim = await nextJob(workers, JOB_MS);
			return { victim, moment: 'while a worker is at a job' };
		};
		return { main, strike, lookAgain: true };
	});
}
