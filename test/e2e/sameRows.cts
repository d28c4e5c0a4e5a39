import { setTimeout as wait } from 'node:timers/promises';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, spreadsheetWorkflow } from '../../tools/examples.cts';
import { outputOf, type Execution, type N8nClient } from '../../tools/n8nClient.cts';
import { until } from '../../tools/until.cts';
import { tally } from '../../tools/tally.cts';
import { LateService, type Fate } from '../support/lateService.cts';
import { endedExecutions, lastToLog, startCluster, WORKERS } from './queue.cts';
import { runSql } from './servers.cts';
import { keyOfRow, rowsOfSheet, type SheetRow } from './sheet.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { nodeOf, to } from '../../tools/workflow.cts';

const BOOKING_NODE = 'Check, then book';

/** Of the webhook that starts the workflow: no form is between the start and the node. */
const PATH = 'rows';

async function startService(theatre: Theatre): Promise<LateService> {
	const service = theatre.closeAtEnd(await LateService.start());
	// The list of a service that was never used is read twice.
	service.add({ farmerName: 'First', farmerPhone: '+2348000000001', serviceDate: '2026-01-02' });
	return service;
}

/** Publishes a workflow that books the rows that are posted to it. @returns its ID */
async function publish(client: N8nClient): Promise<string> {
	const example = await spreadsheetWorkflow();
	const booking = nodeNamed(example, BOOKING_NODE);
	// Here no page answers.
	const settings = { dryRun: false, dateOrder: 'refuse', options: { otherColumns: 'ignore' } };
	Object.assign(booking.parameters, settings);
	return await client.publishNew({
		...example,
		nodes: [
			nodeOf('Start', 'webhook', 2, { path: PATH, httpMethod: 'POST', options: {} }),
			nodeOf('Rows', 'splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
			booking,
		],
		connections: { Start: to('Rows'), Rows: to(BOOKING_NODE) },
	});
}

/** How often the service has booked each row. */
const timesBooked = ({ timesBooked: times }: LateService, rows: SheetRow[]) =>
	rows.map((row) => times[keyOfRow(row)] ?? 0);

/** What an execution says of its rows: how many have which result; its status if it says nothing. */
const resultsOf = (execution: Execution) =>
	tally(outputOf(execution, BOOKING_NODE), ({ result }) => asText(result)) || execution.status;

/**
 * The response of the second of 4 rows is lost, and n8n is killed at once; then the same rows are booked again, before
 * the list shows anything and after it shows all.
 */
export async function again(theatre: Theatre): Promise<string[]> {
	const service = await startService(theatre);
	// No search for the lost response finds its booking.
	service.listedAfterMs = 120_000;
	const n8n = await theatre.startN8n('again', service);
	const { client } = n8n;
	const workflowId = await publish(client);
	const rows = rowsOfSheet(4);
	const book = async () => {
		const known = await client.executions(workflowId);
		await client.callWebhook(PATH, { rows });
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
	await client.callWebhook(PATH, { rows });
	await lost;
	await wait(200);
	await n8n.kill();
	service.fate = () => 'booked';
	await theatre.startAgain(n8n);
	const early = await book();
	await wait(service.listedAfterMs);
	const late = await book();

	const times = timesBooked(service, rows);
	const left = times.filter((count) => count === 0).length;
	const violations: string[] = [];
	if (times.some((count) => count > 1)) violations.push(`Booked ${times.join()} times.`);
	// Rows that were claimed and not sent wait until their claims end, and are reported.
	if (left > rows.length - 2 || (left > 0 && !late.includes(`${left} unknown`)))
		violations.push(`${left} rows are not booked, and the last run says: ${late}.`);
	console.log(`  after the restart: ${early}; at last: ${late}; booked ${times.join(', ')} times`);
	return violations;
}

const ROWS = 24;
const LATENCY_MS = 300;

/** Times for which the list does not show a new booking. */
const LATE_MS = [0, 2_000, 10_000];

/** A meeting of the workers takes so long at most. */
const MEETING_MS = 10_000;

/** At how many bookings a worker is frozen, and at how many it wakes while the other one works. */
const FREEZE_AT = 6;
const WAKE_AT = 12;

/** A cluster whose two workers get the same rows. */
class Meetings {
	readonly violations: string[] = [];

	private rounds = 0;

	private constructor(
		readonly service: LateService,
		readonly cluster: Awaited<ReturnType<typeof startCluster>>,
		private readonly workflowId: string,
	) {}

	static async start(theatre: Theatre, name: string): Promise<Meetings> {
		const service = await startService(theatre);
		service.fate = async (): Promise<Fate> => {
			await wait(LATENCY_MS);
			return 'booked';
		};
		const cluster = await startCluster(theatre, name, service, '1');
		return new Meetings(service, cluster, await publish(cluster.main.client));
	}

	/**
	 * Plays a round, and says what came of it.
	 *
	 * @param run starts the workflow over new rows, twice; it can ask whether an execution has booked them
	 * @returns how many rows are booked twice, and by neither
	 */
	async play(
		how: string,
		run: (start: () => Promise<void>, hasBooked: () => Promise<boolean>) => Promise<unknown>,
	): Promise<{ doubled: number; left: number }> {
		const { service, workflowId } = this;
		const { client } = this.cluster.main;
		const rows = rowsOfSheet(ROWS, ROWS * this.rounds++);
		const known = await client.executions(workflowId);
		const hasBooked = async () => {
			const fresh = (await client.executions(workflowId)).slice(known.length);
			return fresh.some(({ status }) => status === 'success');
		};
		await run(async () => await client.callWebhook(PATH, { rows }), hasBooked);
		const executions = await endedExecutions(client, workflowId, known, 2);
		// n8n may have given up a frozen execution, which goes on all the same.
		const { bookings } = service;
		if (executions.some(({ status }) => status !== 'success'))
			for (let count = -1; count !== bookings.length; await wait(15_000)) count = bookings.length;
		const whole = await Promise.all(executions.map(async ({ id }) => await client.execution(id)));
		const results = whole.map(resultsOf).join(' / ');
		// Of those that the service has not, which no worker leaves open.
		const unsaid = whole.map(
			(one) => outputOf(one, BOOKING_NODE).filter(({ result }) => isLeft(asText(result))).length,
		);

		const times = timesBooked(service, rows);
		const doubled = times.filter((count) => count > 1).length;
		const left = times.filter((count) => count === 0).length;
		const what = `${how}, list ${service.listedAfterMs / 1_000} s late`;
		console.log(`  ${what}: ${doubled} of ${ROWS} rows twice, ${left} by neither; ${results}`);
		// On a machine that is slow, each worker may leave rows to the other one: then both say so.
		if (left > Math.min(...unsaid)) this.violations.push(`${left} rows are not booked: ${what}.`);
		if (doubled > 0) this.violations.push(`${doubled} rows are booked twice: ${what}.`);
		return { doubled, left };
	}
}

/** Whether a result says that a row may not be booked. */
const isLeft = (result: string) => result === 'unknown' || result === 'not sent';

/** Two workers get the same rows, at a service whose list shows new bookings late. */
export async function queueInStep(theatre: Theatre): Promise<string[]> {
	const meetings = await Meetings.start(theatre, 'queueInStep');
	const { service, cluster, violations } = meetings;
	const { workers } = cluster;

	for (service.listedAfterMs of LATE_MS) {
		let release: () => void = () => undefined;
		const both = new Promise<void>((resolve) => (release = resolve));
		let waiting = 0;
		// The workers' first look at the list is answered at the same moment.
		service.beforePage = async (page) => {
			if (page > 1) return;
			waiting += 1;
			if (waiting >= WORKERS) release();
			await Promise.race([both, wait(MEETING_MS)]);
		};
		await meetings.play('in step', async (start) => await Promise.all([start(), start()]));
	}

	service.beforePage = async () => await Promise.resolve();
	for (const wakes of [`at ${WAKE_AT}`, 'after the other one has ended']) {
		const before = service.bookings.length;
		const bookings = async (count: number) =>
			await until(`Booking ${count}`, () => service.bookings.length >= before + count, {
				everyMs: 3,
			});
		const how = `a worker is frozen at ${FREEZE_AT} bookings, and wakes ${wakes}`;
		await meetings.play(how, async (start, hasBooked) => {
			await start();
			await bookings(FREEZE_AT);
			const sleeper = await lastToLog(workers);
			sleeper.freeze();
			await wait(2 * LATENCY_MS);
			await start();
			if (wakes.startsWith('at')) await bookings(WAKE_AT);
			else await until('The end of the other worker', hasBooked);
			sleeper.wake();
		});
	}
	return violations;
}

/** How many writes of 100 take long, and how long. */
const SLOW_WRITES = 12;
const SLOW_SECONDS = [1.5, 3];

/** When the second worker begins after the first one, and how late the list is. */
const APART_MS = [0, 200, 1_000, 5_000];
const LATER_MS = [2_000, 5_000, 10_000];

/** Two workers get the same rows, and n8n's database is slow to write what nodes remember. `ROUNDS` says how often. */
export async function queueSlowStore(theatre: Theatre): Promise<string[]> {
	const meetings = await Meetings.start(theatre, 'queueSlowStore');
	const { service, cluster, violations } = meetings;
	// Once for a statement: the row is not locked before, as it is not while a slow network has the statement.
	await runSql(
		cluster.postgres,
		`CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF random() * 100 < ${SLOW_WRITES} THEN
				PERFORM pg_sleep((ARRAY[${SLOW_SECONDS.join()}])[1 + floor(random() * ${SLOW_SECONDS.length})::int]);
			END IF;
			RETURN NULL;
		END $$;
		CREATE TRIGGER take_long BEFORE INSERT OR UPDATE ON processed_data
			FOR EACH STATEMENT EXECUTE FUNCTION take_long();`,
	);
	const rounds = Number(process.env.ROUNDS ?? APART_MS.length * LATER_MS.length);
	const sum = { doubled: 0, left: 0 };
	for (let round = 0; round < rounds; round++) {
		const apartMs = APART_MS[round % APART_MS.length] ?? 0;
		service.listedAfterMs = LATER_MS[Math.floor(round / APART_MS.length) % LATER_MS.length] ?? 0;
		const { doubled, left } = await meetings.play(
			`${round + 1}: ${apartMs / 1_000} s apart`,
			async (start) => {
				await start();
				await wait(apartMs);
				await start();
			},
		);
		sum.doubled += doubled;
		sum.left += left;
	}
	const rows = `${rounds * ROWS} rows in ${rounds} rounds`;
	console.log(`  of ${rows}: ${sum.doubled} booked twice, ${sum.left} by neither`);
	return violations;
}
