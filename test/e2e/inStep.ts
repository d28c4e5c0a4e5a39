import { setTimeout as wait } from 'node:timers/promises';

import { until } from '../../tools/until';
import type { Fate, LateService } from '../support/lateService';
import { endedExecutions, lastToLog, WORKERS } from './queue';
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

const ROWS = 24;
const LATENCY_MS = 300;

/** Times for which the list does not show a new booking. */
const LATE_MS = [0, 2_000, 10_000];

/** A meeting of the workers takes so long at most. */
const MEETING_MS = 10_000;

/** At how many bookings a worker is frozen, and at how many it wakes while the other one works. */
const FREEZE_AT = 6;
const WAKE_AT = 12;

/** Books one sheet on two workers, at a service whose list shows new bookings late. */
class InStep {
	readonly violations: string[] = [];
	private readonly newRows = rowMaker(ROWS);

	constructor(
		private readonly service: LateService,
		private readonly cluster: Cluster,
		private readonly workflowId: string,
	) {}

	/** The service answers the workers' first look at the list at the same moment. */
	async meet(): Promise<void> {
		let release: () => void = () => undefined;
		const both = new Promise<void>((resolve) => (release = resolve));
		let waiting = 0;
		this.service.beforePage = async (page) => {
			if (page > 1) return;
			waiting += 1;
			if (waiting >= WORKERS) release();
			await Promise.race([both, wait(MEETING_MS)]);
		};
		await this.play('in step', async (start) => await Promise.all([start(), start()]));
	}

	/** The worker that books the sheet is frozen, and wakes while the other one books it, or after that. */
	async freeze(wakes: 'early' | 'late'): Promise<void> {
		this.service.beforePage = async () => await Promise.resolve();
		const made = () => this.service.bookings.length;
		const before = made();
		const bookings = async (count: number) =>
			await until(`Booking ${count}`, () => made() >= before + count, { everyMs: 3 });
		const moment = wakes === 'early' ? `at ${WAKE_AT}` : 'after the other one has ended';
		const what = `a worker is frozen at ${FREEZE_AT} bookings, and wakes ${moment}`;
		await this.play(what, async (start, hasBooked) => {
			await start();
			await bookings(FREEZE_AT);
			const sleeper = await lastToLog(this.cluster.workers);
			sleeper.freeze();
			await wait(2 * LATENCY_MS);
			await start();
			await (wakes === 'early'
				? bookings(WAKE_AT)
				: until('The end of the other worker', hasBooked));
			sleeper.wake();
		});
	}

	/** @param run starts the workflow over the same rows, twice; it can ask whether an execution has booked them */
	private async play(
		how: string,
		run: (start: () => Promise<void>, hasBooked: () => Promise<boolean>) => Promise<unknown>,
	): Promise<void> {
		const { client } = this.cluster.main;
		const rows: Rows = this.newRows();
		const known = await client.executions(this.workflowId);
		const start = async () => await postRows(this.cluster.main, rows);
		const hasBooked = async () => {
			const fresh = (await client.executions(this.workflowId)).slice(known.length);
			return fresh.some(({ status }) => status === 'success');
		};
		await run(start, hasBooked);
		const executions = await endedExecutions(client, this.workflowId, known, 2);
		// n8n may have given up a frozen execution, which goes on all the same.
		const { bookings } = this.service;
		if (executions.some(({ status }) => status !== 'success'))
			for (let count = -1; count !== bookings.length; await wait(15_000)) count = bookings.length;
		const whole = executions.map(async ({ id }) => resultsOf(await client.execution(id)));
		const results = (await Promise.all(whole)).join(' / ');

		const times = timesBooked(this.service, rows);
		const doubled = times.filter((count) => count > 1).length;
		const lost = times.filter((count) => count === 0).length;
		const what = `${how}, list ${this.service.listedAfterMs / 1_000} s late`;
		console.log(`  ${what}: ${doubled} of ${ROWS} rows twice; ${results}`);
		if (lost > 0) this.violations.push(`${lost} rows are not booked: ${what}.`);
		if (doubled > 0) this.violations.push(`${doubled} rows are booked twice: ${what}.`);
	}
}

export async function queueInStep(theatre: Theatre): Promise<string[]> {
	const service = await startLateService(theatre);
	service.fate = async (): Promise<Fate> => {
		await wait(LATENCY_MS);
		return 'booked';
	};
	const cluster = await theatre.startCluster('queueInStep', service, WORKERS, '1');
	const workflowId = await cluster.main.client.publishNew(await webhookWorkflow());
	const scenario = new InStep(service, cluster, workflowId);
	for (service.listedAfterMs of LATE_MS) await scenario.meet();
	for (const wakes of ['early', 'late'] as const) await scenario.freeze(wakes);
	return scenario.violations;
}
