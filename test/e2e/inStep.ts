import { setTimeout as wait } from 'node:timers/promises';

import type { Execution } from '../../tools/n8nClient';
import type { Fate, LateService } from '../support/lateService';
import { lastToLog } from './queue';
import type { Report } from './report';
import type { Cluster, Theatre } from './stage';
import {
	postRows,
	resultsOf,
	rowMaker,
	startLateService,
	timesBooked,
	webhookWorkflow,
	type Rows,
} from './webhook';

const WORKERS = 2;
const ROWS = 24;
const LATENCY_MS = 300;

/** Times for which the list does not show a new booking. */
const LATE_MS = [0, 2_000, 10_000];

/** How often each of these is played. */
const ROUNDS = Number(process.env.ROUNDS ?? 2);

/** How long the workers may take for a sheet. */
const LIMIT_MS = 240_000;

/** A meeting of the workers takes so long at most. */
const MEETING_MS = 10_000;

const PATH = 'in-step';

/** Books one sheet on two workers, at a service whose list shows new bookings late. */
export class InStep {
	private readonly facts: string[] = [];
	private readonly violations: string[] = [];
	private readonly newRows = rowMaker(ROWS);

	private constructor(
		private readonly service: LateService,
		private readonly cluster: Cluster,
		private readonly workflowId: string,
	) {}

	static async run(theatre: Theatre): Promise<Report> {
		const service = await startLateService(theatre);
		service.fate = async (): Promise<Fate> => {
			await wait(LATENCY_MS);
			return 'booked';
		};
		const cluster = await theatre.startCluster('queueInStep', service, WORKERS, '1');
		const { client } = cluster.main;
		const workflowId = await client.importWorkflow(await webhookWorkflow({ path: PATH }));
		await client.publishWorkflow(workflowId);
		const scenario = new InStep(service, cluster, workflowId);
		for (const late of LATE_MS) await scenario.inStep(late);
		for (const late of LATE_MS.slice(1)) await scenario.frozen(late);
		return {
			title: `Queue mode: two workers book one sheet in step (${WORKERS} workers, Redis, PostgreSQL)`,
			story: `A workflow gets the same ${ROWS} rows twice, so that each worker books them. The service answers their first look at its list at the same moment, and its list shows new bookings late. In other rounds the first worker is frozen (SIGSTOP) in the middle, and wakes while the other one is at work.`,
			expected: 'Every row is booked, and none twice.',
			facts: scenario.facts,
			violations: scenario.violations,
		};
	}

	private async start(rows: Rows): Promise<void> {
		await postRows(this.cluster.main, PATH, rows);
	}

	/** Waits until there are so many more executions, and all have ended. */
	private async ended(known: number, more: number): Promise<Execution[]> {
		const { client } = this.cluster.main;
		for (const end = Date.now() + LIMIT_MS; ; await wait(500)) {
			const fresh = (await client.executions(this.workflowId)).slice(known);
			const isOver = ({ status }: Execution) => !['new', 'running', 'waiting'].includes(status);
			if ((fresh.length >= more && fresh.every(isOver)) || Date.now() > end) return fresh;
		}
	}

	private async executions(): Promise<number> {
		return (await this.cluster.main.client.executions(this.workflowId)).length;
	}

	/** Answers the workers' first look at the list at the same moment. */
	private meet(): void {
		let release: () => void = () => undefined;
		const both = new Promise<void>((resolve) => (release = resolve));
		let waiting = 0;
		this.service.beforePage = async (page) => {
			if (page > 1) return;
			waiting += 1;
			if (waiting >= WORKERS) release();
			await Promise.race([both, wait(MEETING_MS)]);
		};
	}

	private async inStep(late: number): Promise<void> {
		this.service.listedAfterMs = late;
		const doubled: number[] = [];
		let results = '';
		for (let round = 0; round < ROUNDS; round++) {
			const rows = this.newRows();
			const known = await this.executions();
			this.meet();
			await Promise.all([this.start(rows), this.start(rows)]);
			results = await this.resultsOf(await this.ended(known, 2));
			doubled[round] = this.doubled(rows);
			console.log(
				`  in step, list ${late} ms late: ${doubled[round]} of ${ROWS} twice; ${results}`,
			);
			this.check(rows, `in step, list ${late} ms late`);
		}
		this.facts.push(
			`in step, list ${late / 1_000} s late: ${doubled.join(', ')} of ${ROWS} rows twice; the last time ${results}`,
		);
	}

	private async frozen(late: number): Promise<void> {
		this.service.listedAfterMs = late;
		this.service.beforePage = async () => await Promise.resolve();
		const rows = this.newRows();
		const known = await this.executions();
		const made = () => this.service.bookings.length;
		const before = made();
		const until = async (count: number) => {
			for (const end = Date.now() + LIMIT_MS; made() < before + count; await wait(3))
				if (Date.now() > end) throw new Error('The workers do not come on.');
		};
		await this.start(rows);
		await until(6);
		const sleeper = await lastToLog(this.cluster.workers);
		sleeper.freeze();
		await wait(2 * LATENCY_MS);
		await this.start(rows);
		await until(12);
		sleeper.wake();
		const results = await this.resultsOf(await this.ended(known, 2));
		// n8n may have given up the frozen execution, which goes on all the same.
		for (let count = -1; count !== made(); await wait(15_000)) count = made();
		const text = `a worker is frozen at 6 bookings, and wakes at 12, list ${late / 1_000} s late`;
		this.facts.push(`${text}: ${this.doubled(rows)} of ${ROWS} rows twice; ${results}`);
		console.log(`  ${this.facts.at(-1)}`);
		this.check(rows, text);
	}

	private async resultsOf(executions: Execution[]): Promise<string> {
		const { client } = this.cluster.main;
		const texts = executions.map(async ({ id }) => resultsOf(await client.execution(id)));
		return (await Promise.all(texts)).join(' / ');
	}

	private doubled(rows: Rows): number {
		return timesBooked(this.service, rows).filter((times) => times > 1).length;
	}

	private check(rows: Rows, what: string): void {
		const lost = timesBooked(this.service, rows).filter((times) => times === 0).length;
		if (lost > 0) this.violations.push(`${lost} rows are not booked: ${what}.`);
		if (this.doubled(rows) > 0)
			this.violations.push(`${this.doubled(rows)} rows are booked twice: ${what}.`);
	}
}
