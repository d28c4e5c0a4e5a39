import { readFile, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { credentialName, formPath, spreadsheetWorkflow } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import type { Execution } from '../../tools/n8nClient';
import { CREDENTIAL_TYPES } from '../../nodes/TractorBooking/api/client';
import type { Sandbox } from '../../sandbox';
import { KEYS } from '../../sandbox';
import { TriggerKills } from './completions';
import type { Report } from './report';
import { countBy } from './report';
import type { SheetRow } from './sheet';
import {
	BURST,
	bookingsSince,
	keyOfBooking,
	keyOfRow,
	mismatches,
	rowsOfSheet,
	sheetOf,
} from './sheet';
import type { Cluster, Theatre } from './stage';

const WORKERS = 2;

/** Sheets that are uploaded at once, and rows of each. */
const SHEETS = 4;
const ROWS = 50;

/** Bookings that one key may make in a window: all executions share it. */
const PER_WINDOW = 50;
const WINDOW_MS = 10_000;
const LATENCY_MS = 40;

/** How long n8n may take until bookings are there. */
const LIMIT_MS = 120_000;

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

/** The worker that has started the last execution. */
async function busiest(workers: readonly N8n[]): Promise<N8n> {
	const started = await Promise.all(
		workers.map(async (worker) => ({ worker, last: (await startedBy(worker)).at(-1) ?? 0 })),
	);
	const [first] = started.sort((a, b) => b.last - a.last);
	if (!first) throw new Error('There is no worker.');
	return first.worker;
}

/** Books sheets on several workers at once. */
export class QueueBookings {
	private readonly violations: string[] = [];
	private readonly facts: string[] = [];
	private readonly before: ReadonlySet<number>;
	private rows: SheetRow[] = [];

	private constructor(
		private readonly theatre: Theatre,
		private readonly cluster: Cluster,
		private readonly sandbox: Sandbox,
		private readonly workflowId: string,
	) {
		this.before = new Set(sandbox.store.bookings.ids('A'));
	}

	static async run(theatre: Theatre): Promise<Report> {
		const sandbox = await theatre.startSandbox({
			bookings: 100,
			latencyMs: LATENCY_MS,
			rateLimits: { create: PER_WINDOW },
			rateWindowMs: WINDOW_MS,
		});
		const cluster = await theatre.startCluster('queueBookings', sandbox, WORKERS);
		const { client } = cluster.main;
		const workflowId = await client.importWorkflow(await spreadsheetWorkflow());
		await client.publishWorkflow(workflowId);
		const scenario = new QueueBookings(theatre, cluster, sandbox, workflowId);
		await scenario.run();
		const title = `Queue mode: sheets are booked while a worker is killed (${WORKERS} workers, Redis, PostgreSQL)`;
		const story = `${SHEETS} sheets of ${ROWS} rows are uploaded to the example's form at the same moment, so that the workers share one key and its rate limit. Then ${SHEETS} others are uploaded while the busiest worker is killed, and these once more.`;
		const expected = `None is booked twice, and every row is booked but those that the killed worker had claimed, ${BURST} at most.`;
		return { title, story, expected, facts: scenario.facts, violations: scenario.violations };
	}

	private async run(): Promise<void> {
		await this.testCredential();

		const sheets = await this.newSheets();
		await this.uploadAll('At once', sheets);

		const others = await this.newSheets();
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
		this.facts.push(
			`bookings: ${this.made().length} for ${this.rows.length} rows; requests to create: ${requests.count('create')}, at most ${PER_WINDOW} in ${WINDOW_MS / 1_000} s allowed`,
		);
	}

	private async testCredential(): Promise<void> {
		const data = { baseUrl: this.sandbox.url, apiKey: KEYS.full };
		const { client } = this.cluster.main;
		const good = await client.testCredential('', credentialName, CREDENTIAL_TYPES.apiKey, data);
		const bad = await client.testCredential('', credentialName, CREDENTIAL_TYPES.apiKey, {
			...data,
			apiKey: 'no key',
		});
		this.facts.push(
			`credential test: ${good.status} for a good key, ${bad.status} for a wrong one`,
		);
		if (good.status !== 'OK' || bad.status !== 'Error')
			this.violations.push(`The credential test says: ${good.message}; ${bad.message}`);
	}

	/** Sheets of rows that were not there before. */
	private async newSheets(): Promise<Buffer[]> {
		const sheets = Array.from({ length: SHEETS }, (_, index) =>
			rowsOfSheet(ROWS, this.rows.length + index * ROWS),
		);
		this.rows = [...this.rows, ...sheets.flat()];
		return await Promise.all(sheets.map(sheetOf));
	}

	private made() {
		return bookingsSince(this.sandbox, this.before);
	}

	/** Uploads sheets at the same moment, and notes what came of it when all have ended, one way or another. */
	private async uploadAll(what: string, sheets: Buffer[]): Promise<void> {
		const { client } = this.cluster.main;
		const known = new Set((await client.executions(this.workflowId)).map(({ id }) => id));
		const started = await this.started();
		const upload = async (content: Buffer) =>
			await client
				.submitForm(formPath, [{ name: 'requests.xlsx', content }])
				.catch(() => undefined);
		await Promise.all(sheets.map(upload));
		const executions = await this.ended(known);
		const statuses = countBy(executions, ({ status }) => status);
		const shares = (await this.started()).map((count, worker) => count - (started[worker] ?? 0));
		const fact = `${what}: ${sheets.length} sheets of ${ROWS} rows; executions: ${[...statuses].map(([status, count]) => `${count} ${status}`).join(', ')}; bookings after it: ${this.made().length}`;
		console.log(`  ${fact} (${shares.join(' and ')} jobs on the workers)`);
		this.facts.push(fact);
		if (shares.some((share) => share === 0) && what === 'At once')
			this.violations.push('One worker had nothing to do.');
	}

	/** How many jobs each worker has started. */
	private async started(): Promise<number[]> {
		const { workers } = this.cluster;
		return await Promise.all(workers.map(async (worker) => (await startedBy(worker)).length));
	}

	/** The new executions, when all of them have ended. */
	private async ended(known: ReadonlySet<string>): Promise<Execution[]> {
		const { client } = this.cluster.main;
		for (const end = Date.now() + LIMIT_MS; ; await wait(500)) {
			const all = await client.executions(this.workflowId);
			const fresh = all.filter(({ id }) => !known.has(id));
			const isOver = ({ status }: Execution) => !['new', 'running', 'waiting'].includes(status);
			if ((fresh.length >= SHEETS && fresh.every(isOver)) || Date.now() > end) return fresh;
		}
	}

	private async killWorkerAt(bookings: number): Promise<N8n> {
		for (const end = Date.now() + LIMIT_MS; this.made().length < bookings; await wait(3))
			if (Date.now() > end) throw new Error('The workers do not come on.');
		await wait(Math.random() * 2 * LATENCY_MS);
		const victim = await busiest(this.cluster.workers);
		await victim.kill();
		console.log(`  a worker was killed at ${this.made().length} bookings`);
		return victim;
	}
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

/** Rows of the sheet that two workers book; none of them may be booked twice. */
const OVERLAP_ROWS = 120;
const MAX_DOUBLED = 0;

/**
 * Books one sheet on two workers, each with one execution at a time: the first is frozen in the middle, and wakes while the other
 * is at work, or after it.
 */
export async function queueOverlap(theatre: Theatre): Promise<Report> {
	const sandbox = await theatre.startSandbox({
		bookings: 100,
		latencyMs: LATENCY_MS,
		rateLimits: { create: PER_WINDOW },
		rateWindowMs: WINDOW_MS,
	});
	const before = new Set(sandbox.store.bookings.ids('A'));
	const made = () => bookingsSince(sandbox, before);
	const until = async (bookings: number) => {
		for (const end = Date.now() + LIMIT_MS; made().length < bookings; await wait(3))
			if (Date.now() > end) throw new Error('The workers do not come on.');
	};
	const { main, workers } = await theatre.startCluster('queueOverlap', sandbox, WORKERS, '1');
	const { client } = main;
	const workflowId = await client.importWorkflow(await spreadsheetWorkflow());
	await client.publishWorkflow(workflowId);
	const facts: string[] = [];
	const violations: string[] = [];

	for (const [round, mayDouble, wakesEarly] of [
		['while the other worker books the sheet', MAX_DOUBLED, true],
		['after the other worker has booked the sheet', MAX_DOUBLED, false],
	] as const) {
		const rows = rowsOfSheet(OVERLAP_ROWS, facts.length * OVERLAP_ROWS);
		const content = await sheetOf(rows);
		const upload = async () =>
			await client
				.submitForm(formPath, [{ name: 'requests.xlsx', content }])
				.catch((error: unknown) => error);
		const start = made().length;
		const first = upload();
		await until(start + OVERLAP_ROWS / 4);
		const sleeper = await lastToLog(workers);
		sleeper.freeze();
		// What was under way still arrives.
		await wait(4 * LATENCY_MS);
		const atFreeze = made().length;
		const second = upload();
		await (wakesEarly ? until(atFreeze + OVERLAP_ROWS / 8) : second);
		sleeper.wake();
		const atWake = made().length;
		await Promise.all([first, second]);
		// n8n may have given up the frozen execution, which goes on all the same.
		for (let count = -1; count !== made().length; await wait(2 * WINDOW_MS)) count = made().length;

		const times = countBy(made().slice(start), keyOfBooking);
		const doubled = [...times.values()].reduce((sum, count) => sum + count - 1, 0);
		facts.push(
			`a worker is frozen at ${atFreeze - start} bookings of ${OVERLAP_ROWS} rows, and wakes ${round}, at ${atWake - start}: ${made().length - start} bookings, ${doubled} twice`,
		);
		const lost = rows.filter((row) => !times.has(keyOfRow(row)));
		if (lost.length > 0) violations.push(`${lost.length} rows are not booked, ${round}.`);
		if (doubled > mayDouble) violations.push(`${doubled} rows are booked twice, ${round}.`);
	}
	return {
		title: `Queue mode: one sheet is booked by two workers (${WORKERS} workers, Redis, PostgreSQL)`,
		story: `A sheet is uploaded. The worker that books it is frozen (SIGSTOP) in the middle, so that the same sheet, uploaded again, goes to the other worker. The first one wakes while that is at work; in a second round, after it has ended.`,
		expected:
			'Every row is booked, and none twice: what one worker has claimed, the other leaves to it.',
		facts,
		violations,
	};
}

/** The next job that a worker takes, and a random time of its work. */
async function nextJob(workers: readonly N8n[], mostMs: number): Promise<N8n> {
	const before = await Promise.all(workers.map(startedBy));
	for (const end = Date.now() + LIMIT_MS; Date.now() < end; await wait(5)) {
		for (const [index, worker] of workers.entries()) {
			if ((await startedBy(worker)).length === before[index]?.length) continue;
			await wait(Math.random() * mostMs);
			return worker;
		}
	}
	throw new Error('No worker takes a job.');
}

/** Kills workers, and the main process now and then, while messages are sent. */
export async function queueCompletions(theatre: Theatre, kills: number): Promise<Report> {
	const title = 'Queue mode: messages are sent while processes are killed';
	const story = `The example workflow, with *Look again* turned on, runs on ${WORKERS} workers, with Redis and PostgreSQL. The worker that takes the next job is killed while it works on it; every third time the main process is killed instead. n8n gives up the executions of a killed worker.`;
	const expected = 'Each completion has exactly one SMS, to the right phone.';
	return await TriggerKills.run(
		theatre,
		{ title, story, expected, kills, lookAgain: true },
		async (sandbox) => {
			const { main, workers } = await theatre.startCluster('queueCompletions', sandbox, WORKERS);
			const strike = async (kill: number) => {
				if (kill % MAIN_EVERY === 0) return undefined;
				await wait(PAUSE_MS);
				const victim = await nextJob(workers, JOB_MS);
				return { victim, moment: 'while a worker is at a job' };
			};
			return { main, strike };
		},
	);
}
